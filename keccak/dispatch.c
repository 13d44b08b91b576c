/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Which kernels exist and which serve: the one table, and the check that they compute Keccak-p. */
#include <string.h>
#include "keccak.h"
#include "kernels.h"

struct set {
    enum keccak_isa isa; /* the least setting that allows it */
    struct keccak_ops ops;
};

#define BMI2 KECCAK_CPU_BMI2
#define AVX2 (BMI2 | KECCAK_CPU_AVX2)
#define AVX512 (AVX2 | KECCAK_CPU_AVX512)

/* The policy, from the plainest set to the best; the last that features and setting allow serves.
 *
 * One state never runs on AVX2: the round has no use for four lanes of one state, and every report
 * has it behind scalar code (wolfSSL#5536, mlkem-native#627, keccak-asm#18: by 33 to 38 %).
 * One state on AVX-512 is left to those who ask for it by name: it was 2 to 4 % behind bmi2 on
 * Sapphire Rapids (x1_avx512.c), is estimated level with it on Zen 4 and behind it on Ice Lake, and
 * is reported 15 to 18 % behind scalar code on Zen 5 (keccak-asm#18). The reports that prefer it
 * compare it with code that lacks andn and rorx. So no processor asks for a rule of its own, and
 * vendor and model are not among the arguments.
 * Four and eight states take the widest registers there are: AVX-512 takes half the time of AVX2 on
 * four, and a quarter less again on eight (the kernels' heads). */
static const struct set sets[] = {
    {KECCAK_ISA_PORTABLE, {keccak_p1600_x1_portable, NULL, NULL, 0, 0, "portable"}},
#ifdef KECCAK_X86_64
    {KECCAK_ISA_BMI2, {keccak_p1600_x1_bmi2, NULL, NULL, BMI2, KECCAK_CPU_BMI2, "bmi2"}},
    {KECCAK_ISA_AVX2,
     {keccak_p1600_x1_bmi2, keccak_p1600_x4_avx2, NULL, AVX2, KECCAK_CPU_AVX2, "bmi2,x4_avx2"}},
    {KECCAK_ISA_AUTO,
     {keccak_p1600_x1_bmi2, keccak_p1600_x4_avx512, keccak_p1600_x8_avx512, AVX512,
      KECCAK_CPU_AVX512, "bmi2,x4_avx512,x8_avx512"}},
    {KECCAK_ISA_AVX512,
     {keccak_p1600_x1_avx512, keccak_p1600_x4_avx512, keccak_p1600_x8_avx512, AVX512,
      KECCAK_CPU_AVX512, "avx512,x4_avx512,x8_avx512"}},
#endif
};

#define SETS (sizeof(sets) / sizeof(sets[0]))

#ifndef KECCAK_X86_64
unsigned keccak_cpu_features(void)
{
    return 0;
}
#endif

const struct keccak_ops *keccak_select(unsigned features, enum keccak_isa isa)
{
    size_t best = 0;
    for (size_t i = 1; i < SETS; i++)
        if ((sets[i].ops.needs & ~features) == 0 && sets[i].isa <= isa)
            best = i;
    return &sets[best].ops;
}

const struct keccak_ops *keccak_nth(unsigned features, size_t n)
{
    for (size_t i = 0; i < SETS; i++)
        if ((sets[i].ops.needs & ~features) == 0 && n-- == 0)
            return &sets[i].ops;
    return NULL;
}

#define WIDEST 8
#define LANES_MAX 21 /* of a block */
#define BLOCKS 2

/* Lane i is (i + 1) times the golden ratio's bits, so that all lanes of all states differ. */
static uint64_t distinct_lane(unsigned i)
{
    return (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Whether a kernel of that many ways agrees with the portable one on each of its states: two blocks
 * of so many lanes, by so many rounds. */
static bool agrees_on(keccak_kernel *kernel, unsigned ways, unsigned lanes, unsigned rounds)
{
    uint64_t a[KECCAK_LANES * WIDEST], one[KECCAK_LANES], in[WIDEST * BLOCKS * LANES_MAX];
    const size_t stride = BLOCKS * LANES_MAX;
    for (unsigned i = 0; i < KECCAK_LANES * ways; i++)
        a[i] = distinct_lane(i);
    for (unsigned i = 0; i < ways * stride; i++)
        in[i] = distinct_lane(i);
    kernel(a, (const uint8_t *)in, 8 * stride, BLOCKS, lanes, rounds);
    for (unsigned w = 0; w < ways; w++) {
        for (unsigned i = 0; i < KECCAK_LANES; i++)
            one[i] = distinct_lane(i * ways + w);
        keccak_p1600_x1_portable(one, (const uint8_t *)(in + w * stride), 0, BLOCKS, lanes, rounds);
        for (unsigned i = 0; i < KECCAK_LANES; i++)
            if (a[i * ways + w] != one[i])
                return false;
    }
    return true;
}

static bool agrees(keccak_kernel *kernel, unsigned ways)
{
    static const uint8_t lanes[] = {0, 9, 13, 17, 18, LANES_MAX};
    for (size_t i = 0; i < sizeof(lanes); i++)
        if (!agrees_on(kernel, ways, lanes[i], 12) || !agrees_on(kernel, ways, lanes[i], 24))
            return false;
    return true;
}

/* Whether the permutation of the distinct lanes by 24 and then 12 rounds is the stored one. */
static bool knows_answer(keccak_kernel *kernel)
{
    static const uint64_t answer[KECCAK_LANES] = {
        0xcbae42a7b73c6d6e, 0x0db3b3c008e8f199, 0x4b725cfe2d206a55, 0x95fe603b6fde2f15,
        0xc2e90118ef2a17a0, 0x8771186263618301, 0xceae81f454f07951, 0x09684af5d3b5387b,
        0x89c2c1d78eb6658c, 0x4f99a4f0099f4a91, 0xf4b21fe9c00315f2, 0x2147828d2f1ee703,
        0xbcba5f42e3e666fd, 0xc1ed64f836e3ccb2, 0x6ebfd43ff4cb0f1a, 0xf764645ef4674c98,
        0x94dce8c3a738ac16, 0xf8f0a37c21a22764, 0x96c5250bc0830065, 0x35ab4f138fe08fa9,
        0x88ed975858ba052d, 0x1cdf98c0416ccb6b, 0x5cd0a66368a13f1f, 0xec11abfcbf9806b4,
        0x060cb3e5894cd921};
    uint64_t a[KECCAK_LANES];
    for (unsigned i = 0; i < KECCAK_LANES; i++)
        a[i] = distinct_lane(i);
    keccak_permute(kernel, a, 24);
    keccak_permute(kernel, a, 12);
    return memcmp(a, answer, sizeof(a)) == 0;
}

bool keccak_check(const struct keccak_ops *ops)
{
    return knows_answer(ops->x1) && agrees(ops->x1, 1) && (ops->x4 == NULL || agrees(ops->x4, 4)) &&
           (ops->x8 == NULL || agrees(ops->x8, 8));
}
