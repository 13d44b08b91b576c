/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Known answers of TupleHash. */
#include "vectors.h"

static struct bytes room_of(struct line *line, size_t count)
{
    return line_room(line, (count + 1) * sizeof(struct bytes));
}

static struct tuple prefixes(struct line *line)
{
    struct bytes whole = line_bytes(line, "t_prefixes");
    struct tuple tuple = {(struct bytes *)(void *)room_of(line, whole.size).data, whole.size,
                          false};
    for (size_t i = 0; i < whole.size; i++)
        tuple.elements[i] = (struct bytes){whole.data, i};
    return tuple;
}

static struct tuple listed(struct line *line)
{
    size_t count = line_number(line, "tn");
    char *text = line_text(line, "t");
    line->broken |= count > strlen(text) + 1; /* one more than there are commas */
    if (line->broken)
        count = 0;
    struct bytes room = line_room(line, strlen(text));
    struct tuple tuple = {(struct bytes *)(void *)room_of(line, count).data, count, false};
    for (size_t i = 0; i < count && text != NULL; i++) {
        size_t n = line_unhex(line, strsep(&text, ","), room.data);
        tuple.elements[i] = (struct bytes){room.data, n};
        room.data += n;
        line->broken |= (text == NULL) != (i + 1 == count);
    }
    return tuple;
}

struct tuple line_tuple(struct line *line)
{
    struct tuple tuple = line_has(line, "t_prefixes") ? prefixes(line) : listed(line);
    size_t xof = line_number(line, "xof");
    line->broken |= xof > 1;
    tuple.xof = xof == 1;
    return tuple;
}

/* Hosts to 4.0 keep an empty update to themselves. */
static bool append(EVP_MD_CTX *ctx, struct bytes element)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("element", NULL, 0), OSSL_PARAM_END};
    return element.size > 0 ? EVP_DigestUpdate(ctx, element.data, element.size)
                            : EVP_MD_CTX_set_params(ctx, params);
}

static bool one_by_one(EVP_MD_CTX *ctx, const struct job *job, const struct tuple *tuple)
{
    int xof = tuple->xof;
    const OSSL_PARAM params[] = {
        OSSL_PARAM_octet_string("customization", job->custom.data, job->custom.size),
        OSSL_PARAM_int("xof", &xof), OSSL_PARAM_END};
    bool good = EVP_DigestInit_ex2(ctx, job->md, params);
    for (size_t i = 0; i < tuple->count; i++)
        good = good && append(ctx, tuple->elements[i]);
    return good;
}

/* What goes before the elements stands behind them: that order means nothing. */
static bool in_one_array(EVP_MD_CTX *ctx, const struct job *job, const struct tuple *tuple)
{
    int xof = tuple->xof;
    OSSL_PARAM *params = malloc((tuple->count + 3) * sizeof(*params));
    assert_non_null(params);
    for (size_t i = 0; i < tuple->count; i++)
        params[i] = OSSL_PARAM_construct_octet_string("element", tuple->elements[i].data,
                                                      tuple->elements[i].size);
    params[tuple->count] =
        OSSL_PARAM_construct_octet_string("customization", job->custom.data, job->custom.size);
    params[tuple->count].data_type = OSSL_PARAM_UTF8_STRING; /* either will do */
    params[tuple->count + 1] = OSSL_PARAM_construct_int("xof", &xof);
    params[tuple->count + 2] = OSSL_PARAM_construct_end();
    bool good = EVP_DigestInit_ex2(ctx, job->md, params);
    free(params);
    return good;
}

bool job_tuple(const struct job *job, const struct tuple *tuple, uint8_t *out, size_t outlen)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t *again = malloc(outlen > 0 ? outlen : 1);
    bool same = ctx != NULL && again != NULL && one_by_one(ctx, job, tuple) &&
                EVP_DigestFinalXOF(ctx, out, outlen) && in_one_array(ctx, job, tuple) &&
                EVP_DigestFinalXOF(ctx, again, outlen) && memcmp(out, again, outlen) == 0;
    free(again);
    EVP_MD_CTX_free(ctx);
    return same;
}
