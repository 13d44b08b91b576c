/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Operations on digest contexts in any order: each succeeds exactly where it should, a refusal
 * changes nothing, and whatever comes out is what another implementation says. */
#include "operations.h"

#define SLOTS 3
#define OUT_MAX 70000
#define COUNT(list) (unsigned)(sizeof(list) / sizeof(list[0]))

struct slot {
    void *ctx; /* NULL: none */
    struct digest d;
    struct model m;
};

static unsigned host;
static struct slot slots[SLOTS];

static bool settable(const struct digest *d, const char *key)
{
    return OSSL_PARAM_locate_const(d->settable_ctx_params(NULL, fake.provctx), key) != NULL;
}

/* Those whose output depends on its length, unless xof is set. */
static bool encodes(const struct slot *slot)
{
    return settable(&slot->d, "xof") && slot->m.set.xof != 1;
}

static size_t default_length(const struct digest *d)
{
    return strstr(d->names, "128") != NULL ? 32 : 64;
}

static void drop(struct slot *slot)
{
    if (slot->ctx != NULL)
        slot->d.freectx(slot->ctx);
    slot->ctx = NULL;
}

static void create(struct slot *slot, struct input *in)
{
    drop(slot);
    slot->m = (struct model){.algorithm = fuzz_take(in, (unsigned)fake_digests())};
    slot->d = fake_nth(slot->m.algorithm);
    slot->ctx = slot->d.newctx(fake.provctx);
    FUZZ_CHECK(slot->ctx != NULL);
}

/* Good values for some of what the algorithm has. */
static struct settings choose(const struct digest *d, struct input *in)
{
    struct settings set = {UNSET, UNSET, UNSET, UNSET, UNSET};
    unsigned wanted = fuzz_take(in, 256);
    if ((wanted & 1) && settable(d, "function-name"))
        set.n = fuzz_take_length(in);
    if ((wanted & 2) && settable(d, "customization"))
        set.s = fuzz_take_length(in);
    if ((wanted & 4) && settable(d, "domain-separator"))
        set.domain = 1 + fuzz_take(in, 127);
    if ((wanted & 8) && settable(d, "leaf-size"))
        set.leaf_size = 1 + fuzz_take_length(in);
    if ((wanted & 16) && settable(d, "xof"))
        set.xof = fuzz_take(in, 2);
    return set;
}

static void merge(struct settings *into, const struct settings *set)
{
    into->n = set->n != UNSET ? set->n : into->n;
    into->s = set->s != UNSET ? set->s : into->s;
    into->domain = set->domain != UNSET ? set->domain : into->domain;
    into->leaf_size = set->leaf_size != UNSET ? set->leaf_size : into->leaf_size;
    into->xof = set->xof != UNSET ? set->xof : into->xof;
}

/* A length for those that encode it. */
static size_t choose_length(const struct digest *d, struct input *in)
{
    return settable(d, "xof") && fuzz_take(in, 2) == 1 ? fuzz_take_length(in) : UNSET;
}

static void init(struct slot *slot, struct input *in)
{
    struct settings set = choose(&slot->d, in);
    size_t length = choose_length(&slot->d, in);
    bool ok = slot->d.init(slot->ctx, model_params(&set, length));
    FUZZ_CHECK(ok);
    fuzz_expect(ok);
    slot->m = (struct model){.algorithm = slot->m.algorithm,
                             .phase = ABSORBING,
                             .set = set,
                             .encoded = UNSET,
                             .length = length != UNSET ? length : default_length(&slot->d)};
}

/* Strings and leaf sizes go before data, the rest before output; KT's string is one of the rest. */
static bool may_set(const struct slot *slot, const struct settings *set)
{
    bool kt = strncmp(slot->d.names, "KT", 2) == 0, early = slot->m.started && !kt;
    bool output = slot->m.phase != ABSORBING;
    if (slot->m.phase == DEAD)
        return false;
    if ((set->n != UNSET || set->s != UNSET || set->leaf_size != UNSET) && (early || output))
        return false;
    return (set->domain == UNSET && set->xof == UNSET) || !output;
}

static void set_params(struct slot *slot, struct input *in)
{
    struct settings set = choose(&slot->d, in);
    size_t length = choose_length(&slot->d, in);
    if (slot->d.squeeze == NULL) /* a fixed digest has none of them, and is silent about it */
        return;
    bool ok = slot->d.set_ctx_params(slot->ctx, model_params(&set, length));
    FUZZ_CHECK(ok == may_set(slot, &set));
    fuzz_expect(ok);
    if (!ok)
        return;
    merge(&slot->m.set, &set);
    slot->m.length = length != UNSET ? length : slot->m.length;
}

static void update(struct slot *slot, struct input *in)
{
    struct model *m = &slot->m;
    size_t n = fuzz_take_length(in);
    bool tuple = settable(&slot->d, "element");
    if (m->fed + n > FUZZ_TEXT - 1 || (tuple && m->elements == ELEMENTS))
        return;
    bool ok = slot->d.update(slot->ctx, fuzz_text() + m->fed, n);
    FUZZ_CHECK(ok == (m->phase == ABSORBING));
    fuzz_expect(ok);
    if (!ok)
        return;
    if (tuple)
        m->element[m->elements++] = n;
    m->fed += n;
    m->started |= n > 0 || tuple;
}

/* The bytes that came are the right ones, and nothing behind them was touched. */
static void compare(struct slot *slot, const uint8_t *got, size_t n)
{
    static uint8_t expected[OUT_MAX];
    model_expect(host, &slot->m, n, expected);
    FUZZ_CHECK(memcmp(got, expected, n) == 0);
    FUZZ_CHECK(got[n] == 0xa5);
    slot->m.out += n;
}

static uint8_t *buffer(size_t n)
{
    static uint8_t out[OUT_MAX];
    out[n] = 0xa5;
    return out;
}

static void squeeze(struct slot *slot, struct input *in)
{
    struct model *m = &slot->m;
    size_t n = fuzz_take_length(in), outl = 0;
    if (slot->d.squeeze == NULL || m->out + n > FUZZ_TEXT - 1)
        return;
    bool first = m->phase == ABSORBING;
    size_t limit = !encodes(slot) ? SIZE_MAX : first ? m->length : m->encoded - m->out;
    bool expected = n == 0 ? m->phase != DEAD : (first || m->phase == SQUEEZING) && n <= limit;
    uint8_t *out = buffer(n);
    bool ok = slot->d.squeeze(slot->ctx, out, &outl, n);
    FUZZ_CHECK(ok == expected);
    fuzz_expect(ok);
    if (!ok || n == 0)
        return;
    FUZZ_CHECK(outl == n);
    if (first)
        m->encoded = encodes(slot) ? m->length : UNSET;
    m->phase = SQUEEZING;
    m->started = true;
    compare(slot, out, n);
}

static void final(struct slot *slot, struct input *in)
{
    struct model *m = &slot->m;
    bool xof = slot->d.squeeze != NULL;
    size_t n = xof ? 1 + fuzz_take_length(in) : 64, outl = n;
    uint8_t *out = buffer(n);
    bool ok = slot->d.final(slot->ctx, out, &outl, n);
    FUZZ_CHECK(ok == (m->phase == ABSORBING));
    fuzz_expect(ok);
    m->length = m->phase != DEAD ? default_length(&slot->d) : m->length;
    if (!ok)
        return;
    m->encoded = encodes(slot) ? n : UNSET;
    out[outl] = xof ? out[outl] : 0xa5;
    compare(slot, out, outl);
    m->phase = FINISHED;
    m->started = true;
}

static void copy(struct slot *to, struct slot *from)
{
    if (to->ctx == NULL || to == from)
        return;
    to->d.copyctx(to->ctx, from->ctx);
    bool same = to->m.algorithm == from->m.algorithm;
    fuzz_expect(same);
    if (same)
        to->m = from->m;
    else
        to->m.phase = DEAD;
}

static void dup(struct slot *to, struct slot *from)
{
    if (to == from)
        return;
    drop(to);
    to->d = from->d;
    to->m = from->m;
    to->ctx = from->d.dupctx(from->ctx);
    FUZZ_CHECK(to->ctx != NULL);
}

static bool is_live(const struct slot *slot)
{
    return slot->m.phase == ABSORBING || slot->m.phase == SQUEEZING;
}

/* Saves the one context and restores it in the other. */
static void transfer(struct slot *to, struct slot *from)
{
    static uint8_t blob[FUZZ_TEXT];
    size_t size = sizeof(blob), length;
    bool ok = from->d.serialize(from->ctx, blob, &size);
    FUZZ_CHECK(ok == is_live(from));
    fuzz_expect(ok);
    if (!ok || to->ctx == NULL || to->m.algorithm != from->m.algorithm)
        return;
    ok = to->d.deserialize(to->ctx, blob, size);
    FUZZ_CHECK(ok == is_live(to));
    fuzz_expect(ok);
    if (!ok)
        return;
    length = to->m.length;
    to->m = from->m;
    to->m.length = length;
    to->m.started = true;
}

static void step(struct input *in)
{
    static void (*const on_one[])(struct slot *, struct input *) = {create, init,    set_params,
                                                                    update, squeeze, final};
    static void (*const on_two[])(struct slot * to, struct slot * from) = {copy, dup, transfer};
    const unsigned ones = COUNT(on_one);
    unsigned operation = fuzz_take(in, ones + COUNT(on_two));
    struct slot *slot = &slots[fuzz_take(in, SLOTS)];
    if (slot->ctx == NULL)
        create(slot, in);
    else if (operation < ones)
        on_one[operation](slot, in);
    else
        on_two[operation - ones](&slots[fuzz_take(in, SLOTS)], slot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    host = fuzz_take(&in, FAKE_HOSTS);
    fuzz_enter(host, false);
    for (unsigned i = 0; i < 60 && in.left > 0; i++)
        step(&in);
    for (size_t i = 0; i < SLOTS; i++)
        drop(&slots[i]);
    return 0;
}
