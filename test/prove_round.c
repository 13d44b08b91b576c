/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * One round by itself, for test/prove: the macro of round.h with one kernel's lane type, primitives
 * and flags. KERNEL is that kernel's file, NAME the function's name. */
#include KERNEL

void NAME(const uint64_t *a, uint64_t *e, const uint64_t *rc);

#define LOAD_A(xy, i) LOAD(a##xy, a + (i)*WAYS);
#define STORE_E(xy, i) STORE(e + (i)*WAYS, e##xy);

void NAME(const uint64_t *a, uint64_t *e, const uint64_t *rc)
{
    EACH_LANE(DECLARE_LANE)
    V b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, d0, d1, d2, d3, d4;
    EACH_LANE(LOAD_A)
    ROUND(a, e, *rc);
    EACH_LANE(STORE_E)
}
