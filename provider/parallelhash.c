/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * ParallelHash (SP 800-185 §6): cSHAKE of what the message's blocks are hashed to by SHAKE, which
 * is cSHAKE without strings. These blocks of B bytes are called leaves here, for a block is what a
 * sponge absorbs at once. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "tree.h"

#define DEFAULT_LEAF_SIZE 8192

void *keccakprov_parallelhash_new(struct keccakprov *prov, const struct keccakprov_alg *alg)
{
    struct parallelhash_ctx *ctx = KECCAKPROV_ZALLOC(prov, sizeof(*ctx));
    if (ctx == NULL) {
        KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
        return NULL;
    }
    ctx->base.base.prov = prov;
    ctx->base.base.alg = alg;
    return ctx;
}

void keccakprov_parallelhash_freectx(void *vctx)
{
    struct parallelhash_ctx *ctx = vctx;
    if (ctx == NULL)
        return;
    const struct keccakprov *prov = ctx->base.base.prov;
    keccakprov_leaves_free(prov, &ctx->leaves);
    keccakprov_string_free(prov, &ctx->base.s);
    KECCAKPROV_FREE(prov, ctx, sizeof(*ctx));
}

void keccakprov_parallelhash_begin(struct keccak_sponge *node, size_t leaf_size)
{
    uint8_t encoded[KECCAK_ENCODE_MAX];
    keccak_absorb(node, encoded, keccak_left_encode(encoded, leaf_size));
}

void keccakprov_parallelhash_resume(struct parallelhash_ctx *ctx)
{
    keccakprov_leaves_init(ctx->base.base.prov, &ctx->leaves, &ctx->base.base.sponge,
                           KECCAK_SUFFIX_SHAKE, ctx->leaf_size);
}

/* What goes before the first leaf, once. */
static void begin(struct parallelhash_ctx *ctx)
{
    if (ctx->base.started)
        return;
    keccakprov_cshake_prime(&ctx->base);
    keccakprov_parallelhash_begin(&ctx->base.base.sponge, ctx->leaf_size);
    keccakprov_parallelhash_resume(ctx);
    ctx->base.started = true;
}

int keccakprov_parallelhash_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct parallelhash_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_can_update(&ctx->base.base, in, inlen))
        return 0;
    if (inlen > 0) {
        begin(ctx);
        keccakprov_leaves_absorb(ctx->base.base.prov, &ctx->leaves, &ctx->base.base.sponge, in,
                                 inlen);
    }
    return 1;
}

/* The last leaf, which may be short, and right_encode of their number (§6.3.1, steps 5 and 6). */
static void end_message(struct cshake_ctx *base)
{
    struct parallelhash_ctx *ctx = (struct parallelhash_ctx *)base;
    struct keccak_sponge *node = &base->base.sponge;
    uint8_t encoded[KECCAK_ENCODE_MAX];
    begin(ctx);
    keccakprov_leaves_settle(base->base.prov, &ctx->leaves, node);
    keccak_tree_end(&ctx->leaves.tree, node);
    keccak_absorb(node, encoded, keccak_right_encode(encoded, ctx->leaves.tree.leaves));
}

int keccakprov_parallelhash_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    return keccakprov_length_final(vctx, out, outl, outsz, end_message);
}

int keccakprov_parallelhash_squeeze(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    return keccakprov_length_squeeze(vctx, out, outl, outsz, end_message);
}

/* Reads and checks B; *leaf_size stays if there is none. */
static bool check_leaf_size(const struct parallelhash_ctx *ctx, const OSSL_PARAM params[],
                            size_t *leaf_size)
{
    const struct keccakprov *prov = ctx->base.base.prov;
    const OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_LEAF_SIZE);
    if (keccakprov_find(params, OSSL_DIGEST_PARAM_BLOCK_SIZE) != NULL)
        return KECCAKPROV_FAIL(prov, BLOCKSIZE_IS_RATE);
    if (p == NULL)
        return true;
    if (keccakprov_find(params, KECCAKPROV_PARAM_STATE) != NULL)
        return KECCAKPROV_FAIL(prov, STATE_NOT_ALONE);
    if (ctx->base.started)
        return KECCAKPROV_FAIL(prov, LEAF_SIZE_TOO_LATE);
    if (!keccakprov_get_size(p, leaf_size) || *leaf_size == 0)
        return KECCAKPROV_FAIL(prov, BAD_LEAF_SIZE);
    return true;
}

int keccakprov_parallelhash_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct parallelhash_ctx *ctx = vctx;
    struct cshake_params checked;
    if (ctx == NULL || !keccakprov_alive(&ctx->base.base))
        return 0;
    size_t leaf_size = ctx->leaf_size;
    if (!check_leaf_size(ctx, params, &leaf_size) ||
        !keccakprov_cshake_check(&ctx->base, params, &checked))
        return 0;
    if (checked.base.state != NULL)
        return keccakprov_state_set(ctx, params);
    if (!keccakprov_cshake_apply(&ctx->base, &checked))
        return 0;
    keccakprov_cshake_prepare(&ctx->base);
    ctx->leaf_size = leaf_size;
    return 1;
}

int keccakprov_parallelhash_init(void *vctx, const OSSL_PARAM params[])
{
    struct parallelhash_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    keccakprov_cshake_restart(&ctx->base);
    keccakprov_leaves_clear(ctx->base.base.prov, &ctx->leaves);
    ctx->leaf_size = DEFAULT_LEAF_SIZE;
    if (keccakprov_parallelhash_set_ctx_params(ctx, params))
        return 1;
    ctx->base.base.sponge.phase = KECCAK_DEAD;
    return 0;
}

int keccakprov_parallelhash_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct parallelhash_ctx *ctx = vctx;
    if (!keccakprov_length_get_ctx_params(ctx, params))
        return 0;
    OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_LEAF_SIZE);
    return p == NULL || keccakprov_set_size(p, ctx->leaf_size) ||
           KECCAKPROV_FAIL(ctx->base.base.prov, PARAM_NOT_WRITABLE);
}

/* Copies all but the memory: dst has its own. */
static bool copy(void *vdst, const void *vsrc)
{
    struct parallelhash_ctx *dst = vdst;
    const struct parallelhash_ctx *src = vsrc;
    const struct keccakprov *prov = dst->base.base.prov;
    if (src == NULL || !keccakprov_cshake_copy(&dst->base, &src->base)) {
        keccakprov_leaves_clear(prov, &dst->leaves);
        return false;
    }
    dst->leaf_size = src->leaf_size;
    keccakprov_leaves_copy(prov, &dst->leaves, &dst->base.base.sponge, &src->leaves);
    return true;
}

void *keccakprov_parallelhash_dupctx(void *vctx)
{
    return keccakprov_dup(vctx, sizeof(struct parallelhash_ctx), copy,
                          keccakprov_parallelhash_freectx);
}

void keccakprov_parallelhash_copyctx(void *dst, void *src)
{
    keccakprov_copy(dst, src, copy);
}

#define OWN_PARAMS \
    OSSL_PARAM_int(KECCAKPROV_PARAM_XOF, NULL), OSSL_PARAM_size_t(KECCAKPROV_PARAM_LEAF_SIZE, NULL)

const OSSL_PARAM *keccakprov_parallelhash_settable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {
        KECCAKPROV_XOF_PARAMS, OWN_PARAMS,
        OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_CUSTOMIZATION, NULL, 0), OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}

const OSSL_PARAM *keccakprov_parallelhash_gettable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {KECCAKPROV_XOF_PARAMS, OWN_PARAMS, OSSL_PARAM_END};
    (void)vctx;
    return keccakprov_xof_list(vprov, list);
}
