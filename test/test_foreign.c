/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Contexts of one algorithm, and states and contexts of another. */
#include "fakecore.h"

static void *with_bytes(const struct digest *d, size_t n)
{
    uint8_t in[100];
    void *ctx = d->newctx(fake.provctx);
    test_ptn(in, n);
    assert_true(d->init(ctx, NULL) && d->update(ctx, in, n));
    return ctx;
}

/* No algorithm takes another's state, but cSHAKE without strings is SHAKE. */
static void test_states(void **unused)
{
    uint8_t blob[1024];
    (void)unused;
    assert_true(fake_load(MODULE, "4.0.0"));
    for (size_t i = 0; i < fake_digests(); i++)
        for (size_t j = 0; j < fake_digests(); j++) {
            const struct digest from = fake_nth(i), to = fake_nth(j);
            const char *f = from.names, *t = to.names;
            bool same =
                i == j ||
                (strncmp(f, "SHAKE-", 6) == 0 && strncmp(t, "CSHAKE-", 7) == 0 && f[6] == t[7]) ||
                (strncmp(t, "SHAKE-", 6) == 0 && strncmp(f, "CSHAKE-", 7) == 0 && t[6] == f[7]);
            void *source = with_bytes(&from, 10), *target = with_bytes(&to, 3);
            size_t size = sizeof(blob);
            assert_true(from.serialize(source, blob, &size));
            assert_int_equal(to.deserialize(target, blob, size), same);
            if (!same)
                fake_expect("saved state is of another algorithm or version");
            from.freectx(source);
            to.freectx(target);
        }
    fake_unload();
}

/* A copy over a context of another algorithm, which EVP never asks for, kills it until its init. */
static void test_copies(void **unused)
{
    uint8_t out[64], expected[64];
    (void)unused;
    assert_true(fake_load(MODULE, "4.0.0"));
    for (size_t i = 0; i < fake_digests(); i++)
        for (size_t j = 0; j < fake_digests(); j++) {
            const struct digest from = fake_nth(i), to = fake_nth(j);
            void *source = with_bytes(&from, 10), *target = with_bytes(&to, 10);
            size_t outl = 64;
            assert_true(to.final(target, expected, &outl, 64));
            to.copyctx(target, source);
            if (i != j) {
                fake_expect("contexts are of different algorithms");
                assert_false(to.update(target, out, 1));
                fake_expect("context is not initialised, or its last initialisation failed");
                to.freectx(target);
                target = with_bytes(&to, 10);
            }
            outl = 64;
            assert_true(to.final(target, out, &outl, 64));
            assert_memory_equal(out, expected, 28);
            from.freectx(source);
            to.freectx(target);
        }
    fake_unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_states),
                                       cmocka_unit_test(test_copies)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
