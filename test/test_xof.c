/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The parameter xof of TupleHash, which chooses the variant that hashes no output length: what it
 * takes, where it goes, and states that lie about it. */
#include "fakecore.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

static struct digest d;

static void expect(int got, const char *reason)
{
    assert_int_equal(got, reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static void set(void *ctx, const char *key, size_t value)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t(key, &value), OSSL_PARAM_END};
    expect(d.set_ctx_params(ctx, params), NULL);
}

static size_t xof_of(void *ctx)
{
    size_t value = 99;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t("xof", &value), OSSL_PARAM_END};
    assert_true(d.get_ctx_params(ctx, params));
    return value;
}

static void *fresh(void)
{
    void *ctx = d.newctx(fake.provctx);
    expect(d.init(ctx, NULL), NULL);
    return ctx;
}

static const double one = 1.0;
static const struct {
    unsigned type;
    const void *data;
    size_t size;
    size_t expected; /* 2: refused */
} values[] = {
    {OSSL_PARAM_INTEGER, BYTES(1, 0, 0, 0), 4, 1},
    {OSSL_PARAM_INTEGER, BYTES(0, 0, 0, 0, 0, 0, 0, 0), 8, 0},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(1), 1, 1},
    {OSSL_PARAM_REAL, &one, 8, 1},
    {OSSL_PARAM_INTEGER, BYTES(2, 0, 0, 0), 4, 2},
    {OSSL_PARAM_INTEGER, BYTES(255, 255, 255, 255), 4, 2},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0, 1), 2, 2},
    {OSSL_PARAM_INTEGER, NULL, 4, 2},
    {OSSL_PARAM_UTF8_STRING, "1", 1, 2},
    {OSSL_PARAM_OCTET_STRING, BYTES(1), 1, 2},
};

static void test_values(void **unused)
{
    void *ctx = fresh();
    (void)unused;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        for (size_t old = 0; old < 2; old++) {
            bool good = values[i].expected < 2;
            const OSSL_PARAM params[] = {
                {"xof", values[i].type,
                 (void *)(uintptr_t)test_data(values[i].type, values[i].data, values[i].size),
                 values[i].size, 0},
                OSSL_PARAM_END};
            set(ctx, "xof", old);
            expect(d.set_ctx_params(ctx, params), good ? NULL : "xof is 0 or 1");
            assert_int_equal(xof_of(ctx), good ? values[i].expected : old);
        }
    d.freectx(ctx);
}

/* Copies and states have it; init ends it. */
static void test_carried(void **unused)
{
    uint8_t blob[216];
    size_t size = sizeof(blob);
    int on = 1;
    void *ctx = fresh(), *copy = fresh(), *restored = fresh();
    (void)unused;
    assert_int_equal(xof_of(ctx), 0);
    set(ctx, "xof", 1);
    void *dup = d.dupctx(ctx);
    d.copyctx(copy, ctx);
    expect(d.serialize(ctx, blob, &size), NULL);
    expect(d.deserialize(restored, blob, size), NULL);
    const OSSL_PARAM both[] = {OSSL_PARAM_octet_string("state", blob, size),
                               OSSL_PARAM_int("xof", &on), OSSL_PARAM_END};
    expect(d.set_ctx_params(ctx, both), "state does not go together with other parameters");
    assert_int_equal(xof_of(dup) + xof_of(copy) + xof_of(restored), 3);
    expect(d.init(ctx, NULL), NULL);
    assert_int_equal(xof_of(ctx), 0);
    d.freectx(ctx);
    d.freectx(dup);
    d.freectx(copy);
    d.freectx(restored);
}

/* Lengths without an encoding are refused before anything is hashed; the variant needs none. */
static void test_huge_length(void **unused)
{
    uint8_t out[64], expected[64];
    size_t outl = 0, huge = TEST_STRING_LIMIT;
    (void)unused;
    if (huge > PTRDIFF_MAX)
        skip(); /* 32 bits: no such length can be set */
    void *ctx = fresh(), *other = fresh();
    set(ctx, "xoflen", TEST_STRING_LIMIT);
    expect(d.squeeze(ctx, out, &outl, 1), "length too large");
    expect(d.final(ctx, out, &outl, 64), "length too large");
    expect(d.final(ctx, out, &huge, TEST_STRING_LIMIT), "length too large"); /* FinalXOF */
    expect(d.final(ctx, out, &outl, 64), NULL);
    outl = 0;
    expect(d.final(other, expected, &outl, 64), NULL);
    assert_memory_equal(out, expected, 64);
    expect(d.init(ctx, NULL), NULL);
    set(ctx, "xoflen", TEST_STRING_LIMIT - 1);
    expect(d.squeeze(ctx, out, &outl, 1), NULL);
    expect(d.init(ctx, NULL), NULL);
    set(ctx, "xoflen", TEST_STRING_LIMIT);
    set(ctx, "xof", 1);
    expect(d.squeeze(ctx, out, &outl, 1), NULL);
    d.freectx(ctx);
    d.freectx(other);
}

/* Behind the header of a state: xof, and what is left to squeeze. */
static void test_hostile_states(void **unused)
{
    enum { AT_DIRECTION = 206, AT_XOF, AT_LEFT, SIZE = AT_LEFT + 8 };
    uint8_t blob[SIZE], out[20];
    size_t size = SIZE, outl;
    void *ctx = fresh();
    (void)unused;
    expect(d.squeeze(ctx, out, &outl, 20), NULL);
    expect(d.serialize(ctx, blob, &size), NULL);
    assert_int_equal(size, SIZE);
    assert_int_equal(blob[AT_XOF], 0);
    assert_memory_equal(blob + AT_LEFT, BYTES(44, 0, 0, 0, 0, 0, 0, 0), 8);
    for (unsigned i = 0; i < 2 * 4 * 8 * 256; i++) {
        unsigned value = i % 256, at = AT_LEFT + i / 256 % 8;
        unsigned xof = i / 2048 % 4, direction = i / 8192;
        bool small = (uint64_t)value << 8 * (at - AT_LEFT) < TEST_STRING_LIMIT;
        bool good = value == 0 ? xof < 2 : xof == 0 && direction == 1 && small;
        blob[AT_DIRECTION] = (uint8_t)direction;
        blob[AT_XOF] = (uint8_t)xof;
        memset(blob + AT_LEFT, 0, 8);
        blob[at] = (uint8_t)value;
        expect(d.init(ctx, NULL), NULL);
        expect(d.deserialize(ctx, blob, SIZE), good ? NULL : "saved state is corrupt");
    }
    d.freectx(ctx);
}

static int setup(void **unused)
{
    (void)unused;
    if (!fake_load(MODULE, "3.3.0"))
        return -1;
    d = fake_digest("TUPLEHASH-256");
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
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_carried),
        cmocka_unit_test(test_huge_length),
        cmocka_unit_test(test_hostile_states),
    };
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
