/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Keccak-p[1600, rounds] (FIPS 202 §3.2, §3.3) and the absorbing of whole blocks (§4), written
 * once. A kernel file defines the lane type V and whichever of the primitives below its instruction
 * set does better, includes this file, and wraps keccak_blocks() in a function of its own name.
 *
 * A lane a<x><y> is A[x, y], in memory a[x + 5 * y]. A pass of the inner loop is two rounds, from
 * the lanes a to the lanes e and back, so that no lane is ever moved. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "lane.h"

#ifndef XOR
#define XOR(a, b) ((a) ^ (b))
#endif
#ifndef XOR5
#define XOR5(a, b, c, d, e) ((a) ^ (b) ^ (c) ^ (d) ^ (e))
#endif
#ifndef ROL
#define ROL(a, n) ((a) << (n) | (a) >> (64 - (n)))
#endif
#ifndef CHI
#define CHI(a, b, c) ((a) ^ (~(b) & (c)))
#endif
#ifndef LANE
#define LANE(rc) (rc)
#endif

#ifndef LOAD
#define LOAD(v, from) memcpy(&(v), (from), sizeof(V))
#define STORE(to, v) memcpy((to), &(v), sizeof(V))
#define WAYS (sizeof(V) / sizeof(uint64_t)) /* states side by side: lane i is at a + i * WAYS */
#endif

#ifndef ABSORB /* XORs into v the lanes at in, one for each state, stride bytes apart */
#define ABSORB(v, in, stride) ((v) ^= load_lane(in))
#endif
#ifndef ABSORB_FOUR /* the same with four lanes of each state, one behind the other */
#define ABSORB_FOUR(v0, v1, v2, v3, in, stride)                                           \
    (ABSORB(v0, in, stride), ABSORB(v1, (in) + 8, stride), ABSORB(v2, (in) + 16, stride), \
     ABSORB(v3, (in) + 24, stride))
#endif

/* Every lane with its place in memory. */
/* clang-format off */
#define EACH_LANE(DO)                                         \
    DO(00, 0) DO(10, 1) DO(20, 2) DO(30, 3) DO(40, 4)         \
    DO(01, 5) DO(11, 6) DO(21, 7) DO(31, 8) DO(41, 9)         \
    DO(02, 10) DO(12, 11) DO(22, 12) DO(32, 13) DO(42, 14)    \
    DO(03, 15) DO(13, 16) DO(23, 17) DO(33, 18) DO(43, 19)    \
    DO(04, 20) DO(14, 21) DO(24, 22) DO(34, 23) DO(44, 24)
/* clang-format on */

#define DECLARE_LANE(xy, i) V a##xy, e##xy;
#define LOAD_LANE(xy, i) LOAD(a##xy, a + (i)*WAYS);
#define STORE_LANE(xy, i) STORE(a + (i)*WAYS, a##xy);
#define XOR_LANE(xy, i) ABSORB(a##xy, in + 8 * (i), stride)
#define XOR_FOUR(p, q, r, s, i) ABSORB_FOUR(a##p, a##q, a##r, a##s, in + 8 * (i), stride)

/* Theta and rho of one lane: its column's parity sum d<x>, then the rotation (§3.2.1, §3.2.2). */
#define THETA_RHO(A, x, y, n) ROL(XOR(A##x##y, d##x), n)

/* Chi over the five lanes b0 ... b4 that pi brought into row y (§3.2.4). */
#define CHI_ROW(E, y)          \
    E##0##y = CHI(b0, b1, b2); \
    E##1##y = CHI(b1, b2, b3); \
    E##2##y = CHI(b2, b3, b4); \
    E##3##y = CHI(b3, b4, b0); \
    E##4##y = CHI(b4, b0, b1)

/* One round from the lanes A to the lanes E. Pi is in the names: row y of E takes A[x + 3y, x]. */
#define ROUND(A, E, rc)                           \
    c0 = XOR5(A##00, A##01, A##02, A##03, A##04); \
    c1 = XOR5(A##10, A##11, A##12, A##13, A##14); \
    c2 = XOR5(A##20, A##21, A##22, A##23, A##24); \
    c3 = XOR5(A##30, A##31, A##32, A##33, A##34); \
    c4 = XOR5(A##40, A##41, A##42, A##43, A##44); \
    d0 = XOR(c4, ROL(c1, 1));                     \
    d1 = XOR(c0, ROL(c2, 1));                     \
    d2 = XOR(c1, ROL(c3, 1));                     \
    d3 = XOR(c2, ROL(c4, 1));                     \
    d4 = XOR(c3, ROL(c0, 1));                     \
    b0 = XOR(A##00, d0);                          \
    b1 = THETA_RHO(A, 1, 1, 44);                  \
    b2 = THETA_RHO(A, 2, 2, 43);                  \
    b3 = THETA_RHO(A, 3, 3, 21);                  \
    b4 = THETA_RHO(A, 4, 4, 14);                  \
    CHI_ROW(E, 0);                                \
    E##00 = XOR(E##00, LANE(rc));                 \
    b0 = THETA_RHO(A, 3, 0, 28);                  \
    b1 = THETA_RHO(A, 4, 1, 20);                  \
    b2 = THETA_RHO(A, 0, 2, 3);                   \
    b3 = THETA_RHO(A, 1, 3, 45);                  \
    b4 = THETA_RHO(A, 2, 4, 61);                  \
    CHI_ROW(E, 1);                                \
    b0 = THETA_RHO(A, 1, 0, 1);                   \
    b1 = THETA_RHO(A, 2, 1, 6);                   \
    b2 = THETA_RHO(A, 3, 2, 25);                  \
    b3 = THETA_RHO(A, 4, 3, 8);                   \
    b4 = THETA_RHO(A, 0, 4, 18);                  \
    CHI_ROW(E, 2);                                \
    b0 = THETA_RHO(A, 4, 0, 27);                  \
    b1 = THETA_RHO(A, 0, 1, 36);                  \
    b2 = THETA_RHO(A, 1, 2, 10);                  \
    b3 = THETA_RHO(A, 2, 3, 15);                  \
    b4 = THETA_RHO(A, 3, 4, 56);                  \
    CHI_ROW(E, 3);                                \
    b0 = THETA_RHO(A, 2, 0, 62);                  \
    b1 = THETA_RHO(A, 3, 1, 55);                  \
    b2 = THETA_RHO(A, 4, 2, 39);                  \
    b3 = THETA_RHO(A, 0, 3, 41);                  \
    b4 = THETA_RHO(A, 1, 4, 2);                   \
    CHI_ROW(E, 4)

/* The constants of iota (§3.2.5, Algorithm 5). Fewer than 24 rounds are the last ones (§3.4). */
static const uint64_t keccak_round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/* What a keccak_kernel does (keccak.h). From block to block the lanes stay where they are, in
 * registers or on the stack: 6 % faster than through the state in memory (Sapphire Rapids). */
static inline void keccak_blocks(uint64_t *a, const uint8_t *in, size_t stride, size_t blocks,
                                 unsigned lanes, unsigned rounds)
{
    EACH_LANE(DECLARE_LANE)
    V b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, d0, d1, d2, d3, d4;
    const uint64_t *const end = keccak_round_constants + 24;
    (void)stride;
    EACH_LANE(LOAD_LANE)
    do {
        if (lanes >= 9) { /* the rates are 9, 13, 17, 18 and 21 lanes (FIPS 202 §6, SP 800-185) */
            XOR_FOUR(00, 10, 20, 30, 0);
            XOR_FOUR(40, 01, 11, 21, 4);
            XOR_LANE(31, 8);
        }
        if (lanes >= 13)
            XOR_FOUR(41, 02, 12, 22, 9);
        if (lanes >= 17)
            XOR_FOUR(32, 42, 03, 13, 13);
        if (lanes == 18)
            XOR_LANE(23, 17);
        if (lanes >= 21)
            XOR_FOUR(23, 33, 43, 04, 17);
        in += 8 * (size_t)lanes;
        const uint64_t *rc = end - rounds;
        do {
            ROUND(a, e, rc[0]);
            ROUND(e, a, rc[1]);
            rc += 2;
        } while (rc != end);
    } while (--blocks > 0);
    EACH_LANE(STORE_LANE)
}
