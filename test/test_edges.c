/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Where inputs, keys, outputs and contexts lie makes no difference: at the edges of what can be
 * touched, aligned to anything, and one over the other. */
#include <openssl/core_names.h>
#include "each.h"
#include "fakecore.h"

#define AREA 90000

static uint8_t text[AREA], expected[AREA];
static uint8_t *before, *behind; /* begins, ends at the edge of what can be touched */
static size_t unit;              /* of the digest: its rate */

/* Hashes, to a length that the digest has. */
static void hash(const struct digest *d, const uint8_t *in, size_t n, uint8_t *out, size_t outl)
{
    size_t one = 1;
    const OSSL_PARAM xof[] = {OSSL_PARAM_size_t("xof", &one), OSSL_PARAM_END};
    void *ctx = d->newctx(fake.provctx);
    assert_true(d->init(ctx, xof) && d->update(ctx, in, n));
    assert_true(d->squeeze != NULL ? d->squeeze(ctx, out, &outl, outl)
                                   : d->final(ctx, out, &outl, outl));
    d->freectx(ctx);
}

static size_t parameter(const struct digest *d, const char *key)
{
    size_t value = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t(key, &value), OSSL_PARAM_END};
    assert_true(d->get_params(params));
    return value;
}

static size_t output_of(const struct digest *d, size_t n)
{
    return d->squeeze != NULL ? n : parameter(d, OSSL_DIGEST_PARAM_SIZE);
}

/* Input and output of these lengths, at each pair of edges. */
static void check_edges(const struct digest *d, size_t n, size_t outl)
{
    hash(d, text, n, expected, outl);
    for (int edges = 0; edges < 4; edges++) {
        uint8_t *in = edges % 2 == 0 ? before : behind - n;
        uint8_t *out = edges / 2 == 0 ? before : behind - outl;
        memcpy(in, text, n);
        hash(d, in, n, out, outl); /* over its input, where they meet */
        assert_memory_equal(out, expected, outl);
    }
    test_cases(4);
}

static void check_digest_edges(const struct digest *d)
{
    for (size_t n = 0; n <= 3 * unit; n++)
        check_edges(d, n, output_of(d, 3 * unit - n));
    for (size_t n = 8190; n < 8195; n++) /* KangarooTwelve's leaves, and ParallelHash's */
        for (size_t leaves = 1; leaves <= 10; leaves += 3)
            check_edges(d, leaves * n, output_of(d, n));
}

/* Offsets 0 to 63 of either. */
static void check_offsets(const struct digest *d)
{
    size_t n = 5 * 8192 + 3 * unit + 5, outl = output_of(d, 3 * unit + 5);
    hash(d, text, n, expected, outl);
    for (size_t offset = 0; offset < 64; offset++) {
        uint8_t *out = before + offset * 37 % 64;
        memcpy(before + offset, text, n);
        hash(d, before + offset, n, out, outl);
        assert_memory_equal(out, expected, outl);
    }
    test_cases(64);
}

static void with_each_digest(void (*check)(const struct digest *))
{
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        unit = parameter(&d, OSSL_DIGEST_PARAM_BLOCK_SIZE);
        check(&d);
    }
}

/* A key of n + 4 bytes, an input of n, an output of n + 4. */
static void mac(const struct mac *m, uint8_t *key, size_t n, uint8_t *in, uint8_t *out)
{
    size_t outl, size = n + 4;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("size", &size), OSSL_PARAM_END};
    void *ctx = m->newctx(fake.provctx);
    assert_true(m->init(ctx, key, n + 4, params) && m->update(ctx, in, n));
    assert_true(m->final(ctx, out, &outl, size));
    m->freectx(ctx);
}

/* Key, input and output all at one edge, where the last overwrites the others. */
static void check_macs(void)
{
    for (size_t i = 0; i < fake_macs(); i++) {
        const struct mac m = fake_nth_mac(i);
        for (size_t n = 0; n <= 3 * 168; n++) {
            uint8_t *const places[] = {before, behind - n - 4};
            mac(&m, text, n, text, expected);
            for (size_t place = 0; place < 2; place++) {
                memcpy(places[place], text, n + 4);
                mac(&m, places[place], n, places[place], places[place]);
                assert_memory_equal(places[place], expected, n + 4);
            }
            test_cases(2);
        }
    }
}

static void check_all(void)
{
    with_each_digest(check_digest_edges);
    with_each_digest(check_offsets);
    check_macs();
}

static void check_contexts(void)
{
    uint64_t outputs = each_operation(each_just_run);
    fake.guard = GUARD_BEFORE;
    assert_true(each_operation(each_just_run) == outputs);
    fake.guard = GUARD_BEHIND;
    assert_true(each_operation(each_just_run) == outputs);
    fake.guard = NO_GUARD;
}

static void test_buffers(void **unused)
{
    (void)unused;
    before = test_guarded(AREA, false);
    behind = test_guarded(AREA, true) + AREA;
    each_isa(check_all);
    test_guarded_free(before, AREA);
    test_guarded_free(behind - AREA, AREA);
}

static void test_contexts(void **unused)
{
    (void)unused;
    each_isa(check_contexts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_buffers),
                                       cmocka_unit_test(test_contexts)};
    test_begin();
    each_begin();
    test_random_bytes(text, sizeof(text));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
