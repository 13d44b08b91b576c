/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Algorithms whose message ends with the length of the output in bits, or with 0 in the XOF variant
 * (SP 800-185 §5.3, §6.3). What is asked for is checked before the message ends. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "digest.h"

/* 64 bits hold no greater number of bits. */
static bool can_encode(const struct cshake_ctx *ctx, size_t outlen)
{
    return outlen < KECCAK_STRING_LIMIT || KECCAKPROV_FAIL(ctx->base.prov, LENGTH_TOO_LARGE);
}

static void end_message(struct cshake_ctx *ctx, size_t outlen, keccakprov_end_fn *end)
{
    uint8_t length[KECCAK_ENCODE_MAX];
    uint64_t bits = ctx->xof ? 0 : 8 * (uint64_t)outlen;
    keccakprov_cshake_prime(ctx);
    if (end != NULL)
        end(ctx);
    keccak_absorb(&ctx->base.sponge, length, keccak_right_encode(length, bits));
    ctx->started = true;
}

int keccakprov_length_final(struct cshake_ctx *ctx, unsigned char *out, size_t *outl, size_t outsz,
                            keccakprov_end_fn *end)
{
    size_t n = 0;
    if (ctx == NULL || !keccakprov_xof_check_final(&ctx->base, out, outl, outsz, &n) ||
        !can_encode(ctx, n))
        return 0;
    if (n > 0)
        end_message(ctx, n, end);
    return keccakprov_xof_finish(&ctx->base, out, outl, n);
}

/* The length that is encoded is all there will be. */
static bool check_left(const struct cshake_ctx *ctx, size_t left, size_t outsz)
{
    if (ctx->xof)
        return true;
    if (left == KECCAKPROV_UNSET)
        return KECCAKPROV_FAIL(ctx->base.prov, NO_OUTPUT_LENGTH);
    if (outsz > left)
        return KECCAKPROV_FAIL(ctx->base.prov, SQUEEZE_PAST_LENGTH);
    return can_encode(ctx, left);
}

int keccakprov_length_squeeze(struct cshake_ctx *ctx, unsigned char *out, size_t *outl,
                              size_t outsz, keccakprov_end_fn *end)
{
    if (ctx == NULL || !keccakprov_xof_check_squeeze(&ctx->base, out, outsz))
        return 0;
    if (outsz > 0) {
        bool first = ctx->base.sponge.phase == KECCAK_ABSORBING;
        size_t left = first ? ctx->base.length : ctx->left;
        if (!check_left(ctx, left, outsz))
            return 0;
        if (first)
            end_message(ctx, left, end);
        ctx->left = left - outsz;
    }
    return keccakprov_xof_squeeze(ctx, out, outl, outsz);
}

int keccakprov_length_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct cshake_ctx *ctx = vctx;
    if (!keccakprov_xof_get_ctx_params(ctx, params))
        return 0;
    OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_XOF);
    return p == NULL || keccakprov_set_size(p, ctx->xof) ||
           KECCAKPROV_FAIL(ctx->base.prov, PARAM_NOT_WRITABLE);
}

const OSSL_PARAM *keccakprov_length_gettable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {KECCAKPROV_XOF_PARAMS,
                                      OSSL_PARAM_int(KECCAKPROV_PARAM_XOF, NULL), OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
