/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include <dlfcn.h>
#include <openssl/core_names.h>
#include "fakecore.h"

struct fakecore fake = {.allocations_left = -1};

const char *const fake_hosts[FAKE_HOSTS] = {"3.0.22", "3.5.0", "4.0.0"};

/* Blocks lie at 8 mod 64, as allocators may have it. */
#define MISALIGNED 8

/* The live ones; with their sizes, so that a wipe which leaves bytes out shows. */
static struct block {
    uint8_t *start;
    size_t size;
    bool guarded;
} blocks[256];

/* That block, or a free place for NULL. */
static struct block *find_block(const uint8_t *start)
{
    size_t i = 0;
    while (blocks[i].start != start)
        assert_true(++i < sizeof(blocks) / sizeof(blocks[0]));
    return &blocks[i];
}

bool fake_holds(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (blocks[i].start != NULL && memmem(blocks[i].start, blocks[i].size, bytes, n) != NULL)
            return true;
    return false;
}

size_t fake_size(const void *p)
{
    return find_block(p)->size;
}

static void *fake_malloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (fake.allocations_left == 0)
        return NULL;
    if (fake.allocations_left > 0)
        fake.allocations_left--;
    struct block *block = find_block(NULL);
    block->size = size;
    block->guarded = fake.guard != NO_GUARD;
    if (block->guarded) {
        block->start = test_guarded(size, fake.guard == GUARD_BEHIND);
    } else {
        uint8_t *lines = aligned_alloc(64, (size + MISALIGNED + 63) / 64 * 64);
        assert_non_null(lines);
        block->start = lines + MISALIGNED;
    }
    memset(block->start, 0xa5, size);
    fake.allocations++;
    fake.live++;
    return block->start;
}

static void *fake_zalloc(size_t size, const char *file, int line)
{
    void *p = fake_malloc(size, file, line);
    if (p != NULL)
        memset(p, 0, size);
    return p;
}

static void fake_clear_free(void *p, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (p == NULL)
        return;
    struct block *block = find_block(p);
    fake.dirty_free |= size != block->size;
    if (block->guarded)
        test_guarded_free(p, block->size);
    else
        free(block->start - MISALIGNED);
    block->start = NULL;
    fake.live--;
}

static void fake_cleanse(void *p, size_t size)
{
    memset(p, 0, size);
}

static void fake_new_error(const OSSL_CORE_HANDLE *core)
{
    assert_ptr_equal(core, &fake);
    fake.errors++;
}

static void fake_set_error_debug(const OSSL_CORE_HANDLE *core, const char *file, int line,
                                 const char *func)
{
    (void)core;
    assert_non_null(file);
    assert_true(line > 0);
    assert_non_null(func);
}

static void fake_vset_error(const OSSL_CORE_HANDLE *core, uint32_t reason, const char *fmt,
                            va_list args)
{
    (void)core, (void)fmt, (void)args;
    fake.reason = reason;
}

static void answer(OSSL_PARAM params[], const char *key, const char *value)
{
    OSSL_PARAM *p = OSSL_PARAM_locate(params, key);
    if (p != NULL && value != NULL)
        assert_true(OSSL_PARAM_set_utf8_ptr(p, value));
}

static int fake_get_params(const OSSL_CORE_HANDLE *core, OSSL_PARAM params[])
{
    (void)core;
    answer(params, OSSL_PROV_PARAM_CORE_VERSION, fake.version);
    answer(params, "isa", fake.isa);
    answer(params, "self-test", fake.self_test);
    return 1;
}

static OPENSSL_CORE_CTX *fake_libctx(const OSSL_CORE_HANDLE *core)
{
    (void)core;
    return NULL;
}

static int observe(const OSSL_PARAM params[], void *arg)
{
    const OSSL_PARAM *phase = OSSL_PARAM_locate_const(params, OSSL_PROV_PARAM_SELF_TEST_PHASE);
    const OSSL_PARAM *desc = OSSL_PARAM_locate_const(params, OSSL_PROV_PARAM_SELF_TEST_DESC);
    (void)arg;
    assert_non_null(phase);
    assert_non_null(desc);
    return fake.self_test_callback(phase->data, desc->data);
}

static void fake_self_test_cb(OPENSSL_CORE_CTX *ctx, OSSL_CALLBACK **callback, void **arg)
{
    (void)ctx;
    *callback = fake.self_test_callback != NULL ? observe : NULL;
    *arg = NULL;
}

#define UPCALL(id, function)                       \
    {                                              \
        OSSL_FUNC_##id, (void (*)(void))(function) \
    }
static const OSSL_DISPATCH all_upcalls[] = {UPCALL(CORE_GET_PARAMS, fake_get_params),
                                            UPCALL(CORE_GET_LIBCTX, fake_libctx),
                                            UPCALL(CORE_NEW_ERROR, fake_new_error),
                                            UPCALL(CORE_SET_ERROR_DEBUG, fake_set_error_debug),
                                            UPCALL(CORE_VSET_ERROR, fake_vset_error),
                                            UPCALL(CRYPTO_MALLOC, fake_malloc),
                                            UPCALL(CRYPTO_ZALLOC, fake_zalloc),
                                            UPCALL(CRYPTO_CLEAR_FREE, fake_clear_free),
                                            UPCALL(OPENSSL_CLEANSE, fake_cleanse),
                                            UPCALL(SELF_TEST_CB, fake_self_test_cb),
                                            {99999, NULL}, /* a newer core's, unknown to us */
                                            {0, NULL}};

/* Less the withheld one. */
static const OSSL_DISPATCH *upcalls(void)
{
    static OSSL_DISPATCH offered[sizeof(all_upcalls) / sizeof(all_upcalls[0])];
    size_t n = 0;
    for (size_t i = 0; i < sizeof(all_upcalls) / sizeof(all_upcalls[0]); i++)
        if (all_upcalls[i].function_id == 0 || all_upcalls[i].function_id != fake.withheld)
            offered[n++] = all_upcalls[i];
    return offered;
}

bool fake_load(const char *path, const char *version)
{
    OSSL_provider_init_fn *init;
    fake.version = version;
    fake.allocations = fake.live = fake.errors = 0;
    fake.dirty_free = false;
    fake.provctx = NULL;
    fake.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (fake.library == NULL)
        fail_msg("%s", dlerror());
    void *symbol = dlsym(fake.library, "OSSL_provider_init");
    memcpy(&init, &symbol, sizeof(init));
    return init((const OSSL_CORE_HANDLE *)&fake, upcalls(), &fake.functions, &fake.provctx) == 1;
}

void (*fake_find(const OSSL_DISPATCH *table, int id))(void)
{
    for (; table->function_id != 0; table++)
        if (table->function_id == id)
            return table->function;
    return NULL;
}

void fake_unload(void)
{
    OSSL_FUNC_provider_teardown_fn *teardown;
    if (fake.provctx != NULL) {
        teardown = (OSSL_FUNC_provider_teardown_fn *)fake_find(fake.functions,
                                                               OSSL_FUNC_PROVIDER_TEARDOWN);
        teardown(fake.provctx);
    }
    fake.provctx = NULL;
    dlclose(fake.library);
    if (!fake.dirty_free && fake.live == 0)
        return;
    fprintf(stderr, fake.dirty_free ? "memory was freed, and not all of it wiped\n"
                                    : "memory is left that nobody freed\n");
    exit(1);
}

int fake_provider_params(OSSL_PARAM params[])
{
    OSSL_FUNC_provider_get_params_fn *get = (OSSL_FUNC_provider_get_params_fn *)fake_find(
        fake.functions, OSSL_FUNC_PROVIDER_GET_PARAMS);
    return get(fake.provctx, params);
}

int fake_self_test(void)
{
    OSSL_FUNC_provider_self_test_fn *self_test =
        (OSSL_FUNC_provider_self_test_fn *)fake_find(fake.functions, OSSL_FUNC_PROVIDER_SELF_TEST);
    assert_non_null(self_test);
    return self_test(fake.provctx);
}

const char *fake_buildinfo(void)
{
    static const char *text;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &text, 0),
                           OSSL_PARAM_END};
    assert_true(fake_provider_params(params));
    return text;
}

bool fake_runs_isa(void)
{
    bool here = strstr(fake_buildinfo(), "(unavailable)") == NULL;
    print_message("%s%s\n", fake_buildinfo(), here ? "" : ": not on this CPU");
    return here;
}

const char *fake_reason(uint32_t reason)
{
    OSSL_FUNC_provider_get_reason_strings_fn *get =
        (OSSL_FUNC_provider_get_reason_strings_fn *)fake_find(
            fake.functions, OSSL_FUNC_PROVIDER_GET_REASON_STRINGS);
    for (const OSSL_ITEM *item = get(fake.provctx); item->ptr != NULL; item++)
        if (item->id == reason)
            return item->ptr;
    return "";
}

void fake_errors_clear(void)
{
    fake.errors = 0;
    fake.reason = 0;
}

void fake_expect(const char *text)
{
    assert_string_equal(fake_reason(fake.reason), text);
    assert_int_equal(fake.errors, 1);
    fake_errors_clear();
}
