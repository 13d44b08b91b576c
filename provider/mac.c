/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KMAC (SP 800-185 §4): cSHAKE with N = "KMAC" of a block that holds the key, and then the message.
 * The state after prefix and key is kept, so that a message more under the same key costs no
 * permutation for them. Keys are never compared: whoever sets one pays for it. */
#include <string.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "digest.h"

struct mac_ctx {
    struct digest_ctx base; /* length: of the output */
    struct keccakprov_string key, custom;
    uint64_t kept[KECCAK_LANES];
    bool is_kept;
    bool started; /* data came: key and custom are fixed until the message ends */
    bool xof;     /* KMACXOF (§4.3.1), which encodes the output length 0, whatever it is */
};

void *keccakprov_mac_new(struct keccakprov *prov, const struct keccakprov_alg *alg)
{
    struct mac_ctx *ctx = KECCAKPROV_ZALLOC(prov, sizeof(*ctx));
    if (ctx == NULL) {
        KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
        return NULL;
    }
    ctx->base.prov = prov;
    ctx->base.alg = alg;
    ctx->base.length = alg->size;
    return ctx;
}

void keccakprov_mac_freectx(void *vctx)
{
    struct mac_ctx *ctx = vctx;
    if (ctx == NULL)
        return;
    const struct keccakprov *prov = ctx->base.prov;
    keccakprov_string_free(prov, &ctx->key);
    keccakprov_string_free(prov, &ctx->custom);
    KECCAKPROV_FREE(prov, ctx, sizeof(*ctx));
}

void *keccakprov_mac_dupctx(void *vctx)
{
    const struct mac_ctx *src = vctx;
    if (src == NULL)
        return NULL;
    const struct keccakprov *prov = src->base.prov;
    struct mac_ctx *dst = KECCAKPROV_NEW(prov, sizeof(*dst));
    if (dst == NULL) {
        KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
        return NULL;
    }
    *dst = *src;
    dst->key = dst->custom = (struct keccakprov_string){0};
    if (keccakprov_string_copy(prov, &dst->key, &src->key) &&
        keccakprov_string_copy(prov, &dst->custom, &src->custom))
        return dst;
    keccakprov_mac_freectx(dst);
    return NULL;
}

/* bytepad(encode_string("KMAC") || encode_string(custom), rate), then bytepad(encode_string(key),
 * rate) (§3.3, §4.3). */
static void absorb_key(struct mac_ctx *ctx)
{
    struct keccak_sponge *sponge = &ctx->base.sponge;
    const char *function = ctx->base.alg->function;
    keccak_bytepad_begin(sponge);
    keccak_absorb_string(sponge, (const uint8_t *)function, strlen(function));
    keccak_absorb_string(sponge, ctx->custom.data, ctx->custom.len);
    keccak_bytepad_end(sponge);
    keccak_bytepad_begin(sponge);
    keccak_absorb_string(sponge, ctx->key.data, ctx->key.len);
    keccak_bytepad_end(sponge);
}

/* Starts a message. */
static void start(struct mac_ctx *ctx)
{
    keccakprov_restart(&ctx->base);
    ctx->started = false;
    if (ctx->is_kept) {
        memcpy(ctx->base.sponge.a, ctx->kept, sizeof(ctx->kept));
    } else {
        absorb_key(ctx);
        memcpy(ctx->kept, ctx->base.sponge.a, sizeof(ctx->kept));
        ctx->is_kept = true;
    }
}

/* A parameter array, read and checked, nothing applied; the strings point into the array, or are
 * NULL with has_... false. */
struct mac_params {
    bool has_key, has_custom, has_size, has_xof;
    const uint8_t *key, *custom;
    size_t keylen, customlen, size;
    int xof;
};

static bool check_string(const struct mac_ctx *ctx, const OSSL_PARAM *p, const uint8_t **data,
                         size_t *len)
{
    const struct keccakprov *prov = ctx->base.prov;
    if (!keccakprov_get_string(p, data, len))
        return KECCAKPROV_FAIL(prov, BAD_KEY);
    if (*len >= KECCAK_STRING_LIMIT)
        return KECCAKPROV_FAIL(prov, KEY_TOO_LONG);
    return true;
}

static bool mac_check(const struct mac_ctx *ctx, const OSSL_PARAM params[], struct mac_params *out)
{
    const struct keccakprov *prov = ctx->base.prov;
    const OSSL_PARAM *key = keccakprov_find(params, OSSL_MAC_PARAM_KEY);
    const OSSL_PARAM *custom = keccakprov_find(params, OSSL_MAC_PARAM_CUSTOM);
    const OSSL_PARAM *size = keccakprov_find(params, OSSL_MAC_PARAM_SIZE);
    const OSSL_PARAM *xof = keccakprov_find(params, OSSL_MAC_PARAM_XOF);
    *out = (struct mac_params){
        .has_key = key != NULL,
        .has_custom = custom != NULL,
        .has_size = size != NULL,
        .has_xof = xof != NULL,
    };
    if (size != NULL && !keccakprov_get_size(size, &out->size))
        return KECCAKPROV_FAIL(prov, BAD_SIZE);
    if (out->size >= KECCAK_STRING_LIMIT)
        return KECCAKPROV_FAIL(prov, LENGTH_TOO_LARGE);
    if (xof != NULL && !keccakprov_get_int(xof, &out->xof))
        return KECCAKPROV_FAIL(prov, BAD_XOF);
    return (key == NULL || check_string(ctx, key, &out->key, &out->keylen)) &&
           (custom == NULL || check_string(ctx, custom, &out->custom, &out->customlen));
}

/* False, with nothing changed and an error queued, if memory is short. */
static bool mac_apply(struct mac_ctx *ctx, const struct mac_params *params)
{
    const struct keccakprov *prov = ctx->base.prov;
    if ((params->has_key && !keccakprov_string_reserve(prov, &ctx->key, params->keylen)) ||
        (params->has_custom && !keccakprov_string_reserve(prov, &ctx->custom, params->customlen)))
        return false;
    if (params->has_key) {
        keccakprov_string_replace(prov, &ctx->key, params->key, params->keylen);
        ctx->is_kept = false;
    }
    if (params->has_custom)
        ctx->is_kept &= keccakprov_string_assign(&ctx->custom, params->custom, params->customlen);
    if (params->has_size)
        ctx->base.length = params->size;
    if (params->has_xof)
        ctx->xof = params->xof != 0; /* any int, as libcrypto's own takes it */
    return true;
}

/* Good in every phase, as libcrypto's own KMAC has it, before the first init and after a failed
 * one, too: what is set is for the message at hand if no data came yet, and for those to come. */
int keccakprov_mac_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct mac_ctx *ctx = vctx;
    struct mac_params checked;
    if (ctx == NULL || !mac_check(ctx, params, &checked))
        return 0;
    bool begun = ctx->base.sponge.phase == KECCAK_ABSORBING;
    bool strings = checked.has_key || checked.has_custom;
    if (strings && begun && ctx->started)
        return KECCAKPROV_FAIL(ctx->base.prov, KEY_TOO_LATE);
    if (!mac_apply(ctx, &checked))
        return 0;
    if (strings && begun)
        start(ctx);
    return 1;
}

/* A key may come by pointer, by parameter, or have come before; a length without a pointer counts
 * for nothing, as with libcrypto's own. */
int keccakprov_mac_init(void *vctx, const unsigned char *key, size_t keylen,
                        const OSSL_PARAM params[])
{
    struct mac_ctx *ctx = vctx;
    struct mac_params checked;
    if (ctx == NULL)
        return 0;
    ctx->base.sponge.phase = KECCAK_DEAD; /* unless all is well */
    if (!mac_check(ctx, params, &checked))
        return 0;
    if (key != NULL && keylen >= KECCAK_STRING_LIMIT)
        return KECCAKPROV_FAIL(ctx->base.prov, KEY_TOO_LONG);
    if (key != NULL) {
        checked.has_key = true;
        checked.key = key;
        checked.keylen = keylen;
    }
    if (!mac_apply(ctx, &checked))
        return 0;
    if (!ctx->key.set) /* the parameters stay, as in libcrypto's own */
        return KECCAKPROV_FAIL(ctx->base.prov, NO_KEY);
    start(ctx);
    return 1;
}

int keccakprov_mac_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct mac_ctx *ctx = vctx;
    if (!keccakprov_digest_update(ctx, in, inlen))
        return 0;
    ctx->started |= inlen > 0;
    return 1;
}

/* Without a buffer it answers how large one has to be. */
int keccakprov_mac_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
{
    struct mac_ctx *ctx = vctx;
    if (ctx == NULL || !keccakprov_alive(&ctx->base))
        return 0;
    const struct keccakprov *prov = ctx->base.prov;
    size_t n = ctx->base.length;
    if (out == NULL && outl == NULL)
        return KECCAKPROV_FAIL(prov, NULL_POINTER);
    if (out != NULL) {
        uint8_t length[KECCAK_ENCODE_MAX];
        if (ctx->base.sponge.phase != KECCAK_ABSORBING)
            return KECCAKPROV_FAIL(prov, FINAL_AFTER_OUTPUT);
        if (n > outsz)
            return KECCAKPROV_FAIL(prov, BUFFER_TOO_SMALL);
        uint64_t bits = ctx->xof ? 0 : 8 * (uint64_t)n;
        keccak_absorb(&ctx->base.sponge, length, keccak_right_encode(length, bits));
        keccak_squeeze(&ctx->base.sponge, out, n);
    }
    if (outl != NULL)
        *outl = n;
    return 1;
}

int keccakprov_mac_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct mac_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    OSSL_PARAM *size = keccakprov_find(params, OSSL_MAC_PARAM_SIZE);
    OSSL_PARAM *block = keccakprov_find(params, OSSL_MAC_PARAM_BLOCK_SIZE);
    if ((size == NULL || keccakprov_set_size(size, ctx->base.length)) &&
        (block == NULL || keccakprov_set_size(block, ctx->base.alg->rate)))
        return 1;
    return KECCAKPROV_FAIL(ctx->base.prov, PARAM_NOT_WRITABLE);
}

const OSSL_PARAM *keccakprov_mac_gettable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
                                      OSSL_PARAM_size_t(OSSL_MAC_PARAM_BLOCK_SIZE, NULL),
                                      OSSL_PARAM_END};
    (void)vctx, (void)vprov;
    return list;
}

const OSSL_PARAM *keccakprov_mac_settable(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {
        OSSL_PARAM_int(OSSL_MAC_PARAM_XOF, NULL), OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, NULL),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_MAC_PARAM_CUSTOM, NULL, 0), OSSL_PARAM_END};
    (void)vctx, (void)vprov;
    return list;
}
