/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What tree hashing has besides its bytes, on every kernel set: memory that it takes and that it
 * does without, copies of what waits in it, and states in which neither it nor the kernels show. */
#include "fakecore.h"

#define LEAF 8192
#define INPUT (23 * LEAF)
#define OUT 100
#define BLOB 2000

static const char *const isas[] = {"portable", "bmi2", "avx2", "avx512"};
#define ISAS (sizeof(isas) / sizeof(isas[0]))

static const struct subject {
    const char *name;
    size_t leaf_size;
} subjects[] = {{"KT128", 0}, {"KT256", 0}};
#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

static uint8_t input[INPUT];
static const struct subject *subject;
static struct digest d;

static void load(const char *isa, const struct subject *which)
{
    fake.isa = isa;
    assert_true(fake_load(MODULE, "4.0.0"));
    subject = which;
    d = fake_digest(subject->name);
}

static void unload(void)
{
    assert_int_equal(fake.live, 1);
    fake_unload();
    assert_false(fake.dirty_free);
    assert_int_equal(fake.errors, 0);
}

static void init(void *ctx)
{
    size_t leaf_size = subject->leaf_size;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("leaf-size", &leaf_size),
                                 OSSL_PARAM_construct_end()};
    assert_true(d.init(ctx, leaf_size > 0 ? params : NULL));
}

/* Pieces of that many bytes, 0: of random lengths. */
static void feed(void *ctx, size_t from, size_t to, size_t piece)
{
    for (size_t n; from < to; from += n) {
        n = piece > 0 ? piece : test_below(3 * LEAF);
        n = n < to - from ? n : to - from;
        assert_true(d.update(ctx, input + from, n));
    }
}

static void *fed(size_t n, size_t piece)
{
    void *ctx = d.newctx(fake.provctx);
    init(ctx);
    feed(ctx, 0, n, piece);
    return ctx;
}

static void finish(void *ctx, uint8_t out[OUT])
{
    size_t outl = OUT;
    assert_true(d.final(ctx, out, &outl, OUT));
    d.freectx(ctx);
}

static void each(void (*test)(void))
{
    for (size_t i = 0; i < ISAS; i++)
        for (size_t j = 0; j < SUBJECTS; j++) {
            load(isas[i], &subjects[j]);
            test();
            unload();
        }
}

/* Whether it is worth while to let leaves wait: in sets with a wide kernel, unless they are large.
 */
static bool waits(void)
{
    return strstr(fake.isa, "avx") != NULL && subject->leaf_size <= LEAF;
}

/* The memory beyond the context: none for a short message or for one that comes whole, one block if
 * it comes in pieces; none is left when output begins, nor after init. */
static void memory(void)
{
    uint8_t out[OUT];
    size_t outl = OUT, before = fake.allocations, size;
    void *ctx = fed(0, 0);
    memcpy(&size, (uint8_t *)ctx - 8, sizeof(size)); /* as fakecore notes it */
    assert_in_range(size, 1, subject->name[0] == 'K' ? 599 : 999);
    feed(ctx, 0, subject->leaf_size > 0 ? subject->leaf_size : LEAF, 1);
    finish(ctx, out);
    finish(fed(INPUT, INPUT), out);
    assert_int_equal(fake.allocations - before, 2);
    ctx = fed(INPUT, LEAF);
    assert_int_equal(fake.allocations - before, 3 + waits());
    assert_true(d.final(ctx, out, &outl, OUT));
    assert_int_equal(fake.live, 2);
    init(ctx);
    feed(ctx, 0, INPUT, 1000);
    assert_int_equal(fake.live, 2 + waits());
    init(ctx);
    assert_int_equal(fake.live, 2);
    d.freectx(ctx);
}

static void test_memory(void **unused)
{
    (void)unused;
    each(memory);
}

/* A copy with so many allocations granted; kind 0: dup, 1: into a new context, 2: into one that has
 * memory. */
static void *copy(void *src, unsigned kind, long granted)
{
    void *dst = kind == 0 ? NULL : kind == 1 ? fed(0, 0) : fed(5 * LEAF, LEAF);
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
        void *ctx = fed(n - 5, piece);
        void *contexts[] = {copy(ctx, kind, kind == 0), copy(ctx, kind, -1), ctx};
        for (size_t i = 0; i < 3; i++) {
            feed(contexts[i], n - 5, n, 5);
            finish(contexts[i], got);
            assert_memory_equal(got, expected, OUT);
        }
    }
}

/* Without memory leaves run one at a time, and a copy hashes those that wait: no error. */
static void no_memory(void)
{
    uint8_t expected[OUT], got[OUT];
    for (size_t n = 2 * LEAF - 1; n < INPUT; n += 3 * LEAF + 1) {
        finish(fed(n, INPUT), expected);
        void *ctx = fed(LEAF, LEAF);
        fake.allocations_left = 0;
        feed(ctx, LEAF, n, 1000);
        fake.allocations_left = -1;
        finish(ctx, got);
        assert_memory_equal(got, expected, OUT);
        copies(n, 1000, expected);
        copies(n, 1, expected);
    }
}

static void test_no_memory(void **unused)
{
    (void)unused;
    each(no_memory);
}

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
    feed(ctx, n, INPUT, 0);
    finish(ctx, got);
    assert_memory_equal(got, s->end, OUT);
}

static void states(void)
{
    static const size_t pieces[] = {INPUT, LEAF, LEAF - 1, 0, 1};
    uint8_t blob[BLOB];
    for (size_t p = 0; p < PLACES; p++) {
        struct saved *s = &saved[subject - subjects][p];
        for (size_t i = 0; i < 5; i++) {
            void *ctx = fed(places[p], pieces[i]);
            size_t size = export(ctx, blob);
            if (s->size == 0) {
                s->size = size;
                memcpy(s->blob, blob, size);
                finish(fed(INPUT, INPUT), s->end);
            }
            assert_int_equal(size, s->size);
            assert_memory_equal(blob, s->blob, size);
            feed(ctx, places[p], INPUT, 0); /* nothing was lost by saving */
            resume(s, places[p], ctx);
            resume(s, places[p], fed(places[i], 1000));
        }
    }
}

static void test_states(void **unused)
{
    (void)unused;
    memset(saved, 0, sizeof(saved));
    each(states);
}

/* A squeezing state, and that nothing of an earlier message is in a state. */
static void test_squeezing(void **unused)
{
    uint8_t expected[OUT], got[OUT], first[BLOB], blob[BLOB];
    size_t outl;
    (void)unused;
    for (size_t j = 0; j < SUBJECTS; j++) {
        load("avx2", &subjects[j]);
        void *ctx = fed(INPUT - 7, 1000), *other = fed(3 * LEAF, 1000);
        finish(fed(INPUT - 7, INPUT), expected);
        assert_true(d.squeeze(ctx, got, &outl, 33));
        size_t size = export(ctx, blob);
        assert_true(d.deserialize(other, blob, size));
        assert_true(d.squeeze(other, got + 33, &outl, OUT - 33));
        assert_memory_equal(got, expected, OUT);
        d.freectx(other);
        init(ctx);
        other = fed(0, 0);
        size = export(other, first);
        assert_int_equal(export(ctx, blob), size);
        assert_memory_equal(blob, first, size);
        d.freectx(other);
        d.freectx(ctx);
        unload();
    }
}

/* A blob in memory that ends with it: accepted, it gives a context that works; refused, it leaves
 * the target as it was. */
static bool try_blob(const uint8_t *blob, size_t size)
{
    uint8_t before[BLOB], after[BLOB], out[OUT], *exact = malloc(size + 1);
    void *ctx = fed(2 * LEAF + 100, 1000);
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
    return accepted;
}

/* Every byte of what stands around the two states takes other values; every length is cut. */
static void hostile(void)
{
    uint8_t blob[BLOB] = {0};
    void *ctx = fed(10 * LEAF + 77, 1000);
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
    for (size_t j = 0; j < SUBJECTS; j++) {
        load("avx2", &subjects[j]);
        hostile();
        unload();
    }
}

/* Where the cursor must be, the leaf that must not be there, a number nobody reaches. */
static void test_corrupt(void **unused)
{
    uint8_t blob[BLOB];
    (void)unused;
    load("avx2", &subjects[0]);
    void *ctx = fed(4 * LEAF, LEAF);
    size_t size = export(ctx, blob);
    static const struct {
        size_t at;
        uint8_t to;
    } changes[] = {{205, 1}, {207 + 7, 0x80}, {215, 1}, {414, 0x80}, {206, 1}};
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const uint8_t kept = blob[changes[i].at];
        blob[changes[i].at] ^= changes[i].to;
        assert_false(d.deserialize(ctx, blob, size));
        fake_expect("saved state is corrupt");
        blob[changes[i].at] = kept;
    }
    assert_true(d.deserialize(ctx, blob, size));
    blob[207 + 7] ^= 0x80; /* 2^63 bytes more are 2^50 leaves, 2^55 bytes of values */
    blob[205] = (uint8_t)((blob[205] + (UINT64_C(1) << 55) % 168) % 168);
    assert_false(d.deserialize(ctx, blob, size));
    fake_expect("saved state is corrupt");
    d.freectx(ctx);
    unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_states),  cmocka_unit_test(test_squeezing),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_corrupt),
    };
    test_begin();
    test_random_bytes(input, sizeof(input));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
