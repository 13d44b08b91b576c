/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * A stand-in for libcrypto's core: loads the module by itself, says it is any version of libcrypto,
 * fails allocations on request, counts them and records errors. What EVP hides or guards becomes
 * reachable: every dispatch function is called directly. */
#ifndef KECCAKPROV_FAKECORE_H
#define KECCAKPROV_FAKECORE_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include "test.h"

/* One digest's dispatch table. */
struct digest {
    const char *names;
    OSSL_FUNC_digest_newctx_fn *newctx;
    OSSL_FUNC_digest_init_fn *init;
    OSSL_FUNC_digest_update_fn *update;
    OSSL_FUNC_digest_final_fn *final;
    int (*squeeze)(void *ctx, unsigned char *out, size_t *outl, size_t outsz); /* or NULL */
    OSSL_FUNC_digest_freectx_fn *freectx;
    OSSL_FUNC_digest_dupctx_fn *dupctx;
    void (*copyctx)(void *dst, void *src);
    OSSL_FUNC_digest_get_params_fn *get_params;
    OSSL_FUNC_digest_gettable_params_fn *gettable_params;
    OSSL_FUNC_digest_set_ctx_params_fn *set_ctx_params;
    OSSL_FUNC_digest_get_ctx_params_fn *get_ctx_params;
    OSSL_FUNC_digest_settable_ctx_params_fn *settable_ctx_params;
    OSSL_FUNC_digest_gettable_ctx_params_fn *gettable_ctx_params;
    int (*serialize)(void *ctx, unsigned char *out, size_t *outl);
    int (*deserialize)(void *ctx, const unsigned char *in, size_t inlen);
};

/* One MAC's dispatch table. */
struct mac {
    const char *names;
    OSSL_FUNC_mac_newctx_fn *newctx;
    OSSL_FUNC_mac_dupctx_fn *dupctx;
    OSSL_FUNC_mac_freectx_fn *freectx;
    OSSL_FUNC_mac_init_fn *init;
    OSSL_FUNC_mac_update_fn *update;
    OSSL_FUNC_mac_final_fn *final;
    OSSL_FUNC_mac_get_ctx_params_fn *get_ctx_params;
    OSSL_FUNC_mac_set_ctx_params_fn *set_ctx_params;
    OSSL_FUNC_mac_gettable_ctx_params_fn *gettable_ctx_params;
    OSSL_FUNC_mac_settable_ctx_params_fn *settable_ctx_params;
};

struct fakecore {
    void *provctx; /* NULL: the load failed */
    const OSSL_DISPATCH *functions;
    void *library; /* dlopen's handle */

    const char *version; /* openssl-version */
    const char *isa;     /* configuration; NULL: absent */
    const char *self_test;
    int withheld; /* an upcall that this core lacks; 0: none */

    enum { NO_GUARD, GUARD_BEFORE, GUARD_BEHIND } guard; /* what touches each allocation */
    long allocations_left;                               /* fail when this reaches 0; -1: never */
    size_t allocations;                                  /* so far */
    size_t live;                                         /* allocations not yet freed */
    size_t errors;                                       /* so far */
    bool dirty_free; /* memory was given back with a wrong size, so partly unwiped */
    uint32_t reason; /* of the last error */
    bool (*self_test_callback)(const char *phase, const char *description);
};

/* The core is one for the process: the module hands its address back in each upcall. */
extern struct fakecore fake;

/* Loads the module at path, as libcrypto `version` would. Fields of `fake` that configure the load
 * are kept, counters restart. Returns whether OSSL_provider_init succeeded. */
bool fake_load(const char *path, const char *version);

/* Ends the program if memory was not given back, or not all of it to be wiped: cmocka ignores what
 * fails in a group's teardown. */
void fake_unload(void);

/* Versions on either side of what differs between hosts. */
#define FAKE_HOSTS 3
extern const char *const fake_hosts[FAKE_HOSTS];

/* Whether a live allocation of the module holds these bytes. */
bool fake_holds(const uint8_t *bytes, size_t n);

/* The size of a live allocation. */
size_t fake_size(const void *p);

/* The function with that number; NULL if there is none. */
void (*fake_find(const OSSL_DISPATCH *table, int id))(void);

/* Finds a digest by any of its names (whole, case as registered); asserts that it is there. */
struct digest fake_digest(const char *name);

/* Sets one octet string parameter; returns what set_ctx_params does. */
bool fake_set_octets(const struct digest *d, void *ctx, const char *key, uint8_t *data, size_t n);

/* The number of digests that the provider offers, and the n-th. */
size_t fake_digests(void);
struct digest fake_nth(size_t n);

/* The number of MACs, and the n-th. */
size_t fake_macs(void);
struct mac fake_nth_mac(size_t n);

/* Asks the provider for parameters of its own; returns what it does. */
int fake_provider_params(OSSL_PARAM params[]);

/* What the provider offers for an operation; NULL: nothing. */
const OSSL_ALGORITHM *fake_query(int operation);

/* Runs the provider's self-test; returns what it does. */
int fake_self_test(void);

/* What the provider says of its kernels. */
const char *fake_buildinfo(void);

/* Whether this CPU has the kernels of `isa`; prints what the provider says of them. */
bool fake_runs_isa(void);

/* The text of a reason number; "" if there is none. */
const char *fake_reason(uint32_t reason);

/* Asserts that the last error's reason is this text, that exactly one error came since the last
 * call of fake_errors_clear, and clears. */
void fake_expect(const char *text);
void fake_errors_clear(void);

#endif
