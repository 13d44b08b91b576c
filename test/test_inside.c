/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What of the default provider is made of these digests and is out of reach of the openssl program
 * (routes.sh has the rest): by itself, and again where ours are preferred, with the same answers.
 * That ours did the work is seen by the counter of counting.c. */
#include <dlfcn.h>
#include <openssl/core_names.h>
#include "test.h"

#define OUT 700

static OSSL_LIB_CTX *alone, *preferred;
static _Atomic uint64_t *permutations;
static uint8_t text[3000];

/* One answer of the default provider in this library context; its length, 0 if there is none. */
typedef size_t answer_fn(OSSL_LIB_CTX *libctx, const void *setting, uint8_t out[OUT]);

static void compare(answer_fn *answer, const void *setting)
{
    uint8_t expected[OUT] = {0}, got[OUT] = {0};
    uint64_t before = *permutations;
    size_t n = answer(alone, setting, expected);
    assert_in_range(n, 1, OUT);
    assert_int_equal(*permutations, before);
    assert_int_equal(answer(preferred, setting, got), n);
    assert_memory_equal(got, expected, OUT);
    assert_true(*permutations > before);
    assert_int_equal(ERR_peek_error(), 0);
}

/* A generator of SP 800-90A on a source whose entropy is known. */
struct generator {
    char name[16], digest[16];
};

static EVP_RAND_CTX *new_rand(OSSL_LIB_CTX *libctx, const char *name, EVP_RAND_CTX *parent)
{
    EVP_RAND *rand = EVP_RAND_fetch(libctx, name, NULL);
    EVP_RAND_CTX *ctx = EVP_RAND_CTX_new(rand, parent);
    EVP_RAND_free(rand);
    assert_non_null(ctx);
    return ctx;
}

static size_t draw(OSSL_LIB_CTX *libctx, const void *setting, uint8_t out[OUT])
{
    struct generator g = *(const struct generator *)setting;
    unsigned strength = 256;
    char query[] = "?provider=keccakprov", mac[] = "HMAC";
    const OSSL_PARAM source[] = {OSSL_PARAM_uint(OSSL_RAND_PARAM_STRENGTH, &strength),
                                 OSSL_PARAM_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, text, 2000),
                                 OSSL_PARAM_octet_string(OSSL_RAND_PARAM_TEST_NONCE, text, 100),
                                 OSSL_PARAM_END};
    const OSSL_PARAM params[] = {OSSL_PARAM_utf8_string(OSSL_DRBG_PARAM_MAC, mac, 4),
                                 OSSL_PARAM_utf8_string("digest", g.digest, strlen(g.digest)),
                                 OSSL_PARAM_utf8_string("properties", query, sizeof(query) - 1),
                                 OSSL_PARAM_END};
    EVP_RAND_CTX *seed = new_rand(libctx, "TEST-RAND", NULL);
    EVP_RAND_CTX *drbg = new_rand(libctx, g.name, seed);
    assert_true(EVP_RAND_instantiate(seed, strength, 0, NULL, 0, source));
    assert_true(EVP_RAND_instantiate(drbg, 128, 0, text + 7, 20, params));
    assert_true(EVP_RAND_generate(drbg, out, 300, 128, 0, NULL, 0));
    assert_true(EVP_RAND_reseed(drbg, 0, NULL, 0, text, 33));
    assert_true(EVP_RAND_generate(drbg, out + 300, 400, 128, 0, text, 200));
    EVP_RAND_CTX_free(drbg);
    EVP_RAND_CTX_free(seed);
    return 700;
}

static void test_drbg(void **unused)
{
    static const char *const digests[] = {"SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"};
    (void)unused;
    for (size_t i = 0; i < 8; i++) {
        struct generator g;
        snprintf(g.name, sizeof(g.name), "%s", i < 4 ? "HASH-DRBG" : "HMAC-DRBG");
        snprintf(g.digest, sizeof(g.digest), "%s", digests[i % 4]);
        compare(draw, &g);
    }
}

/* cSHAKE of OpenSSL 4.0 is SHAKE without strings, else CSHAKE-KECCAK; ML-DSA-MU is SHAKE256. */
struct message {
    const char *name;
    OSSL_PARAM params[4];
    size_t inlen, outlen;
};

static size_t hash(OSSL_LIB_CTX *libctx, const void *setting, uint8_t out[OUT])
{
    const struct message *m = setting;
    EVP_MD *md = EVP_MD_fetch(libctx, m->name, "provider=default");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    unsigned n = (unsigned)m->outlen;
    assert_true(EVP_DigestInit_ex2(ctx, md, m->params));
    assert_true(EVP_DigestUpdate(ctx, text, m->inlen / 2) && EVP_MD_CTX_copy_ex(copy, ctx));
    assert_true(EVP_DigestUpdate(copy, text, m->inlen - m->inlen / 2));
    assert_true((EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0
                    ? EVP_DigestFinalXOF(copy, out, m->outlen)
                    : EVP_DigestFinal_ex(copy, out, &n));
    EVP_MD_CTX_free(ctx);
    EVP_MD_CTX_free(copy);
    EVP_MD_free(md);
    return n;
}

static void test_cshake(void **unused)
{
    static char functions[][16] = {"", "KMAC", "TupleHash", "ParallelHash"};
    static char customs[][32] = {"", "Email Signature"};
    (void)unused;
    if (!test_host_at_least(4, 0))
        skip();
    for (size_t i = 0; i < 64; i++) {
        struct message m = {
            i % 2 == 0 ? "CSHAKE-128" : "CSHAKE-256",
            {OSSL_PARAM_construct_utf8_string("function-name", functions[i / 2 % 4], 0),
             OSSL_PARAM_construct_utf8_string("customization", customs[i / 8 % 2], 0),
             OSSL_PARAM_construct_end()},
            i / 16 * 123,
            1 + i * 11};
        compare(hash, &m);
    }
}

static void test_ml_dsa_mu(void **unused)
{
    static const size_t keys[] = {1312, 1952, 2592}; /* ML-DSA-44, -65 and -87 */
    (void)unused;
    if (!test_host_at_least(4, 0))
        skip();
    for (size_t i = 0; i < 6; i++) {
        struct message m = {"ML-DSA-MU",
                            {OSSL_PARAM_construct_octet_string("pub", text, keys[i / 2]),
                             OSSL_PARAM_construct_octet_string("context-string", text, i % 2 * 255),
                             OSSL_PARAM_construct_end()},
                            1000,
                            64};
        compare(hash, &m);
    }
}

/* ML-KEM with the random bytes of encapsulation given; the message sealed by one is opened by the
 * other. */
struct sealed {
    const char *name;
    uint8_t secret[2][32], message[2][1600];
    size_t length[2];
};

static EVP_PKEY *ml_kem_key(OSSL_LIB_CTX *libctx, const char *name)
{
    EVP_PKEY *key = NULL;
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("seed", text, 64), OSSL_PARAM_END};
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libctx, name, NULL);
    assert_true(EVP_PKEY_keygen_init(ctx) > 0 && EVP_PKEY_CTX_set_params(ctx, params) > 0);
    assert_true(EVP_PKEY_generate(ctx, &key) > 0);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static void seal(OSSL_LIB_CTX *libctx, struct sealed *s, size_t by)
{
    size_t n = 32;
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("ikme", text + 99, 32), OSSL_PARAM_END};
    EVP_PKEY *key = ml_kem_key(libctx, s->name);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(libctx, key, NULL);
    s->length[by] = sizeof(s->message[by]);
    assert_true(EVP_PKEY_encapsulate_init(ctx, params) > 0);
    assert_true(EVP_PKEY_encapsulate(ctx, s->message[by], &s->length[by], s->secret[by], &n) > 0);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
}

static void open_sealed(OSSL_LIB_CTX *libctx, const struct sealed *s, size_t by)
{
    uint8_t secret[32];
    size_t n = 32;
    EVP_PKEY *key = ml_kem_key(libctx, s->name);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(libctx, key, NULL);
    assert_true(EVP_PKEY_decapsulate_init(ctx, NULL) > 0);
    assert_true(EVP_PKEY_decapsulate(ctx, secret, &n, s->message[by], s->length[by]) > 0);
    assert_memory_equal(secret, s->secret[by], 32);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
}

static void test_ml_kem(void **unused)
{
    static const char *const names[] = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"};
    (void)unused;
    if (!test_host_at_least(3, 5))
        skip();
    for (size_t i = 0; i < 3; i++) {
        static struct sealed s;
        uint64_t before = *permutations;
        s.name = names[i];
        seal(alone, &s, 0);
        assert_int_equal(*permutations, before);
        seal(preferred, &s, 1);
        assert_true(*permutations > before);
        assert_int_equal(s.length[0], s.length[1]);
        assert_memory_equal(s.message[0], s.message[1], s.length[0]);
        assert_memory_equal(s.secret[0], s.secret[1], 32);
        open_sealed(alone, &s, 1);
        open_sealed(preferred, &s, 0);
    }
}

/* The copy that counts is preferred; it counts the portable kernel, so no CPU feature may be used.
 */
static void load(void)
{
    alone = OSSL_LIB_CTX_new();
    preferred = OSSL_LIB_CTX_new();
    setenv("OPENSSL_ia32cap", ":0", 1); /* libcrypto has read it already */
    assert_non_null(OSSL_PROVIDER_load(alone, "default"));
    assert_non_null(OSSL_PROVIDER_load(preferred, "default"));
    assert_non_null(OSSL_PROVIDER_load(preferred, COUNTING_MODULE));
    assert_true(EVP_set_default_properties(preferred, "?provider=keccakprov"));
    permutations = dlsym(dlopen(COUNTING_MODULE, RTLD_NOW), "keccakprov_permutations");
    assert_non_null(permutations);
    test_random_bytes(text, sizeof(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drbg),
        cmocka_unit_test(test_cshake),
        cmocka_unit_test(test_ml_dsa_mu),
        cmocka_unit_test(test_ml_kem),
    };
    test_begin();
    load();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_libctx_free(alone);
    test_libctx_free(preferred);
    return failed;
}
