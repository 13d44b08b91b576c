/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Processes out of the ordinary: two libcryptos that share the module, threads with small stacks,
 * many library contexts, forks and unloads in the middle of a message, and every way to end. */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"

#define SMALL_STACK 65536
#define CONTEXTS 200

static const uint8_t shake_abc[] = {0x58, 0x81, 0x09, 0x2d, 0xd8, 0x18, 0xbf, 0x5c};

/* What of libcrypto a message needs. */
#define EACH_FUNCTION(X)                     \
    X(OPENSSL_version_major)                 \
    X(OSSL_LIB_CTX_new)                      \
    X(OSSL_LIB_CTX_free)                     \
    X(OSSL_PROVIDER_set_default_search_path) \
    X(OSSL_PROVIDER_load)                    \
    X(EVP_MD_fetch)                          \
    X(EVP_MD_free)                           \
    X(EVP_MD_CTX_new)                        \
    X(EVP_MD_CTX_free)                       \
    X(EVP_DigestInit_ex2)                    \
    X(EVP_DigestUpdate)                      \
    X(EVP_DigestFinalXOF)

struct libcrypto {
#define MEMBER(function) __typeof__(&(function)) function;
    EACH_FUNCTION(MEMBER)
#undef MEMBER
};

#define MEMBER(function) function,
static const struct libcrypto ours = {EACH_FUNCTION(MEMBER)};
#undef MEMBER

static struct libcrypto libcrypto_of(void *handle)
{
    struct libcrypto found;
#define MEMBER(function)                                  \
    do {                                                  \
        void *symbol = dlsym(handle, #function);          \
        assert_non_null(symbol);                          \
        memcpy(&found.function, &symbol, sizeof(symbol)); \
    } while (0);
    EACH_FUNCTION(MEMBER)
#undef MEMBER
    return found;
}

struct message {
    OSSL_LIB_CTX *libctx;
    EVP_MD *md;
    EVP_MD_CTX *ctx;
};

static bool begin(const struct libcrypto *l, struct message *m)
{
    m->libctx = l->OSSL_LIB_CTX_new();
    m->ctx = l->EVP_MD_CTX_new();
    l->OSSL_PROVIDER_set_default_search_path(m->libctx, MODULE_DIR);
    m->md = l->OSSL_PROVIDER_load(m->libctx, "keccakprov") == NULL
                ? NULL
                : l->EVP_MD_fetch(m->libctx, "SHAKE128", "provider=keccakprov");
    return m->md != NULL && l->EVP_DigestInit_ex2(m->ctx, m->md, NULL) &&
           l->EVP_DigestUpdate(m->ctx, "a", 1);
}

static bool end(const struct libcrypto *l, struct message *m)
{
    uint8_t out[sizeof(shake_abc)];
    bool good = l->EVP_DigestUpdate(m->ctx, "bc", 2) &&
                l->EVP_DigestFinalXOF(m->ctx, out, sizeof(out)) &&
                memcmp(out, shake_abc, sizeof(out)) == 0;
    l->EVP_MD_CTX_free(m->ctx);
    l->EVP_MD_free(m->md);
    l->OSSL_LIB_CTX_free(m->libctx);
    return good;
}

/* Two libcryptos share the process and the module, if they differ in their major version: a message
 * of the other is begun and ended while ours are under way. (Not in a namespace of dlmopen: there
 * libcrypto 3.0 crashes at exit with its own legacy module, too.) */
static void test_two_libcryptos(void **unused)
{
    void *handle = dlopen(OTHER_LIBCRYPTO, RTLD_NOW | RTLD_LOCAL);
    struct message first = {0}, second = {0}, third = {0};
    (void)unused;
    if (handle == NULL)
        fail_msg("%s", dlerror());
    struct libcrypto theirs = libcrypto_of(handle);
    if (theirs.OPENSSL_version_major() == OPENSSL_version_major())
        skip();
    assert_true(begin(&ours, &first) && begin(&theirs, &second) && begin(&ours, &third));
    assert_true(end(&ours, &first) && end(&theirs, &second) && end(&ours, &third));
}

static void test_many_contexts(void **unused)
{
    static struct message messages[CONTEXTS];
    (void)unused;
    for (size_t i = 0; i < CONTEXTS; i++)
        assert_true(begin(&ours, &messages[i]));
    for (size_t i = 0; i < CONTEXTS; i++)
        assert_true(end(&ours, &messages[i]));
}

static const char *const names[] = {"SHAKE128", "CSHAKE-256", "KT128", "PARALLELHASH-128",
                                    "TUPLEHASH-256"};

#define NAMES (sizeof(names) / sizeof(names[0]))

static uint8_t text[200000]; /* two halves, each of more than one leaf */

static bool add_half(EVP_MD_CTX *ctx, size_t half)
{
    return EVP_DigestUpdate(ctx, text + half * sizeof(text) / 2, sizeof(text) / 2);
}

static bool add_last(EVP_MD_CTX *ctx, uint8_t out[32])
{
    return add_half(ctx, 1) && EVP_DigestFinalXOF(ctx, out, 32);
}

static bool hash(const EVP_MD *md, EVP_MD_CTX *ctx, uint8_t out[32])
{
    return EVP_DigestInit_ex2(ctx, md, NULL) && add_half(ctx, 0) && add_last(ctx, out);
}

/* From load to unload: the self-test, and what each digest and KMAC answer. A thread's whole life:
 * false is NULL. */
static void *answer(void *answers)
{
    uint8_t(*out)[32] = answers;
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR);
    OSSL_PROVIDER *loaded = OSSL_PROVIDER_load(libctx, "keccakprov");
    bool good = loaded != NULL && OSSL_PROVIDER_self_test(loaded);
    for (size_t i = 0; good && i < NAMES; i++) {
        EVP_MD *md = EVP_MD_fetch(libctx, names[i], "provider=keccakprov");
        good = md != NULL && hash(md, ctx, out[i]);
        EVP_MD_free(md);
    }
    good = good && EVP_Q_mac(libctx, "KMAC-128", "provider=keccakprov", NULL, NULL, text, 32, text,
                             sizeof(text), out[NAMES], 32, NULL) != NULL;
    EVP_MD_CTX_free(ctx);
    OSSL_PROVIDER_unload(loaded);
    OSSL_LIB_CTX_free(libctx);
    return good ? answers : NULL;
}

static void test_small_stack(void **unused)
{
    static uint8_t expected[NAMES + 1][32], out[NAMES + 1][32];
    pthread_attr_t attr;
    pthread_t thread;
    void *good;
    (void)unused;
    assert_non_null(answer(expected));
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attr, answer, out), 0);
    assert_int_equal(pthread_join(thread, &good), 0);
    assert_non_null(good);
    assert_memory_equal(out, expected, sizeof(out));
    pthread_attr_destroy(&attr);
}

/* Parent and child both go on with the message. */
static void check_fork(EVP_MD_CTX *ctx, const uint8_t expected[32])
{
    uint8_t out[32];
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(add_last(ctx, out) && memcmp(out, expected, 32) == 0 ? 0 : 1);
    assert_true(add_last(ctx, out));
    assert_memory_equal(out, expected, 32);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* In the middle of a message: a fork; and an unload, after which the digest held still serves. */
static void test_interruptions(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < NAMES; i++) {
        OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
        OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR);
        OSSL_PROVIDER *loaded = OSSL_PROVIDER_load(libctx, "keccakprov");
        EVP_MD *md = test_fetch(libctx, names[i]);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();
        uint8_t expected[32], out[32];
        assert_true(hash(md, ctx, expected));
        assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && add_half(ctx, 0));
        check_fork(ctx, expected);
        assert_true(EVP_DigestInit_ex2(ctx, md, NULL) && add_half(ctx, 0));
        assert_true(OSSL_PROVIDER_unload(loaded));
        assert_true(add_last(ctx, out));
        assert_memory_equal(out, expected, 32);
        assert_true(hash(md, ctx, out));
        assert_memory_equal(out, expected, 32);
        EVP_MD_CTX_free(ctx);
        EVP_MD_free(md);
        OSSL_LIB_CTX_free(libctx);
    }
}

static OSSL_PROVIDER *provider;

static void unload(void)
{
    if (!OSSL_PROVIDER_unload(provider))
        _exit(2);
}

static void by_exit(void)
{
    exit(0);
}

static void by_underscore_exit(void)
{
    _exit(0);
}

static void by_cleanup(void)
{
    OPENSSL_cleanup();
    exit(0);
}

static void by_unload_at_exit(void)
{
    atexit(unload);
    exit(0);
}

static bool unload_last;

/* After all handlers, libcrypto's own among them. */
__attribute__((destructor)) static void at_last(void)
{
    if (unload_last)
        OSSL_PROVIDER_unload(provider); /* which some libcryptos refuse by then */
}

/* (libcrypto 3.0 crashes then with its own legacy module, too.) */
static void by_unload_in_destructor(void)
{
    unload_last = test_host_at_least(3, 5);
    exit(0);
}

/* A return from main is an exit. With a context in the middle of a message and a digest held, in
 * the default library context. */
static void test_ends(void **unused)
{
    static void (*const ways[])(void) = {by_exit, by_underscore_exit, by_cleanup, by_unload_at_exit,
                                         by_unload_in_destructor};
    (void)unused;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        int status;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            OSSL_PROVIDER_set_default_search_path(NULL, MODULE_DIR);
            provider = OSSL_PROVIDER_load(NULL, "keccakprov");
            EVP_MD *md = EVP_MD_fetch(NULL, "CSHAKE-128", "provider=keccakprov");
            EVP_MD_CTX *ctx = EVP_MD_CTX_new();
            if (md == NULL || !EVP_DigestInit_ex2(ctx, md, NULL) || !EVP_DigestUpdate(ctx, "a", 1))
                _exit(1);
            ways[i]();
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),           cmocka_unit_test(test_small_stack),
        cmocka_unit_test(test_many_contexts),  cmocka_unit_test(test_interruptions),
        cmocka_unit_test(test_two_libcryptos),
    };
    test_begin();
    test_random_bytes(text, sizeof(text));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
