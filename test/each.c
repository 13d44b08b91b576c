/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include "each.h"
#include "fakecore.h"

#define MESSAGE 90000 /* more leaves than the widest kernel takes at once */

static uint8_t message[MESSAGE], key[100], out[1000], blob[200000];
static size_t bloblen;
static struct digest d;
static struct mac m;
static void *ctx, *other;
static size_t outl;
static bool good;

/* TupleHash and ParallelHash can be squeezed for ever after this only; others ignore it. */
static size_t xof = 1;
static const OSSL_PARAM xof_params[] = {OSSL_PARAM_size_t("xof", &xof), OSSL_PARAM_END};

/* Each parameter that there is; those that the algorithm has not are ignored. */
static size_t seven = 7, leaf_size = 8000;
static const OSSL_PARAM all_params[] = {OSSL_PARAM_octet_string("function-name", key, sizeof(key)),
                                        OSSL_PARAM_octet_string("customization", key, sizeof(key)),
                                        OSSL_PARAM_octet_string("custom", key, sizeof(key)),
                                        OSSL_PARAM_octet_string("key", key, sizeof(key)),
                                        OSSL_PARAM_octet_string("element", key, sizeof(key)),
                                        OSSL_PARAM_size_t("domain-separator", &seven),
                                        OSSL_PARAM_size_t("leaf-size", &leaf_size),
                                        OSSL_PARAM_END};

/* One thing to be done with what is above, and whether it could be. */
static void do_new(void)
{
    ctx = d.newctx(fake.provctx);
    other = NULL;
    good = ctx != NULL;
}

static void do_free(void)
{
    d.freectx(ctx);
    d.freectx(other);
}

static void do_init(void)
{
    good = d.init(ctx, xof_params);
}

/* A fixed digest has no parameters. */
static void do_set(void)
{
    good = d.squeeze == NULL || d.set_ctx_params(ctx, all_params);
}

static void do_init_all(void)
{
    good = d.squeeze == NULL ? d.init(ctx, NULL) : d.init(ctx, all_params);
}

static void do_init_state(void)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("state", blob, bloblen), OSSL_PARAM_END};
    good = d.init(ctx, params);
}

static void do_get(void)
{
    OSSL_PARAM params[] = {OSSL_PARAM_octet_string("state", blob, sizeof(blob)), OSSL_PARAM_END};
    good = d.get_ctx_params(ctx, params);
    bloblen = params[0].return_size;
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

/* Within any length that was encoded. */
static void do_short_squeeze(void)
{
    outl = 0;
    good = d.squeeze == NULL || d.squeeze(ctx, out, &outl, 16);
}

static void do_final(void)
{
    outl = 64;
    good = d.final(other, out, &outl, 64);
}

static void do_mac_new(void)
{
    ctx = m.newctx(fake.provctx);
    other = NULL;
    good = ctx != NULL;
}

static void do_mac_free(void)
{
    m.freectx(ctx);
    m.freectx(other);
}

static void do_mac_set(void)
{
    good = m.set_ctx_params(ctx, all_params);
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
        do_new,      do_init,        do_set,           do_update,        do_update_by_bytes,
        do_dup,      do_copy,        do_serialize,     do_deserialize,   do_get,
        do_update,   do_dup,         do_final,         do_squeeze,       do_serialize,
        do_init,     do_deserialize, do_squeeze,       do_init_state,    do_squeeze,
        do_init_all, do_update,      do_short_squeeze, do_short_squeeze, do_free,
        NULL};
    for (size_t i = 0; i < fake_digests(); i++) {
        d = fake_nth(i);
        do_all(operations, d.names, run);
    }
}

static void do_macs(bool (*run)(void (*operation)(void)))
{
    static void (*const operations[])(void) = {
        do_mac_new,   do_mac_init,   do_mac_set,   do_mac_update, do_mac_dup, do_mac_final,
        do_mac_again, do_mac_update, do_mac_final, do_mac_free,   NULL};
    for (size_t i = 0; i < fake_macs(); i++) {
        m = fake_nth_mac(i);
        do_all(operations, m.names, run);
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
        size_t before = test_cases(0);
        if (fake_runs_isa()) {
            test();
            print_message("isa=%s: %zu cases\n", fake.isa, test_cases(0) - before);
        }
        fake_unload();
    }
}

void each_begin(void)
{
    test_random_bytes(message, sizeof(message));
    test_random_bytes(key, sizeof(key));
}
