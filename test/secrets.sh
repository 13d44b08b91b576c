#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# No branch and no address depends on messages, states or output: memcheck looks on, on each kernel
# that valgrind can run; it knows no AVX-512, for which test/symbols.sh counts the jumps instead.
# Wants BUILD_DIR in the environment.
set -eu

# watch ARGUMENT...: how many errors memcheck sees, and the program's own output.
watch() {
    valgrind -q --error-exitcode=99 "$BUILD_DIR/test/secrets" "$@"
}

for isa in portable bmi2 avx2; do
    watch "$isa"
done

code=0
watch portable leak >/dev/null 2>&1 || code=$?
[ "$code" -eq 99 ] || {
    echo "a branch on a secret went unseen: exit code $code"
    exit 1
}
