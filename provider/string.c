/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Strings that a context owns: N, S, keys. Their memory stays from message to message. */
#include <string.h>
#include "provider.h"

bool keccakprov_string_reserve(const struct keccakprov *prov, struct keccakprov_string *string,
                               size_t len)
{
    if (len <= string->room)
        return true;
    uint8_t *data = KECCAKPROV_NEW(prov, len);
    if (data == NULL)
        return KECCAKPROV_FAIL(prov, ALLOCATION_FAILED);
    if (string->len > 0)
        memcpy(data, string->data, string->len);
    KECCAKPROV_FREE(prov, string->data, string->room);
    string->data = data;
    string->room = len;
    return true;
}

bool keccakprov_string_assign(struct keccakprov_string *string, const uint8_t *data, size_t len)
{
    bool same = string->len == len && (len == 0 || memcmp(string->data, data, len) == 0);
    if (!same && len > 0)
        memcpy(string->data, data, len);
    string->len = len;
    string->set = true;
    return same;
}

void keccakprov_string_replace(const struct keccakprov *prov, struct keccakprov_string *string,
                               const uint8_t *data, size_t len)
{
    if (string->room > 0)
        prov->OPENSSL_cleanse(string->data, string->room);
    if (len > 0)
        memcpy(string->data, data, len);
    string->len = len;
    string->set = true;
}

bool keccakprov_string_copy(const struct keccakprov *prov, struct keccakprov_string *dst,
                            const struct keccakprov_string *src)
{
    dst->len = 0;
    if (!keccakprov_string_reserve(prov, dst, src->len))
        return false;
    keccakprov_string_assign(dst, src->data, src->len);
    dst->set = src->set;
    return true;
}

void keccakprov_string_free(const struct keccakprov *prov, struct keccakprov_string *string)
{
    if (string->data != NULL)
        KECCAKPROV_FREE(prov, string->data, string->room);
    *string = (struct keccakprov_string){0};
}
