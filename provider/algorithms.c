/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The tables that the rows of algorithms.inc expand to. OpenSSL forces two functions upon each
 * algorithm, which have no context to learn the algorithm from: newctx and get_params. All others
 * are shared by a kind. */
#include <stdatomic.h>
#include <string.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "tree.h"

static OSSL_FUNC_digest_gettable_params_fn digest_gettable_params;

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

static void *newctx(void *vprov, const struct keccakprov_alg *alg, keccakprov_new_fn *create)
{
    struct keccakprov *prov = vprov;
    if (prov == NULL)
        return NULL;
    if (prov->trace_fd >= 0) {
        uint64_t bit = UINT64_C(1) << alg->index;
        if ((atomic_fetch_or(&prov->traced, bit) & bit) == 0)
            keccakprov_trace(prov, "first use of %.*s", (int)strcspn(alg->names, ":"), alg->names);
    }
    return create(prov, alg);
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

#define NEW_DIGEST keccakprov_digest_new
#define ROWS_DIGEST                                                                         \
    ROWS_COMMON, FN(INIT, keccakprov_digest_init), FN(UPDATE, keccakprov_digest_update),    \
        FN(FINAL, keccakprov_digest_final), FN(FREECTX, keccakprov_digest_freectx),         \
        FN(DUPCTX, keccakprov_digest_dupctx), NEWER_FN(COPYCTX, keccakprov_digest_copyctx), \
        FN(SET_CTX_PARAMS, keccakprov_digest_set_ctx_params),                               \
        FN(GET_CTX_PARAMS, keccakprov_digest_get_ctx_params),                               \
        FN(SETTABLE_CTX_PARAMS, keccakprov_digest_ctx_params),                              \
        FN(GETTABLE_CTX_PARAMS, keccakprov_digest_ctx_params)

/* A XOF without strings, whose context is a digest_ctx. */
#define ROWS_PLAIN(kind)                                                                         \
    ROWS_COMMON, FN(INIT, kind##_init), FN(UPDATE, keccakprov_digest_update),                    \
        FN(FINAL, keccakprov_xof_final), NEWER_FN(SQUEEZE, keccakprov_xof_squeeze),              \
        FN(FREECTX, keccakprov_digest_freectx), FN(DUPCTX, keccakprov_digest_dupctx),            \
        NEWER_FN(COPYCTX, keccakprov_digest_copyctx), FN(SET_CTX_PARAMS, kind##_set_ctx_params), \
        FN(GET_CTX_PARAMS, kind##_get_ctx_params), FN(SETTABLE_CTX_PARAMS, kind##_ctx_params),   \
        FN(GETTABLE_CTX_PARAMS, kind##_ctx_params)

#define NEW_XOF keccakprov_digest_new
#define ROWS_XOF ROWS_PLAIN(keccakprov_xof)

#define NEW_KMAC_XOF NEW_XOF
#define ROWS_KMAC_XOF ROWS_XOF

#define NEW_TURBOSHAKE NEW_XOF
#define ROWS_TURBOSHAKE ROWS_PLAIN(keccakprov_turboshake)

/* A XOF with strings, whose context is a cshake_ctx. */
#define ROWS_STRINGS(kind)                                                                  \
    ROWS_COMMON, FN(INIT, kind##_init), FN(UPDATE, kind##_update), FN(FINAL, kind##_final), \
        NEWER_FN(SQUEEZE, kind##_squeeze), FN(FREECTX, keccakprov_cshake_freectx),          \
        FN(DUPCTX, keccakprov_cshake_dupctx), NEWER_FN(COPYCTX, keccakprov_cshake_copyctx), \
        FN(SET_CTX_PARAMS, kind##_set_ctx_params), FN(SETTABLE_CTX_PARAMS, kind##_settable)

#define NEW_CSHAKE keccakprov_cshake_new
#define ROWS_CSHAKE                                                                     \
    ROWS_STRINGS(keccakprov_cshake), FN(GET_CTX_PARAMS, keccakprov_xof_get_ctx_params), \
        FN(GETTABLE_CTX_PARAMS, keccakprov_xof_ctx_params)

#define NEW_TUPLEHASH keccakprov_cshake_new
#define ROWS_TUPLEHASH                                                                        \
    ROWS_STRINGS(keccakprov_tuplehash), FN(GET_CTX_PARAMS, keccakprov_length_get_ctx_params), \
        FN(GETTABLE_CTX_PARAMS, keccakprov_length_gettable)

#define NEW_PARALLELHASH keccakprov_parallelhash_new
#define ROWS_PARALLELHASH                                                                         \
    ROWS_COMMON, FN(INIT, keccakprov_parallelhash_init),                                          \
        FN(UPDATE, keccakprov_parallelhash_update), FN(FINAL, keccakprov_parallelhash_final),     \
        NEWER_FN(SQUEEZE, keccakprov_parallelhash_squeeze),                                       \
        FN(FREECTX, keccakprov_parallelhash_freectx), FN(DUPCTX, keccakprov_parallelhash_dupctx), \
        NEWER_FN(COPYCTX, keccakprov_parallelhash_copyctx),                                       \
        FN(SET_CTX_PARAMS, keccakprov_parallelhash_set_ctx_params),                               \
        FN(GET_CTX_PARAMS, keccakprov_parallelhash_get_ctx_params),                               \
        FN(SETTABLE_CTX_PARAMS, keccakprov_parallelhash_settable),                                \
        FN(GETTABLE_CTX_PARAMS, keccakprov_parallelhash_gettable)

#define NEW_KT keccakprov_kt_new
#define ROWS_KT                                                                   \
    ROWS_COMMON, FN(INIT, keccakprov_kt_init), FN(UPDATE, keccakprov_kt_update),  \
        FN(FINAL, keccakprov_kt_final), NEWER_FN(SQUEEZE, keccakprov_kt_squeeze), \
        FN(FREECTX, keccakprov_kt_freectx), FN(DUPCTX, keccakprov_kt_dupctx),     \
        NEWER_FN(COPYCTX, keccakprov_kt_copyctx),                                 \
        FN(SET_CTX_PARAMS, keccakprov_kt_set_ctx_params),                         \
        FN(GET_CTX_PARAMS, keccakprov_xof_get_ctx_params),                        \
        FN(SETTABLE_CTX_PARAMS, keccakprov_kt_settable),                          \
        FN(GETTABLE_CTX_PARAMS, keccakprov_xof_ctx_params)

/* RFC 9861 takes the last twelve rounds of Keccak-f (§2.1). */
#define ROUNDS(kind) \
    ((kind) == KECCAKPROV_TURBOSHAKE || (kind) == KECCAKPROV_KT ? 12 : KECCAK_MAX_ROUNDS)

/* N of SP 800-185 §5.3, §6.3 */
#define FUNCTION(kind)                                    \
    ((kind) == KECCAKPROV_TUPLEHASH      ? "TupleHash"    \
     : (kind) == KECCAKPROV_PARALLELHASH ? "ParallelHash" \
                                         : NULL)

enum {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) INDEX_##id,
#define MAC(id, capacity, size, names) INDEX_##id,
#include "algorithms.inc"
#undef ALGORITHM
    ALGORITHMS
};

_Static_assert(ALGORITHMS <= 64, "keccakprov.traced has a bit for each algorithm");

/* keccak_kernel's: 9, 13, 17, 18 or 21 lanes. */
#define HAS_RATE(capacity)                                                                \
    ((capacity) == 1024 || (capacity) == 768 || (capacity) == 512 || (capacity) == 448 || \
     (capacity) == 256)

#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names)         \
    _Static_assert(HAS_RATE(capacity), "a rate that the kernels know");   \
    static const struct keccakprov_alg id = {names,                       \
                                             FUNCTION(KECCAKPROV_##kind), \
                                             size,                        \
                                             (1600 - (capacity)) / 8,     \
                                             suffix,                      \
                                             ROUNDS(KECCAKPROV_##kind),   \
                                             KECCAKPROV_##kind,           \
                                             INDEX_##id};                 \
    static OSSL_FUNC_digest_newctx_fn id##_newctx;                        \
    static OSSL_FUNC_digest_get_params_fn id##_get_params;                \
    static void *id##_newctx(void *vprov)                                 \
    {                                                                     \
        return newctx(vprov, &id, NEW_##kind);                            \
    }                                                                     \
    static int id##_get_params(OSSL_PARAM params[])                       \
    {                                                                     \
        return get_params(&id, params);                                   \
    }                                                                     \
    static const OSSL_DISPATCH id##_functions[] = {                       \
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

#define MAC_FN(id, function)                           \
    {                                                  \
        OSSL_FUNC_MAC_##id, (void (*)(void))(function) \
    }

#define ALGORITHM(...)
#define MAC(id, capacity, size, names)                                \
    static const struct keccakprov_alg id = {names,                   \
                                             "KMAC",                  \
                                             size,                    \
                                             (1600 - (capacity)) / 8, \
                                             KECCAK_SUFFIX_CSHAKE,    \
                                             KECCAK_MAX_ROUNDS,       \
                                             KECCAKPROV_KMAC,         \
                                             INDEX_##id};             \
    static OSSL_FUNC_mac_newctx_fn id##_newctx;                       \
    static void *id##_newctx(void *vprov)                             \
    {                                                                 \
        return newctx(vprov, &id, keccakprov_mac_new);                \
    }                                                                 \
    static const OSSL_DISPATCH id##_functions[] = {                   \
        MAC_FN(NEWCTX, id##_newctx),                                  \
        MAC_FN(INIT, keccakprov_mac_init),                            \
        MAC_FN(UPDATE, keccakprov_mac_update),                        \
        MAC_FN(FINAL, keccakprov_mac_final),                          \
        MAC_FN(FREECTX, keccakprov_mac_freectx),                      \
        MAC_FN(DUPCTX, keccakprov_mac_dupctx),                        \
        MAC_FN(SET_CTX_PARAMS, keccakprov_mac_set_ctx_params),        \
        MAC_FN(GET_CTX_PARAMS, keccakprov_mac_get_ctx_params),        \
        MAC_FN(SETTABLE_CTX_PARAMS, keccakprov_mac_settable),         \
        MAC_FN(GETTABLE_CTX_PARAMS, keccakprov_mac_gettable),         \
        {0, NULL}};
#include "algorithms.inc"

const OSSL_ALGORITHM keccakprov_macs[] = {
#define MAC(id, capacity, size, names) KEEP_1(id, names)
#include "algorithms.inc"
    {NULL, NULL, NULL, NULL}};
