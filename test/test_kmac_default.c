/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Random sequences of calls on our KMAC and on the default provider's: the same return codes, sizes
 * and bytes; and a third time on default's KMAC over our KECCAK-KMAC. Where ours may differ, the
 * code says so and why. */
#include <openssl/core_names.h>
#include "test.h"

#define SEQUENCES 8000
#define CALLS 24
#define WAYS 3 /* ours, default's, default's over our inner function */
#define OUT_MAX 700
#define CANARY 0xa5

enum phase { DEAD, ABSORBING, FINISHED };

static const char *const names[] = {"KMAC-128", "KMAC256"};

static OSSL_LIB_CTX *libctx[WAYS];
static EVP_MAC *macs[2][WAYS];
static EVP_MAC_CTX *ctx[WAYS];
static int got[WAYS]; /* by the last call */
static enum phase phase;
static bool started; /* data came */
static bool keyed;   /* a key was set, by whatever way */
static bool apart;   /* an allowed difference: only a new context compares again */
static uint8_t text[2000], out[WAYS][OUT_MAX + 64];
static unsigned answers, refusals; /* compared */

/* One call on all three. */
#define ON_ALL(...)                         \
    for (size_t way = 0; way < WAYS; way++) \
    got[way] = (__VA_ARGS__) == 1

static void must_agree(const char *what)
{
    if (got[0] != got[1] || got[0] != got[2])
        fail_msg("%s, phase %d: ours %d, default %d and %d", what, (int)phase, got[0], got[1],
                 got[2]);
    refusals += !got[0];
}

/* Default's limits: keys of 4 to 512 bytes, custom to 512. */
static size_t random_length(size_t least, size_t most)
{
    return test_below(3) == 0 ? least + test_below(most - least + 1) : least + test_below(40);
}

/* Some of key, custom, size, xof; reports which. */
struct choice {
    OSSL_PARAM params[5];
    size_t size;
    int xof;
    bool key, custom;
};

static void choose(struct choice *c)
{
    OSSL_PARAM *p = c->params;
    c->size = test_below(2) == 0 ? test_below(80) : test_below(OUT_MAX);
    c->xof = (int)test_below(4) - 1;
    c->key = test_below(phase == ABSORBING ? 20 : 4) == 0;
    c->custom = test_below(phase == ABSORBING ? 20 : 3) == 0;
    if (test_below(3) == 0)
        *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &c->size);
    if (c->key)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, text + test_below(900),
                                                 random_length(4, 512));
    if (test_below(4) == 0)
        *p++ = OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &c->xof);
    if (c->custom)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, text + test_below(900),
                                                 random_length(0, 512));
    *p = OSSL_PARAM_construct_end();
}

static void call_init(void)
{
    struct choice c;
    const uint8_t *key = test_below(2) == 0 ? text + test_below(900) : NULL;
    size_t keylen = random_length(key != NULL ? 4 : 0, 512); /* of NULL none counts */
    choose(&c);
    const OSSL_PARAM *params = test_below(2) == 0 ? c.params : NULL;
    ON_ALL(EVP_MAC_init(ctx[way], key, keylen, params));
    must_agree("init");
    keyed |= key != NULL || (params != NULL && c.key);
    assert_int_equal(got[0], keyed);
    phase = keyed ? ABSORBING : DEAD;
    started = false;
}

static void call_set(void)
{
    struct choice c;
    choose(&c);
    ON_ALL(EVP_MAC_CTX_set_params(ctx[way], c.params));
    /* Default takes a key or custom after init without a word and keeps it for the next message:
     * ours uses it for the one that has not begun, and refuses it in its midst. */
    if (phase == ABSORBING && (c.key || c.custom)) {
        assert_true(got[1] && got[2]);
        assert_int_equal(got[0], !started);
        apart = true;
        return;
    }
    must_agree("set_params");
    keyed |= c.key;
}

static void call_update(void)
{
    size_t n = test_below(3) == 0 ? test_below(500) : test_below(3) * 168 + test_below(5);
    const uint8_t *in = text + test_below(900);
    ON_ALL(EVP_MAC_update(ctx[way], in, n));
    /* Success with garbage: default hashes on after final on some hosts, and without init never
     * asks. For nothing EVP does not ask either. */
    if (phase != ABSORBING) {
        assert_true(n == 0 || !got[0]);
        apart |= got[0] != got[1] || got[0] != got[2];
        return;
    }
    must_agree("update");
    started |= n > 0;
}

static void call_final(void)
{
    size_t n[WAYS] = {77, 77, 77}, size = EVP_MAC_CTX_get_mac_size(ctx[0]);
    bool xof = test_below(5) == 0;
    size_t outsz = test_below(8) == 0 ? test_below(OUT_MAX) : size;
    for (size_t i = 0; i < WAYS; i++)
        memset(out[i], CANARY, sizeof(out[i]));
    ON_ALL(xof ? EVP_MAC_finalXOF(ctx[way], out[way], outsz)
               : EVP_MAC_final(ctx[way], out[way], &n[way], outsz));
    /* Success with garbage: a second final, and one without init. */
    if (phase != ABSORBING) {
        assert_false(got[0]);
        apart |= got[1] || got[2];
        return;
    }
    must_agree("final");
    for (size_t i = 1; i < WAYS; i++) {
        assert_int_equal(n[0], n[i]);
        assert_memory_equal(out[0], out[i], sizeof(out[0]));
    }
    if (got[0]) {
        answers++;
        phase = FINISHED;
    }
}

static void call_sizes(void)
{
    for (size_t i = 1; i < WAYS; i++) {
        size_t mine = 1, theirs = 2;
        assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx[0]), EVP_MAC_CTX_get_mac_size(ctx[i]));
        assert_int_equal(EVP_MAC_CTX_get_block_size(ctx[0]), EVP_MAC_CTX_get_block_size(ctx[i]));
        assert_true(EVP_MAC_final(ctx[0], NULL, &mine, 0));
        assert_true(EVP_MAC_final(ctx[i], NULL, &theirs, 0));
        assert_int_equal(mine, theirs);
    }
}

static void call_copy(void)
{
    for (size_t i = 0; i < WAYS; i++) {
        EVP_MAC_CTX *copy = EVP_MAC_CTX_dup(ctx[i]);
        assert_non_null(copy);
        EVP_MAC_CTX_free(ctx[i]);
        ctx[i] = copy;
    }
}

static void one_sequence(void)
{
    static void (*const calls[])(void) = {call_init,   call_set,    call_update,
                                          call_update, call_update, call_final,
                                          call_final,  call_sizes,  call_copy};
    size_t which = test_below(2);
    for (size_t i = 0; i < WAYS; i++)
        assert_non_null(ctx[i] = EVP_MAC_CTX_new(macs[which][i]));
    phase = DEAD;
    started = keyed = apart = false;
    for (unsigned i = 0; i < CALLS && !apart; i++)
        if (phase != ABSORBING && test_below(3) > 0)
            call_init();
        else
            calls[test_below(sizeof(calls) / sizeof(calls[0]))]();
    for (size_t i = 0; i < WAYS; i++)
        EVP_MAC_CTX_free(ctx[i]);
    ERR_clear_error();
}

static void test_sequences(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < SEQUENCES; i++)
        one_sequence();
    test_cases(answers + refusals);
    assert_true(answers > SEQUENCES && refusals > SEQUENCES / 10);
}

/* The same keys, with the same types. */
static void same_list(const OSSL_PARAM *mine, const OSSL_PARAM *other)
{
    size_t there = 0;
    for (; other->key != NULL; other++, there++) {
        const OSSL_PARAM *p = OSSL_PARAM_locate_const(mine, other->key);
        assert_non_null(p);
        assert_int_equal(p->data_type, other->data_type);
    }
    while (mine->key != NULL)
        mine++, there--;
    assert_int_equal(there, 0);
}

static void test_names(void **unused)
{
    static const char *const all[] = {"KMAC-128", "KMAC128", "2.16.840.1.101.3.4.2.19",
                                      "KMAC-256", "KMAC256", "2.16.840.1.101.3.4.2.20"};
    (void)unused;
    for (size_t i = 0; i < 6; i++) {
        EVP_MAC *mine = EVP_MAC_fetch(libctx[0], all[i], NULL); /* loaded first: ours */
        EVP_MAC *other = EVP_MAC_fetch(libctx[1], all[i], NULL);
        assert_non_null(mine);
        assert_non_null(other);
        assert_string_equal(OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(mine)), "keccakprov");
        assert_true(EVP_MAC_is_a(mine, all[i]));
        assert_string_equal(EVP_MAC_get0_name(mine), EVP_MAC_get0_name(other));
        same_list(EVP_MAC_gettable_ctx_params(mine), EVP_MAC_gettable_ctx_params(other));
        same_list(EVP_MAC_settable_ctx_params(mine), EVP_MAC_settable_ctx_params(other));
        EVP_MAC_free(mine);
        EVP_MAC_free(other);
        assert_null(EVP_MAC_fetch(libctx[0], all[i], "fips=yes,provider=keccakprov"));
        ERR_clear_error();
    }
}

/* One answer, without its bytes. */
static bool works(const EVP_MAC *mac, size_t keylen, size_t custom, size_t size)
{
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, text, custom),
        OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    EVP_MAC_CTX *c = EVP_MAC_CTX_new((EVP_MAC *)(uintptr_t)mac);
    uint8_t *room = malloc(size); /* of just that size, for a sanitizer to watch */
    size_t n = 0;
    bool good = EVP_MAC_init(c, text, keylen, params) && EVP_MAC_update(c, text, 3) &&
                EVP_MAC_final(c, room, &n, size);
    assert_true(!good || n == size);
    free(room);
    EVP_MAC_CTX_free(c);
    ERR_clear_error();
    return good;
}

/* Default's limits are not ours; the answers are with the known ones. */
static void test_limits(void **unused)
{
    static const struct {
        size_t key, custom, size;
    } beyond[] = {{0, 0, 32}, {3, 0, 32}, {513, 0, 32}, {32, 513, 32}, {32, 0, 2097152}};
    (void)unused;
    for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
        assert_true(works(macs[0][0], beyond[i].key, beyond[i].custom, beyond[i].size));
        assert_false(works(macs[0][1], beyond[i].key, beyond[i].custom, beyond[i].size));
    }
    for (size_t custom = 0; custom < 700; custom++)
        assert_true(works(macs[1][0], 4, custom, 8190 + custom % 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_sequences)};
    test_begin();
    test_random_bytes(text, sizeof(text));
    libctx[0] = libctx[2] = test_libctx();
    libctx[1] = OSSL_LIB_CTX_new();
    for (size_t i = 0; i < 2; i++)
        for (size_t way = 0; way < WAYS; way++) {
            const char *query = way == 0 ? "provider=keccakprov" : "provider=default";
            macs[i][way] = EVP_MAC_fetch(libctx[way], names[i], query);
            assert_non_null(macs[i][way]);
        }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < 2 * WAYS; i++)
        EVP_MAC_free(macs[i % 2][i / 2]);
    OSSL_LIB_CTX_free(libctx[0]);
    OSSL_LIB_CTX_free(libctx[1]);
    return failed;
}
