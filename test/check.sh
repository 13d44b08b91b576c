# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# For scripts that run programs with keccakprov, in a temporary folder, and ask its trace who did
# the hashing. Wants BUILD_DIR in the environment, and OPENSSL_PATH if the openssl program is not in
# the usual PATH. With COUNTING, a copy of the module that counts its permutations (counting.c), they
# run with that one, and it must have counted some exactly when it is said to do the hashing.

unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ia32cap

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
cd "$tmp" || exit
printf abc >abc
PATH=${OPENSSL_PATH:+$OPENSSL_PATH:}$PATH
try=$BUILD_DIR/conf/try.cnf
export OPENSSL_CONF=/dev/null
export KECCAKPROV_TRACE="$tmp/trace"
failed=0

if [ -n "${COUNTING-}" ]; then
    sed "s|^module = .*|module = $COUNTING\nisa = portable|" "$try" >counting.cnf
    try=$tmp/counting.cnf
    export KECCAKPROV_COUNT="$tmp/count"
    OPENSSL_CONF=$try openssl list -providers >/dev/null
    read -r load <count # what the check at load costs
fi

# counted USED: more permutations than at load if anything is used, else no more.
counted() {
    most=$(sort -n count | tail -n 1)
    if [ -n "$1" ]; then
        [ "${most:-0}" -gt "$load" ]
    else
        [ "${most:-0}" -le "$load" ]
    fi
}

# The algorithms that keccakprov did, by its trace.
traced() {
    sed -n 's/.*first use of //p' "$KECCAKPROV_TRACE" | sort -u | paste -s -d ' ' -
}

# check WHAT USED WANT COMMAND: the command succeeds and prints WANT, errors included, while
# keccakprov does the algorithms USED, in alphabetical order. Both are patterns, as in `case`.
check() {
    : >trace
    : >count
    status=0
    got=$(eval "$4" 2>&1) || status=$?
    used=$(traced)
    [ -z "${COUNTING-}" ] || counted "$used" ||
        status="$status, permutations: $(tr '\n' ' ' <count)of which at load: $load"
    # shellcheck disable=SC2254 # patterns they are
    case $status/$used/$got in
    0/$2/$3) echo "ok $1" ;;
    *)
        failed=$((failed + 1))
        printf 'FAIL %s\n  %s\n  exit:   %s\n' "$1" "$4" "$status"
        printf '  output: %s\n  wanted: %s\n' "$got" "$3"
        printf '  used:   %s\n  wanted: %s\n' "$used" "$2"
        ;;
    esac
}

# same WHAT USED COMMAND: try.cnf changes nothing but who does the hashing.
same() {
    want=$(KECCAKPROV_TRACE='' eval "$3")
    check "$1" "$2" "$want" "OPENSSL_CONF=$try; $3"
}
