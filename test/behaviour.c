/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "behaviour.h"

#define CANARY 0xa5
#define EXIT 32 /* the status of verdict 0; others are those of sanitizers */

OSSL_LIB_CTX *probe_libctx;
const char *probe_query;
uint8_t probe_out[4096];
static size_t room; /* in probe_out, before the canaries */

static _Noreturn void probe_exit(enum verdict verdict)
{
    _exit(EXIT + (int)verdict);
}

void probe_need(bool condition)
{
    if (!condition)
        probe_exit(VERDICTS);
}

OSSL_PARAM probe_utf8(const char *key, const char *string, size_t n)
{
    return (OSSL_PARAM){key, OSSL_PARAM_UTF8_STRING, (char *)(uintptr_t)string, n, 0};
}

OSSL_PARAM probe_octets(const char *key, const void *bytes, size_t n)
{
    return (OSSL_PARAM){key, OSSL_PARAM_OCTET_STRING, (void *)(uintptr_t)bytes, n, 0};
}

OSSL_PARAM probe_number(const char *key, size_t value)
{
    static size_t values[8], next;
    size_t *at = &values[next++ % 8];
    *at = value;
    return OSSL_PARAM_construct_size_t(key, at);
}

EVP_MD_CTX *probe_start(const char *name, const OSSL_PARAM *params)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_MD *md = EVP_MD_fetch(probe_libctx, name, probe_query);
    if (md == NULL)
        probe_exit(ABSENT);
    probe_need(EVP_DigestInit_ex2(ctx, md, params));
    return ctx;
}

EVP_MD_CTX *probe_fed(const char *name)
{
    EVP_MD_CTX *ctx = probe_start(name, NULL);
    probe_need(EVP_DigestUpdate(ctx, "abc", 3));
    return ctx;
}

void probe_room(size_t n)
{
    room = n;
    memset(probe_out, CANARY, sizeof(probe_out));
}

enum verdict probe_judge(int success, const char *answer)
{
    uint8_t expected[64];
    size_t n = test_unhex(answer, expected);
    for (size_t i = success ? room : 0; i < sizeof(probe_out); i++)
        if (probe_out[i] != CANARY)
            return OVER;
    return !success ? NO : n > 0 && memcmp(probe_out, expected, n) == 0 ? OK : JUNK;
}

enum verdict probe_final(EVP_MD_CTX *ctx, size_t n, const char *answer)
{
    unsigned outl = 0;
    probe_room(n);
    return probe_judge(EVP_DigestFinal_ex(ctx, probe_out, &outl), answer);
}

enum verdict probe_final_xof(EVP_MD_CTX *ctx, size_t n, const char *answer)
{
    probe_room(n);
    return probe_judge(EVP_DigestFinalXOF(ctx, probe_out, n), answer);
}

enum verdict probe_squeeze(EVP_MD_CTX *ctx, size_t n, const char *answer)
{
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
    probe_room(n);
    return probe_judge(EVP_DigestSqueeze(ctx, probe_out, n), answer);
#else
    (void)ctx, (void)n, (void)answer;
    probe_exit(ABSENT);
#endif
}

enum verdict behaviour_of(const struct behaviour *b, OSSL_LIB_CTX *libctx, const char *provider)
{
    char property[64];
    int status;
    snprintf(property, sizeof(property), "provider=%s", provider);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* which cmocka takes for a failure of the test */
        signal(SIGBUS, SIG_DFL);
        probe_libctx = libctx;
        probe_query = property;
        probe_exit(b->probe());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    int verdict = WIFEXITED(status) ? WEXITSTATUS(status) - EXIT : CRASH;
    if (verdict == VERDICTS)
        fail_msg("%s: the probe of %s is broken", b->call, provider);
    return verdict >= 0 && verdict < VERDICTS ? (enum verdict)verdict : CRASH;
}
