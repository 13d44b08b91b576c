/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The reference that kernels are compared with. Lane A[x, y] is a[x + 5 * y]. */
#ifndef KECCAKPROV_FIPS202_H
#define KECCAKPROV_FIPS202_H

#include <stdint.h>

/* One round with this constant in place of iota's (§3.3). */
void fips202_round(uint64_t a[25], uint64_t constant);

/* RC of a round, 0 to 23 (Algorithm 5). */
uint64_t fips202_constant(unsigned round);

#endif
