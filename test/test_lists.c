/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Which parameters each kind of algorithm says it has, on old hosts and new. */
#include "fakecore.h"

#define XOF "xoflen state"
#define STRINGS " customization properties"

static const struct {
    const char *first; /* what its first name begins with */
    const char *get, *set;
} lists[] = {
    {"SHA3-", "state", "state"},
    {"KECCAK-KMAC-", XOF, XOF},
    {"CSHAKE-KECCAK-", XOF, XOF},
    {"KECCAK-", "state", "state"},
    {"SHAKE-", XOF, XOF},
    {"CSHAKE-", XOF, XOF " function-name" STRINGS},
    {"TURBOSHAKE-", XOF " domain-separator", XOF " domain-separator"},
    {"PARALLELHASH-", XOF " xof leaf-size", XOF " xof leaf-size customization"},
    {"KT-", XOF, XOF " customization"},
    {"TUPLEHASH-", XOF " xof", XOF " xof element" STRINGS},
};

/* The keys are exactly these; and `size` goes with xoflen, where the host knows it. */
static void check(const OSSL_PARAM *list, const char *keys, bool knows_size)
{
    char copy[128], *rest = copy;
    size_t wanted = 0, there = 0;
    snprintf(copy, sizeof(copy), "%s%s", keys,
             knows_size && strstr(keys, "xoflen") != NULL ? " size" : "");
    for (const char *key; (key = strsep(&rest, " ")) != NULL; wanted++)
        if (OSSL_PARAM_locate_const(list, key) == NULL)
            fail_msg("%s is not listed", key);
    while (list[there].key != NULL)
        there++;
    assert_int_equal(there, wanted);
}

static void test_lists(void **unused)
{
    static const char *const hosts[] = {"3.0.22", "3.4.0", "4.0.0"};
    (void)unused;
    for (size_t h = 0; h < 3; h++) {
        assert_true(fake_load(MODULE, hosts[h]));
        for (size_t i = 0; i < fake_digests(); i++) {
            const struct digest d = fake_nth(i);
            size_t k = 0;
            while (strncmp(d.names, lists[k].first, strlen(lists[k].first)) != 0)
                assert_true(++k < sizeof(lists) / sizeof(lists[0]));
            check(d.gettable_params(fake.provctx), "blocksize size xof algid-absent", false);
            check(d.gettable_ctx_params(NULL, fake.provctx), lists[k].get, h > 0);
            check(d.settable_ctx_params(NULL, fake.provctx), lists[k].set, h > 0);
        }
        fake_unload();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
