/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * TupleHash (SP 800-185 §5): cSHAKE of a sequence of strings, each with its length before it. An
 * update appends one element, whatever its length. Hosts up to 4.0 keep empty updates to
 * themselves, so there is a parameter for elements, too. */
#include <openssl/params.h>
#include "digest.h"

static bool check_element(const struct cshake_ctx *ctx, const void *in, size_t inlen)
{
    const struct digest_ctx *base = &ctx->base;
    if (base->sponge.phase != KECCAK_ABSORBING)
        return keccakprov_alive(base) && KECCAKPROV_FAIL(base->prov, UPDATE_AFTER_OUTPUT);
    if (in == NULL && inlen > 0)
        return KECCAKPROV_FAIL(base->prov, NULL_POINTER);
    if (inlen >= KECCAK_STRING_LIMIT)
        return KECCAKPROV_FAIL(base->prov, LENGTH_TOO_LARGE);
    return true;
}

static void append(struct cshake_ctx *ctx, const uint8_t *in, size_t inlen)
{
    keccakprov_cshake_prime(ctx);
    keccak_absorb_string(&ctx->base.sponge, in, inlen);
    ctx->started = true;
}

int keccakprov_tuplehash_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct cshake_ctx *ctx = vctx;
    if (ctx == NULL || !check_element(ctx, in, inlen))
        return 0;
    append(ctx, in, inlen);
    return 1;
}

int keccakprov_tuplehash_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    return keccakprov_length_final(vctx, out, outl, outsz, NULL);
}

int keccakprov_tuplehash_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    return keccakprov_length_squeeze(vctx, out, outl, outsz, NULL);
}

#define EACH_ELEMENT(p, params)                                                              \
    for (const OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_ELEMENT); p != NULL; \
         p = keccakprov_find(p + 1, KECCAKPROV_PARAM_ELEMENT))

static bool check_elements(const struct cshake_ctx *ctx, const OSSL_PARAM params[], bool state)
{
    EACH_ELEMENT(p, params)
    {
        if (state)
            return KECCAKPROV_FAIL(ctx->base.prov, STATE_NOT_ALONE);
        if (p->data_type != OSSL_PARAM_OCTET_STRING)
            return KECCAKPROV_FAIL(ctx->base.prov, BAD_ELEMENT);
        if (!check_element(ctx, p->data, p->data_size))
            return false;
    }
    return true;
}

int keccakprov_tuplehash_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct cshake_ctx *ctx = vctx;
    struct cshake_params checked;
    if (ctx == NULL || !keccakprov_alive(&ctx->base) ||
        !keccakprov_cshake_check(ctx, params, &checked) ||
        !check_elements(ctx, params, checked.base.state != NULL))
        return 0;
    if (checked.base.state != NULL)
        return keccakprov_state_set(ctx, params);
    if (!keccakprov_cshake_apply(ctx, &checked))
        return 0;
    keccakprov_cshake_prepare(ctx);
    EACH_ELEMENT(p, params)
    {
        append(ctx, p->data, p->data_size);
    }
    return 1;
}

int keccakprov_tuplehash_init(void *vctx, const OSSL_PARAM params[])
{
    struct cshake_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_cshake_restart(ctx);
    if (keccakprov_tuplehash_set_ctx_params(ctx, params))
        return 1;
    ctx->base.sponge.phase = KECCAK_DEAD;
    return 0;
}

const OSSL_PARAM *keccakprov_tuplehash_settable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {
        KECCAKPROV_XOF_PARAMS,
        OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_CUSTOMIZATION, NULL, 0),
        OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_int(KECCAKPROV_PARAM_XOF, NULL),
        OSSL_PARAM_octet_string(KECCAKPROV_PARAM_ELEMENT, NULL, 0),
        OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
