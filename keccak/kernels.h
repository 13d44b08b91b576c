/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The kernels by name: keccak_p1600_x<states>_<instruction set>. A
 * kernel's own file says what it needs and what it measured. */
#ifndef KECCAK_KERNELS_H
#define KECCAK_KERNELS_H

#include "keccak.h"

keccak_kernel keccak_p1600_x1_portable;
keccak_kernel keccak_p1600_x1_bmi2;
keccak_kernel keccak_p1600_x1_avx512;
keccak_kernel keccak_p1600_x4_avx2;
keccak_kernel keccak_p1600_x4_avx512;
keccak_kernel keccak_p1600_x8_avx512;

#endif
