/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Four states side by side in ymm registers: the round on vectors of four lanes, with -mavx2.
 * State: a[25][4], lane by lane. Rounds: any even number, 2 to 24. Leaves lanes on the stack, and
 * the upper halves clean.
 * Measured on Sapphire Rapids (December 2026, gcc 12; x1_bmi2 in brackets): 110 ns a permutation of
 * each state (222), 111 a block absorbed (216). With three vector ports, 61 cycles a round, or 102
 * ns, is the bound there; Zen has four. Estimated by llvm-mca 19, cycles a round on Ice Lake,
 * Sapphire Rapids, Zen 3: 70, 67, 55. */
#include <stdint.h>
typedef uint64_t four_lanes __attribute__((vector_size(32)));
#define V four_lanes
#define LANE(rc) ((V){(rc), (rc), (rc), (rc)})
#include "absorb_x4.h"
#include "../round.h"
#include "../kernels.h"

void keccak_p1600_x4_avx2(uint64_t *a, const uint8_t *in, size_t stride, size_t blocks,
                          unsigned lanes, unsigned rounds)
{
    keccak_blocks(a, in, stride, blocks, lanes, rounds);
}
