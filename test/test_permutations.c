/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * How many permutations an operation costs, by the counter in counting.c: none but those that the
 * standard asks for, and none at all for a prefix that is there already. */
#include <dlfcn.h>
#include <stdatomic.h>
#include "fakecore.h"

static uint8_t in[1000], out[1000];

static uint64_t permutations(void)
{
    static uint64_t before;
    _Atomic uint64_t *counter = dlsym(fake.library, "keccakprov_permutations");
    assert_non_null(counter);
    uint64_t now = *counter, since = now - before;
    before = now;
    return since;
}

static const OSSL_PARAM *strings(const char *n, const char *s)
{
    static OSSL_PARAM params[3];
    params[0] = (OSSL_PARAM)OSSL_PARAM_utf8_string("function-name", (char *)n, strlen(n));
    params[1] = (OSSL_PARAM)OSSL_PARAM_utf8_string("customization", (char *)s, strlen(s));
    params[2] = (OSSL_PARAM)OSSL_PARAM_END;
    return params;
}

/* A message of a XOF or digest from init to final. */
static uint64_t cost(const struct digest *d, void *ctx, const OSSL_PARAM *params, size_t inlen,
                     size_t outlen)
{
    size_t outl = outlen;
    permutations();
    assert_true(d->init(ctx, params) && d->update(ctx, in, inlen));
    assert_true(d->final(ctx, out, &outl, outlen));
    return permutations();
}

/* Absorbing permutes with each full block, squeezing when another byte is wanted. */
static void test_blocks(void **unused)
{
    static const struct {
        const char *name;
        size_t inlen, outlen, permutations;
    } cases[] = {{"SHA3-256", 0, 32, 1},     {"SHA3-256", 135, 32, 1},   {"SHA3-256", 136, 32, 2},
                 {"SHA3-256", 1000, 32, 8},  {"SHA3-512", 71, 64, 1},    {"SHA3-512", 72, 64, 2},
                 {"SHAKE-128", 34, 168, 1},  {"SHAKE-128", 34, 169, 2},  {"SHAKE-128", 34, 504, 3},
                 {"SHAKE-128", 167, 336, 2}, {"SHAKE-128", 168, 337, 4}, {"CSHAKE-256", 8, 136, 1},
                 {"KT-128", 0, 168, 1},      {"KT-128", 166, 32, 1},     {"KT-128", 167, 32, 2}};
    (void)unused;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct digest d = fake_digest(cases[i].name);
        void *ctx = d.newctx(fake.provctx);
        assert_int_equal(cost(&d, ctx, NULL, cases[i].inlen, cases[i].outlen),
                         cases[i].permutations);
        d.freectx(ctx);
    }
}

static void test_tuplehash(void **unused)
{
    struct digest d = fake_digest("TUPLEHASH-128");
    void *ctx = d.newctx(fake.provctx);
    (void)unused;
    assert_int_equal(cost(&d, ctx, NULL, 8, 64), 2);
    assert_int_equal(cost(&d, ctx, NULL, 8, 64), 1);
    assert_int_equal(cost(&d, ctx, strings("ignored", "S"), 8, 64), 2);
    assert_int_equal(cost(&d, ctx, strings("", "S"), 161, 64), 1); /* with lengths, 167 */
    d.freectx(ctx);
    ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, NULL));
    permutations();
    void *copy = d.dupctx(ctx);
    size_t outl = 32;
    assert_true(d.update(copy, in, 8) && d.final(copy, out, &outl, 32));
    assert_int_equal(permutations(), 1);
    d.freectx(copy);
    d.freectx(ctx);
}

/* A prefix, a leaf, and the node's own last block. */
static void test_parallelhash(void **unused)
{
    struct digest d = fake_digest("PARALLELHASH-128");
    void *ctx = d.newctx(fake.provctx);
    (void)unused;
    assert_int_equal(cost(&d, ctx, NULL, 8, 64), 3);
    assert_int_equal(cost(&d, ctx, NULL, 8, 64), 2);
    assert_int_equal(cost(&d, ctx, strings("ignored", "S"), 8, 64), 3);
    assert_int_equal(cost(&d, ctx, strings("", "S"), 168, 64), 3); /* a block, and its padding */
    d.freectx(ctx);
}

static void test_squeeze_block_by_block(void **unused)
{
    struct digest d = fake_digest("SHAKE-128");
    void *ctx = d.newctx(fake.provctx);
    size_t outl;
    (void)unused;
    assert_true(d.init(ctx, NULL) && d.update(ctx, in, 34));
    permutations();
    for (unsigned i = 0; i < 3; i++) {
        assert_true(d.squeeze(ctx, out, &outl, 168));
        assert_int_equal(permutations(), 1);
    }
    d.freectx(ctx);
}

/* The state after the prefix of N and S is kept: the same strings again cost no permutation. */
static void test_prefix_is_kept(void **unused)
{
    struct digest d = fake_digest("CSHAKE-128");
    void *ctx = d.newctx(fake.provctx);
    (void)unused;
    assert_int_equal(cost(&d, ctx, strings("", "Email Signature"), 8, 64), 2);
    assert_int_equal(cost(&d, ctx, strings("", "Email Signature"), 8, 64), 1);
    assert_int_equal(cost(&d, ctx, strings("", "Email signature"), 8, 64), 2);
    assert_int_equal(cost(&d, ctx, NULL, 8, 64), 1);
    d.freectx(ctx);
}

/* One string after the other, in either order, and after an init without any: the kept prefix waits
 * for the last of them. */
static void test_strings_one_by_one(void **unused)
{
    static const char *const names[] = {"CSHAKE-128", "TUPLEHASH-128", "PARALLELHASH-128"};
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        struct digest d = fake_digest(names[i]);
        void *ctx = d.newctx(fake.provctx);
        uint64_t first = 0;
        for (unsigned k = 0; k < 6; k++) {
            const OSSL_PARAM *both = strings("name", "customization");
            const OSSL_PARAM one[] = {both[k % 2], OSSL_PARAM_END},
                             other[] = {both[1 - k % 2], OSSL_PARAM_END};
            size_t outl = 64;
            permutations();
            assert_true(d.init(ctx, k < 3 ? one : NULL));
            assert_true(d.set_ctx_params(ctx, one) && d.set_ctx_params(ctx, other));
            assert_true(d.update(ctx, in, 8) && d.final(ctx, out, &outl, 64));
            if (k == 0)
                first = permutations();
            else
                assert_in_range(permutations(), 1, first - 1);
        }
        d.freectx(ctx);
    }
}

/* Where libcrypto makes a new context at every init, as 3.0 does, the way is a copy of one that has
 * its strings and no data. */
static void test_copy_of_prepared(void **unused)
{
    struct digest d = fake_digest("CSHAKE-128");
    void *prepared = d.newctx(fake.provctx), *used = d.newctx(fake.provctx);
    (void)unused;
    assert_true(d.init(prepared, strings("", "Email Signature")));
    for (unsigned i = 0; i < 3; i++) {
        size_t outl = 64;
        permutations();
        void *copy = d.dupctx(prepared);
        assert_true(d.update(copy, in, 8) && d.final(copy, out, &outl, 64));
        d.freectx(copy);
        assert_int_equal(permutations(), 1);
        d.copyctx(used, prepared);
        assert_true(d.update(used, in, 8) && d.final(used, out, &outl, 64));
        assert_int_equal(permutations(), 1);
    }
    d.freectx(prepared);
    d.freectx(used);
}

/* Init, "abc", final; key: a letter, 0: none given. */
static uint64_t mac_cost(const struct mac *m, void *ctx, const char *key, const char *custom)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_utf8_string("custom", (char *)(uintptr_t)custom,
                                                        custom != NULL ? strlen(custom) : 0),
                                 OSSL_PARAM_END};
    size_t outl;
    permutations();
    assert_true(m->init(ctx, (const uint8_t *)key, key != NULL ? strlen(key) : 0,
                        custom != NULL ? params : NULL));
    assert_true(m->update(ctx, in, 3) && m->final(ctx, out, &outl, sizeof(out)));
    return permutations();
}

/* The state after prefix and key is kept; and a key is never compared with the one before. */
static void test_kmac(void **unused)
{
    const struct mac m = fake_nth_mac(0);
    void *ctx = m.newctx(fake.provctx), *copy;
    (void)unused;
    assert_int_equal(mac_cost(&m, ctx, "key", NULL), 3);
    assert_int_equal(mac_cost(&m, ctx, NULL, NULL), 1);
    assert_int_equal(mac_cost(&m, ctx, NULL, ""), 1);
    assert_int_equal(mac_cost(&m, ctx, NULL, "custom"), 3);
    assert_int_equal(mac_cost(&m, ctx, NULL, "custom"), 1);
    assert_int_equal(mac_cost(&m, ctx, "key", "custom"), 3);
    copy = m.dupctx(ctx);
    assert_int_equal(mac_cost(&m, copy, NULL, NULL), 1);
    m.freectx(copy);
    m.freectx(ctx);
}

/* The self-test tries every kernel set, whichever is in use. */
static void test_self_test(void **unused)
{
    static const char *const isa[] = {"auto", "portable"};
    uint64_t counts[2];
    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        fake_unload();
        fake.isa = isa[i];
        assert_true(fake_load(COUNTING_MODULE, "3.5.0"));
        permutations();
        assert_true(fake_self_test());
        counts[i] = permutations();
    }
    assert_int_equal(counts[0], counts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),         cmocka_unit_test(test_squeeze_block_by_block),
        cmocka_unit_test(test_prefix_is_kept), cmocka_unit_test(test_copy_of_prepared),
        cmocka_unit_test(test_tuplehash),      cmocka_unit_test(test_parallelhash),
        cmocka_unit_test(test_kmac),           cmocka_unit_test(test_strings_one_by_one),
        cmocka_unit_test(test_self_test),
    };
    test_begin();
    fake.isa = "portable";
    assert_true(fake_load(COUNTING_MODULE, "3.5.0"));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fake_unload();
    return failed;
}
