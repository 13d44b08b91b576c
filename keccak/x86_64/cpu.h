/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The x86-64 feature test as pure functions, for cpu.c and its test. */
#ifndef KECCAK_CPU_H
#define KECCAK_CPU_H

#include "../keccak.h"

/* Takes features away as OPENSSL_ia32cap asks, in libcrypto's own grammar: [~]w0[:[~]w1[:...]],
 * where w0 is leaf 1's EDX | ECX << 32 and w1 is leaf 7's EBX | ECX << 32; ~ clears these bits,
 * otherwise only these stay; an empty field leaves its word, a missing w1 clears it. Never adds a
 * feature. value may be NULL: nothing is asked. */
void keccak_cpu_restrict(const char *value, uint32_t *leaf1_ecx, uint32_t *leaf7_ebx);

/* KECCAK_CPU_* bits from CPUID leaf 1 ECX, leaf 7 EBX (0 where there is no leaf 7) and XCR0. */
unsigned keccak_cpu_decode(uint32_t leaf1_ecx, uint32_t leaf7_ebx, uint64_t xcr0);

#endif
