/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the x86-64 CPU at hand can do, and the operating system lets it. */
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>
#include "cpu.h"

/* The registers that the operating system saves, XCR0's bits: xmm and ymm; then the three of zmm.
 */
#define XCR0_YMM 0x06u
#define XCR0_ZMM 0xe6u

unsigned keccak_cpu_decode(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0)
{
    unsigned features = 0;
    bool ymm = (leaf1_ecx & bit_OSXSAVE) && (leaf1_ecx & bit_AVX) && (xcr0 & XCR0_YMM) == XCR0_YMM;
    bool zmm = ymm && (xcr0 & XCR0_ZMM) == XCR0_ZMM;
    /* andn and rorx work on general registers and need no consent of the operating system. */
    if ((leaf7_ebx & bit_BMI) && (leaf7_ebx & bit_BMI2))
        features |= KECCAK_CPU_BMI2;
    if (ymm && (leaf7_ebx & bit_AVX2))
        features |= KECCAK_CPU_AVX2;
    if (zmm && (leaf7_ebx & bit_AVX512F) && (leaf7_ebx & bit_AVX512VL))
        features |= KECCAK_CPU_AVX512;
    return features;
}

/* The value of a digit in any base up to 16; 16 if it is none. */
static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* A number as C writes it: decimal, 0x hexadecimal or 0 octal; saturates, as strtoull does. */
static uint64_t parse(const char *text)
{
    uint64_t value = 0;
    unsigned base = 10;
    if (text[0] == '0') {
        bool hex = (text[1] | 0x20) == 'x';
        base = hex ? 16 : 8;
        text += hex ? 2 : 1;
    }
    for (; digit(*text) < base; text++)
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit(*text), &value))
            return UINT64_MAX;
    return value;
}

/* One word of OPENSSL_ia32cap as a mask of what may stay. */
static uint64_t mask(const char *field)
{
    if (field[0] == ':' || field[0] == '\0')
        return UINT64_MAX;
    return field[0] == '~' ? ~parse(field + 1) : parse(field);
}

void keccak_cpu_restrict(const char *value, uint32_t *leaf1_ecx, uint32_t *leaf7_ebx)
{
    if (value == NULL)
        return;
    const char *colon = strchr(value, ':');
    *leaf1_ecx &= value[0] == '\0' ? 0 : (uint32_t)(mask(value) >> 32);
    *leaf7_ebx &= colon == NULL ? 0 : (uint32_t)mask(colon + 1);
}

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

unsigned keccak_cpu_features(void)
{
    unsigned eax, ebx = 0, ecx = 0, edx, leaf7_ebx = 0;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return 0;
    uint32_t leaf1_ecx = ecx;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        leaf7_ebx = ebx;
    uint64_t xcr0 = leaf1_ecx & bit_OSXSAVE ? read_xcr0() : 0;
    keccak_cpu_restrict(secure_getenv("OPENSSL_ia32cap"), &leaf1_ecx, &leaf7_ebx);
    return keccak_cpu_decode(leaf1_ecx, leaf7_ebx, xcr0);
}
