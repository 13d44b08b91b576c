/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Keccak-p[1600] as FIPS 202 §3.2 describes it, step by step, with nothing precomputed. */
#include "fips202.h"

static uint64_t rol(uint64_t lane, unsigned n)
{
    return n % 64 == 0 ? lane : lane << n % 64 | lane >> (64 - n % 64);
}

static void theta(uint64_t a[25])
{
    uint64_t c[5];
    for (unsigned x = 0; x < 5; x++)
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (unsigned i = 0; i < 25; i++)
        a[i] ^= c[(i + 4) % 5] ^ rol(c[(i + 1) % 5], 1);
}

/* Algorithm 2: the offsets are the triangular numbers along the walk (x, y) -> (y, 2x + 3y). */
static void rho(uint64_t a[25])
{
    unsigned x = 1, y = 0;
    for (unsigned t = 0; t < 24; t++) {
        unsigned next = (2 * x + 3 * y) % 5;
        a[x + 5 * y] = rol(a[x + 5 * y], (t + 1) * (t + 2) / 2);
        x = y;
        y = next;
    }
}

static void pi_chi(uint64_t a[25])
{
    uint64_t b[25];
    for (unsigned x = 0; x < 5; x++)
        for (unsigned y = 0; y < 5; y++)
            b[x + 5 * y] = a[(x + 3 * y) % 5 + 5 * x];
    for (unsigned x = 0; x < 5; x++)
        for (unsigned y = 0; y < 5; y++)
            a[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
}

void fips202_round(uint64_t a[25], uint64_t constant)
{
    theta(a);
    rho(a);
    pi_chi(a);
    a[0] ^= constant;
}

/* Algorithm 5: bit t of the shift register x^8 + x^6 + x^5 + x^4 + 1. */
static unsigned rc_bit(unsigned t)
{
    unsigned r = 1;
    for (t %= 255; t > 0; t--)
        r = r << 1 ^ (r & 0x80 ? 0x171 : 0);
    return r & 1;
}

uint64_t fips202_constant(unsigned round)
{
    uint64_t constant = 0;
    for (unsigned j = 0; j <= 6; j++)
        constant ^= (uint64_t)rc_bit(j + 7 * round) << ((1u << j) - 1);
    return constant;
}
