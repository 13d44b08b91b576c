/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Each allocation of each operation of each algorithm fails once. The operation says so and has
 * changed nothing: when it is done again with memory there, the answers are what they always are.
 */
#include "fakecore.h"

#define LONG_STRING 1000
#define MESSAGE 90000 /* more leaves than the widest kernel takes at once */

static uint8_t text[MESSAGE];

static bool has(const OSSL_PARAM *settable, const char *key)
{
    return OSSL_PARAM_locate_const(settable, key) != NULL;
}

/* Long strings, wherever there are strings. */
static const OSSL_PARAM *strings(const OSSL_PARAM *settable)
{
    static const char *const keys[] = {"function-name", "customization", "custom"};
    static OSSL_PARAM params[4];
    OSSL_PARAM *p = params;
    for (size_t i = 0; i < 3; i++)
        if (has(settable, keys[i]))
            *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(keys[i], text + i, LONG_STRING - i);
    *p = (OSSL_PARAM)OSSL_PARAM_END;
    return params;
}

/* Did an operation fail? Only for want of memory; and then there is memory again. */
static bool failed(bool good)
{
    if (good)
        return false;
    assert_int_equal(fake.allocations_left, 0);
    fake.allocations_left = -1;
    fake_expect("allocation failed");
    return true;
}

/* The operation, and again if it failed. */
#define DO(operation)                 \
    do {                              \
        if (failed((operation) != 0)) \
            assert_true(operation);   \
    } while (0)

/* Copies, which have no way to say that they failed. */
static void copy(const struct digest *d, void *dst, void *src)
{
    size_t errors = fake.errors;
    d->copyctx(dst, src);
    if (failed(fake.errors == errors))
        d->copyctx(dst, src);
}

/* 32 bytes of a message with everything that allocates on its way. */
static void hash(const struct digest *d, uint8_t out[32])
{
    static uint8_t blob[100000];
    const OSSL_PARAM *params = strings(d->settable_ctx_params(NULL, fake.provctx));
    size_t length = sizeof(blob), outl = 32;
    uint8_t digest[64];
    void *ctx = NULL, *other = NULL, *dup = NULL;
    DO((ctx = d->newctx(fake.provctx)) != NULL);
    DO((other = d->newctx(fake.provctx)) != NULL);
    DO(d->init(ctx, NULL));
    if (params->key != NULL) /* those without parameters refuse all */
        DO(d->set_ctx_params(ctx, params));
    DO(d->init(ctx, params));
    DO(d->update(ctx, text, 100));
    DO(d->update(ctx, text, MESSAGE));
    DO((dup = d->dupctx(ctx)) != NULL);
    DO(d->serialize(dup, blob, &length));
    DO(d->init(other, params));
    DO(d->deserialize(other, blob, length));
    copy(d, dup, other);
    DO(d->update(dup, text, MESSAGE));
    copy(d, ctx, dup);
    outl = d->squeeze == NULL ? 64 : 32;
    DO(d->final(ctx, digest, &outl, outl));
    memcpy(out, digest, 28); /* SHA3-224 */
    d->freectx(ctx);
    d->freectx(other);
    d->freectx(dup);
}

static void authenticate(const struct mac *m, uint8_t out[32])
{
    const OSSL_PARAM *params = strings(m->settable_ctx_params(NULL, fake.provctx));
    size_t outl;
    uint8_t tag[64];
    void *ctx = NULL, *dup = NULL;
    DO((ctx = m->newctx(fake.provctx)) != NULL);
    DO(m->init(ctx, text, LONG_STRING, NULL));
    DO(m->set_ctx_params(ctx, params));
    DO(m->init(ctx, text + 1, 2 * LONG_STRING, params));
    DO(m->update(ctx, text, MESSAGE));
    DO((dup = m->dupctx(ctx)) != NULL);
    DO(m->final(dup, tag, &outl, sizeof(tag)));
    memcpy(out, tag, 28);
    m->freectx(ctx);
    m->freectx(dup);
}

/* Until there was memory for all; returns how often there was not. */
static size_t fail_each(const struct digest *d, const struct mac *m)
{
    uint8_t answer[32] = {0}, got[32] = {0};
    size_t failures = 0;
    for (long n = -1;; n++) {
        size_t live = fake.live;
        fake.allocations_left = n;
        d != NULL ? hash(d, n < 0 ? answer : got) : authenticate(m, n < 0 ? answer : got);
        assert_int_equal(fake.live, live);
        if (fake.allocations_left > 0)
            break;
        failures += n >= 0;
        assert_true(n < 0 || memcmp(got, answer, 32) == 0);
    }
    fake.allocations_left = -1;
    test_cases(failures);
    return failures;
}

static void test_digests(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        bool has_strings = strings(d.settable_ctx_params(NULL, fake.provctx))->key != NULL;
        assert_in_range(fail_each(&d, NULL), has_strings ? 7 : 3, 100); /* three are contexts */
    }
}

static void test_macs(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < fake_macs(); i++) {
        const struct mac m = fake_nth_mac(i);
        assert_in_range(fail_each(NULL, &m), 6, 100); /* and keys and customs */
    }
}

/* The module is not loaded, and leaves nothing behind. */
static void test_load(void **unused)
{
    long n = 0;
    (void)unused;
    fake_unload();
    for (fake.allocations_left = 0; !fake_load(MODULE, "4.0.0"); fake.allocations_left = ++n) {
        assert_int_equal(fake.live, 0);
        fake_unload();
    }
    fake.allocations_left = -1;
    assert_int_equal(n, 1);
}

static int setup(void **unused)
{
    (void)unused;
    test_ptn(text, sizeof(text));
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests), cmocka_unit_test(test_macs),
                                       cmocka_unit_test(test_load)};
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
