/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Known answers, one a line: `WORD key=value key=value ...`, as test/data/known-answers.txt shows.
 */
#ifndef KECCAKPROV_VECTORS_H
#define KECCAKPROV_VECTORS_H

#include "test.h"

struct bytes {
    uint8_t *data;
    size_t size;
};

/* A line cut at its spaces. Whoever asks for a value takes it out; what is missing or malformed
 * makes the line broken, and so does, in the end, a value that nobody took. */
struct line {
    char *word;
    struct {
        char *key, *value; /* key: NULL once taken */
    } fields[12];
    size_t count;
    void *rooms[12]; /* on the heap, each of exactly the size asked for */
    size_t room_count;
    bool broken;
};

enum verdict { PASSED, NOT_OFFERED, LARGE, WRONG, UNPARSABLE, VERDICTS };

/* Cuts text in place. */
void line_split(struct line *line, char *text);
void line_free(struct line *line);
bool line_has(const struct line *line, const char *key);
char *line_text(struct line *line, const char *key);
size_t line_number(struct line *line, const char *key); /* decimal */
unsigned line_byte(struct line *line, const char *key); /* two digits of hex */
/* The bytes of KEY=hex, KEY_repeat=hex*count or KEY_ptn=length. */
struct bytes line_bytes(struct line *line, const char *key);
struct bytes line_hex(struct line *line, const char *hex);
size_t line_unhex(struct line *line, const char *hex, uint8_t *out); /* returns the bytes */
struct bytes line_room(struct line *line, size_t size);
bool line_all_taken(const struct line *line);

/* One call of a digest. What is NULL or 0 is no parameter: name is for cSHAKE, custom for whatever
 * can be customized, domain for TurboSHAKE, leaf_size and xof for ParallelHash. */
struct job {
    OSSL_LIB_CTX *libctx;
    const char *alg;
    EVP_MD *md;
    struct bytes name, custom, msg;
    unsigned domain;
    size_t leaf_size;
    int xof;
};

/* Fetches job->md, ours, from job->libctx. */
bool job_fetch(struct job *job);
/* Hashes the message whole, and again in pieces; false if a call fails, if the two differ, or
 * if a digest of fixed size is asked for another. */
bool job_hash(const struct job *job, uint8_t *out, size_t outlen);

/* A tuple of a TUPLEHASH line: t=hex,hex,... of tn elements, or t_prefixes=hex, whose prefixes of
 * 0, 1 ... bytes are the elements. */
struct tuple {
    struct bytes *elements;
    size_t count;
    bool xof;
};

struct tuple line_tuple(struct line *line);
/* Hashes the tuple with job->custom, element by element and again in one parameter array; false if
 * a call fails or if the two differ. */
bool job_tuple(const struct job *job, const struct tuple *tuple, uint8_t *out, size_t outlen);

/* KMAC by three ways: init with all; again with the kept key, in two pieces; all set beforehand,
 * and finished on a copy. False if a call fails or if they differ. */
bool job_kmac(const struct job *job, struct bytes key, bool xof, struct bytes out);

/* The default provider's HMAC with our digest job->alg; whole, and in two pieces. */
bool job_hmac(const struct job *job, struct bytes key, struct bytes out);

/* Monte Carlo tests, and procedures of many calls with one answer. */
enum verdict chain_run(struct line *line, struct job *job);
enum verdict procedure_run(struct line *line, struct job *job);

/* XKCP's procedures for KT; name is the line's `proc`, want its `out`. */
enum verdict tree_procedure(struct line *line, struct job *job, const char *name,
                            struct bytes want);

#endif
