/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * TupleHash: what an element is, and by which ways it comes. The model is cSHAKE of the same
 * encodings. What the output length means is in test_length.c. */
#include "fakecore.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define TUPLE_MAX 6000 /* bytes of an encoded tuple */

#define LATE_STRING "function-name and customization come before all data"
#define NOT_ALONE "state does not go together with other parameters"

static struct digest d, cshake;
static uint8_t input[1000];

static OSSL_PARAM make(const char *key, unsigned type, const void *data, size_t size)
{
    return (OSSL_PARAM){key, type, (void *)(uintptr_t)data, size, OSSL_PARAM_UNMODIFIED};
}

#define OCTETS(key, data, n) make(key, OSSL_PARAM_OCTET_STRING, data, n)
#define ELEMENT(data, n) OCTETS("element", data, n)
#define NUMBER(key, n) make(key, OSSL_PARAM_UNSIGNED_INTEGER, BYTES(n), 1)

/* Sets parameters; NULL expects success. */
static void set(void *ctx, const OSSL_PARAM params[], const char *reason)
{
    assert_int_equal(d.set_ctx_params(ctx, params), reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static void set_one(void *ctx, OSSL_PARAM param, const char *reason)
{
    const OSSL_PARAM params[] = {param, OSSL_PARAM_END};
    set(ctx, params, reason);
}

static void *fresh(void)
{
    void *ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, NULL));
    return ctx;
}

/* An encoded tuple: what cSHAKE hashes. */
struct model {
    uint8_t bytes[TUPLE_MAX];
    size_t size;
};

static void put_number(struct model *m, uint64_t value, bool left)
{
    uint8_t n = 1;
    while (n < 8 && value >> (8 * n) != 0)
        n++;
    if (left)
        m->bytes[m->size++] = n;
    for (unsigned i = n; i-- > 0;)
        m->bytes[m->size++] = (uint8_t)(value >> (8 * i));
    if (!left)
        m->bytes[m->size++] = n;
}

static void put_element(struct model *m, const uint8_t *in, size_t inlen)
{
    assert_true(m->size + inlen + 20 < TUPLE_MAX);
    put_number(m, 8 * inlen, true);
    if (inlen > 0)
        memcpy(m->bytes + m->size, in, inlen);
    m->size += inlen;
}

/* n bytes for the tuple, with its output length in bits. */
static void model_hash(const struct model *tuple, size_t bits, const char *custom, uint8_t *out,
                       size_t n)
{
    struct model m = *tuple;
    const OSSL_PARAM params[] = {OCTETS("function-name", "TupleHash", 9),
                                 OCTETS("customization", custom, strlen(custom)), OSSL_PARAM_END};
    void *ctx = cshake.newctx(fake.provctx);
    size_t outl = n;
    put_number(&m, bits, false);
    assert_true(cshake.init(ctx, params) && cshake.update(ctx, m.bytes, m.size));
    assert_true(cshake.final(ctx, out, &outl, n));
    cshake.freectx(ctx);
}

/* The context's final is the model's answer; on a copy, so that the context goes on. */
static void check(void *ctx, const struct model *m, const char *custom)
{
    uint8_t expected[32], got[32];
    size_t outl = 32;
    void *copy = d.dupctx(ctx);
    assert_true(d.final(copy, got, &outl, 32));
    model_hash(m, 256, custom, expected, 32);
    assert_memory_equal(got, expected, 32);
    d.freectx(copy);
}

/* Elements of any length, by update or by parameter, some of them empty: all ways are one. */
static void test_ways(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 300; i++) {
        struct model m = {.size = 0};
        const char *custom = i % 3 == 0 ? "" : "some customization";
        const OSSL_PARAM init[] = {OCTETS("customization", custom, strlen(custom)), OSSL_PARAM_END};
        void *ctx = d.newctx(fake.provctx);
        assert_true(d.init(ctx, init));
        check(ctx, &m, custom);
        for (size_t left = test_below(6); left > 0; left--) {
            size_t n = test_below(4) == 0 ? 0 : test_below(4) * 168 + test_below(30);
            const uint8_t *in = n == 0 && test_below(2) == 0 ? NULL : input + test_below(64);
            if (test_below(2) == 0)
                assert_true(d.update(ctx, in, n));
            else
                set_one(ctx, ELEMENT(in, n), NULL);
            put_element(&m, in, n);
            check(ctx, &m, custom);
        }
        d.freectx(ctx);
    }
}

/* Many in one array, in order, with all else before them wherever it stands; in init, too. */
static void test_array(void **unused)
{
    const OSSL_PARAM params[] = {ELEMENT("first", 5), NUMBER("xoflen", 32),
                                 ELEMENT(NULL, 0),    OCTETS("customization", "S", 1),
                                 ELEMENT("third", 5), NUMBER("unknown", 1),
                                 OSSL_PARAM_END};
    const OSSL_PARAM more[] = {ELEMENT("", 0), ELEMENT("fifth", 5), OSSL_PARAM_END};
    struct model m = {.size = 0};
    void *ctx = fresh(), *inited = d.newctx(fake.provctx);
    (void)unused;
    put_element(&m, BYTES('f', 'i', 'r', 's', 't'), 5);
    put_element(&m, NULL, 0);
    put_element(&m, BYTES('t', 'h', 'i', 'r', 'd'), 5);
    set(ctx, params, NULL);
    check(ctx, &m, "S");
    assert_true(d.init(inited, params));
    check(inited, &m, "S");
    put_element(&m, NULL, 0);
    put_element(&m, BYTES('f', 'i', 'f', 't', 'h'), 5);
    set(ctx, more, NULL);
    check(ctx, &m, "S");
    assert_true(d.init(ctx, NULL)); /* forgets them all */
    m.size = 0;
    check(ctx, &m, "");
    d.freectx(ctx);
    d.freectx(inited);
}

static const struct {
    const char *key;
    unsigned type;
    const void *data;
    size_t size;
    const char *reason;
} bad[] = {
    {"element", OSSL_PARAM_UTF8_STRING, "text", 4, "element is an octet string"},
    {"element", OSSL_PARAM_OCTET_PTR, "text", 8, "element is an octet string"},
    {"element", OSSL_PARAM_INTEGER, BYTES(1), 1, "element is an octet string"},
    {"element", OSSL_PARAM_OCTET_STRING, NULL, 1, "null pointer with a length above zero"},
    {"element", OSSL_PARAM_OCTET_STRING, "a", TEST_STRING_LIMIT, "length too large"},
    {"element", OSSL_PARAM_OCTET_STRING, "a", SIZE_MAX, "length too large"},
    {"customization", OSSL_PARAM_OCTET_STRING, "late", 4, LATE_STRING},
    {"xof", OSSL_PARAM_INTEGER, BYTES(2), 1, "xof is 0 or 1"},
    {"xoflen", OSSL_PARAM_UTF8_STRING, "1", 1,
     "xoflen is not a length: an unsigned integer is wanted"},
    {"properties", OSSL_PARAM_OCTET_STRING, "1", 1, "properties is a UTF-8 string"},
    {"state", OSSL_PARAM_OCTET_STRING, "state", 5, NOT_ALONE},
};

/* No array is applied by half. */
static void test_refused(void **unused)
{
    struct model m = {.size = 0};
    void *ctx = fresh();
    (void)unused;
    set_one(ctx, OCTETS("customization", "S", 1), NULL);
    assert_true(d.update(ctx, NULL, 0)); /* an element: too late for customization */
    put_element(&m, NULL, 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const OSSL_PARAM wrong = make(bad[i].key, bad[i].type, bad[i].data, bad[i].size);
        const OSSL_PARAM params[] = {ELEMENT("good", 4), NUMBER("xof", 1), NUMBER("xoflen", 9),
                                     wrong, OSSL_PARAM_END};
        const OSSL_PARAM first[] = {wrong, ELEMENT("good", 4), OSSL_PARAM_END};
        bool repeats = strncmp(bad[i].key, "xo", 2) == 0; /* of two, the first counts */
        if (!repeats)
            set(ctx, params, bad[i].reason);
        set(ctx, first, bad[i].reason);
        check(ctx, &m, "S");
    }
    assert_false(d.update(ctx, input, TEST_STRING_LIMIT));
    fake_expect("length too large");
    set_one(ctx, OCTETS("function-name", "N", 1), NULL); /* unknown here: N is fixed */
    set_one(ctx, make("properties", OSSL_PARAM_UTF8_STRING, "provider=none", 13), NULL);
    check(ctx, &m, "S");
    d.freectx(ctx);
}

/* The customization needs memory, the elements none: they wait for it. */
static void test_no_memory(void **unused)
{
    const OSSL_PARAM params[] = {ELEMENT("good", 4), OCTETS("customization", input, 900),
                                 NUMBER("xof", 1), OSSL_PARAM_END};
    struct model m = {.size = 0};
    void *ctx = fresh();
    (void)unused;
    fake.allocations_left = 0;
    set(ctx, params, "allocation failed");
    fake.allocations_left = -1;
    check(ctx, &m, "");
    d.freectx(ctx);
}

/* A state carries what was absorbed and the variant; strings that the target had do not count. */
static void test_states(void **unused)
{
    struct model m = {.size = 0};
    uint8_t blob[300];
    void *source = fresh();
    (void)unused;
    set_one(source, OCTETS("customization", "S", 1), NULL);
    for (unsigned i = 0; i < 3; i++) {
        void *target = fresh();
        size_t size = sizeof(blob);
        set_one(target, OCTETS("customization", "other", 5), NULL);
        assert_true(d.serialize(source, blob, &size));
        assert_int_equal(size, 216);
        assert_true(d.deserialize(target, blob, size));
        check(target, &m, "S");
        set_one(target, OCTETS("customization", "other", 5), LATE_STRING);
        set_one(target, ELEMENT("el", 2), NULL);
        set_one(source, ELEMENT("el", 2), NULL);
        put_element(&m, BYTES('e', 'l'), 2);
        check(target, &m, "S");
        check(source, &m, "S");
        assert_true(d.init(target, NULL));
        check(target, &(struct model){.size = 0}, "");
        d.freectx(target);
    }
    d.freectx(source);
}

static int setup(void **unused)
{
    (void)unused;
    test_ptn(input, sizeof(input));
    if (!fake_load(MODULE, "3.0.22"))
        return -1;
    d = fake_digest("TUPLEHASH128");
    cshake = fake_digest("CSHAKE-128");
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
        cmocka_unit_test(test_ways),    cmocka_unit_test(test_array),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_states),
    };
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
