/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Loads the module without libcrypto, and runs its self-test: every algorithm, on every kernel that
 * this CPU has. For C libraries too that have no OpenSSL (test/builds). */
#include <dlfcn.h>
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *core_malloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return malloc(size);
}

static void *core_zalloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return calloc(1, size);
}

static void core_cleanse(void *data, size_t size)
{
    memset(data, 0, size);
}

static void core_clear_free(void *data, size_t size, const char *file, int line)
{
    (void)size, (void)file, (void)line;
    free(data);
}

static void core_new_error(const OSSL_CORE_HANDLE *core)
{
    (void)core;
}

static void core_set_error_debug(const OSSL_CORE_HANDLE *core, const char *file, int line,
                                 const char *function)
{
    (void)core;
    fprintf(stderr, "%s:%d: %s: ", file, line, function);
}

static void core_vset_error(const OSSL_CORE_HANDLE *core, uint32_t reason, const char *format,
                            va_list args)
{
    (void)core, (void)reason;
    vfprintf(stderr, format != NULL ? format : "error", args);
    fputc('\n', stderr);
}

#define FN(id, function)                           \
    {                                              \
        OSSL_FUNC_##id, (void (*)(void))(function) \
    }

static const OSSL_DISPATCH upcalls[] = {
    FN(CORE_NEW_ERROR, core_new_error),   FN(CORE_SET_ERROR_DEBUG, core_set_error_debug),
    FN(CORE_VSET_ERROR, core_vset_error), FN(CRYPTO_MALLOC, core_malloc),
    FN(CRYPTO_ZALLOC, core_zalloc),       FN(CRYPTO_CLEAR_FREE, core_clear_free),
    FN(OPENSSL_CLEANSE, core_cleanse),    {0, NULL}};

static void (*find(const OSSL_DISPATCH *table, int id))(void)
{
    while (table->function_id != id)
        table++;
    return table->function;
}

int main(int count, char **argv)
{
    const OSSL_DISPATCH *functions = NULL;
    OSSL_provider_init_fn *init;
    void *provctx = NULL, *module = count == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *symbol = module != NULL ? dlsym(module, "OSSL_provider_init") : NULL;
    if (symbol == NULL) {
        fprintf(stderr, "%s\n", count == 2 ? dlerror() : "usage: barecore MODULE");
        return EXIT_FAILURE;
    }
    memcpy(&init, &symbol, sizeof(init));
    if (!init(NULL, upcalls, &functions, &provctx))
        return EXIT_FAILURE;
    bool passed =
        ((OSSL_FUNC_provider_self_test_fn *)find(functions, OSSL_FUNC_PROVIDER_SELF_TEST))(provctx);
    ((OSSL_FUNC_provider_teardown_fn *)find(functions, OSSL_FUNC_PROVIDER_TEARDOWN))(provctx);
    puts(passed ? "every known answer is right" : "a known answer is wrong");
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
