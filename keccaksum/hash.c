/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Files hashed in several threads, and how far they have come. */
#include <errno.h>
#include <fcntl.h>
#include <openssl/params.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "keccaksum.h"

#define READ_BYTES (1 << 20)    /* many leaves, for kernels of many states */
#define WINDOW_BYTES (16 << 20) /* mapped at once: a multiple of any page's size */

/* --- Files --- */

static _Atomic uint64_t bytes_done;
static _Thread_local volatile sig_atomic_t page_lost;

/* Handles SIGBUS: a mapped file has become shorter, or its disk fails. With zeros in place of the
 * page the digest comes to its end, and is dropped then. */
static void page_replace(int number, siginfo_t *info, void *context)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *page = (char *)info->si_addr - (uintptr_t)info->si_addr % size;
    int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS;
    (void)context;
    page_lost = 1;
    if (info->si_code != BUS_ADRERR || mmap(page, size, PROT_READ, flags, -1, 0) == MAP_FAILED)
        signal(number, SIG_DFL);
}

/* Feeds a large regular file without copying it, but for an end that is to be read. Returns what
 * went wrong, or NULL. */
static const char *absorb_mapped(EVP_MD_CTX *ctx, int fd)
{
    struct stat st;
    off_t at = 0, n;
    if (lseek(fd, 0, SEEK_CUR) != 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return NULL;
    for (; st.st_size - at >= READ_BYTES; at += n) {
        n = st.st_size - at < WINDOW_BYTES ? st.st_size - at : WINDOW_BYTES;
        void *window = mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, fd, at);
        if (window == MAP_FAILED)
            break;
        page_lost = 0;
        bool good = EVP_DigestUpdate(ctx, window, (size_t)n);
        munmap(window, (size_t)n);
        if (!good || page_lost)
            return good ? strerror(EIO) : last_reason();
        bytes_done += (uint64_t)n;
    }
    return lseek(fd, at, SEEK_SET) == at ? NULL : strerror(errno);
}

/* Reads until the buffer is full or the file ends: pipes give little at a time. */
static ssize_t fill(int fd, uint8_t *buffer, size_t room)
{
    size_t used = 0;
    ssize_t n = 1;
    for (; used < room && n > 0; used += (size_t)n, bytes_done += (uint64_t)n)
        if ((n = read(fd, buffer + used, room - used)) < 0)
            return n;
    return (ssize_t)used;
}

/* Feeds what the file has. Returns what went wrong, or NULL. */
static const char *absorb(EVP_MD_CTX *ctx, const struct algorithm *alg, int fd)
{
    const char *wrong = alg->is_tuple ? NULL : absorb_mapped(ctx, fd);
    size_t room = READ_BYTES, len = 0;
    uint8_t *buffer = allocate(NULL, room);
    ssize_t n = 0;
    while (wrong == NULL && (n = fill(fd, buffer + len, room - len)) > 0) {
        len += alg->is_tuple ? (size_t)n : 0;
        if (len == room)
            buffer = allocate(buffer, room *= 2);
        if (!alg->is_tuple && !EVP_DigestUpdate(ctx, buffer, (size_t)n))
            wrong = last_reason();
    }
    if (n < 0)
        wrong = strerror(errno);
    /* Not by an update: libcrypto drops an empty one. */
    OSSL_PARAM element[] = {OSSL_PARAM_octet_string("element", buffer, len), OSSL_PARAM_END};
    if (wrong == NULL && alg->is_tuple && !EVP_MD_CTX_set_params(ctx, element))
        wrong = last_reason();
    free(buffer);
    return wrong;
}

static void job_hash(struct job *job)
{
    const struct algorithm *alg = job->alg;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool is_stdin = strcmp(job->name, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(job->name, O_RDONLY | O_CLOEXEC);
    job->missing = fd < 0 && errno == ENOENT;
    job->out = allocate(NULL, job->outlen);
    if (fd < 0)
        job->wrong = strerror(errno);
    else if (ctx == NULL || !EVP_DigestInit_ex2(ctx, alg->md, alg->params))
        job->wrong = last_reason();
    else
        job->wrong = absorb(ctx, alg, fd);
    if (job->wrong == NULL && !(alg->is_xof ? EVP_DigestFinalXOF(ctx, job->out, job->outlen)
                                            : EVP_DigestFinal_ex(ctx, job->out, NULL)))
        job->wrong = last_reason();
    EVP_MD_CTX_free(ctx);
    if (fd >= 0 && !is_stdin)
        close(fd);
}

/* --- The progress bar --- */

static volatile sig_atomic_t bar_drawn;

/* Async-signal-safe. */
static void bar_clear(void)
{
    if (bar_drawn && write(STDERR_FILENO, "\r\033[K", 4) > 0)
        bar_drawn = 0;
}

void bar_interrupted(int number)
{
    bar_clear();
    signal(number, SIG_DFL);
    raise(number);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A bar where the end is known: of pipes it is not. */
static void bar_draw(double elapsed, double total)
{
    double done = (double)bytes_done, part = done < total ? done / total : 1;
    bar_drawn = 1;
    fprintf(stderr, "\r%.0f MiB, %.0f MiB/s ", done / 0x1p20, done / 0x1p20 / elapsed);
    if (total > 0)
        fprintf(stderr, "[%-30.*s] %.0f %%", (int)(30 * part), "##############################",
                100 * part);
    fputs("\033[K", stderr);
}

/* --- Jobs --- */

static struct job *queue;
static size_t queued;
static _Atomic size_t taken;
static sem_t finished;

static void *work(void *unused)
{
    for (size_t i; (i = taken++) < queued; sem_post(&finished)) {
        if (queue[i].alg != NULL)
            job_hash(&queue[i]);
        queue[i].done = true;
    }
    return unused;
}

/* Starts threads that get no signal to end the program: its handler, there, could be overtaken by a
 * new bar. Returns how many. */
static unsigned threads_start(pthread_t *threads)
{
    unsigned count = 0;
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    while (count < asked.at_once && count < queued &&
           pthread_create(&threads[count], NULL, work, NULL) == 0)
        count++;
    pthread_sigmask(SIG_UNBLOCK, &ends, NULL);
    return count;
}

void jobs_run(struct job *jobs, size_t count, void (*report)(const struct job *job))
{
    double total = 0, start = seconds(), drawn = start;
    struct sigaction guard = {.sa_sigaction = page_replace, .sa_flags = SA_SIGINFO};
    struct stat st;
    for (size_t i = 0; asked.progress && i < count; i++)
        if (jobs[i].alg != NULL && stat(jobs[i].name, &st) == 0)
            total += (double)st.st_size;
    sigaction(SIGBUS, &guard, NULL);
    sem_init(&finished, 0, 0);
    queue = jobs;
    queued = count;
    taken = 0;
    pthread_t *threads = allocate(NULL, asked.at_once * sizeof(*threads));
    unsigned running = threads_start(threads);
    if (running == 0)
        work(NULL);
    for (size_t reported = 0; reported < count;) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        sem_clockwait(&finished, CLOCK_MONOTONIC, &until);
        for (; reported < count && jobs[reported].done; free(jobs[reported++].out)) {
            bar_clear();
            report(&jobs[reported]);
        }
        if (asked.progress && seconds() - drawn >= 1) {
            drawn = seconds();
            bar_draw(drawn - start, total);
        }
    }
    bar_clear();
    while (running > 0)
        pthread_join(threads[--running], NULL);
    free(threads);
}
