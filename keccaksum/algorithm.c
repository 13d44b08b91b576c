/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Algorithms, by texts such as "kt128,custom=demo". */
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "keccaksum.h"

#define STATE_BYTES 200 /* of Keccak: rate and capacity */

static OSSL_LIB_CTX *libctx;

OSSL_PROVIDER *module_load(void)
{
    libctx = OSSL_LIB_CTX_new();
    if (libctx != NULL && secure_getenv("OPENSSL_MODULES") == NULL)
        OSSL_PROVIDER_set_default_search_path(libctx, MODULESDIR);
    return libctx == NULL ? NULL : OSSL_PROVIDER_load(libctx, "keccakprov");
}

const char *last_reason(void)
{
    const char *text, *reason = "unknown error";
    for (unsigned long error; (error = ERR_get_error()) != 0;)
        if ((text = ERR_reason_error_string(error)) != NULL)
            reason = text;
    return reason;
}

void *allocate(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (new != NULL)
        return new;
    fputs("keccaksum: memory exhausted\n", stderr);
    exit(EXIT_FAILURE);
}

/* --- Algorithms --- */

static bool has(const OSSL_PARAM *list, const char *key)
{
    return list != NULL && OSSL_PARAM_locate_const(list, key) != NULL;
}

void parameter_append(char **text, const char *name, const char *value)
{
    size_t used = strlen(*text);
    bool plain = true;
    for (const char *c = value; *c != '\0'; c++)
        plain &= *c > ' ' && *c < 0x7f && strchr("(),\\", *c) == NULL;
    *text = allocate(*text, used + strlen(name) + 2 * strlen(value) + sizeof(",=hex:"));
    char *out = *text + used;
    out += sprintf(out, ",%s=%s", name, plain ? value : "hex:");
    for (; !plain && *value != '\0'; value++)
        out += sprintf(out, "%02x", (unsigned char)*value);
}

/* Makes a parameter of "name=value". Returns what is wrong with it, or NULL. */
static const char *parameter_parse(OSSL_PARAM *param, const OSSL_PARAM *settable, char *name)
{
    static const char *const names[] = {"custom", "function", "element", "domain", "leaf-size"};
    static const OSSL_PARAM known[] = {OSSL_PARAM_octet_string("customization", NULL, 0),
                                       OSSL_PARAM_octet_string("function-name", NULL, 0),
                                       OSSL_PARAM_octet_string("element", NULL, 0),
                                       OSSL_PARAM_uint("domain-separator", NULL),
                                       OSSL_PARAM_uint64("leaf-size", NULL),
                                       OSSL_PARAM_END};
    const OSSL_PARAM *like = known;
    char *end, *value = strchr(name, '='), key[32];
    if (value != NULL)
        *value++ = '\0';
    while (like->key != NULL && strcmp(names[like - known], name) != 0)
        like++;
    if (value == NULL || like->key == NULL || !has(settable, like->key))
        return "the algorithm has no such parameter";
    bool is_hex = strncmp(value, "hex:", 4) == 0;
    snprintf(key, sizeof(key), "%s%s", is_hex ? "hex" : "", like->key);
    value += is_hex ? 4 : 0;
    /* libcrypto passes over what follows a number. */
    strtoull(value, &end, strncmp(value, "0x", 2) == 0 ? 16 : 10);
    if ((like->data_type == OSSL_PARAM_UNSIGNED_INTEGER && *end != '\0') ||
        !OSSL_PARAM_allocate_from_text(param, known, key, value, strlen(value), NULL))
        return "a parameter has no such value";
    param->key = like->key;
    return NULL;
}

/* Fills in an algorithm from its text. Returns what is wrong with it, or NULL. */
static const char *algorithm_parse(struct algorithm *alg, char *copy)
{
    const char *wrong = NULL;
    char *rest = NULL, *item = strtok_r(copy, ",", &rest);
    alg->md = item == NULL ? NULL : EVP_MD_fetch(libctx, item, "provider=keccakprov");
    if (alg->md == NULL)
        return "keccakprov has no such digest";
    const OSSL_PARAM *settable = EVP_MD_settable_ctx_params(alg->md);
    size_t count = 0, rate = (size_t)EVP_MD_get_block_size(alg->md);
    alg->params = allocate(NULL, sizeof(OSSL_PARAM) * (strlen(alg->text) + 1));
    while (wrong == NULL && (item = strtok_r(NULL, ",", &rest)) != NULL)
        wrong = parameter_parse(&alg->params[count++], settable, item);
    alg->params[count] = OSSL_PARAM_construct_end();
    alg->is_xof = (EVP_MD_get_flags(alg->md) & EVP_MD_FLAG_XOF) != 0;
    alg->is_tuple = has(settable, "element");
    /* The capacity, twice the security strength, whatever this libcrypto takes for a default. */
    alg->size = alg->is_xof ? STATE_BYTES - rate : (size_t)EVP_MD_get_size(alg->md);
    return wrong;
}

const struct algorithm *algorithm_find(const char *text)
{
    static struct algorithm *last; /* lists name the same one line after line */
    if (last != NULL && strcmp(last->text, text) == 0)
        return last;
    struct algorithm *alg = allocate(NULL, sizeof(*alg));
    char *copy = strdup(text);
    *alg = (struct algorithm){.previous = last, .text = strdup(text)};
    last = alg;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    alg->wrong = algorithm_parse(alg, copy);
    if (alg->wrong == NULL && !EVP_DigestInit_ex2(ctx, alg->md, alg->params))
        alg->wrong = last_reason();
    EVP_MD_CTX_free(ctx);
    free(copy);
    return alg;
}
