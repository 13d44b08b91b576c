/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Saved states: any place to any place, and hostile blobs. */
#include "fakecore.h"

#define BLOB_MAX 4096

/* Absorbs n bytes, and squeezes k if the algorithm can; as far as it likes, where there is an xof.
 */
static void *at_place(const struct digest *d, size_t n, size_t k)
{
    uint8_t in[700], out[700];
    size_t outl = 0;
    int on = 1;
    const OSSL_PARAM xof[] = {OSSL_PARAM_int("xof", &on), OSSL_PARAM_END};
    void *ctx = d->newctx(fake.provctx);
    assert_true(d->init(ctx, xof));
    test_ptn(in, n);
    assert_true(d->update(ctx, in, n));
    if (k > 0)
        assert_true(d->squeeze(ctx, out, &outl, k));
    return ctx;
}

/* What is left to come from a context: two more bytes if it absorbs, then the end. */
static void finish(const struct digest *d, void *ctx, bool squeezing, uint8_t out[64])
{
    size_t outl = 64;
    if (!squeezing)
        assert_true(d->update(ctx, (const uint8_t *)"ab", 2));
    if (squeezing)
        assert_true(d->squeeze(ctx, out, &outl, 64));
    else
        assert_true(d->final(ctx, out, &outl, 64));
}

static size_t export_state(const struct digest *d, void *ctx, uint8_t blob[BLOB_MAX])
{
    OSSL_PARAM params[] = {OSSL_PARAM_octet_string("state", NULL, 0), OSSL_PARAM_END};
    uint8_t again[BLOB_MAX];
    size_t length;
    assert_true(d->get_ctx_params(ctx, params));
    size_t size = params[0].return_size;
    params[0].data = blob;
    params[0].data_size = size - 1;
    assert_false(d->get_ctx_params(ctx, params));
    fake_expect("output buffer too small");
    assert_int_equal(params[0].return_size, size);
    params[0].data_size = size;
    assert_true(d->get_ctx_params(ctx, params));
    length = size - 1;
    assert_false(d->serialize(ctx, again, &length));
    fake_expect("output buffer too small");
    length = BLOB_MAX;
    assert_true(d->serialize(ctx, again, &length)); /* the same bytes both ways */
    assert_int_equal(length, size);
    assert_memory_equal(blob, again, size);
    return size;
}

/* Saved anywhere, restored over anything. */
static void round_trips(const struct digest *d)
{
    static const size_t fed[] = {0, 1, 71, 72, 135, 136, 137, 168, 408, 504};
    static const size_t squeezed[] = {0, 1, 13, 135, 136, 168, 169, 336};
    uint8_t blob[BLOB_MAX], expected[64], got[64];
    for (size_t i = 0; i < 10; i++)
        for (size_t j = 0; j < (d->squeeze != NULL ? 8 : 1); j++) {
            void *source = at_place(d, fed[i], squeezed[j]);
            size_t size = export_state(d, source, blob);
            finish(d, source, squeezed[j] > 0, expected);
            for (size_t k = 0; k < 4; k++) {
                void *target = at_place(d, 50 * k, d->squeeze != NULL && k % 2 ? 5 : 0);
                assert_true(k < 2 ? d->deserialize(target, blob, size)
                                  : fake_set_octets(d, target, "state", blob, size));
                finish(d, target, squeezed[j] > 0, got);
                assert_memory_equal(got, expected, d->squeeze != NULL ? 64 : 28);
                d->freectx(target);
            }
            test_cases(4);
            d->freectx(source);
        }
}

static void test_round_trips(void **unused)
{
    (void)unused;
    for (size_t h = 0; h < FAKE_HOSTS; h++) {
        assert_true(fake_load(MODULE, fake_hosts[h]));
        for (size_t i = 0; i < fake_digests(); i++) {
            const struct digest d = fake_nth(i);
            round_trips(&d);
        }
        fake_unload();
    }
}

/* A refused blob leaves the target as it was; an accepted one leaves a context that works. */
static void try_blob(const struct digest *d, const uint8_t *blob, size_t size, bool must_fail)
{
    uint8_t before[BLOB_MAX], after[BLOB_MAX], out[64];
    void *target = at_place(d, 33, 0);
    size_t n = export_state(d, target, before);
    int accepted = d->deserialize(target, test_at_edge(blob, size), size);
    if (accepted) {
        size_t outl = 64;
        assert_false(must_fail);
        (void)d->update(target, blob, 200);
        (void)d->final(target, out, &outl, 64);
    } else {
        assert_int_equal(fake.errors, 1);
        assert_string_not_equal(fake_reason(fake.reason), "");
        fake_errors_clear();
        assert_int_equal(export_state(d, target, after), n);
        assert_memory_equal(before, after, n);
    }
    fake_errors_clear();
    d->freectx(target);
    test_cases(1);
}

static void hostile_blobs(const struct digest *d, uint8_t *blob, size_t size)
{
    for (size_t cut = 0; cut < size; cut++)
        try_blob(d, blob, cut, true);
    try_blob(d, blob, size + 1, true);
    for (size_t at = 0; at < size; at++) {
        bool header = at < 5 || at >= 205;
        for (unsigned value = 0; value < 256; value += header ? 1 : 255) {
            uint8_t kept = blob[at];
            blob[at] = (uint8_t)value;
            try_blob(d, blob, size, at < 5 && value != kept);
            blob[at] = kept;
        }
    }
}

static void test_hostile(void **unused)
{
    uint8_t blob[BLOB_MAX] = {0}, name[] = "N", custom[300] = {1};
    (void)unused;
    assert_true(fake_load(MODULE, "4.0.0"));
    for (size_t i = 0; i < fake_digests(); i++) {
        const struct digest d = fake_nth(i);
        void *ctx = at_place(&d, 33, 0);
        if (strncmp(d.names, "CSHAKE-1", 8) == 0 || strncmp(d.names, "CSHAKE-2", 8) == 0) {
            assert_true(d.init(ctx, NULL));
            assert_true(fake_set_octets(&d, ctx, "function-name", name, 1));
            assert_true(fake_set_octets(&d, ctx, "customization", custom, sizeof(custom)));
        }
        size_t size = export_state(&d, ctx, blob);
        d.freectx(ctx);
        hostile_blobs(&d, blob, size);
    }
    fake_unload();
}

/* Where the cursor may be: below the rate when absorbing, at it too when squeezing, which a fixed
 * digest never does; and lengths of strings that are whole bytes. */
static void test_positions(void **unused)
{
    static const char *const names[] = {"SHA3-256",   "KECCAK-256",     "SHAKE-256",
                                        "CSHAKE-256", "TURBOSHAKE-256", "TUPLEHASH-256"};
    uint8_t blob[BLOB_MAX], custom[] = "custom";
    (void)unused;
    assert_true(fake_load(MODULE, "4.0.0"));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct digest d = fake_digest(names[i]);
        void *ctx = at_place(&d, 0, 0);
        if (i == 3)
            assert_true(fake_set_octets(&d, ctx, "customization", custom, 6));
        size_t size = export_state(&d, ctx, blob);
        for (unsigned direction = 0; direction < 3; direction++)
            for (unsigned pos = 134; pos < 256; pos++) {
                bool good = direction == 0 ? pos < 136 : direction == 1 && pos <= 136 && i > 1;
                blob[205] = (uint8_t)pos;
                blob[206] = (uint8_t)direction;
                assert_true(d.init(ctx, NULL));
                assert_int_equal(d.deserialize(ctx, blob, size), good);
                if (!good)
                    fake_expect("saved state is corrupt");
            }
        blob[205] = blob[206] = 0;
        if (i == 3) { /* left_encode(0), then left_encode(48) for S, made 49 */
            assert_memory_equal(blob + 207, "\1\0\1\60custom", 10);
            blob[210] = 49;
            assert_true(d.init(ctx, NULL));
            assert_false(d.deserialize(ctx, blob, size));
            fake_expect("saved state is corrupt");
        }
        d.freectx(ctx);
    }
    fake_unload();
}

/* A cSHAKE context with or without strings, used or not; NULL strings are empty. */
static void *with_string(const struct digest *d, bool string, size_t fed)
{
    uint8_t custom[] = "custom", in[200];
    void *ctx = d->newctx(fake.provctx);
    assert_true(d->init(ctx, NULL));
    if (string)
        assert_true(fake_set_octets(d, ctx, "customization", custom, sizeof(custom)));
    test_ptn(in, fed);
    assert_true(fed == 0 || d->update(ctx, in, fed));
    return ctx;
}

/* The state brings its strings, whatever strings the target had; init forgets them. */
static void test_strings(void **unused)
{
    uint8_t blob[BLOB_MAX], expected[64], got[64];
    (void)unused;
    assert_true(fake_load(MODULE, "4.0.0"));
    const struct digest d = fake_digest("CSHAKE-256");
    for (unsigned i = 0; i < 16; i++) {
        void *source = with_string(&d, i & 1, i & 2 ? 150 : 0);
        void *target = with_string(&d, i & 4, i & 8 ? 20 : 0);
        size_t size = export_state(&d, source, blob);
        finish(&d, source, false, expected);
        assert_true(d.deserialize(target, blob, size));
        finish(&d, target, false, got);
        assert_memory_equal(got, expected, 64);
        d.freectx(source);
        source = with_string(&d, false, 0);
        finish(&d, source, false, expected);
        assert_true(d.init(target, NULL));
        finish(&d, target, false, got);
        assert_memory_equal(got, expected, 64);
        d.freectx(source);
        d.freectx(target);
    }
    fake_unload();
}

/* The same bytes from every kernel. */
static void test_kernels(void **unused)
{
    static uint8_t blobs[64][2][BLOB_MAX];
    static const char *const isa[] = {"portable", "bmi2", "avx2", "avx512"};
    uint8_t blob[BLOB_MAX];
    (void)unused;
    for (size_t k = 0; k < 4; k++) {
        fake.isa = isa[k];
        assert_true(fake_load(MODULE, "4.0.0"));
        assert_in_range(fake_digests(), 1, 64);
        for (size_t i = 0; i < 2 * fake_digests(); i++) {
            const struct digest d = fake_nth(i / 2);
            void *ctx = at_place(&d, 500, i % 2 != 0 && d.squeeze != NULL ? 300 : 0);
            size_t size = export_state(&d, ctx, k == 0 ? blobs[i / 2][i % 2] : blob);
            if (k > 0)
                assert_memory_equal(blob, blobs[i / 2][i % 2], size);
            d.freectx(ctx);
        }
        fake_unload();
    }
    fake.isa = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_positions),   cmocka_unit_test(test_strings),
        cmocka_unit_test(test_kernels),
    };
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
