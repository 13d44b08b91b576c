#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# The manual pages are well-formed, and name every algorithm, parameter and option there is. Wants
# SOURCE_DIR and BUILD_DIR in the environment.
set -eu
unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ia32cap KECCAKPROV_TRACE
export LC_ALL=C

if ! [ -f "$BUILD_DIR/conf/keccaksum.1" ]; then
    echo 'built without scdoc: not tested'
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

# What scdoc cannot help: empty paragraphs, long lines, the case of the title.
: >found
for page in keccaksum.1 provider-keccakprov.7; do
    mandoc -T lint -W style "$BUILD_DIR/conf/$page" |
        grep -vE 'paragraph macro: PP|longer than 80|lower case character in document title' \
        >>found || :
    mandoc -T ascii -O width=500 "$BUILD_DIR/conf/$page" | sed 's/.\x08//g' >$page
done
cat found
[ ! -s found ]

# missing_from PAGE: those of the input that the page does not have, each as a word.
missing_from() {
    while read -r name; do
        grep -qE "(^|[^A-Za-z0-9-])$name([^A-Za-z0-9-]|\$)" "$1" || echo "$1 lacks $name"
    done
}

keccaksum=$BUILD_DIR/keccaksum/keccaksum
OPENSSL_CONF=$BUILD_DIR/conf/try.cnf $keccaksum --status | sed -n 's/ *keccakprov$//p' >algorithms
sed -n 's/^#define KECCAKPROV_PARAM_[A-Z_]* "\([^"]*\)".*/\1/p' "$SOURCE_DIR/provider/provider.h" \
    >parameters
sed -n 's/^# \([a-z-]*\) = .* | .*/\1/p' "$SOURCE_DIR/conf/keccakprov.cnf" >keys
$keccaksum --help | grep -oE -- '(--[a-z-]+|-[a-z])\b' >options
wc -l algorithms parameters keys options
for list in algorithms parameters keys options; do
    [ -s $list ]
done
{
    missing_from provider-keccakprov.7 <algorithms
    missing_from provider-keccakprov.7 <parameters
    missing_from provider-keccakprov.7 <keys
    missing_from keccaksum.1 <options
} >missing
cat missing
[ ! -s missing ]
