#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# Counts the instructions that each operation of test/operations.c executes inside keccakprov.so, in
# the kernels and outside of them, and compares them with test/data/instructions.txt: more than 2 %
# off, either way, in either count, is a failure. A compiler that the file does not know prints its
# counts and is skipped.
#
#     test/instructions.sh [--update]    from BUILD_DIR and for COMPILER, as meson sets them
#
# --update rewrites this compiler's lines; it belongs into the commit that changes the counts.
set -eu
export LC_ALL=C

baseline=$SOURCE_DIR/test/data/instructions.txt
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

code=0
valgrind -q --tool=callgrind --callgrind-out-file="$tmp/out" --compress-strings=no \
    --compress-pos=no --combine-dumps=no "$BUILD_DIR/test/operations" >"$tmp/log" 2>&1 || code=$?
if [ "$code" -ne 0 ]; then
    cat "$tmp/log"
    exit "$code"
fi

# A cost line counts for the function last named, unless it is a callee's total (after calls=).
for dump in "$tmp"/out.*; do
    awk -v compiler="$COMPILER" '
        /^desc: Trigger: Client Request: / { name = $NF }
        /^ob=/ { ours = /keccakprov\.so$/ }
        /^fn=/ { kernel = /keccak_(p1600|blocks)/ }
        /^calls=/ { getline; next }
        /^[0-9]/ && ours { sum[kernel] += $2 }
        END { if (name != "") print compiler, name, sum[1] + 0, sum[0] + 0 }' "$dump"
done | sort >"$tmp/counts"
[ -s "$tmp/counts" ]

if [ "${1-}" = --update ]; then
    { grep -v "^$COMPILER " "$baseline" || :; cat "$tmp/counts"; } | sort >"$tmp/new"
    cp "$tmp/new" "$baseline"
fi
if ! grep -q "^$COMPILER " "$baseline"; then
    cat "$tmp/counts"
    echo "no baseline for $COMPILER"
    exit 77
fi
awk -v compiler="$COMPILER" '
    function off(count, wanted) { return count > 1.02 * wanted || count < 0.98 * wanted }
    $1 != compiler { next }
    NR == FNR { kernel[$2] = $3; rest[$2] = $4; next }
    {
        if (!($2 in kernel)) verdict = "not in the baseline"
        else if (off($3, kernel[$2]) || off($4, rest[$2])) verdict = "was " kernel[$2] " + " rest[$2]
        else verdict = "ok"
        bad += verdict != "ok"
        delete kernel[$2]
        printf "%7d + %5d %-26s %s\n", $3, $4, $2, verdict
    }
    END {
        for (name in kernel) { bad++; print name " is in the baseline alone" }
        exit bad > 0
    }' "$baseline" "$tmp/counts"
