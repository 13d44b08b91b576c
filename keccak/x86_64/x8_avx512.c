/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Eight states side by side in zmm registers with AVX-512F: as x4_avx512.c, twice as wide.
 * State: a[25][8], lane by lane. Rounds: any even number, 2 to 24. Leaves lanes on the stack, and
 * the upper halves clean.
 * Measured on Sapphire Rapids (December 2026, gcc 12; x4_avx512 in brackets): 44 ns a permutation
 * of each state (57), 44 a block absorbed (58). Estimated by llvm-mca 19, cycles a round on Ice
 * Lake, Sapphire Rapids, Zen 4: 46, 48, 48. */
#include <immintrin.h>
#define V __m512i
#define XOR(a, b) _mm512_xor_si512((a), (b))
#define XOR3(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR3((a), (b), (c)), (d), (e))
#define ROL(a, n) _mm512_rol_epi64((a), (n))
#define CHI(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0xd2)
#define LANE(rc) _mm512_set1_epi64((long long)(rc))
#define ABSORB_ONE(v, in, stride, n) \
    ((v) = _mm512_mask_xor_epi64((v), 1 << (n), (v), LANE(load_input((in) + (n) * (stride)))))
#define ABSORB(v, in, stride)                                                                  \
    (ABSORB_ONE(v, in, stride, 0), ABSORB_ONE(v, in, stride, 1), ABSORB_ONE(v, in, stride, 2), \
     ABSORB_ONE(v, in, stride, 3), ABSORB_ONE(v, in, stride, 4), ABSORB_ONE(v, in, stride, 5), \
     ABSORB_ONE(v, in, stride, 6), ABSORB_ONE(v, in, stride, 7))
#include "../round.h"
#include "../kernels.h"

void keccak_p1600_x8_avx512(uint64_t *a, const uint8_t *in, size_t stride, size_t blocks,
                            unsigned lanes, unsigned rounds)
{
    keccak_blocks(a, in, stride, blocks, lanes, rounds);
}
