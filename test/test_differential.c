/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Random sequences of calls, made on our digest and on the default provider's alike: the same
 * return codes, lengths and bytes. Where the two may differ, the code says so and why. */
#include "test.h"

#define SEQUENCES 20000
#define CALLS 48
#define SLOTS 3
#define CANARY 0xa5
#define LENGTH_MAX 700 /* of one output, and of what default may write unasked */

enum phase { EMPTY, ABSORBING, SQUEEZING, FINISHED };

/* A digest of both providers. */
struct pair {
    const char *name;
    EVP_MD *ours, *theirs;
    size_t rate, size;
    bool xof;
};

/* The same context twice. */
struct slot {
    EVP_MD_CTX *ours, *theirs;
    const struct pair *pair; /* NULL: no digest yet */
    enum phase phase;
    bool left;  /* default would use a length that a FinalXOF left behind; we never do */
    bool apart; /* an allowed difference: only init compares again */
};

static OSSL_LIB_CTX *libctx;
static struct pair pairs[16];
static size_t pair_count;
static struct slot slots[SLOTS];
static uint8_t input[1024], ours[LENGTH_MAX + 64], theirs[LENGTH_MAX + 64];
static unsigned outputs, refusals; /* compared */

static void find_pairs(void)
{
    static const char *const names[] = {
        "SHA3-224",       "SHA3-256",       "SHA3-384",   "SHA3-512", "KECCAK-224",
        "KECCAK-256",     "KECCAK-384",     "KECCAK-512", "SHAKE128", "SHAKE256",
        "KECCAK-KMAC128", "KECCAK-KMAC256", "CSHAKE128",  "CSHAKE256"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        EVP_MD *md = EVP_MD_fetch(libctx, names[i], "provider=default");
        if (md != NULL)
            pairs[pair_count++] = (struct pair){names[i],
                                                test_fetch(libctx, names[i]),
                                                md,
                                                (size_t)EVP_MD_get_block_size(md),
                                                (size_t)EVP_MD_get_size(md),
                                                (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0};
    }
    ERR_clear_error();
    assert_true(pair_count >= 8);
}

/* A refusal writes nothing. */
static void assert_refused(int mine)
{
    assert_int_equal(mine, 0);
    for (size_t i = 0; i < sizeof(ours); i++)
        assert_int_equal(ours[i], CANARY);
    refusals++;
}

static bool agree(const struct slot *slot, const char *call, size_t n, int mine, int other)
{
    if ((mine == 1) != (other == 1))
        fail_msg("%s, phase %d: %s(%zu): ours %d, default %d",
                 slot->pair != NULL ? slot->pair->name : "empty", (int)slot->phase, call, n, mine,
                 other);
    if (mine != 1)
        assert_refused(mine);
    return mine == 1;
}

static void compare_outputs(const struct slot *slot, const char *call, size_t n)
{
    if (memcmp(ours, theirs, sizeof(ours)) != 0)
        fail_msg("%s: %s(%zu): other bytes", slot->pair->name, call, n);
    outputs++;
}

/* The edges of blocks are where mistakes are. */
static size_t random_length(const struct slot *slot, size_t max)
{
    size_t rate = slot->pair != NULL ? slot->pair->rate : 136;
    size_t n = test_below(3) == 0 ? test_below(max) : test_below(4) * rate + test_below(5) - 2;
    return n <= max ? n : test_below(9); /* below zero included */
}

/* The strings that default's cSHAKE takes: four names, and 511 bytes. Others ignore them. */
static const OSSL_PARAM *string_params(void)
{
    static char names[][16] = {"", "KMAC", "TupleHash", "ParallelHash"}, custom[512];
    static OSSL_PARAM params[3];
    size_t length = test_below(4) == 0 ? test_below(sizeof(custom)) : test_below(9);
    memset(custom, 'S', sizeof(custom));
    custom[length] = '\0';
    params[0] = OSSL_PARAM_construct_utf8_string("function-name", names[test_below(4)], 0);
    params[1] = OSSL_PARAM_construct_utf8_string("customization", custom, 0);
    params[2] = OSSL_PARAM_construct_end();
    return params;
}

static void call_init(struct slot *slot)
{
    const bool sized = test_below(2) == 0;
    const OSSL_PARAM *params = sized                ? test_length_param(test_below(LENGTH_MAX))
                               : test_below(2) == 0 ? string_params()
                                                    : NULL;
    bool again = slot->pair != NULL && test_below(3) == 0; /* with type NULL */
    const struct pair *pair = again ? slot->pair : &pairs[test_below(pair_count)];
    int mine = EVP_DigestInit_ex2(slot->ours, again ? NULL : pair->ours, params);
    int other = EVP_DigestInit_ex2(slot->theirs, again ? NULL : pair->theirs, params);
    assert_true(agree(slot, "init", params != NULL, mine, other));
    /* Default keeps an old length from 3.4, if the context goes on with the same digest. */
    bool kept = test_host_at_least(3, 4) && slot->pair == pair && !sized;
    slot->left = slot->left && kept;
    slot->pair = pair;
    slot->phase = ABSORBING;
    slot->apart = false;
}

static void call_update(struct slot *slot)
{
    size_t n = random_length(slot, sizeof(input) - 64), at = test_below(64);
    int mine = EVP_DigestUpdate(slot->ours, input + at, n);
    int other = EVP_DigestUpdate(slot->theirs, input + at, n);
    /* Success with garbage: 3.0 hashes on after final, 3.5 and 3.6 after squeeze. Not for n = 0,
     * which EVP answers by itself. */
    if (n > 0 && slot->phase >= SQUEEZING) {
        assert_refused(mine);
        slot->apart |= slot->phase == SQUEEZING && other == 1;
        return;
    }
    agree(slot, "update", n, mine, other);
}

static void call_set_length(struct slot *slot)
{
    size_t n = test_below(LENGTH_MAX);
    const OSSL_PARAM *params = test_length_param(n);
    int mine = EVP_MD_CTX_set_params(slot->ours, params);
    if (agree(slot, "xoflen", n, mine, EVP_MD_CTX_set_params(slot->theirs, params)))
        slot->left = false;
}

static void call_final(struct slot *slot)
{
    unsigned n = 0, expected = 0;
    int mine = EVP_DigestFinal_ex(slot->ours, ours, &n);
    int other = EVP_DigestFinal_ex(slot->theirs, theirs, &expected);
    /* Success with garbage: 3.0 allows a second final. Not with a set length of 0. */
    if (slot->phase == FINISHED && (mine != 1 || n > 0)) {
        assert_refused(mine);
        return;
    }
    /* The default length instead of the one left behind: none, and so refused, for SHAKE from 3.4;
     * there EVP refuses any final after FinalXOF(0), too. */
    if (slot->phase == ABSORBING && slot->left) {
        bool same = other == 1 && n == expected; /* EVP had not set it after all */
        assert_true(mine == 1 ? same || n == slot->pair->size : test_host_at_least(3, 4));
        slot->apart = true;
        return;
    }
    /* Until its first byte, default's CSHAKE answers the last message's length; EVP refuses 0. */
    if (mine == 1 && other != 1 && slot->phase == ABSORBING && slot->pair->name[0] == 'C') {
        slot->apart = true;
        return;
    }
    if (!agree(slot, "final", 0, mine, other))
        return;
    assert_int_equal(n, expected);
    compare_outputs(slot, "final", n);
    if (n > 0)
        slot->phase = FINISHED;
    else
        slot->left = true;
}

/* FinalXOF of a fixed digest, which hosts from 3.5 pass on: default writes the whole digest
 * whatever the length, over the end of a shorter buffer. */
static bool overruns(const struct slot *slot, size_t n)
{
    return slot->pair != NULL && !slot->pair->xof && n < slot->pair->size &&
           test_host_at_least(3, 4);
}

static void call_final_xof(struct slot *slot)
{
    size_t n = random_length(slot, LENGTH_MAX);
    int mine = EVP_DigestFinalXOF(slot->ours, ours, n);
    int other = EVP_DigestFinalXOF(slot->theirs, theirs, n);
    /* Success with garbage, as for final. After squeeze it is refused, but EVP may have set n;
     * whether n = 0 succeeds there depends on what EVP remembers. */
    if (slot->phase >= SQUEEZING) {
        assert_true(n == 0 || mine == 0);
        slot->left = slot->apart = slot->pair->xof;
        return;
    }
    if (overruns(slot, n)) {
        assert_int_equal(mine, n == 0);
        slot->apart = true;
        return;
    }
    if (!agree(slot, "finalXOF", n, mine, other))
        return;
    compare_outputs(slot, "finalXOF", n);
    slot->left = slot->pair->xof;
    if (n > 0)
        slot->phase = FINISHED;
}

static void call_copy(struct slot *slot)
{
    struct slot *to = &slots[test_below(SLOTS)];
    if (to == slot) /* a copy onto itself crashes in 3.0's EVP, with any provider */
        return;
    int mine = EVP_MD_CTX_copy_ex(to->ours, slot->ours);
    assert_true(agree(slot, "copy", 0, mine, EVP_MD_CTX_copy_ex(to->theirs, slot->theirs)));
    *to = (struct slot){to->ours, to->theirs, slot->pair, slot->phase, slot->left, slot->apart};
}

static void call_squeeze(struct slot *slot)
{
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
    size_t n = random_length(slot, LENGTH_MAX);
    int mine = EVP_DigestSqueeze(slot->ours, ours, n);
    int other = EVP_DigestSqueeze(slot->theirs, theirs, n);
    /* Default's KECCAK-KMAC refuses what the standard allows until 4.0. */
    if (mine == 1 && other != 1 && strncmp(slot->pair->name, "KECCAK-KMAC", 11) == 0 &&
        !test_host_at_least(4, 0)) {
        slot->apart = true;
        return;
    }
    if (!agree(slot, "squeeze", n, mine, other))
        return;
    compare_outputs(slot, "squeeze", n);
    if (n > 0)
        slot->phase = SQUEEZING;
#else
    (void)slot;
#endif
}

static void one_call(void)
{
    static void (*const calls[])(struct slot *) = {call_update, call_update,     call_update,
                                                   call_init,   call_set_length, call_final,
                                                   call_copy,   call_final_xof,  call_squeeze};
    struct slot *slot = &slots[test_below(SLOTS)];
    memset(ours, CANARY, sizeof(ours));
    memset(theirs, CANARY, sizeof(theirs));
    bool idle = slot->phase == EMPTY || slot->phase == FINISHED;
    if (slot->apart || (idle && test_below(3) == 0))
        call_init(slot);
    else
        calls[test_below(sizeof(calls) / sizeof(calls[0]))](slot);
}

static void test_sequences(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < SEQUENCES; i++) {
        memset(slots, 0, sizeof(slots));
        for (size_t j = 0; j < SLOTS; j++) {
            slots[j].ours = EVP_MD_CTX_new();
            slots[j].theirs = EVP_MD_CTX_new();
        }
        for (unsigned j = 0; j < CALLS; j++)
            one_call();
        for (size_t j = 0; j < SLOTS; j++) {
            EVP_MD_CTX_free(slots[j].ours);
            EVP_MD_CTX_free(slots[j].theirs);
        }
        ERR_clear_error();
    }
    test_cases(outputs + refusals);
    assert_true(outputs > SEQUENCES && refusals > SEQUENCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequences)};
    test_begin();
    libctx = test_libctx();
    find_pairs();
    test_random_bytes(input, sizeof(input));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    while (pair_count-- > 0) {
        EVP_MD_free(pairs[pair_count].ours);
        EVP_MD_free(pairs[pair_count].theirs);
    }
    OSSL_LIB_CTX_free(libctx);
    return failed;
}
