/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Eight states side by side in zmm registers with AVX-512F: as x4_avx512.c, twice as wide.
 * State: a[25][8], lane by lane. Rounds: any even number, 2 to 24. Leaves lanes on the stack, and
 * the upper halves clean.
 * Measured on Sapphire Rapids (December 2026, gcc 12; x4_avx512 in brackets): 42 ns a permutation
 * of each state (57), 42 a block absorbed (58). Estimated by llvm-mca 19, cycles a round on Ice
 * Lake, Sapphire Rapids, Zen 4: 46, 48, 48. */
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#define V __m512i
#define XOR(a, b) _mm512_xor_si512((a), (b))
#define XOR3(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR3((a), (b), (c)), (d), (e))
#define ROL(a, n) _mm512_rol_epi64((a), (n))
#define CHI(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0xd2)
#define LANE(rc) _mm512_set1_epi64((long long)(rc))

/* Thirty-two bytes from each of two places. */
static inline __m512i load_two(const uint8_t *low, const uint8_t *high)
{
    __m512i v = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)low));
    return _mm512_inserti64x4(v, _mm256_loadu_si256((const __m256i *)high), 1);
}

/* v[i] is lane i of each input: the first four inputs are transposed in the lower halves of the
 * registers, the others in the upper. Against lane by lane 8 % off a block of 12 rounds. */
static inline void load_four(__m512i v[4], const uint8_t *in, size_t stride)
{
    const __m512i first = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
    const __m512i second = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    __m512i a = load_two(in, in + 4 * stride);
    __m512i b = load_two(in + stride, in + 5 * stride);
    __m512i c = load_two(in + 2 * stride, in + 6 * stride);
    __m512i d = load_two(in + 3 * stride, in + 7 * stride);
    __m512i ab = _mm512_unpacklo_epi64(a, b), cd = _mm512_unpacklo_epi64(c, d);
    v[0] = _mm512_permutex2var_epi64(ab, first, cd);
    v[2] = _mm512_permutex2var_epi64(ab, second, cd);
    ab = _mm512_unpackhi_epi64(a, b);
    cd = _mm512_unpackhi_epi64(c, d);
    v[1] = _mm512_permutex2var_epi64(ab, first, cd);
    v[3] = _mm512_permutex2var_epi64(ab, second, cd);
}

#define ABSORB_FOUR(v0, v1, v2, v3, in, stride) \
    do {                                        \
        __m512i v[4];                           \
        load_four(v, (in), (stride));           \
        (v0) = XOR((v0), v[0]);                 \
        (v1) = XOR((v1), v[1]);                 \
        (v2) = XOR((v2), v[2]);                 \
        (v3) = XOR((v3), v[3]);                 \
    } while (0)
#define ABSORB_ONE(v, in, stride, n) \
    ((v) = _mm512_mask_xor_epi64((v), 1 << (n), (v), LANE(load_lane((in) + (n) * (stride)))))
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
