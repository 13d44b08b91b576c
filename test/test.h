/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the tests share: a clean environment, a library context with our module, bytes. */
#ifndef KECCAKPROV_TEST_H
#define KECCAKPROV_TEST_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

/* Clears OPENSSL_CONF, OPENSSL_MODULES, OPENSSL_ia32cap and KECCAKPROV_TRACE, and seeds
 * test_random from TEST_SEED or the clock; prints the seed. First call of main. */
void test_begin(void);

/* Whether the running libcrypto has at least this version. */
bool test_host_at_least(unsigned major, unsigned minor);

/* A new library context with keccakprov (from the build folder) and default, ours first, by a
 * configuration. */
OSSL_LIB_CTX *test_libctx(void);

/* Frees a library context, for which it first unloads what OSSL_PROVIDER_load has loaded. */
void test_libctx_free(OSSL_LIB_CTX *libctx);

/* As test_libctx, with this `isa`, which must lead to that kernel; prints what the
 * provider says. NULL where this CPU lacks it. */
OSSL_LIB_CTX *test_libctx_isa(const char *isa);

/* Fetches with provider=keccakprov and asserts success. */
EVP_MD *test_fetch(OSSL_LIB_CTX *libctx, const char *name);

/* ptn(n) of RFC 9861: byte i is i mod 251. */
void test_ptn(uint8_t *out, size_t n);

/* New memory of n bytes, not 0, beside which no byte can be touched: behind it, if so asked, else
 * before it. */
uint8_t *test_guarded(size_t n, bool behind);
void test_guarded_free(uint8_t *guarded, size_t n);

/* A copy of these bytes, 64 KiB at most, in memory that ends with them: no byte behind can be read.
 * Good until the next call. */
uint8_t *test_at_edge(const uint8_t *data, size_t n);

/* What EVP_MD_names_do_all and its kin collect with test_collect_name. */
struct test_names {
    const char *name[32];
    size_t count;
};
void test_collect_name(const char *name, void *names);

/* Sorts the names and appends them to a text of `used` bytes, a space before each; returns its
 * length then. Asserts that they fit in size bytes. */
int test_append_names(struct test_names *names, char *text, int used, size_t size);

/* Hex to bytes; returns the number of bytes, of which out has room. Asserts valid hex. */
size_t test_unhex(const char *hex, uint8_t *out);

/* So many cases were tried, which are counted in the program's output: a line "cases: N" at its
 * end. Without a call, each test of cmocka's is a case. Returns how many there were so far. */
size_t test_cases(size_t n);

/* Whether tests of gigabytes are asked for: TEST_ALL=1. */
bool test_all(void);

uint64_t test_random(void);
size_t test_below(size_t limit); /* a random number below limit */
void test_random_bytes(uint8_t *out, size_t n);

/* The shortest length of a string that is refused. */
#if SIZE_MAX > UINT32_MAX
#define TEST_STRING_LIMIT ((size_t)1 << 61)
#else
#define TEST_STRING_LIMIT ((size_t)PTRDIFF_MAX + 1)
#endif

/* A parameter's data, a number's given from its lowest byte up, in this machine's order; good until
 * the next call. */
const void *test_data(unsigned type, const void *data, size_t size);

/* `xoflen` = n, in one of the number types that applications use; good until the next call. */
const OSSL_PARAM *test_length_param(size_t n);

/* Asserts that the error queue holds an error of keccakprov with exactly this reason text, and
 * clears the queue. */
void test_reason(const char *text);

#endif
