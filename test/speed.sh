#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# The benchmark runs: every row that any OpenSSL can do is there, in JSON that adds up, and what it
# is asked wrongly it refuses. How long anything takes does not matter here.
# Wants BUILD_DIR in the environment.
set -eu
unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ia32cap KECCAKPROV_TRACE

speed=$BUILD_DIR/test/speed
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# exits STATUS OPTION...: the benchmark refuses these options so, and prints nothing.
exits() {
    wanted=$1
    shift
    status=0
    "$speed" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
    if [ "$status" -ne "$wanted" ] || [ -s "$tmp/out" ] || [ ! -s "$tmp/err" ]; then
        echo "speed $*: exit status $status" >&2
        cat "$tmp/out" "$tmp/err" >&2
        exit 1
    fi
}

for option in --no-such-option --rounds=0 --rounds=-1 --rounds=1x --rows surplus; do
    exits 2 "$option"
done
exits 1 --isa avx3
exits 1 --module "$tmp"
exits 1 --list --rows 'no such row'

"$speed" --help >"$tmp/help"
grep -q -e --rounds "$tmp/help"
"$speed" --rounds 1 --json >"$tmp/json" 2>"$tmp/left-out" || {
    cat "$tmp/left-out" >&2
    exit 1
}
"$speed" --list >"$tmp/list"
"$speed" --rounds 1 --isa portable --rows 'sha3-256 64' >"$tmp/text"
grep -q 'isa=portable -> portable' "$tmp/text"
grep -Eq '^ +[0-9]+\.[0-9]+  SHA3-256 64 .* openssl ' "$tmp/text"

/usr/bin/python3 - "$tmp/json" "$tmp/list" "$tmp/left-out" <<'END'
import json, sys

report = json.load(open(sys.argv[1]))
rows = {row["name"]: row for row in report["rows"]}
left_out = [line.split(": ", 2)[2] for line in open(sys.argv[3]).read().splitlines()]
assert len(rows) == len(report["rows"]), "a name twice"
assert list(rows) == [name for name in open(sys.argv[2]).read().splitlines()
                      if name not in left_out], "not the rows of --list"
assert all("squeezed" in name for name in left_out), left_out

wanted = [f"Sha3_{size}_MTU" for size in (224, 256, 384, 512)]
wanted += "Shake128_MTU Shake256_MTU Shake256_16x Shake256_1MiB Sha3_512_1MiB".split()
wanted += ["PermutationFunction", "permutation x1_portable", "SHA3-256 slope"]
wanted += [f"{name} {size}"
           for name in "SHA3-224 SHA3-256 SHA3-384 SHA3-512 SHAKE128 SHAKE256 KECCAK-256 "
                       "CSHAKE-128 CSHAKE-256 KT-128".split()
           for size in (0, 16, 32, 64, 136, 200, 1350, 8192, "1MiB")]
wanted += [f"{use} SHA3-256 64" for use in "EVP_Q_digest EVP_Digest".split()]
wanted += ["SHAKE128 34 in 504 out", "copy_ex SHA3-256", "CSHAKE-128 64 copied"]
assert not set(wanted) - set(rows), set(wanted) - set(rows)

for name, row in rows.items():
    assert row["ns"] > 0, name
    for cell in [row] + row["against"]:
        if row["bytes"] > 0:
            product = cell["bytes_per_second"] * cell["ns"] / 1e9
            assert abs(product / row["bytes"] - 1) < 0.01, name
    for cell in row["against"]:
        assert abs(cell["ratio"] * row["ns"] / cell["ns"] - 1) < 0.1, name
    alone = name in ("KT128 0", "KT128 64", "TurboSHAKE128 0", "TurboSHAKE128 64", "TupleHash128 64")
    if not alone and not name.startswith(("CSHAKE", "copy_ex CSHAKE", "sponge")):
        assert row["against"][0]["library"] == "openssl", name
print(len(rows), "rows")
END
