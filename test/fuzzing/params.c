/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Parameter arrays of any keys, types and sizes, to init, set and get, of digests and MACs. No byte
 * outside a parameter's data is touched; a refused array changes nothing. */
#include "fuzz.h"

#define PARAMS_MAX 6
#define STATE_MAX 70000

/* An array, each parameter's data in memory of its own size. */
struct array {
    OSSL_PARAM params[PARAMS_MAX + 1];
    size_t count;
};

static void fill(OSSL_PARAM *p, struct input *in)
{
    static const char *const keys[] = {
        "xoflen",           "size",   "state",      "function-name", "customization",
        "properties",       "xof",    "element",    "key",           "leaf-size",
        "domain-separator", "custom", "block-size", "blocksize",     "algid-absent",
        "unknown",          ""};
    static const size_t sizes[] = {0, 1, 2, 4, 8, 16, 3, 200, 207};
    *p = (OSSL_PARAM){.key = keys[fuzz_take(in, sizeof(keys) / sizeof(keys[0]))],
                      .data_type = fuzz_take(in, 9),
                      .data_size = sizes[fuzz_take(in, 9)],
                      .return_size = OSSL_PARAM_UNMODIFIED};
    unsigned kind = fuzz_take(in, 8);
    if (kind == 0) { /* no data, and any size */
        p->data_size = fuzz_take(in, 2) == 0 ? 0 : SIZE_MAX >> fuzz_take(in, 64);
        return;
    }
    /* The types that are pointers hold one. */
    if (p->data_type == OSSL_PARAM_UTF8_PTR || p->data_type == OSSL_PARAM_OCTET_PTR)
        p->data_size = sizeof(void *);
    uint8_t *data = malloc(p->data_size + (p->data_size == 0));
    for (size_t i = 0; i < p->data_size; i++)
        data[i] = (uint8_t)fuzz_take(in, 256);
    p->data = data;
}

static void build(struct array *array, struct input *in)
{
    array->count = fuzz_take(in, PARAMS_MAX + 1);
    for (size_t i = 0; i < array->count; i++)
        fill(&array->params[i], in);
    array->params[array->count] = (OSSL_PARAM)OSSL_PARAM_END;
}

static void destroy(struct array *array)
{
    while (array->count > 0)
        free(array->params[--array->count].data);
}

static size_t save(const struct digest *d, void *ctx, uint8_t *blob)
{
    size_t size = STATE_MAX;
    long left = fake.allocations_left;
    fake.allocations_left = -1;
    bool ok = d->serialize(ctx, blob, &size);
    fake.allocations_left = left;
    fake_errors_clear();
    return ok ? size : 0;
}

/* Without a state, setting what a fixed digest does not have is refused in silence. */
static bool is_silent(const struct digest *d, const OSSL_PARAM *params)
{
    return d->squeeze == NULL && OSSL_PARAM_locate_const(params, "state") == NULL;
}

static void set_digest(const struct digest *d, void *ctx, const OSSL_PARAM *params)
{
    static uint8_t before[STATE_MAX], after[STATE_MAX];
    size_t length = save(d, ctx, before);
    bool ok = d->set_ctx_params(ctx, params);
    if (!ok && is_silent(d, params))
        FUZZ_CHECK(fake.errors == 0);
    else
        fuzz_expect(ok);
    if (!ok)
        FUZZ_CHECK(save(d, ctx, after) == length && memcmp(before, after, length) == 0);
}

/* Memory may be short for the next call. */
static void shorten(struct input *in)
{
    fake.allocations_left = fuzz_take(in, 4) == 0 ? (long)fuzz_take(in, 3) : -1;
}

/* A copy works, or is dead, or there is none; then one error says so. */
static void copy_digest(const struct digest *d, void *ctx)
{
    void *copy = d->dupctx(ctx);
    fuzz_expect(copy != NULL);
    fake.allocations_left = fake.allocations_left > 0 ? 1 : -1;
    void *other = d->newctx(fake.provctx);
    fuzz_expect(other != NULL);
    d->copyctx(other, ctx);
    fake.allocations_left = -1;
    fake_errors_clear();
    if (copy != NULL)
        d->copyctx(copy, other);
    fuzz_expect(true);
    d->freectx(copy);
    d->freectx(other);
}

/* The lists, the calls without a context, and a new one. */
static void call_without(const struct digest *d, void *ctx)
{
    uint8_t out[300];
    size_t n = 0;
    FUZZ_CHECK(d->gettable_params(fake.provctx) != NULL);
    FUZZ_CHECK(d->gettable_ctx_params(ctx, fake.provctx) != NULL);
    FUZZ_CHECK(d->settable_ctx_params(ctx, fake.provctx) != NULL);
    FUZZ_CHECK(!d->init(NULL, NULL) && !d->update(NULL, out, 1) && !d->final(NULL, out, &n, 300));
    FUZZ_CHECK(!d->set_ctx_params(NULL, NULL) && !d->get_ctx_params(NULL, NULL));
    FUZZ_CHECK(d->dupctx(NULL) == NULL && !d->serialize(NULL, out, &n));
    FUZZ_CHECK(!d->deserialize(NULL, out, 300) && d->newctx(NULL) == NULL);
    d->copyctx(NULL, ctx);
    d->copyctx(ctx, NULL);
    d->copyctx(ctx, ctx);
    d->freectx(NULL);
    fuzz_expect(true);
    void *fresh = d->newctx(fake.provctx);
    fuzz_expect(fresh != NULL);
    d->freectx(fresh);
}

/* Lengths that nothing has, and pointers to nothing. A final with room is FinalXOF's; without, it
 * is Final_ex, which before 3.4 knows no bound, and so gets no buffer. */
static void call_extremes(const struct digest *d, void *ctx, struct input *in)
{
    static const size_t sizes[] = {0, 1, 27, 300, (size_t)PTRDIFF_MAX + 1, SIZE_MAX};
    uint8_t out[300];
    size_t n = sizes[fuzz_take(in, 6)], outl = n;
    bool real = n <= sizeof(out), null = fuzz_take(in, 2) == 1;
    unsigned call = fuzz_take(in, 4);
    memset(out, 0, sizeof(out));
    if (call == 0)
        fuzz_expect(d->update(ctx, null ? NULL : out, n) ? real && (n == 0 || !null) : false);
    else if (call == 1)
        fuzz_expect(d->final(ctx, null || n == 0 ? NULL : out, &outl, n));
    else if (call == 2 && d->squeeze != NULL)
        fuzz_expect(d->squeeze(ctx, null ? NULL : out, &outl, n));
    else if (call == 3)
        fuzz_expect(d->serialize(ctx, out, real ? &outl : NULL));
}

static void call_digest(const struct digest *d, void *ctx, unsigned call, struct input *in)
{
    uint8_t out[300];
    struct array array;
    build(&array, in);
    shorten(in);
    if (call == 0)
        fuzz_expect(d->init(ctx, array.params));
    else if (call == 1)
        set_digest(d, ctx, array.params);
    else if (call == 2)
        (void)d->get_ctx_params(ctx, array.params);
    else if (call == 3)
        (void)d->get_params(array.params);
    else if (call == 4)
        (void)d->update(ctx, fuzz_text(), fuzz_take_length(in));
    else if (call == 5) /* FinalXOF's way: before 3.4 Final_ex has no bound */
        (void)d->final(ctx, out, &(size_t){sizeof(out)}, sizeof(out));
    else if (call == 6)
        copy_digest(d, ctx);
    else if (call == 7)
        call_extremes(d, ctx, in);
    else
        call_without(d, ctx);
    fake.allocations_left = -1;
    fake_errors_clear();
    destroy(&array);
}

static void call_mac(const struct mac *m, void *ctx, unsigned call, struct input *in)
{
    uint8_t out[300];
    struct array array;
    void *copy;
    build(&array, in);
    shorten(in);
    if (call == 0) {
        fuzz_expect(m->init(ctx, NULL, 0, array.params));
    } else if (call == 1) {
        fuzz_expect(m->set_ctx_params(ctx, array.params));
    } else if (call == 2) {
        (void)m->get_ctx_params(ctx, array.params);
    } else if (call == 3) {
        (void)m->update(ctx, fuzz_text(), fuzz_take_length(in));
    } else if (call == 4) {
        (void)m->final(ctx, fuzz_take(in, 2) ? out : NULL, NULL, sizeof(out));
    } else if (call == 5) {
        fuzz_expect(m->init(ctx, fuzz_take(in, 2) ? out : NULL,
                            fuzz_take(in, 2) ? 0 : TEST_STRING_LIMIT, array.params));
    } else if (call == 6) {
        FUZZ_CHECK(m->gettable_ctx_params(ctx, NULL) && m->settable_ctx_params(ctx, NULL));
        FUZZ_CHECK(!m->init(NULL, NULL, 0, NULL) && !m->update(NULL, out, 1));
        FUZZ_CHECK(!m->final(NULL, out, NULL, 1) && m->dupctx(NULL) == NULL);
        FUZZ_CHECK(!m->get_ctx_params(NULL, NULL) && !m->set_ctx_params(NULL, NULL));
        copy = m->newctx(fake.provctx);
        fuzz_expect(copy != NULL);
        m->freectx(copy);
    } else {
        copy = m->dupctx(ctx);
        fuzz_expect(copy != NULL);
        m->freectx(copy);
    }
    fake.allocations_left = -1;
    fake_errors_clear();
    destroy(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    fuzz_enter(fuzz_take(&in, FAKE_HOSTS), false);
    size_t digests = fake_digests();
    size_t which = fuzz_take(&in, (unsigned)(digests + fake_macs()));
    if (which < digests) {
        const struct digest d = fake_nth(which);
        void *ctx = d.newctx(fake.provctx);
        while (in.left > 0)
            call_digest(&d, ctx, fuzz_take(&in, 9), &in);
        d.freectx(ctx);
    } else {
        const struct mac m = fake_nth_mac(which - digests);
        void *ctx = m.newctx(fake.provctx);
        while (in.left > 0)
            call_mac(&m, ctx, fuzz_take(&in, 8), &in);
        m.freectx(ctx);
    }
    return 0;
}
