/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The string encodings of SP 800-185 §2.3, fed straight to a sponge: no buffer holds a string. */
#include "keccak.h"

/* The bytes of a number, the highest first; at least one, also for 0 (§2.3.1). */
static uint8_t encode(uint8_t *out, uint64_t value)
{
    uint8_t n = 1;
    while (n < 8 && value >> (8 * n) != 0)
        n++;
    for (unsigned i = 0; i < n; i++)
        out[i] = (uint8_t)(value >> (8 * (n - 1 - i)));
    return n;
}

size_t keccak_left_encode(uint8_t out[KECCAK_ENCODE_MAX], uint64_t value)
{
    out[0] = encode(out + 1, value);
    return 1u + out[0];
}

size_t keccak_right_encode(uint8_t out[KECCAK_ENCODE_MAX], uint64_t value)
{
    uint8_t n = encode(out, value);
    out[n] = n;
    return 1u + n;
}

size_t keccak_length_encode(uint8_t out[KECCAK_ENCODE_MAX], uint64_t value)
{
    out[0] = 0;
    return value == 0 ? 1 : keccak_right_encode(out, value);
}

size_t keccak_left_decode(uint64_t *value, const uint8_t *in, size_t inlen)
{
    if (inlen < 2 || in[0] < 1 || in[0] > 8 || inlen - 1 < in[0])
        return 0;
    if (in[0] > 1 && in[1] == 0)
        return 0; /* left_encode takes the fewest bytes */
    *value = 0;
    for (unsigned i = 1; i <= in[0]; i++)
        *value = *value << 8 | in[i];
    return 1u + in[0];
}

void keccak_absorb_string(struct keccak_sponge *s, const uint8_t *in, size_t inlen)
{
    uint8_t length[KECCAK_ENCODE_MAX];
    keccak_absorb(s, length, keccak_left_encode(length, (uint64_t)inlen * 8));
    keccak_absorb(s, in, inlen);
}

void keccak_bytepad_begin(struct keccak_sponge *s)
{
    uint8_t width[KECCAK_ENCODE_MAX];
    keccak_absorb(s, width, keccak_left_encode(width, s->rate));
}

void keccak_bytepad_end(struct keccak_sponge *s)
{
    static const uint8_t zeros[KECCAK_STATE_BYTES];
    if (s->pos != 0) /* a prefix that ends on a block needs no padding (§2.3.3) */
        keccak_absorb(s, zeros, (size_t)(s->rate - s->pos));
}
