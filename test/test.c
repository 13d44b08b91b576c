/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <openssl/core_names.h>
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

bool test_host_at_least(unsigned major, unsigned minor)
{
    return OPENSSL_version_major() > major ||
           (OPENSSL_version_major() == major && OPENSSL_version_minor() >= minor);
}

/* OSSL_PROVIDER_load reads no section of a configuration: only a file reaches our keys; and what a
 * file loads is unloaded with the library context. */
static void load_config(OSSL_LIB_CTX *libctx, const char *isa)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int length = snprintf(path, sizeof(path), "%s/keccakprov-XXXXXX", folder ? folder : ".");
    assert_in_range(length, 0, sizeof(path) - 1);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_true(dprintf(fd,
                        "openssl_conf = init\n"
                        "[init]\nproviders = list\n"
                        "[list]\nkeccakprov = ours\ndefault = theirs\n"
                        "[ours]\nactivate = 1\nisa = %s\n"
                        "[theirs]\nactivate = 1\n",
                        isa) > 0);
    close(fd);
    int loaded = OSSL_LIB_CTX_load_config(libctx, path);
    unlink(path);
    assert_true(loaded);
}

static OSSL_LIB_CTX *new_libctx(const char *isa)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    assert_non_null(libctx);
    assert_true(OSSL_PROVIDER_set_default_search_path(libctx, MODULE_DIR));
    load_config(libctx, isa);
    return libctx;
}

OSSL_LIB_CTX *test_libctx(void)
{
    OSSL_LIB_CTX *libctx = new_libctx("auto");
    EVP_MD_free(test_fetch(libctx, "SHA3-256"));
    return libctx;
}

struct loaded {
    OSSL_PROVIDER *providers[4];
    size_t count;
};

static int collect(OSSL_PROVIDER *provider, void *loaded)
{
    struct loaded *all = loaded;
    assert_in_range(all->count, 0, 3);
    all->providers[all->count++] = provider;
    return 1;
}

void test_libctx_free(OSSL_LIB_CTX *libctx)
{
    struct loaded all = {.count = 0};
    OSSL_PROVIDER_do_all(libctx, collect, &all);
    while (all.count > 0)
        assert_true(OSSL_PROVIDER_unload(all.providers[--all.count]));
    OSSL_LIB_CTX_free(libctx);
}

OSSL_LIB_CTX *test_libctx_isa(const char *isa)
{
    OSSL_LIB_CTX *libctx = new_libctx(isa);
    const char *info = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &info, 0),
                           OSSL_PARAM_END};
    EVP_MD *md = test_fetch(libctx, "SHA3-256");
    assert_true(OSSL_PROVIDER_get_params(EVP_MD_get0_provider(md), params));
    EVP_MD_free(md);
    assert_non_null(info);
    print_message("%s\n", info);
    if (strstr(info, "(unavailable)") != NULL) {
        OSSL_LIB_CTX_free(libctx);
        return NULL;
    }
    char asked[64];
    int length = snprintf(asked, sizeof(asked), "isa=%s -> ", isa);
    assert_memory_equal(info, asked, (size_t)length);
    assert_non_null(strstr(info + length, isa));
    assert_null(strstr(info, "failed"));
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

static size_t cases;

static void print_cases(void)
{
    printf("cases: %zu\n", cases);
}

size_t test_cases(size_t n)
{
    if (cases == 0 && n > 0)
        atexit(print_cases);
    return cases += n;
}

bool test_all(void)
{
    const char *all = getenv("TEST_ALL");
    return all != NULL && strcmp(all, "1") == 0;
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

/* Whole pages that hold so many bytes. */
static size_t pages_of(size_t n, size_t page)
{
    return (n + page - 1) / page * page;
}

uint8_t *test_guarded(size_t n, bool behind)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = pages_of(n, page);
    uint8_t *map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_int_not_equal(n, 0);
    assert_true(map != MAP_FAILED && mprotect(map + page, room, PROT_READ | PROT_WRITE) == 0);
    return map + page + (behind ? room - n : 0);
}

void test_guarded_free(uint8_t *guarded, size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *map = guarded - (uintptr_t)guarded % page - page;
    assert_int_equal(munmap(map, pages_of(n, page) + 2 * page), 0);
}

uint8_t *test_at_edge(const uint8_t *data, size_t n)
{
    const size_t size = 65536;
    static uint8_t *edge;
    if (edge == NULL)
        edge = test_guarded(size, true) + size;
    assert_in_range(n, 0, size);
    return memcpy(edge - n, data, n);
}

void test_collect_name(const char *name, void *vnames)
{
    struct test_names *names = vnames;
    assert_true(names->count < sizeof(names->name) / sizeof(names->name[0]));
    names->name[names->count++] = name;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int test_append_names(struct test_names *names, char *text, int used, size_t size)
{
    qsort(names->name, names->count, sizeof(names->name[0]), by_text);
    for (size_t i = 0; i < names->count; i++) {
        used += snprintf(text + used, size - (size_t)used, " %s", names->name[i]);
        assert_in_range(used, 1, size - 1);
    }
    return used;
}

const OSSL_PARAM *test_length_param(size_t n)
{
    static OSSL_PARAM params[2];
    static size_t wide;
    static unsigned narrow;
    static int number;
    wide = n, narrow = (unsigned)n, number = (int)n;
    const OSSL_PARAM choices[] = {OSSL_PARAM_size_t("xoflen", &wide),
                                  OSSL_PARAM_uint("xoflen", &narrow),
                                  OSSL_PARAM_int("xoflen", &number)};
    params[0] = choices[test_below(3)];
    return params;
}

const void *test_data(unsigned type, const void *data, size_t size)
{
    static uint8_t swapped[16];
    const uint8_t *bytes = data;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ || data == NULL || size > sizeof(swapped) ||
        (type != OSSL_PARAM_INTEGER && type != OSSL_PARAM_UNSIGNED_INTEGER))
        return data;
    for (size_t i = 0; i < size; i++)
        swapped[i] = bytes[size - 1 - i];
    return swapped;
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
