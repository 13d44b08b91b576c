/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The memory that tree hashing takes and that it does without, and copies of what waits in it. */
#include "leaves.h"

/* The memory beyond the context: none for a short message or for one that comes whole, one block if
 * it comes in pieces; none is left when output begins, nor after init. */
static void memory(void)
{
    uint8_t out[OUT];
    size_t outl = OUT, before = fake.allocations;
    void *ctx = leaves_fed(0, 0);
    assert_in_range(fake_size(ctx), 1, subject->name[0] == 'K' ? 599 : 999);
    leaves_feed(ctx, 0, subject->leaf_size > 0 ? subject->leaf_size : LEAF, 1);
    leaves_finish(ctx, out);
    leaves_finish(leaves_fed(INPUT, INPUT), out);
    assert_int_equal(fake.allocations - before, 2);
    ctx = leaves_fed(INPUT, LEAF);
    assert_int_equal(fake.allocations - before, 3 + leaves_wait());
    assert_true(d.final(ctx, out, &outl, OUT));
    assert_int_equal(fake.live, 2);
    leaves_init(ctx);
    leaves_feed(ctx, 0, INPUT, 1000);
    assert_int_equal(fake.live, 2 + leaves_wait());
    leaves_init(ctx);
    assert_int_equal(fake.live, 2);
    d.freectx(ctx);
}

static void test_memory(void **unused)
{
    (void)unused;
    leaves_each(memory);
}

/* A copy with so many allocations granted; kind 0: dup, 1: into a new context, 2: into one that has
 * memory. */
static void *copy(void *src, unsigned kind, long granted)
{
    void *dst = kind == 0 ? NULL : kind == 1 ? leaves_fed(0, 0) : leaves_fed(5 * LEAF, LEAF);
    fake.allocations_left = granted;
    if (kind == 0)
        dst = d.dupctx(src);
    else
        d.copyctx(dst, src);
    fake.allocations_left = -1;
    assert_non_null(dst);
    return dst;
}

/* The copies, with memory and without, and their source go on to the same end. */
static void copies(size_t n, size_t piece, const uint8_t expected[OUT])
{
    uint8_t got[OUT];
    for (unsigned kind = 0; kind < 3; kind++) {
        void *ctx = leaves_fed(n - 5, piece);
        void *contexts[] = {copy(ctx, kind, kind == 0), copy(ctx, kind, -1), ctx};
        for (size_t i = 0; i < 3; i++) {
            leaves_feed(contexts[i], n - 5, n, 5);
            leaves_finish(contexts[i], got);
            assert_memory_equal(got, expected, OUT);
        }
    }
}

/* Without memory leaves run one at a time, and a copy hashes those that wait: no error. */
static void no_memory(void)
{
    uint8_t expected[OUT], got[OUT];
    for (size_t n = 2 * LEAF - 1; n < INPUT; n += 3 * LEAF + 1) {
        leaves_finish(leaves_fed(n, INPUT), expected);
        void *ctx = leaves_fed(LEAF, LEAF);
        fake.allocations_left = 0;
        leaves_feed(ctx, LEAF, n, 1000);
        fake.allocations_left = -1;
        leaves_finish(ctx, got);
        assert_memory_equal(got, expected, OUT);
        copies(n, 1000, expected);
        copies(n, 1, expected);
    }
}

static void test_no_memory(void **unused)
{
    (void)unused;
    leaves_each(no_memory);
}

/* Between contexts with memory for leaves of different sizes. */
static void test_other_sizes(void **unused)
{
    static const struct subject other[] = {{"PARALLELHASH128", 8000}, {"PARALLELHASH128", 100}};
    uint8_t expected[OUT], got[OUT];
    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        leaves_load("avx2", &other[i]);
        leaves_finish(leaves_fed(30000, INPUT), expected);
        void *src = leaves_fed(30000, 1000);
        subject = &other[1 - i];
        void *dst = leaves_fed(30000, 1000);
        d.copyctx(dst, src);
        leaves_finish(src, got);
        assert_memory_equal(got, expected, OUT);
        leaves_finish(dst, got);
        assert_memory_equal(got, expected, OUT);
        leaves_unload();
    }
}

/* A copy that fails for its customization leaves nothing in memory. */
static void test_copy_fails(void **unused)
{
    uint8_t custom[] = "custom";
    (void)unused;
    for (size_t j = 0; j < SUBJECTS; j++) {
        leaves_load("avx2", &subjects[j]);
        void *src = leaves_fed(0, 0), *dst = leaves_fed(INPUT, 1000);
        assert_true(fake_set_octets(&d, src, "customization", custom, sizeof(custom)));
        size_t live = fake.live;
        fake.allocations_left = 0;
        d.copyctx(dst, src);
        fake.allocations_left = -1;
        fake_expect("allocation failed");
        assert_int_equal(fake.live, live - leaves_wait());
        assert_false(d.update(dst, input, 1));
        fake_expect("context is not initialised, or its last initialisation failed");
        d.freectx(src);
        d.freectx(dst);
        leaves_unload();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_copy_fails),
    };
    test_begin();
    test_random_bytes(input, sizeof(input));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
