/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The sponge (FIPS 202 §4) on 25 lanes and a cursor. There is no block buffer: input is XORed
 * straight into the lanes and output copied straight out. Absorbing permutes as soon as a block is
 * full, squeezing only when another byte is wanted. */
#include "keccak.h"
#include "lane.h"

/* The largest frame of a one-state kernel is 200 bytes by gcc 12 and clang 14 (-fstack-usage); then
 * that of its caller in this file, which a compiler may give up before it calls wipe_stack
 * (test/test_stack.c looks for what is left). */
#define STACK_BYTES 512
#include "wipe.h"

static inline void xor_byte(struct keccak_sponge *s, size_t pos, uint8_t byte)
{
    s->a[pos / 8] ^= (uint64_t)byte << (8 * (pos % 8));
}

/* XORs inlen bytes at the cursor; they fit in the block. */
static inline void xor_in(struct keccak_sponge *s, const uint8_t *in, size_t inlen)
{
    size_t pos = s->pos;
    s->pos = (uint8_t)(pos + inlen);
    for (; inlen > 0 && pos % 8 != 0; inlen--)
        xor_byte(s, pos++, *in++);
    for (; inlen >= 8; inlen -= 8, pos += 8, in += 8)
        s->a[pos / 8] ^= load_lane(in);
    for (; inlen > 0; inlen--)
        xor_byte(s, pos++, *in++);
}

/* Copies outlen bytes out at the cursor; they are left in the block. */
static inline void copy_out(struct keccak_sponge *s, uint8_t *out, size_t outlen)
{
    size_t pos = s->pos;
    s->pos = (uint8_t)(pos + outlen);
    for (; outlen > 0 && pos % 8 != 0; outlen--, pos++)
        *out++ = (uint8_t)(s->a[pos / 8] >> (8 * (pos % 8)));
    for (; outlen >= 8; outlen -= 8, pos += 8, out += 8)
        store_lane(out, s->a[pos / 8]);
    for (; outlen > 0; outlen--, pos++)
        *out++ = (uint8_t)(s->a[pos / 8] >> (8 * (pos % 8)));
}

static inline void permute(struct keccak_sponge *s)
{
    keccak_permute(s->ops->x1, s->a, s->rounds);
    s->pos = 0;
}

void keccak_init(struct keccak_sponge *s, const struct keccak_ops *ops, uint8_t rate,
                 uint8_t suffix, uint8_t rounds)
{
    clear(s->a, sizeof(s->a));
    s->ops = ops;
    s->pos = 0;
    s->rate = rate;
    s->suffix = suffix;
    s->rounds = rounds;
    s->phase = KECCAK_ABSORBING;
}

void keccak_absorb(struct keccak_sponge *s, const uint8_t *in, size_t inlen)
{
    size_t room = (size_t)(s->rate - s->pos);
    if (inlen < room) {
        xor_in(s, in, inlen);
        return;
    }
    if (s->pos > 0) {
        xor_in(s, in, room);
        permute(s);
        in += room;
        inlen -= room;
    }
    size_t blocks = inlen / s->rate;
    if (blocks > 0)
        s->ops->x1(s->a, in, 0, blocks, s->rate / 8u, s->rounds);
    xor_in(s, in + blocks * s->rate, inlen - blocks * s->rate);
    wipe_stack();
}

/* The suffix, then 0* and the last 1 of pad10*1 (FIPS 202 §5.1) at the end of the block. */
static void pad(struct keccak_sponge *s)
{
    xor_byte(s, s->pos, s->suffix);
    xor_byte(s, (size_t)s->rate - 1, 0x80);
    s->phase = KECCAK_SQUEEZING;
}

void keccak_squeeze(struct keccak_sponge *s, uint8_t *out, size_t outlen)
{
    bool permuted = s->phase == KECCAK_ABSORBING;
    if (permuted) {
        pad(s);
        permute(s);
    }
    while (outlen > 0) {
        if (s->pos == s->rate) {
            permute(s);
            permuted = true;
        }
        size_t left = (size_t)(s->rate - s->pos);
        size_t n = outlen < left ? outlen : left;
        copy_out(s, out, n);
        out += n;
        outlen -= n;
    }
    if (permuted)
        wipe_stack();
}

void keccak_store_state(const uint64_t a[KECCAK_LANES], uint8_t out[KECCAK_STATE_BYTES])
{
    for (size_t i = 0; i < KECCAK_LANES; i++)
        store_lane(out + 8 * i, a[i]);
}

void keccak_load_state(uint64_t a[KECCAK_LANES], const uint8_t in[KECCAK_STATE_BYTES])
{
    for (size_t i = 0; i < KECCAK_LANES; i++)
        a[i] = load_lane(in + 8 * i);
}
