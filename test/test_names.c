/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Names are pooled in a library context, for all operations and for ever: those of the default
 * provider, OIDs among them, and its answers stay what they are, whichever is loaded first,
 * preferred or not, and after ours is gone. test_walk has more on digests. */
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include "test.h"

#define LINES 1000
#define LINE 400

/* The default provider's algorithms, a line each: the operation, and all names, sorted. */
struct inventory {
    char line[LINES][LINE];
    size_t count;
};

static int by_line(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add(struct inventory *to, const char *operation, const OSSL_PROVIDER *prov,
                struct test_names *names)
{
    if (strcmp(OSSL_PROVIDER_get0_name(prov), "default") != 0)
        return;
    assert_true(to->count < LINES);
    char *line = to->line[to->count++];
    int used = snprintf(line, LINE, "%s", operation);
    test_append_names(names, line, used, LINE);
}

#define EACH_OPERATION(X) \
    X(MD)                 \
    X(MAC)                \
    X(KDF)                \
    X(RAND)               \
    X(CIPHER)             \
    X(KEYMGMT)            \
    X(KEYEXCH)            \
    X(SIGNATURE)          \
    X(ASYM_CIPHER)        \
    X(KEM)

#define ADD(OPERATION)                                                              \
    static void add_##OPERATION(EVP_##OPERATION *it, void *to)                      \
    {                                                                               \
        struct test_names names = {{NULL}, 0};                                      \
        assert_true(EVP_##OPERATION##_names_do_all(it, test_collect_name, &names)); \
        add(to, #OPERATION, EVP_##OPERATION##_get0_provider(it), &names);           \
    }
EACH_OPERATION(ADD)

static void take(OSSL_LIB_CTX *libctx, struct inventory *to)
{
    to->count = 0;
#define TAKE(OPERATION) EVP_##OPERATION##_do_all_provided(libctx, add_##OPERATION, to);
    EACH_OPERATION(TAKE)
    qsort(to->line, to->count, LINE, by_line);
    assert_int_equal(ERR_peek_error(), 0);
}

static void assert_same(OSSL_LIB_CTX *libctx, const struct inventory *expected)
{
    static struct inventory got;
    take(libctx, &got);
    for (size_t i = 0; i < expected->count && i < got.count; i++)
        assert_string_equal(got.line[i], expected->line[i]);
    assert_int_equal(got.count, expected->count);
}

/* An answer of default's MAC, where it takes a key of 32 bytes. */
static size_t mac_answer(EVP_MAC *mac, uint8_t out[256])
{
    static const uint8_t key[32] = {1, 2, 3};
    char digest[] = "SHA3-256", cipher[] = "AES-256-CBC";
    const OSSL_PARAM wanted[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 8),
                                 OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 11),
                                 OSSL_PARAM_END};
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    size_t n = 0;
    ERR_set_mark(); /* a wrong key, or no initialisation vector */
    if (!EVP_MAC_init(ctx, key, sizeof(key), wanted) || !EVP_MAC_update(ctx, key, 3) ||
        !EVP_MAC_final(ctx, out, &n, 256))
        n = 0;
    ERR_pop_to_mark();
    EVP_MAC_CTX_free(ctx);
    return n;
}

struct comparison {
    OSSL_LIB_CTX *libctx;
    unsigned answers;
};

static void compare_name(const char *name, void *vcomparison)
{
    struct comparison *to = vcomparison;
    uint8_t got[256], expected[256];
    OSSL_LIB_CTX *alone = OSSL_LIB_CTX_new();
    EVP_MAC *other = EVP_MAC_fetch(alone, name, "provider=default");
    EVP_MAC *mac = EVP_MAC_fetch(to->libctx, name, "provider=default");
    assert_non_null(mac);
    size_t n = mac_answer(other, expected);
    assert_int_equal(mac_answer(mac, got), n);
    assert_memory_equal(got, expected, n);
    to->answers += n > 0;
    EVP_MAC_free(mac);
    EVP_MAC_free(other);
    OSSL_LIB_CTX_free(alone);
}

static void compare_mac(EVP_MAC *mac, void *comparison)
{
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(mac)), "default") == 0)
        assert_true(EVP_MAC_names_do_all(mac, compare_name, comparison));
}

/* Who serves what both have, by each kind of name. */
static void assert_served(OSSL_LIB_CTX *libctx, const char *by)
{
    static const char *const digests[] = {"SHA3-256", "2.16.840.1.101.3.4.2.8", "SHAKE128",
                                          "SHAKE-128", "KECCAK-KMAC128"};
    static const char *const macs[] = {"KMAC128", "KMAC-256", "2.16.840.1.101.3.4.2.19"};
    for (size_t i = 0; i < 5; i++) {
        EVP_MD *md = EVP_MD_fetch(libctx, digests[i], NULL);
        assert_string_equal(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md)), by);
        EVP_MD_free(md);
    }
    for (size_t i = 0; i < 3; i++) {
        EVP_MAC *mac = EVP_MAC_fetch(libctx, macs[i], NULL);
        assert_string_equal(OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(mac)), by);
        EVP_MAC_free(mac);
    }
    assert_int_equal(ERR_peek_error(), 0);
}

static void pass(EVP_MD *md, void *unused)
{
    (void)md;
    (void)unused;
}

static void loaded(const struct inventory *before, bool ours_first, const char *preference)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    struct comparison comparison = {libctx, 0};
    OSSL_PROVIDER *prov[2];
    assert_true(OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR));
    for (size_t i = 0; i < 2; i++) {
        bool ours = (i == 0) == ours_first;
        assert_non_null(prov[ours] = OSSL_PROVIDER_load(libctx, ours ? "keccakprov" : "default"));
        EVP_MD_do_all_provided(libctx, pass, NULL); /* its names are in the pool */
    }
    assert_true(preference == NULL || EVP_set_default_properties(libctx, preference));
    assert_served(libctx, ours_first || preference != NULL ? "keccakprov" : "default");
    assert_same(libctx, before);
    EVP_MAC_do_all_provided(libctx, compare_mac, &comparison);
    assert_true(comparison.answers >= 10); /* six names of KMAC, HMAC, CMAC, BLAKE2, Poly1305 */
    assert_true(OSSL_PROVIDER_unload(prov[1]));
    assert_same(libctx, before);
    OSSL_PROVIDER_unload(prov[0]);
    OSSL_LIB_CTX_free(libctx);
    assert_int_equal(ERR_peek_error(), 0);
}

static void test_unchanged(void **unused)
{
    static struct inventory before;
    OSSL_LIB_CTX *alone = OSSL_LIB_CTX_new();
    (void)unused;
    take(alone, &before);
    assert_true(before.count > 150);
    for (unsigned i = 0; i < 4; i++)
        loaded(&before, i % 2 != 0, i < 2 ? NULL : "?provider=keccakprov");
    OSSL_LIB_CTX_free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unchanged)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
