/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Many threads at once: the first fetch of everything, messages of one method, copies of one
 * context, library contexts that come and go. ThreadSanitizer looks on in test/sanitizers. */
#include <pthread.h>
#include "test.h"

#define THREADS 8
#define MESSAGE 40000 /* five leaves of KT and ParallelHash */

static const char *const names[] = {"SHA3-256", "KECCAK-256",    "SHAKE128",         "CSHAKE256",
                                    "KT128",    "TURBOSHAKE128", "PARALLELHASH-128", "TUPLEHASH256",
                                    "KT256",    "SHA3-512",      "KECCAK-KMAC-128"};
#define NAMES (sizeof(names) / sizeof(names[0]))

static uint8_t message[MESSAGE], answers[NAMES][32];
static OSSL_LIB_CTX *home, *shared; /* of the methods; what has fetched nothing yet */
static EVP_MD *methods[NAMES];
static EVP_MD_CTX *begun[NAMES];
static pthread_barrier_t start;

/* Begins a message, with its first half. */
static bool begin(EVP_MD_CTX *ctx, const EVP_MD *md)
{
    return EVP_DigestInit_ex2(ctx, md, NULL) && EVP_DigestUpdate(ctx, message, MESSAGE / 2);
}

/* The second half; writes 32 bytes. */
static bool end(EVP_MD_CTX *ctx, uint8_t *out)
{
    uint8_t digest[64] = {0};
    bool xof = (EVP_MD_get_flags(EVP_MD_CTX_get0_md(ctx)) & EVP_MD_FLAG_XOF) != 0;
    bool good = EVP_DigestUpdate(ctx, message + MESSAGE / 2, MESSAGE / 2) &&
                (xof ? EVP_DigestFinalXOF(ctx, digest, 32) : EVP_DigestFinal_ex(ctx, digest, NULL));
    memcpy(out, digest, 32);
    return good;
}

static bool ends(EVP_MD_CTX *ctx, size_t n)
{
    uint8_t out[32];
    return end(ctx, out) && memcmp(out, answers[n], 32) == 0;
}

static bool hash(const EVP_MD *md, size_t n)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = begin(ctx, md) && ends(ctx, n);
    EVP_MD_CTX_free(ctx);
    return good;
}

static bool fetch_and_hash(OSSL_LIB_CTX *libctx, size_t n)
{
    EVP_MD *md = EVP_MD_fetch(libctx, names[n], "provider=keccakprov");
    bool good = md != NULL && hash(md, n);
    EVP_MD_free(md);
    return good;
}

/* What a thread does; its number says where it begins, so that they are not all at the same place.
 */
typedef bool work_fn(size_t number);

static bool fetch_all(size_t number)
{
    bool good = true;
    for (size_t i = 0; i < NAMES; i++)
        good &= fetch_and_hash(shared, (number / 2 + i) % NAMES); /* two at each */
    return good;
}

static bool hash_all(size_t number)
{
    bool good = true;
    for (size_t i = 0; i < 4 * NAMES; i++)
        good &= hash(methods[(number + i) % NAMES], (number + i) % NAMES);
    return good;
}

/* Threads that copy one context only read it. */
static bool copy_all(size_t number)
{
    bool good = true;
    for (size_t i = 0; i < 4 * NAMES; i++) {
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        size_t n = (number + i) % NAMES;
        good &= EVP_MD_CTX_copy_ex(ctx, begun[n]) && ends(ctx, n);
        EVP_MD_CTX_free(ctx);
    }
    return good;
}

static int self_test(OSSL_PROVIDER *provider, void *passed)
{
    *(int *)passed += OSSL_PROVIDER_self_test(provider);
    return 1;
}

/* The module loaded and unloaded in library contexts of one's own, while the shared one is used. */
static bool load_all(size_t number)
{
    bool good = true;
    for (size_t i = 0; i < 20; i++) {
        size_t n = (number + i) % NAMES;
        int passed = 0;
        OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
        OSSL_PROVIDER_set_default_search_path(own, MODULE_DIR);
        OSSL_PROVIDER *provider = OSSL_PROVIDER_load(own, "keccakprov");
        good &= provider != NULL && fetch_and_hash(own, n) && fetch_and_hash(shared, n);
        good &= OSSL_PROVIDER_do_all(shared, self_test, &passed) && passed == 1;
        good &= OSSL_PROVIDER_unload(provider);
        OSSL_LIB_CTX_free(own);
    }
    return good;
}

struct thread {
    pthread_t id;
    work_fn *work;
    size_t number;
    bool good;
};

static void *run(void *arg)
{
    struct thread *thread = arg;
    pthread_barrier_wait(&start);
    thread->good = thread->work(thread->number);
    return NULL;
}

static void run_threads(work_fn *work)
{
    struct thread threads[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.work = work, .number = i};
        assert_int_equal(pthread_create(&threads[i].id, NULL, run, &threads[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i].id, NULL), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_true(threads[i].good);
    pthread_barrier_destroy(&start);
}

static void test_threads(void **work)
{
    run_threads(*(work_fn **)*work);
}

static OSSL_LIB_CTX *load(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    assert_true(OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR));
    assert_non_null(OSSL_PROVIDER_load(libctx, "keccakprov"));
    return libctx;
}

static int setup(void **unused)
{
    (void)unused;
    home = load();
    shared = load();
    test_random_bytes(message, sizeof(message));
    for (size_t n = 0; n < NAMES; n++) {
        methods[n] = test_fetch(home, names[n]);
        begun[n] = EVP_MD_CTX_new();
        assert_true(begin(begun[n], methods[n]));
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        assert_true(EVP_MD_CTX_copy_ex(ctx, begun[n]) && end(ctx, answers[n]));
        EVP_MD_CTX_free(ctx);
    }
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < NAMES; n++) {
        EVP_MD_CTX_free(begun[n]);
        EVP_MD_free(methods[n]);
    }
    test_libctx_free(shared);
    test_libctx_free(home);
    return 0;
}

int main(void)
{
    static work_fn *works[] = {fetch_all, hash_all, copy_all, load_all};
    const struct CMUnitTest tests[] = {
        {"fetch", test_threads, NULL, NULL, &works[0]},
        {"hash", test_threads, NULL, NULL, &works[1]},
        {"copy", test_threads, NULL, NULL, &works[2]},
        {"load", test_threads, NULL, NULL, &works[3]},
    };
    test_begin();
    setenv("KECCAKPROV_TRACE", "/dev/null", 1); /* what it has seen is shared as well */
    return cmocka_run_group_tests(tests, setup, teardown);
}
