/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Nettle as an opponent. It has no contexts of its own making and no one-shot call: only messages
 * hashed one after the other compare. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha3.h>
#include <nettle/version.h>
#include "speed.h"

struct nettle_data {
    const struct nettle_hash *hash;
    nettle_hash_digest_func *digest;
    void *context;
};

/* The digest functions leave the context ready for the next message. */
static void nettle_run(struct speed_job *job)
{
    struct nettle_data *data = job->data;
    for (size_t i = 0; i < job->work.updates; i++)
        data->hash->update(data->context, job->work.inlen, job->in);
    data->digest(data->context, job->work.outlen, job->out);
}

static void nettle_close(struct speed_job *job)
{
    struct nettle_data *data = job->data;
    free(data->context);
    free(data);
}

/* SHAKE256 is another end of SHA3-256 and not in Nettle's list. */
static void shake256_digest(void *context, size_t outlen, uint8_t *out)
{
    sha3_256_shake(context, outlen, out);
}

/* Nettle's sha3_256 is our SHA3-256. */
static const struct nettle_hash *lookup(const char *algorithm)
{
    char name[32] = "";
    if (strcmp(algorithm, "SHAKE256") == 0)
        return &nettle_sha3_256;
    for (size_t i = 0; i < sizeof(name) - 1 && algorithm[i] != '\0'; i++)
        name[i] = (char)(algorithm[i] == '-' ? '_' : tolower((unsigned char)algorithm[i]));
    return nettle_lookup_hash(name);
}

static bool nettle_open(const struct speed_library *library, struct speed_job *job)
{
    const struct nettle_hash *hash = lookup(job->work.algorithm);
    (void)library;
    if (hash == NULL || job->work.task != SPEED_HASH)
        return false;
    struct nettle_data *data = calloc(1, sizeof(*data));
    speed_need(data != NULL && (data->context = malloc(hash->context_size)) != NULL, "memory");
    data->hash = hash;
    data->digest = strcmp(job->work.algorithm, "SHAKE256") == 0 ? shake256_digest : hash->digest;
    hash->init(data->context);
    job->data = data;
    job->run = nettle_run;
    job->close = nettle_close;
    return true;
}

struct speed_library speed_nettle(void)
{
    static char version[32];
    snprintf(version, sizeof(version), "%d.%d", nettle_version_major(), nettle_version_minor());
    return (struct speed_library){"nettle", version, NULL, nettle_open};
}
