/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KMAC's phase x call table: every sequence of four calls does what a model says, which keeps key,
 * custom, size and xof apart from the message. Called directly: no version of EVP guards anything
 * here. What an answer should be, a context of its own says that got all at its init. */
#include "fakecore.h"

enum phase { DEAD, ABSORBING, FINISHED };

#define PIECE 100
#define SIZE_MAX_TESTED 70

static const char *const not_init = "context is not initialised, or its last initialisation failed";
static const char *const too_late = "key and custom come before all data";

static struct mac m;
static size_t default_size;

/* Key and custom are a letter repeated; 0: none. */
struct run {
    void *ctx;
    enum phase phase;
    char key, custom;
    size_t size, fed;
    bool xof;
};

static void expect(int got, const char *reason)
{
    assert_int_equal(got, reason == NULL);
    if (reason != NULL)
        fake_expect(reason);
    assert_int_equal(fake.errors, 0);
}

static OSSL_PARAM string(const char *name, char letter)
{
    static char text[128][30];
    memset(text[(size_t)letter], letter, 30);
    return (OSSL_PARAM)OSSL_PARAM_octet_string(name, text[(size_t)letter], letter == 0 ? 0 : 30);
}

static void answer(const struct run *run, uint8_t *out)
{
    static const uint8_t in[5 * PIECE];
    size_t size = run->size, outl;
    int xof = run->xof;
    const OSSL_PARAM params[] = {string("key", run->key), string("custom", run->custom),
                                 OSSL_PARAM_size_t("size", &size), OSSL_PARAM_int("xof", &xof),
                                 OSSL_PARAM_END};
    void *ctx = m.newctx(fake.provctx);
    expect(m.init(ctx, NULL, 0, params), NULL);
    expect(m.update(ctx, in, run->fed), NULL);
    expect(m.final(ctx, out, &outl, SIZE_MAX_TESTED), NULL);
    m.freectx(ctx);
}

/* With a key by pointer, or 0 for none. */
static void do_init(struct run *run, int letter)
{
    const OSSL_PARAM key = string("key", (char)letter);
    if (letter != 0)
        run->key = (char)letter;
    expect(m.init(run->ctx, letter != 0 ? key.data : NULL, letter != 0 ? 30 : 0, NULL),
           run->key == 0 ? "no key is set" : NULL);
    run->phase = run->key == 0 ? DEAD : ABSORBING;
    run->fed = 0;
}

static void do_failing_init(struct run *run, int unused)
{
    const OSSL_PARAM params[] = {string("custom", 'x'),
                                 OSSL_PARAM_utf8_string("size", (char[]){"5"}, 1), OSSL_PARAM_END};
    (void)unused;
    expect(m.init(run->ctx, (const uint8_t *)"ignored", 7, params),
           "size is not a length: an unsigned integer is wanted");
    run->phase = DEAD;
}

static void do_update(struct run *run, int size)
{
    static const uint8_t in[PIECE];
    expect(m.update(run->ctx, in, (size_t)size), run->phase == ABSORBING ? NULL
                                                 : run->phase == DEAD
                                                     ? not_init
                                                     : "update after output has begun");
    if (run->phase == ABSORBING)
        run->fed += (size_t)size;
}

static void do_set_size(struct run *run, int n)
{
    size_t size = (size_t)n;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("size", &size), OSSL_PARAM_END};
    expect(m.set_ctx_params(run->ctx, params), NULL);
    run->size = size;
}

static void do_set_xof(struct run *run, int xof)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_int("xof", &xof), OSSL_PARAM_END};
    expect(m.set_ctx_params(run->ctx, params), NULL);
    run->xof = xof;
}

/* For this message if it has not begun, else for the next; but not in its midst. */
static void set_string(struct run *run, const char *name, char *is, int letter)
{
    const OSSL_PARAM params[] = {string(name, (char)letter), OSSL_PARAM_END};
    bool late = run->phase == ABSORBING && run->fed > 0;
    expect(m.set_ctx_params(run->ctx, params), late ? too_late : NULL);
    if (!late)
        *is = (char)letter;
}

static void do_set_key(struct run *run, int letter)
{
    set_string(run, "key", &run->key, letter);
}

static void do_set_custom(struct run *run, int letter)
{
    set_string(run, "custom", &run->custom, letter);
}

/* Into a buffer that is as large as the answer, or one byte smaller. */
static void do_final(struct run *run, int is_short)
{
    uint8_t out[SIZE_MAX_TESTED + 1], expected[SIZE_MAX_TESTED];
    size_t outl = 77, outsz = is_short && run->size > 0 ? run->size - 1 : run->size;
    const char *reason = run->phase == DEAD       ? not_init
                         : run->phase == FINISHED ? "final after output has begun"
                         : outsz < run->size      ? "output buffer too small"
                                                  : NULL;
    memset(out, 0xcc, sizeof(out));
    expect(m.final(run->ctx, out, &outl, outsz), reason);
    assert_int_equal(outl, reason == NULL ? run->size : 77);
    if (reason == NULL) {
        answer(run, expected);
        assert_memory_equal(out, expected, run->size);
        run->phase = FINISHED;
    }
    assert_int_equal(out[reason == NULL ? run->size : 0], 0xcc);
}

/* EVP_MAC_finalXOF sets xof, and leaves it so. */
static void do_final_xof(struct run *run, int unused)
{
    do_set_xof(run, 1);
    do_final(run, unused);
}

/* How long will the answer be? */
static void do_ask(struct run *run, int unused)
{
    size_t outl = 77;
    (void)unused;
    expect(m.final(run->ctx, NULL, &outl, 0), run->phase == DEAD ? not_init : NULL);
    assert_int_equal(outl, run->phase == DEAD ? 77 : run->size);
}

static void do_copy(struct run *run, int unused)
{
    void *copy = m.dupctx(run->ctx);
    (void)unused;
    assert_non_null(copy);
    m.freectx(run->ctx);
    run->ctx = copy;
}

static const struct {
    void (*function)(struct run *, int);
    int argument;
} calls[] = {{do_init, 0},    {do_init, 'k'},    {do_failing_init, 0}, {do_update, PIECE},
             {do_update, 0},  {do_set_size, 70}, {do_set_size, 0},     {do_set_xof, 1},
             {do_set_xof, 0}, {do_set_key, 'q'}, {do_set_custom, 'c'}, {do_set_custom, 0},
             {do_final, 0},   {do_final, true},  {do_final_xof, 0},    {do_ask, 0},
             {do_copy, 0}};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

static void test_walk(void **unused)
{
    (void)unused;
    for (size_t code = 0; code < 2 * CALLS * CALLS * CALLS * CALLS; code++) {
        struct run run = {.ctx = m.newctx(fake.provctx), .size = default_size};
        size_t rest = code / 2;
        if (code % 2 != 0)
            do_init(&run, 'a');
        for (unsigned i = 0; i < 4; i++, rest /= CALLS)
            calls[rest % CALLS].function(&run, calls[rest % CALLS].argument);
        m.freectx(run.ctx);
    }
    test_cases(2 * CALLS * CALLS * CALLS * CALLS);
}

static int setup(void **unused)
{
    (void)unused;
    if (!fake_load(MODULE, "3.5.0"))
        return -1;
    m = fake_nth_mac(1);
    default_size = 64;
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    fake_unload();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk)};
    test_begin();
    return cmocka_run_group_tests(tests, setup, teardown);
}
