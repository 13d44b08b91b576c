/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the files of keccaksum share. */
#ifndef KECCAKSUM_H
#define KECCAKSUM_H

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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
    size_t outlen;
    unsigned at_once;
    int tag, zero, check, strict, ignore_missing, progress;
    int mark;                                       /* 'b' or 't' */
    enum { NORMAL, QUIET, STATUS, WARN } verbosity; /* the last one given counts */
} asked;

/* A file to hash, or a line of a list that is none. */
struct job {
    const struct algorithm *alg; /* NULL: nothing to do */
    char *name;                  /* "-" is the standard input */
    uint8_t *out, *wanted;       /* what we compute, and what a list says */
    size_t outlen;
    size_t line;       /* of a list */
    char *text;        /* that line, where the name is */
    const char *wrong; /* why there is no output, or NULL */
    bool missing;      /* there is no such file */
    _Atomic bool done;
};

/* --- algorithm.c --- */

/* The module in a library context of its own, whatever openssl.cnf says; NULL on failure. */
OSSL_PROVIDER *module_load(void);

/* The last error in the queue that has a reason, in words. Empties the queue. */
const char *last_reason(void);

/* realloc that ends the program when memory is short. */
void *allocate(void *old, size_t size);

/* Adds ",name=value" to *text, the value in hex if it would not pass as it is. */
void parameter_append(char **text, const char *name, const char *value);

/* Never NULL, but see wrong. */
const struct algorithm *algorithm_find(const char *text);

/* --- list.c --- */

/* Writes a message to the standard error. The name, of a file, may be NULL. */
void complain(const char *name, const char *format, ...);

/* Writes the checksums of the files. True if all could be read. */
bool list_write(char **names, size_t count);

/* Checks what a list names. True if all was well. */
bool list_check(const char *name);

/* --- hash.c --- */

/* Hashes the files, some at once, and hands them to report in order. */
void jobs_run(struct job *jobs, size_t count, void (*report)(const struct job *job));

/* A signal handler: wipes the progress bar before the program ends. */
void bar_interrupted(int number);

/* --- status.c --- */

/* Says what the configuration makes of keccakprov; returns the exit code. */
int status_report(void);

#endif
