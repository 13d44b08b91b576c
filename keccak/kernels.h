/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The kernels by name: keccak_p1600_x<states>_<instruction set>. Each is a keccak_permutation
 * (keccak.h); a kernel's own file says what it needs and what it measured. */
#ifndef KECCAK_KERNELS_H
#define KECCAK_KERNELS_H

#include <stdint.h>

void keccak_p1600_x1_portable(uint64_t *a, unsigned rounds);
void keccak_p1600_x1_bmi2(uint64_t *a, unsigned rounds);
void keccak_p1600_x1_avx512(uint64_t *a, unsigned rounds);
void keccak_p1600_x4_avx2(uint64_t *a, unsigned rounds);
void keccak_p1600_x4_avx512(uint64_t *a, unsigned rounds);
void keccak_p1600_x8_avx512(uint64_t *a, unsigned rounds);

#endif
