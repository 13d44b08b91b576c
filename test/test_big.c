/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Sizes that do not fit 32 bits, in one call: inputs against the same in pieces and against the
 * default provider, outputs likewise. Skipped unless TEST_ALL=1: it takes minutes, and 4 GiB. */
#include <sys/mman.h>
#include "test.h"

#define GIB4 ((size_t)1 << 32)
#define PIECE ((size_t)1000003)
#define OUTPUT (GIB4 + 4321)

static OSSL_LIB_CTX *libctx;
static const uint8_t *zeros; /* 4 GiB of them, all in the same page */

/* Feeds `first` bytes 1, then n zeros in pieces; returns 32 bytes. */
static void hash(EVP_MD *md, size_t first, size_t n, size_t piece, uint8_t out[32])
{
    static const uint8_t ones[200] = {1};
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, ones, first));
    for (; n > piece; n -= piece)
        assert_true(EVP_DigestUpdate(ctx, zeros, piece));
    assert_true(EVP_DigestUpdate(ctx, zeros, n));
    assert_true((EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0 ? EVP_DigestFinalXOF(ctx, out, 32)
                                                              : EVP_DigestFinal_ex(ctx, out, NULL));
    EVP_MD_CTX_free(ctx);
}

static void check_input(const char *name, size_t first, size_t n)
{
    EVP_MD *ours = test_fetch(libctx, name);
    EVP_MD *theirs = EVP_MD_fetch(libctx, name, "provider=default");
    uint8_t once[32], other[32];
    print_message("%s of %zu + %zu bytes, against %s\n", name, first, n,
                  theirs != NULL ? "default" : "pieces");
    ERR_clear_error();
    hash(ours, first, n, n, once);
    hash(theirs != NULL ? theirs : ours, first, n, PIECE, other);
    assert_memory_equal(once, other, 32);
    EVP_MD_free(ours);
    EVP_MD_free(theirs);
}

static void test_inputs(void **unused)
{
    static const char *const names[] = {"SHA3-256",   "SHAKE-128",       "KECCAK-256",
                                        "CSHAKE-256", "TURBOSHAKE-128",  "KT-128",
                                        "KT-256",     "PARALLELHASH-128"};
    (void)unused;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        check_input(names[i], 1, GIB4 - 1);
    check_input("SHA3-256", 135, GIB4 - 135); /* a byte before the end of a block */
    check_input("SHA3-256", 0, GIB4);
    check_input("KT-128", 0, GIB4);
}

/* The digest of an output, which stays where it is. */
static void digest_of(const uint8_t *output, uint8_t out[32])
{
    EVP_MD *md = test_fetch(libctx, "KT-128");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, output, OUTPUT));
    assert_true(EVP_DigestFinalXOF(ctx, out, 32));
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

static void expand(const char *name, const char *properties, uint8_t *output, uint8_t out[32])
{
    EVP_MD *md = EVP_MD_fetch(libctx, name, properties);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, "seed", 4));
    memset(output, 0, OUTPUT);
    assert_true(EVP_DigestFinalXOF(ctx, output, OUTPUT));
    digest_of(output, out);
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

static void test_outputs(void **unused)
{
    uint8_t *output =
        mmap(NULL, OUTPUT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t ours[32], theirs[32];
    (void)unused;
    assert_ptr_not_equal(output, MAP_FAILED);
    expand("SHAKE-128", "provider=keccakprov", output, ours);
    expand("SHAKE-128", "provider=default", output, theirs);
    assert_memory_equal(ours, theirs, 32);
    assert_int_equal(munmap(output, OUTPUT), 0);
}

static void test_mac(void **unused)
{
    uint8_t tags[2][32];
    EVP_MAC *macs[] = {EVP_MAC_fetch(libctx, "KMAC-256", "provider=keccakprov"),
                       EVP_MAC_fetch(libctx, "KMAC-256", "provider=default")};
    size_t size = 32;
    const OSSL_PARAM params[] = {OSSL_PARAM_size_t("size", &size), OSSL_PARAM_END};
    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(macs[i]);
        assert_true(EVP_MAC_init(ctx, zeros, 16, params) && EVP_MAC_update(ctx, zeros, 1));
        assert_true(EVP_MAC_update(ctx, zeros, GIB4 - 1));
        assert_true(EVP_MAC_final(ctx, tags[i], &size, size));
        EVP_MAC_CTX_free(ctx);
        EVP_MAC_free(macs[i]);
    }
    assert_memory_equal(tags[0], tags[1], 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_inputs),
                                       cmocka_unit_test(test_outputs), cmocka_unit_test(test_mac)};
    if (!test_all() || sizeof(size_t) < 8)
        return 77;
    test_begin();
    zeros = mmap(NULL, GIB4, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(zeros, MAP_FAILED);
    libctx = test_libctx();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    OSSL_LIB_CTX_free(libctx);
    return failed;
}
