/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * cSHAKE (SP 800-185 §3): SHAKE's machinery after a prefix block of the function name N and the
 * customization S. The state after the prefix is kept, labelled by N and S, which are public. */
#include <string.h>
#include <openssl/params.h>
#include "digest.h"

void *keccakprov_cshake_new(struct keccakprov *prov, const struct keccakprov_alg *alg)
{
    struct cshake_ctx *ctx = KECCAKPROV_ZALLOC(prov, sizeof(*ctx));
    if (ctx == NULL) {
        KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
        return NULL;
    }
    ctx->base.prov = prov;
    ctx->base.alg = alg;
    return ctx;
}

void keccakprov_cshake_freectx(void *vctx)
{
    struct cshake_ctx *ctx = vctx;
    if (ctx == NULL)
        return;
    const struct keccakprov *prov = ctx->base.prov;
    keccakprov_string_free(prov, &ctx->n);
    keccakprov_string_free(prov, &ctx->s);
    KECCAKPROV_FREE(prov, ctx, sizeof(*ctx));
}

/* bytepad(encode_string(N) || encode_string(S), rate) (§3.3). */
static void absorb_prefix(struct cshake_ctx *ctx)
{
    struct keccak_sponge *sponge = &ctx->base.sponge;
    const char *function = ctx->base.alg->function;
    keccak_bytepad_begin(sponge);
    if (function != NULL)
        keccak_absorb_string(sponge, (const uint8_t *)function, strlen(function));
    else
        keccak_absorb_string(sponge, ctx->n.data, ctx->n.len);
    keccak_absorb_string(sponge, ctx->s.data, ctx->s.len);
    keccak_bytepad_end(sponge);
}

/* The sponge is that of N and S; with both empty, cSHAKE is SHAKE and has no prefix (§3.3). */
static void mark_primed(struct cshake_ctx *ctx)
{
    bool plain = ctx->base.alg->function == NULL && ctx->n.len == 0 && ctx->s.len == 0;
    ctx->base.sponge.suffix = plain ? KECCAK_SUFFIX_SHAKE : KECCAK_SUFFIX_CSHAKE;
    ctx->primed = true;
}

void keccakprov_cshake_prime(struct cshake_ctx *ctx)
{
    struct keccak_sponge *sponge = &ctx->base.sponge;
    if (ctx->primed)
        return;
    if (!ctx->n.set)
        ctx->is_kept &= keccakprov_string_assign(&ctx->n, NULL, 0);
    if (!ctx->s.set)
        ctx->is_kept &= keccakprov_string_assign(&ctx->s, NULL, 0);
    mark_primed(ctx);
    if (sponge->suffix == KECCAK_SUFFIX_SHAKE)
        return;
    if (ctx->is_kept) {
        memcpy(sponge->a, ctx->kept, sizeof(ctx->kept));
    } else {
        absorb_prefix(ctx);
        memcpy(ctx->kept, sponge->a, sizeof(ctx->kept));
        ctx->is_kept = true;
    }
}

/* Another string of the label may yet come. */
static bool is_awaited(const struct keccakprov_string *string)
{
    return !string->set && string->len > 0;
}

void keccakprov_cshake_prepare(struct cshake_ctx *ctx)
{
    if (!ctx->is_kept || !(is_awaited(&ctx->n) || is_awaited(&ctx->s)))
        keccakprov_cshake_prime(ctx);
}

static bool check_string(const struct cshake_ctx *ctx, const OSSL_PARAM *p, const uint8_t **data,
                         size_t *len)
{
    const struct keccakprov *prov = ctx->base.prov;
    if (ctx->started)
        return KECCAKPROV_FAIL(prov, STRING_TOO_LATE);
    if (!keccakprov_get_string(p, data, len))
        return KECCAKPROV_FAIL(prov, BAD_STRING);
    if (*len >= KECCAK_STRING_LIMIT)
        return KECCAKPROV_FAIL(prov, STRING_TOO_LONG);
    return true;
}

static bool check_xof(const struct cshake_ctx *ctx, const OSSL_PARAM *p, size_t *xof)
{
    if (ctx->base.sponge.phase != KECCAK_ABSORBING)
        return KECCAKPROV_FAIL(ctx->base.prov, XOF_TOO_LATE);
    if (!keccakprov_get_size(p, xof) || *xof > 1)
        return KECCAKPROV_FAIL(ctx->base.prov, BAD_XOF);
    return true;
}

/* cSHAKE alone has a choice of N; the others have one of variants. */
bool keccakprov_cshake_check(const struct cshake_ctx *ctx, const OSSL_PARAM params[],
                             struct cshake_params *out)
{
    const struct keccakprov *prov = ctx->base.prov;
    bool fixed = ctx->base.alg->function != NULL;
    const OSSL_PARAM *n = fixed ? NULL : keccakprov_find(params, KECCAKPROV_PARAM_FUNCTION_NAME);
    const OSSL_PARAM *xof = fixed ? keccakprov_find(params, KECCAKPROV_PARAM_XOF) : NULL;
    const OSSL_PARAM *s = keccakprov_find(params, KECCAKPROV_PARAM_CUSTOMIZATION);
    const OSSL_PARAM *properties = keccakprov_find(params, KECCAKPROV_PARAM_PROPERTIES);
    if (!keccakprov_xof_check(&ctx->base, params, &out->base))
        return false;
    if (out->base.state != NULL && (n != NULL || s != NULL || xof != NULL || properties != NULL))
        return KECCAKPROV_FAIL(prov, STATE_NOT_ALONE);
    if (properties != NULL && properties->data_type != OSSL_PARAM_UTF8_STRING)
        return KECCAKPROV_FAIL(prov, BAD_PROPERTIES);
    out->has_n = n != NULL;
    out->has_s = s != NULL;
    out->has_xof = xof != NULL;
    return (xof == NULL || check_xof(ctx, xof, &out->xof)) &&
           (n == NULL || check_string(ctx, n, &out->n, &out->nlen)) &&
           (s == NULL || check_string(ctx, s, &out->s, &out->slen));
}

/* Empties the sponge again, for other strings. */
static void unprime(struct cshake_ctx *ctx)
{
    keccakprov_restart(&ctx->base);
    ctx->primed = false;
}

bool keccakprov_cshake_apply(struct cshake_ctx *ctx, const struct cshake_params *params)
{
    if ((params->has_n && !keccakprov_string_reserve(ctx->base.prov, &ctx->n, params->nlen)) ||
        (params->has_s && !keccakprov_string_reserve(ctx->base.prov, &ctx->s, params->slen)))
        return false;
    if (params->has_n)
        ctx->is_kept &= keccakprov_string_assign(&ctx->n, params->n, params->nlen);
    if (params->has_s)
        ctx->is_kept &= keccakprov_string_assign(&ctx->s, params->s, params->slen);
    if (params->has_n || params->has_s) {
        unprime(ctx);
        keccakprov_cshake_prepare(ctx);
    }
    if (params->has_xof)
        ctx->xof = params->xof;
    if (params->base.has_length)
        ctx->base.length = params->base.length;
    return true;
}

int keccakprov_cshake_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct cshake_ctx *ctx = vctx;
    struct cshake_params checked;
    if (ctx == NULL || !keccakprov_alive(&ctx->base) ||
        !keccakprov_cshake_check(ctx, params, &checked))
        return 0;
    if (checked.base.state != NULL)
        return keccakprov_state_set(ctx, params);
    return keccakprov_cshake_apply(ctx, &checked);
}

bool keccakprov_cshake_adopt(struct cshake_ctx *ctx, const uint8_t *n, size_t nlen,
                             const uint8_t *s, size_t slen)
{
    if (!keccakprov_string_reserve(ctx->base.prov, &ctx->n, nlen) ||
        !keccakprov_string_reserve(ctx->base.prov, &ctx->s, slen))
        return false;
    ctx->is_kept &= keccakprov_string_assign(&ctx->n, n, nlen);
    ctx->is_kept &= keccakprov_string_assign(&ctx->s, s, slen);
    mark_primed(ctx);
    ctx->started = true;
    return true;
}

void keccakprov_cshake_restart(struct cshake_ctx *ctx)
{
    unprime(ctx);
    ctx->started = ctx->xof = false;
    ctx->n.set = ctx->s.set = false;
    keccakprov_xof_reset_length(&ctx->base);
}

int keccakprov_cshake_init(void *vctx, const OSSL_PARAM params[])
{
    struct cshake_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_cshake_restart(ctx);
    if (params == NULL || keccakprov_cshake_set_ctx_params(ctx, params))
        return 1;
    ctx->base.sponge.phase = KECCAK_DEAD;
    return 0;
}

/* What a call may begin: while absorbing, the prefix goes before anything else. */
static void prime_absorbing(struct cshake_ctx *ctx)
{
    if (ctx != NULL && ctx->base.sponge.phase == KECCAK_ABSORBING)
        keccakprov_cshake_prime(ctx);
}

int keccakprov_cshake_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct cshake_ctx *ctx = vctx;
    prime_absorbing(ctx);
    if (!keccakprov_digest_update(ctx, in, inlen))
        return 0;
    ctx->started |= inlen > 0;
    return 1;
}

int keccakprov_cshake_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct cshake_ctx *ctx = vctx;
    prime_absorbing(ctx);
    if (!keccakprov_xof_final(ctx, out, outl, outsz))
        return 0;
    ctx->started |= ctx->base.sponge.phase != KECCAK_ABSORBING;
    return 1;
}

int keccakprov_cshake_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct cshake_ctx *ctx = vctx;
    prime_absorbing(ctx);
    if (!keccakprov_xof_squeeze(ctx, out, outl, outsz))
        return 0;
    ctx->started |= ctx->base.sponge.phase != KECCAK_ABSORBING;
    return 1;
}

bool keccakprov_cshake_copy(void *vdst, const void *vsrc)
{
    struct cshake_ctx *dst = vdst;
    const struct cshake_ctx *src = vsrc;
    dst->is_kept = false; /* its label goes */
    if (src == NULL || !keccakprov_string_copy(src->base.prov, &dst->n, &src->n) ||
        !keccakprov_string_copy(src->base.prov, &dst->s, &src->s))
        return false;
    struct keccakprov_string n = dst->n, s = dst->s;
    *dst = *src;
    dst->n = n;
    dst->s = s;
    return true;
}

void *keccakprov_cshake_dupctx(void *vctx)
{
    return keccakprov_dup(vctx, sizeof(struct cshake_ctx), keccakprov_cshake_copy,
                          keccakprov_cshake_freectx);
}

void keccakprov_cshake_copyctx(void *dst, void *src)
{
    keccakprov_copy(dst, src, keccakprov_cshake_copy);
}

const OSSL_PARAM *keccakprov_cshake_settable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {
        KECCAKPROV_XOF_PARAMS, OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_FUNCTION_NAME, NULL, 0),
        OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_CUSTOMIZATION, NULL, 0),
        OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_PROPERTIES, NULL, 0), OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
