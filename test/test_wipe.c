/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What takes the place of a message leaves nothing of it in the module's memory: an init, a failed
 * one, a copy over it, a failed one, a refused one. A message shorter than a block is in the state
 * as it came, and so is the end of a message of leaves in its last leaf, or in what waits. */
#include "fakecore.h"
#include "../keccak/lane.h"

#define PERIOD 16 /* the message repeats itself, so that all its pieces are few */

static uint8_t text[3 * 8192 + 60];

/* In a buffer as it came, in a state as lanes. */
static bool holds(void)
{
    for (size_t i = 0; i < PERIOD; i++) {
        const uint64_t lanes[] = {load_lane(text + i), load_lane(text + i + sizeof(lanes[0]))};
        if (fake_holds(text + i, PERIOD) || fake_holds((const uint8_t *)lanes, sizeof(lanes)))
            return true;
    }
    return false;
}

static void feed(const struct digest *d, void *ctx, size_t n, size_t piece)
{
    for (size_t at = 0; at < n; at += piece)
        assert_true(d->update(ctx, text + at, n - at < piece ? n - at : piece));
}

static void init(const struct digest *d, void *ctx)
{
    assert_true(d->init(ctx, NULL));
}

static void fail_init(const struct digest *d, void *ctx)
{
    uint8_t byte = 0;
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("state", &byte, 1), OSSL_PARAM_END};
    assert_false(d->init(ctx, params));
}

static void copy(const struct digest *d, void *ctx)
{
    void *src = d->newctx(fake.provctx);
    init(d, src);
    d->copyctx(ctx, src);
    assert_int_equal(fake.errors, 0);
    d->freectx(src);
}

/* For want of memory for a string, if the algorithm has one. */
static void fail_copy(const struct digest *d, void *ctx)
{
    static uint8_t string[1000];
    bool has = OSSL_PARAM_locate_const(d->settable_ctx_params(NULL, fake.provctx),
                                       "customization") != NULL;
    void *src = d->newctx(fake.provctx);
    init(d, src);
    assert_true(!has || fake_set_octets(d, src, "customization", string, sizeof(string)));
    fake.allocations_left = 0;
    d->copyctx(ctx, src);
    fake.allocations_left = -1;
    assert_int_equal(fake.errors, has);
    d->freectx(src);
}

/* Each with a message of so many bytes under way, or at its end. */
static bool check(const struct digest *d, void (*replace)(const struct digest *, void *), size_t n,
                  size_t piece)
{
    bool held = false;
    for (int ended = 0; ended < 2; ended++) {
        uint8_t out[64];
        size_t outl = sizeof(out);
        void *ctx = d->newctx(fake.provctx);
        init(d, ctx);
        feed(d, ctx, n, piece);
        held |= holds();
        assert_true(!ended || d->final(ctx, out, &outl, sizeof(out)));
        replace(d, ctx);
        fake_errors_clear();
        if (holds())
            fail_msg("%s, %zu bytes, ended: %d", d->names, n, ended);
        d->freectx(ctx);
        test_cases(1);
    }
    return held;
}

static void test_replaced(void **unused)
{
    static void (*const ways[])(const struct digest *, void *) = {init, fail_init, copy, fail_copy};
    size_t held = 0;
    (void)unused;
    for (size_t i = 0; i < 4 * fake_digests(); i++) {
        const struct digest d = fake_nth(i / 4);
        held += check(&d, ways[i % 4], 60, 60);
        held += check(&d, ways[i % 4], 8192 + 60, 8192 + 60);
        held += check(&d, ways[i % 4], sizeof(text), 1000);
    }
    assert_in_range(held, 4 * fake_digests(), SIZE_MAX); /* or this would see nothing */
}

/* Of a short message: by EVP no context of another algorithm is copied. */
static void test_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i), other = fake_nth((i + 1) % fake_digests());
        void *ctx = d.newctx(fake.provctx), *src = other.newctx(fake.provctx);
        init(&d, ctx);
        init(&other, src);
        feed(&d, ctx, 60, 60);
        d.copyctx(ctx, src);
        fake_expect("contexts are of different algorithms");
        assert_false(holds());
        d.freectx(ctx);
        other.freectx(src);
    }
}

/* A copy onto itself changes nothing; a string that shrinks and grows is wiped whole. */
static void test_strings(void **unused)
{
    static const size_t lengths[] = {300, 10, 600, 0, 601};
    uint8_t before[2000], after[2000];
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        void *ctx = d.newctx(fake.provctx);
        size_t size = sizeof(before), again = sizeof(after);
        init(&d, ctx);
        for (size_t j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++)
            fake_set_octets(&d, ctx, "customization", text, lengths[j]);
        fake_errors_clear();
        assert_true(d.serialize(ctx, before, &size));
        d.copyctx(ctx, ctx);
        assert_true(d.serialize(ctx, after, &again));
        assert_int_equal(again, size);
        assert_memory_equal(after, before, size);
        d.freectx(ctx);
    }
}

static int setup(void **unused)
{
    (void)unused;
    test_random_bytes(text, PERIOD);
    for (size_t i = PERIOD; i < sizeof(text); i++)
        text[i] = text[i - PERIOD];
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replaced),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_strings)};
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
