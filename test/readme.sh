#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# README.md tells the truth: its C program compiles, each command of a `console` block prints what
# stands below it (process ids excepted), and no hash stands anywhere that none of them printed.
# Wants SOURCE_DIR and BUILD_DIR in the environment.
set -eu
unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ia32cap KECCAKPROV_TRACE

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
readme=$SOURCE_DIR/README.md
ln -s "$BUILD_DIR" build
ln -s "$SOURCE_DIR/LICENSE" LICENSE

# block KIND: the text of all blocks of that kind.
block() {
    awk -v fence="\`\`\`$1" '/^```/ { inside = $0 == fence; next } inside' "$readme"
}

block c >cshake.c
block console >wanted

# Do as the reader does.
run() {
    printf '$ %s\n' "$1"
    sh -c "$1" 2>&1 || echo "exit $?"
}

sed -n 's/^\$ //p' wanted >commands
while IFS= read -r command; do
    run "$command" </dev/null
done <commands | sed 's/^\(keccakprov\)\[[0-9]*\]/\1[4711]/' >got
sed 's/^\(keccakprov\)\[[0-9]*\]/\1[4711]/' wanted | diff -u - got

echo "$(wc -l <commands) commands print what README.md shows"
[ -s commands ]

hashes() {
    grep -oE '[0-9a-f]{40,}' "$1" | sort -u
}
hashes "$readme" >shown
hashes got >printed
comm -23 shown printed >unproven
cat unproven
[ ! -s unproven ]
