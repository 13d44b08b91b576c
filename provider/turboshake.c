/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * TurboSHAKE (RFC 9861 §2): SHAKE on twelve rounds. Its domain byte D is the suffix, which takes
 * effect at the end of the message, so that it can be set until then. */
#include <openssl/params.h>
#include "digest.h"

/* Reads and checks D; *domain stays if there is none. */
static bool check_domain(const struct digest_ctx *ctx, const OSSL_PARAM params[], size_t *domain)
{
    const OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_DOMAIN_SEPARATOR);
    if (p == NULL)
        return true;
    if (keccakprov_find(params, KECCAKPROV_PARAM_STATE) != NULL)
        return KECCAKPROV_FAIL(ctx->prov, STATE_NOT_ALONE);
    if (ctx->sponge.phase != KECCAK_ABSORBING)
        return KECCAKPROV_FAIL(ctx->prov, DOMAIN_TOO_LATE);
    if (!keccakprov_get_size(p, domain) || *domain < 1 || *domain > KECCAKPROV_DOMAIN_MAX)
        return KECCAKPROV_FAIL(ctx->prov, BAD_DOMAIN);
    return true;
}

int keccakprov_turboshake_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_alive(ctx))
        return 0;
    size_t domain = 0;
    if (!check_domain(ctx, params, &domain) || !keccakprov_xof_set_ctx_params(ctx, params))
        return 0;
    if (domain != 0)
        ctx->sponge.suffix = (uint8_t)domain;
    return 1;
}

int keccakprov_turboshake_init(void *vctx, const OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_restart(ctx);
    keccakprov_xof_reset_length(ctx);
    if (params == NULL || keccakprov_turboshake_set_ctx_params(ctx, params))
        return 1;
    ctx->sponge.phase = KECCAK_DEAD;
    return 0;
}

int keccakprov_turboshake_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    if (!keccakprov_xof_get_ctx_params(ctx, params))
        return 0;
    OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_DOMAIN_SEPARATOR);
    return p == NULL || keccakprov_set_size(p, ctx->sponge.suffix) ||
           KECCAKPROV_FAIL(ctx->prov, PARAM_NOT_WRITABLE);
}

const OSSL_PARAM *keccakprov_turboshake_ctx_params(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {KECCAKPROV_XOF_PARAMS,
                                      OSSL_PARAM_uint(KECCAKPROV_PARAM_DOMAIN_SEPARATOR, NULL),
                                      OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
