/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * libgcrypt as an opponent. */
#include <stdlib.h>
#include <string.h>
#include <gcrypt.h>
#include "speed.h"

struct gcrypt_data {
    gcry_md_hd_t md;
    int algorithm;
    bool xof;
};

static void write_message(struct speed_job *job, gcry_md_hd_t md)
{
    for (size_t i = 0; i < job->work.updates; i++)
        gcry_md_write(md, job->in, job->work.inlen);
}

static void read_outputs(struct speed_job *job, gcry_md_hd_t md)
{
    struct gcrypt_data *data = job->data;
    size_t outlen = job->work.outlen;
    if (!data->xof)
        memcpy(job->out, gcry_md_read(md, data->algorithm), outlen);
    else
        for (size_t i = 0; i == 0 || i < job->work.squeezes; i++)
            speed_need(!gcry_md_extract(md, data->algorithm, job->out + i * outlen, outlen),
                       "gcry_md_extract");
}

static void gcrypt_hash(struct speed_job *job)
{
    struct gcrypt_data *data = job->data;
    gcry_md_reset(data->md);
    write_message(job, data->md);
    read_outputs(job, data->md);
}

static void gcrypt_new(struct speed_job *job)
{
    struct gcrypt_data *data = job->data;
    gcry_md_hd_t md;
    speed_need(!gcry_md_open(&md, data->algorithm, 0), "gcry_md_open");
    write_message(job, md);
    read_outputs(job, md);
    gcry_md_close(md);
}

static void gcrypt_digest(struct speed_job *job)
{
    struct gcrypt_data *data = job->data;
    gcry_md_hash_buffer(data->algorithm, job->out, job->in, job->work.inlen);
}

static void gcrypt_quick(struct speed_job *job)
{
    gcry_md_hash_buffer(gcry_md_map_name(job->work.algorithm), job->out, job->in, job->work.inlen);
}

/* There is no copying into a context that exists. */
static void gcrypt_copy(struct speed_job *job)
{
    struct gcrypt_data *data = job->data;
    gcry_md_hd_t copy;
    speed_need(!gcry_md_copy(&copy, data->md), "gcry_md_copy");
    gcry_md_close(copy);
}

static void (*const tasks[SPEED_TASKS])(struct speed_job *job) = {
    [SPEED_HASH] = gcrypt_hash,   [SPEED_NEW] = gcrypt_new,   [SPEED_DIGEST] = gcrypt_digest,
    [SPEED_QUICK] = gcrypt_quick, [SPEED_COPY] = gcrypt_copy, [SPEED_SQUEEZE] = gcrypt_hash};

static void gcrypt_close(struct speed_job *job)
{
    struct gcrypt_data *data = job->data;
    gcry_md_close(data->md);
    free(data);
}

static bool gcrypt_open(const struct speed_library *library, struct speed_job *job)
{
    int algorithm = gcry_md_map_name(job->work.algorithm);
    (void)library;
    if (algorithm == 0 || tasks[job->work.task] == NULL || job->work.strings[0] != NULL)
        return false;
    struct gcrypt_data *data = calloc(1, sizeof(*data));
    speed_need(data != NULL, "memory");
    data->algorithm = algorithm;
    data->xof = gcry_md_get_algo_dlen(algorithm) == 0;
    job->data = data;
    job->run = tasks[job->work.task];
    job->close = gcrypt_close;
    speed_need(!gcry_md_open(&data->md, algorithm, 0), "gcry_md_open");
    write_message(job, data->md);
    return true;
}

struct speed_library speed_gcrypt(void)
{
    const char *version = gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return (struct speed_library){"libgcrypt", version, NULL, gcrypt_open};
}
