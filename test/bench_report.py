# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
"""Makes of what test/bench measured a page of tables, and plots by gnuplot."""
import statistics
import subprocess

SIZES = ["0", "16", "32", "64", "136", "200", "1350", "8192", "1MiB"]
GREY, BLUE = "#8c8c8c", "#1f5fa8"
STYLE = """set terminal svg size 760,440 font "sans-serif,13" background "#ffffff"
set border 3 linecolor "#404040"
set xtics nomirror
set ytics nomirror
set grid ytics linecolor "#dddddd"
"""


def gnuplot(path, text):
    subprocess.run(["gnuplot"], input=f"{STYLE}set output '{path}'\n{text}", text=True, check=True)


def times(passes, name):
    """Of a row that takes time: our best, the other's, and the median ratio; None where absent."""
    rows = [p[name] for p in passes if name in p]
    if not rows:
        return None
    ours = min(r["ours"] for r in rows)
    if rows[0]["default"] is None:
        return ours, None, None
    return (ours, min(r["default"] for r in rows),
            statistics.median(r["default"] / r["ours"] for r in rows))


def rates(passes, name):
    """Of operations per second: our best, the default's, and the median ratio."""
    rows = [p[name] for p in passes]
    return (max(r["ours"] for r in rows), max(r["default"] for r in rows),
            statistics.median(r["ours"] / r["default"] for r in rows))


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
                      *("| " + " | ".join(row) + " |" for row in rows), ""])


def bars(path, title, items, unit="%.1f"):
    """Horizontal bars, ours in blue: items are (label, value, is_ours), from the top."""
    data = "".join(f'"{label}" {value} {i} {int(ours)}\n'
                   for i, (label, value, ours) in enumerate(reversed(items)))
    gnuplot(path, f"""$data << END
{data}END
set title "{title}"
unset key
unset xtics
set grid noytics
set border 2
set style fill solid
set boxwidth 0.7
set yrange [-0.6:{len(items) - 0.4}]
set xrange [0:{max(value for _, value, _ in items) * 1.12}]
plot $data using ($2/2):3:($2/2):(0.35):($4 > 0 ? 0x{BLUE[1:]} : 0x{GREY[1:]}):ytic(1) \\
       with boxxyerror linecolor rgb variable, \\
     $data using 2:3:(sprintf("{unit}", $2)) with labels left offset 0.7
""")


def plot_sizes(path, hosts):
    """MB/s of SHA3-256 against the message's size, of each host with keccakprov and without."""
    blocks, curves = "", []
    for dash, (name, host) in enumerate(hosts.items(), 1):
        blocks += f"$host{dash} << END\n"
        for size in SIZES[1:]:
            ours, default, _ = times(host["speed"], f"SHA3-256 {size}")
            count = 2**20 if size == "1MiB" else int(size)
            blocks += f"{count} {count / ours * 1e3} {count / default * 1e3}\n"
        blocks += "END\n"
        for column, colour, who in (2, BLUE, "with keccakprov"), (3, GREY, "alone"):
            curves.append(f'$host{dash} using 1:{column} with linespoints linewidth 2 pointtype 7 '
                          f'pointsize 0.5 dashtype {dash} linecolor rgb "{colour}" '
                          f'title "{name} {who}"')
    gnuplot(path, f"""{blocks}set title "SHA3-256, megabytes per second by size of message"
set logscale x 2
set xtics ("16" 16, "64" 64, "200" 200, "1350" 1350, "8 KiB" 8192, "1 MiB" 1048576)
set yrange [0:*]
set key outside below center horizontal maxcols 2 Left reverse
plot {", ".join(curves)}
""")


def file_section(results, folder):
    """Each command at the best of the passes, the fastest first."""
    best = {name: min(p[name] for p in results["file"]) for name in results["file"][0]}
    items = [(name, results["bytes"] / best[name] / 1e9, name.startswith("keccaksum"))
             for name in sorted(best, key=best.get)]
    size = f"{results['bytes'] >> 20} MiB"
    bars(folder / "file.svg", f"Hashing a cached file of {size} in one thread, GB/s", items, "%.2f")
    return table(["command", "GB/s", "its time / that of kt128"],
                 [[f"`{name}`", f"{speed:.2f}", f"{best[name] / best['keccaksum -a kt128']:.2f}"]
                  for name, speed, _ in items])


def sizes_section(results, folder):
    hosts = results["hosts"]
    plot_sizes(folder / "sizes.svg", hosts)
    text = ""
    for algorithm in "SHA3-256", "SHAKE128", "KT-128":
        rows = []
        for size in SIZES:
            cells = [times(h["speed"], f"{algorithm} {size}") for h in hosts.values()]
            rows.append([size, *(f"{o:,.0f}, {d:,.0f}: {r:.2f}" for o, d, r in cells)])
        against = "SHA-256" if algorithm == "KT-128" else algorithm
        text += (f"\n{algorithm}, nanoseconds a message by keccakprov, and {against} by OpenSSL "
                 "alone: ratio\n\n")
        text += table(["bytes", *hosts], rows)
    return text


def latency_section(results, folder):
    items = []
    for name, host in results["hosts"].items():
        ours, default, _ = times(host["speed"], "SHA3-256 32")
        items += [(f"{name} with keccakprov", ours, True), (f"{name} alone", default, False)]
    bars(folder / "latency.svg", "SHA3-256 of 32 bytes, context reused, nanoseconds", items, "%.0f")
    rows = []
    for row in "copy_ex SHAKE128", "KMAC128 32, kept key":
        cells = [times(h["speed"], row) for h in results["hosts"].values()]
        rows.append([row, *(f"{o:,.1f}, {d:,.1f}: {r:.2f}" for o, d, r in cells)])
    return table(["nanoseconds", *results["hosts"]], rows)


def speed_section(results):
    hosts = results["hosts"]
    names = list(next(iter(hosts.values()))["openssl"][0])
    return table(["MB/s", *hosts],
                 [[f"`-evp {n.replace(' ', ' -bytes ')}`",
                   *("{0:,.0f}, {1:,.0f}: {2:.2f}".format(o / 1e6, d / 1e6, r)
                     for o, d, r in (rates(h["openssl"], n) for h in hosts.values()))]
                  for n in names])


def pqc_section(results, folder):
    passes = next((h["pqc"] for h in results["hosts"].values() if h["pqc"]), None)
    if passes is None:
        return "No OpenSSL 3.5 was there.\n"
    found = {n: rates(passes, n) for n in passes[0]}
    bars(folder / "post-quantum.svg", "OpenSSL 3.5: operations per second, with keccakprov / alone",
         [(n, r, r > 1) for n, (_, _, r) in found.items()], "%.2f")
    return table(["operation", "with keccakprov", "alone", "ratio"],
                 [[n, f"{o:,.0f}", f"{d:,.0f}", f"{r:.2f}"] for n, (o, d, r) in found.items()])


def write(results, folder):
    about = results["about"]
    text = f"""# How fast keccakprov is

`test/bench` made this page: {about["date"]}, on {about["machine"]} ({about["system"]}).
keccakprov {about["keccakprov"]} ({about["kernels"]}), {about["compiler"]}; {about["b3sum"]};
{", ".join(results["hosts"])}.
Everything took turns, {len(results["file"])} times. Times are the best of them; ratios are of the
best in the first table, else the median of the turns'. The machine was not ours alone.

## A file of {results["bytes"] >> 20} MiB, in the page cache, one thread

![by command](file.svg)

{file_section(results, folder)}
## Messages by their size

`build/test/speed`: init, update and final through EVP on a reused context. A ratio above 1:
keccakprov is faster.

![SHA3-256 by size](sizes.svg)
{sizes_section(results, folder)}
## Small messages

![SHA3-256 of 32 bytes](latency.svg)

By keccakprov, by OpenSSL alone: ratio.

{latency_section(results, folder)}
## `openssl speed`

Megabytes per second with `OPENSSL_CONF=build/conf/try.cnf` and without: ratio.

{speed_section(results)}
## Post-quantum signatures and key exchange, OpenSSL 3.5

Operations per second by `openssl speed`. These algorithms fetch SHAKE and SHA3, and so get
keccakprov's.

![operations per second](post-quantum.svg)

{pqc_section(results, folder)}"""
    (folder / "report.md").write_text(text)
