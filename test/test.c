/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include <time.h>
#include "test.h"

static uint64_t random_state;

void test_begin(void)
{
    unsetenv("OPENSSL_CONF");
    unsetenv("OPENSSL_MODULES");
    unsetenv("OPENSSL_ia32cap");
    unsetenv("KECCAKPROV_TRACE");
    const char *seed = getenv("TEST_SEED");
    random_state = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("TEST_SEED=%llu\n", (unsigned long long)random_state);
}

OSSL_LIB_CTX *test_libctx(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    assert_non_null(libctx);
    assert_true(OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR));
    assert_non_null(OSSL_PROVIDER_load(libctx, "keccakprov"));
    assert_non_null(OSSL_PROVIDER_load(libctx, "default"));
    return libctx;
}

EVP_MD *test_fetch(OSSL_LIB_CTX *libctx, const char *name)
{
    EVP_MD *md = EVP_MD_fetch(libctx, name, "provider=keccakprov");
    assert_non_null(md);
    return md;
}

void test_ptn(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(i % 251);
}

size_t test_unhex(const char *hex, uint8_t *out)
{
    size_t n = strlen(hex) / 2;
    assert_int_equal(strlen(hex) % 2, 0);
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
    return n;
}

/* Steele, Lea and Flood's SplitMix64. */
uint64_t test_random(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

size_t test_below(size_t limit)
{
    return (size_t)(test_random() % limit);
}

void test_random_bytes(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)test_random();
}

void test_reason(const char *text)
{
    unsigned long error;
    bool found = false;
    while ((error = ERR_get_error()) != 0) {
        const char *library = ERR_lib_error_string(error);
        const char *reason = ERR_reason_error_string(error);
        found |= library != NULL && strcmp(library, "keccakprov") == 0 && reason != NULL &&
                 strcmp(reason, text) == 0;
    }
    if (!found)
        fail_msg("no error \"%s\"", text);
}
