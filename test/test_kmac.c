/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KMAC's parameters and keys. The model is cSHAKE of the same encodings. */
#include <limits.h>
#include "fakecore.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})

#define BAD_KEY "key and custom are octet or UTF-8 strings"
#define TOO_LONG "key or custom is too long to encode"
#define BAD_XOF "xof is 0 or 1"
#define BAD_SIZE "size is not a length: an unsigned integer is wanted"

static struct mac m;
static size_t rate;
static uint8_t text[3000];

static void expect(int got, const char *reason)
{
    assert_int_equal(got, reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static OSSL_PARAM make(const char *key, unsigned type, const void *data, size_t size)
{
    return (OSSL_PARAM){key, type, (void *)(uintptr_t)data, size, OSSL_PARAM_UNMODIFIED};
}

#define OCTETS(key, data, n) make(key, OSSL_PARAM_OCTET_STRING, data, n)
#define NUMBER(key, n) make(key, OSSL_PARAM_UNSIGNED_INTEGER, BYTES(n), 1)

static void set_one(void *ctx, OSSL_PARAM param, const char *reason)
{
    const OSSL_PARAM params[] = {param, OSSL_PARAM_END};
    expect(m.set_ctx_params(ctx, params), reason);
}

static size_t number(void *ctx, const char *key)
{
    size_t value = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t(key, &value), OSSL_PARAM_END};
    expect(m.get_ctx_params(ctx, params), NULL);
    return value;
}

/* What goes into an answer. */
struct setting {
    struct {
        const uint8_t *data;
        size_t size;
    } key, custom;
    size_t size;
    bool xof;
};

static size_t encode(uint8_t *out, uint64_t value, bool left)
{
    size_t n = 1;
    while (n < 8 && value >> (8 * n) != 0)
        n++;
    out[left ? 0 : n] = (uint8_t)n;
    for (size_t i = 0; i < n; i++)
        out[i + left] = (uint8_t)(value >> (8 * (n - 1 - i)));
    return n + 1;
}

/* KMAC of "abc" (SP 800-185 §4.3). */
static void model(const struct setting *s, uint8_t *out)
{
    static const uint8_t zeros[168];
    const struct digest d = fake_digest(rate == 168 ? "CSHAKE-128" : "CSHAKE-256");
    const OSSL_PARAM params[] = {OCTETS("function-name", "KMAC", 4),
                                 OCTETS("customization", s->custom.data, s->custom.size),
                                 OSSL_PARAM_END};
    uint8_t number[9];
    void *ctx = d.newctx(fake.provctx);
    size_t outl = s->size, n = encode(number, rate, true), used = n + s->key.size;
    assert_true(d.init(ctx, params) && d.update(ctx, number, n));
    used += n = encode(number, 8 * s->key.size, true);
    assert_true(d.update(ctx, number, n) && d.update(ctx, s->key.data, s->key.size));
    assert_true(d.update(ctx, zeros, (rate - used % rate) % rate));
    n = encode(number, s->xof ? 0 : 8 * s->size, false);
    assert_true(d.update(ctx, (const uint8_t *)"abc", 3) && d.update(ctx, number, n));
    assert_true(d.final(ctx, out, &outl, s->size));
    d.freectx(ctx);
}

/* The context, which has been initialised, answers so. */
static void check(void *ctx, const struct setting *s)
{
    static uint8_t got[3000], expected[3000];
    size_t outl = 77;
    void *copy = m.dupctx(ctx);
    expect(m.update(copy, (const uint8_t *)"abc", 3), NULL);
    expect(m.final(copy, got, &outl, sizeof(got)), NULL);
    assert_int_equal(outl, s->size);
    model(s, expected);
    assert_memory_equal(got, expected, s->size);
    m.freectx(copy);
}

/* Every length of key and custom around the blocks, by every way that a key can come. */
static void test_keys(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 400; i++) {
        struct setting s = {{text + i, i}, {text + 2 * i, (7 * i) % 401}, 1 + i % 300, i % 5 == 0};
        const OSSL_PARAM params[] = {OCTETS("custom", s.custom.data, s.custom.size),
                                     OSSL_PARAM_size_t("size", &s.size), NUMBER("xof", s.xof),
                                     OCTETS("key", s.key.data, s.key.size), OSSL_PARAM_END};
        const OSSL_PARAM but_key[] = {params[0], params[1], params[2], OSSL_PARAM_END};
        void *ctx = m.newctx(fake.provctx);
        if (i % 3 == 0)
            expect(m.init(ctx, s.key.data, s.key.size, but_key), NULL);
        else if (i % 3 == 1)
            expect(m.init(ctx, NULL, 0, params), NULL);
        else
            expect(m.set_ctx_params(ctx, params) && m.init(ctx, NULL, 0, NULL), NULL);
        check(ctx, &s);
        m.freectx(ctx);
    }
}

/* The pointer wins; an empty key is a key; the last that was set is kept. */
static void test_which_key(void **unused)
{
    const OSSL_PARAM by_param[] = {OCTETS("key", "param", 5), OSSL_PARAM_END};
    const OSSL_PARAM empty[] = {OCTETS("key", NULL, 0), OSSL_PARAM_END};
    struct setting s = {{NULL, 0}, {NULL, 0}, rate == 168 ? 32 : 64, false};
    void *ctx = m.newctx(fake.provctx);
    (void)unused;
    assert_int_equal(number(ctx, "size"), s.size);
    assert_int_equal(number(ctx, "block-size"), rate);
    expect(m.init(ctx, NULL, 0, NULL), "no key is set");
    expect(m.init(ctx, NULL, 3, NULL), "no key is set");
    expect(m.init(ctx, text, TEST_STRING_LIMIT, NULL), TOO_LONG); /* and not read */
    expect(m.init(ctx, text, 0, NULL), NULL);
    check(ctx, &s);
    expect(m.init(ctx, BYTES('p', 't', 'r'), 3, by_param), NULL);
    s.key.data = (const uint8_t *)"ptr", s.key.size = 3;
    check(ctx, &s);
    expect(m.init(ctx, NULL, 0, by_param), NULL);
    s.key.data = (const uint8_t *)"param", s.key.size = 5;
    check(ctx, &s);
    expect(m.init(ctx, NULL, 0, NULL), NULL);
    check(ctx, &s);
    set_one(ctx, OCTETS("key", "text", 4), NULL); /* no data yet: for this message */
    set_one(ctx, make("custom", OSSL_PARAM_UTF8_STRING, "c\0d", 3), NULL);
    s.key.data = (const uint8_t *)"text", s.key.size = 4;
    s.custom.data = (const uint8_t *)"c\0d", s.custom.size = 3;
    check(ctx, &s);
    expect(m.init(ctx, NULL, 0, empty), NULL);
    s.key.size = 0;
    check(ctx, &s);
    expect(m.init(ctx, NULL, 0, NULL), NULL);
    check(ctx, &s);
    expect(m.init(ctx, NULL, SIZE_MAX, NULL), NULL); /* of no key there is no length */
    check(ctx, &s);
    m.freectx(ctx);
}

/* xof takes what libcrypto reads as an int, and all but 0 is true. */
static void test_xof(void **unused)
{
    static const double reals[] = {0,       -0.0,    1,           -1,    2,      0.5,         -0.5,
                                   INT_MAX, INT_MIN, 2147483648., 1e300, -1e300, INT_MIN - 1.};
    struct setting s = {{text, 20}, {NULL, 0}, 40, false};
    void *ctx = m.newctx(fake.provctx);
    size_t taken = 0, true_ones = 0;
    (void)unused;
    expect(m.init(ctx, text, 20, (const OSSL_PARAM[]){NUMBER("size", 40), OSSL_PARAM_END}), NULL);
    for (size_t i = 0; i < 5000; i++) {
        static const uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0xff};
        const double real = reals[i % (sizeof(reals) / sizeof(reals[0]))];
        _Alignas(16) uint8_t data[16];
        size_t size = 1 + test_below(sizeof(data));
        memset(data, test_below(2) == 0 ? 0 : 0xff, sizeof(data));
        for (size_t changed = test_below(4); changed > 0; changed--)
            data[test_below(size)] = bytes[test_below(sizeof(bytes))];
        OSSL_PARAM xof = make("xof", (unsigned)(1 + i % 3), data, size);
        if (xof.data_type == OSSL_PARAM_REAL)
            xof = make("xof", OSSL_PARAM_REAL, &real, sizeof(real));
        int value = 0;
        bool good = OSSL_PARAM_get_int(&xof, &value);
        set_one(ctx, xof, good ? NULL : BAD_XOF);
        s.xof = good ? value != 0 : s.xof;
        check(ctx, &s);
        taken += good;
        true_ones += good && value != 0;
    }
    ERR_clear_error();
    assert_in_range(taken, 1500, 4000);
    assert_in_range(true_ones, 500, taken - 500);
    m.freectx(ctx);
}

static const size_t string_limit = TEST_STRING_LIMIT;
static const struct {
    const char *key;
    unsigned type;
    const void *data;
    size_t size;
    const char *reason;
} bad[] = {
    {"key", OSSL_PARAM_INTEGER, BYTES(1), 1, BAD_KEY},
    {"key", OSSL_PARAM_OCTET_PTR, BYTES(1), 8, BAD_KEY},
    {"key", OSSL_PARAM_OCTET_STRING, NULL, 5, BAD_KEY},
    {"key", OSSL_PARAM_OCTET_STRING, "a", TEST_STRING_LIMIT, TOO_LONG},
    {"custom", OSSL_PARAM_UNSIGNED_INTEGER, BYTES(1), 1, BAD_KEY},
    {"custom", OSSL_PARAM_OCTET_STRING, NULL, 5, BAD_KEY},
    {"custom", OSSL_PARAM_OCTET_STRING, "a", SIZE_MAX, TOO_LONG},
    {"size", OSSL_PARAM_UTF8_STRING, "5", 1, BAD_SIZE},
    {"size", OSSL_PARAM_INTEGER, BYTES(255), 1, BAD_SIZE},
    {"size", OSSL_PARAM_UNSIGNED_INTEGER, NULL, 8, BAD_SIZE},
    {"size", OSSL_PARAM_UNSIGNED_INTEGER, &string_limit, sizeof(size_t), "length too large"},
    {"xof", OSSL_PARAM_UTF8_STRING, "1", 1, BAD_XOF},
    {"xof", OSSL_PARAM_INTEGER, NULL, 4, BAD_XOF},
    {"xof", OSSL_PARAM_UNSIGNED_INTEGER, BYTES(1, 1, 1, 1, 1), 5, BAD_XOF},
};

/* An array with one fault changes nothing; in init it leaves a dead context. */
static void test_refused(void **unused)
{
    const struct setting s = {{text, 20}, {text, 9}, 40, true};
    const OSSL_PARAM good[] = {OCTETS("custom", text, 9), NUMBER("size", 40), NUMBER("xof", 1),
                               OSSL_PARAM_END};
    void *ctx = m.newctx(fake.provctx);
    (void)unused;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const OSSL_PARAM params[] = {make(bad[i].key, bad[i].type, bad[i].data, bad[i].size),
                                     OCTETS("custom", "other", 5),
                                     OCTETS("key", "other", 5),
                                     NUMBER("size", 7),
                                     NUMBER("xof", 0),
                                     OSSL_PARAM_END};
        expect(m.init(ctx, text, 20, good), NULL);
        expect(m.set_ctx_params(ctx, params), bad[i].reason);
        check(ctx, &s);
        expect(m.init(ctx, text + 1, 9, params), bad[i].reason);
        expect(m.update(ctx, text, 1),
               "context is not initialised, or its last initialisation failed");
        expect(m.init(ctx, NULL, 0, NULL), NULL);
        check(ctx, &s);
    }
    OSSL_PARAM narrow[] = {make("size", OSSL_PARAM_UTF8_STRING, text, 9), OSSL_PARAM_END};
    expect(m.get_ctx_params(ctx, narrow), "parameter cannot take this value");
    m.freectx(ctx);
}

static int setup(void **which)
{
    test_ptn(text, sizeof(text));
    if (!fake_load(MODULE, "3.0.22"))
        return -1;
    assert_int_equal(fake_macs(), 2);
    m = fake_nth_mac(*(const size_t *)*which);
    rate = strncmp(m.names, "KMAC-128:", 9) == 0 ? 168 : 136;
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    fake_unload();
    return 0;
}

#define TEST(f, which) cmocka_unit_test_prestate_setup_teardown(f, setup, teardown, which)

int main(void)
{
    static size_t first = 0, second = 1;
    const struct CMUnitTest tests[] = {
        TEST(test_keys, &first),       TEST(test_keys, &second),   TEST(test_which_key, &first),
        TEST(test_which_key, &second), TEST(test_refused, &first), TEST(test_xof, &first),
    };
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
