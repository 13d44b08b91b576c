/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Operations on KMAC contexts in any order, and what comes out against the host's own KMAC, or the
 * portable kernel where that does not take such a key. */
#include <openssl/core_names.h>
#include "fuzz.h"

#define SLOTS 2
#define NONE SIZE_MAX

enum phase { DEAD, ABSORBING, FINISHED };

/* Strings by their lengths, xof as one more than it is; NONE: not set. */
struct slot {
    void *ctx;
    enum phase phase;
    size_t key, custom, size, xof, fed;
};

static unsigned host, which;
static struct slot slots[SLOTS];

/* A parameter array of what is not NONE; good until the next call. */
static const OSSL_PARAM *params(size_t key, size_t custom, size_t size, size_t xof)
{
    static OSSL_PARAM list[5];
    static size_t kept_size;
    static int kept_xof;
    char *text = (char *)(uintptr_t)fuzz_text();
    OSSL_PARAM *p = list;
    kept_size = size, kept_xof = (int)xof - 1;
    if (key != NONE)
        *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(OSSL_MAC_PARAM_KEY, text + 3, key);
    if (custom != NONE)
        *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(OSSL_MAC_PARAM_CUSTOM, text + 4, custom);
    if (size != NONE)
        *p++ = (OSSL_PARAM)OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, &kept_size);
    if (xof != NONE)
        *p++ = (OSSL_PARAM)OSSL_PARAM_int(OSSL_MAC_PARAM_XOF, &kept_xof);
    *p = (OSSL_PARAM)OSSL_PARAM_END;
    return list;
}

static void by_default(const struct slot *slot, uint8_t *out)
{
    static EVP_MAC *macs[2];
    size_t outl;
    if (macs[which] == NULL)
        macs[which] = EVP_MAC_fetch(NULL, which == 0 ? "KMAC128" : "KMAC256", "provider=default");
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(macs[which]);
    FUZZ_CHECK(EVP_MAC_init(ctx, NULL, 0, params(slot->key, slot->custom, slot->size, slot->xof)));
    FUZZ_CHECK(EVP_MAC_update(ctx, fuzz_text(), slot->fed));
    FUZZ_CHECK(EVP_MAC_final(ctx, out, &outl, slot->size) && outl == slot->size);
    EVP_MAC_CTX_free(ctx);
}

static void by_portable(const struct slot *slot, uint8_t *out)
{
    const struct fakecore used = fake;
    size_t outl;
    fuzz_enter(host, true);
    const struct mac m = fake_nth_mac(which);
    void *ctx = m.newctx(fake.provctx);
    FUZZ_CHECK(m.init(ctx, NULL, 0, params(slot->key, slot->custom, slot->size, slot->xof)));
    FUZZ_CHECK(m.update(ctx, fuzz_text(), slot->fed) && m.final(ctx, out, &outl, slot->size));
    m.freectx(ctx);
    fake = used;
}

/* libcrypto's own takes keys of 4 to 512 bytes, and a custom of 512. */
static void compare(const struct slot *slot, const uint8_t *got)
{
    static uint8_t expected[70000];
    bool common = slot->key >= 4 && slot->key <= 512 && slot->size > 0 &&
                  (slot->custom == NONE || slot->custom <= 512);
    if (common)
        by_default(slot, expected);
    else
        by_portable(slot, expected);
    FUZZ_CHECK(memcmp(got, expected, slot->size) == 0 && got[slot->size] == 0xa5);
}

static void choose(struct input *in, size_t chosen[4])
{
    unsigned wanted = fuzz_take(in, 16);
    for (unsigned i = 0; i < 3; i++)
        chosen[i] = wanted >> i & 1 ? fuzz_take_length(in) : NONE;
    chosen[3] = wanted & 8 ? fuzz_take(in, 4) : NONE;
}

static void merge(struct slot *slot, const size_t chosen[4])
{
    slot->key = chosen[0] != NONE ? chosen[0] : slot->key;
    slot->custom = chosen[1] != NONE ? chosen[1] : slot->custom;
    slot->size = chosen[2] != NONE ? chosen[2] : slot->size;
    slot->xof = chosen[3] != NONE ? chosen[3] : slot->xof;
}

/* The length of a key that comes as a parameter, or not at all, counts for nothing. */
static void init(const struct mac *m, struct slot *slot, struct input *in)
{
    size_t chosen[4];
    bool by_pointer = fuzz_take(in, 2) == 1;
    choose(in, chosen);
    size_t keylen = chosen[0] == NONE ? 5 : chosen[0];
    bool ok = m->init(slot->ctx, by_pointer ? fuzz_text() + 3 : NULL, keylen,
                      params(by_pointer ? NONE : chosen[0], chosen[1], chosen[2], chosen[3]));
    if (by_pointer)
        chosen[0] = keylen;
    merge(slot, chosen);
    FUZZ_CHECK(ok == (slot->key != NONE));
    fuzz_expect(ok);
    slot->phase = ok ? ABSORBING : DEAD;
    slot->fed = 0;
}

static void set_params(const struct mac *m, struct slot *slot, struct input *in)
{
    size_t chosen[4];
    choose(in, chosen);
    bool strings = chosen[0] != NONE || chosen[1] != NONE;
    bool ok = m->set_ctx_params(slot->ctx, params(chosen[0], chosen[1], chosen[2], chosen[3]));
    FUZZ_CHECK(ok == !(strings && slot->phase == ABSORBING && slot->fed > 0));
    fuzz_expect(ok);
    if (ok)
        merge(slot, chosen);
}

static void update(const struct mac *m, struct slot *slot, struct input *in)
{
    size_t n = fuzz_take_length(in);
    if (slot->fed + n > FUZZ_TEXT)
        return;
    bool ok = m->update(slot->ctx, fuzz_text() + slot->fed, n);
    FUZZ_CHECK(ok == (slot->phase == ABSORBING));
    fuzz_expect(ok);
    slot->fed += ok ? n : 0;
}

static void final(const struct mac *m, struct slot *slot, struct input *in)
{
    static uint8_t out[70000];
    size_t outl = 0, room = fuzz_take(in, 2) == 0 ? slot->size : fuzz_take_length(in);
    out[slot->size] = 0xa5;
    bool ok = m->final(slot->ctx, out, &outl, room);
    FUZZ_CHECK(ok == (slot->phase == ABSORBING && room >= slot->size));
    fuzz_expect(ok);
    if (!ok)
        return;
    compare(slot, out);
    slot->phase = FINISHED;
}

static void dup(const struct mac *m, struct slot *to, const struct slot *from)
{
    if (to == from)
        return;
    m->freectx(to->ctx);
    *to = *from;
    to->ctx = m->dupctx(from->ctx);
    FUZZ_CHECK(to->ctx != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    host = fuzz_take(&in, FAKE_HOSTS);
    which = fuzz_take(&in, 2);
    fuzz_enter(host, false);
    const struct mac m = fake_nth_mac(which);
    for (size_t i = 0; i < SLOTS; i++)
        slots[i] = (struct slot){.ctx = m.newctx(fake.provctx),
                                 .key = NONE,
                                 .custom = NONE,
                                 .size = which == 0 ? 32 : 64,
                                 .xof = 1};
    while (in.left > 0) {
        unsigned operation = fuzz_take(&in, 5);
        struct slot *slot = &slots[fuzz_take(&in, SLOTS)];
        if (operation == 0)
            init(&m, slot, &in);
        else if (operation == 1)
            set_params(&m, slot, &in);
        else if (operation == 2)
            update(&m, slot, &in);
        else if (operation == 3)
            final(&m, slot, &in);
        else
            dup(&m, slot == slots ? &slots[1] : slots, slot);
    }
    for (size_t i = 0; i < SLOTS; i++)
        m.freectx(slots[i].ctx);
    return 0;
}
