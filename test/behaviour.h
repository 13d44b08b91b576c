/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Calls that the default provider answers otherwise than keccakprov, on one host or another. */
#ifndef KECCAKPROV_BEHAVIOUR_H
#define KECCAKPROV_BEHAVIOUR_H

#include "test.h"

/* What came of a call. */
enum verdict {
    ABSENT,  /* the host, or the provider, has no such thing */
    OK,      /* the right answer */
    NO,      /* refused, and nothing written */
    JUNK,    /* success, with an answer that is none or wrong */
    VOID,    /* success, without effect */
    OVER,    /* bytes written where there was no room */
    CRASH,   /* the end of the process */
    GOES,    /* after a failed init: success */
    VERDICTS /* of a test that is broken */
};

struct behaviour {
    const char *call;
    enum verdict (*probe)(void);
};

extern const struct behaviour behaviours_digest[], behaviours_mac[], behaviours_state[];

/* Asks a provider, in a process of its own. */
enum verdict behaviour_of(const struct behaviour *b, OSSL_LIB_CTX *libctx, const char *provider);

/* For the probes. No assertion may leave their process: what they take for granted they need. */

extern OSSL_LIB_CTX *probe_libctx;
extern const char *probe_query;
extern uint8_t probe_out[4096];

void probe_need(bool condition);

OSSL_PARAM probe_utf8(const char *key, const char *string, size_t n);
OSSL_PARAM probe_octets(const char *key, const void *bytes, size_t n);
OSSL_PARAM probe_number(const char *key, size_t value);
#define PARAMS(...) ((const OSSL_PARAM[]){__VA_ARGS__, OSSL_PARAM_END})

/* A new context after init with these parameters; and after three bytes, "abc". */
EVP_MD_CTX *probe_start(const char *name, const OSSL_PARAM *params);
EVP_MD_CTX *probe_fed(const char *name);

/* Prepares probe_out for so many bytes; then tells whether a call that said `success` gave this
 * answer, in hex, and no more than there was room for. "": there is no right answer. */
void probe_room(size_t n);
enum verdict probe_judge(int success, const char *answer);

enum verdict probe_final(EVP_MD_CTX *ctx, size_t n, const char *answer);
enum verdict probe_final_xof(EVP_MD_CTX *ctx, size_t n, const char *answer);
enum verdict probe_squeeze(EVP_MD_CTX *ctx, size_t n, const char *answer);

#endif
