/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The entry point and what libcrypto asks of the provider as a whole. */
#include <string.h>
#include <unistd.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "provider.h"

static OSSL_FUNC_provider_teardown_fn provider_teardown;
static OSSL_FUNC_provider_gettable_params_fn provider_gettable_params;
static OSSL_FUNC_provider_get_params_fn provider_get_params;
static OSSL_FUNC_provider_query_operation_fn provider_query;
static OSSL_FUNC_provider_get_reason_strings_fn provider_reason_strings;
static OSSL_FUNC_provider_self_test_fn provider_self_test;

static void provider_teardown(void *vprov)
{
    struct keccakprov *prov = vprov;
    if (prov->trace_fd > STDERR_FILENO)
        close(prov->trace_fd);
    KECCAKPROV_FREE(prov, prov, sizeof(*prov));
}

static const OSSL_PARAM *provider_gettable_params(void *vprov)
{
    static const OSSL_PARAM list[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
                                      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                      OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};
    (void)vprov;
    return list;
}

static bool set_text(OSSL_PARAM params[], const char *key, const char *text)
{
    OSSL_PARAM *p = keccakprov_find(params, key);
    return p == NULL || keccakprov_set_text(p, text);
}

static int provider_get_params(void *vprov, OSSL_PARAM params[])
{
    const struct keccakprov *prov = vprov;
    OSSL_PARAM *status = keccakprov_find(params, OSSL_PROV_PARAM_STATUS);
    if (set_text(params, OSSL_PROV_PARAM_NAME, "keccakprov: the Keccak family") &&
        set_text(params, OSSL_PROV_PARAM_VERSION, KECCAKPROV_VERSION) &&
        set_text(params, OSSL_PROV_PARAM_BUILDINFO, prov->buildinfo) &&
        (status == NULL || keccakprov_set_size(status, !prov->broken)))
        return 1;
    return KECCAKPROV_FAIL(prov, PARAM_NOT_WRITABLE);
}

static const OSSL_ALGORITHM *provider_query(void *vprov, int operation, int *no_cache)
{
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_DIGEST:
        return keccakprov_digests(vprov);
    case OSSL_OP_MAC:
        return keccakprov_macs;
    default:
        return NULL;
    }
}

static const OSSL_ITEM *provider_reason_strings(void *vprov)
{
    (void)vprov;
    return keccakprov_reason_strings;
}

static int provider_self_test(void *vprov)
{
    struct keccakprov *prov = vprov;
    bool passed = keccakprov_self_test(prov);
    if (!passed)
        prov->broken = true;
    return passed;
}

static const OSSL_DISPATCH provider_functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))provider_teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))provider_gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))provider_get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))provider_query},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))provider_reason_strings},
    {OSSL_FUNC_PROVIDER_SELF_TEST, (void (*)(void))provider_self_test},
    {0, NULL}};

/* Takes what we use from the core's table. False if the host lacks something essential. */
static bool take_upcalls(struct keccakprov *prov, const OSSL_DISPATCH *in)
{
#define TAKE(id, member)                       \
    case OSSL_FUNC_##id:                       \
        prov->member = OSSL_FUNC_##member(in); \
        break
    for (; in->function_id != 0; in++)
        switch (in->function_id) {
            TAKE(CORE_GET_PARAMS, core_get_params);
            TAKE(CORE_GET_LIBCTX, core_get_libctx);
            TAKE(CORE_NEW_ERROR, core_new_error);
            TAKE(CORE_SET_ERROR_DEBUG, core_set_error_debug);
            TAKE(CORE_VSET_ERROR, core_vset_error);
            TAKE(CRYPTO_MALLOC, CRYPTO_malloc);
            TAKE(CRYPTO_ZALLOC, CRYPTO_zalloc);
            TAKE(CRYPTO_CLEAR_FREE, CRYPTO_clear_free);
            TAKE(OPENSSL_CLEANSE, OPENSSL_cleanse);
            TAKE(SELF_TEST_CB, self_test_cb);
        }
#undef TAKE
    return prov->core_new_error != NULL && prov->core_set_error_debug != NULL &&
           prov->core_vset_error != NULL && prov->CRYPTO_malloc != NULL &&
           prov->CRYPTO_zalloc != NULL && prov->CRYPTO_clear_free != NULL &&
           prov->OPENSSL_cleanse != NULL;
}

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *core, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **provctx)
{
    struct keccakprov local = {.core = core, .trace_fd = -1};
    if (!take_upcalls(&local, in))
        return 0;
    struct keccakprov *prov = KECCAKPROV_NEW(&local, sizeof(*prov));
    if (prov == NULL)
        return KECCAKPROV_FAIL(&local, ALLOCATION_FAILED);
    memcpy(prov, &local, sizeof(local));
    if (!keccakprov_configure(prov) ||
        (keccakprov_wants_self_test(prov) && !keccakprov_self_test(prov))) {
        provider_teardown(prov);
        return 0;
    }
    prov->loaded = true;
    *out = provider_functions;
    *provctx = prov;
    return 1;
}
