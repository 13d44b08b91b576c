#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# keccaksum --status under configurations good and bad: what it says, what it warns of, its exit
# code. Wants MODULE_DIR and BUILD_DIR in the environment.
# shellcheck disable=SC2016 # backquotes are for the reader
set -eu
unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ia32cap KECCAKPROV_TRACE
export OPENSSL_MODULES="$MODULE_DIR"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
failed=0
try=$BUILD_DIR/conf/try.cnf
old=$(openssl version | grep -c ' 3\.[012]\.' || :) # activate = 0 activates

# conf SED-SCRIPT: a variant of try.cnf.
conf() {
    sed "$1" "$try" >conf
}

# status WHAT CODE PATTERN...: exit code, and the output has lines like all of the patterns; without
# one that begins with "warning", there is no warning.
status() {
    what=$1 wanted=$2
    shift 2
    code=0
    OPENSSL_CONF=$tmp/conf "$BUILD_DIR/keccaksum/keccaksum" --status >out 2>&1 || code=$?
    lacks=
    warnings=0
    for pattern; do
        grep -qE "^($pattern)" out || lacks="$lacks
    $pattern"
        case $pattern in warning*) warnings=$((warnings + 1)) ;; esac
    done
    if [ "$code$lacks" = "$wanted" ] && [ "$(grep -c ^warning out)" = "$warnings" ]; then
        echo "ok $what"
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n  exit: %s, wanted: %s, %s warnings\n' "$what" "$code" "$wanted" "$warnings"
        printf '  lacks:%s\n' "$lacks"
        cat out
    fi
}

conf ''
status 'all is well' 0 'library: OpenSSL [3-9]' "configuration: $tmp/conf" \
    "keccakprov: [0-9.]+, $MODULE_DIR/keccakprov.so" 'kernels: isa=auto -> ' 'self-test: passed' \
    'SHA3-256 +keccakprov' '(CSHAKE-)?KECCAK-(KMAC-)?256 +keccakprov' 'CSHAKE-128 +keccakprov'
[ "$(grep -c ' keccakprov$' out)" -ge 16 ]

conf 's|^module.*|&\nisa = portable|'
status 'the ceiling of instruction sets shows' 0 'kernels: isa=portable -> portable'

conf '/^nodejs_conf/d'
status 'Node.js is left out' 0 \
    'warning: .*Node\.js.* has no line `nodejs_conf = openssl_init` above its sections'

conf '/^alg_section/d; s/^default = .*/#/; s/^keccakprov = .*/default = default_sect\n&/'
status 'active, not preferred' 1 'SHA3-256 +default' 'CSHAKE-128 +(keccakprov|default)' \
    'warning: keccakprov is active, but not preferred: .*`default_properties = \?provider'
conf 's/= ?provider=keccakprov/= fips=yes/'
status 'not preferred, but another property' 1 \
    'warning: keccakprov is active, but not preferred: .* by a comma after `fips=yes`'

conf 's/^alg_section.*/&\nnonsense = x/'
status 'OpenSSL refuses a line' 1 'self-test: passed' 'SHA3-256 +keccakprov' \
    'warning: OpenSSL fails to follow it: '

conf 's/= ?provider/= provider/'
status 'strict' 0 'SHA3-256 +keccakprov' 'warning: .default_properties = provider=keccakprov. has no'
conf 's/^default_properties.*/default_properties = fips=no , provider = keccakprov/'
status 'strict, second of two' 0 'warning: .default_properties = fips=no , provider = keccakprov. has'

conf "s/= ?provider=keccakprov/= Provider = \"keccakprov\"/"
status 'strict, in capitals' 0 'warning: .default_properties = .* has no question mark'
conf "s/= ?provider=keccakprov/= fips=no,provider=\\\\'keccakprov\\\\'/"
status 'strict, in quotes' 0 "warning: .default_properties = .*'keccakprov'. has no question mark"

conf '/^default = /d'
status 'the default provider is not active' 0 'warning: the default provider is not active'

if [ "$old" = 1 ]; then
    conf '/^\[keccakprov_sect/,/^$/s/^activate.*/activate = 0/'
    status 'activate = 0, on an OpenSSL that activates' 0 'SHA3-256 +keccakprov' \
        'warning: before OpenSSL 3\.3 .activate = 0. activates too'
else
    conf '/^\[keccakprov_sect/,/^$/s/^activate.*/activate = no/'
    status 'activate = no' 1 'keccakprov: not active' 'SHA3-256 +default' \
        'warning: .*does not activate it: \[keccakprov_sect\] wants'
fi

conf '/^\[keccakprov_sect/,/^$/s/^activate.*//'
status 'listed, not activated' 1 'keccakprov: not active' 'SHA3-256 +default' \
    'CSHAKE-128 +(nobody|default)' \
    'warning: .*does not activate it: \[keccakprov_sect\] wants .activate = 1'

conf '/^config_diagnostics/d; s|^module.*|module = /nonexistent/keccakprov.so|'
status 'the module is missing' 1 'keccakprov: not active' \
    'warning: .*lists keccakprov, but its module cannot be loaded: /nonexistent/keccakprov.so: '

conf '/^keccakprov = /d'
status 'not listed' 1 'keccakprov: not active' 'SHA3-256 +default' \
    'warning: .*conf does not list keccakprov, or the file it includes cannot be read: '

conf '/^openssl_conf/d'
status 'no openssl_conf' 1 'keccakprov: not active' 'warning: .* has no line .openssl_conf = '

rm conf
status 'no configuration' 1 "configuration: $tmp/conf" 'keccakprov: not active' \
    'warning: .*conf cannot be read: OpenSSL goes without'

# A module that knows a wrong answer.
LC_ALL=C sed 's/\x5f\x72\x8f\x63\xbf/\x5e\x72\x8f\x63\xbf/' "$MODULE_DIR/keccakprov.so" >keccakprov.so
conf "s|^module.*|module = $tmp/keccakprov.so|"
status 'the self-test fails' 1 'self-test: FAILED' 'SHA3-256 +keccakprov'
conf "s|^module.*|module = $tmp/keccakprov.so\nself-test = load|; /^config_diagnostics/d"
status 'the self-test fails at load' 1 'keccakprov: not active' \
    'warning: .*conf lists keccakprov, but OpenSSL could not use it'

export OPENSSL_MODULES="$tmp"
conf '/^keccakprov = /d'
status 'no module to ask for names' 1 'keccakprov: not active' 'warning: .* does not list keccakprov'

[ "$failed" -eq 0 ]
