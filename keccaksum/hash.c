/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Files hashed in several threads, and how far they have come. */
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
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
 * page the digest comes to its end, and is dropped then. Any other SIGBUS ends the program. */
static void page_replace(int number, siginfo_t *info, void *context)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *page = (char *)info->si_addr - (uintptr_t)info->si_addr % size;
    int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS;
    (void)context;
    page_lost = 1;
    if (info->si_code != BUS_ADRERR || mmap(page, size, PROT_READ, flags, -1, 0) == MAP_FAILED) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* Feeds a large regular file without copying it, but for an end that is to be read. False on a
 * failure, of which libcrypto's queue tells, or errno. */
static bool absorb_mapped(EVP_MD_CTX *ctx, int fd)
{
    struct stat st, now;
    off_t at = 0, n;
    if (lseek(fd, 0, SEEK_CUR) != 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return true;
    for (; st.st_size - at >= READ_BYTES; at += n) {
        n = st.st_size - at < WINDOW_BYTES ? st.st_size - at : WINDOW_BYTES;
        void *window = mmap(NULL, (size_t)n, PROT_READ, MAP_SHARED, fd, at);
        if (window == MAP_FAILED)
            break;
        page_lost = 0;
        bool good = EVP_DigestUpdate(ctx, window, (size_t)n);
        munmap(window, (size_t)n);
        /* What a page has behind the end of a file that became shorter reads as zeros. */
        good = good && !page_lost && fstat(fd, &now) == 0 && now.st_size >= at + n;
        errno = EIO;
        if (!good)
            return false;
        bytes_done += (uint64_t)n;
    }
    return lseek(fd, at, SEEK_SET) == at;
}

/* Feeds what the file has, a full buffer at a time, for pipes give little: a tuple's element in
 * one. False as above. */
static bool absorb(EVP_MD_CTX *ctx, int fd, bool is_tuple)
{
    bool good = is_tuple || absorb_mapped(ctx, fd);
    size_t room = READ_BYTES, len = 0;
    uint8_t *buffer = allocate(NULL, room);
    ssize_t n = -1;
    while (good && (n = read(fd, buffer + len, room - len)) > 0) {
        bytes_done += (uint64_t)n;
        len += (size_t)n;
        if (len == room && is_tuple) {
            buffer = allocate(buffer, room *= 2);
        } else if (len == room) {
            good = EVP_DigestUpdate(ctx, buffer, len);
            len = 0;
        }
    }
    /* Not by an update: libcrypto drops an empty one. */
    OSSL_PARAM element[] = {OSSL_PARAM_octet_string("element", buffer, len), OSSL_PARAM_END};
    good = good && n == 0 &&
           (is_tuple ? EVP_MD_CTX_set_params(ctx, element) : EVP_DigestUpdate(ctx, buffer, len));
    free(buffer);
    return good;
}

static void job_hash(struct job *job)
{
    const struct algorithm *alg = job->alg;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t *out = allocate(NULL, job->outlen);
    bool is_stdin = strcmp(job->name, "-") == 0;
    ERR_clear_error();
    int fd = is_stdin ? STDIN_FILENO : open(job->name, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && ctx != NULL && EVP_DigestInit_ex2(ctx, alg->md, alg->params) &&
        absorb(ctx, fd, alg->is_tuple) &&
        (alg->is_xof ? EVP_DigestFinalXOF(ctx, out, job->outlen)
                     : EVP_DigestFinal_ex(ctx, out, NULL))) {
        job->hex = allocate(NULL, 2 * job->outlen + 1);
        for (size_t i = 0; i < job->outlen; i++)
            sprintf(job->hex + 2 * i, "%02x", out[i]);
    } else {
        job->missing = fd < 0 && errno == ENOENT;
        job->wrong = ERR_peek_error() != 0 ? last_reason() : strerror(errno);
    }
    if (fd >= 0 && !is_stdin)
        close(fd);
    EVP_MD_CTX_free(ctx);
    free(out);
}

static struct job *queue;
static size_t queued, reported;
static _Atomic size_t taken;

/* --- The progress bar --- */

/* Guards the bar and the reports. The main thread lets go of it only while jobs run: nothing is
 * drawn before or after. */
static pthread_mutex_t terminal = PTHREAD_MUTEX_INITIALIZER;
static bool bar_drawn;
static double began, bytes_total; /* these jobs */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void bar_clear(void)
{
    if (bar_drawn && write(STDERR_FILENO, "\r\033[K", 4) > 0)
        bar_drawn = false;
}

/* A bar where the end is known: of pipes it is not. */
static void bar_draw(double elapsed)
{
    double done = (double)bytes_done, part = done < bytes_total ? done / bytes_total : 1;
    bar_drawn = true;
    fprintf(stderr, "\r%.0f MiB, %.0f MiB/s ", done / 0x1p20, done / 0x1p20 / elapsed);
    if (bytes_total > 0)
        fprintf(stderr, "[%-30.*s] %.0f %%", (int)(30 * part), "##############################",
                100 * part);
    fputs("\033[K", stderr);
}

/* A thread: draws each second, but for the first of these jobs. It alone gets the signals that end
 * the program, so that no bar comes after it has wiped the last one. */
static void *bar_run(void *ends)
{
    struct timespec wait = {.tv_sec = 1};
    while (true) {
        int number = sigtimedwait(ends, NULL, &wait);
        wait = (struct timespec){.tv_sec = 1};
        if (number > 0) {
            bar_clear();
            pthread_sigmask(SIG_UNBLOCK, ends, NULL);
            raise(number);
        } else if (pthread_mutex_trylock(&terminal) == 0) {
            double elapsed = seconds() - began;
            if (elapsed < 1)
                wait = (struct timespec){.tv_nsec = (long)(999999999 * (1 - elapsed))};
            else if (reported < queued)
                bar_draw(elapsed);
            pthread_mutex_unlock(&terminal);
        }
    }
    return NULL; /* never */
}

void jobs_prepare(void)
{
    struct sigaction guard = {.sa_sigaction = page_replace, .sa_flags = SA_SIGINFO};
    static sigset_t ends;
    pthread_t thread;
    sigaction(SIGBUS, &guard, NULL);
    pthread_mutex_lock(&terminal);
    if (!asked.progress)
        return;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    if (pthread_create(&thread, NULL, bar_run, &ends) != 0)
        pthread_sigmask(SIG_UNBLOCK, &ends, NULL);
}

/* --- Jobs --- */

/* Hashes job after job; reports each, and those that waited for it. */
static void *work(void *unused)
{
    for (size_t i; (i = taken++) < queued;) {
        if (queue[i].alg != NULL)
            job_hash(&queue[i]);
        pthread_mutex_lock(&terminal);
        queue[i].done = true;
        for (; reported < queued && queue[reported].done; free(queue[reported++].hex)) {
            bar_clear();
            job_report(&queue[reported]);
        }
        pthread_mutex_unlock(&terminal);
    }
    return unused;
}

void jobs_run(struct job *jobs, size_t count)
{
    struct stat st;
    pthread_t threads[JOBS_MAX];
    size_t more = 0; /* than this one */
    queue = jobs;
    queued = count;
    bytes_done = taken = reported = 0;
    bytes_total = 0;
    began = seconds();
    for (size_t i = 0; asked.progress && i < count; i++)
        if (jobs[i].alg != NULL && stat(jobs[i].name, &st) == 0)
            bytes_total += (double)st.st_size;
    pthread_mutex_unlock(&terminal);
    while (more + 1 < asked.at_once && more + 1 < count &&
           pthread_create(&threads[more], NULL, work, NULL) == 0)
        more++;
    work(NULL);
    while (more > 0)
        pthread_join(threads[--more], NULL);
    pthread_mutex_lock(&terminal);
    bar_clear();
}
