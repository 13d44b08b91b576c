/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include "each.h"
#include "fakecore.h"

#define MESSAGE 20000 /* leaves of KT and ParallelHash wait for their kernel */

static uint8_t message[MESSAGE], key[100], out[1000], blob[100000];
static size_t bloblen;
static struct digest d;
static struct mac m;
static void *ctx, *other;
static size_t outl;
static bool good;

/* TupleHash and ParallelHash can be squeezed after this only; others ignore it. */
static size_t xof = 1;
static const OSSL_PARAM xof_params[] = {OSSL_PARAM_size_t("xof", &xof), OSSL_PARAM_END};

/* One thing to be done with what is above, and whether it could be. */
static void do_init(void)
{
    good = d.init(ctx, xof_params);
}

static void do_update(void)
{
    good = d.update(ctx, message, MESSAGE);
}

static void do_update_by_bytes(void)
{
    for (size_t i = 0; i < 300; i++)
        good = d.update(ctx, message + i, 1);
}

static void do_dup(void)
{
    d.freectx(other);
    other = d.dupctx(ctx);
    good = other != NULL;
}

static void do_copy(void)
{
    d.copyctx(other, ctx);
}

static void do_serialize(void)
{
    bloblen = sizeof(blob);
    good = d.serialize(ctx, blob, &bloblen);
}

static void do_deserialize(void)
{
    good = d.deserialize(ctx, blob, bloblen);
}

static void do_squeeze(void)
{
    outl = 0;
    good = d.squeeze == NULL || d.squeeze(ctx, out, &outl, 500);
}

static void do_final(void)
{
    outl = 64;
    good = d.final(other, out, &outl, 64);
}

static void do_mac_init(void)
{
    good = m.init(ctx, key, sizeof(key), NULL);
}

static void do_mac_again(void)
{
    good = m.init(ctx, NULL, 0, NULL);
}

static void do_mac_update(void)
{
    good = m.update(ctx, message, MESSAGE);
}

static void do_mac_dup(void)
{
    other = m.dupctx(ctx);
    good = other != NULL;
}

static void do_mac_final(void)
{
    good = m.final(ctx, out, &outl, sizeof(out));
}

/* Outputs so far, in one number (FNV-1a). */
static uint64_t outputs;

static void do_all(void (*const operations[])(void), const char *names,
                   bool (*run)(void (*operation)(void)))
{
    for (size_t i = 0; operations[i] != NULL; i++) {
        good = true;
        if (!run(operations[i]) || !good)
            fail_msg("%s with %s: operation %zu", names, fake.isa, i);
        for (size_t j = 0; j < sizeof(out); j++)
            outputs = (outputs ^ out[j]) * 0x100000001b3;
        test_cases(1);
    }
}

static void do_digests(bool (*run)(void (*operation)(void)))
{
    static void (*const operations[])(void) = {
        do_init, do_update,      do_update_by_bytes, do_dup,
        do_copy, do_serialize,   do_deserialize,     do_update,
        do_dup,  do_final,       do_squeeze,         do_serialize,
        do_init, do_deserialize, do_squeeze,         NULL};
    for (size_t i = 0; i < fake_digests(); i++) {
        d = fake_nth(i);
        ctx = d.newctx(fake.provctx);
        other = NULL;
        do_all(operations, d.names, run);
        d.freectx(ctx);
        d.freectx(other);
    }
}

static void do_macs(bool (*run)(void (*operation)(void)))
{
    static void (*const operations[])(void) = {do_mac_init,  do_mac_update, do_mac_dup,
                                               do_mac_final, do_mac_again,  do_mac_update,
                                               do_mac_final, NULL};
    for (size_t i = 0; i < fake_macs(); i++) {
        m = fake_nth_mac(i);
        ctx = m.newctx(fake.provctx);
        do_all(operations, m.names, run);
        m.freectx(ctx);
        m.freectx(other);
    }
}

uint64_t each_operation(bool (*run)(void (*operation)(void)))
{
    outputs = 0xcbf29ce484222325;
    memset(out, 0, sizeof(out));
    do_digests(run);
    do_macs(run);
    return outputs;
}

bool each_just_run(void (*operation)(void))
{
    operation();
    return true;
}

void each_isa(void (*test)(void))
{
    static const char *const isas[] = {"portable", "bmi2", "avx2", "avx512"};
    for (size_t i = 0; i < 4; i++) {
        fake.isa = isas[i];
        assert_true(fake_load(MODULE, "4.0.0"));
        print_message("%s\n", fake_buildinfo());
        if (strstr(fake_buildinfo(), "unavailable") == NULL)
            test();
        fake_unload();
        assert_false(fake.dirty_free || fake.live != 0);
    }
}

void each_begin(void)
{
    test_random_bytes(message, sizeof(message));
    test_random_bytes(key, sizeof(key));
}
