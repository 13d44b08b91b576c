/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The benchmark's parts. A row names some work of ours and what it is compared with; a library
 * opens work as a job, if it can do it; speed_measure times the jobs of a row in turns. A new row
 * is an entry in speed_rows.c, a new opponent is one more struct speed_library. */
#ifndef KECCAKPROV_SPEED_H
#define KECCAKPROV_SPEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "keccak.h"

/* What one operation does. Those on a message hash `updates` pieces of inlen bytes. */
enum speed_task {
    SPEED_HASH,    /* init, updates, final; one context serves all messages */
    SPEED_NEW,     /* the same, with a new context for each message */
    SPEED_DIGEST,  /* one call, the algorithm at hand: EVP_Digest */
    SPEED_QUICK,   /* one call, the algorithm looked up by name: EVP_Q_digest */
    SPEED_COPY,    /* copies a context that is in a message */
    SPEED_RESUME,  /* copies an initialised context, updates, final */
    SPEED_SQUEEZE, /* init, updates, squeezes */
    SPEED_MAC,     /* init without a key, updates, final: a MAC under the key of before */
    SPEED_PERMUTE, /* the kernel, `updates` times */
    SPEED_ABSORB,  /* updates of the bare sponge */
    SPEED_TASKS
};

struct speed_work {
    const char *algorithm; /* NULL: no work at all */
    enum speed_task task;
    size_t inlen, updates;
    size_t outlen, squeezes; /* so many outputs of outlen bytes; no squeezes are one */
    const char *strings[2];  /* the customization, of every other message; or NULL */
    keccak_kernel *kernel;   /* for SPEED_PERMUTE */
    size_t less;             /* the time of the same with this inlen is taken off; 0: none */
    size_t per;              /* the time is divided by this; 0: 1 */
};

#define SPEED_VERSUS 2

struct speed_row {
    char name[48];
    size_t bytes; /* for bytes per second; 0: that says nothing */
    struct speed_work work;
    struct speed_work versus[SPEED_VERSUS]; /* the others do the first that they can */
};

/* Work made ready, by one library. */
struct speed_job {
    struct speed_work work;
    const uint8_t *in;
    uint8_t *out;
    void *data; /* the library's */
    void (*run)(struct speed_job *job);
    void (*close)(struct speed_job *job);
};

struct speed_library {
    const char *name;
    const char *version; /* NULL: absent when the program was configured */
    const void *context; /* the library's */
    /* Fills data, run and close; false if the library cannot do the work. */
    bool (*open)(const struct speed_library *library, struct speed_job *job);
};

#define SPEED_LIBRARIES 5

/* What was measured: the first cell of a row is ours. */
struct speed_cell {
    const struct speed_library *library;
    const char *algorithm;
    double ns;
};

/* speed.c: ends the program, with libcrypto's errors. */
_Noreturn void speed_die(const char *what);

static inline void speed_need(bool ok, const char *what)
{
    if (!ok)
        speed_die(what);
}

/* speed_evp.c: libcrypto, with keccakprov from that folder under that `isa`, and without it. The
 * version of keccakprov is its buildinfo. */
struct speed_library speed_keccakprov(const char *module_dir, const char *isa);
struct speed_library speed_openssl(void);

/* speed_engine.c: the kernels and the sponge without a provider around them. */
struct speed_library speed_engine(const struct keccak_ops *ops);

/* speed_gcrypt.c, speed_nettle.c: only where they were found. */
struct speed_library speed_gcrypt(void);
struct speed_library speed_nettle(void);

/* speed_rows.c: all rows; ops are the kernels that the provider chose. */
const struct speed_row *speed_rows(const struct keccak_ops *ops, size_t *count);

/* speed_measure.c: the number of cells, 0 if we cannot do the row ourselves. The first two of the
 * libraries are ours. */
size_t speed_measure(const struct speed_row *row, const struct speed_library *libraries,
                     size_t rounds, struct speed_cell cells[SPEED_LIBRARIES]);

/* speed_print.c: as text or as JSON. */
void speed_print_begin(bool json, const struct speed_library *libraries, size_t rounds);
void speed_print_row(bool json, const struct speed_row *row, const struct speed_cell *cells,
                     size_t count);
void speed_print_end(bool json);

#endif
