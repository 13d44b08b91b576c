/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Saved states. Where Go's crypto/sha3 has the algorithm, the bytes are the ones it writes:
 *
 *   magic (4)  rate (1)  state (200)  position (1)  direction (1: 0 absorbing, 1 squeezing)
 *
 * and for cSHAKE left_encode(8|N|) N left_encode(8|S|) S. What Go lacks has a magic of ours, which
 * ends with a version, and behind the direction
 *
 *   TurboSHAKE: domain byte (1)
 *   TupleHash: xof (1)  bytes still to squeeze (8, the lowest first; 0 while absorbing and for xof)
 *   tree hashing: see tree_state.c
 *
 * A blob is hostile until every field has been checked; only then is the context touched. */
#include <string.h>
#include "state.h"

#define LEFT_BYTES 8

enum { AT_DOMAIN = HEADER_BYTES, TURBOSHAKE_BYTES };
enum { AT_XOF = HEADER_BYTES, AT_LEFT, TUPLEHASH_BYTES = AT_LEFT + LEFT_BYTES };

static const uint8_t magic_sha3[] = {'s', 'h', 'a', 0x08};
static const uint8_t magic_shake[] = {'s', 'h', 'a', 0x09};
static const uint8_t magic_cshake[] = {'s', 'h', 'a', 0x0a};
static const uint8_t magic_keccak[] = {'s', 'h', 'a', 0x0b};
static const uint8_t magic_kmac_xof[] = {'k', 'm', 'x', 0x01};
static const uint8_t magic_turboshake[] = {'t', 's', 'k', 0x01};
static const uint8_t magic_tuplehash[] = {'t', 'p', 'h', 0x01};
static const uint8_t magic_kt[] = {'k', 't', 'n', 0x01};
static const uint8_t magic_parallelhash[] = {'p', 'r', 'h', 0x01};

/* cSHAKE without strings is SHAKE, in its states too. */
static bool has_strings(const struct digest_ctx *ctx)
{
    const struct cshake_ctx *cshake = (const struct cshake_ctx *)ctx;
    return ctx->alg->kind == KECCAKPROV_CSHAKE && (cshake->n.len > 0 || cshake->s.len > 0);
}

static bool is_tree(const struct digest_ctx *ctx)
{
    return ctx->alg->kind == KECCAKPROV_KT || ctx->alg->kind == KECCAKPROV_PARALLELHASH;
}

static const uint8_t *magic_of(const struct digest_ctx *ctx)
{
    switch (ctx->alg->kind) {
    case KECCAKPROV_KMAC_XOF:
        return magic_kmac_xof;
    case KECCAKPROV_CSHAKE:
        return has_strings(ctx) ? magic_cshake : magic_shake;
    case KECCAKPROV_TURBOSHAKE:
        return magic_turboshake;
    case KECCAKPROV_TUPLEHASH:
        return magic_tuplehash;
    case KECCAKPROV_KT:
        return magic_kt;
    case KECCAKPROV_PARALLELHASH:
        return magic_parallelhash;
    case KECCAKPROV_XOF:
        return magic_shake;
    default:
        return ctx->alg->suffix == KECCAK_SUFFIX_SHA3 ? magic_sha3 : magic_keccak;
    }
}

static bool has_state(const struct digest_ctx *ctx)
{
    if (ctx->sponge.phase == KECCAK_FINISHED)
        return KECCAKPROV_FAIL(ctx->prov, STATE_AFTER_FINAL);
    return keccakprov_alive(ctx);
}

size_t keccakprov_state_string_size(const struct keccakprov_string *string)
{
    uint8_t scratch[KECCAK_ENCODE_MAX];
    return keccak_left_encode(scratch, 8 * (uint64_t)string->len) + string->len;
}

static size_t state_size(const struct digest_ctx *ctx)
{
    const struct cshake_ctx *cshake = (const struct cshake_ctx *)ctx;
    if (ctx->alg->kind == KECCAKPROV_TURBOSHAKE)
        return TURBOSHAKE_BYTES;
    if (ctx->alg->kind == KECCAKPROV_TUPLEHASH)
        return TUPLEHASH_BYTES;
    if (is_tree(ctx))
        return keccakprov_tree_state_size(ctx);
    if (has_strings(ctx))
        return HEADER_BYTES + keccakprov_state_string_size(&cshake->n) +
               keccakprov_state_string_size(&cshake->s);
    return HEADER_BYTES;
}

uint8_t *keccakprov_state_write_string(uint8_t *out, const struct keccakprov_string *string)
{
    out += keccak_left_encode(out, 8 * (uint64_t)string->len);
    if (string->len > 0)
        memcpy(out, string->data, string->len);
    return out + string->len;
}

static void write_left(const struct cshake_ctx *cshake, uint8_t out[LEFT_BYTES])
{
    bool limited = cshake->base.sponge.phase == KECCAK_SQUEEZING && !cshake->xof;
    uint64_t left = limited ? cshake->left : 0;
    for (unsigned i = 0; i < LEFT_BYTES; i++)
        out[i] = (uint8_t)(left >> (8 * i));
}

static uint64_t read_left(const uint8_t in[LEFT_BYTES])
{
    uint64_t left = 0;
    for (unsigned i = 0; i < LEFT_BYTES; i++)
        left |= (uint64_t)in[i] << (8 * i);
    return left;
}

static void write_state(const struct digest_ctx *ctx, uint8_t *out)
{
    const struct keccak_sponge *sponge = &ctx->sponge;
    const struct cshake_ctx *cshake = (const struct cshake_ctx *)ctx;
    memcpy(out, magic_of(ctx), MAGIC_BYTES);
    out[AT_RATE] = sponge->rate;
    keccak_store_state(sponge->a, out + AT_STATE);
    out[AT_POS] = sponge->pos;
    out[AT_DIRECTION] = sponge->phase == KECCAK_SQUEEZING;
    if (ctx->alg->kind == KECCAKPROV_TURBOSHAKE) {
        out[AT_DOMAIN] = sponge->suffix;
    } else if (ctx->alg->kind == KECCAKPROV_TUPLEHASH) {
        out[AT_XOF] = cshake->xof;
        write_left(cshake, out + AT_LEFT);
    } else if (is_tree(ctx)) {
        keccakprov_tree_state_write(ctx, out);
    } else if (has_strings(ctx)) {
        keccakprov_state_write_string(keccakprov_state_write_string(out + HEADER_BYTES, &cshake->n),
                                      &cshake->s);
    }
}

bool keccakprov_state_read_string(const uint8_t **in, const uint8_t *end, const uint8_t **data,
                                  size_t *len)
{
    uint64_t bits;
    size_t used = keccak_left_decode(&bits, *in, (size_t)(end - *in));
    if (used == 0 || bits % 8 != 0 || bits / 8 > (size_t)(end - *in) - used)
        return false;
    *data = *in + used;
    *len = (size_t)(bits / 8);
    *in = *data + *len;
    return true;
}

bool keccakprov_state_check_header(const struct digest_ctx *ctx, const uint8_t *in)
{
    if (in[AT_RATE] != ctx->alg->rate)
        return KECCAKPROV_FAIL(ctx->prov, STATE_ALGORITHM);
    bool squeezing = in[AT_DIRECTION] == 1;
    if (in[AT_DIRECTION] > 1 || (squeezing && ctx->alg->kind == KECCAKPROV_DIGEST))
        return KECCAKPROV_FAIL(ctx->prov, STATE_CORRUPT);
    /* A full block would have been permuted at once; a read one waits for the next byte. */
    if (in[AT_POS] > ctx->alg->rate || (!squeezing && in[AT_POS] == ctx->alg->rate))
        return KECCAKPROV_FAIL(ctx->prov, STATE_CORRUPT);
    return true;
}

void keccakprov_state_load(struct digest_ctx *ctx, const uint8_t *in)
{
    keccak_load_state(ctx->sponge.a, in + AT_STATE);
    ctx->sponge.pos = in[AT_POS];
    ctx->sponge.phase = in[AT_DIRECTION] == 1 ? KECCAK_SQUEEZING : KECCAK_ABSORBING;
}

static bool import_cshake(struct cshake_ctx *ctx, const uint8_t *in, size_t inlen)
{
    const uint8_t *n = NULL, *s = NULL, *at = in + HEADER_BYTES, *end = in + inlen;
    size_t nlen = 0, slen = 0;
    bool plain = memcmp(in, magic_shake, MAGIC_BYTES) == 0;
    if (!plain && memcmp(in, magic_cshake, MAGIC_BYTES) != 0)
        return KECCAKPROV_FAIL(ctx->base.prov, STATE_ALGORITHM);
    if (!keccakprov_state_check_header(&ctx->base, in))
        return false;
    if (!plain && !(keccakprov_state_read_string(&at, end, &n, &nlen) &&
                    keccakprov_state_read_string(&at, end, &s, &slen)))
        return KECCAKPROV_FAIL(ctx->base.prov, STATE_CORRUPT);
    if (at != end)
        return KECCAKPROV_FAIL(ctx->base.prov, STATE_LENGTH);
    if (!keccakprov_cshake_adopt(ctx, n, nlen, s, slen))
        return false;
    keccakprov_state_load(&ctx->base, in);
    return true;
}

/* What stands behind the header, where that is of fixed length. */
static bool check_tail(const struct digest_ctx *ctx, const uint8_t *in)
{
    bool good = true;
    if (ctx->alg->kind == KECCAKPROV_TURBOSHAKE) {
        good = in[AT_DOMAIN] >= 1 && in[AT_DOMAIN] <= KECCAKPROV_DOMAIN_MAX;
    } else if (ctx->alg->kind == KECCAKPROV_TUPLEHASH) {
        bool limited = in[AT_DIRECTION] == 1 && in[AT_XOF] == 0;
        good = in[AT_XOF] <= 1 && read_left(in + AT_LEFT) < (limited ? KECCAK_STRING_LIMIT : 1);
    }
    return good || KECCAKPROV_FAIL(ctx->prov, STATE_CORRUPT);
}

static void load_tail(struct digest_ctx *ctx, const uint8_t *in)
{
    struct cshake_ctx *cshake = (struct cshake_ctx *)ctx;
    if (ctx->alg->kind == KECCAKPROV_TURBOSHAKE) {
        ctx->sponge.suffix = in[AT_DOMAIN];
    } else if (ctx->alg->kind == KECCAKPROV_TUPLEHASH) {
        (void)keccakprov_cshake_adopt(cshake, NULL, 0, NULL, 0); /* which needs no memory */
        cshake->xof = in[AT_XOF];
        cshake->left = (size_t)read_left(in + AT_LEFT);
    }
}

static bool import(struct digest_ctx *ctx, const uint8_t *in, size_t inlen)
{
    if (!has_state(ctx))
        return false;
    if (in == NULL || inlen < HEADER_BYTES)
        return KECCAKPROV_FAIL(ctx->prov, STATE_LENGTH);
    if (ctx->alg->kind == KECCAKPROV_CSHAKE)
        return import_cshake((struct cshake_ctx *)ctx, in, inlen);
    if (memcmp(in, magic_of(ctx), MAGIC_BYTES) != 0)
        return KECCAKPROV_FAIL(ctx->prov, STATE_ALGORITHM);
    if (is_tree(ctx))
        return keccakprov_tree_state_read(ctx, in, inlen);
    if (inlen != state_size(ctx))
        return KECCAKPROV_FAIL(ctx->prov, STATE_LENGTH);
    if (!keccakprov_state_check_header(ctx, in) || !check_tail(ctx, in))
        return false;
    load_tail(ctx, in);
    keccakprov_state_load(ctx, in);
    return true;
}

int keccakprov_state_set(void *vctx, const OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    const OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_STATE);
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return KECCAKPROV_FAIL(ctx->prov, BAD_STATE_TYPE);
    return import(ctx, p->data, p->data_size);
}

/* A prefix that waits for the first data goes in now. */
static void prime(struct digest_ctx *ctx)
{
    if (ctx->alg->kind == KECCAKPROV_CSHAKE || ctx->alg->function != NULL)
        keccakprov_cshake_prime((struct cshake_ctx *)ctx);
}

bool keccakprov_state_get(struct digest_ctx *ctx, OSSL_PARAM *p)
{
    if (!has_state(ctx))
        return false;
    if (p->data_type != OSSL_PARAM_OCTET_STRING)
        return KECCAKPROV_FAIL(ctx->prov, BAD_STATE_TYPE);
    prime(ctx);
    p->return_size = state_size(ctx);
    if (p->data == NULL)
        return true;
    if (p->data_size < p->return_size)
        return KECCAKPROV_FAIL(ctx->prov, BUFFER_TOO_SMALL);
    write_state(ctx, p->data);
    return true;
}

int keccakprov_serialize(void *vctx, unsigned char *out, size_t *outl)
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL || !has_state(ctx))
        return 0;
    if (outl == NULL)
        return KECCAKPROV_FAIL(ctx->prov, NULL_POINTER);
    prime(ctx);
    size_t size = state_size(ctx);
    if (out != NULL && *outl < size)
        return KECCAKPROV_FAIL(ctx->prov, BUFFER_TOO_SMALL);
    if (out != NULL)
        write_state(ctx, out);
    *outl = size;
    return 1;
}

int keccakprov_deserialize(void *vctx, const unsigned char *in, size_t inlen)
{
    return vctx != NULL && import(vctx, in, inlen);
}
