/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The output length as part of what is hashed: every sequence of four calls on TupleHash and on
 * ParallelHash does what a model says, which is cSHAKE of the same encodings. Refused is, with its
 * reason and with nothing changed, whatever would need another length than the one encoded. */
#include "fakecore.h"

enum phase { DEAD, ABSORBING, SQUEEZING, FINISHED };

#define OUT_MAX 200
#define DEFAULT 64
#define UNSET SIZE_MAX
#define XOF ((size_t)1 << 20)

static const char *const not_init = "context is not initialised, or its last initialisation failed";
static const char *const past =
    "squeeze past the output length, which is hashed: set xoflen, or xof";
static const char *const no_length =
    "no output length is set: set xoflen, or use EVP_DigestFinalXOF";

static struct digest d, cshake, shake;
static bool parallel; /* ParallelHash, of leaves of two bytes; else TupleHash */

struct run {
    void *ctx;
    enum phase phase;
    bool xof;
    bool started; /* or resumed: no customization any more */
    size_t elements, squeezed;
    size_t length;  /* in force */
    size_t encoded; /* squeezing, or finished */
};

/* left_encode(B), what SHAKE makes of each leaf "ab", right_encode of their number. */
static void model_leaves(void *ctx, size_t leaves)
{
    uint8_t value[64], number[] = {(uint8_t)leaves, 1};
    size_t outl = sizeof(value);
    void *leaf = shake.newctx(fake.provctx);
    assert_true(shake.init(leaf, NULL) && shake.update(leaf, (const uint8_t *)"ab", 2) &&
                shake.final(leaf, value, &outl, sizeof(value)));
    shake.freectx(leaf);
    assert_true(cshake.update(ctx, (const uint8_t[]){1, 2}, 2));
    while (leaves-- > 0)
        assert_true(cshake.update(ctx, value, sizeof(value)));
    assert_true(cshake.update(ctx, number, 2));
}

static void model_elements(void *ctx, size_t elements)
{
    static const uint8_t element[] = {1, 16, 'a', 'b'}; /* left_encode(16), then 16 bits */
    while (elements-- > 0)
        assert_true(cshake.update(ctx, element, sizeof(element)));
}

/* So many elements, or leaves, "ab", and a length: right_encode of its bits, or of 0. */
static void model_hash(size_t elements, size_t encoded, uint8_t out[OUT_MAX])
{
    char name[] = "ParallelHash", tuple[] = "TupleHash";
    const OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string("function-name", parallel ? name : tuple, parallel ? 12 : 9),
        OSSL_PARAM_END};
    const size_t bits = 8 * encoded;
    const uint8_t wide[] = {(uint8_t)(bits >> 8), (uint8_t)bits, 2}, narrow[] = {(uint8_t)bits, 1};
    size_t outl = OUT_MAX;
    void *ctx = cshake.newctx(fake.provctx);
    assert_true(bits < 65536 && cshake.init(ctx, params));
    if (parallel)
        model_leaves(ctx, elements);
    else
        model_elements(ctx, elements);
    assert_true(bits > 255 ? cshake.update(ctx, wide, 3) : cshake.update(ctx, narrow, 2));
    assert_true(cshake.final(ctx, out, &outl, OUT_MAX));
    cshake.freectx(ctx);
}

static void expect(int got, const char *reason)
{
    assert_int_equal(got, reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static void check_output(const struct run *run, const uint8_t *got, size_t at, size_t n)
{
    uint8_t expected[OUT_MAX];
    model_hash(run->elements, run->xof ? 0 : run->encoded, expected);
    assert_memory_equal(got, expected + at, n);
    assert_int_equal(got[n], 0xcc);
}

static void do_init(struct run *run, size_t unused)
{
    size_t leaf_size = 2;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("leaf-size", &leaf_size), OSSL_PARAM_END};
    (void)unused;
    expect(d.init(run->ctx, parallel ? params : NULL), NULL);
    *run = (struct run){.ctx = run->ctx, .phase = ABSORBING, .length = DEFAULT};
}

static void do_element(struct run *run, size_t unused)
{
    (void)unused;
    const char *late = run->phase == DEAD ? not_init : "update after output has begun";
    bool absorbs = run->phase == ABSORBING;
    expect(d.update(run->ctx, (const uint8_t *)"ab", 2), absorbs ? NULL : late);
    run->elements += absorbs;
    run->started |= absorbs;
}

static void set_number(struct run *run, const char *key, size_t value, const char *reason)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t(key, &value), OSSL_PARAM_END};
    expect(d.set_ctx_params(run->ctx, params), run->phase == DEAD ? not_init : reason);
}

/* An element of the tuple; or the size of leaves that there already is. */
static void do_own_param(struct run *run, size_t leaf_size)
{
    const char *too_late = run->started ? "leaf-size comes before all data" : NULL;
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("element", (char[]){"ab"}, 2),
                                 OSSL_PARAM_END};
    const char *late = run->phase == DEAD ? not_init : "update after output has begun";
    bool absorbs = run->phase == ABSORBING;
    if (parallel)
        set_number(run, "leaf-size", leaf_size, too_late);
    else
        expect(d.set_ctx_params(run->ctx, params), absorbs ? NULL : late);
    run->elements += absorbs && !parallel;
    run->started |= absorbs && !parallel;
}

static void do_length(struct run *run, size_t length)
{
    set_number(run, "xoflen", length, NULL);
    if (run->phase != DEAD)
        run->length = length;
}

static void do_custom(struct run *run, size_t unused)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("customization", NULL, 0), OSSL_PARAM_END};
    const char *late = "function-name and customization come before all data";
    (void)unused;
    expect(d.set_ctx_params(run->ctx, params), run->phase == DEAD ? not_init
                                               : run->started     ? late
                                                                  : NULL);
}

static void do_xof(struct run *run, size_t unused)
{
    (void)unused;
    bool absorbs = run->phase == ABSORBING;
    set_number(run, "xof", 1, absorbs ? NULL : "xof comes before output begins");
    run->xof |= absorbs;
}

static void do_squeeze(struct run *run, size_t n)
{
    uint8_t out[OUT_MAX + 1];
    size_t outl = 77, encoded = run->phase == ABSORBING ? run->length : run->encoded;
    const char *reason = NULL;
    if (run->phase == DEAD)
        reason = not_init;
    else if (n > 0 && run->phase == FINISHED)
        reason = "squeeze after final";
    else if (n > 0 && !run->xof && encoded == UNSET)
        reason = no_length;
    else if (n > 0 && !run->xof && run->squeezed + n > encoded)
        reason = past;
    memset(out, 0xcc, sizeof(out));
    expect(d.squeeze(run->ctx, out, &outl, n), reason);
    assert_int_equal(outl, reason == NULL ? n : 77);
    if (reason == NULL && n > 0) {
        run->encoded = encoded;
        run->phase = SQUEEZING;
        run->started = true;
        check_output(run, out, run->squeezed, n);
        run->squeezed += n;
    } else {
        assert_int_equal(out[0], 0xcc);
    }
}

/* As EVP does it, on a host whose outsz bounds nothing; XOF marks the n of EVP_DigestFinalXOF. */
static void do_final(struct run *run, size_t marked)
{
    bool xof = (marked & XOF) != 0;
    size_t n = marked & ~XOF;
    uint8_t out[OUT_MAX + 1];
    const char *reason = NULL;
    if (xof)
        do_length(run, n);
    size_t outl = xof ? n : 0, length = run->length;
    if (run->phase == DEAD)
        reason = not_init;
    else if (length > 0 && run->phase != ABSORBING)
        reason = "final after output has begun";
    else if (length == UNSET)
        reason = no_length;
    if (run->phase != DEAD && (xof || length == 0))
        run->length = DEFAULT; /* used once, even if refused */
    memset(out, 0xcc, sizeof(out));
    expect(d.final(run->ctx, out, &outl, n), reason);
    if (reason == NULL && length > 0) {
        run->encoded = length;
        run->phase = FINISHED;
        run->started = true;
        check_output(run, out, 0, length);
    } else {
        assert_int_equal(out[0], 0xcc);
    }
}

static void do_copy(struct run *run, size_t unused)
{
    (void)unused;
    static bool in_place;
    void *copy = in_place ? d.newctx(fake.provctx) : d.dupctx(run->ctx);
    if (in_place)
        d.copyctx(copy, run->ctx);
    in_place = !in_place;
    d.freectx(run->ctx);
    run->ctx = copy;
}

/* Through a saved state into another context, whose length, which is no part of it, is the same. */
static void do_save(struct run *run, size_t unused)
{
    (void)unused;
    uint8_t blob[700];
    size_t size = sizeof(blob), length = run->length;
    if (run->phase == DEAD || run->phase == FINISHED)
        return;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("xoflen", &length), OSSL_PARAM_END};
    void *target = d.newctx(fake.provctx);
    expect(d.init(target, NULL), NULL);
    expect(d.serialize(run->ctx, blob, &size), NULL);
    expect(d.deserialize(target, blob, size), NULL);
    expect(d.set_ctx_params(target, params), NULL);
    d.freectx(run->ctx);
    run->ctx = target;
    run->started = true;
}

static const struct {
    void (*function)(struct run *, size_t);
    size_t n;
} calls[] = {{do_init, 0},         {do_element, 0},           {do_own_param, 2},
             {do_length, 20},      {do_length, UNSET},        {do_custom, 0},
             {do_xof, 0},          {do_squeeze, 0},           {do_squeeze, 1},
             {do_squeeze, 20},     {do_squeeze, DEFAULT + 1}, {do_final, DEFAULT},
             {do_final, XOF | 75}, {do_final, XOF},           {do_copy, 0},
             {do_save, 0}};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

static void test_walk(void **state)
{
    assert_true(fake_load(MODULE, "3.3.0"));
    parallel = **(char **)state == 'P';
    d = fake_digest(*state);
    cshake = fake_digest("CSHAKE-256");
    shake = fake_digest("SHAKE-256");
    for (unsigned code = 0; code < 2 * CALLS * CALLS * CALLS * CALLS; code++) {
        struct run run = {.ctx = d.newctx(fake.provctx), .length = DEFAULT};
        unsigned rest = code / 2;
        if (code % 2 != 0)
            do_init(&run, 0);
        for (unsigned i = 0; i < 4; i++, rest /= CALLS)
            calls[rest % CALLS].function(&run, calls[rest % CALLS].n);
        d.freectx(run.ctx);
    }
    fake_unload();
}

int main(void)
{
    static char tuplehash[] = "TUPLEHASH-256", parallelhash[] = "PARALLELHASH-256";
    const struct CMUnitTest tests[] = {{"TupleHash", test_walk, NULL, NULL, tuplehash},
                                       {"ParallelHash", test_walk, NULL, NULL, parallelhash}};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
