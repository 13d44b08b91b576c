/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Key derivation from KMAC: libcrypto's SSKDF and KBKDF on our KMAC give what they give on the
 * default provider's, where the host lets them. */
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include "test.h"

#define OUT_MAX 1000

static OSSL_LIB_CTX *both, *theirs;
static uint8_t text[400];

/* What goes into a derivation. */
struct setting {
    const char *kdf, *mac;
    size_t keylen, saltlen, infolen, outlen;
};

static bool derive(EVP_KDF_CTX *ctx, const struct setting *s, const char *properties, uint8_t *out)
{
    OSSL_PARAM params[8], *p = params;
    char digest[] = "SHA3-256";
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MAC, (char *)(uintptr_t)s->mac, 0);
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_PROPERTIES,
                                            (char *)(uintptr_t)properties, 0);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, text, s->keylen);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, text + 1, s->infolen);
    if (s->saltlen > 0)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, text + 2, s->saltlen);
    if (s->mac[0] == 'H')
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0);
    *p = OSSL_PARAM_construct_end();
    return EVP_KDF_derive(ctx, out, s->outlen, params) > 0;
}

static EVP_KDF_CTX *new_kdf(OSSL_LIB_CTX *libctx, const char *name)
{
    EVP_KDF *kdf = EVP_KDF_fetch(libctx, name, "provider=default");
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    EVP_KDF_free(kdf);
    assert_non_null(ctx);
    return ctx;
}

/* Ours derives as the other does, again and again; returns whether they can. */
static bool compare(EVP_KDF_CTX *ours, EVP_KDF_CTX *other, const struct setting *s)
{
    uint8_t got[OUT_MAX], expected[OUT_MAX];
    EVP_KDF_CTX_reset(ours); /* of an earlier salt */
    EVP_KDF_CTX_reset(other);
    bool can = derive(other, s, "provider=default", expected);
    for (unsigned i = 0; i < 3; i++) {
        memset(got, 0, s->outlen);
        assert_int_equal(derive(ours, s, "provider=keccakprov", got), can);
        if (can)
            assert_memory_equal(got, expected, s->outlen);
        if (i == 1)
            EVP_KDF_CTX_reset(ours);
    }
    ERR_clear_error();
    return can;
}

static unsigned compare_many(const char *kdf, const char *mac)
{
    static const size_t lengths[] = {1, 20, 31, 32, 33, 64, 168, 1000};
    EVP_KDF_CTX *ours = new_kdf(both, kdf), *other = new_kdf(theirs, kdf);
    unsigned derived = 0;
    for (size_t i = 0; i < 8; i++)
        for (size_t salt = 0; salt < 2; salt++) {
            struct setting s = {kdf, mac, 16 + 5 * i, salt * (8 + 40 * i), 3 * i, lengths[i]};
            derived += compare(ours, other, &s);
        }
    EVP_KDF_CTX_free(ours);
    EVP_KDF_CTX_free(other);
    return derived;
}

static void test_sskdf(void **unused)
{
    (void)unused;
    assert_int_equal(compare_many("SSKDF", "KMAC128"), 16);
    assert_int_equal(compare_many("SSKDF", "KMAC256"), 16);
}

/* OpenSSL 3.0's refuses any KMAC. */
static void test_kbkdf(void **unused)
{
    bool old = OPENSSL_version_major() == 3 && OPENSSL_version_minor() == 0;
    (void)unused;
    assert_int_equal(compare_many("KBKDF", "KMAC128"), old ? 0 : 16);
    assert_int_equal(compare_many("KBKDF", "KMAC256"), old ? 0 : 16);
}

/* One context: KMAC, then HMAC (others' was stuck with KMAC), then KMAC again. */
static void test_change(void **unused)
{
    static const char *const macs[] = {"KMAC128", "HMAC", "KMAC256", "KMAC128"};
    (void)unused;
    for (size_t k = 0; k < 2; k++) {
        const char *kdf = k == 0 ? "SSKDF" : "KBKDF";
        EVP_KDF_CTX *ours = new_kdf(both, kdf);
        for (size_t i = 0; i < 4; i++) {
            struct setting s = {kdf, macs[i], 20, 9, 10, 40};
            EVP_KDF_CTX *other = new_kdf(theirs, kdf);
            uint8_t got[40], expected[40];
            bool can = derive(other, &s, "provider=default", expected);
            const char *query = macs[i][0] == 'H' ? "?provider=keccakprov" : "provider=keccakprov";
            assert_int_equal(derive(ours, &s, query, got), can);
            if (can)
                assert_memory_equal(got, expected, 40);
            EVP_KDF_CTX_free(other);
        }
        EVP_KDF_CTX_free(ours);
    }
    ERR_clear_error();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sskdf),
        cmocka_unit_test(test_kbkdf),
        cmocka_unit_test(test_change),
    };
    test_begin();
    test_ptn(text, sizeof(text));
    both = test_libctx();
    theirs = OSSL_LIB_CTX_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    OSSL_LIB_CTX_free(both);
    OSSL_LIB_CTX_free(theirs);
    return failed;
}
