/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * However the input is cut, wherever it lies, and however much output is wanted: the same bytes. */
#include "test.h"

#define RATE_MAX 168
#define INPUT_MAX (3 * RATE_MAX + 9)
#define LONG_OUTPUT ((1 << 20) + 3)
#define CANARY 0xa5

/* One row of algorithms.inc. A name that this host sees in two rows is tested twice. */
static const struct row {
    size_t rate, size;
    const char *kind, *names;
} rows[] = {
#define ALGORITHM(id, kind, capacity, size, suffix, hosts, names) \
    {(1600 - (capacity)) / 8, size, #kind, names},
#include "../provider/algorithms.inc"
#undef ALGORITHM
};

/* An algorithm under test: ours, and default's where it has it. */
struct subject {
    EVP_MD *md, *theirs;
    EVP_MD_CTX *ctx;
    const OSSL_PARAM *params;
    size_t rate, size; /* size: of the output compared */
    bool xof;
    bool elements; /* each piece of input counts by itself */
};

static OSSL_LIB_CTX *libctx;
static uint8_t input[INPUT_MAX];

static void hash_init(const struct subject *t, const EVP_MD *md)
{
    assert_true(EVP_DigestInit_ex2(t->ctx, md, t->params));
}

static void update(const struct subject *t, const uint8_t *in, size_t inlen)
{
    assert_true(EVP_DigestUpdate(t->ctx, in, inlen));
}

/* As many bytes as the subject compares. */
static void final(const struct subject *t, uint8_t *out)
{
    unsigned n = (unsigned)t->size;
    if (t->xof)
        assert_true(EVP_DigestFinalXOF(t->ctx, out, t->size));
    else
        assert_true(EVP_DigestFinal_ex(t->ctx, out, &n));
    assert_int_equal(n, t->size);
}

static void hash(const struct subject *t, const EVP_MD *md, const uint8_t *in, size_t inlen,
                 uint8_t *out)
{
    hash_init(t, md);
    update(t, in, inlen);
    final(t, out);
}

/* Runs a test on every algorithm; those with strings with a customization as well. Whose output
 * depends on its length is asked for the variant where it does not. */
static void each(void (*test)(const struct subject *))
{
    int on = 1;
    const OSSL_PARAM plain[] = {OSSL_PARAM_int("xof", &on), OSSL_PARAM_END};
    const OSSL_PARAM custom[] = {OSSL_PARAM_int("xof", &on),
                                 OSSL_PARAM_octet_string("customization", input, RATE_MAX + 7),
                                 OSSL_PARAM_END};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct subject t = {.rate = rows[i].rate, .params = plain};
        t.xof = strcmp(rows[i].kind, "DIGEST") != 0;
        t.elements = strcmp(rows[i].kind, "TUPLEHASH") == 0;
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(rows[i].names, ":"), rows[i].names);
        t.md = EVP_MD_fetch(libctx, name, "provider=keccakprov");
        t.theirs = EVP_MD_fetch(libctx, name, "provider=default");
        ERR_clear_error();
        if (t.md == NULL) /* a name of newer hosts: test_walk says which there must be */
            continue;
        t.size = t.xof ? RATE_MAX + 1 : rows[i].size;
        t.ctx = EVP_MD_CTX_new();
        test(&t);
        EVP_MD_free(t.theirs);
        t.theirs = NULL;
        t.params = custom;
        if (strstr("CSHAKE TUPLEHASH PARALLELHASH KT", rows[i].kind) != NULL)
            test(&t);
        EVP_MD_CTX_free(t.ctx);
        EVP_MD_free(t.md);
    }
}

static void lengths(const struct subject *t)
{
    uint8_t expected[RATE_MAX + 1], got[RATE_MAX + 1];
    for (size_t n = 0; n <= 3 * t->rate + 9 && !t->elements; n++) {
        hash_init(t, t->theirs != NULL ? t->theirs : t->md);
        for (size_t i = 0; i < n; i++)
            update(t, input + i, 1);
        final(t, expected);
        hash(t, t->md, input, n, got);
        assert_memory_equal(got, expected, t->size);
        test_cases(1);
    }
}

static void test_input_lengths(void **unused)
{
    (void)unused;
    each(lengths);
}

/* AVX-512 code of others was wrong only when input came in pieces. */
static void splits(const struct subject *t)
{
    static uint8_t expected[2 * (RATE_MAX + 9) + 2][RATE_MAX + 1];
    uint8_t got[RATE_MAX + 1];
    if (t->elements)
        return;
    for (size_t n = 0; n <= 2 * (t->rate + 9) + 1; n++)
        hash(t, t->theirs != NULL ? t->theirs : t->md, input, n, expected[n]);
    for (size_t a = 0; a <= t->rate + 9; a++)
        for (size_t b = 0; b <= t->rate + 9; b++) {
            hash_init(t, t->md);
            update(t, input, a);
            update(t, input + a, b);
            update(t, input + a + b, 1);
            final(t, got);
            if (memcmp(got, expected[a + b + 1], t->size) != 0)
                fail_msg("%s: pieces of %zu, %zu, 1", EVP_MD_get0_name(t->md), a, b);
            test_cases(1);
        }
}

static void test_three_pieces(void **unused)
{
    (void)unused;
    each(splits);
}

/* Each offset of the input meets each offset of the output. */
static void offsets(const struct subject *t)
{
    _Alignas(64) uint8_t in[64 + INPUT_MAX], out[64 + RATE_MAX + 1];
    uint8_t expected[RATE_MAX + 1];
    for (size_t n = 0; n <= 2 * t->rate + 1; n++) {
        hash(t, t->theirs != NULL ? t->theirs : t->md, input, n, expected);
        for (size_t offset = 0; offset < 64; offset++) {
            size_t to = (offset + n) % 64;
            memcpy(in + offset, input, n);
            hash(t, t->md, in + offset, n, out + to);
            assert_memory_equal(out + to, expected, t->size);
        }
        test_cases(64);
    }
}

static void test_offsets(void **unused)
{
    (void)unused;
    each(offsets);
}

/* One FinalXOF into a buffer, which must be written as far as asked and no further. */
static void final_xof(const struct subject *t, const uint8_t *expected, size_t n, uint8_t *out)
{
    memset(out, CANARY, n + 64);
    hash_init(t, t->md);
    update(t, input, t->rate - 1);
    assert_true(EVP_DigestFinalXOF(t->ctx, out, n));
    assert_memory_equal(out, expected, n);
    for (size_t i = n; i < n + 64; i++)
        assert_int_equal(out[i], CANARY);
    test_cases(1);
}

static void output_lengths(const struct subject *t)
{
    if (!t->xof)
        return;
    uint8_t *expected = malloc(LONG_OUTPUT), *out = malloc(LONG_OUTPUT + 64);
    hash_init(t, t->theirs != NULL ? t->theirs : t->md);
    update(t, input, t->rate - 1);
    assert_true(EVP_DigestFinalXOF(t->ctx, expected, LONG_OUTPUT));
    for (size_t n = 0; n <= 3 * t->rate + 9; n++)
        final_xof(t, expected, n, out);
    final_xof(t, expected, 65537, out);
    final_xof(t, expected, LONG_OUTPUT, out);
    hash_init(t, t->md);
    update(t, input, t->rate - 1);
    assert_true(EVP_DigestFinalXOF(t->ctx, NULL, 0));
    if (OPENSSL_version_major() == 3 && OPENSSL_version_minor() == 0) {
        /* Later hosts count the context as finished, whatever the provider says. */
        assert_true(EVP_DigestFinalXOF(t->ctx, out, t->size));
        assert_memory_equal(out, expected, t->size);
    }
    free(expected);
    free(out);
}

static void test_output_lengths(void **unused)
{
    (void)unused;
    each(output_lengths);
}

#if OPENSSL_VERSION_NUMBER >= 0x30300000L
/* Two pieces of every length, then random ones, against one long output. */
static void squeezes(const struct subject *t)
{
    if (!t->xof)
        return;
    uint8_t expected[4096], out[4096];
    size_t n = 2 * t->rate + 1, at;
    hash_init(t, t->md);
    assert_true(EVP_DigestFinalXOF(t->ctx, expected, sizeof(expected)));
    for (size_t first = 0; first <= n; first++) {
        hash_init(t, t->md);
        assert_true(EVP_DigestSqueeze(t->ctx, out, first));
        assert_true(EVP_DigestSqueeze(t->ctx, out + first, n - first));
        assert_memory_equal(out, expected, n);
        test_cases(1);
    }
    for (unsigned i = 0; i < 10000; i++) {
        hash_init(t, t->md);
        for (at = 0; at < 3 * t->rate; at += n) {
            n = test_below(t->rate + 9);
            assert_true(EVP_DigestSqueeze(t->ctx, out + at, n));
        }
        assert_memory_equal(out, expected, at);
        test_cases(1);
    }
}

static void test_squeezes(void **unused)
{
    (void)unused;
    each(squeezes);
}
#endif

/* The digest written over its own input, exactly and shifted. */
static void overlaps(const struct subject *t)
{
    uint8_t buffer[400 + 64 + RATE_MAX + 1], expected[RATE_MAX + 1];
    unsigned size;
    for (size_t n = 1; n <= 400; n++) {
        hash(t, t->md, input, n, expected);
        for (size_t shift = 0; shift <= 64; shift++) {
            memcpy(buffer, input, n);
            hash(t, t->md, buffer, n, buffer + shift);
            assert_memory_equal(buffer + shift, expected, t->size);
        }
        test_cases(65);
        if (t->xof)
            continue;
        memcpy(buffer, input, n);
        assert_true(EVP_Digest(buffer, n, buffer, &size, t->md, NULL));
        assert_int_equal(size, t->size);
        assert_memory_equal(buffer, expected, size);
    }
}

static void test_overlaps(void **unused)
{
    (void)unused;
    each(overlaps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_input_lengths),
        cmocka_unit_test(test_three_pieces),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_output_lengths),
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
        cmocka_unit_test(test_squeezes),
#endif
        cmocka_unit_test(test_overlaps),
    };
    test_begin();
    test_ptn(input, sizeof(input));
    libctx = test_libctx();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    OSSL_LIB_CTX_free(libctx);
    return failed;
}
