/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The provider as EVP sees it, row by row of algorithms.inc: names, sizes, flags, lists, and what
 * loading it does to the default provider. */
#include <openssl/core_names.h>
#include "test.h"

/* The hosts column as a set of host generations: below 3.4, 3.4 to 3.6, from 4.0. */
enum { BEFORE_3_4 = 1, SINCE_3_4 = 6, BEFORE_4_0 = 3, SINCE_4_0 = 4, ANY_HOST = 7 };

struct row {
    const char *kind;
    size_t rate, size;
    unsigned hosts;
    const char *names;
};

static const struct row rows[] = {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) \
    {#kind, (1600 - (capacity)) / 8, size, hosts, names},
#include "../provider/algorithms.inc"
#undef ALGORITHM
};

static OSSL_LIB_CTX *both; /* ours first, then default */

static bool seen(const struct row *row)
{
    unsigned host = test_host_at_least(4, 0) ? 4 : test_host_at_least(3, 4) ? 2 : 1;
    return (row->hosts & host) != 0;
}

static bool is(const struct row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

/* Walks over the names of a row. */
struct cursor {
    const char *rest;
    char name[64];
};

static bool next_name(struct cursor *at)
{
    size_t n = strcspn(at->rest, ":");
    assert_true(n < sizeof(at->name));
    memcpy(at->name, at->rest, n);
    at->name[n] = '\0';
    at->rest += n + (at->rest[n] == ':');
    return n > 0;
}

#define EACH_NAME(row, at)                                                                 \
    for (const struct row *row = rows; row < rows + sizeof(rows) / sizeof(rows[0]); row++) \
        if (seen(row))                                                                     \
            for (struct cursor at = {row->names, ""}; next_name(&at);)

static OSSL_LIB_CTX *libctx_of(const char *first, const char *second)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    assert_true(OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR));
    assert_non_null(OSSL_PROVIDER_load(libctx, first));
    if (second != NULL)
        assert_non_null(OSSL_PROVIDER_load(libctx, second));
    assert_int_equal(ERR_peek_error(), 0);
    return libctx;
}

/* NULL, with a clean queue, where the host's default provider has no such digest. */
static EVP_MD *fetch_default(OSSL_LIB_CTX *libctx, const char *name)
{
    EVP_MD *md = EVP_MD_fetch(libctx, name, "provider=default");
    if (md == NULL)
        ERR_clear_error();
    return md;
}

static void test_every_name(void **unused)
{
    (void)unused;
    EACH_NAME(row, at)
    {
        unsigned long flags = (is(row, "DIGEST") ? 0 : EVP_MD_FLAG_XOF) |
                              (is(row, "KMAC_XOF") ? 0 : EVP_MD_FLAG_DIGALGID_ABSENT);
        EVP_MD *md = test_fetch(both, at.name);
        const char *first = EVP_MD_get0_name(md);
        assert_true(EVP_MD_is_a(md, at.name));
        assert_int_equal(strncmp(first, row->names, strlen(first)), 0);
        assert_int_equal(EVP_MD_get_block_size(md), row->rate);
        assert_int_equal(EVP_MD_get_size(md), row->size);
        assert_int_equal(EVP_MD_get_flags(md), flags);
        EVP_MD_free(md);
        /* Without a query the provider loaded first serves. */
        assert_non_null(md = EVP_MD_fetch(both, at.name, NULL));
        assert_string_equal(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md)), "keccakprov");
        EVP_MD_free(md);
        assert_null(EVP_MD_fetch(both, at.name, "fips=yes,provider=keccakprov"));
        ERR_clear_error();
    }
}

/* The keys of a list are exactly these. */
static void assert_keys(const OSSL_PARAM *list, const char *keys)
{
    char copy[128], *rest = copy;
    size_t wanted = 0, there = 0;
    snprintf(copy, sizeof(copy), "%s", keys);
    for (const char *key; (key = strsep(&rest, " ")) != NULL; wanted++)
        if (OSSL_PARAM_locate_const(list, key) == NULL)
            fail_msg("%s is not listed", key);
    while (list[there].key != NULL)
        there++;
    assert_int_equal(there, wanted);
}

/* What a digest says of itself, names sorted, and one answer, for which ML-DSA-MU wants a key. */
static void describe(const EVP_MD *md, char text[512])
{
    uint8_t out[64] = {0};
    struct test_names names = {{NULL}, 0};
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool xof = (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0;
    bool mute = EVP_MD_is_a(md, "ML-DSA-MU");
    assert_true(mute ||
                (EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, "abc", 3) &&
                 (xof ? EVP_DigestFinalXOF(ctx, out, 64) : EVP_DigestFinal_ex(ctx, out, NULL))));
    EVP_MD_CTX_free(ctx);
    int used = snprintf(text, 512, "block %d size %d flags %lx type %d", EVP_MD_get_block_size(md),
                        EVP_MD_get_size(md), EVP_MD_get_flags(md), EVP_MD_get_type(md));
    assert_true(EVP_MD_names_do_all(md, test_collect_name, &names));
    assert_in_range(names.count, 0, 16);
    used = test_append_names(&names, text, used, 301);
    for (size_t i = 0; i < sizeof(out); i++)
        used += snprintf(text + used, 512 - (size_t)used, "%02x", out[i]);
}

/* Each provider alone in its library context: otherwise the names would be pooled. */
static void test_equals_default(void **unused)
{
    OSSL_LIB_CTX *ours = libctx_of("keccakprov", NULL), *theirs = libctx_of("default", NULL);
    unsigned shared = 0;
    (void)unused;
    EACH_NAME(row, at)
    {
        char got[512], expected[512];
        EVP_MD *mine = test_fetch(ours, at.name), *md = fetch_default(theirs, at.name);
        if (md != NULL) {
            describe(mine, got);
            describe(md, expected);
            assert_string_equal(got, expected);
            shared++;
        }
        EVP_MD_free(md);
        EVP_MD_free(mine);
    }
    assert_true(shared >= 18); /* 3.0: four SHA3 with OIDs, two SHAKE with two more, two KMAC */
    test_libctx_free(ours);
    test_libctx_free(theirs);
}

/* One digest of default, described before ours was loaded and after. */
struct before {
    OSSL_LIB_CTX *after[2];
    unsigned count;
};

static void compare_name(const char *name, void *vbefore)
{
    char expected[512], got[512];
    struct before *before = vbefore;
    OSSL_LIB_CTX *alone = libctx_of("default", NULL);
    EVP_MD *md = fetch_default(alone, name);
    if (md != NULL)
        describe(md, expected);
    for (size_t i = 0; i < 2; i++) {
        EVP_MD *other = fetch_default(before->after[i], name);
        assert_true((md == NULL) == (other == NULL));
        if (md != NULL) {
            describe(other, got);
            assert_string_equal(got, expected);
        }
        EVP_MD_free(other);
    }
    EVP_MD_free(md);
    test_libctx_free(alone);
    assert_int_equal(ERR_peek_error(), 0);
    before->count++;
}

static void compare_digest(EVP_MD *md, void *before)
{
    assert_true(EVP_MD_names_do_all(md, compare_name, before));
}

/* Default's names, and ours that it lacks, mean the same whichever was loaded first. */
static void test_default_unchanged(void **unused)
{
    OSSL_LIB_CTX *alone = libctx_of("default", NULL);
    struct before before = {{libctx_of("default", NULL), libctx_of("keccakprov", "default")}, 0};
    (void)unused;
    EVP_MD_free(EVP_MD_fetch(before.after[0], "SHA3-256", NULL)); /* default's names are in use */
    assert_non_null(OSSL_PROVIDER_load(before.after[0], "keccakprov"));
    for (size_t i = 0; i < 2; i++)
        EACH_NAME(row, at)
        {
            EVP_MD_free(test_fetch(before.after[i], at.name));
        }
    assert_int_equal(ERR_peek_error(), 0);
    EVP_MD_do_all_provided(alone, compare_digest, &before);
    EACH_NAME(row, at)
    {
        compare_name(at.name, &before);
    }
    assert_true(before.count > 60);
    test_libctx_free(before.after[0]);
    test_libctx_free(before.after[1]);
    test_libctx_free(alone);
}

static void test_provider_params(void **unused)
{
    const char *name = NULL, *version = NULL, *buildinfo = NULL;
    int status = -1;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, &name, 0),
                           OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, &version, 0),
                           OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &buildinfo, 0),
                           OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_END};
    OSSL_LIB_CTX *libctx = libctx_of("default", NULL);
    OSSL_PROVIDER *ours = OSSL_PROVIDER_load(libctx, "keccakprov");
    (void)unused;
    assert_non_null(ours);
    assert_keys(OSSL_PROVIDER_gettable_params(ours), "name version buildinfo status");
    assert_true(OSSL_PROVIDER_get_params(ours, params));
    assert_non_null(strstr(name, "keccakprov"));
    assert_in_range(version[0], '0', '9');
    assert_int_equal(strncmp(buildinfo, "isa=auto -> ", 12), 0);
    assert_int_equal(status, 1);
    assert_true(OSSL_PROVIDER_self_test(ours));
    assert_int_equal(ERR_peek_error(), 0);
    test_libctx_free(libctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_name),
        cmocka_unit_test(test_equals_default),
        cmocka_unit_test(test_default_unchanged),
        cmocka_unit_test(test_provider_params),
    };
    test_begin();
    both = test_libctx();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    OSSL_LIB_CTX_free(both);
    return failed;
}
