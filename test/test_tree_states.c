/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Saved states of tree hashing: neither the kernels nor what waits in memory show in them; hostile
 * ones are refused. */
#include "leaves.h"

#define BLOB 2000

static size_t export(void *ctx, uint8_t blob[BLOB])
{
    size_t size = BLOB;
    assert_true(d.serialize(ctx, blob, &size));
    return size;
}

/* Where leaves begin, end and wait. */
static const size_t places[] = {0,        1,        LEAF - 1,     LEAF,          LEAF + 1,
                                2 * LEAF, 9 * LEAF, 9 * LEAF + 1, 17 * LEAF - 1, INPUT - 3};
#define PLACES (sizeof(places) / sizeof(places[0]))

/* One saved state: the same from every kernel set and in whatever pieces the message came; every
 * set resumes it, in whatever context. */
static struct saved {
    uint8_t blob[BLOB], end[OUT];
    size_t size;
} saved[SUBJECTS][PLACES];

static void resume(const struct saved *s, size_t n, void *ctx)
{
    uint8_t got[OUT], blob[BLOB];
    assert_true(d.deserialize(ctx, s->blob, s->size));
    assert_int_equal(export(ctx, blob), s->size);
    assert_memory_equal(blob, s->blob, s->size);
    leaves_feed(ctx, n, INPUT, 0);
    leaves_finish(ctx, got);
    assert_memory_equal(got, s->end, OUT);
}

static void states(void)
{
    static const size_t pieces[] = {INPUT, LEAF, LEAF - 1, 0, 1};
    uint8_t blob[BLOB];
    for (size_t p = 0; p < PLACES; p++) {
        struct saved *s = &saved[subject - subjects][p];
        for (size_t i = 0; i < 5; i++) {
            void *ctx = leaves_fed(places[p], pieces[i]);
            size_t size = export(ctx, blob);
            if (s->size == 0) {
                s->size = size;
                memcpy(s->blob, blob, size);
                leaves_finish(leaves_fed(INPUT, INPUT), s->end);
            }
            assert_int_equal(size, s->size);
            assert_memory_equal(blob, s->blob, size);
            leaves_feed(ctx, places[p], INPUT, 0); /* nothing was lost by saving */
            resume(s, places[p], ctx);
            resume(s, places[p], leaves_fed(places[i], 1000));
        }
    }
}

static void test_states(void **unused)
{
    (void)unused;
    memset(saved, 0, sizeof(saved));
    leaves_each(states);
}

/* A squeezing state, and that nothing of an earlier message is in a state. */
static void test_squeezing(void **unused)
{
    uint8_t expected[OUT], got[OUT], first[BLOB], blob[BLOB];
    size_t outl, length = OUT;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("xoflen", &length), OSSL_PARAM_END};
    (void)unused;
    for (size_t j = 0; j < SUBJECTS; j++) {
        leaves_load("avx2", &subjects[j]);
        void *ctx = leaves_fed(INPUT - 7, 1000), *other = leaves_fed(3 * LEAF, 1000);
        leaves_finish(leaves_fed(INPUT - 7, INPUT), expected);
        assert_true(d.set_ctx_params(ctx, params)); /* where the length is hashed, too */
        assert_true(d.squeeze(ctx, got, &outl, 33));
        size_t size = export(ctx, blob);
        assert_true(d.deserialize(other, blob, size));
        assert_false(fake_set_octets(&d, other, "customization", got, 1));
        assert_int_equal(fake.errors, 1);
        fake_errors_clear();
        assert_true(d.squeeze(other, got + 33, &outl, OUT - 33));
        assert_memory_equal(got, expected, OUT);
        d.freectx(other);
        leaves_init(ctx);
        other = leaves_fed(0, 0);
        size = export(other, first);
        assert_int_equal(export(ctx, blob), size);
        assert_memory_equal(blob, first, size);
        d.freectx(other);
        d.freectx(ctx);
        leaves_unload();
    }
}

/* A blob in memory that ends with it: accepted, it gives a context that works; refused, it leaves
 * the target as it was. */
static bool try_blob(const uint8_t *blob, size_t size)
{
    uint8_t before[BLOB], after[BLOB], out[OUT], *exact = malloc(size + 1);
    void *ctx = leaves_fed(2 * LEAF + 100, 1000);
    size_t outl = OUT, n = export(ctx, before);
    memcpy(exact + 1, blob, size);
    bool accepted = d.deserialize(ctx, exact + 1, size);
    if (accepted) {
        (void)d.update(ctx, input, 3 * LEAF);
        (void)d.final(ctx, out, &outl, OUT);
    } else {
        assert_int_equal(fake.errors, 1);
        assert_int_equal(export(ctx, after), n);
        assert_memory_equal(after, before, n);
    }
    fake_errors_clear();
    free(exact);
    d.freectx(ctx);
    test_cases(1);
    return accepted;
}

/* Every byte of what stands around the two states takes other values; every length is cut. */
static void hostile(void)
{
    uint8_t blob[BLOB] = {0};
    void *ctx = leaves_fed(10 * LEAF + 77, 1000);
    size_t size = export(ctx, blob);
    assert_true(try_blob(blob, size));
    for (size_t cut = 0; cut < size; cut++)
        assert_false(try_blob(blob, cut));
    assert_false(try_blob(blob, size + 1));
    for (size_t at = 0; at < size; at += at == 5 ? 200 : 1) {
        const uint8_t kept = blob[at], values[] = {0, 1, 0x7f, 0x80, 0xff, (uint8_t)(kept + 1)};
        for (size_t i = 0; i < 6; i++) {
            blob[at] = values[i];
            if (try_blob(blob, size) && at < 5)
                assert_int_equal(values[i], kept);
        }
        blob[at] = kept;
    }
    d.freectx(ctx);
}

static void test_hostile(void **unused)
{
    (void)unused;
    for (size_t j = 0; j < 4; j++) {
        leaves_load("avx2", &subjects[j]);
        hostile();
        leaves_unload();
    }
}

/* Offsets of a state: behind the header bytes of message and the leaf; of ParallelHash B, xof and
 * how much is left to squeeze, too. */
enum {
    AT_POS = 205,
    AT_DIRECTION,
    AT_FED,
    AT_LEAF = AT_FED + 8,
    AT_LEAF_SIZE = AT_LEAF + 200,
    AT_XOF = AT_LEAF_SIZE + 8,
    AT_LEFT
};

static void corrupt(void *ctx, uint8_t *blob, size_t size, size_t at, uint8_t change)
{
    blob[at] ^= change;
    assert_false(d.deserialize(ctx, blob, size));
    fake_expect("saved state is corrupt");
    blob[at] ^= change;
}

/* Where the cursor must be, a leaf that must not be there, numbers that nobody reaches. */
static void test_corrupt(void **unused)
{
    uint8_t blob[BLOB];
    (void)unused;
    for (size_t j = 0; j < SUBJECTS; j++) {
        leaves_load("avx2", &subjects[j]);
        size_t leaf = subject->leaf_size > 0 ? subject->leaf_size : LEAF;
        void *ctx = leaves_fed(4 * leaf, leaf);
        size_t size = export(ctx, blob);
        corrupt(ctx, blob, size, AT_POS, 1);
        corrupt(ctx, blob, size, AT_DIRECTION, 1); /* bytes of message, and output */
        corrupt(ctx, blob, size, AT_LEAF, 1);
        corrupt(ctx, blob, size, AT_LEAF + 199, 0x80);
        corrupt(ctx, blob, size, AT_FED + 7, 0x80);
        if (j > 1) {
            corrupt(ctx, blob, size, AT_XOF, 2);
            corrupt(ctx, blob, size, AT_LEFT, 1); /* of output that has not begun */
        }
        assert_true(d.deserialize(ctx, blob, size));
        d.freectx(ctx);
        leaves_unload();
    }
}

/* With the cursor where 2^63 bytes more would leave it, which are 2^50 leaves of KT. */
static void test_too_much(void **unused)
{
    uint8_t blob[BLOB];
    (void)unused;
    leaves_load("avx2", &subjects[0]);
    void *ctx = leaves_fed(4 * LEAF, LEAF);
    size_t size = export(ctx, blob);
    blob[AT_POS] = (uint8_t)((blob[AT_POS] + 32 * (UINT64_C(1) << 50)) % 168);
    corrupt(ctx, blob, size, AT_FED + 7, 0x80);
    d.freectx(ctx);
    leaves_unload();
}

/* 84 * 2^56 more leaves of a byte, a multiple of the rate, leave the cursors where they are; they
 * count, although their chaining values are more bytes than 64 bits count. */
static void test_many(void **unused)
{
    static const struct subject bytes = {"PARALLELHASH128", 1};
    uint8_t blob[BLOB], again[BLOB], few[OUT], many[OUT];
    (void)unused;
    leaves_load("avx2", &bytes);
    void *ctx = leaves_fed(4, 1);
    size_t size = export(ctx, blob);
    leaves_finish(ctx, few);
    blob[AT_FED + 7] = 84;
    ctx = leaves_fed(0, 0);
    assert_true(d.deserialize(ctx, blob, size));
    assert_int_equal(export(ctx, again), size);
    assert_memory_equal(again, blob, size);
    leaves_finish(ctx, many);
    assert_memory_not_equal(many, few, OUT);
    leaves_unload();
}

/* B is at least 1, and what is left to squeeze is what could have been encoded. */
static void test_parallelhash(void **unused)
{
    uint8_t blob[BLOB], out[OUT];
    size_t outl;
    (void)unused;
    leaves_load("avx2", &subjects[2]);
    void *ctx = leaves_fed(4 * LEAF, LEAF);
    assert_true(d.squeeze(ctx, out, &outl, 20));
    size_t size = export(ctx, blob);
    corrupt(ctx, blob, size, AT_LEFT + 7, 0x20);
    corrupt(ctx, blob, size, AT_FED, 1);
    corrupt(ctx, blob, size, AT_LEAF_SIZE + 1, 0x20); /* 8192, made 0 */
    corrupt(ctx, blob, size, AT_XOF, 1);              /* without limit, and 12 left */
    assert_int_equal(blob[AT_LEFT], 12);
    blob[AT_LEFT] = 11;
    assert_true(d.deserialize(ctx, blob, size));
    assert_false(d.squeeze(ctx, out, &outl, 12));
    fake_expect("squeeze past the output length, which is hashed: set xoflen, or xof");
    assert_true(d.squeeze(ctx, out, &outl, 11));
    d.freectx(ctx);
    leaves_unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),       cmocka_unit_test(test_squeezing),
        cmocka_unit_test(test_hostile),      cmocka_unit_test(test_corrupt),
        cmocka_unit_test(test_too_much),     cmocka_unit_test(test_many),
        cmocka_unit_test(test_parallelhash),
    };
    test_begin();
    test_random_bytes(input, sizeof(input));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
