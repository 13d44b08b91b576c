/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The engine as a library to measure: kernels, and the sponge. */
#include <stdlib.h>
#include "speed.h"

struct engine_data {
    uint64_t a[KECCAK_LANES * 8]; /* as many states as the widest kernel has */
    struct keccak_sponge sponge;
};

static void engine_permute(struct speed_job *job)
{
    struct engine_data *data = job->data;
    for (size_t i = 0; i < job->work.updates; i++)
        keccak_permute(job->work.kernel, data->a, KECCAK_MAX_ROUNDS);
}

static void engine_absorb(struct speed_job *job)
{
    struct engine_data *data = job->data;
    for (size_t i = 0; i < job->work.updates; i++)
        keccak_absorb(&data->sponge, job->in, job->work.inlen);
}

static void engine_close(struct speed_job *job)
{
    free(job->data);
}

static bool engine_open(const struct speed_library *library, struct speed_job *job)
{
    if (job->work.task != SPEED_PERMUTE && job->work.task != SPEED_ABSORB)
        return false;
    struct engine_data *data = calloc(1, sizeof(*data));
    speed_need(data != NULL, "memory");
    keccak_init(&data->sponge, library->context, 136, KECCAK_SUFFIX_SHA3, KECCAK_MAX_ROUNDS);
    job->data = data;
    job->run = job->work.task == SPEED_PERMUTE ? engine_permute : engine_absorb;
    job->close = engine_close;
    return true;
}

struct speed_library speed_engine(const struct keccak_ops *ops)
{
    return (struct speed_library){"keccak", ops->name, ops, engine_open};
}
