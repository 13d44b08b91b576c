/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * libcrypto with keccakprov and without, each in a library context of its own, set up as a
 * configuration would: there is no property query in what is timed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include "speed_evp.h"

struct evp {
    OSSL_LIB_CTX *libctx;
    const char *query; /* of the one fetch before the time is taken */
};

struct evp_data {
    OSSL_LIB_CTX *libctx;
    EVP_MD *md;
    EVP_MD_CTX *ctx, *other;
    OSSL_PARAM params[2][3]; /* N and the customization strings, taken in turn */
    unsigned turn;
    bool xof;
};

static void init(struct speed_job *job, EVP_MD_CTX *ctx)
{
    struct evp_data *data = job->data;
    const OSSL_PARAM *params = NULL;
    if (job->work.strings[0] != NULL)
        params = data->params[data->turn++ % 2];
    speed_need(EVP_DigestInit_ex2(ctx, data->md, params), "EVP_DigestInit_ex2");
}

static void update(struct speed_job *job, EVP_MD_CTX *ctx)
{
    for (size_t i = 0; i < job->work.updates; i++)
        speed_need(EVP_DigestUpdate(ctx, job->in, job->work.inlen), "EVP_DigestUpdate");
}

static void final(struct speed_job *job, EVP_MD_CTX *ctx)
{
    struct evp_data *data = job->data;
    if (data->xof)
        speed_need(EVP_DigestFinalXOF(ctx, job->out, job->work.outlen), "EVP_DigestFinalXOF");
    else
        speed_need(EVP_DigestFinal_ex(ctx, job->out, NULL), "EVP_DigestFinal_ex");
}

static void evp_hash(struct speed_job *job)
{
    struct evp_data *data = job->data;
    init(job, data->ctx);
    update(job, data->ctx);
    final(job, data->ctx);
}

static void evp_new(struct speed_job *job)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    init(job, ctx);
    update(job, ctx);
    final(job, ctx);
    EVP_MD_CTX_free(ctx);
}

static void evp_digest(struct speed_job *job)
{
    struct evp_data *data = job->data;
    speed_need(EVP_Digest(job->in, job->work.inlen, job->out, NULL, data->md, NULL), "EVP_Digest");
}

static void evp_quick(struct speed_job *job)
{
    struct evp_data *data = job->data;
    speed_need(EVP_Q_digest(data->libctx, job->work.algorithm, NULL, job->in, job->work.inlen,
                            job->out, NULL),
               "EVP_Q_digest");
}

static void evp_copy(struct speed_job *job)
{
    struct evp_data *data = job->data;
    speed_need(EVP_MD_CTX_copy_ex(data->other, data->ctx), "EVP_MD_CTX_copy_ex");
}

static void evp_resume(struct speed_job *job)
{
    struct evp_data *data = job->data;
    evp_copy(job);
    update(job, data->other);
    final(job, data->other);
}

#if OPENSSL_VERSION_NUMBER >= 0x30300000L
static void evp_squeeze(struct speed_job *job)
{
    struct evp_data *data = job->data;
    size_t outlen = job->work.outlen;
    init(job, data->ctx);
    update(job, data->ctx);
    for (size_t i = 0; i < job->work.squeezes; i++)
        speed_need(EVP_DigestSqueeze(data->ctx, job->out + i * outlen, outlen),
                   "EVP_DigestSqueeze");
}
#else
#define evp_squeeze NULL
#endif

static void (*const tasks[SPEED_TASKS])(struct speed_job *job) = {
    [SPEED_HASH] = evp_hash,      [SPEED_NEW] = evp_new,   [SPEED_DIGEST] = evp_digest,
    [SPEED_QUICK] = evp_quick,    [SPEED_COPY] = evp_copy, [SPEED_RESUME] = evp_resume,
    [SPEED_SQUEEZE] = evp_squeeze};

static void evp_close(struct speed_job *job)
{
    struct evp_data *data = job->data;
    EVP_MD_CTX_free(data->ctx);
    EVP_MD_CTX_free(data->other);
    EVP_MD_free(data->md);
    free(data);
}

/* The names are those of OpenSSL 4.0 too, whose macros 3.0 lacks. */
static void set_strings(struct evp_data *data, const struct speed_work *work)
{
    static char function[] = "TupleHash"; /* 4.0 knows four, and no other */
    for (size_t i = 0; i < 2 && work->strings[i] != NULL; i++) {
        char *text = (char *)(uintptr_t)work->strings[i];
        data->params[i][0] = OSSL_PARAM_construct_utf8_string("function-name", function, 0);
        data->params[i][1] = OSSL_PARAM_construct_utf8_string("customization", text, 0);
        data->params[i][2] = OSSL_PARAM_construct_end();
    }
}

/* A context to copy from has its message begun. */
static bool evp_open(const struct speed_library *library, struct speed_job *job)
{
    const struct evp *evp = library->context;
    if (job->work.task == SPEED_MAC)
        return speed_mac_open(evp->libctx, evp->query, job);
    EVP_MD *md = EVP_MD_fetch(evp->libctx, job->work.algorithm, evp->query);
    if (md == NULL || tasks[job->work.task] == NULL) {
        EVP_MD_free(md);
        ERR_clear_error();
        return false;
    }
    struct evp_data *data = calloc(1, sizeof(*data));
    speed_need(data != NULL, "memory");
    data->libctx = evp->libctx;
    data->md = md;
    data->ctx = EVP_MD_CTX_new();
    data->other = EVP_MD_CTX_new();
    data->xof = (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0;
    set_strings(data, &job->work);
    job->data = data;
    job->run = tasks[job->work.task];
    job->close = evp_close;
    init(job, data->ctx);
    if (job->work.task == SPEED_COPY)
        update(job, data->ctx);
    return true;
}

/* OSSL_PROVIDER_load reads no section of a configuration: only a file reaches our keys. */
static bool load_config(OSSL_LIB_CTX *libctx, const char *isa)
{
    char path[64];
    FILE *file = tmpfile();
    speed_need(file != NULL, "a temporary file");
    fprintf(file,
            "openssl_conf = init\n"
            "[init]\nproviders = list\nalg_section = algorithms\n"
            "[list]\nkeccakprov = ours\ndefault = theirs\n"
            "[ours]\nactivate = 1\nisa = %s\n"
            "[theirs]\nactivate = 1\n"
            "[algorithms]\ndefault_properties = ?provider=keccakprov\n",
            isa);
    fflush(file);
    snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
    bool loaded = OSSL_LIB_CTX_load_config(libctx, path);
    fclose(file);
    return loaded;
}

struct speed_library speed_keccakprov(const char *module_dir, const char *isa)
{
    static struct evp evp = {NULL, "provider=keccakprov"};
    const char *info = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, &info, 0),
                           OSSL_PARAM_END};
    evp.libctx = OSSL_LIB_CTX_new();
    speed_need(OSSL_PROVIDER_set_default_search_path(evp.libctx, module_dir) &&
                   load_config(evp.libctx, isa),
               "keccakprov does not load");
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(evp.libctx, "keccakprov");
    speed_need(provider != NULL && OSSL_PROVIDER_get_params(provider, params) && info != NULL,
               "keccakprov does not load");
    return (struct speed_library){"keccakprov", info, &evp, evp_open};
}

struct speed_library speed_openssl(void)
{
    static struct evp evp = {NULL, "provider=default"};
    evp.libctx = OSSL_LIB_CTX_new();
    speed_need(OSSL_PROVIDER_load(evp.libctx, "default") != NULL, "no default provider");
    return (struct speed_library){"openssl", OpenSSL_version(OPENSSL_VERSION), &evp, evp_open};
}
