/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KMAC: allocations that fail, keys that must be gone, contexts that never were. */
#include "fakecore.h"

static const char *const no_memory = "allocation failed";

static struct mac m;
static uint8_t text[3000], answer[32]; /* of the context below */

static void expect(int got, const char *reason)
{
    assert_int_equal(got, reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

/* A copy of the context, with "abc" as its message. */
static void finish(void *ctx, uint8_t out[32])
{
    size_t outl = 0;
    void *copy = m.dupctx(ctx);
    expect(m.update(copy, (const uint8_t *)"abc", 3), NULL);
    expect(m.final(copy, out, &outl, 32), NULL);
    assert_int_equal(outl, 32);
    m.freectx(copy);
}

static void *new_context(void)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("custom", text, 9), OSSL_PARAM_END};
    void *ctx = m.newctx(fake.provctx);
    expect(m.init(ctx, text, 20, params), NULL);
    finish(ctx, answer);
    return ctx;
}

/* Key, custom and all are as they were. */
static void check_unchanged(void *ctx)
{
    uint8_t got[32];
    fake.allocations_left = -1;
    expect(m.init(ctx, NULL, 0, NULL), NULL);
    finish(ctx, got);
    assert_memory_equal(got, answer, 32);
    m.freectx(ctx);
}

static void test_dup_fails(void **unused)
{
    (void)unused;
    for (long n = 0; n < 3; n++) { /* the context, its key, its custom */
        void *ctx = new_context();
        fake.allocations_left = n;
        expect(m.dupctx(ctx) != NULL, no_memory);
        check_unchanged(ctx);
    }
    fake.allocations_left = 0;
    expect(m.newctx(fake.provctx) != NULL, no_memory);
    fake.allocations_left = -1;
}

static void test_params_fail(void **unused)
{
    size_t size = 9;
    int xof = 1;
    const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string("custom", text, 2000), OSSL_PARAM_octet_string("key", text, 2000),
        OSSL_PARAM_size_t("size", &size), OSSL_PARAM_int("xof", &xof), OSSL_PARAM_END};
    (void)unused;
    for (long n = 0; n < 2; n++)
        for (unsigned way = 0; way < 3; way++) {
            void *ctx = new_context();
            fake.allocations_left = n;
            expect(way == 0   ? m.set_ctx_params(ctx, params)
                   : way == 1 ? m.init(ctx, NULL, 0, params)
                              : m.init(ctx, text + 1, 1000, params),
                   no_memory);
            check_unchanged(ctx);
        }
}

/* A key that is replaced is gone, by a longer or a shorter one. */
static void test_wiped(void **unused)
{
    static const size_t sizes[] = {100, 20, 300, 0};
    uint8_t keys[4][300];
    void *ctx = m.newctx(fake.provctx);
    (void)unused;
    test_random_bytes(keys[0], sizeof(keys));
    for (size_t i = 0; i < 4; i++) {
        const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("key", keys[i], sizes[i]),
                                     OSSL_PARAM_END};
        expect(i % 2 == 0 ? m.init(ctx, keys[i], sizes[i], NULL) : m.set_ctx_params(ctx, params),
               NULL);
        assert_true(sizes[i] == 0 || fake_holds(keys[i], sizes[i]));
        for (size_t j = 0; j < i; j++)
            for (size_t at = 0; at + 8 <= sizes[j]; at++)
                assert_false(fake_holds(keys[j] + at, 8));
    }
    m.freectx(ctx);
}

/* No context, one of zeros and a new one are refused what needs an init. */
static void test_no_context(void **unused)
{
    static uint64_t zeros[128];
    uint8_t out[64];
    size_t outl;
    void *fresh = m.newctx(fake.provctx), *const contexts[] = {NULL, zeros, fresh};
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        assert_false(m.update(contexts[i], text, 1) || m.update(contexts[i], NULL, 0));
        assert_false(m.final(contexts[i], out, &outl, 64) || m.final(contexts[i], NULL, &outl, 0));
        assert_int_equal(fake.errors, i < 2 ? 0 : 4);
        fake_errors_clear();
    }
    assert_false(m.init(NULL, text, 3, NULL) || m.set_ctx_params(NULL, NULL) ||
                 m.get_ctx_params(NULL, NULL));
    assert_null(m.dupctx(NULL));
    assert_null(m.newctx(NULL));
    m.freectx(NULL);
    expect(m.init(fresh, text, 3, NULL), NULL);
    expect(m.update(fresh, NULL, 1), "null pointer with a length above zero");
    expect(m.update(fresh, text, SIZE_MAX - 9), "length too large");
    expect(m.final(fresh, NULL, NULL, 0), "null pointer with a length above zero");
    m.freectx(fresh);
}

static int setup(void **unused)
{
    (void)unused;
    test_ptn(text, sizeof(text));
    if (!fake_load(MODULE, "3.0.22"))
        return -1;
    m = fake_nth_mac(0);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    fake_unload();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dup_fails),
        cmocka_unit_test(test_params_fail),
        cmocka_unit_test(test_wiped),
        cmocka_unit_test(test_no_context),
    };
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
