/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What programs and the rest of libcrypto do with our digests: HMAC, key derivation, signatures,
 * walks over all digests, finals, unloading. */
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include "test.h"

static OSSL_LIB_CTX *libctx;

/* Programs walk over all digests with a 64-byte buffer. From 3.4, EVP itself refuses a SHAKE
 * without a length, and queues nothing. */
static void hash_listed(EVP_MD *md, void *count)
{
    uint8_t out[EVP_MAX_MD_SIZE + 32];
    unsigned outlen = 0;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md)), "keccakprov") != 0)
        return;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    memset(out, 0xa5, sizeof(out));
    assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, "abc", 3));
    if (EVP_DigestFinal_ex(ctx, out, &outlen))
        assert_in_range(outlen, 1, EVP_MAX_MD_SIZE);
    else
        assert_true(ERR_peek_error() != 0 ||
                    (test_host_at_least(3, 4) && EVP_MD_get_size(md) == 0));
    for (size_t i = outlen; i < sizeof(out); i++)
        assert_int_equal(out[i], 0xa5);
    ERR_clear_error();
    EVP_MD_CTX_free(ctx);
    (*(unsigned *)count)++;
}

static void test_every_listed(void **unused)
{
    unsigned count = 0;
    (void)unused;
    EVP_MD_do_all_provided(libctx, hash_listed, &count);
    assert_true(count >= 14); /* and test_walk knows which */
}

/* Returns the length of the tag; 0 if HMAC refuses. */
static size_t hmac(const char *digest, const char *provider, size_t keylen, uint8_t out[64])
{
    uint8_t key[256];
    size_t outlen = 0;
    char query[64];
    snprintf(query, sizeof(query), "provider=%s", provider);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)(uintptr_t)digest, 0),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_PROPERTIES, query, 0), OSSL_PARAM_END};
    test_ptn(key, sizeof(key));
    if (EVP_Q_mac(libctx, "HMAC", NULL, NULL, params, key, keylen, key, 200, out, 64, &outlen) ==
        NULL)
        return 0;
    return outlen;
}

/* RFC 2104 by hand. */
static void hmac_by_hand(const EVP_MD *md, size_t keylen, uint8_t out[64])
{
    uint8_t key[256], pad[256 + 64], inner[256 + 200];
    size_t block = (size_t)EVP_MD_get_block_size(md), size = (size_t)EVP_MD_get_size(md);
    memset(pad, 0, sizeof(pad));
    test_ptn(key, sizeof(key));
    if (keylen > block)
        assert_true(EVP_Digest(key, keylen, pad, NULL, md, NULL));
    else
        memcpy(pad, key, keylen);
    for (size_t i = 0; i < block; i++) {
        inner[i] = pad[i] ^ 0x36;
        pad[i] ^= 0x5c;
    }
    memcpy(inner + block, key, 200);
    assert_true(EVP_Digest(inner, block + 200, pad + block, NULL, md, NULL));
    assert_true(EVP_Digest(pad, block + size, out, NULL, md, NULL));
}

static void test_hmac(void **unused)
{
    static const char *const names[] = {"SHA3-224",   "SHA3-256",   "SHA3-384",   "SHA3-512",
                                        "KECCAK-224", "KECCAK-256", "KECCAK-384", "KECCAK-512"};
    (void)unused;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        EVP_MD *md = test_fetch(libctx, names[i]);
        size_t size = (size_t)EVP_MD_get_size(md);
        for (size_t keylen = 60; keylen <= 150; keylen++) { /* 143 to 146 for SHA3-224 */
            uint8_t got[64], expected[64];
            hmac_by_hand(md, keylen, expected);
            assert_int_equal(hmac(names[i], "keccakprov", keylen, got), size);
            assert_memory_equal(got, expected, size);
            size_t theirs = hmac(names[i], "default", keylen, got);
            assert_true(theirs == size || (theirs == 0 && names[i][0] == 'K'));
            assert_memory_equal(got, expected, size);
        }
        EVP_MD_free(md);
    }
    ERR_clear_error();
}

/* Whether a key derivation with the digest succeeds. */
static bool derives(const char *kdf_name, const char *digest)
{
    uint8_t out[32];
    char name[32], query[] = "provider=keccakprov", bytes[] = "sixteen bytes...";
    unsigned iterations = 1000;
    snprintf(name, sizeof(name), "%s", digest);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, name, 0),
                           OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_PROPERTIES, query, 0),
                           OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, bytes, 16),
                           OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, bytes, 16),
                           OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, bytes, 16),
                           OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &iterations),
                           OSSL_PARAM_END};
    EVP_KDF *kdf = EVP_KDF_fetch(libctx, kdf_name, NULL);
    EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
    bool derived = EVP_KDF_derive(ctx, out, sizeof(out), params) > 0;
    EVP_KDF_CTX_free(ctx);
    EVP_KDF_free(kdf);
    return derived;
}

/* Others crashed or divided by zero here; the XOF flag keeps them away. */
static void test_xofs_refused(void **unused)
{
    static const char *const xofs[] = {"SHAKE128",       "SHAKE256",       "CSHAKE-128",
                                       "CSHAKE-256",     "KECCAK-KMAC128", "KECCAK-KMAC256",
                                       "TURBOSHAKE-128", "TUPLEHASH-256"};
    uint8_t out[64];
    (void)unused;
    assert_true(derives("HKDF", "SHA3-256") && derives("PBKDF2", "SHA3-512"));
    for (size_t i = 0; i < sizeof(xofs) / sizeof(xofs[0]); i++) {
        assert_int_equal(hmac(xofs[i], "keccakprov", 20, out), 0);
        assert_false(derives("HKDF", xofs[i]) || derives("PBKDF2", xofs[i]));
    }
    ERR_clear_error();
}

/* Signing finishes a copy of the context, so that it can be asked twice. */
static void sign(const char *type, size_t bits)
{
    uint8_t sig[2][512], text[300];
    size_t siglen[2] = {512, 512};
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY *key = type[0] == 'R' ? EVP_PKEY_Q_keygen(libctx, NULL, type, bits)
                                   : EVP_PKEY_Q_keygen(libctx, NULL, type, "P-256");
    test_ptn(text, sizeof(text));
    assert_true(
        EVP_DigestSignInit_ex(ctx, NULL, "SHA3-256", libctx, "?provider=keccakprov", key, NULL));
    const OSSL_PROVIDER *prov = EVP_MD_get0_provider(EVP_MD_CTX_get0_md(ctx));
    assert_string_equal(OSSL_PROVIDER_get0_name(prov), "keccakprov");
    assert_true(EVP_DigestSignUpdate(ctx, text, sizeof(text)));
    for (size_t i = 0; i < 2; i++)
        assert_true(EVP_DigestSignFinal(ctx, sig[i], &siglen[i]));
    for (size_t i = 0; i < 2; i++) {
        assert_true(
            EVP_DigestVerifyInit_ex(ctx, NULL, "SHA3-256", libctx, "provider=default", key, NULL));
        assert_int_equal(EVP_DigestVerify(ctx, sig[i], siglen[i], text, sizeof(text)), 1);
    }
    EVP_PKEY_free(key);
    EVP_MD_CTX_free(ctx);
}

static void test_signatures(void **unused)
{
    (void)unused;
    sign("RSA", 2048);
    sign("EC", 0);
}

static bool hashes(OSSL_LIB_CTX *in, const char *name)
{
    static const uint8_t expected[] = {0x58, 0x81, 0x09, 0x2d, 0xd8, 0x18, 0xbf, 0x5c};
    uint8_t out[8];
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_MD *md = EVP_MD_fetch(in, name, "provider=keccakprov");
    bool good = md != NULL && EVP_DigestInit_ex2(ctx, md, NULL) &&
                EVP_DigestUpdate(ctx, "abc", 3) && EVP_DigestFinalXOF(ctx, out, sizeof(out)) &&
                memcmp(out, expected, sizeof(out)) == 0;
    EVP_MD_free(md);
    EVP_MD_CTX_free(ctx);
    return good;
}

static bool load_use_unload(void)
{
    OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
    OSSL_PROVIDER_set_default_search_path(own, MODULE_DIR);
    OSSL_PROVIDER *prov = OSSL_PROVIDER_load(own, "keccakprov");
    bool good = prov != NULL && hashes(own, "SHAKE128") && OSSL_PROVIDER_unload(prov);
    OSSL_LIB_CTX_free(own);
    return good;
}

/* A digest that is held keeps its provider alive; two handles are two references. */
static void test_unload(void **unused)
{
    uint8_t out[64];
    (void)unused;
    for (unsigned i = 0; i < 100; i++)
        assert_true(load_use_unload());
    OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
    assert_true(OSSL_PROVIDER_set_default_search_path(own, MODULE_DIR));
    OSSL_PROVIDER *first = OSSL_PROVIDER_load(own, "keccakprov");
    OSSL_PROVIDER *second = OSSL_PROVIDER_load(own, "keccakprov");
    EVP_MD *md = test_fetch(own, "SHA3-256");
    assert_true(OSSL_PROVIDER_unload(first));
    assert_true(hashes(own, "SHAKE128"));
    assert_true(OSSL_PROVIDER_unload(second));
    assert_true(EVP_Digest("abc", 3, out, NULL, md, NULL));
    assert_int_equal(out[0], 0x3a); /* 3a985da7... */
    EVP_MD_free(md);
    OSSL_LIB_CTX_free(own);
}

/* A final that is refused, or of no bytes, ends nothing with us; but from 3.5 EVP counts it as one
 * until the next init, and asks us no more. */
static void test_finals(void **unused)
{
    static const struct {
        const char *name;
        size_t size;
    } finals[] = {{"SHA3-256", 31}, {"SHAKE128", 0}};
    const int goes_on = !test_host_at_least(3, 5);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t out[32];
    (void)unused;
    for (size_t i = 0; i < sizeof(finals) / sizeof(finals[0]); i++) {
        EVP_MD *md = test_fetch(libctx, finals[i].name);
        assert_true(EVP_DigestInit_ex2(ctx, md, NULL));
        assert_int_equal(EVP_DigestFinalXOF(ctx, out, finals[i].size), finals[i].size == 0);
        assert_int_equal(EVP_DigestUpdate(ctx, "abc", 3), goes_on);
        assert_int_equal(EVP_DigestFinal_ex(ctx, out, NULL), goes_on);
        assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, "abc", 3));
        EVP_MD_free(md);
    }
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_listed), cmocka_unit_test(test_hmac),
        cmocka_unit_test(test_xofs_refused), cmocka_unit_test(test_signatures),
        cmocka_unit_test(test_unload),       cmocka_unit_test(test_finals),
    };
    test_begin();
    libctx = test_libctx();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    OSSL_LIB_CTX_free(libctx);
    return failed;
}
