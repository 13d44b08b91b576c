# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# The end of keccaksum.sh: large files, several at once, and the bar.
# shellcheck disable=SC2016,SC2154 # commands are quoted for eval; $sha3

# Large files are mapped, in windows of 16 MiB, from 1 MiB on.
head -c 20000003 /dev/urandom >large
for size in 1048575 1048576 1048577 16777216 16777217 17825791 17825792 20000003; do
    head -c "$size" large >part
    check "a file of $size bytes" "$(head -c "$size" large | keccaksum -a sha3-256 | cut -c 1-64)  part" \
        'keccaksum -a sha3-256 part'
    check 'the same by openssl' "$(openssl dgst -r -sha3-256 part | tr '*' ' ')" \
        'keccaksum -a sha3-256 part'
done
check 'standard input from where it stands' "$(tail -c +101 part | openssl dgst -r -sha3-256 |
    cut -c 1-64)  -" '{ dd bs=100 count=1 status=none >/dev/null; keccaksum -a sha3-256; } <part'
# while_mapped COMMAND: asks for a large file and another; the command when the first is mapped.
while_mapped() {
    truncate -s 256M mapped
    keccaksum -a sha3-512 mapped part &
    until grep -q mapped "/proc/$!/maps"; do sleep 0.01; done
    eval "$1"
    wait $!
}
for size in 0 -1; do
    check "a file that shrinks to a size of $size, and another" \
        "keccaksum: mapped: Input/output error
$(keccaksum -a sha3-512 part) [1]" "while_mapped 'truncate -s $size mapped'"
done
check 'a SIGBUS from elsewhere' 135 '(while_mapped "kill -BUS \$!") 2>/dev/null || echo $?'
check 'no module' 'keccaksum: cannot load keccakprov: could not load the shared library; '"\
OPENSSL_MODULES can name its folder [1]" 'OPENSSL_MODULES=. keccaksum abc'

# Several at once: the same, in the same order.
i=0
while [ $i -lt 60 ]; do
    head -c $((i * 50000 % 1700000)) /dev/zero >"many$i"
    i=$((i + 1))
done
keccaksum -a sha3-256 many* missing >one 2>&1 || :
check 'several jobs' "$(cat one) [1]" 'keccaksum -j 7 -a sha3-256 many* missing'
check 'several jobs check' 60 'keccaksum -a sha3-256 many* | keccaksum -a sha3-256 -j 3 -c |
    grep -c OK'

# What takes two seconds shows a bar, on a terminal, and wipes it.
slowly='{ printf abc; sleep 2; }'
terminal() {
    printf '%s\n' "$1" >typed
    script -qec 'sh typed' /dev/null </dev/null | tr '\r\033\n' '<^ '
}
check 'no bar without a terminal' "$sha3  -" "$slowly | keccaksum --progress -a sha3-256"
check 'no bar that is not asked for' "$sha3  -< " \
    "terminal '$slowly | keccaksum -a sha3-256'"
check 'progress' "yes, and then $sha3  -< " "terminal '$slowly | keccaksum --progress -a sha3-256' |
    sed 's,^<0 MiB\, 0 MiB/s ^\[K.*<^\[K\([0-9a-f]\),yes\, and then \1,'"
for signal in INT TERM; do
    check "SIG$signal wipes it" '<0 MiB, 0 MiB/s ^[K<^[K' \
        "terminal 'sleep 3 | timeout --foreground -s $signal 1.7 keccaksum --progress'"
done
check 'a bar' '<1 MiB, # MiB/s [##########                    ] 33 %^[K<^[K' "
    head -c 3M /dev/zero >long
    terminal '{ head -c 1M long; sleep 3; } | timeout --foreground -s INT 1.7 \\
        keccaksum --progress -a sha3-256 - long' | sed 's,[0-9]* MiB/s,# MiB/s,'"
# lists SECONDS: two lists of a pipe and a file, each of which takes so long.
for pipe in pipe1 pipe2; do
    mkfifo $pipe
    head -c 1M /dev/zero | keccaksum - long | sed "s/ -\$/ $pipe/" >list$pipe
done
lists() {
    terminal "for pipe in pipe1 pipe2; do { head -c 1M /dev/zero; sleep $1; } >\$pipe & done
        timeout --foreground 9 keccaksum --progress -c listpipe1 listpipe2"
}
bar='<1 MiB, 1 MiB/s [##########                    ] 33 %^[K<^[K'
check 'no bar, for neither list takes a second' \
    'pipe1: OK< long: OK< pipe2: OK< long: OK< ' 'lists 0.7'
check 'a bar for each list' "${bar}pipe1: OK< long: OK< ${bar}pipe2: OK< long: OK< " 'lists 1.5'
