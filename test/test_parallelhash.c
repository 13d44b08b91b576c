/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * ParallelHash on every kernel set: leaves of every kind of size, all different, in pieces of every
 * kind, against SP 800-185 §6.3 spelled out over cSHAKE and SHAKE; and leaf-size. */
#include "fakecore.h"

#define INPUT 200000
#define OUT 100

static const char *const isas[] = {"portable", "bmi2", "avx2", "avx512"};
#define ISAS (sizeof(isas) / sizeof(isas[0]))

static const char *const bad_leaf_size = "leaf-size is a number from 1";
static const char *const too_late = "leaf-size comes before all data";

static uint8_t input[INPUT], custom[300];
static struct digest d, cshake, shake; /* of one strength */
static size_t value_size;              /* of a chaining value */

/* A message, and what is asked for. */
struct job {
    size_t inlen, leaf_size, customlen;
    int xof;
};

static void load(const char *isa, unsigned strength)
{
    fake.isa = isa;
    assert_true(fake_load(MODULE, "4.0.0"));
    d = fake_digest(strength == 128 ? "PARALLELHASH128" : "PARALLELHASH256");
    cshake = fake_digest(strength == 128 ? "CSHAKE128" : "CSHAKE256");
    shake = fake_digest(strength == 128 ? "SHAKE128" : "SHAKE256");
    value_size = strength == 128 ? 32 : 64;
}

static void unload(void)
{
    fake_unload();
    assert_int_equal(fake.errors, 0);
}

static void finish(const struct digest *of, void *ctx, uint8_t *out, size_t outlen)
{
    size_t outl = outlen;
    assert_true(of->final(ctx, out, &outl, outlen));
    of->freectx(ctx);
}

/* left_encode with its first byte, right_encode with its last. Returns the first of three parts:
 * n, the number's bytes, n. */
static size_t encode(uint64_t number, uint8_t out[10])
{
    uint8_t n = 1;
    while (n < 8 && number >> 8 * n != 0)
        n++;
    out[0] = out[n + 1] = n;
    for (unsigned i = 0; i < n; i++)
        out[1 + i] = (uint8_t)(number >> 8 * (n - 1u - i));
    return n + 1u;
}

static void slowly(const struct job *job, uint8_t out[OUT])
{
    uint8_t value[64], encoded[10], name[] = "ParallelHash";
    uint64_t leaves = 0;
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("function-name", name, 12),
                                 OSSL_PARAM_octet_string("customization", custom, job->customlen),
                                 OSSL_PARAM_END};
    void *node = cshake.newctx(fake.provctx);
    assert_true(cshake.init(node, params));
    assert_true(cshake.update(node, encoded, encode(job->leaf_size, encoded)));
    for (size_t at = 0, n; at < job->inlen; at += n, leaves++) {
        void *leaf = shake.newctx(fake.provctx);
        n = job->inlen - at < job->leaf_size ? job->inlen - at : job->leaf_size;
        assert_true(shake.init(leaf, NULL) && shake.update(leaf, input + at, n));
        finish(&shake, leaf, value, value_size);
        assert_true(cshake.update(node, value, value_size));
    }
    assert_true(cshake.update(node, encoded + 1, encode(leaves, encoded)));
    assert_true(cshake.update(node, encoded + 1, encode(job->xof ? 0 : 8 * OUT, encoded)));
    finish(&cshake, node, out, OUT);
}

/* Pieces of that many bytes, 0: of random lengths up to some leaves. */
static void *fed(const struct job *job, size_t piece)
{
    size_t leaf_size = job->leaf_size;
    int xof = job->xof;
    const OSSL_PARAM params[] = {
        OSSL_PARAM_size_t("leaf-size", &leaf_size), OSSL_PARAM_int("xof", &xof),
        OSSL_PARAM_octet_string("customization", custom, job->customlen), OSSL_PARAM_END};
    void *ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, params));
    for (size_t at = 0, n; at < job->inlen; at += n) {
        n = piece > 0 ? piece : test_below(10 * leaf_size + 2);
        n = n < job->inlen - at ? n : job->inlen - at;
        assert_true(d.update(ctx, input + at, n));
    }
    return ctx;
}

static void check(const struct job *job)
{
    uint8_t expected[OUT], got[OUT];
    const size_t leaf = job->leaf_size;
    const size_t pieces[] = {INPUT, 0, leaf, leaf + 1, leaf > 1 ? leaf - 1 : 2, 8191, 1};
    slowly(job, expected);
    for (size_t p = 0; p < (job->inlen < 5000 ? 7 : 6); p++) { /* bytes take long */
        finish(&d, fed(job, pieces[p]), got, OUT);
        if (memcmp(got, expected, OUT) != 0)
            fail_msg("%s, %s: %zu bytes, leaf-size %zu, pieces of %zu", d.names, fake.isa,
                     job->inlen, leaf, pieces[p]);
    }
}

static void each(void (*test)(void))
{
    for (size_t i = 0; i < ISAS; i++)
        for (unsigned strength = 128; strength <= 256; strength += 128) {
            load(isas[i], strength);
            test();
            unload();
        }
}

/* Numbers of leaves from none to more than twice the widest kernel, and short last ones. */
static void leaves(void)
{
    static const size_t leaf_sizes[] = {1,   2,   7,    8,    31,   135,  136,  137,  167,  168,
                                        169, 504, 1000, 1023, 1024, 4096, 8191, 8192, 8193, 65537};
    for (size_t i = 0; i < sizeof(leaf_sizes) / sizeof(leaf_sizes[0]); i++)
        for (size_t n = 0; n <= 20 && n * leaf_sizes[i]<INPUT; n += n> 9 ? 3 : 1) {
            struct job job = {n * leaf_sizes[i], leaf_sizes[i], n * 13, n % 2};
            check(&job);
            job.inlen += 1;
            check(&job);
            job.inlen -= n > 0 ? 2 : 0;
            check(&job);
        }
}

static void test_leaves(void **unused)
{
    (void)unused;
    each(leaves);
}

/* B beyond all messages, and more small leaves than wait at once. */
static void extremes(void)
{
    static const size_t sizes[] = {1 << 20, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX};
    for (size_t i = 0; i < 4; i++)
        check(&(struct job){100000, sizes[i], 0, 0});
    check(&(struct job){30000, 1, 0, 0});
    check(&(struct job){30011, 3, 0, 1});
    check(&(struct job){INPUT, 70, 0, 1});
}

static void test_extremes(void **unused)
{
    (void)unused;
    each(extremes);
}

static OSSL_PARAM make(const char *key, unsigned type, const void *data, size_t size)
{
    return (OSSL_PARAM){key, type, (void *)(uintptr_t)data, size, OSSL_PARAM_UNMODIFIED};
}

#define NUMBER(key, n) make(key, OSSL_PARAM_UNSIGNED_INTEGER, (const uint8_t[]){n}, 1)

static size_t leaf_size_of(void *ctx)
{
    size_t value = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t("leaf-size", &value), OSSL_PARAM_END};
    assert_true(d.get_ctx_params(ctx, params));
    return value;
}

/* NULL expects success. */
static void set(void *ctx, OSSL_PARAM param, const char *reason)
{
    const OSSL_PARAM params[] = {param, OSSL_PARAM_END};
    assert_int_equal(d.set_ctx_params(ctx, params), reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
}

/* A refusal changes nothing; what is set holds until init. */
static void test_leaf_size(void **unused)
{
    uint8_t out[OUT];
    size_t outl = OUT;
    (void)unused;
    load("avx2", 128);
    void *ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, NULL));
    assert_int_equal(leaf_size_of(ctx), 8192);
    set(ctx, NUMBER("leaf-size", 9), NULL);
    set(ctx, NUMBER("leaf-size", 0), bad_leaf_size);
    set(ctx, make("leaf-size", OSSL_PARAM_INTEGER, "\xff", 1), bad_leaf_size);
    set(ctx, make("leaf-size", OSSL_PARAM_UTF8_STRING, "9", 1), bad_leaf_size);
    set(ctx, make("leaf-size", OSSL_PARAM_UNSIGNED_INTEGER, NULL, 8), bad_leaf_size);
    set(ctx, NUMBER("blocksize", 8), "blocksize is the rate, which is fixed: set leaf-size");
    const OSSL_PARAM both[] = {NUMBER("leaf-size", 10), NUMBER("xof", 2), OSSL_PARAM_END};
    assert_false(d.set_ctx_params(ctx, both));
    fake_expect("xof is 0 or 1");
    assert_int_equal(leaf_size_of(ctx), 9);
    assert_true(d.update(ctx, input, 0)); /* no data yet */
    set(ctx, NUMBER("leaf-size", 11), NULL);
    assert_true(d.update(ctx, input, 1));
    set(ctx, NUMBER("leaf-size", 12), too_late);
    assert_int_equal(leaf_size_of(ctx), 11);
    assert_true(d.final(ctx, out, &outl, OUT));
    set(ctx, NUMBER("leaf-size", 12), too_late);
    assert_true(d.init(ctx, NULL));
    assert_int_equal(leaf_size_of(ctx), 8192);
    const OSSL_PARAM none[] = {NUMBER("leaf-size", 0), OSSL_PARAM_END};
    assert_false(d.init(ctx, none));
    fake_expect(bad_leaf_size);
    assert_false(d.update(ctx, input, 1));
    fake_expect("context is not initialised, or its last initialisation failed");
    d.freectx(ctx);
    unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_leaf_size),
    };
    test_begin();
    test_random_bytes(input, sizeof(input));
    test_random_bytes(custom, sizeof(custom));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
