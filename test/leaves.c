/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include "leaves.h"

static const char *const isas[] = {"portable", "bmi2", "avx2", "avx512"};

const struct subject subjects[SUBJECTS] = {
    {"KT128", 0},
    {"KT256", 0},
    {"PARALLELHASH128", 0},
    {"PARALLELHASH256", 0},
    {"PARALLELHASH128", 7},
    {"PARALLELHASH256", 136},
    {"PARALLELHASH128", 1000},
    {"PARALLELHASH256", LEAF + 1},
};

const struct subject *subject;
struct digest d;
uint8_t input[INPUT];

void leaves_load(const char *isa, const struct subject *which)
{
    fake.isa = isa;
    assert_true(fake_load(MODULE, "4.0.0"));
    subject = which;
    d = fake_digest(subject->name);
}

void leaves_unload(void)
{
    fake_unload();
    assert_int_equal(fake.errors, 0);
}

void leaves_each(void (*test)(void))
{
    for (size_t i = 0; i < sizeof(isas) / sizeof(isas[0]); i++)
        for (size_t j = 0; j < SUBJECTS; j++) {
            leaves_load(isas[i], &subjects[j]);
            test();
            leaves_unload();
        }
}

bool leaves_wait(void)
{
    const char *kernels = strstr(fake_buildinfo(), " -> ");
    assert_non_null(kernels);
    return strstr(kernels, "avx") != NULL && subject->leaf_size <= LEAF;
}

void leaves_init(void *ctx)
{
    size_t leaf_size = subject->leaf_size;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("leaf-size", &leaf_size), OSSL_PARAM_END};
    assert_true(d.init(ctx, leaf_size > 0 ? params : NULL));
}

void leaves_feed(void *ctx, size_t from, size_t to, size_t piece)
{
    for (size_t n; from < to; from += n) {
        n = piece > 0 ? piece : test_below(3 * LEAF);
        n = n < to - from ? n : to - from;
        assert_true(d.update(ctx, input + from, n));
    }
}

void *leaves_fed(size_t n, size_t piece)
{
    void *ctx = d.newctx(fake.provctx);
    leaves_init(ctx);
    leaves_feed(ctx, 0, n, piece);
    return ctx;
}

void leaves_finish(void *ctx, uint8_t out[OUT])
{
    size_t outl = OUT;
    assert_true(d.final(ctx, out, &outl, OUT));
    d.freectx(ctx);
}
