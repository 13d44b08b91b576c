/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Linked into a copy of the module with --wrap: counts the permutations of one state, for tests
 * that say how many an operation may cost and whether the module was asked at all. The copy runs
 * with isa = portable, the one kernel that every machine has. At the end of a process the number
 * goes into the file that KECCAKPROV_COUNT names. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "kernels.h"

__attribute__((visibility("default"))) _Atomic uint64_t keccakprov_permutations;

keccak_kernel __real_keccak_p1600_x1_portable, __wrap_keccak_p1600_x1_portable;

void __wrap_keccak_p1600_x1_portable(uint64_t *a, const uint8_t *in, size_t stride, size_t blocks,
                                     unsigned lanes, unsigned rounds)
{
    keccakprov_permutations += blocks;
    __real_keccak_p1600_x1_portable(a, in, stride, blocks, lanes, rounds);
}

__attribute__((destructor)) static void tell(void)
{
    const char *where = getenv("KECCAKPROV_COUNT");
    int fd = where != NULL ? open(where, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        dprintf(fd, "%llu\n", (unsigned long long)keccakprov_permutations);
        close(fd);
    }
}
