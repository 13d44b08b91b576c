/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Allocations: how many, what happens when each of them fails, and what is given back. And contexts
 * that never were: NULL, zero-filled. */
#include "fakecore.h"

#define LONG_STRING 1000

static const char *const no_memory = "allocation failed";
static const char *const not_init = "context is not initialised, or its last initialisation failed";

static uint8_t text[2 * LONG_STRING];

static int set_strings(const struct digest *d, void *ctx, size_t n, size_t s)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("function-name", text, n),
                                 OSSL_PARAM_octet_string("customization", text + 1, s),
                                 OSSL_PARAM_END};
    return d->set_ctx_params(ctx, params);
}

/* cSHAKE of "x", 32 bytes; on a copy made by the caller. */
static bool is_hash_of(const struct digest *d, void *ctx, size_t n, size_t s)
{
    uint8_t got[32], expected[32];
    size_t outl = 0;
    void *other = d->newctx(fake.provctx);
    assert_true(d->init(other, NULL) && set_strings(d, other, n, s));
    assert_true(d->update(other, text, 1) && d->final(other, expected, &outl, 32));
    d->freectx(other);
    outl = 0;
    assert_true(d->update(ctx, text, 1) && d->final(ctx, got, &outl, 32));
    return memcmp(got, expected, 32) == 0;
}

static void fail_after(long allocations)
{
    fake_errors_clear();
    fake.allocations_left = allocations;
}

static void test_newctx_and_dup_fail(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        fail_after(0);
        assert_null(d.newctx(fake.provctx));
        fake_expect(no_memory);
        fail_after(-1);
        void *ctx = d.newctx(fake.provctx);
        assert_true(d.init(ctx, NULL));
        fail_after(0);
        assert_null(d.dupctx(ctx));
        fake_expect(no_memory);
        fail_after(-1);
        assert_true(d.update(ctx, text, 1));
        d.freectx(ctx);
    }
}

/* Each allocation of dup and of setting strings fails once; the source and the old strings live. */
static void test_strings_fail(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-128");
    (void)unused;
    for (long n = 0; n < 3; n++) {
        void *ctx = d.newctx(fake.provctx);
        assert_true(d.init(ctx, NULL) && set_strings(&d, ctx, 3, 4));
        fail_after(n);
        void *dup = d.dupctx(ctx);
        assert_null(dup);
        fake_expect(no_memory);
        if (n < 2) {
            fail_after(n);
            assert_false(set_strings(&d, ctx, LONG_STRING, LONG_STRING));
            fake_expect(no_memory);
        }
        fail_after(-1);
        assert_true(is_hash_of(&d, ctx, 3, 4));
        d.freectx(ctx);
    }
}

/* copyctx cannot report: the destination is dead and its old content gone. */
static void test_copy_fails(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-128");
    uint8_t out[32];
    size_t outl = 0;
    (void)unused;
    for (long n = 0; n < 2; n++) {
        void *src = d.newctx(fake.provctx), *dst = d.newctx(fake.provctx);
        assert_true(d.init(src, NULL) && set_strings(&d, src, LONG_STRING, LONG_STRING));
        assert_true(d.init(dst, NULL) && set_strings(&d, dst, 2, 2) && d.update(dst, text, 9));
        fail_after(n);
        d.copyctx(dst, src);
        fake_expect(no_memory);
        fail_after(-1);
        assert_false(d.update(dst, text, 1));
        fake_expect(not_init);
        assert_false(d.final(dst, out, &outl, 32));
        fake_expect(not_init);
        d.copyctx(dst, src); /* now there is memory */
        assert_true(is_hash_of(&d, dst, LONG_STRING, LONG_STRING));
        assert_true(is_hash_of(&d, src, LONG_STRING, LONG_STRING));
        d.freectx(src);
        d.freectx(dst);
    }
}

/* Copies between contexts whose strings differ in size, and what init makes of kept strings. */
static void test_copies_and_reinit(void **unused)
{
    static const size_t sizes[] = {0, 5, LONG_STRING, 6, 5, LONG_STRING - 1};
    const struct digest d = fake_digest("CSHAKE-128");
    void *src = d.newctx(fake.provctx), *dst = d.newctx(fake.provctx);
    (void)unused;
    for (size_t i = 0; i < 36; i++) {
        size_t n = sizes[i / 6], s = sizes[i % 6]; /* n stays while s changes */
        assert_true(d.init(src, NULL) && set_strings(&d, src, n, s));
        d.copyctx(dst, src);
        assert_true(is_hash_of(&d, dst, n, s));
        assert_true(is_hash_of(&d, src, n, s));
        void *dup = d.dupctx(dst);
        assert_true(d.init(dup, NULL) && set_strings(&d, dup, s, n));
        assert_true(is_hash_of(&d, dup, s, n));
        d.freectx(dup);
    }
    d.freectx(src);
    d.freectx(dst);
}

static void test_import_fails(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-128");
    uint8_t blob[2600];
    size_t length = sizeof(blob);
    (void)unused;
    void *src = d.newctx(fake.provctx), *dst = d.newctx(fake.provctx);
    assert_true(d.init(src, NULL) && set_strings(&d, src, LONG_STRING, LONG_STRING));
    assert_true(d.init(dst, NULL) && set_strings(&d, dst, 2, 2));
    assert_true(d.serialize(src, blob, &length));
    for (long n = 0; n < 2; n++) {
        fail_after(n);
        assert_false(d.deserialize(dst, blob, length));
        fake_expect(no_memory);
    }
    fail_after(-1);
    assert_true(is_hash_of(&d, dst, 2, 2));
    d.freectx(src);
    d.freectx(dst);
}

/* Between like contexts copyctx allocates nothing; nor does a digest beyond its context, nor a
 * re-init with strings that fit. */
static void test_counts(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        uint8_t out[64];
        size_t outl = 64, before = fake.allocations;
        void *src = d.newctx(fake.provctx), *dst = d.newctx(fake.provctx);
        assert_true(d.init(src, NULL) && d.update(src, text, sizeof(text)));
        d.copyctx(dst, src);
        assert_true(d.final(dst, out, &outl, 64));
        d.copyctx(dst, src);
        assert_int_equal(fake.allocations - before, 2);
        d.freectx(src);
        d.freectx(dst);
    }
    const struct digest d = fake_digest("CSHAKE-256");
    void *src = d.newctx(fake.provctx), *dst = d.newctx(fake.provctx);
    assert_true(d.init(src, NULL) && set_strings(&d, src, 30, LONG_STRING));
    d.copyctx(dst, src);
    size_t before = fake.allocations;
    d.copyctx(dst, src);
    for (size_t i = 0; i < 100; i++)
        assert_true(d.init(dst, NULL) && set_strings(&d, dst, i % 30, LONG_STRING - i));
    assert_int_equal(fake.allocations, before);
    d.freectx(src);
    d.freectx(dst);
}

/* NULL contexts, a context without init, and one of zeros, are refused; none crashes or hangs. */
static void test_no_context(void **unused)
{
    static uint64_t zeros[128];
    uint8_t out[64], blob[207];
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        void *fresh = d.newctx(fake.provctx);
        void *const contexts[] = {NULL, zeros, fresh};
        for (size_t c = 0; c < 3; c++) {
            size_t outl = 64, length = sizeof(blob);
            OSSL_PARAM get[] = {OSSL_PARAM_octet_string("state", blob, sizeof(blob)),
                                OSSL_PARAM_END};
            assert_false(d.update(contexts[c], text, 1));
            assert_false(d.update(contexts[c], NULL, 0));
            assert_false(d.final(contexts[c], out, &outl, 64));
            assert_true(d.squeeze == NULL || !d.squeeze(contexts[c], out, &outl, 64));
            assert_false(d.serialize(contexts[c], blob, &length));
            assert_false(d.deserialize(contexts[c], blob, length));
            assert_false(d.get_ctx_params(contexts[c], get));
            assert_false(d.set_ctx_params(contexts[c], get));
            assert_int_equal(fake.errors, c < 2 ? 0 : d.squeeze == NULL ? 7 : 8);
            fake_errors_clear();
        }
        assert_null(d.dupctx(NULL));
        d.copyctx(NULL, fresh);
        d.copyctx(fresh, NULL);
        assert_false(d.init(NULL, NULL));
        d.freectx(NULL);
        d.freectx(fresh);
        assert_null(d.newctx(NULL));
    }
}

/* Lengths that no buffer has, and NULL where there is something to read or write. */
static void test_pointers_and_lengths(void **unused)
{
    uint8_t out[64] = {0xcc};
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        size_t outl = 0;
        void *ctx = d.newctx(fake.provctx);
        assert_true(d.init(ctx, NULL) && d.update(ctx, text, 10));
        assert_false(d.update(ctx, NULL, 1));
        fake_expect("null pointer with a length above zero");
        assert_false(d.update(ctx, text, (size_t)PTRDIFF_MAX + 1));
        fake_expect("length too large");
        assert_false(d.update(ctx, text, SIZE_MAX - 9)); /* fill + length wraps */
        fake_expect("length too large");
        outl = 64;
        assert_false(d.final(ctx, NULL, &outl, 64));
        fake_expect("null pointer with a length above zero");
        if (d.squeeze != NULL) {
            assert_false(d.squeeze(ctx, NULL, &outl, 1));
            fake_expect("null pointer with a length above zero");
            assert_false(d.squeeze(ctx, out, &outl, SIZE_MAX));
            fake_expect("length too large");
            outl = SIZE_MAX - 1;
            assert_false(d.final(ctx, out, &outl, SIZE_MAX - 1));
            fake_expect("length too large");
        } else {
            assert_false(d.final(ctx, out, &outl, 27));
            fake_expect("output buffer too small");
        }
        assert_int_equal(out[0], 0xcc);
        outl = 64;
        assert_true(d.final(ctx, out, &outl, 64)); /* nothing was lost */
        out[0] = 0xcc;
        d.freectx(ctx);
    }
}

static int setup(void **unused)
{
    (void)unused;
    test_ptn(text, sizeof(text));
    return fake_load(MODULE, "3.5.0") ? 0 : -1;
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
        cmocka_unit_test(test_newctx_and_dup_fail), cmocka_unit_test(test_strings_fail),
        cmocka_unit_test(test_copies_and_reinit),   cmocka_unit_test(test_copy_fails),
        cmocka_unit_test(test_import_fails),        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_no_context),          cmocka_unit_test(test_pointers_and_lengths),
    };
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
