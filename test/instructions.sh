#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# Counts the instructions that each operation of test/operations.c executes inside keccakprov.so,
# and compares them with test/data/instructions.txt: more than 2 % off, either way, is a failure.
# A compiler that the file does not know prints its counts and is skipped.
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

# A cost line counts for the object last named, unless it is a callee's total (after calls=).
for dump in "$tmp"/out.*; do
    awk -v compiler="$COMPILER" '
        /^desc: Trigger: Client Request: / { name = $NF }
        /^ob=/ { ours = /keccakprov\.so$/ }
        /^calls=/ { getline; next }
        /^[0-9]/ && ours { sum += $2 }
        END { if (name != "") print compiler, name, sum }' "$dump"
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
    $1 != compiler { next }
    NR == FNR { wanted[$2] = $3; next }
    {
        if (!($2 in wanted)) verdict = "not in the baseline"
        else if ($3 > 1.02 * wanted[$2] || $3 < 0.98 * wanted[$2]) verdict = "was " wanted[$2]
        else verdict = "ok"
        bad += verdict != "ok"
        delete wanted[$2]
        printf "%7d %-26s %s\n", $3, $2, verdict
    }
    END {
        for (name in wanted) { bad++; print name " is in the baseline alone" }
        exit bad > 0
    }' "$baseline" "$tmp/counts"
