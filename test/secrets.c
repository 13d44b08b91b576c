/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Run under valgrind by test/secrets.sh: messages and keys are marked undefined, so that memcheck
 * reports every branch and every address that depends on them, and on states and outputs made of
 * them. Lengths, parameters and a saved state's own fields are public. */
#include <valgrind/memcheck.h>
#include "fakecore.h"

#define LONGEST 90000 /* more leaves than the widest kernel takes at once */

static uint8_t message[LONGEST], out[1000], blob[4096];

/* Squeezing has no end, where there is a choice. */
static int on = 1;
static const OSSL_PARAM params[] = {OSSL_PARAM_int("xof", &on), OSSL_PARAM_END};

/* Feeds the message in pieces around a lane, the block and a chunk. */
static void absorb(const struct digest *d, void *ctx, size_t length)
{
    static const size_t pieces[] = {1, 7, 9, 136, 168, 500, 8192};
    for (size_t i = 0, at = 0; at < length; i++) {
        size_t n = pieces[i % (sizeof(pieces) / sizeof(pieces[0]))];
        n = n < length - at ? n : length - at;
        assert_true(d->update(ctx, message + at, n));
        at += n;
    }
}

/* The state at this point, through a blob, in another context. */
static void *move(const struct digest *d, void *ctx)
{
    size_t n = sizeof(blob);
    void *other = d->newctx(fake.provctx);
    assert_true(d->serialize(ctx, blob, &n));
    assert_true(d->init(other, params) && d->deserialize(other, blob, n));
    d->freectx(ctx);
    return other;
}

static void hash(const struct digest *d, size_t length)
{
    void *ctx = d->newctx(fake.provctx);
    size_t outl = 0;
    assert_true(d->init(ctx, params));
    absorb(d, ctx, length);
    ctx = move(d, ctx);
    absorb(d, ctx, length);
    void *copy = d->dupctx(ctx);
    if (d->squeeze != NULL) {
        assert_true(d->squeeze(copy, out, &outl, 1) && d->squeeze(copy, out, &outl, 31));
        copy = move(d, copy);
        assert_true(d->squeeze(copy, out, &outl, 31));
    }
    d->copyctx(copy, ctx);
    size_t outsz = d->squeeze != NULL ? 500 : 64;
    outl = outsz;
    assert_true(d->final(copy, out, &outl, outsz));
    d->freectx(copy);
    d->freectx(ctx);
}

/* The key is as secret as the message, of which it is a part here. */
static void authenticate(const struct mac *m, size_t length)
{
    void *ctx = m->newctx(fake.provctx);
    size_t outl;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(i < 2 ? m->init(ctx, message + i, length, params)
                          : m->init(ctx, NULL, 0, NULL));
        void *copy = m->dupctx(ctx);
        assert_true(m->update(copy, message, length) && m->final(copy, out, &outl, sizeof(out)));
        m->freectx(copy);
    }
    m->freectx(ctx);
}

/* A branch on a secret, to see that memcheck would have told. */
static int leak(void)
{
    return message[0] > 100 ? 1 : 0;
}

int main(int argc, char **argv)
{
    static const size_t lengths[] = {0, 1, 135, 136, 167, 168, 1000, LONGEST};
    enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };
    test_begin();
    fake.isa = argc > 1 ? argv[1] : "portable";
    assert_true(fake_load(MODULE, "4.0.0"));
    VALGRIND_MAKE_MEM_UNDEFINED(message, sizeof(message));
    if (argc > 2)
        return leak();
    if (!fake_runs_isa())
        return 0;
    for (size_t i = 0; i < fake_digests(); i++) {
        struct digest d = fake_nth(i);
        for (size_t k = 0; k < LENGTHS; k++)
            hash(&d, lengths[k]);
    }
    for (size_t i = 0; i < fake_macs(); i++) {
        struct mac m = fake_nth_mac(i);
        for (size_t k = 0; k < LENGTHS; k++)
            authenticate(&m, lengths[k]);
    }
    test_cases((fake_digests() + fake_macs()) * LENGTHS);
    fake_unload();
    return 0;
}
