/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the x86-64 CPU at hand can do, and the operating system lets it. */
#include <cpuid.h>
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
    return keccak_cpu_decode(leaf1_ecx, leaf7_ebx, leaf1_ecx & bit_OSXSAVE ? read_xcr0() : 0);
}
