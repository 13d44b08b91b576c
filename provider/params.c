/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * OSSL_PARAM without libcrypto. Numbers come in any width, signed or not, at any address. */
#include <limits.h>
#include <string.h>
#include "provider.h"

OSSL_PARAM *keccakprov_find(const OSSL_PARAM params[], const char *key)
{
    if (params != NULL)
        for (; params->key != NULL; params++)
            if (strcmp(params->key, key) == 0)
                return (OSSL_PARAM *)params;
    return NULL;
}

/* Byte i of a number of n bytes, counted from its lowest. */
static size_t byte_at(size_t i, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return n - 1 - i;
#else
    (void)n;
    return i;
#endif
}

/* A number n as it is, or as -1 - n where it is negative: as many bits for either sign. */
struct number {
    size_t bits;
    bool negative;
};

static bool get_integer(const OSSL_PARAM *p, struct number *number)
{
    const uint8_t *data = p->data;
    size_t n = p->data_size;
    bool negative = p->data_type == OSSL_PARAM_INTEGER && n > 0 && data[byte_at(n - 1, n)] >= 0x80;
    size_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = (uint8_t)(data[byte_at(i, n)] ^ (negative ? 0xff : 0));
        if (i < sizeof(bits))
            bits |= (size_t)byte << (8 * i);
        else if (byte != 0)
            return false;
    }
    *number = (struct number){bits, negative};
    return true;
}

static bool get_real(const OSSL_PARAM *p, struct number *number)
{
    double real;
    if (p->data_size != sizeof(real))
        return false;
    memcpy(&real, p->data, sizeof(real));
    bool negative = real < 0;
    if (negative)
        real = -1 - real;
    if (!(real >= 0 && real < (double)SIZE_MAX) || (double)(size_t)real != real)
        return false;
    *number = (struct number){(size_t)real, negative};
    return true;
}

static bool get_number(const OSSL_PARAM *p, struct number *number)
{
    if (p->data == NULL)
        return false;
    if (p->data_type == OSSL_PARAM_INTEGER || p->data_type == OSSL_PARAM_UNSIGNED_INTEGER)
        return get_integer(p, number);
    return p->data_type == OSSL_PARAM_REAL && get_real(p, number);
}

bool keccakprov_get_size(const OSSL_PARAM *p, size_t *value)
{
    struct number number;
    if (!get_number(p, &number) || number.negative)
        return false;
    *value = number.bits;
    return true;
}

bool keccakprov_get_int(const OSSL_PARAM *p, int *value)
{
    struct number number;
    if (!get_number(p, &number) || number.bits > INT_MAX)
        return false;
    *value = number.negative ? -1 - (int)number.bits : (int)number.bits;
    return true;
}

static bool set_integer(OSSL_PARAM *p, size_t value)
{
    uint8_t *data = p->data;
    size_t n = p->data_size;
    bool is_signed = p->data_type == OSSL_PARAM_INTEGER;
    size_t used = 0;
    while (used < sizeof(value) && value >> (8 * used) != 0)
        used++;
    if (is_signed && used > 0 && value >> (8 * used - 1) != 0)
        used++; /* the sign's place */
    if (n < used || n == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        data[byte_at(i, n)] = (uint8_t)(i < sizeof(value) ? value >> (8 * i) : 0);
    p->return_size = n;
    return true;
}

static bool set_real(OSSL_PARAM *p, size_t value)
{
    double real = (double)value;
    if (p->data_size != sizeof(real) || (uint64_t)value >> 53 != 0)
        return false;
    memcpy(p->data, &real, sizeof(real));
    p->return_size = sizeof(real);
    return true;
}

bool keccakprov_set_size(OSSL_PARAM *p, size_t value)
{
    p->return_size = sizeof(value);
    switch (p->data_type) {
    case OSSL_PARAM_INTEGER:
    case OSSL_PARAM_UNSIGNED_INTEGER:
        return p->data == NULL || set_integer(p, value);
    case OSSL_PARAM_REAL:
        return p->data == NULL || set_real(p, value);
    default:
        return false;
    }
}

bool keccakprov_get_string(const OSSL_PARAM *p, const uint8_t **data, size_t *len)
{
    if (p->data_type != OSSL_PARAM_UTF8_STRING && p->data_type != OSSL_PARAM_OCTET_STRING)
        return false;
    if (p->data == NULL && p->data_size > 0)
        return false;
    *data = p->data;
    *len = p->data_size;
    return true;
}

bool keccakprov_set_text(OSSL_PARAM *p, const char *text)
{
    if (p->data_type != OSSL_PARAM_UTF8_PTR)
        return false;
    p->return_size = strlen(text);
    if (p->data != NULL)
        *(const char **)p->data = text;
    return true;
}
