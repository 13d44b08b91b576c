/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the files of keccaksum share. */
#ifndef KECCAKSUM_H
#define KECCAKSUM_H

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdbool.h>

#define JOBS_MAX 1024 /* at once */

/* An algorithm and its parameters. */
struct algorithm {
    char *text;        /* what it was found by: "kt128,custom=text" */
    const char *wrong; /* why it cannot be used, or NULL */
    EVP_MD *md;
    OSSL_PARAM *params; /* for init */
    size_t size;        /* of the output in bytes, if nothing else is asked for */
    bool is_xof;        /* any size can be asked for */
    bool is_tuple;      /* the whole file is one element */
    struct algorithm *previous;
};

/* What the options ask for. */
extern struct asked {
    const struct algorithm *algorithm;
    size_t bits, outlen; /* 0 bits: the algorithm's own length */
    size_t at_once;
    int tag, zero, check, strict, ignore_missing, progress;
    int mark;                                       /* 'b' or 't' */
    enum { NORMAL, QUIET, STATUS, WARN } verbosity; /* the last one given counts */
} asked;

/* A file to hash, or a line of a list that is none. */
struct job {
    const struct algorithm *alg; /* NULL: nothing to do */
    char *name;                  /* "-" is the standard input */
    size_t outlen;
    char *hex;         /* the checksum, or NULL */
    const char *wrong; /* why there is none */
    bool missing;      /* there is no such file */
    bool done;
    size_t line;        /* of a list */
    char *text;         /* that line, where name and wanted are */
    const char *wanted; /* what it says, in hex */
};

/* --- keccaksum.c --- */

/* The module in a library context of its own, whatever openssl.cnf says; NULL on failure. */
OSSL_PROVIDER *module_load(void);

/* The last error in the queue that has a reason, in words. Empties the queue. */
const char *last_reason(void);

/* realloc that ends the program when memory is short. */
void *allocate(void *old, size_t size);

/* Never NULL, but see wrong. */
const struct algorithm *algorithm_find(const char *text);

/* --- list.c --- */

/* Writes the checksums of the files. True if all could be read. */
bool list_write(char **names, size_t count);

/* Checks what a list names. True if all was well. */
bool list_check(const char *name);

/* Says what came of a job. */
void job_report(const struct job *job);

/* --- hash.c --- */

/* Once, before the first jobs. */
void jobs_prepare(void);

/* Hashes the files, some at once, and reports them in order. */
void jobs_run(struct job *jobs, size_t count);

/* --- status.c --- */

/* Says what the configuration makes of keccakprov. True if programs use it, and it is well. */
bool status_report(void);

#endif
