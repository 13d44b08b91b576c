/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the tests of tree hashing share: each algorithm, with leaves of several sizes, on each
 * kernel set. */
#ifndef KECCAKPROV_LEAVES_H
#define KECCAKPROV_LEAVES_H

#include "fakecore.h"

#define LEAF 8192 /* of KT, and the default of ParallelHash */
#define INPUT (23 * LEAF)
#define OUT 100

struct subject {
    const char *name;
    size_t leaf_size; /* 0: the default */
};

#define SUBJECTS 8
extern const struct subject subjects[SUBJECTS];

/* The one under test, between leaves_load and leaves_unload. */
extern const struct subject *subject;
extern struct digest d;
extern uint8_t input[INPUT]; /* random */

/* Loads the module with this `isa`; the second also asserts that nothing was lost. */
void leaves_load(const char *isa, const struct subject *which);
void leaves_unload(void);

/* Runs a test on every subject and kernel set. */
void leaves_each(void (*test)(void));

/* Whether leaves wait for each other: with a wide kernel, unless they are large. */
bool leaves_wait(void);

void leaves_init(void *ctx);

/* Updates with these bytes of input, in pieces of that many; 0: of random lengths. */
void leaves_feed(void *ctx, size_t from, size_t to, size_t piece);

/* A new context that got the first n bytes. */
void *leaves_fed(size_t n, size_t piece);

/* The output, and the end of the context. */
void leaves_finish(void *ctx, uint8_t out[OUT]);

#endif
