/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Algorithms by their text, and files hashed with them in several threads. */
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "keccaksum.h"

#define STATE_BYTES 200              /* of Keccak: rate and capacity */
#define READ_BYTES ((size_t)1 << 20) /* many leaves, for kernels of many states */

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
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    return reason != NULL ? reason : "unknown error";
}

void *allocate(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (new != NULL)
        return new;
    fputs("keccaksum: memory exhausted\n", stderr);
    exit(EXIT_FAILURE);
}

bool hex_decode(const char *digits, size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        int nibble = OPENSSL_hexchar2int((unsigned char)digits[i]);
        if (nibble < 0)
            return false;
        out[i / 2] = (uint8_t)((i % 2 == 0 ? 0 : out[i / 2] << 4) | nibble);
    }
    return count % 2 == 0;
}

/* --- Algorithms --- */

static const struct parameter {
    const char *name, *key;
    unsigned type;
} parameters[] = {{"custom", "customization", OSSL_PARAM_OCTET_STRING},
                  {"function", "function-name", OSSL_PARAM_OCTET_STRING},
                  {"element", "element", OSSL_PARAM_OCTET_STRING},
                  {"domain", "domain-separator", OSSL_PARAM_UNSIGNED_INTEGER},
                  {"leaf-size", "leaf-size", OSSL_PARAM_UNSIGNED_INTEGER},
                  {NULL, NULL, 0}};

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
    char *end, *value = strchr(name, '=');
    const struct parameter *known = parameters;
    if (value != NULL)
        *value++ = '\0';
    while (known->name != NULL && strcmp(known->name, name) != 0)
        known++;
    if (value == NULL || known->name == NULL || !has(settable, known->key))
        return "the algorithm has no such parameter";
    size_t len = strlen(value), used = sizeof(uint64_t);
    uint64_t *data = allocate(NULL, used + len);
    errno = 0;
    *data = strtoull(value, &end, 0);
    bool good = errno == 0 && *end == '\0' && value[0] >= '0' && value[0] <= '9';
    if (known->type != OSSL_PARAM_UNSIGNED_INTEGER) {
        bool is_hex = strncmp(value, "hex:", 4) == 0;
        used = is_hex ? (len - 4) / 2 : len;
        good = !is_hex || hex_decode(value + 4, len - 4, (uint8_t *)data);
        if (!is_hex)
            memcpy(data, value, len);
    }
    *param = (OSSL_PARAM){known->key, known->type, data, used, OSSL_PARAM_UNMODIFIED};
    return good ? NULL : "a parameter has no such value";
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

/* --- Files --- */

static _Atomic uint64_t bytes_read;

/* Reads until the buffer is full or the file ends: pipes give little at a time. */
static ssize_t fill(int fd, uint8_t *buffer, size_t room)
{
    size_t used = 0;
    ssize_t n = 1;
    for (; used < room && n > 0; used += (size_t)n, bytes_read += (uint64_t)n)
        if ((n = read(fd, buffer + used, room - used)) < 0)
            return n;
    return (ssize_t)used;
}

/* Feeds what the file has. */
static bool absorb(EVP_MD_CTX *ctx, const struct algorithm *alg, int fd, uint8_t **buffer)
{
    size_t room = READ_BYTES, len = 0;
    ssize_t n;
    while ((n = fill(fd, *buffer + len, room - len)) > 0) {
        if (alg->is_tuple) {
            len += (size_t)n;
            room *= len == room ? 2 : 1;
            *buffer = allocate(*buffer, room);
        } else if (!EVP_DigestUpdate(ctx, *buffer, (size_t)n)) {
            return false;
        }
    }
    /* Not by an update: libcrypto drops an empty one. */
    OSSL_PARAM element[] = {OSSL_PARAM_octet_string("element", *buffer, len), OSSL_PARAM_END};
    return n == 0 && (!alg->is_tuple || EVP_MD_CTX_set_params(ctx, element));
}

/* On false, errno is 0 if the failure was libcrypto's. */
static bool digest(struct job *job, int fd)
{
    const struct algorithm *alg = job->alg;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t *buffer = allocate(NULL, READ_BYTES);
    job->out = allocate(NULL, job->outlen);
    errno = 0;
    bool good = ctx != NULL && EVP_DigestInit_ex2(ctx, alg->md, alg->params) &&
                absorb(ctx, alg, fd, &buffer) &&
                (alg->is_xof ? EVP_DigestFinalXOF(ctx, job->out, job->outlen)
                             : EVP_DigestFinal_ex(ctx, job->out, NULL));
    free(buffer);
    EVP_MD_CTX_free(ctx);
    return good;
}

static void job_hash(struct job *job)
{
    bool is_stdin = strcmp(job->name, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(job->name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !digest(job, fd))
        job->wrong = errno != 0 ? strerror(errno) : last_reason();
    job->missing = fd < 0 && errno == ENOENT;
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
    double done = (double)bytes_read, part = done < total ? done / total : 1;
    bar_drawn = 1;
    fprintf(stderr, "\r%.0f MiB, %.0f MiB/s ", done / 0x1p20, done / 0x1p20 / elapsed);
    if (total > 0)
        fprintf(stderr, "[%-30.*s] %.0f %%", (int)(30 * part), "##############################",
                100 * part);
    fputs("\033[K", stderr);
}

/* --- Jobs --- */

static sem_t slots; /* jobs that may begin */

static void *job_do(void *arg)
{
    struct job *job = arg;
    if (job->alg != NULL)
        job_hash(job);
    job->done = true;
    sem_post(&slots);
    return NULL;
}

/* In a thread that gets no signals: a handler there could be overtaken by a new bar. */
static void job_start(struct job *job)
{
    sigset_t all, old;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (job->alg != NULL && pthread_create(&thread, NULL, job_do, job) == 0)
        pthread_detach(thread);
    else
        job_do(job);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void jobs_run(struct job *jobs, size_t count, unsigned at_once, bool progress,
              void (*report)(const struct job *job))
{
    double total = 0, start = seconds(), drawn = start;
    size_t reported = 0, taken = 0;
    struct stat st;
    for (size_t i = 0; progress && i < count; i++)
        if (jobs[i].alg != NULL && stat(jobs[i].name, &st) == 0)
            total += (double)st.st_size;
    sem_init(&slots, 0, at_once);
    for (size_t started = 0; reported < count;) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        bool is_free = sem_clockwait(&slots, CLOCK_MONOTONIC, &until) == 0;
        taken += is_free;
        if (is_free && started < count)
            job_start(&jobs[started++]);
        for (; reported < started && jobs[reported].done; free(jobs[reported++].out)) {
            bar_clear();
            report(&jobs[reported]);
        }
        if (progress && seconds() - drawn >= 1) {
            drawn = seconds();
            bar_draw(drawn - start, total);
        }
    }
    bar_clear();
    for (; taken < at_once + count; taken++)
        sem_wait(&slots); /* until no thread is about to post */
}
