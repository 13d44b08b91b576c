/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * One state with andn and rorx: the round as it is, compiled with -mbmi -mbmi2.
 * State: a[25]. Rounds: any even number, 2 to 24. Leaves lanes on the stack; sponge.c wipes them.
 */
#define V uint64_t
#include "../round.h"
#include "../kernels.h"

void keccak_p1600_x1_bmi2(uint64_t *a, const uint8_t *in, size_t stride, size_t blocks,
                          unsigned lanes, unsigned rounds)
{
    keccak_blocks(a, in, stride, blocks, lanes, rounds);
}
