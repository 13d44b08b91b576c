/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the module, loaded by the stand-in for the core, has to offer. */
#include "fakecore.h"

const OSSL_ALGORITHM *fake_query(int operation)
{
    OSSL_FUNC_provider_query_operation_fn *function =
        (OSSL_FUNC_provider_query_operation_fn *)fake_find(fake.functions,
                                                           OSSL_FUNC_PROVIDER_QUERY_OPERATION);
    int no_cache = -1;
    const OSSL_ALGORITHM *list = function(fake.provctx, operation, &no_cache);
    assert_int_equal(no_cache, 0);
    return list;
}

/* For d and table, which are in scope. */
#define TAKE(id, member)                                \
    do {                                                \
        void (*function)(void) = fake_find(table, id);  \
        memcpy(&d.member, &function, sizeof(d.member)); \
    } while (0)

static struct digest digest_of(const OSSL_ALGORITHM *algorithm)
{
    struct digest d = {.names = algorithm->algorithm_names};
    const OSSL_DISPATCH *table = algorithm->implementation;
    TAKE(1, newctx);
    TAKE(2, init);
    TAKE(3, update);
    TAKE(4, final);
    TAKE(6, freectx);
    TAKE(7, dupctx);
    TAKE(8, get_params);
    TAKE(9, set_ctx_params);
    TAKE(10, get_ctx_params);
    TAKE(11, gettable_params);
    TAKE(12, settable_ctx_params);
    TAKE(13, gettable_ctx_params);
    TAKE(14, squeeze);
    TAKE(15, copyctx);
    TAKE(16, serialize);
    TAKE(17, deserialize);
    return d;
}

static size_t count(const OSSL_ALGORITHM *list)
{
    size_t n = 0;
    while (list[n].algorithm_names != NULL)
        n++;
    return n;
}

size_t fake_digests(void)
{
    return count(fake_query(OSSL_OP_DIGEST));
}

size_t fake_macs(void)
{
    return count(fake_query(OSSL_OP_MAC));
}

struct mac fake_nth_mac(size_t n)
{
    assert_true(n < fake_macs());
    struct mac d = {.names = fake_query(OSSL_OP_MAC)[n].algorithm_names};
    const OSSL_DISPATCH *table = fake_query(OSSL_OP_MAC)[n].implementation;
    TAKE(OSSL_FUNC_MAC_NEWCTX, newctx);
    TAKE(OSSL_FUNC_MAC_DUPCTX, dupctx);
    TAKE(OSSL_FUNC_MAC_FREECTX, freectx);
    TAKE(OSSL_FUNC_MAC_INIT, init);
    TAKE(OSSL_FUNC_MAC_UPDATE, update);
    TAKE(OSSL_FUNC_MAC_FINAL, final);
    TAKE(OSSL_FUNC_MAC_GET_CTX_PARAMS, get_ctx_params);
    TAKE(OSSL_FUNC_MAC_SET_CTX_PARAMS, set_ctx_params);
    TAKE(OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, gettable_ctx_params);
    TAKE(OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS, settable_ctx_params);
    return d;
}

struct digest fake_nth(size_t n)
{
    assert_true(n < fake_digests());
    return digest_of(&fake_query(OSSL_OP_DIGEST)[n]);
}

static bool has_name(const char *names, const char *name)
{
    for (size_t length; *names != '\0'; names += length + (names[length] == ':')) {
        length = strcspn(names, ":");
        if (strlen(name) == length && memcmp(names, name, length) == 0)
            return true;
    }
    return false;
}

struct digest fake_digest(const char *name)
{
    for (size_t i = 0; i < fake_digests(); i++)
        if (has_name(fake_query(OSSL_OP_DIGEST)[i].algorithm_names, name))
            return digest_of(&fake_query(OSSL_OP_DIGEST)[i]);
    fail_msg("no digest %s", name);
    return (struct digest){0};
}

bool fake_set_octets(const struct digest *d, void *ctx, const char *key, uint8_t *data, size_t n)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string(key, data, n), OSSL_PARAM_END};
    return d->set_ctx_params(ctx, params);
}
