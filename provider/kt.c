/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KangarooTwelve (RFC 9861 §3): KT128 and KT256. */
#include <openssl/params.h>
#include "tree.h"

#define NO_STRING SIZE_MAX /* a length that no string has */

/* The suffixes (§3.2) of the leaves and of a final node that has some; that of a final node without
 * is the algorithm's. */
#define SUFFIX_LEAF 0x0b
#define SUFFIX_FINAL 0x06

void *keccakprov_kt_new(struct keccakprov *prov, const struct keccakprov_alg *alg)
{
    struct kt_ctx *ctx = KECCAKPROV_NEW(prov, sizeof(*ctx));
    if (ctx == NULL) {
        KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
        return NULL;
    }
    ctx->base.sponge.phase = KECCAK_DEAD;
    ctx->base.prov = prov;
    ctx->base.alg = alg;
    keccakprov_xof_reset_length(&ctx->base);
    ctx->leaves.buffer = NULL;
    ctx->leaves.fill = ctx->leaves.room = 0;
    ctx->s = (struct keccakprov_string){0};
    return ctx;
}

void keccakprov_kt_freectx(void *vctx)
{
    struct kt_ctx *ctx = vctx;
    if (ctx == NULL)
        return;
    const struct keccakprov *prov = ctx->base.prov;
    keccakprov_leaves_free(prov, &ctx->leaves);
    keccakprov_string_free(prov, &ctx->s);
    KECCAKPROV_FREE(prov, ctx, sizeof(*ctx));
}

void keccakprov_kt_resume(struct kt_ctx *ctx)
{
    struct keccak_sponge *node = &ctx->base.sponge;
    bool single = ctx->fed <= KT_CHUNK_BYTES;
    node->suffix = single ? ctx->base.alg->suffix : SUFFIX_FINAL;
    if (single)
        keccakprov_leaves_clear(ctx->base.prov, &ctx->leaves);
    else
        keccakprov_leaves_init(ctx->base.prov, &ctx->leaves, node, SUFFIX_LEAF, KT_CHUNK_BYTES);
}

/* Message beyond the first chunk; what stands between it and the chaining values goes first. */
static void absorb_beyond(struct kt_ctx *ctx, const uint8_t *in, size_t inlen)
{
    static const uint8_t marker[KT_MARKER_BYTES] = {3};
    bool first = ctx->fed == KT_CHUNK_BYTES;
    ctx->fed += inlen;
    if (first) {
        keccak_absorb(&ctx->base.sponge, marker, sizeof(marker));
        keccakprov_kt_resume(ctx);
    }
    keccakprov_leaves_absorb(ctx->base.prov, &ctx->leaves, &ctx->base.sponge, in, inlen);
}

static void absorb(struct kt_ctx *ctx, const uint8_t *in, size_t inlen)
{
    if (ctx->fed < KT_CHUNK_BYTES) {
        size_t left = KT_CHUNK_BYTES - (size_t)ctx->fed;
        size_t n = inlen < left ? inlen : left;
        keccak_absorb(&ctx->base.sponge, in, n);
        ctx->fed += n;
        in += n;
        inlen -= n;
    }
    if (inlen > 0)
        absorb_beyond(ctx, in, inlen);
}

/* Ends the message: C, length_encode(|C|); and after leaves their number and FF FF. */
static void end_message(struct kt_ctx *ctx)
{
    struct keccak_sponge *node = &ctx->base.sponge;
    uint8_t encoded[KECCAK_ENCODE_MAX];
    if (ctx->fed > KT_CHUNK_BYTES)
        keccakprov_leaves_settle(ctx->base.prov, &ctx->leaves, node);
    if (ctx->s.len > 0)
        absorb(ctx, ctx->s.data, ctx->s.len);
    absorb(ctx, encoded, keccak_length_encode(encoded, ctx->s.len));
    if (ctx->fed <= KT_CHUNK_BYTES)
        return;
    keccakprov_leaves_settle(ctx->base.prov, &ctx->leaves, node);
    keccak_tree_end(&ctx->leaves.tree, node);
    keccak_absorb(node, encoded, keccak_length_encode(encoded, ctx->leaves.tree.leaves));
    keccak_absorb(node, (const uint8_t *)"\xff\xff", 2);
}

int keccakprov_kt_init(void *vctx, const OSSL_PARAM params[])
{
    struct kt_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_restart(&ctx->base);
    keccakprov_leaves_clear(ctx->base.prov, &ctx->leaves);
    keccakprov_xof_reset_length(&ctx->base);
    ctx->s.len = 0;
    ctx->fed = 0;
    if (params == NULL || keccakprov_kt_set_ctx_params(ctx, params))
        return 1;
    ctx->base.sponge.phase = KECCAK_DEAD;
    return 0;
}

int keccakprov_kt_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct kt_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_can_update(&ctx->base, in, inlen))
        return 0;
    if (inlen > 0)
        absorb(ctx, in, inlen);
    return 1;
}

int keccakprov_kt_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct kt_ctx *ctx = vctx;
    size_t n = 0;
    if (ctx == NULL || !keccakprov_xof_check_final(&ctx->base, out, outl, outsz, &n))
        return 0;
    if (n > 0)
        end_message(ctx);
    return keccakprov_xof_finish(&ctx->base, out, outl, n);
}

int keccakprov_kt_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct kt_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_xof_check_squeeze(&ctx->base, out, outsz))
        return 0;
    if (outsz > 0 && ctx->base.sponge.phase == KECCAK_ABSORBING)
        end_message(ctx);
    return keccakprov_xof_squeeze(ctx, out, outl, outsz);
}

/* C of a parameter array, checked; data points into the array. */
static bool check_customization(const struct kt_ctx *ctx, const OSSL_PARAM params[],
                                const uint8_t **data, size_t *len)
{
    const struct keccakprov *prov = ctx->base.prov;
    const OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_CUSTOMIZATION);
    if (p == NULL)
        return true;
    if (keccakprov_find(params, KECCAKPROV_PARAM_STATE) != NULL)
        return KECCAKPROV_FAIL(prov, STATE_NOT_ALONE);
    if (ctx->base.sponge.phase != KECCAK_ABSORBING)
        return KECCAKPROV_FAIL(prov, CUSTOMIZATION_TOO_LATE);
    if (!keccakprov_get_string(p, data, len))
        return KECCAKPROV_FAIL(prov, BAD_STRING);
    return *len < KECCAK_STRING_LIMIT || KECCAKPROV_FAIL(prov, STRING_TOO_LONG);
}

int keccakprov_kt_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct kt_ctx *ctx = vctx;
    const uint8_t *data = NULL;
    size_t len = NO_STRING;
    if (ctx == NULL || !keccakprov_alive(&ctx->base) ||
        !check_customization(ctx, params, &data, &len) ||
        (len != NO_STRING && !keccakprov_string_reserve(ctx->base.prov, &ctx->s, len)) ||
        !keccakprov_xof_set_ctx_params(ctx, params))
        return 0;
    if (len != NO_STRING)
        keccakprov_string_assign(&ctx->s, data, len);
    return 1;
}

/* Copies all but the memory: dst has its own. */
static bool copy(void *vdst, const void *vsrc)
{
    struct kt_ctx *dst = vdst;
    const struct kt_ctx *src = vsrc;
    const struct keccakprov *prov = dst->base.prov;
    if (src == NULL || !keccakprov_string_copy(prov, &dst->s, &src->s)) {
        keccakprov_leaves_clear(prov, &dst->leaves);
        return false;
    }
    dst->base = src->base;
    dst->fed = src->fed;
    keccakprov_leaves_copy(prov, &dst->leaves, &dst->base.sponge, &src->leaves);
    return true;
}

void *keccakprov_kt_dupctx(void *vctx)
{
    return keccakprov_dup(vctx, sizeof(struct kt_ctx), copy, keccakprov_kt_freectx);
}

void keccakprov_kt_copyctx(void *dst, void *src)
{
    keccakprov_copy(dst, src, copy);
}

const OSSL_PARAM *keccakprov_kt_settable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {
        KECCAKPROV_XOF_PARAMS, OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_CUSTOMIZATION, NULL, 0),
        OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
