/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Known answers of KMAC, and of the default provider's HMAC with our digests. */
#include <openssl/core_names.h>
#include "vectors.h"

/* The parameters of one answer. */
struct setting {
    OSSL_PARAM params[5];
    size_t size;
    int xof;
};

static void choose(struct setting *setting, const struct job *job, const struct bytes *key,
                   bool xof, size_t size)
{
    OSSL_PARAM *p = setting->params;
    setting->size = size;
    setting->xof = xof;
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, job->custom.data,
                                             job->custom.size);
    *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &setting->size);
    *p++ = OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &setting->xof);
    if (key != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key->data, key->size);
    *p = OSSL_PARAM_construct_end();
}

static bool finish(EVP_MAC_CTX *ctx, bool xof, const struct bytes *expected, uint8_t *got)
{
    size_t n = 0;
    bool done = xof ? EVP_MAC_finalXOF(ctx, got, expected->size)
                    : EVP_MAC_final(ctx, got, &n, expected->size);
    return done && (xof || n == expected->size);
}

static bool at_once(EVP_MAC_CTX *ctx, const struct job *job, struct bytes key, bool xof,
                    struct bytes out)
{
    struct setting setting;
    choose(&setting, job, NULL, xof, out.size);
    return EVP_MAC_init(ctx, key.data, key.size, setting.params) &&
           EVP_MAC_update(ctx, job->msg.data, job->msg.size) && finish(ctx, false, &out, out.data);
}

static bool again(EVP_MAC_CTX *ctx, const struct job *job, struct bytes out, uint8_t *got)
{
    size_t cut = test_below(job->msg.size + 1);
    return EVP_MAC_init(ctx, NULL, 0, NULL) && EVP_MAC_update(ctx, job->msg.data, cut) &&
           EVP_MAC_update(ctx, job->msg.data + cut, job->msg.size - cut) &&
           finish(ctx, false, &out, got) && memcmp(got, out.data, out.size) == 0;
}

static bool beforehand(EVP_MAC_CTX *ctx, const struct job *job, struct bytes key, bool xof,
                       struct bytes out, uint8_t *got)
{
    struct setting setting;
    choose(&setting, job, &key, false, out.size);
    bool good = EVP_MAC_CTX_set_params(ctx, setting.params) && EVP_MAC_init(ctx, NULL, 0, NULL) &&
                EVP_MAC_update(ctx, job->msg.data, job->msg.size);
    EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(ctx);
    good = good && copy != NULL && finish(copy, xof, &out, got) &&
           memcmp(got, out.data, out.size) == 0;
    EVP_MAC_CTX_free(copy);
    return good;
}

bool job_kmac(const struct job *job, struct bytes key, bool xof, struct bytes out)
{
    EVP_MAC *mac = EVP_MAC_fetch(job->libctx, job->alg, "provider=keccakprov");
    EVP_MAC_CTX *first = EVP_MAC_CTX_new(mac), *second = EVP_MAC_CTX_new(mac);
    uint8_t *got = malloc(out.size > 0 ? out.size : 1);
    assert_non_null(first);
    assert_non_null(second);
    assert_non_null(got);
    bool good = at_once(first, job, key, xof, out) && again(first, job, out, got) &&
                beforehand(second, job, key, xof, out, got);
    free(got);
    EVP_MAC_CTX_free(first);
    EVP_MAC_CTX_free(second);
    EVP_MAC_free(mac);
    return good;
}

static bool hmac_twice(EVP_MAC_CTX *ctx, const OSSL_PARAM *params, struct bytes key,
                       struct bytes msg, struct bytes out)
{
    uint8_t again[EVP_MAX_MD_SIZE];
    size_t size, cut = test_below(msg.size + 1);
    return EVP_MAC_init(ctx, key.data, key.size, params) &&
           EVP_MAC_update(ctx, msg.data, msg.size) &&
           EVP_MAC_final(ctx, out.data, &size, out.size) && size == out.size &&
           EVP_MAC_init(ctx, key.data, key.size, params) && EVP_MAC_update(ctx, msg.data, cut) &&
           EVP_MAC_update(ctx, msg.data + cut, msg.size - cut) &&
           EVP_MAC_final(ctx, again, &size, sizeof(again)) && size == out.size &&
           memcmp(again, out.data, size) == 0;
}

bool job_hmac(const struct job *job, struct bytes key, struct bytes out)
{
    char digest[32], properties[] = "provider=keccakprov";
    snprintf(digest, sizeof(digest), "%s", job->alg);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0),
                           OSSL_PARAM_construct_utf8_string("properties", properties, 0),
                           OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(job->libctx, "HMAC", "provider=default");
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    assert_non_null(ctx);
    bool good = hmac_twice(ctx, params, key, job->msg, out);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
    return good;
}
