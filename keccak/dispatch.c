/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Which kernels exist and which serve: the one table, and the check that they compute Keccak-p. */
#include <string.h>
#include "keccak.h"
#include "kernels.h"

struct kernel_row {
    enum keccak_isa isa;
    struct keccak_ops ops;
};

/* From the plainest to the best. */
static const struct kernel_row rows[] = {
    {KECCAK_ISA_PORTABLE, {keccak_p1600_x1_portable, 0, "portable"}},
#ifdef KECCAK_X86_64
    {KECCAK_ISA_BMI2, {keccak_p1600_x1_bmi2, KECCAK_CPU_BMI2, "bmi2"}},
#endif
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

#ifndef KECCAK_X86_64
unsigned keccak_cpu_features(void)
{
    return 0;
}
#endif

const struct keccak_ops *keccak_select(unsigned features, enum keccak_isa ceiling)
{
    size_t best = 0;
    for (size_t i = 1; i < ROWS; i++)
        if ((rows[i].ops.needs & ~features) == 0 && rows[i].isa <= ceiling)
            best = i;
    return &rows[best].ops;
}

const struct keccak_ops *keccak_nth(unsigned features, size_t n)
{
    for (size_t i = 0; i < ROWS; i++)
        if ((rows[i].ops.needs & ~features) == 0 && n-- == 0)
            return &rows[i].ops;
    return NULL;
}

/* Lane i of the input is (i + 1) times the golden ratio's bits, so that all lanes differ. */
static void distinct_lanes(uint64_t a[KECCAK_LANES])
{
    for (unsigned i = 0; i < KECCAK_LANES; i++)
        a[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

bool keccak_check(const struct keccak_ops *ops)
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
    distinct_lanes(a);
    ops->x1(a, 24);
    ops->x1(a, 12);
    return memcmp(a, answer, sizeof(a)) == 0;
}
