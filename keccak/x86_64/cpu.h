/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The x86-64 feature test as a pure function, for cpu.c and its test. */
#ifndef KECCAK_CPU_H
#define KECCAK_CPU_H

#include "../keccak.h"

/* KECCAK_CPU_* bits from CPUID leaf 1 ECX, leaf 7 EBX (0 where there is no leaf 7) and XCR0. */
unsigned keccak_cpu_decode(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0);

#endif
