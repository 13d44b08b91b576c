/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The digests of fixed length, and what all digests share. */
#include <openssl/params.h>
#include "digest.h"

void *keccakprov_digest_new(struct keccakprov *prov, const struct keccakprov_alg *alg)
{
    struct digest_ctx *ctx = KECCAKPROV_NEW(prov, sizeof(*ctx));
    if (ctx == NULL) {
        KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
        return NULL;
    }
    ctx->sponge.phase = KECCAK_DEAD;
    ctx->prov = prov;
    ctx->alg = alg;
    keccakprov_xof_reset_length(ctx);
    return ctx;
}

void keccakprov_digest_freectx(void *vctx)
{
    struct digest_ctx *ctx = vctx;
    if (ctx != NULL)
        KECCAKPROV_FREE(ctx->prov, ctx, sizeof(*ctx));
}

bool keccakprov_alive(const struct digest_ctx *ctx)
{
    return ctx->sponge.phase != KECCAK_DEAD || KECCAKPROV_FAIL(ctx->prov, NOT_INITIALISED);
}

void keccakprov_restart(struct digest_ctx *ctx)
{
    keccak_init(&ctx->sponge, ctx->prov->ops, ctx->alg->rate, ctx->alg->suffix, ctx->alg->rounds);
}

int keccakprov_digest_init(void *vctx, const OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_restart(ctx);
    if (keccakprov_find(params, KECCAKPROV_PARAM_STATE) == NULL ||
        keccakprov_state_set(ctx, params))
        return 1;
    ctx->sponge.phase = KECCAK_DEAD;
    return 0;
}

void keccakprov_refuse_update(const struct digest_ctx *ctx, const uint8_t *in)
{
    if (!keccakprov_alive(ctx))
        return;
    if (ctx->sponge.phase != KECCAK_ABSORBING)
        KECCAKPROV_FAIL(ctx->prov, UPDATE_AFTER_OUTPUT);
    else if (in == NULL)
        KECCAKPROV_FAIL(ctx->prov, NULL_POINTER);
    else
        KECCAKPROV_FAIL(ctx->prov, LENGTH_TOO_LARGE);
}

int keccakprov_digest_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_can_update(ctx, in, inlen))
        return 0;
    keccak_absorb(&ctx->sponge, in, inlen);
    return 1;
}

/* outsz 0 is FinalXOF(0), which writes nothing and changes nothing, in any phase. */
int keccakprov_digest_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_alive(ctx))
        return 0;
    if (ctx->sponge.phase != KECCAK_ABSORBING && outsz > 0)
        return KECCAKPROV_FAIL(ctx->prov, FINAL_AFTER_OUTPUT);
    size_t n = outsz == 0 ? 0 : ctx->alg->size;
    if (n > outsz)
        return KECCAKPROV_FAIL(ctx->prov, BUFFER_TOO_SMALL);
    if (n > 0) {
        if (out == NULL)
            return KECCAKPROV_FAIL(ctx->prov, NULL_POINTER);
        keccak_squeeze(&ctx->sponge, out, n);
        ctx->sponge.phase = KECCAK_FINISHED;
    }
    if (outl != NULL)
        *outl = n;
    return 1;
}

void *keccakprov_digest_dupctx(void *vctx)
{
    const struct digest_ctx *src = vctx;
    if (src == NULL)
        return NULL;
    struct digest_ctx *dst = KECCAKPROV_NEW(src->prov, sizeof(*dst));
    if (dst != NULL)
        *dst = *src;
    else
        KECCAKPROV_FAIL(src->prov, ALLOCATION_FAILED);
    return dst;
}

static __attribute__((cold, noinline)) void refuse_copy(struct digest_ctx *dst)
{
    KECCAKPROV_FAIL(dst->prov, ALGORITHM_MISMATCH);
    dst->prov->OPENSSL_cleanse(&dst->sponge, sizeof(dst->sponge)); /* and so dead */
}

void keccakprov_digest_copyctx(void *vdst, void *vsrc)
{
    struct digest_ctx *dst = vdst;
    const struct digest_ctx *src = vsrc;
    if (dst == NULL || src == NULL || dst == src)
        return;
    if (dst->alg == src->alg)
        *dst = *src;
    else
        refuse_copy(dst);
}

void *keccakprov_dup(const void *vsrc, size_t size, keccakprov_copy_fn *copy,
                     OSSL_FUNC_digest_freectx_fn *freectx)
{
    const struct digest_ctx *src = vsrc;
    if (src == NULL)
        return NULL;
    struct digest_ctx *dst = KECCAKPROV_ZALLOC(src->prov, size);
    if (dst == NULL) {
        KECCAKPROV_FAIL(src->prov, ALLOCATION_FAILED);
        return NULL;
    }
    dst->prov = src->prov;
    if (copy(dst, src))
        return dst;
    freectx(dst);
    return NULL;
}

void keccakprov_copy(void *vdst, const void *vsrc, keccakprov_copy_fn *copy)
{
    struct digest_ctx *dst = vdst;
    const struct digest_ctx *src = vsrc;
    if (dst == NULL || src == NULL || dst == src)
        return;
    if (dst->alg != src->alg)
        KECCAKPROV_FAIL(dst->prov, ALGORITHM_MISMATCH);
    if (copy(dst, dst->alg == src->alg ? src : NULL))
        return;
    dst->prov->OPENSSL_cleanse(&dst->sponge, sizeof(dst->sponge)); /* and so dead */
}

/* Without a state this answers what a missing function would: 0, and no error. EVP_DigestFinalXOF
 * depends on it. */
int keccakprov_digest_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    if (vctx == NULL || keccakprov_find(params, KECCAKPROV_PARAM_STATE) == NULL)
        return 0;
    return keccakprov_state_set(vctx, params);
}

int keccakprov_digest_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    if (vctx == NULL || !keccakprov_alive(vctx))
        return 0;
    OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_STATE);
    return p == NULL || keccakprov_state_get(vctx, p);
}

const OSSL_PARAM *keccakprov_digest_ctx_params(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {OSSL_PARAM_octet_string(KECCAKPROV_PARAM_STATE, NULL, 0),
                                      OSSL_PARAM_END};
    (void)vctx, (void)vprov;
    return list;
}
