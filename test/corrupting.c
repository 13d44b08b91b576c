/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Linked into a copy of the module with --wrap: every output of a digest, XOF or MAC has a wrong
 * first byte, for tests that ask whether a program is served by the module at all. Each is wrong in
 * another way than the last, or what is hashed twice would compare equal. The permutation is left
 * alone, for the module checks that at load. */
#include <stdatomic.h>
#include "keccak.h"

void __real_keccak_squeeze(struct keccak_sponge *s, uint8_t *out, size_t outlen);
void __wrap_keccak_squeeze(struct keccak_sponge *s, uint8_t *out, size_t outlen);

void __wrap_keccak_squeeze(struct keccak_sponge *s, uint8_t *out, size_t outlen)
{
    static _Atomic uint8_t wrong = 1; /* and odd for ever */
    __real_keccak_squeeze(s, out, outlen);
    if (outlen > 0)
        out[0] ^= atomic_fetch_add(&wrong, 2);
}
