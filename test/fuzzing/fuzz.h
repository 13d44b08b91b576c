/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the fuzz targets share. A target is a file with LLVMFuzzerTestOneInput: it takes its
 * decisions from the input, byte by byte, and aborts where the module does what it must not. */
#ifndef KECCAKPROV_FUZZ_H
#define KECCAKPROV_FUZZ_H

#include "fakecore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is left of the input. Taking from an empty one gives zeros. */
struct input {
    const uint8_t *data;
    size_t left;
};

/* A byte, below limit. */
unsigned fuzz_take(struct input *in, unsigned limit);

/* A length: any byte's value, or one of those around which code behaves differently. */
size_t fuzz_take_length(struct input *in);

/* Aborts, with the place, unless it is so. */
#define FUZZ_CHECK(truth) ((truth) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #truth))

_Noreturn void fuzz_fail(const char *file, int line, const char *what);

/* The module as it is on one of fake_hosts; `fake` is that of this host until the next call. With
 * portable true, with the portable kernel. */
void fuzz_enter(unsigned host, bool portable);

/* Asserts that a call which returned ok queued no error, or else exactly one with a reason. */
void fuzz_expect(bool ok);

/* What all messages, keys and strings are the first bytes of. */
#define FUZZ_TEXT ((size_t)1 << 18)
const uint8_t *fuzz_text(void);

#endif
