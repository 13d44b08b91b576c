/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * A digest context and what it should hold. */
#ifndef KECCAKPROV_OPERATIONS_H
#define KECCAKPROV_OPERATIONS_H

#include "fuzz.h"

#define UNSET SIZE_MAX
#define ELEMENTS 16

enum phase { DEAD, ABSORBING, SQUEEZING, FINISHED };

/* The parameters that an algorithm may have; UNSET: its default. Strings are given by length. */
struct settings {
    size_t n, s, domain, leaf_size, xof;
};

struct model {
    size_t algorithm; /* the place in the host's table */
    enum phase phase;
    bool started; /* data came: what goes before it is fixed */
    struct settings set;
    size_t length;  /* what `xoflen` says; of those that encode it */
    size_t encoded; /* the length that was hashed */
    size_t fed;     /* bytes of message */
    size_t out;     /* bytes of output so far */
    size_t elements, element[ELEMENTS];
};

/* A parameter array with these settings, and xoflen unless that is UNSET; good until the next call.
 */
const OSSL_PARAM *model_params(const struct settings *set, size_t xoflen);

/* The bytes that come out of a context next, n of them, by another way: in one piece, from the
 * host's default provider if it has the algorithm, else from the portable kernel. */
void model_expect(unsigned host, const struct model *model, size_t n, uint8_t *out);

#endif
