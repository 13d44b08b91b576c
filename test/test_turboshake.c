/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * TurboSHAKE's domain byte: when it can be set, to what, and where it goes. Its bytes are with the
 * known answers; what it shares with every XOF, in the tests of all. */
#include "fakecore.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

static const char *const bad_domain = "domain-separator is a number from 0x01 to 0x7f";
static const char *const late = "domain-separator comes before output begins";

static struct digest d;
static uint8_t input[400];

static OSSL_PARAM make(const char *key, unsigned type, const void *data, size_t size)
{
    return (OSSL_PARAM){key, type, (void *)(uintptr_t)data, size, OSSL_PARAM_UNMODIFIED};
}

#define NUMBER(key, n) make(key, OSSL_PARAM_UNSIGNED_INTEGER, BYTES(n), 1)

/* Sets one parameter; NULL expects success. */
static void set_one(void *ctx, OSSL_PARAM param, const char *reason)
{
    const OSSL_PARAM params[] = {param, OSSL_PARAM_END};
    assert_int_equal(d.set_ctx_params(ctx, params), reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static size_t number(void *ctx, const char *key)
{
    size_t value = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t(key, &value), OSSL_PARAM_END};
    assert_true(d.get_ctx_params(ctx, params));
    return value;
}

static void *with_domain(uint8_t domain)
{
    const OSSL_PARAM params[] = {NUMBER("domain-separator", domain), OSSL_PARAM_END};
    void *ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, params));
    return ctx;
}

static void finish(void *ctx, uint8_t out[32])
{
    size_t outl = 32;
    assert_true(d.final(ctx, out, &outl, 32));
}

static void hash(uint8_t domain, size_t inlen, uint8_t out[32])
{
    void *ctx = with_domain(domain);
    assert_true(d.update(ctx, input, inlen));
    finish(ctx, out);
    d.freectx(ctx);
}

/* Each gives another answer; the default is 0x1f, and init returns to it. */
static void test_every_domain(void **unused)
{
    static uint8_t out[0x80][32];
    uint8_t got[32];
    (void)unused;
    for (uint8_t domain = 1; domain < 0x80; domain++) {
        hash(domain, 200, out[domain]);
        for (uint8_t other = 1; other < domain; other++)
            assert_memory_not_equal(out[other], out[domain], 32);
    }
    void *ctx = with_domain(0x33);
    assert_int_equal(number(ctx, "domain-separator"), 0x33);
    assert_true(d.init(ctx, NULL) && d.update(ctx, input, 200));
    assert_int_equal(number(ctx, "domain-separator"), 0x1f);
    finish(ctx, got);
    assert_memory_equal(got, out[0x1f], 32);
    d.freectx(ctx);
}

/* At any time before the end; the last one counts, also where the block is full but for a byte. */
static void test_late_domain(void **unused)
{
    uint8_t expected[32], got[32];
    (void)unused;
    for (size_t n = 0; n <= 340; n++) {
        hash(0x0b, n, expected);
        void *ctx = with_domain(0x2a);
        assert_true(d.update(ctx, input, n / 3));
        set_one(ctx, NUMBER("domain-separator", 0x55), NULL);
        assert_true(d.update(ctx, input + n / 3, n - n / 3));
        set_one(ctx, NUMBER("domain-separator", 0x0b), NULL);
        finish(ctx, got);
        assert_memory_equal(got, expected, 32);
        d.freectx(ctx);
    }
}

static const double whole = 5.0;
static const struct {
    unsigned type;
    const void *data;
    size_t size;
    size_t expected; /* 0: refused */
} values[] = {
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0x01), 1, 0x01},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0x7f, 0, 0, 0), 4, 0x7f},
    {OSSL_PARAM_INTEGER, BYTES(0x7f, 0, 0, 0, 0, 0, 0, 0), 8, 0x7f},
    {OSSL_PARAM_REAL, &whole, 8, 5},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0x00), 1, 0},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0x80), 1, 0},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0xff), 1, 0},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0x1f, 1), 2, 0}, /* 0x11f */
    {OSSL_PARAM_INTEGER, BYTES(0x81), 1, 0},
    {OSSL_PARAM_UNSIGNED_INTEGER, NULL, 4, 0},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(7), 0, 0},
    {OSSL_PARAM_UTF8_STRING, "7", 1, 0},
    {OSSL_PARAM_OCTET_STRING, BYTES(7), 1, 0},
};

/* A refusal changes nothing, neither the byte nor what stood beside it. */
static void test_values(void **unused)
{
    void *ctx = with_domain(0x2a);
    (void)unused;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        bool good = values[i].expected != 0;
        OSSL_PARAM p =
            make("domain-separator", values[i].type,
                 test_data(values[i].type, values[i].data, values[i].size), values[i].size);
        const OSSL_PARAM both[] = {NUMBER("xoflen", 99), p, OSSL_PARAM_END};
        set_one(ctx, NUMBER("domain-separator", 0x2a), NULL);
        set_one(ctx, NUMBER("xoflen", 44), NULL);
        set_one(ctx, p, good ? NULL : bad_domain);
        assert_int_equal(d.set_ctx_params(ctx, both), good);
        assert_int_equal(number(ctx, "xoflen"), good ? 99 : 44);
        assert_int_equal(number(ctx, "domain-separator"), good ? values[i].expected : 0x2a);
        fake_errors_clear();
    }
    const OSSL_PARAM other[] = {NUMBER("domain-separator", 3),
                                make("xoflen", OSSL_PARAM_UTF8_STRING, "9", 1), OSSL_PARAM_END};
    set_one(ctx, NUMBER("domain-separator", 0x2a), NULL);
    assert_false(d.set_ctx_params(ctx, other));
    fake_expect("xoflen is not a length: an unsigned integer is wanted");
    assert_int_equal(number(ctx, "domain-separator"), 0x2a);
    assert_false(d.init(ctx, other)); /* and now the context is dead */
    fake_expect("xoflen is not a length: an unsigned integer is wanted");
    set_one(ctx, NUMBER("domain-separator", 3),
            "context is not initialised, or its last initialisation failed");
    d.freectx(ctx);
}

static void test_after_output(void **unused)
{
    uint8_t out[32];
    size_t outl = 0;
    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        void *ctx = with_domain(0x2a);
        assert_true(d.squeeze(ctx, NULL, &outl, 0)); /* which begins nothing */
        set_one(ctx, NUMBER("domain-separator", 0x2b), NULL);
        if (i == 0)
            assert_true(d.squeeze(ctx, out, &outl, 1));
        else
            finish(ctx, out);
        set_one(ctx, NUMBER("domain-separator", 0x2a), late);
        set_one(ctx, NUMBER("xoflen", 7), NULL);
        assert_int_equal(number(ctx, "domain-separator"), 0x2b);
        d.freectx(ctx);
    }
}

/* A saved state brings its domain byte; hostile bytes in that place, and company, are refused. */
static void test_state(void **unused)
{
    uint8_t blob[256], expected[32], got[32];
    size_t size = sizeof(blob);
    (void)unused;
    void *source = with_domain(0x0b), *target = with_domain(0x2a);
    assert_true(d.update(source, input, 50) && d.serialize(source, blob, &size));
    assert_int_equal(size, 208);
    assert_true(d.deserialize(target, blob, size));
    assert_int_equal(number(target, "domain-separator"), 0x0b);
    finish(source, expected);
    finish(target, got);
    assert_memory_equal(got, expected, 32);
    const OSSL_PARAM both[] = {make("state", OSSL_PARAM_OCTET_STRING, blob, size),
                               NUMBER("domain-separator", 3), OSSL_PARAM_END};
    assert_false(d.init(target, both));
    fake_expect("state does not go together with other parameters");
    for (unsigned byte = 0; byte < 256; byte++) {
        bool good = byte >= 1 && byte <= 0x7f;
        assert_true(d.init(target, NULL));
        blob[size - 1] = (uint8_t)byte;
        assert_int_equal(d.deserialize(target, blob, size), good);
        if (!good)
            fake_expect("saved state is corrupt");
        assert_int_equal(number(target, "domain-separator"), good ? byte : 0x1f);
    }
    d.freectx(source);
    d.freectx(target);
}

/* Copies go their own ways. */
static void test_copies(void **unused)
{
    uint8_t expected[32], got[32];
    (void)unused;
    void *source = with_domain(0x0b), *copy = with_domain(0x2a);
    d.copyctx(copy, source);
    void *dup = d.dupctx(source);
    set_one(source, NUMBER("domain-separator", 0x33), NULL);
    hash(0x0b, 0, expected);
    finish(copy, got);
    assert_memory_equal(got, expected, 32);
    finish(dup, got);
    assert_memory_equal(got, expected, 32);
    d.freectx(source);
    d.freectx(copy);
    d.freectx(dup);
}

static int setup(void **unused)
{
    (void)unused;
    test_ptn(input, sizeof(input));
    if (!fake_load(MODULE, "3.0.22"))
        return -1;
    d = fake_digest("TURBOSHAKE128");
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
        cmocka_unit_test(test_every_domain), cmocka_unit_test(test_late_domain),
        cmocka_unit_test(test_values),       cmocka_unit_test(test_after_output),
        cmocka_unit_test(test_state),        cmocka_unit_test(test_copies),
    };
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
