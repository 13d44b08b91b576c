/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the provider's files share: the provider context, errors, parameters, and whatever the
 * oldest OpenSSL headers lack. Sizes are in bytes. */
#ifndef KECCAKPROV_PROVIDER_H
#define KECCAKPROV_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <stdatomic.h>
#include "keccak.h"

#define KECCAKPROV_NAME "keccakprov"

/* --- What OpenSSL 3.0's headers lack; an older host ignores rows with ids it does not know --- */

#define KECCAKPROV_FUNC_DIGEST_SQUEEZE 14     /* since 3.3 */
#define KECCAKPROV_FUNC_DIGEST_COPYCTX 15     /* since 3.5 */
#define KECCAKPROV_FUNC_DIGEST_SERIALIZE 16   /* since 4.0 */
#define KECCAKPROV_FUNC_DIGEST_DESERIALIZE 17 /* since 4.0 */

typedef int keccakprov_squeeze_fn(void *ctx, unsigned char *out, size_t *outl, size_t outsz);
typedef void keccakprov_copyctx_fn(void *dst, void *src);
typedef int keccakprov_serialize_fn(void *ctx, unsigned char *out, size_t *outl);
typedef int keccakprov_deserialize_fn(void *ctx, const unsigned char *in, size_t inlen);

#define KECCAKPROV_PARAM_XOFLEN "xoflen"
#define KECCAKPROV_PARAM_SIZE "size"
#define KECCAKPROV_PARAM_STATE "state"
#define KECCAKPROV_PARAM_FUNCTION_NAME "function-name" /* N of SP 800-185 */
#define KECCAKPROV_PARAM_CUSTOMIZATION "customization" /* S of SP 800-185 */
#define KECCAKPROV_PARAM_PROPERTIES "properties"
#define KECCAKPROV_PARAM_XOF "xof"
#define KECCAKPROV_PARAM_ELEMENT "element"                   /* of a tuple */
#define KECCAKPROV_PARAM_DOMAIN_SEPARATOR "domain-separator" /* D of RFC 9861 */

#define KECCAKPROV_PARAM_LEAF_SIZE "leaf-size" /* B of SP 800-185 §6 */

/* --- The hosts column of algorithms.inc: is the row seen before 3.4, from 3.4, from 4.0? --- */

#define ANY_HOST 1, 1, 1
#define BEFORE_3_4 1, 0, 0
#define SINCE_3_4 0, 1, 1
#define BEFORE_4_0 1, 1, 0
#define SINCE_4_0 0, 0, 1

/* --- The provider context --- */

/* Everything hangs off this: several libcryptos and library contexts may share the mapped module.
 * Constant after load but for the two atomics at the end. */
struct keccakprov {
    const OSSL_CORE_HANDLE *core;
    OSSL_FUNC_core_get_params_fn *core_get_params;
    OSSL_FUNC_core_get_libctx_fn *core_get_libctx;
    OSSL_FUNC_core_new_error_fn *core_new_error;
    OSSL_FUNC_core_set_error_debug_fn *core_set_error_debug;
    OSSL_FUNC_core_vset_error_fn *core_vset_error;
    OSSL_FUNC_CRYPTO_malloc_fn *CRYPTO_malloc;
    OSSL_FUNC_CRYPTO_zalloc_fn *CRYPTO_zalloc;
    OSSL_FUNC_CRYPTO_clear_free_fn *CRYPTO_clear_free;
    OSSL_FUNC_OPENSSL_cleanse_fn *OPENSSL_cleanse;
    OSSL_FUNC_self_test_cb_fn *self_test_cb;

    const struct keccak_ops *ops;
    unsigned host_major, host_minor; /* of the running libcrypto */
    int trace_fd;                    /* -1: no trace */
    bool loaded;                     /* libcrypto has our reason strings */
    char buildinfo[128];
    _Atomic uint64_t traced; /* bit n: the first use of algorithm n is in the trace */
    _Atomic bool broken;     /* a self-test has failed */
};

/* The one version test: is the running libcrypto at least major.minor? */
bool keccakprov_host_at_least(const struct keccakprov *prov, unsigned major, unsigned minor);

#define KECCAKPROV_NEW(prov, size) (prov)->CRYPTO_malloc((size), __FILE__, __LINE__)
#define KECCAKPROV_ZALLOC(prov, size) (prov)->CRYPTO_zalloc((size), __FILE__, __LINE__)
#define KECCAKPROV_FREE(prov, ptr, size) \
    (prov)->CRYPTO_clear_free((ptr), (size), __FILE__, __LINE__)

/* --- error.c --- */

/* One row, one refusal: X(reason, text). The numbers are ours alone. */
#define KECCAKPROV_REASONS(X)                                                                     \
    X(ALLOCATION_FAILED, "allocation failed")                                                     \
    X(NULL_POINTER, "null pointer with a length above zero")                                      \
    X(NOT_INITIALISED, "context is not initialised, or its last initialisation failed")           \
    X(UPDATE_AFTER_OUTPUT, "update after output has begun")                                       \
    X(FINAL_AFTER_OUTPUT, "final after output has begun")                                         \
    X(SQUEEZE_AFTER_FINAL, "squeeze after final")                                                 \
    X(LENGTH_TOO_LARGE, "length too large")                                                       \
    X(BUFFER_TOO_SMALL, "output buffer too small")                                                \
    X(NO_OUTPUT_LENGTH, "no output length is set: set xoflen, or use EVP_DigestFinalXOF")         \
    X(BAD_OUTPUT_LENGTH, "xoflen is not a length: an unsigned integer is wanted")                 \
    X(BAD_STRING, "function-name and customization are UTF-8 or octet strings")                   \
    X(BAD_PROPERTIES, "properties is a UTF-8 string")                                             \
    X(STRING_TOO_LONG, "function-name or customization is too long to encode")                    \
    X(STRING_TOO_LATE, "function-name and customization come before all data")                    \
    X(CUSTOMIZATION_TOO_LATE, "customization comes before output begins")                         \
    X(BAD_XOF, "xof is 0 or 1")                                                                   \
    X(XOF_TOO_LATE, "xof comes before output begins")                                             \
    X(SQUEEZE_PAST_LENGTH, "squeeze past the output length, which is hashed: set xoflen, or xof") \
    X(BAD_LEAF_SIZE, "leaf-size is a number from 1")                                              \
    X(LEAF_SIZE_TOO_LATE, "leaf-size comes before all data")                                      \
    X(BLOCKSIZE_IS_RATE, "blocksize is the rate, which is fixed: set leaf-size")                  \
    X(BAD_ELEMENT, "element is an octet string")                                                  \
    X(BAD_DOMAIN, "domain-separator is a number from 0x01 to 0x7f")                               \
    X(DOMAIN_TOO_LATE, "domain-separator comes before output begins")                             \
    X(NO_KEY, "no key is set")                                                                    \
    X(BAD_KEY, "key and custom are octet or UTF-8 strings")                                       \
    X(KEY_TOO_LONG, "key or custom is too long to encode")                                        \
    X(KEY_TOO_LATE, "key and custom come before all data")                                        \
    X(BAD_SIZE, "size is not a length: an unsigned integer is wanted")                            \
    X(BAD_STATE_TYPE, "state is an octet string")                                                 \
    X(STATE_NOT_ALONE, "state does not go together with other parameters")                        \
    X(STATE_AFTER_FINAL, "a finished context has no state to save or replace")                    \
    X(STATE_LENGTH, "saved state has the wrong length")                                           \
    X(STATE_ALGORITHM, "saved state is of another algorithm or version")                          \
    X(STATE_CORRUPT, "saved state is corrupt")                                                    \
    X(PARAM_NOT_WRITABLE, "parameter cannot take this value")                                     \
    X(ALGORITHM_MISMATCH, "contexts are of different algorithms")                                 \
    X(PERMUTATION_BROKEN, "the portable permutation fails its known answer")                      \
    X(SELF_TEST_FAILED, "self-test failed")

enum keccakprov_reason {
    KECCAKPROV_R_NONE,
#define X(reason, text) KECCAKPROV_R_##reason,
    KECCAKPROV_REASONS(X)
#undef X
};

/* What OSSL_FUNC_PROVIDER_GET_REASON_STRINGS returns. */
extern const OSSL_ITEM keccakprov_reason_strings[];

/* Queues an error and returns 0. prov may be NULL: then nothing is queued. Call it through
 * KECCAKPROV_FAIL, which adds the place. */
int keccakprov_fail(const struct keccakprov *prov, const char *file, int line, const char *func,
                    enum keccakprov_reason reason);

#define KECCAKPROV_FAIL(prov, reason) \
    keccakprov_fail((prov), __FILE__, __LINE__, __func__, KECCAKPROV_R_##reason)

/* --- params.c: OSSL_PARAM without libcrypto, as tolerant as its own functions --- */

/* The first parameter of that name; NULL if there is none. params may be NULL. */
OSSL_PARAM *keccakprov_find(const OSSL_PARAM params[], const char *key);

/* Reads a number: integers of any width and sign, and reals, if the value fits a size_t.
 * On false *value is untouched. */
bool keccakprov_get_size(const OSSL_PARAM *p, size_t *value);

/* The same for a value that fits an int. */
bool keccakprov_get_int(const OSSL_PARAM *p, int *value);

/* Writes a number into whatever number type and width p has; only the needed size where p->data is
 * NULL. False if it does not fit or p is no number. */
bool keccakprov_set_size(OSSL_PARAM *p, size_t value);

/* Points *data at the bytes of a string parameter (types: UTF-8 and octets), which counts its
 * length and may hold zero bytes. NULL with length 0 is the empty string. */
bool keccakprov_get_string(const OSSL_PARAM *p, const uint8_t **data, size_t *len);

/* Sets a UTF-8 pointer parameter to a constant string. */
bool keccakprov_set_text(OSSL_PARAM *p, const char *text);

/* --- string.c: strings of any length, owned by a context --- */

/* All zero is the empty string. */
struct keccakprov_string {
    uint8_t *data;
    size_t len;
    size_t room; /* allocated; at least len */
    bool set;    /* given since the last init */
};

/* Makes room for len bytes; what is there stays. False, with an error queued, if memory is short.
 */
bool keccakprov_string_reserve(const struct keccakprov *prov, struct keccakprov_string *string,
                               size_t len);

/* Stores bytes for which there is room. Returns whether they are the ones that were there. */
bool keccakprov_string_assign(struct keccakprov_string *string, const uint8_t *data, size_t len);

/* The same for secrets: what was there is wiped, and not looked at. */
void keccakprov_string_replace(const struct keccakprov *prov, struct keccakprov_string *string,
                               const uint8_t *data, size_t len);

/* Makes dst equal to src in memory of its own. False, with an error queued and dst empty, if memory
 * is short. */
bool keccakprov_string_copy(const struct keccakprov *prov, struct keccakprov_string *dst,
                            const struct keccakprov_string *src);

/* Wipes and frees; the string is empty then. */
void keccakprov_string_free(const struct keccakprov *prov, struct keccakprov_string *string);

/* --- config.c: what the host tells at load --- */

/* Reads openssl-version, isa and KECCAKPROV_TRACE; chooses and checks the kernels; writes
 * buildinfo. False, with an error queued, if no kernel computes Keccak-p. */
bool keccakprov_configure(struct keccakprov *prov);

/* Whether the configuration asks for every known answer at load. */
bool keccakprov_wants_self_test(const struct keccakprov *prov);

/* Writes one line to the trace, if there is one. */
void keccakprov_trace(const struct keccakprov *prov, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- algorithms.c --- */

/* The digests that this host's own provider would have, and ours. */
const OSSL_ALGORITHM *keccakprov_digests(const struct keccakprov *prov);

/* The same on every host. */
extern const OSSL_ALGORITHM keccakprov_macs[];

/* --- selftest.c --- */

/* Every algorithm of this host on every kernel of this machine; reports to the application's
 * self-test callback. False, with an error queued, on the first mismatch. */
bool keccakprov_self_test(const struct keccakprov *prov);

#endif
