/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Loading: what the configuration asks, what the host is, a core that lacks things, where
 * the trace goes. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <openssl/core_names.h>
#include "fakecore.h"

static int status(void)
{
    int value = -1;
    OSSL_PARAM params[] = {OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, &value), OSSL_PARAM_END};
    assert_true(fake_provider_params(params));
    return value;
}

static void test_isa(void **unused)
{
    static const char *const values[] = {"auto",   "portable", "bmi2", "avx2",
                                         "avx512", "avx3",     "",     "AUTO"};
    (void)unused;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char expected[64];
        fake.isa = values[i];
        assert_true(fake_load(MODULE, "3.0.22"));
        snprintf(expected, sizeof(expected), "isa=%s%s", values[i], i < 5 ? "" : " (unknown) -> ");
        assert_memory_equal(fake_buildinfo(), expected, strlen(expected));
        assert_non_null(strstr(fake_buildinfo(), " -> "));
        if (i == 1)
            assert_string_equal(fake_buildinfo(), "isa=portable -> portable");
        assert_int_equal(fake.errors, 0);
        fake_unload();
    }
    fake.isa = NULL;
}

/* A value of any length is no danger. */
static void test_long_isa(void **unused)
{
    static char isa[5000];
    (void)unused;
    memset(isa, 'x', sizeof(isa) - 1);
    fake.isa = isa;
    assert_true(fake_load(MODULE, "3.0.22"));
    assert_non_null(strstr(fake_buildinfo(), "(unknown) -> "));
    fake.isa = NULL;
    fake_unload();
}

static void test_versions(void **unused)
{
    static const struct {
        const char *version, *shake_size, *kmac;
    } hosts[] = {{"3.0.0", "16", "KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"3.3.99", "16", "KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"3.4.0-dev", "0", "KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"3.10.1", "0", "KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"4.0.3", "0", "CSHAKE-KECCAK-128:KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"10.0", "0", "CSHAKE-KECCAK-128:KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"", "0", "CSHAKE-KECCAK-128:KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {"3", "0", "CSHAKE-KECCAK-128:KECCAK-KMAC-128:KECCAK-KMAC128"},
                 {NULL, "0", "CSHAKE-KECCAK-128:KECCAK-KMAC-128:KECCAK-KMAC128"}};
    (void)unused;
    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        size_t size = 99;
        OSSL_PARAM params[] = {OSSL_PARAM_size_t("size", &size), OSSL_PARAM_END};
        assert_true(fake_load(MODULE, hosts[i].version));
        assert_true(fake_digest("SHAKE-128").get_params(params));
        assert_int_equal(size, atoi(hosts[i].shake_size));
        assert_string_equal(fake_digest("KECCAK-KMAC-128").names, hosts[i].kmac);
        fake_unload();
    }
}

static unsigned started, passed;
static const char *corrupted;

static bool count_phases(const char *phase, const char *description)
{
    started += strcmp(phase, "Start") == 0;
    passed += strcmp(phase, "Pass") == 0;
    return corrupted == NULL || strcmp(phase, "Corrupt") != 0 ||
           strcmp(description, corrupted) != 0;
}

/* Every algorithm on every kernel, seen by the callback; each can be made to fail. */
static void test_self_test(void **unused)
{
    (void)unused;
    fake.self_test_callback = count_phases;
    for (unsigned v = 0; v < 2; v++) {
        assert_true(fake_load(MODULE, v == 0 ? "3.0.22" : "4.0.0"));
        started = passed = 0;
        assert_true(fake_self_test());
        assert_int_equal(status(), 1);
        assert_int_equal(started % (fake_digests() + fake_macs()), 0);
        assert_int_equal(started, passed);
        printf("self-test: %u known answers\n", passed);
        for (size_t i = 0; i < fake_digests() + fake_macs(); i++) {
            size_t digests = fake_digests();
            const char *names = i < digests ? fake_nth(i).names : fake_nth_mac(i - digests).names;
            char name[40];
            snprintf(name, sizeof(name), "%.*s", (int)strcspn(names, ":"), names);
            corrupted = name;
            assert_false(fake_self_test());
            fake_expect("self-test failed");
            corrupted = NULL;
        }
        assert_int_equal(status(), 0);
        fake_unload();
    }
    fake.self_test_callback = NULL;
}

static void test_self_test_at_load(void **unused)
{
    (void)unused;
    fake.self_test = "load";
    assert_true(fake_load(MODULE, "3.0.22"));
    fake_unload();
    fake.self_test_callback = count_phases;
    corrupted = "SHAKE-256";
    assert_false(fake_load(MODULE, "3.0.22"));
    assert_int_equal(fake.live, 0);
    fake_unload();
    corrupted = NULL;
    fake.self_test_callback = NULL;
    fake.self_test = NULL;
}

/* What we cannot do without is asked for at load; the rest is not missed. */
static void test_poor_core(void **unused)
{
    static const int essential[] = {OSSL_FUNC_CORE_NEW_ERROR,  OSSL_FUNC_CORE_SET_ERROR_DEBUG,
                                    OSSL_FUNC_CORE_VSET_ERROR, OSSL_FUNC_CRYPTO_MALLOC,
                                    OSSL_FUNC_CRYPTO_ZALLOC,   OSSL_FUNC_CRYPTO_CLEAR_FREE,
                                    OSSL_FUNC_OPENSSL_CLEANSE},
                     other[] = {OSSL_FUNC_CORE_GET_PARAMS, OSSL_FUNC_CORE_GET_LIBCTX,
                                OSSL_FUNC_SELF_TEST_CB};
    (void)unused;
    for (size_t i = 0; i < sizeof(essential) / sizeof(essential[0]); i++) {
        fake.withheld = essential[i];
        assert_false(fake_load(MODULE, "3.0.22"));
        assert_int_equal(fake.live, 0);
        fake_unload();
    }
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        fake.withheld = other[i];
        assert_true(fake_load(MODULE, "3.0.22"));
        assert_true(fake_self_test());
        fake_unload();
    }
    fake.withheld = 0;
}

/* How many files are open; *fd is the number of the one with that name, or -1. */
static unsigned open_files(const char *name, int *fd)
{
    struct stat wanted = {0}, found;
    bool there = stat(name, &wanted) == 0;
    unsigned n = 0;
    *fd = -1;
    for (int i = 0; i < 100; i++)
        if (fstat(i, &found) == 0) {
            n++;
            if (there && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino)
                *fd = i;
        }
    return n;
}

/* The trace's file while the module was loaded, and how many were open before and after. */
struct trace {
    int fd, fd_flags;
    unsigned before, after;
};

static struct trace trace_to(const char *name)
{
    struct trace t;
    t.before = open_files(name, &t.fd);
    bool loaded = fake_load(MODULE, "3.0.22");
    open_files(name, &t.fd);
    t.fd_flags = fcntl(t.fd, F_GETFD);
    if (loaded)
        fake_unload();
    t.after = open_files(name, &(int){0});
    unlink(name);
    return t;
}

/* Also in a process that has closed its standard streams, whose numbers are not for the trace. */
static void test_trace(void **unused)
{
    static const char name[] = "trace-of-load";
    struct trace t[2];
    int saved[3];
    (void)unused;
    setenv("KECCAKPROV_TRACE", name, 1);
    t[0] = trace_to(name);
    fflush(NULL);
    for (int i = 0; i < 3; i++) {
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
        close(i);
    }
    t[1] = trace_to(name);
    for (int i = 0; i < 3; i++) {
        dup2(saved[i], i);
        close(saved[i]);
    }
    unsetenv("KECCAKPROV_TRACE");
    for (size_t i = 0; i < 2; i++) {
        assert_true(t[i].fd > STDERR_FILENO);
        assert_int_equal(t[i].fd_flags, FD_CLOEXEC);
        assert_int_equal(t[i].after, t[i].before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isa),       cmocka_unit_test(test_long_isa),
        cmocka_unit_test(test_versions),  cmocka_unit_test(test_self_test),
        cmocka_unit_test(test_poor_core), cmocka_unit_test(test_self_test_at_load),
        cmocka_unit_test(test_trace),
    };
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
