#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# What is in the module: one entry point, the C library alone, no constructors, hardened, and no
# instruction that a CPU was not asked for. Wants MODULE_DIR and BUILD_DIR in the environment, and
# CODE: none, if the code is not optimised; module, if only the linker made it; else objects.
set -eu
export LC_ALL=C

module=$MODULE_DIR/keccakprov.so
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# check WHAT WANT GOT
check() {
    if [ "$2" = "$3" ]; then
        echo "ok $1"
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"
    fi
}

# count PATTERN: how many lines of the input have it?
count() {
    grep -cE "$1" || :
}

# more_than N PATTERN FILE
more_than() {
    [ "$(count "$2" <"$3")" -le "$1" ] || echo more
}

bmi='(andn|bextr|bls(i|r|msk)|bzhi|mulx|p(dep|ext)|rorx|s(arx|hlx|hrx))'
vector='(v[a-z0-9]+|k(add|and|mov|not|or|shift|test|unpck|xnor|xor)[a-z]*)'

check 'one symbol is exported' OSSL_provider_init \
    "$(nm -D --defined-only "$module" | awk '{ print $3 }')"
check 'all imports are of the C library' '' \
    "$(nm -D --undefined-only "$module" | grep -v '@GLIBC_' || :)"
check 'the environment is hidden from set-user-ID programs' secure_getenv \
    "$(nm -D --undefined-only "$module" | grep -oE '\w*env\w*')"
check 'none is newer than 2.17' GLIBC_2.17 \
    "$( (echo @GLIBC_2.17 && nm -D --undefined-only "$module") | sed -n 's/.*@//p' | sort -V | tail -1)"
check 'no other library is needed' '[libc.so.6]' \
    "$(readelf -dW "$module" | sed -n 's/.*(NEEDED).*\[/[/p')"

check 'no constructors, no text relocations' 0 \
    "$(readelf -dW "$module" | count '\((INIT|FINI|PREINIT|TEXTREL)|\(FLAGS\).*TEXTREL')"
check 'no thread-local storage' 0 "$(readelf -lW "$module" | count '^ *TLS ')"
check 'no writable data' 0 "$(readelf -SW "$module" | count ' \.(data|bss) ')"
check 'bound at load' 1 "$(readelf -dW "$module" | count '\(FLAGS_1\).* NOW')"
check 'read-only after relocation' 1 "$(readelf -lW "$module" | count '^ *GNU_RELRO ')"
check 'the stack is not executable' 1 "$(readelf -lW "$module" | count '^ *GNU_STACK .* RW  ')"

x86_64=$(readelf -hW "$module" | grep -c 'X86-64' || :)
[ "$x86_64" -eq 0 ] ||
    check 'CET: IBT and SHSTK' 1 "$(readelf -nW "$module" | count 'x86 feature: IBT, SHSTK')"

if [ "$x86_64" -ne 0 ] && [ "$CODE" != none ]; then
    # Functions and the mnemonics in them.
    objdump -d --no-show-raw-insn "$module" | awk -F '\t' '
        /^[0-9a-f]+ </ { function_name = $0; gsub(/.*<|>.*/, "", function_name) }
        NF > 1 { split($2, word, " "); print function_name, word[1] }' >"$tmp/code"
    check 'there is code to look at' more "$(more_than 2000 '' "$tmp/code")"
    check 'no VEX or EVEX instruction but in kernels' '' \
        "$(grep -vE '^keccak_(p1600|blocks)' "$tmp/code" | grep -E " ($bmi|$vector)\$" | sort -u)"
fi

if [ "$x86_64" -ne 0 ] && [ "$CODE" = objects ]; then
    # The mnemonics of object files, one a line.
    instructions() {
        objdump -d --no-show-raw-insn "$@" |
            awk -F '\t' 'NF > 1 { split($2, word, " "); print word[1] }'
    }
    bmi2=$BUILD_DIR/keccak/libx1_bmi2.a

    instructions "$bmi2" >"$tmp/bmi2"
    check 'the BMI2 kernel rotates with rorx' more "$(more_than 24 '^rorx$' "$tmp/bmi2")"
    check 'the BMI2 kernel has no vector instruction' '' "$(grep -xE "$vector" "$tmp/bmi2" | sort -u)"
    # What AVX2 lacks: AVX-512's instructions, registers and masks.
    check 'the AVX2 kernel has no EVEX instruction' 0 \
        "$(objdump -d "$BUILD_DIR/keccak/libx4_avx2.a" | count 'vpternlog|vprol|zmm|mm(1[6-9]|2[0-9]|3[01])|%k')"
    check 'the x4 AVX-512 kernel has no zmm register' 0 \
        "$(objdump -d "$BUILD_DIR/keccak/libx4_avx512.a" | count zmm)"
    check 'no mask instruction beyond AVX-512F' 0 \
        "$(objdump -d "$BUILD_DIR"/keccak/libx[148]_avx512.a | count '\sk[a-z]+[bdq] ')"
    for object in libx1_bmi2.a libx1_avx512.a libx4_avx2.a libx4_avx512.a libx8_avx512.a \
        libkeccak.a.p/permute.c.o; do
        check "$object: no branch but of the five rates and the two loops" 7 \
            "$(instructions "$BUILD_DIR/keccak/$object" | grep -v '^jmp' | count '^j')"
    done
    for kernel in x4_avx2 x4_avx512 x8_avx512; do
        check "$kernel leaves the upper halves clean" 1 \
            "$(instructions "$BUILD_DIR/keccak/lib$kernel.a" | count '^vzeroupper')"
    done
fi

[ "$failed" -eq 0 ]
