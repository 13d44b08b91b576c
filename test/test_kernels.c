/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The kernel kit: every kernel that this machine runs, every number of rounds, random states,
 * against FIPS 202 §3.2 step by step; and the choice of kernels as a function. */
#include "test.h"
#include "fips202.h"
#include "kernels.h"
#ifdef KECCAK_X86_64
#include <cpuid.h>
#include "x86_64/cpu.h"
#endif

static unsigned states_each = 300; /* TEST_STATES: fewer, for an emulated CPU */

static void reference(uint64_t a[25], unsigned rounds)
{
    for (unsigned round = 24 - rounds; round < 24; round++)
        fips202_round(a, fips202_constant(round));
}

/* XORs a block byte by byte (FIPS 202 §B.1), then permutes. */
static void reference_block(uint64_t a[25], const uint8_t *in, unsigned lanes, unsigned rounds)
{
    for (unsigned i = 0; i < 8 * lanes; i++)
        a[i / 8] ^= (uint64_t)in[i] << 8 * (i % 8);
    reference(a, rounds);
}

/* Fills n states with random bytes: side by side in a, and one by one. */
static void random_states(uint64_t *a, uint64_t states[8][25], unsigned n)
{
    test_random_bytes((uint8_t *)states, 200 * (size_t)n);
    for (unsigned i = 0; i < 25 * n; i++)
        a[i] = states[i % n][i / n];
}

static void assert_states(const uint64_t *a, uint64_t states[8][25], unsigned n)
{
    for (unsigned i = 0; i < 25 * n; i++)
        assert_true(a[i] == states[i % n][i / n]);
}

/* A kernel of any width: every number of rounds, every state different. */
static void check_permutation(keccak_kernel *kernel, unsigned ways)
{
    uint64_t states[8][25], a[8 * 25];
    for (unsigned rounds = 2; rounds <= 24; rounds += 2)
        for (unsigned repeat = 0; repeat < states_each / ways; repeat++) {
            random_states(a, states, ways);
            keccak_permute(kernel, a, rounds);
            for (unsigned w = 0; w < ways; w++)
                reference(states[w], rounds);
            assert_states(a, states, ways);
        }
}

/* Every rate, blocks and distances between the inputs at random, input aligned to nothing. */
static void check_blocks(keccak_kernel *kernel, unsigned ways)
{
    static const unsigned rates[] = {9, 13, 17, 18, 21};
    static uint8_t in[8 * 800];
    uint64_t states[8][25], a[8 * 25];
    test_random_bytes(in, sizeof(in));
    for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
        for (unsigned repeat = 0; repeat < states_each / ways; repeat++) {
            unsigned lanes = rates[r], rounds = 2 + 2 * (unsigned)test_below(12);
            size_t blocks = 1 + test_below(4), start = test_below(64);
            size_t stride = 8 * lanes * blocks + test_below(64);
            random_states(a, states, ways);
            kernel(a, in + start, stride, blocks, lanes, rounds);
            for (size_t i = 0; i < ways * blocks; i++)
                reference_block(states[i / blocks],
                                in + start + i / blocks * stride + i % blocks * 8 * lanes, lanes,
                                rounds);
            assert_states(a, states, ways);
        }
}

static struct {
    const char *name;
    keccak_kernel *kernel;
    bool checked;
} kernels[] = {
    {"x1_portable", keccak_p1600_x1_portable, false},
#ifdef KECCAK_X86_64
    {"x1_bmi2", keccak_p1600_x1_bmi2, false},         {"x1_avx512", keccak_p1600_x1_avx512, false},
    {"x4_avx2", keccak_p1600_x4_avx2, false},         {"x4_avx512", keccak_p1600_x4_avx512, false},
    {"x8_avx512", keccak_p1600_x8_avx512, false}
#endif
};
#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))

/* Each kernel once, however many sets it serves in. test/emulate/ran reads the line printed. */
static void check_kernel(keccak_kernel *kernel, unsigned ways)
{
    size_t k = 0;
    while (k < KERNELS && kernels[k].kernel != kernel)
        k++;
    assert_in_range(k, 0, KERNELS - 1);
    if (kernels[k].checked)
        return;
    check_permutation(kernel, ways);
    check_blocks(kernel, ways);
    kernels[k].checked = true;
    test_cases((12 + 5) * (size_t)states_each);
    printf("kernel %s passed: 12 numbers of rounds and 5 rates x %u states\n", kernels[k].name,
           states_each);
}

static void test_kernels_equal_reference(void **unused)
{
    const struct keccak_ops *ops;
    (void)unused;
    if (getenv("TEST_STATES") != NULL)
        states_each = (unsigned)atoi(getenv("TEST_STATES"));
    assert_in_range(states_each, 8, 1000000);
    for (size_t k = 0; (ops = keccak_nth(keccak_cpu_features(), k)) != NULL; k++) {
        assert_true(keccak_check(ops));
        check_kernel(ops->x1, 1);
        if (ops->x4 != NULL)
            check_kernel(ops->x4, 4);
        if (ops->x8 != NULL)
            check_kernel(ops->x8, 8);
    }
}

/* XKCP's published value for the zero state: a second source for the reference itself. */
static void test_reference_zero_state(void **unused)
{
    uint64_t a[25] = {0};
    (void)unused;
    reference(a, 24);
    assert_true(a[0] == UINT64_C(0xf1258f7940e1dde7) && a[24] == UINT64_C(0xeaf1ff7b5ceca249));
}

static void test_select(void **unused)
{
    (void)unused;
    assert_string_equal(keccak_select(0, KECCAK_ISA_AVX512)->name, "portable");
    assert_string_equal(keccak_select(~0u, KECCAK_ISA_PORTABLE)->name, "portable");
    assert_null(keccak_nth(0, 1));
#ifdef KECCAK_X86_64
    const unsigned bmi2 = KECCAK_CPU_BMI2, avx2 = bmi2 | KECCAK_CPU_AVX2,
                   avx512 = avx2 | KECCAK_CPU_AVX512;
    const struct {
        unsigned features;
        enum keccak_isa isa;
        const char *name;
    } cases[] = {{bmi2, KECCAK_ISA_AUTO, "bmi2"},
                 {avx2, KECCAK_ISA_AUTO, "bmi2,x4_avx2"},
                 {avx512, KECCAK_ISA_AUTO, "bmi2,x4_avx512,x8_avx512"},
                 {avx512, KECCAK_ISA_AVX512, "avx512,x4_avx512,x8_avx512"},
                 {avx512, KECCAK_ISA_AVX2, "bmi2,x4_avx2"},
                 {avx512, KECCAK_ISA_BMI2, "bmi2"},
                 {avx2, KECCAK_ISA_AVX512, "bmi2,x4_avx2"},
                 {avx512 & ~bmi2, KECCAK_ISA_AUTO, "portable"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(keccak_select(cases[i].features, cases[i].isa)->name, cases[i].name);
#endif
}

#ifdef KECCAK_X86_64
static void test_cpu_decode(void **unused)
{
    const uint32_t os = bit_OSXSAVE | bit_AVX, bmi = bit_BMI | bit_BMI2;
    const uint32_t avx512 = bmi | bit_AVX2 | bit_AVX512F | bit_AVX512VL;
    const unsigned all = KECCAK_CPU_BMI2 | KECCAK_CPU_AVX2 | KECCAK_CPU_AVX512;
    static const char *const why[] = {"all",        "OSXSAVE off",      "XCR0 = 3",
                                      "XCR0 = 7",   "AVX2 without AVX", "no leaf 7",
                                      "BMI1 alone", "BMI2 alone",       "no AVX512VL bit"};
    const struct {
        uint32_t leaf1_ecx, leaf7_ebx;
        uint64_t xcr0;
        unsigned expected;
    } cases[] = {{os, avx512, 0xe7, all},
                 {bit_AVX, avx512, 0xe7, KECCAK_CPU_BMI2},
                 {os, avx512, 3, KECCAK_CPU_BMI2},
                 {os, avx512, 7, KECCAK_CPU_BMI2 | KECCAK_CPU_AVX2},
                 {bit_OSXSAVE, avx512, 0xe7, KECCAK_CPU_BMI2},
                 {os, 0, 0xe7, 0},
                 {os, bit_BMI, 0xe7, 0},
                 {os, bit_BMI2, 0xe7, 0},
                 {os, avx512 & ~bit_AVX512VL, 0xe7, KECCAK_CPU_BMI2 | KECCAK_CPU_AVX2}};
    (void)unused;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (keccak_cpu_decode(cases[i].leaf1_ecx, cases[i].leaf7_ebx, cases[i].xcr0) !=
            cases[i].expected)
            fail_msg("%s", why[i]);
}

/* As libcrypto reads the variable; and bits can be taken away, never added. */
static void test_ia32cap(void **unused)
{
    const uint32_t all = UINT32_MAX;
    static const struct {
        const char *value;
        uint32_t ecx, ebx;
    } cases[] = {{NULL, UINT32_MAX, UINT32_MAX},
                 {"", 0, 0},
                 {":", UINT32_MAX, UINT32_MAX},
                 {":~0xc0030020", UINT32_MAX, (uint32_t)~0xc0030020u},
                 {":0x20", UINT32_MAX, 0x20},
                 {":32", UINT32_MAX, 32},
                 {":040:0", UINT32_MAX, 32},
                 {"~0x1000000000000000", UINT32_MAX & ~(1u << 28), 0},
                 {"~0x1000000000000000:", UINT32_MAX & ~(1u << 28), UINT32_MAX},
                 {"0x10000000000000000:0", UINT32_MAX, 0},
                 {"0:0", 0, 0},
                 {"junk", 0, 0},
                 {"~junk:~junk", UINT32_MAX, UINT32_MAX}};
    (void)unused;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t ecx = all, ebx = all, none_ecx = 0, none_ebx = 0;
        keccak_cpu_restrict(cases[i].value, &ecx, &ebx);
        keccak_cpu_restrict(cases[i].value, &none_ecx, &none_ebx);
        if (ecx != cases[i].ecx || ebx != cases[i].ebx || none_ecx != 0 || none_ebx != 0)
            fail_msg("OPENSSL_ia32cap=%s: %x %x", cases[i].value, ecx, ebx);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_zero_state),
        cmocka_unit_test(test_kernels_equal_reference),
        cmocka_unit_test(test_select),
#ifdef KECCAK_X86_64
        cmocka_unit_test(test_cpu_decode),
        cmocka_unit_test(test_ia32cap),
#endif
    };
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
