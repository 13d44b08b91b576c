/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Parameters of every shape, right and wrong: a refusal has its reason and changes nothing. */
#include "fakecore.h"

static const char *const bad_length = "xoflen is not a length: an unsigned integer is wanted";
static const char *const too_large = "length too large";
static const char *const bad_string = "function-name and customization are UTF-8 or octet strings";
static const char *const too_long = "function-name or customization is too long to encode";
static const char *const too_late = "function-name and customization come before all data";

static void *fresh(const struct digest *d)
{
    void *ctx = d->newctx(fake.provctx);
    assert_non_null(ctx);
    assert_true(d->init(ctx, NULL));
    return ctx;
}

static size_t length_of(const struct digest *d, void *ctx)
{
    size_t value = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t("xoflen", &value), OSSL_PARAM_END};
    assert_true(d->get_ctx_params(ctx, params));
    return value;
}

/* Sets one parameter; NULL expects success. */
static void set_one(const struct digest *d, void *ctx, OSSL_PARAM param, const char *reason)
{
    const OSSL_PARAM params[] = {param, OSSL_PARAM_END};
    assert_int_equal(d->set_ctx_params(ctx, params), reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static OSSL_PARAM make(const char *key, unsigned type, const void *data, size_t size)
{
    return (OSSL_PARAM){key, type, (void *)(uintptr_t)data, size, OSSL_PARAM_UNMODIFIED};
}

#define OCTETS(key, text, n) make(key, OSSL_PARAM_OCTET_STRING, text, n)
#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define NUMBER(key, n) make(key, OSSL_PARAM_UNSIGNED_INTEGER, BYTES(n), 1)

/* Little-endian numbers of any width, as libcrypto's own reader takes them; and what it refuses. */
static const double whole = 20.0, half = 20.5, negative = -1.0, huge = 1e30;
static const struct {
    unsigned type;
    const void *data;
    size_t size;
    size_t expected;
    const char *reason;
} lengths[] = {
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(20), 1, 20, NULL},
    {OSSL_PARAM_INTEGER, BYTES(20, 0), 2, 20, NULL},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(1, 2, 3, 0), 4, 0x30201, NULL},
    {OSSL_PARAM_INTEGER, BYTES(1, 0, 0, 0, 0, 0, 0, 0), 8, 1, NULL},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 16, 9,
     NULL},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(7), 0, 0, NULL},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(255, 255, 255, 255, 255, 255, 255, 255), sizeof(size_t),
     SIZE_MAX, NULL},
    {OSSL_PARAM_REAL, &whole, 8, 20, NULL},
    {OSSL_PARAM_REAL, &half, 8, 0, bad_length},
    {OSSL_PARAM_REAL, &negative, 8, 0, bad_length},
    {OSSL_PARAM_REAL, &huge, 8, 0, bad_length},
    {OSSL_PARAM_REAL, &whole, 4, 0, bad_length},
    {OSSL_PARAM_INTEGER, BYTES(255), 1, 0, bad_length},
    {OSSL_PARAM_INTEGER, BYTES(0, 0, 0, 128), 4, 0, bad_length},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0), 16, 0,
     bad_length},
    {OSSL_PARAM_UNSIGNED_INTEGER, BYTES(0, 0, 0, 0, 0, 0, 0, 128) + 8 - sizeof(size_t),
     sizeof(size_t), 0, too_large},
    {OSSL_PARAM_UNSIGNED_INTEGER, NULL, 8, 0, bad_length},
    {OSSL_PARAM_OCTET_STRING, BYTES(20), 1, 0, bad_length},
    {OSSL_PARAM_UTF8_STRING, "20", 2, 0, bad_length},
    {77, BYTES(20), 1, 0, bad_length},
};

static void test_lengths(void **unused)
{
    const struct digest d = fake_digest("SHAKE-128");
    void *ctx = fresh(&d);
    (void)unused;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        set_one(&d, ctx, NUMBER("xoflen", 33), NULL);
        set_one(&d, ctx,
                make("xoflen", lengths[i].type,
                     test_data(lengths[i].type, lengths[i].data, lengths[i].size), lengths[i].size),
                lengths[i].reason);
        assert_int_equal(length_of(&d, ctx), lengths[i].reason == NULL ? lengths[i].expected : 33);
    }
    d.freectx(ctx);
}

/* Writing a length into whatever number the caller has; unaligned, too small, absent. */
static void test_get_lengths(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-256");
    void *ctx = fresh(&d);
    uint8_t buffer[24];
    (void)unused;
    for (size_t width = 0; width <= 16; width++)
        for (unsigned type = OSSL_PARAM_INTEGER; type <= OSSL_PARAM_UNSIGNED_INTEGER; type++) {
            OSSL_PARAM params[] = {make("xoflen", type, buffer + 1, width), OSSL_PARAM_END};
            memset(buffer, 0xcc, sizeof(buffer));
            assert_int_equal(d.get_ctx_params(ctx, params), width > 0);
            if (width == 0)
                fake_expect("parameter cannot take this value");
            const uint8_t *lowest = test_data(type, buffer + 1, width);
            assert_int_equal(width > 0 ? lowest[0] : buffer[1], width > 0 ? 64 : 0xcc);
            assert_int_equal(buffer[1 + width], 0xcc);
            assert_true(OSSL_PARAM_modified(params));
        }
    OSSL_PARAM absent[] = {make("xoflen", OSSL_PARAM_UNSIGNED_INTEGER, NULL, 0), OSSL_PARAM_END};
    assert_true(d.get_ctx_params(ctx, absent));
    assert_int_equal(absent[0].return_size, sizeof(size_t));
    set_one(&d, ctx, NUMBER("xoflen", 200), NULL);
    OSSL_PARAM narrow[] = {make("xoflen", OSSL_PARAM_INTEGER, buffer, 1), OSSL_PARAM_END};
    assert_false(d.get_ctx_params(ctx, narrow)); /* 200 does not fit a signed byte */
    fake_expect("parameter cannot take this value");
    d.freectx(ctx);
}

/* The alias exists since 3.4, is ignored before, and xoflen goes first. */
static void test_size_alias(void **unused)
{
    (void)unused;
    fake_unload();
    for (size_t h = 0; h < 2; h++) {
        assert_true(fake_load(MODULE, h == 0 ? "3.3.0" : "3.4.0"));
        const struct digest d = fake_digest("SHAKE-256");
        void *ctx = fresh(&d);
        set_one(&d, ctx, NUMBER("size", 40), NULL);
        assert_int_equal(length_of(&d, ctx), h == 0 ? 32 : 40);
        const OSSL_PARAM both[] = {NUMBER("size", 41), NUMBER("xoflen", 42), OSSL_PARAM_END};
        assert_true(d.set_ctx_params(ctx, both));
        assert_int_equal(length_of(&d, ctx), 42);
        const OSSL_PARAM *settable = d.settable_ctx_params(ctx, fake.provctx);
        assert_int_equal(OSSL_PARAM_locate_const(settable, "size") != NULL, h);
        uint8_t out[64];
        size_t outl = 0; /* since 3.4 outsz bounds what Final_ex writes; before, it is no bound */
        assert_int_equal(d.final(ctx, out, &outl, 41), h == 0);
        assert_int_equal(fake.errors, h);
        fake_errors_clear();
        d.freectx(ctx);
        fake_unload();
    }
    assert_true(fake_load(MODULE, "4.0.0"));
}

/* 32 bytes of cSHAKE128 of "x" after whatever strings the context has. */
static void output(const struct digest *d, void *ctx, uint8_t out[32])
{
    size_t outl = 0;
    void *copy = d->dupctx(ctx);
    assert_true(d->update(copy, (const uint8_t *)"x", 1));
    assert_true(d->final(copy, out, &outl, 32));
    d->freectx(copy);
}

/* Wrong strings: the old ones stay in force, the context stays usable. */
static void test_strings_refused(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-128");
    uint8_t before[32], after[32];
    void *ctx = fresh(&d);
    (void)unused;
    set_one(&d, ctx, OCTETS("customization", "abc", 3), NULL);
    output(&d, ctx, before);
    for (unsigned i = 0; i < 2; i++) {
        const char *key = i == 0 ? "customization" : "function-name";
        set_one(&d, ctx, make(key, OSSL_PARAM_INTEGER, BYTES(1), 1), bad_string);
        set_one(&d, ctx, make(key, OSSL_PARAM_UTF8_PTR, BYTES(1), 8), bad_string);
        set_one(&d, ctx, make(key, OSSL_PARAM_UTF8_STRING, NULL, 5), bad_string);
        set_one(&d, ctx, OCTETS(key, "a", TEST_STRING_LIMIT), too_long); /* and not read */
        set_one(&d, ctx, OCTETS(key, "a", SIZE_MAX), too_long);
    }
    const OSSL_PARAM both[] = {OCTETS("function-name", "N", 1),
                               make("xoflen", OSSL_PARAM_UTF8_STRING, "5", 1),
                               OSSL_PARAM_END}; /* all or nothing */
    assert_false(d.set_ctx_params(ctx, both));
    fake_expect(bad_length);
    set_one(&d, ctx, make("properties", OSSL_PARAM_OCTET_STRING, "p", 1),
            "properties is a UTF-8 string");
    set_one(&d, ctx, make("properties", OSSL_PARAM_UTF8_STRING, "provider=none", 13), NULL);
    output(&d, ctx, after);
    assert_memory_equal(before, after, 32);
    d.freectx(ctx);
}

static void test_strings_late(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-128");
    uint8_t out[32];
    size_t outl = 0;
    (void)unused;
    for (unsigned i = 0; i < 3; i++) {
        void *ctx = fresh(&d);
        assert_true(d.update(ctx, NULL, 0)); /* no data yet */
        assert_true(d.squeeze(ctx, NULL, &outl, 0));
        set_one(&d, ctx, OCTETS("customization", "in time", 7), NULL);
        if (i == 0)
            assert_true(d.update(ctx, (const uint8_t *)"x", 1));
        else if (i == 1)
            assert_true(d.squeeze(ctx, out, &outl, 1));
        else
            assert_true(d.final(ctx, out, (outl = 0, &outl), 32));
        set_one(&d, ctx, OCTETS("customization", "late", 4), too_late);
        set_one(&d, ctx, OCTETS("function-name", "late", 4), too_late);
        assert_true(d.init(ctx, NULL)); /* forgets the strings */
        set_one(&d, ctx, OCTETS("customization", "late", 4), NULL);
        d.freectx(ctx);
    }
}

static void test_strings_equal(void **unused)
{
    const struct digest d = fake_digest("CSHAKE-128"), shake = fake_digest("SHAKE-128");
    uint8_t a[32], b[32];
    void *x = fresh(&d), *y = fresh(&d), *z = fresh(&shake);
    (void)unused;
    set_one(&d, x, OCTETS("customization", "ab\0cd", 5), NULL);
    set_one(&d, y, make("customization", OSSL_PARAM_UTF8_STRING, "ab\0cd", 5), NULL);
    output(&d, x, a);
    output(&d, y, b);
    assert_memory_equal(a, b, 32); /* the type of the string is nothing */
    set_one(&d, y, OCTETS("customization", "ab", 2), NULL);
    output(&d, y, b);
    assert_memory_not_equal(a, b, 32); /* zero bytes count */
    set_one(&d, x, OCTETS("customization", NULL, 0), NULL);
    set_one(&d, x, OCTETS("function-name", "", 0), NULL);
    set_one(&shake, z, NUMBER("xoflen", 32), NULL);
    output(&d, x, a);
    output(&shake, z, b);
    assert_memory_equal(a, b, 32); /* both empty: SHAKE */
    d.freectx(x);
    d.freectx(y);
    shake.freectx(z);
}

/* `state` goes alone; init with a bad parameter leaves a dead context. */
static void test_state_and_init(void **unused)
{
    static const char *const names[] = {
        "SHA3-256",       "SHAKE-128",     "CSHAKE-128", "CSHAKE-KECCAK-128",
        "TURBOSHAKE-128", "TUPLEHASH-128", "KT-128",     "PARALLELHASH-128"};
    uint8_t blob[500];
    (void)unused;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct digest d = fake_digest(names[i]);
        void *ctx = fresh(&d);
        size_t length = sizeof(blob);
        assert_true(d.serialize(ctx, blob, &length));
        const OSSL_PARAM both[] = {NUMBER("xoflen", 9), OCTETS("state", (const char *)blob, length),
                                   OSSL_PARAM_END};
        if (i > 0) {
            assert_false(d.set_ctx_params(ctx, both));
            fake_expect("state does not go together with other parameters");
        }
        const OSSL_PARAM good[] = {OCTETS("state", (const char *)blob, length), OSSL_PARAM_END};
        const OSSL_PARAM bad[] = {OCTETS("state", (const char *)blob, length - 3), OSSL_PARAM_END};
        assert_true(d.init(ctx, good));
        assert_false(d.init(ctx, bad));
        fake_expect("saved state has the wrong length");
        assert_false(d.update(ctx, blob, 1));
        fake_expect("context is not initialised, or its last initialisation failed");
        assert_true(d.init(ctx, NULL) && d.update(ctx, blob, 1));
        d.freectx(ctx);
    }
}

static int setup(void **unused)
{
    (void)unused;
    return fake_load(MODULE, "4.0.0") ? 0 : -1;
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
        cmocka_unit_test(test_lengths),        cmocka_unit_test(test_get_lengths),
        cmocka_unit_test(test_size_alias),     cmocka_unit_test(test_strings_refused),
        cmocka_unit_test(test_strings_late),   cmocka_unit_test(test_strings_equal),
        cmocka_unit_test(test_state_and_init),
    };
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
