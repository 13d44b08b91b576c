/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KangarooTwelve on every kernel set: chunks that all differ, around every boundary, in pieces of
 * every kind, against RFC 9861 §3 spelled out over TurboSHAKE; its customization, memory, states.
 */
#include "fakecore.h"

#define CHUNK 8192
#define CHUNKS 25
#define INPUT ((CHUNKS + 1) * CHUNK)
#define OUT 100

static const char *const isas[] = {"portable", "bmi2", "avx2", "avx512"};
#define ISAS (sizeof(isas) / sizeof(isas[0]))

static uint8_t input[INPUT], custom[70000];

static struct digest kt, turboshake; /* of one strength */
static size_t value_size;            /* of a chaining value */

static void load(const char *isa)
{
    fake.isa = isa;
    assert_true(fake_load(MODULE, "4.0.0"));
}

static void unload(void)
{
    fake_unload();
    assert_int_equal(fake.errors, 0);
}

static void choose(unsigned strength)
{
    kt = fake_digest(strength == 128 ? "KT128" : "KT256");
    turboshake = fake_digest(strength == 128 ? "TURBOSHAKE128" : "TURBOSHAKE256");
    value_size = strength == 128 ? 32 : 64;
}

static void *new_turboshake(unsigned domain)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_uint("domain-separator", &domain), OSSL_PARAM_END};
    void *ctx = turboshake.newctx(fake.provctx);
    assert_true(turboshake.init(ctx, params));
    return ctx;
}

static void finish(const struct digest *d, void *ctx, uint8_t *out, size_t outlen)
{
    size_t outl = outlen;
    assert_true(d->final(ctx, out, &outl, outlen));
    d->freectx(ctx);
}

/* length_encode(n); returns its size. */
static size_t length_encode(size_t n, uint8_t out[9])
{
    size_t size = 0;
    while (size < 8 && n >> 8 * size != 0)
        size++;
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(n >> 8 * (size - 1 - i));
    out[size] = (uint8_t)size;
    return size + 1;
}

/* KT of the first n bytes of input (§3.2), and the first clen of custom. */
static void slowly(size_t n, size_t clen, uint8_t out[OUT])
{
    uint8_t value[64], encoded[9];
    size_t encoded_size = length_encode(clen, encoded), size = n + clen + encoded_size, count = 0;
    uint8_t *s = malloc(size);
    memcpy(s, input, n);
    memcpy(s + n, custom, clen);
    memcpy(s + n + clen, encoded, encoded_size);
    void *node = new_turboshake(size <= CHUNK ? 0x07 : 0x06);
    assert_true(turboshake.update(node, s, size < CHUNK ? size : CHUNK));
    if (size > CHUNK)
        assert_true(turboshake.update(node, (const uint8_t *)"\3\0\0\0\0\0\0\0", 8));
    for (size_t at = CHUNK; at < size; at += CHUNK, count++) {
        void *leaf = new_turboshake(0x0b);
        assert_true(turboshake.update(leaf, s + at, size - at < CHUNK ? size - at : CHUNK));
        finish(&turboshake, leaf, value, value_size);
        assert_true(turboshake.update(node, value, value_size));
    }
    if (size > CHUNK) {
        assert_true(turboshake.update(node, encoded, length_encode(count, encoded)));
        assert_true(turboshake.update(node, (const uint8_t *)"\xff\xff", 2));
    }
    free(s);
    finish(&turboshake, node, out, OUT);
}

static void set_custom(void *ctx, size_t clen)
{
    assert_true(fake_set_octets(&kt, ctx, "customization", custom, clen));
}

/* Pieces of that many bytes, 0: of random lengths. */
static void feed(void *ctx, size_t from, size_t to, size_t piece)
{
    for (size_t n; from < to; from += n) {
        n = piece > 0 ? piece : test_below(3 * CHUNK);
        n = n < to - from ? n : to - from;
        assert_true(kt.update(ctx, input + from, n));
    }
}

static void *fed(size_t n, size_t piece)
{
    void *ctx = kt.newctx(fake.provctx);
    assert_true(kt.init(ctx, NULL));
    feed(ctx, 0, n, piece);
    return ctx;
}

static void check(size_t n, size_t clen, size_t piece)
{
    uint8_t expected[OUT], got[OUT];
    slowly(n, clen, expected);
    void *ctx = fed(n, piece);
    set_custom(ctx, clen);
    finish(&kt, ctx, got, OUT);
    if (memcmp(got, expected, OUT) != 0)
        fail_msg("%s, %s: %zu bytes, %zu of customization, pieces of %zu", kt.names, fake.isa, n,
                 clen, piece);
}

static void each(void (*test)(void))
{
    for (size_t i = 0; i < ISAS; i++)
        for (unsigned strength = 128; strength <= 256; strength += 128) {
            load(isas[i]);
            choose(strength);
            test();
            unload();
        }
}

static void lengths(void)
{
    static const size_t pieces[] = {
        INPUT, 0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 4 * CHUNK, 4 * CHUNK + 1, 8 * CHUNK + 1};
    for (size_t k = 0; k <= CHUNKS; k++)
        for (size_t p = 0; p < sizeof(pieces) / sizeof(pieces[0]); p++) {
            if (pieces[p] == 1 && k % 8 != 3)
                continue; /* bytes take long */
            check(k * CHUNK, 0, pieces[p]);
            check(k * CHUNK + 1, 0, pieces[p]);
            if (k > 0)
                check(k * CHUNK - 1, 0, pieces[p]);
        }
}

static void test_lengths(void **unused)
{
    (void)unused;
    each(lengths);
}

/* The length of C counts to where the first chunk, and the next, ends. */
static void customizations(void)
{
    static const size_t sizes[] = {1,         254,       255,   256,       257,           CHUNK - 3,
                                   CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, sizeof(custom)};
    static const size_t fed[] = {0, 1, CHUNK - 2, CHUNK - 1, CHUNK, 3 * CHUNK, 11 * CHUNK + 7};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t j = 0; j < sizeof(fed) / sizeof(fed[0]); j++)
            check(fed[j], sizes[i], CHUNK - 1);
    for (size_t n = CHUNK - 20; n <= CHUNK; n++)
        check(n, CHUNK - n + n % 3, n);
}

static void test_customizations(void **unused)
{
    (void)unused;
    each(customizations);
}

/* At any time before output; the last one counts; init forgets it. */
static void test_when(void **unused)
{
    uint8_t expected[OUT], got[OUT];
    size_t outl = 1;
    (void)unused;
    load("avx2");
    choose(128);
    slowly(30000, 40, expected);
    void *ctx = kt.newctx(fake.provctx);
    assert_true(kt.init(ctx, NULL));
    assert_false(fake_set_octets(&kt, ctx, "customization", custom, TEST_STRING_LIMIT));
    fake_expect("function-name or customization is too long to encode"); /* and was not read */
    set_custom(ctx, 9000);
    feed(ctx, 0, 20000, 100);
    set_custom(ctx, 40);
    feed(ctx, 20000, 30000, 100);
    assert_true(kt.squeeze(ctx, got, &outl, 1));
    assert_false(fake_set_octets(&kt, ctx, "customization", custom, 1));
    fake_expect("customization comes before output begins");
    assert_true(kt.squeeze(ctx, got + 1, &outl, OUT - 1));
    assert_memory_equal(got, expected, OUT);
    slowly(30000, 0, expected);
    assert_true(kt.init(ctx, NULL));
    feed(ctx, 0, 30000, 0);
    finish(&kt, ctx, got, OUT);
    assert_memory_equal(got, expected, OUT);
    unload();
}

/* Lanes exchanged would not show with equal leaves; here two leaves exchange their places. */
static void exchanges(void)
{
    uint8_t before[OUT], after[OUT];
    for (size_t i = 1; i < 10; i++) {
        size_t a = i * CHUNK, b = (i + 1 + test_below(10)) * CHUNK;
        finish(&kt, fed(INPUT, 0), before, OUT);
        for (size_t at = 0; at < CHUNK; at++) {
            uint8_t byte = input[a + at];
            input[a + at] = input[b + at];
            input[b + at] = byte;
        }
        finish(&kt, fed(INPUT, 0), after, OUT);
        assert_memory_not_equal(before, after, OUT);
        check(INPUT, 0, INPUT);
    }
}

static void test_exchanges(void **unused)
{
    (void)unused;
    each(exchanges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_customizations),
        cmocka_unit_test(test_when),
        cmocka_unit_test(test_exchanges),
    };
    test_begin();
    test_random_bytes(input, sizeof(input));
    test_random_bytes(custom, sizeof(custom));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
