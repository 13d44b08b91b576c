/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Input for four states side by side in ymm registers, transposed four lanes at a time: 3 % off a
 * block of 12 rounds against lane by lane (Sapphire Rapids, both kernels). */
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>

/* Sixteen bytes from each of two places. */
static inline __m256i load_two(const uint8_t *low, const uint8_t *high)
{
    __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)high), 1);
}

/* v[i] is lane i of each input. */
static inline void load_four(__m256i v[4], const uint8_t *in, size_t stride)
{
    for (unsigned i = 0; i < 4; i += 2, in += 16) {
        __m256i even = load_two(in, in + 2 * stride);
        __m256i odd = load_two(in + stride, in + 3 * stride);
        v[i] = _mm256_unpacklo_epi64(even, odd);
        v[i + 1] = _mm256_unpackhi_epi64(even, odd);
    }
}

#define ABSORB_FOUR(v0, v1, v2, v3, in, stride) \
    do {                                        \
        __m256i v[4];                           \
        load_four(v, (in), (stride));           \
        (v0) = XOR((v0), (V)v[0]);              \
        (v1) = XOR((v1), (V)v[1]);              \
        (v2) = XOR((v2), (V)v[2]);              \
        (v3) = XOR((v3), (V)v[3]);              \
    } while (0)

#define INPUT(in, stride, n) (long long)load_lane((in) + (n) * (stride))
#define ABSORB(v, in, stride)                                                        \
    ((v) = XOR((v), (V)_mm256_set_epi64x(INPUT(in, stride, 3), INPUT(in, stride, 2), \
                                         INPUT(in, stride, 1), INPUT(in, stride, 0))))
