/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Saved states that somebody else made, or forged: one is refused, and the context stays as it was,
 * or it is taken, and then saved again it is the same and the context works. */
#include "fuzz.h"

#define STATE_MAX 70000

/* Both ways to save give the same bytes. */
static size_t save(const struct digest *d, void *ctx, uint8_t *blob)
{
    static uint8_t other[STATE_MAX];
    size_t size = STATE_MAX;
    OSSL_PARAM params[] = {OSSL_PARAM_octet_string("state", other, sizeof(other)), OSSL_PARAM_END};
    FUZZ_CHECK(d->serialize(ctx, blob, &size));
    FUZZ_CHECK(d->get_ctx_params(ctx, params) && params[0].return_size == size);
    FUZZ_CHECK(memcmp(blob, other, size) == 0);
    return size;
}

/* cSHAKE without strings is SHAKE, and is written so: then the magic's end and the two empty
 * strings make the difference. */
static bool same(const uint8_t *in, size_t inlen, const uint8_t *out, size_t outlen)
{
    if (inlen == outlen && memcmp(in, out, inlen) == 0)
        return true;
    return inlen == outlen + 4 && memcmp(in, out, 3) == 0 && in[3] == 0x0a && out[3] == 0x09 &&
           memcmp(in + 4, out + 4, outlen - 4) == 0 && memcmp(in + outlen, "\1\0\1\0", 4) == 0;
}

/* A copy without memory is a copy, or dead. */
static void copy_short(const struct digest *d, void *ctx)
{
    void *other = d->newctx(fake.provctx);
    size_t size;
    fake.allocations_left = 0;
    d->copyctx(other, ctx);
    fake.allocations_left = -1;
    bool copied = fake.errors == 0;
    fuzz_expect(copied);
    FUZZ_CHECK(copied == (d->serialize(other, NULL, &size) != 0));
    fake_errors_clear();
    d->freectx(other);
}

static void use(const struct digest *d, void *ctx)
{
    uint8_t out[64];
    size_t outl = 64;
    copy_short(d, ctx);
    (void)d->update(ctx, fuzz_text(), 40000);
    (void)d->final(ctx, out, &outl, 64);
    fake_errors_clear();
}

/* A state that the module itself wrote, with some bytes replaced, and cut or lengthened. */
static size_t forge(const struct digest *d, struct input *in, uint8_t *blob)
{
    uint8_t out[300];
    size_t outl, n = fuzz_take_length(in), at;
    void *ctx = d->newctx(fake.provctx);
    OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string("customization", out, fuzz_take_length(in) % sizeof(out)),
        OSSL_PARAM_END};
    memset(out, 7, sizeof(out));
    FUZZ_CHECK(d->init(ctx, params) && d->update(ctx, fuzz_text(), n));
    if (d->squeeze != NULL && fuzz_take(in, 2) == 1)
        FUZZ_CHECK(d->squeeze(ctx, out, &outl, 1 + fuzz_take(in, 32)));
    size_t size = save(d, ctx, blob);
    d->freectx(ctx);
    for (unsigned edits = fuzz_take(in, 4); edits > 0; edits--) {
        at = fuzz_take(in, 2) == 1 ? size - 1 - fuzz_take(in, 60) : fuzz_take(in, 256);
        blob[at < size ? at : 0] = (uint8_t)fuzz_take(in, 256);
    }
    return fuzz_take(in, 4) != 0 ? size : size + 3 - fuzz_take(in, 8);
}

/* With so many allocations; -1: any number. */
static void import(const struct digest *d, void *ctx, uint8_t *blob, size_t n, long allocations)
{
    static uint8_t before[STATE_MAX], after[STATE_MAX];
    size_t length = save(d, ctx, before);
    OSSL_PARAM params[] = {OSSL_PARAM_octet_string("state", blob, n), OSSL_PARAM_END};
    fake.allocations_left = allocations;
    bool taken = n % 2 ? d->deserialize(ctx, blob, n) : d->set_ctx_params(ctx, params);
    fake.allocations_left = -1;
    fuzz_expect(taken);
    size_t now = save(d, ctx, after);
    if (taken)
        FUZZ_CHECK(same(blob, n, after, now));
    else
        FUZZ_CHECK(now == length && memcmp(before, after, now) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t forged[STATE_MAX];
    struct input in = {data, size};
    fuzz_enter(fuzz_take(&in, FAKE_HOSTS), false);
    const struct digest d = fake_nth(fuzz_take(&in, (unsigned)fake_digests()));
    bool raw = fuzz_take(&in, 4) == 0;
    size_t n = raw ? in.left : forge(&d, &in, forged);
    uint8_t *blob = malloc(n + (n == 0));
    memcpy(blob, raw ? in.data : forged, n);
    void *ctx = d.newctx(fake.provctx);
    FUZZ_CHECK(d.init(ctx, NULL) && d.update(ctx, fuzz_text(), 33));
    import(&d, ctx, blob, n, 0);
    import(&d, ctx, blob, n, -1);
    use(&d, ctx);
    d.freectx(ctx);
    free(blob);
    return 0;
}
