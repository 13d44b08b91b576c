/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Extendable-output functions: an output length that can be set, and squeezing. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "digest.h"

/* KECCAK-KMAC keeps its default; SHAKE has one on hosts before 3.4 alone. */
void keccakprov_xof_reset_length(struct digest_ctx *ctx)
{
    ctx->length = ctx->alg->size != 0 ? ctx->alg->size : KECCAKPROV_UNSET;
}

/* `size` is another name of `xoflen` since libcrypto 3.4; before, it means nothing here. */
static OSSL_PARAM *find_length(const struct digest_ctx *ctx, const OSSL_PARAM params[])
{
    OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_XOFLEN);
    if (p == NULL && keccakprov_host_at_least(ctx->prov, 3, 4))
        p = keccakprov_find(params, KECCAKPROV_PARAM_SIZE);
    return p;
}

bool keccakprov_xof_check(const struct digest_ctx *ctx, const OSSL_PARAM params[],
                          struct xof_params *out)
{
    const OSSL_PARAM *p = find_length(ctx, params);
    out->state = keccakprov_find(params, KECCAKPROV_PARAM_STATE);
    out->has_length = p != NULL;
    if (p == NULL)
        return true;
    if (out->state != NULL)
        return KECCAKPROV_FAIL(ctx->prov, STATE_NOT_ALONE);
    if (!keccakprov_get_size(p, &out->length))
        return KECCAKPROV_FAIL(ctx->prov, BAD_OUTPUT_LENGTH);
    if (out->length > KECCAKPROV_LENGTH_MAX && out->length != KECCAKPROV_UNSET)
        return KECCAKPROV_FAIL(ctx->prov, LENGTH_TOO_LARGE);
    return true;
}

int keccakprov_xof_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    struct xof_params checked;
    if (ctx == NULL || !keccakprov_alive(ctx) || !keccakprov_xof_check(ctx, params, &checked))
        return 0;
    if (checked.state != NULL)
        return keccakprov_state_set(ctx, params);
    if (checked.has_length)
        ctx->length = checked.length;
    return 1;
}

/* An explicit length outlives init since libcrypto 3.4; there init may meet a used context. */
int keccakprov_xof_init(void *vctx, const OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_restart(ctx);
    if (!keccakprov_host_at_least(ctx->prov, 3, 4))
        keccakprov_xof_reset_length(ctx);
    if (params == NULL || keccakprov_xof_set_ctx_params(ctx, params))
        return 1;
    ctx->sponge.phase = KECCAK_DEAD;
    return 0;
}

/* EVP tells Final_ex from FinalXOF(n) by *outl alone: 0, or n = outsz > 0. FinalXOF(0) and a set
 * length of 0 look alike and do the same: nothing, in any phase. Final_ex passes an outsz that
 * bounds the output since 3.4; before, it is the fixed size of the algorithm, whatever length was
 * set. */
bool keccakprov_xof_check_final(struct digest_ctx *ctx, const unsigned char *out,
                                const size_t *outl, size_t outsz, size_t *outlen)
{
    if (!keccakprov_alive(ctx))
        return false;
    bool final_xof = outl != NULL && *outl == outsz && outsz > 0;
    size_t n = final_xof ? outsz : ctx->length;
    if (final_xof || n == 0)
        keccakprov_xof_reset_length(ctx); /* even if refused, EVP has set it: it must not stay */
    if (ctx->sponge.phase != KECCAK_ABSORBING && n > 0)
        return KECCAKPROV_FAIL(ctx->prov, FINAL_AFTER_OUTPUT);
    if (n == KECCAKPROV_UNSET)
        return KECCAKPROV_FAIL(ctx->prov, NO_OUTPUT_LENGTH);
    if (n > KECCAKPROV_LENGTH_MAX)
        return KECCAKPROV_FAIL(ctx->prov, LENGTH_TOO_LARGE);
    if (n > outsz && keccakprov_host_at_least(ctx->prov, 3, 4))
        return KECCAKPROV_FAIL(ctx->prov, BUFFER_TOO_SMALL);
    if (n > 0 && out == NULL)
        return KECCAKPROV_FAIL(ctx->prov, NULL_POINTER);
    *outlen = n;
    return true;
}

int keccakprov_xof_finish(struct digest_ctx *ctx, unsigned char *out, size_t *outl, size_t n)
{
    if (n > 0) {
        keccak_squeeze(&ctx->sponge, out, n);
        ctx->sponge.phase = KECCAK_FINISHED;
    }
    if (outl != NULL)
        *outl = n;
    return 1;
}

int keccakprov_xof_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct digest_ctx *ctx = vctx;
    size_t n = 0;
    if (ctx == NULL || !keccakprov_xof_check_final(ctx, out, outl, outsz, &n))
        return 0;
    return keccakprov_xof_finish(ctx, out, outl, n);
}

/* Squeezing 0 bytes succeeds and changes nothing, in any phase: absorbing can go on. */
bool keccakprov_xof_check_squeeze(const struct digest_ctx *ctx, const unsigned char *out,
                                  size_t outsz)
{
    if (!keccakprov_alive(ctx))
        return false;
    if (outsz == 0)
        return true;
    if (ctx->sponge.phase == KECCAK_FINISHED)
        return KECCAKPROV_FAIL(ctx->prov, SQUEEZE_AFTER_FINAL);
    if (outsz > KECCAKPROV_LENGTH_MAX)
        return KECCAKPROV_FAIL(ctx->prov, LENGTH_TOO_LARGE);
    return out != NULL || KECCAKPROV_FAIL(ctx->prov, NULL_POINTER);
}

int keccakprov_xof_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_xof_check_squeeze(ctx, out, outsz))
        return 0;
    if (outsz > 0)
        keccak_squeeze(&ctx->sponge, out, outsz);
    if (outl != NULL)
        *outl = outsz;
    return 1;
}

static bool get_length(const struct digest_ctx *ctx, OSSL_PARAM *p)
{
    return p == NULL || keccakprov_set_size(p, ctx->length) ||
           KECCAKPROV_FAIL(ctx->prov, PARAM_NOT_WRITABLE);
}

int keccakprov_xof_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_alive(ctx))
        return 0;
    OSSL_PARAM *size = keccakprov_find(params, KECCAKPROV_PARAM_SIZE);
    if (!keccakprov_host_at_least(ctx->prov, 3, 4))
        size = NULL;
    OSSL_PARAM *state = keccakprov_find(params, KECCAKPROV_PARAM_STATE);
    return get_length(ctx, keccakprov_find(params, KECCAKPROV_PARAM_XOFLEN)) &&
           get_length(ctx, size) && (state == NULL || keccakprov_state_get(ctx, state));
}

const OSSL_PARAM *keccakprov_xof_list(const struct keccakprov *prov, const OSSL_PARAM list[])
{
    return keccakprov_host_at_least(prov, 3, 4) ? list : list + 1;
}

/* The same list for getting and setting. */
const OSSL_PARAM *keccakprov_xof_ctx_params(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {KECCAKPROV_XOF_PARAMS, OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
