/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * SP 800-185 §2.3: the encodings, and bytepad where the prefix ends on a block. */
#include "test.h"
#include "keccak.h"

static const struct {
    uint64_t value;
    const char *encoded;
} left[] = {{0, "0100"},
            {1, "0101"},
            {255, "01ff"},
            {256, "020100"},
            {0x10000, "03010000"},
            {UINT64_C(1) << 32, "050100000000"},
            {UINT64_C(1) << 63, "088000000000000000"},
            {UINT64_MAX, "08ffffffffffffffff"}};

static void test_left_encode(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        uint8_t expected[KECCAK_ENCODE_MAX], got[KECCAK_ENCODE_MAX];
        size_t n = test_unhex(left[i].encoded, expected);
        uint64_t value = ~left[i].value;
        assert_int_equal(keccak_left_encode(got, left[i].value), n);
        assert_memory_equal(got, expected, n);
        assert_int_equal(keccak_left_decode(&value, got, n), n);
        assert_true(value == left[i].value);
        for (size_t cut = 0; cut < n; cut++)
            assert_int_equal(keccak_left_decode(&value, got, cut), 0);
    }
}

/* The same number with its length at the other end. */
static void test_right_encode(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        uint8_t expected[KECCAK_ENCODE_MAX + 1], got[KECCAK_ENCODE_MAX];
        size_t n = test_unhex(left[i].encoded, expected);
        expected[n] = expected[0];
        assert_int_equal(keccak_right_encode(got, left[i].value), n);
        assert_memory_equal(got, expected + 1, n);
    }
}

/* right_encode, but for 0. */
static void test_length_encode(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        uint8_t expected[KECCAK_ENCODE_MAX], got[KECCAK_ENCODE_MAX];
        size_t n = keccak_right_encode(expected, left[i].value);
        if (left[i].value == 0)
            n = test_unhex("00", expected);
        assert_int_equal(keccak_length_encode(got, left[i].value), n);
        assert_memory_equal(got, expected, n);
    }
}

static void test_left_decode_refuses(void **unused)
{
    static const char *const bad[] = {"0000", "020001", "09010000000000000000", "ff01"};
    (void)unused;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint8_t in[16];
        uint64_t value;
        assert_int_equal(keccak_left_decode(&value, in, test_unhex(bad[i], in)), 0);
    }
}

/* The encodings together are whole blocks, with no block of padding when they fit exactly. */
static void test_bytepad(void **unused)
{
    static const uint8_t zeros[3 * 168];
    (void)unused;
    for (size_t len = 0; len < 2 * 168; len++) {
        struct keccak_sponge got, expected;
        uint8_t prefix[KECCAK_ENCODE_MAX];
        keccak_init(&got, keccak_nth(0, 0), 168, KECCAK_SUFFIX_CSHAKE, 24);
        expected = got;
        keccak_bytepad_begin(&got);
        keccak_absorb_string(&got, zeros, len);
        keccak_bytepad_end(&got);
        assert_int_equal(got.pos, 0);
        size_t used = 2; /* left_encode(168) */
        keccak_absorb(&expected, (const uint8_t[]){1, 168}, 2);
        size_t n = keccak_left_encode(prefix, 8 * len);
        keccak_absorb(&expected, prefix, n);
        used += n + len;
        size_t blocks = (used + 167) / 168;
        keccak_absorb(&expected, zeros, len + 168 * blocks - used);
        assert_memory_equal(got.a, expected.a, sizeof(got.a));
    }
}

/* Any two pieces are the same message. */
static void test_every_split(void **unused)
{
    uint8_t in[3 * 168], out[2][32];
    (void)unused;
    test_ptn(in, sizeof(in));
    for (size_t at = 0; at <= sizeof(in); at++)
        for (unsigned which = 0; which < 2; which++) {
            struct keccak_sponge s;
            keccak_init(&s, keccak_nth(0, 0), 168, KECCAK_SUFFIX_SHAKE, 24);
            keccak_absorb(&s, in, which == 0 ? sizeof(in) : at);
            if (which == 1)
                keccak_absorb(&s, in + at, sizeof(in) - at);
            assert_true(s.pos < s.rate);
            keccak_squeeze(&s, out[which], sizeof(out[which]));
            if (which == 1)
                assert_memory_equal(out[0], out[1], sizeof(out[0]));
        }
}

/* Squeezing exactly one block leaves the second permutation for the byte that needs it. */
static void test_lazy_squeeze(void **unused)
{
    uint8_t out[169];
    struct keccak_sponge s;
    uint64_t before[KECCAK_LANES];
    (void)unused;
    keccak_init(&s, keccak_nth(0, 0), 168, KECCAK_SUFFIX_SHAKE, 24);
    keccak_squeeze(&s, out, 0);
    assert_int_equal(s.phase, KECCAK_SQUEEZING);
    memcpy(before, s.a, sizeof(before));
    keccak_squeeze(&s, out, 168);
    assert_memory_equal(before, s.a, sizeof(before));
    assert_int_equal(s.pos, 168);
    keccak_squeeze(&s, out, 1);
    assert_int_equal(s.pos, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_encode),   cmocka_unit_test(test_right_encode),
        cmocka_unit_test(test_length_encode), cmocka_unit_test(test_left_decode_refuses),
        cmocka_unit_test(test_bytepad),       cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_lazy_squeeze),
    };
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
