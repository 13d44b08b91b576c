/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The phase x call table: every sequence of four calls, on every kind of algorithm and host, does
 * what a model of eleven lines says: it succeeds or fails with the right reason, and what it writes
 * is a prefix or a piece of one stream. Called directly: no version of EVP guards anything here. */
#include "fakecore.h"

enum phase { DEAD, ABSORBING, SQUEEZING, FINISHED };

/* What the context should be: its phase, what went in, how far out, and the length in force. */
struct model {
    enum phase phase;
    size_t fed, squeezed;
    long length; /* -1: unset */
};

static const char *const not_init = "context is not initialised, or its last initialisation failed";
static const char *const late_update = "update after output has begun";
static const char *const late_final = "final after output has begun";
static const char *const late_squeeze = "squeeze after final";
static const char *const no_length =
    "no output length is set: set xoflen, or use EVP_DigestFinalXOF";
static const char *const no_state = "a finished context has no state to save or replace";

#define PIECE 150 /* of input and of output: neither divides a rate */
#define XOFLEN 20

struct run {
    struct digest d;
    const OSSL_PARAM *params; /* of each init */
    bool since_3_4, retains;  /* the host; whether init keeps a length */
    long default_length;
    void *ctx;
    struct model m;
};

/* The stream after `fed` bytes, computed by a context of its own in one go. */
static void stream(const struct run *run, size_t fed, uint8_t *out, size_t n)
{
    uint8_t in[5 * PIECE];
    size_t outl = n;
    void *ctx = run->d.newctx(fake.provctx);
    test_ptn(in, sizeof(in));
    assert_true(run->d.init(ctx, run->params));
    for (size_t at = 0; at < fed; at += PIECE)
        assert_true(run->d.update(ctx, in + at, PIECE));
    assert_true(run->d.final(ctx, out, &outl, n));
    run->d.freectx(ctx);
}

static bool is_fixed(const struct run *run)
{
    return run->d.squeeze == NULL;
}

/* Asserts that a call which wrote n bytes at an offset of the stream wrote those, and no more. */
static void check_output(const struct run *run, const uint8_t *got, size_t offset, size_t n)
{
    uint8_t expected[6 * PIECE];
    stream(run, run->m.fed, expected, is_fixed(run) ? 64 : sizeof(expected));
    assert_memory_equal(got, expected + offset, n);
    assert_int_equal(got[n], 0xcc);
}

static void expect(int got, const char *reason)
{
    assert_int_equal(got, reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static void do_init(struct run *run)
{
    expect(run->d.init(run->ctx, run->params), NULL);
    if (!(run->retains && run->since_3_4))
        run->m.length = run->default_length;
    run->m.phase = ABSORBING;
    run->m.fed = run->m.squeezed = 0;
}

static void do_update(struct run *run)
{
    uint8_t in[5 * PIECE];
    const enum phase phase = run->m.phase;
    test_ptn(in, sizeof(in));
    expect(run->d.update(run->ctx, in + run->m.fed, PIECE), phase == ABSORBING ? NULL
                                                            : phase == DEAD    ? not_init
                                                                               : late_update);
    if (phase == ABSORBING)
        run->m.fed += PIECE;
}

static void do_squeeze(struct run *run, size_t n)
{
    uint8_t out[PIECE + 1];
    size_t outl = 0;
    const enum phase phase = run->m.phase;
    if (is_fixed(run))
        return;
    memset(out, 0xcc, sizeof(out));
    const char *late = phase == FINISHED && n > 0 ? late_squeeze : NULL;
    expect(run->d.squeeze(run->ctx, out, &outl, n), phase == DEAD ? not_init : late);
    if (phase == DEAD || late != NULL)
        return;
    assert_int_equal(outl, n);
    check_output(run, out, run->m.squeezed, n);
    run->m.squeezed += n;
    if (n > 0)
        run->m.phase = SQUEEZING;
}

/* As EVP does it: Final_ex with *outl = 0; FinalXOF(n) sets the length, then passes n twice. */
static void do_final(struct run *run, bool xof, size_t n)
{
    uint8_t out[PIECE + 1];
    size_t outl = xof ? n : 0, outsz = n, written;
    struct model *m = &run->m;
    const char *reason = m->phase == DEAD ? not_init : m->phase != ABSORBING ? late_final : NULL;
    if (xof && !is_fixed(run)) {
        const OSSL_PARAM params[] = {OSSL_PARAM_size_t("xoflen", &n), OSSL_PARAM_END};
        expect(run->d.set_ctx_params(run->ctx, params), m->phase == DEAD ? not_init : NULL);
        if (m->phase != DEAD)
            m->length = (long)n;
    }
    written = is_fixed(run) ? (outsz == 0 ? 0 : (size_t)run->default_length)
                            : (xof ? n : (size_t)m->length);
    if (written == 0 && m->phase != DEAD)
        reason = NULL; /* asking for nothing is always granted */
    if (reason == NULL && !is_fixed(run) && !xof && m->length < 0)
        reason = no_length;
    if (!is_fixed(run) && (xof || m->length == 0)) /* no length is left behind, even on refusal */
        m->length = run->default_length;
    memset(out, 0xcc, sizeof(out));
    expect(run->d.final(run->ctx, out, &outl, outsz), reason);
    if (reason != NULL) {
        assert_int_equal(outl, xof ? n : 0);
        assert_int_equal(out[0], 0xcc);
        return;
    }
    assert_int_equal(outl, written);
    check_output(run, out, 0, written);
    if (written > 0)
        m->phase = FINISHED;
}

static void do_copy(struct run *run)
{
    static bool in_place; /* dupctx and copyctx take turns */
    void *copy;
    in_place = !in_place;
    if (in_place) {
        copy = run->d.newctx(fake.provctx);
        run->d.copyctx(copy, run->ctx);
    } else {
        copy = run->d.dupctx(run->ctx);
    }
    assert_non_null(copy);
    run->d.freectx(run->ctx);
    run->ctx = copy;
}

static void do_set_xoflen(struct run *run)
{
    size_t n = XOFLEN;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("xoflen", &n), OSSL_PARAM_END};
    int got = run->d.set_ctx_params(run->ctx, params);
    if (is_fixed(run)) { /* as if the function were missing */
        assert_int_equal(got, 0);
        assert_int_equal(fake.errors, 0);
        return;
    }
    expect(got, run->m.phase == DEAD ? not_init : NULL);
    if (run->m.phase != DEAD)
        run->m.length = XOFLEN;
}

static void do_serialize(struct run *run)
{
    uint8_t blob[600];
    size_t length = sizeof(blob);
    const enum phase phase = run->m.phase;
    expect(run->d.serialize(run->ctx, blob, &length), phase == DEAD       ? not_init
                                                      : phase == FINISHED ? no_state
                                                                          : NULL);
    if (phase != DEAD && phase != FINISHED)
        expect(run->d.deserialize(run->ctx, blob, length), NULL);
}

static void do_squeeze_piece(struct run *run)
{
    do_squeeze(run, PIECE);
}

static void do_squeeze_0(struct run *run)
{
    do_squeeze(run, 0);
}

static void do_final_ex(struct run *run)
{
    do_final(run, false, 64);
}

static void do_final_xof(struct run *run)
{
    do_final(run, true, PIECE);
}

static void do_final_xof_0(struct run *run)
{
    do_final(run, true, 0);
}

static void (*const calls[])(struct run *) = {
    do_init,      do_update,      do_squeeze_piece, do_squeeze_0,  do_final_ex,
    do_final_xof, do_final_xof_0, do_copy,          do_set_xoflen, do_serialize};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

static size_t walk(struct run *run)
{
    size_t sequences = 0;
    for (unsigned code = 0; code < 2 * CALLS * CALLS * CALLS * CALLS; code++, sequences++) {
        unsigned rest = code / 2;
        run->ctx = run->d.newctx(fake.provctx);
        run->m = (struct model){.phase = DEAD, .length = run->default_length};
        if (code % 2 != 0) /* half of them begin with a good init */
            do_init(run);
        for (unsigned i = 0; i < 4; i++, rest /= CALLS)
            calls[rest % CALLS](run);
        run->d.freectx(run->ctx);
    }
    return sequences;
}

static size_t param(const struct run *run, const char *key)
{
    size_t value = 0;
    OSSL_PARAM params[] = {OSSL_PARAM_size_t(key, &value), OSSL_PARAM_END};
    assert_true(run->d.get_params(params));
    return value;
}

static void test_walk(void **unused)
{
    static const char *const hosts[] = {"3.0.22", "3.3.9", "3.4.0", "3.6.5", "4.0.3", "nonsense"};
    int on = 1; /* otherwise there is a stream for each length of output */
    const OSSL_PARAM xof[] = {OSSL_PARAM_int("xof", &on), OSSL_PARAM_END};
    size_t sequences = 0;
    (void)unused;
    for (size_t h = 0; h < sizeof(hosts) / sizeof(hosts[0]); h++) {
        assert_true(fake_load(MODULE, hosts[h]));
        for (size_t i = 0; i < fake_digests(); i += h == 0 ? 1 : 3) {
            struct run run = {.d = fake_nth(i), .since_3_4 = h >= 2};
            bool encodes =
                strncmp(run.d.names, "TUPLE", 5) == 0 || strncmp(run.d.names, "PARALLEL", 8) == 0;
            run.params = encodes ? xof : NULL;
            run.retains =
                strncmp(run.d.names, "SHAKE", 5) == 0 || strstr(run.d.names, "KECCAK-KMAC");
            run.default_length = param(&run, "size") ? (long)param(&run, "size") : -1;
            sequences += walk(&run);
        }
        fake_unload();
    }
    test_cases(sequences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
