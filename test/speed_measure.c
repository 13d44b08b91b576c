/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * How time is taken. The machine is not ours alone, so the jobs of a row take turns, a batch of a
 * millisecond or two each, round after round, and a job's time is the lowest tenth's upper end of
 * its batches: what it takes when nobody else is in the way. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "speed.h"

#define BATCH_NS 1e6
#define MAX_INPUT ((size_t)1 << 20)

struct timing {
    struct speed_job job;
    struct speed_cell *cell;
    double weight;   /* of its time in that of the cell */
    size_t times;    /* operations in a batch */
    double *samples; /* nanoseconds of one operation */
};

/* A job, and one whose time is taken off, for each cell. */
struct bench {
    struct timing timings[2 * SPEED_LIBRARIES];
    size_t count;
};

static const uint8_t *input(void)
{
    static uint8_t bytes[MAX_INPUT];
    for (size_t i = 0; bytes[1] == 0 && i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i % 251);
    return bytes;
}

static size_t output_bytes(const struct speed_work *work)
{
    return work->outlen * (work->squeezes > 0 ? work->squeezes : 1);
}

/* Adds a timing of this work to the cell; false if the library cannot do it. */
static bool open_timing(struct bench *bench, struct speed_cell *cell, const struct speed_work *work)
{
    struct timing *timing = &bench->timings[bench->count];
    *timing = (struct timing){.job = {.work = *work, .in = input()}, .cell = cell, .weight = 1};
    speed_need(work->inlen <= MAX_INPUT, "a row's message is longer than the input");
    if (!cell->library->open(cell->library, &timing->job))
        return false;
    timing->job.out = calloc(output_bytes(work) + 1, 1);
    speed_need(timing->job.out != NULL, "memory");
    if (work->per > 0)
        timing->weight = 1 / (double)work->per;
    bench->count++;
    return true;
}

/* Fills the cell with the first of the works that the library can do; false if there is none. */
static bool open_cell(struct bench *bench, struct speed_cell *cell,
                      const struct speed_library *library, const struct speed_work *works, size_t n)
{
    if (library->version == NULL)
        return false;
    *cell = (struct speed_cell){.library = library};
    for (; n > 0 && works->algorithm != NULL; n--, works++)
        if (open_timing(bench, cell, works)) {
            struct speed_work less = *works;
            less.inlen = less.less;
            cell->algorithm = works->algorithm;
            if (less.less > 0) {
                speed_need(open_timing(bench, cell, &less), "a library can do only the longer");
                bench->timings[bench->count - 1].weight *= -1;
            }
            return true;
        }
    return false;
}

/* Ours is what the provider can do, else what the engine can; the rest are the others. */
static size_t open_cells(struct bench *bench, const struct speed_row *row,
                         const struct speed_library *libraries, struct speed_cell *cells)
{
    size_t count = 1;
    if (!open_cell(bench, &cells[0], &libraries[0], &row->work, 1) &&
        !open_cell(bench, &cells[0], &libraries[1], &row->work, 1))
        return 0;
    for (size_t i = 1; i < SPEED_LIBRARIES; i++)
        count += open_cell(bench, &cells[count], &libraries[i], row->versus, SPEED_VERSUS);
    return count;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double run_batch(struct timing *timing)
{
    double start = now();
    for (size_t i = 0; i < timing->times; i++)
        timing->job.run(&timing->job);
    return now() - start;
}

/* Times that are fast because they are wrong are no times: the same work has the same outcome. */
static void check_output(const struct speed_job *ours, const struct speed_job *theirs)
{
    if (strcmp(ours->work.algorithm, theirs->work.algorithm) == 0 &&
        ours->work.inlen == theirs->work.inlen)
        speed_need(memcmp(ours->out, theirs->out, output_bytes(&ours->work)) == 0,
                   "the libraries do not agree");
}

static bool fills_batch(struct timing *timing)
{
    return run_batch(timing) >= BATCH_NS;
}

/* Finds how many operations fill a batch, which also warms up. Twice, because one operation fills
 * it if somebody else has the CPU meanwhile. */
static void calibrate(struct timing *timing, size_t rounds)
{
    timing->samples = calloc(rounds, sizeof(*timing->samples));
    speed_need(timing->samples != NULL, "memory");
    timing->times = 1;
    while (!fills_batch(timing) || !fills_batch(timing))
        timing->times *= 2;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double lowest_tenth(double *samples, size_t rounds)
{
    qsort(samples, rounds, sizeof(*samples), compare);
    return samples[(rounds - 1) / 10];
}

/* Adds its part to the cell's time. */
static void close_timing(struct timing *timing, size_t rounds)
{
    timing->cell->ns += timing->weight * lowest_tenth(timing->samples, rounds);
    timing->job.close(&timing->job);
    free(timing->job.out);
    free(timing->samples);
}

size_t speed_measure(const struct speed_row *row, const struct speed_library *libraries,
                     size_t rounds, struct speed_cell cells[SPEED_LIBRARIES])
{
    struct bench bench = {.count = 0};
    size_t count = open_cells(&bench, row, libraries, cells);
    for (size_t i = 0; i < bench.count; i++) {
        calibrate(&bench.timings[i], rounds);
        check_output(&bench.timings[0].job, &bench.timings[i].job);
    }
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < bench.count; i++) {
            struct timing *timing = &bench.timings[(round + i) % bench.count];
            timing->samples[round] = run_batch(timing) / (double)timing->times;
        }
    for (size_t i = 0; i < bench.count; i++)
        close_timing(&bench.timings[i], rounds);
    return count;
}
