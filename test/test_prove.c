/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The second half of test/prove: a kernel's round and FIPS 202's, on every input of at most two set
 * bits, in each place that the kernel has for a state. Two quadratic maps over GF(2) that agree
 * there are the same map. */
#include "fips202.h"
#include "test.h"
#include "keccak.h"

#define BITS 1664 /* the state's 1600 and the round constant's 64 */
#define WIDEST 8

typedef void round_function(const uint64_t *a, uint64_t *e, const uint64_t *rc);
round_function prove_permute, prove_x1_bmi2, prove_x1_avx512, prove_x4_avx2, prove_x4_avx512,
    prove_x8_avx512;

static const struct {
    const char *name;
    round_function *round;
    unsigned ways;
    unsigned needs;
} kernels[] = {
    {"x1_portable", prove_permute, 1, 0},
#ifdef KECCAK_X86_64
    {"x1_bmi2", prove_x1_bmi2, 1, KECCAK_CPU_BMI2},
    {"x1_avx512", prove_x1_avx512, 1, KECCAK_CPU_AVX512},
    {"x4_avx2", prove_x4_avx2, 4, KECCAK_CPU_AVX2},
    {"x4_avx512", prove_x4_avx512, 4, KECCAK_CPU_AVX512},
    {"x8_avx512", prove_x8_avx512, 8, KECCAK_CPU_AVX512},
#endif
};

/* Inputs wait until every state of a kernel has one; the constant is the same for all of them. */
struct batch {
    round_function *round;
    unsigned ways, filled;
    uint64_t input[WIDEST][25], wanted[WIDEST][25];
    uint64_t constant;
    unsigned long compared;
};

/* Every input goes round all places. */
static void run(struct batch *batch)
{
    for (unsigned turn = 0; turn < batch->ways; turn++) {
        uint64_t a[25 * WIDEST] = {0}, e[25 * WIDEST], different = 0;
        for (unsigned w = 0; w < batch->filled; w++)
            for (unsigned i = 0; i < 25; i++)
                a[i * batch->ways + (w + turn) % batch->ways] = batch->input[w][i];
        batch->round(a, e, &batch->constant);
        for (unsigned w = 0; w < batch->filled; w++)
            for (unsigned i = 0; i < 25; i++)
                different |= e[i * batch->ways + (w + turn) % batch->ways] ^ batch->wanted[w][i];
        assert_true(different == 0);
        batch->compared += batch->filled;
    }
    batch->filled = 0;
}

/* The input whose bits are the two given ones, which may be the same or BITS, for none. */
static void add(struct batch *batch, unsigned first, unsigned second)
{
    uint64_t input[BITS / 64 + 1] = {0};
    input[first / 64] |= UINT64_C(1) << first % 64;
    input[second / 64] |= UINT64_C(1) << second % 64;
    if (batch->filled == batch->ways || input[25] != batch->constant)
        run(batch);
    batch->constant = input[25];
    for (unsigned i = 0; i < 25; i++)
        batch->input[batch->filled][i] = batch->wanted[batch->filled][i] = input[i];
    fips202_round(batch->wanted[batch->filled++], batch->constant);
}

static void test_round(void **state)
{
    size_t k = *(size_t *)*state;
    if ((kernels[k].needs & ~keccak_cpu_features()) != 0) {
        printf("%s: not on this CPU\n", kernels[k].name);
        skip();
    }
    struct batch batch = {.round = kernels[k].round, .ways = kernels[k].ways};
    add(&batch, BITS, BITS);
    for (unsigned first = 0; first < BITS; first++) {
        add(&batch, first, BITS);
        for (unsigned second = first + 1; second < BITS; second++)
            add(&batch, first, second);
    }
    run(&batch);
    const unsigned long inputs = 1 + BITS + BITS * (BITS - 1) / 2;
    assert_int_equal(batch.compared, batch.ways * inputs);
    test_cases(batch.compared);
    printf("%s: equals FIPS 202 on %u x %lu inputs\n", kernels[k].name, batch.ways, inputs);
}

int main(void)
{
    static size_t indices[sizeof(kernels) / sizeof(kernels[0])];
    struct CMUnitTest tests[sizeof(kernels) / sizeof(kernels[0])] = {{0}};
    for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
        indices[k] = k;
        tests[k].name = kernels[k].name;
        tests[k].test_func = test_round;
        tests[k].initial_state = &indices[k];
    }
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
