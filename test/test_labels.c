/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * cSHAKE's kept prefix belongs to the strings that label it, whatever else happened to a context:
 * each test ends with an answer that a wrong or stale label would change. */
#include "fakecore.h"

static struct digest d;

/* What a used context does with these strings (NULL: not set) is what a new one does. */
static void assert_like_new(void *used, const char *n, const char *s)
{
    OSSL_PARAM params[3] = {OSSL_PARAM_END, OSSL_PARAM_END, OSSL_PARAM_END};
    uint8_t out[2][32];
    size_t count = 0, outl = 32;
    if (n != NULL)
        params[count++] =
            (OSSL_PARAM)OSSL_PARAM_utf8_string("function-name", (char *)(uintptr_t)n, strlen(n));
    if (s != NULL)
        params[count++] =
            (OSSL_PARAM)OSSL_PARAM_utf8_string("customization", (char *)(uintptr_t)s, strlen(s));
    void *ctx[2] = {used, d.newctx(fake.provctx)};
    for (size_t i = 0; i < 2; i++, outl = 32)
        assert_true(d.init(ctx[i], params) && d.final(ctx[i], out[i], &outl, 32));
    assert_memory_equal(out[0], out[1], 32);
    d.freectx(ctx[1]);
}

static void *begin(const char *n, const char *s)
{
    void *ctx = d.newctx(fake.provctx);
    assert_like_new(ctx, n, s);
    return ctx;
}

/* A state of other strings, of which one is the same, replaces the label. */
static void test_import(void **unused)
{
    static const char *const pairs[][2] = {{"B", "S"}, {"A", "T"}, {"B", "T"}};
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        const char *n = pairs[i][0], *s = pairs[i][1];
        void *ctx = begin("A", "S"), *other = d.newctx(fake.provctx);
        uint8_t blob[500];
        size_t size = sizeof(blob);
        assert_true(d.init(other, NULL));
        assert_true(fake_set_octets(&d, other, "function-name", (uint8_t *)(uintptr_t)n, 1));
        assert_true(fake_set_octets(&d, other, "customization", (uint8_t *)(uintptr_t)s, 1));
        assert_true(d.serialize(other, blob, &size));
        assert_true(d.init(ctx, NULL) && d.deserialize(ctx, blob, size));
        assert_like_new(ctx, n, s);
        d.freectx(ctx);
        d.freectx(other);
    }
}

static void test_copy_without_strings(void **unused)
{
    void *ctx = begin("N", "S"), *other = begin("M", "T"), *plain = begin(NULL, NULL);
    uint8_t out[3][32];
    (void)unused;
    assert_true(d.init(ctx, NULL) && d.init(plain, NULL));
    void *all[] = {d.dupctx(ctx), other, plain};
    d.copyctx(other, ctx);
    for (size_t i = 0; i < 3; i++) {
        size_t outl = 32;
        assert_true(d.final(all[i], out[i], &outl, 32));
        assert_memory_equal(out[i], out[0], 32);
        d.freectx(all[i]);
    }
    d.freectx(ctx);
}

/* The copy of N succeeds, that of S does not. */
static void test_failed_copy(void **unused)
{
    void *src = begin("a longer N", "a longer S"), *dst = begin("N", "S");
    (void)unused;
    fake.allocations_left = 1;
    d.copyctx(dst, src);
    fake.allocations_left = -1;
    fake_expect("allocation failed");
    assert_like_new(dst, "a longer N", "");
    d.freectx(src);
    d.freectx(dst);
}

static void test_failed_set(void **unused)
{
    uint8_t before[500], after[500];
    size_t n = sizeof(before), m = sizeof(after);
    const OSSL_PARAM params[] = {OSSL_PARAM_utf8_string("function-name", "a longer N", 10),
                                 OSSL_PARAM_utf8_string("customization", "a longer S", 10),
                                 OSSL_PARAM_END};
    void *ctx = begin("N", "S");
    (void)unused;
    assert_true(d.init(ctx, NULL));
    assert_true(fake_set_octets(&d, ctx, "function-name", (uint8_t *)(uintptr_t) "N", 1));
    assert_true(fake_set_octets(&d, ctx, "customization", (uint8_t *)(uintptr_t) "S", 1));
    assert_true(d.serialize(ctx, before, &n));
    fake.allocations_left = 1;
    assert_false(d.set_ctx_params(ctx, params));
    fake.allocations_left = -1;
    fake_expect("allocation failed");
    assert_true(d.serialize(ctx, after, &m));
    assert_int_equal(n, m);
    assert_memory_equal(before, after, n);
    d.freectx(ctx);
}

/* Without strings, not set or set to nothing, cSHAKE is SHAKE (SP 800-185 §3.3). */
static void test_no_strings(void **unused)
{
    const struct digest shake = fake_digest("SHAKE-128");
    const OSSL_PARAM empty[] = {OSSL_PARAM_utf8_string("function-name", (char *)"", 0),
                                OSSL_PARAM_utf8_string("customization", (char *)"", 0),
                                OSSL_PARAM_END};
    uint8_t in[400], out[3][200];
    (void)unused;
    test_random_bytes(in, sizeof(in));
    for (size_t n = 0; n <= sizeof(in); n++) {
        for (size_t i = 0; i < 3; i++) {
            const struct digest *of = i == 0 ? &shake : &d;
            size_t outl = sizeof(out[i]);
            void *ctx = of->newctx(fake.provctx);
            assert_true(of->init(ctx, i == 2 ? empty : NULL) && of->update(ctx, in, n));
            assert_true(of->final(ctx, out[i], &outl, outl));
            of->freectx(ctx);
        }
        assert_memory_equal(out[0], out[1], sizeof(out[0]));
        assert_memory_equal(out[0], out[2], sizeof(out[0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_import),      cmocka_unit_test(test_copy_without_strings),
        cmocka_unit_test(test_failed_copy), cmocka_unit_test(test_failed_set),
        cmocka_unit_test(test_no_strings),
    };
    test_begin();
    assert_true(fake_load(MODULE, "4.0.0"));
    d = fake_digest("CSHAKE-128");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fake_unload();
    return failed;
}
