/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The digests of fixed length, and the tables of all digests. OpenSSL forces two functions upon
 * each algorithm, which have no context to learn the algorithm from: newctx and get_params. All
 * others are shared. */
#include <stdatomic.h>
#include <string.h>
#include <openssl/core_names.h>
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
    keccak_init(&ctx->sponge, ctx->prov->ops, ctx->alg->rate, ctx->alg->suffix, KECCAK_MAX_ROUNDS);
}

static OSSL_FUNC_digest_init_fn digest_init;
static OSSL_FUNC_digest_final_fn digest_final;
static OSSL_FUNC_digest_dupctx_fn digest_dupctx;
static keccakprov_copyctx_fn digest_copyctx;
static OSSL_FUNC_digest_set_ctx_params_fn digest_set_ctx_params;
static OSSL_FUNC_digest_get_ctx_params_fn digest_get_ctx_params;
static OSSL_FUNC_digest_gettable_ctx_params_fn digest_ctx_params;
static OSSL_FUNC_digest_gettable_params_fn digest_gettable_params;

static int digest_init(void *vctx, const OSSL_PARAM params[])
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

int keccakprov_digest_update(void *vctx, const unsigned char *in, size_t inlen)
{
    struct digest_ctx *ctx = vctx;
    if (ctx == NULL)
        return 0;
    if (ctx->sponge.phase != KECCAK_ABSORBING)
        return keccakprov_alive(ctx) && KECCAKPROV_FAIL(ctx->prov, UPDATE_AFTER_OUTPUT);
    if (inlen == 0)
        return 1;
    if (in == NULL)
        return KECCAKPROV_FAIL(ctx->prov, NULL_POINTER);
    if (inlen > KECCAKPROV_LENGTH_MAX)
        return KECCAKPROV_FAIL(ctx->prov, LENGTH_TOO_LARGE);
    keccak_absorb(&ctx->sponge, in, inlen);
    return 1;
}

/* outsz 0 is FinalXOF(0), which writes nothing and changes nothing, in any phase. */
static int digest_final(void *vctx, unsigned char *out, size_t *outl, size_t outsz)
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

static void *digest_dupctx(void *vctx)
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

static void digest_copyctx(void *vdst, void *vsrc)
{
    struct digest_ctx *dst = vdst;
    const struct digest_ctx *src = vsrc;
    if (dst == NULL || src == NULL || dst == src)
        return;
    if (dst->alg == src->alg) {
        *dst = *src;
        return;
    }
    KECCAKPROV_FAIL(dst->prov, ALGORITHM_MISMATCH);
    dst->prov->OPENSSL_cleanse(&dst->sponge, sizeof(dst->sponge)); /* and so dead */
}

/* Without a state this answers what a missing function would: 0, and no error. EVP_DigestFinalXOF
 * depends on it. */
static int digest_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    if (vctx == NULL || keccakprov_find(params, KECCAKPROV_PARAM_STATE) == NULL)
        return 0;
    return keccakprov_state_set(vctx, params);
}

static int digest_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    if (vctx == NULL || !keccakprov_alive(vctx))
        return 0;
    OSSL_PARAM *p = keccakprov_find(params, KECCAKPROV_PARAM_STATE);
    return p == NULL || keccakprov_state_get(vctx, p);
}

static const OSSL_PARAM *digest_ctx_params(void *vctx, void *vprov)
{
    static const OSSL_PARAM list[] = {OSSL_PARAM_octet_string(KECCAKPROV_PARAM_STATE, NULL, 0),
                                      OSSL_PARAM_END};
    (void)vctx, (void)vprov;
    return list;
}

static const OSSL_PARAM *digest_gettable_params(void *vprov)
{
    static const OSSL_PARAM list[] = {OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_BLOCK_SIZE, NULL),
                                      OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, NULL),
                                      OSSL_PARAM_int(OSSL_DIGEST_PARAM_XOF, NULL),
                                      OSSL_PARAM_int(OSSL_DIGEST_PARAM_ALGID_ABSENT, NULL),
                                      OSSL_PARAM_END};
    (void)vprov;
    return list;
}

static bool set(OSSL_PARAM params[], const char *key, size_t value)
{
    OSSL_PARAM *p = keccakprov_find(params, key);
    return p == NULL || keccakprov_set_size(p, value);
}

/* The XOF flag keeps HMAC and its kind away; the other says that an AlgorithmIdentifier has no
 * parameters, which libcrypto's own KECCAK-KMAC does not claim. */
static int get_params(const struct keccakprov_alg *alg, OSSL_PARAM params[])
{
    return set(params, OSSL_DIGEST_PARAM_BLOCK_SIZE, alg->rate) &&
           set(params, OSSL_DIGEST_PARAM_SIZE, alg->size) &&
           set(params, OSSL_DIGEST_PARAM_XOF, alg->kind != KECCAKPROV_DIGEST) &&
           set(params, OSSL_DIGEST_PARAM_ALGID_ABSENT, alg->kind != KECCAKPROV_KMAC_XOF);
}

static void *newctx(void *vprov, const struct keccakprov_alg *alg)
{
    struct keccakprov *prov = vprov;
    if (prov == NULL)
        return NULL;
    if (prov->trace_fd >= 0) {
        uint64_t bit = UINT64_C(1) << alg->index;
        if ((atomic_fetch_or(&prov->traced, bit) & bit) == 0)
            keccakprov_trace(prov, "first use of %.*s", (int)strcspn(alg->names, ":"), alg->names);
    }
    return alg->kind == KECCAKPROV_CSHAKE ? keccakprov_cshake_new(prov, alg)
                                          : keccakprov_digest_new(prov, alg);
}

#define FN(id, function)                                  \
    {                                                     \
        OSSL_FUNC_DIGEST_##id, (void (*)(void))(function) \
    }
#define NEWER_FN(id, function)                                  \
    {                                                           \
        KECCAKPROV_FUNC_DIGEST_##id, (void (*)(void))(function) \
    }

#define ROWS_COMMON                                                                         \
    FN(GETTABLE_PARAMS, digest_gettable_params), NEWER_FN(SERIALIZE, keccakprov_serialize), \
        NEWER_FN(DESERIALIZE, keccakprov_deserialize)

#define ROWS_DIGEST                                                                           \
    ROWS_COMMON, FN(INIT, digest_init), FN(UPDATE, keccakprov_digest_update),                 \
        FN(FINAL, digest_final), FN(FREECTX, keccakprov_digest_freectx),                      \
        FN(DUPCTX, digest_dupctx), NEWER_FN(COPYCTX, digest_copyctx),                         \
        FN(SET_CTX_PARAMS, digest_set_ctx_params), FN(GET_CTX_PARAMS, digest_get_ctx_params), \
        FN(SETTABLE_CTX_PARAMS, digest_ctx_params), FN(GETTABLE_CTX_PARAMS, digest_ctx_params)

#define ROWS_XOF                                                                              \
    ROWS_COMMON, FN(INIT, keccakprov_xof_init), FN(UPDATE, keccakprov_digest_update),         \
        FN(FINAL, keccakprov_xof_final), NEWER_FN(SQUEEZE, keccakprov_xof_squeeze),           \
        FN(FREECTX, keccakprov_digest_freectx), FN(DUPCTX, digest_dupctx),                    \
        NEWER_FN(COPYCTX, digest_copyctx), FN(SET_CTX_PARAMS, keccakprov_xof_set_ctx_params), \
        FN(GET_CTX_PARAMS, keccakprov_xof_get_ctx_params),                                    \
        FN(SETTABLE_CTX_PARAMS, keccakprov_xof_settable),                                     \
        FN(GETTABLE_CTX_PARAMS, keccakprov_xof_gettable)

#define ROWS_KMAC_XOF ROWS_XOF

#define ROWS_CSHAKE                                                                       \
    ROWS_COMMON, FN(INIT, keccakprov_cshake_init), FN(UPDATE, keccakprov_cshake_update),  \
        FN(FINAL, keccakprov_cshake_final), NEWER_FN(SQUEEZE, keccakprov_cshake_squeeze), \
        FN(FREECTX, keccakprov_cshake_freectx), FN(DUPCTX, keccakprov_cshake_dupctx),     \
        NEWER_FN(COPYCTX, keccakprov_cshake_copyctx),                                     \
        FN(SET_CTX_PARAMS, keccakprov_cshake_set_ctx_params),                             \
        FN(GET_CTX_PARAMS, keccakprov_xof_get_ctx_params),                                \
        FN(SETTABLE_CTX_PARAMS, keccakprov_cshake_settable),                              \
        FN(GETTABLE_CTX_PARAMS, keccakprov_xof_gettable)

enum {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) INDEX_##id,
#include "algorithms.inc"
#undef ALGORITHM
    ALGORITHMS
};

_Static_assert(ALGORITHMS <= 64, "keccakprov.traced has a bit for each algorithm");

#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names)                           \
    _Static_assert((capacity) % 128 == 0 || (capacity) % 64 == 0, "rates are whole lanes"); \
    static const struct keccakprov_alg id = {                                               \
        names, size, (1600 - (capacity)) / 8, suffix, KECCAKPROV_##kind, INDEX_##id};       \
    static OSSL_FUNC_digest_newctx_fn id##_newctx;                                          \
    static OSSL_FUNC_digest_get_params_fn id##_get_params;                                  \
    static void *id##_newctx(void *vprov)                                                   \
    {                                                                                       \
        return newctx(vprov, &id);                                                          \
    }                                                                                       \
    static int id##_get_params(OSSL_PARAM params[])                                         \
    {                                                                                       \
        return get_params(&id, params);                                                     \
    }                                                                                       \
    static const OSSL_DISPATCH id##_functions[] = {                                         \
        FN(NEWCTX, id##_newctx), FN(GET_PARAMS, id##_get_params), ROWS_##kind, {0, NULL}};
#include "algorithms.inc"
#undef ALGORITHM

/* The three tables, by the hosts column. A row whose column says 0 leaves nothing behind. */
#define KEEP_0(...)
#define KEEP_1(id, names) {names, "provider=" KECCAKPROV_NAME, id##_functions, NULL},
#define PICK_BEFORE_3_4(first, middle, last, ...) KEEP_##first(__VA_ARGS__)
#define PICK_SINCE_3_4(first, middle, last, ...) KEEP_##middle(__VA_ARGS__)
#define PICK_SINCE_4_0(first, middle, last, ...) KEEP_##last(__VA_ARGS__)
#define PICK(which, ...) PICK_##which(__VA_ARGS__)

static const OSSL_ALGORITHM digests_before_3_4[] = {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) PICK(BEFORE_3_4, hosts, id, names)
#include "algorithms.inc"
#undef ALGORITHM
    {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM digests_since_3_4[] = {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) PICK(SINCE_3_4, hosts, id, names)
#include "algorithms.inc"
#undef ALGORITHM
    {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM digests_since_4_0[] = {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) PICK(SINCE_4_0, hosts, id, names)
#include "algorithms.inc"
#undef ALGORITHM
    {NULL, NULL, NULL, NULL}};

const OSSL_ALGORITHM *keccakprov_digests(const struct keccakprov *prov)
{
    if (keccakprov_host_at_least(prov, 4, 0))
        return digests_since_4_0;
    return keccakprov_host_at_least(prov, 3, 4) ? digests_since_3_4 : digests_before_3_4;
}
