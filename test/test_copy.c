/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Copies, starting over, and forks, in every phase: each context goes on as if it were alone. */
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"

#define OUT 200 /* of a XOF: more than a block */
#define LONG_STRING 9000

static const struct row {
    size_t rate;
    const char *kind, *names;
} rows[] = {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) \
    {(1600 - (capacity)) / 8, #kind, names},
#include "../provider/algorithms.inc"
#undef ALGORITHM
};

struct subject {
    EVP_MD *md;
    const OSSL_PARAM *params; /* of each init */
    size_t rate;
    bool xof, cshake;
};

enum phase { FRESH, INITED, MID_BLOCK, AT_EDGE, LONG, FINISHED, PHASES };
enum target { EMPTY, SAME_ABSORBING, SAME_FINISHED, SAME_STRINGS, OTHER, TARGETS };

static OSSL_LIB_CTX *libctx;
static EVP_MD *other; /* an algorithm that is no subject's, as it is default's */
static uint8_t input[LONG_STRING];

static void start(EVP_MD_CTX *ctx, const struct subject *t)
{
    assert_true(EVP_DigestInit_ex2(ctx, t->md, t->params));
}

static void finish(EVP_MD_CTX *ctx, const struct subject *t, uint8_t out[OUT])
{
    memset(out, 0, OUT);
    assert_true(t->xof ? EVP_DigestFinalXOF(ctx, out, OUT) : EVP_DigestFinal_ex(ctx, out, NULL));
}

/* Bytes of input before a phase. */
static size_t fed(const struct subject *t, enum phase phase)
{
    const size_t lengths[PHASES] = {0, 0, t->rate / 2, t->rate, 2 * t->rate + 5, 77};
    return lengths[phase];
}

static void enter(EVP_MD_CTX *ctx, const struct subject *t, enum phase phase)
{
    uint8_t out[OUT];
    if (phase == FRESH)
        return;
    start(ctx, t);
    assert_true(EVP_DigestUpdate(ctx, input, fed(t, phase)));
    if (phase == FINISHED)
        finish(ctx, t, out);
}

/* A new context's digest of n bytes of input and a tail. */
static void expect(const struct subject *t, size_t n, const char *tail, uint8_t out[OUT])
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    start(ctx, t);
    assert_true(EVP_DigestUpdate(ctx, input, n)); /* in one piece, as enter does it */
    assert_true(EVP_DigestUpdate(ctx, tail, strlen(tail)));
    finish(ctx, t, out);
    EVP_MD_CTX_free(ctx);
}

/* Goes on from a phase with a tail; a finished context only by starting over. */
static void go_on(EVP_MD_CTX *ctx, const struct subject *t, enum phase phase, const char *tail)
{
    uint8_t expected[OUT], got[OUT];
    if (phase == FRESH || phase == FINISHED) {
        assert_false(EVP_DigestUpdate(ctx, tail, strlen(tail)));
        assert_false(EVP_DigestFinal_ex(ctx, got, NULL));
        ERR_clear_error();
        start(ctx, t);
    }
    expect(t, phase == FINISHED ? 0 : fed(t, phase), tail, expected);
    assert_true(EVP_DigestUpdate(ctx, tail, strlen(tail)));
    finish(ctx, t, got);
    assert_memory_equal(got, expected, OUT);
}

static void each(void (*test)(const struct subject *))
{
    const OSSL_PARAM brief[] = {OSSL_PARAM_octet_string("function-name", input + 70, 4),
                                OSSL_PARAM_utf8_string("customization", input + 97, 5),
                                OSSL_PARAM_END};
    const OSSL_PARAM wordy[] = {OSSL_PARAM_octet_string("customization", input, LONG_STRING),
                                OSSL_PARAM_octet_string("function-name", input, 300),
                                OSSL_PARAM_END};
    const OSSL_PARAM *const params[] = {NULL, brief, wordy};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct subject t = {.rate = rows[i].rate};
        t.xof = strcmp(rows[i].kind, "DIGEST") != 0;
        t.cshake = strcmp(rows[i].kind, "CSHAKE") == 0;
        bool strings = strstr("CSHAKE TUPLEHASH PARALLELHASH KT", rows[i].kind) != NULL;
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(rows[i].names, ":"), rows[i].names);
        t.md = EVP_MD_fetch(libctx, name, "provider=keccakprov");
        ERR_clear_error();
        for (size_t j = 0; t.md != NULL && j < (strings ? 3 : 1); j++) {
            t.params = params[j];
            test(&t);
        }
        EVP_MD_free(t.md);
    }
}

/* What a copy overwrites. */
static EVP_MD_CTX *new_target(const struct subject *t, enum target target)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("customization", input, 50),
                                 OSSL_PARAM_END};
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    if (target == SAME_ABSORBING)
        enter(ctx, t, MID_BLOCK);
    else if (target == SAME_FINISHED)
        enter(ctx, t, FINISHED);
    else if (target == SAME_STRINGS) /* other strings; fixed digests ignore them */
        assert_true(EVP_DigestInit_ex2(ctx, t->md, params) && EVP_DigestUpdate(ctx, input, 9));
    else if (target == OTHER)
        assert_true(EVP_DigestInit_ex2(ctx, other, NULL) && EVP_DigestUpdate(ctx, input, 9));
    return ctx;
}

static void copy(const struct subject *t, enum phase phase, enum target target, bool freed)
{
    EVP_MD_CTX *src = EVP_MD_CTX_new(), *dst = new_target(t, target);
    enter(src, t, phase);
    assert_true(EVP_MD_CTX_copy_ex(dst, src));
    if (freed) {
        EVP_MD_CTX_free(src);
        src = NULL;
    } else {
        go_on(src, t, phase, "left");
    }
    go_on(dst, t, phase, "right, and longer than the other's");
    EVP_MD_CTX_free(src);
    EVP_MD_CTX_free(dst);
}

static void copies(const struct subject *t)
{
    for (unsigned phase = 0; phase < PHASES; phase++) {
        for (unsigned target = 0; target < TARGETS; target++) {
            copy(t, phase, target, false);
            copy(t, phase, target, true);
        }
#if OPENSSL_VERSION_NUMBER >= 0x30100000L
        EVP_MD_CTX *src = EVP_MD_CTX_new();
        enter(src, t, phase);
        EVP_MD_CTX *dst = EVP_MD_CTX_dup(src);
        EVP_MD_CTX_free(src);
        go_on(dst, t, phase, "tail");
        EVP_MD_CTX_free(dst);
#endif
    }
}

static void test_copies(void **unused)
{
    (void)unused;
    each(copies);
}

/* From any phase; init without a type too, which for cSHAKE means without strings. */
static void restarts(const struct subject *t)
{
    struct subject plain = *t;
    uint8_t expected[OUT], got[OUT];
    plain.params = NULL;
    expect(&plain, 30, "tail", expected);
    for (unsigned phase = INITED; phase < PHASES; phase++) {
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        enter(ctx, t, phase);
        start(ctx, t);
        go_on(ctx, t, INITED, "again");
        enter(ctx, t, phase);
        assert_true(EVP_DigestInit_ex2(ctx, NULL, NULL) && EVP_DigestUpdate(ctx, input, 30) &&
                    EVP_DigestUpdate(ctx, "tail", 4));
        finish(ctx, &plain, got);
        assert_memory_equal(got, expected, OUT);
        EVP_MD_CTX_free(ctx);
    }
}

static void test_restarts(void **unused)
{
    (void)unused;
    each(restarts);
}

/* cSHAKE on a context that was full of SHAKE, and without strings once it had some. */
static void after_shake(const struct subject *t)
{
    if (!t->cshake)
        return;
    uint8_t expected[OUT], got[OUT];
    EVP_MD *shake = test_fetch(libctx, t->rate == 168 ? "SHAKE128" : "SHAKE256");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    assert_true(EVP_DigestInit_ex2(ctx, shake, NULL));
    for (size_t n = 0; n < 1 << 20; n += sizeof(input))
        assert_true(EVP_DigestUpdate(ctx, input, sizeof(input)));
    start(ctx, t);
    go_on(ctx, t, INITED, "cSHAKE");
    struct subject plain = {shake, NULL, t->rate, true, false};
    expect(&plain, 0, "SHAKE", expected);
    assert_true(EVP_DigestInit_ex2(ctx, NULL, NULL) && EVP_DigestUpdate(ctx, "SHAKE", 5));
    finish(ctx, t, got);
    assert_memory_equal(got, expected, OUT);
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(shake);
}

static void test_after_shake(void **unused)
{
    (void)unused;
    each(after_shake);
}

static void test_no_growth(void **unused)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("customization", input, 1000),
                                 OSSL_PARAM_END};
    EVP_MD *md = test_fetch(libctx, "CSHAKE-128");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t before = 0;
    (void)unused;
    for (unsigned i = 0; i < 10000; i++) {
        assert_true(EVP_DigestInit_ex2(ctx, md, params) && EVP_DigestUpdate(ctx, "abc", 3));
        if (i == 10)
            before = mallinfo2().uordblks;
    }
    assert_in_range(mallinfo2().uordblks, 0, before);
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

/* Both sides of a fork finish what was begun before it. */
static void forks(const struct subject *t)
{
    uint8_t expected[OUT], got[OUT];
    int ends[2], status;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    enter(ctx, t, MID_BLOCK);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        bool good = EVP_DigestUpdate(ctx, "tail", 4);
        memset(got, 0, OUT);
        good = good &&
               (t->xof ? EVP_DigestFinalXOF(ctx, got, OUT) : EVP_DigestFinal_ex(ctx, got, NULL));
        good = good && write(ends[1], got, OUT) == OUT;
        _exit(good ? 0 : 1);
    }
    assert_true(child > 0);
    go_on(ctx, t, MID_BLOCK, "tail");
    expect(t, fed(t, MID_BLOCK), "tail", expected);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], got, OUT), OUT);
    assert_memory_equal(got, expected, OUT);
    close(ends[0]);
    close(ends[1]);
    EVP_MD_CTX_free(ctx);
}

static void test_forks(void **unused)
{
    (void)unused;
    each(forks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),      cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_after_shake), cmocka_unit_test(test_no_growth),
        cmocka_unit_test(test_forks),
    };
    test_begin();
    libctx = test_libctx();
    other = EVP_MD_fetch(libctx, "SHA3-256", "provider=default");
    test_ptn(input, sizeof(input));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    EVP_MD_free(other);
    OSSL_LIB_CTX_free(libctx);
    return failed;
}
