/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Contexts and the functions on them, which the kinds share. */
#ifndef KECCAKPROV_DIGEST_H
#define KECCAKPROV_DIGEST_H

#include "provider.h"

/* The longest input or output of one call, and the longest output length that can be set. */
#define KECCAKPROV_LENGTH_MAX ((size_t)PTRDIFF_MAX)

/* An output length that is not set. */
#define KECCAKPROV_UNSET SIZE_MAX

enum keccakprov_kind {
    KECCAKPROV_DIGEST,
    KECCAKPROV_XOF,
    KECCAKPROV_KMAC_XOF,
    KECCAKPROV_CSHAKE,
    KECCAKPROV_TURBOSHAKE,
    KECCAKPROV_TUPLEHASH,
    KECCAKPROV_KMAC,
    KECCAKPROV_KT,
    KECCAKPROV_PARALLELHASH
};

/* One row of algorithms.inc. */
struct keccakprov_alg {
    const char *names;
    const char *function; /* the N of its cSHAKE, where it is fixed; else NULL */
    size_t size;          /* default output length; 0: none */
    uint8_t rate;
    uint8_t suffix;
    uint8_t rounds;
    uint8_t kind;  /* enum keccakprov_kind */
    uint8_t index; /* among all rows */
};

/* The whole context of all that have no strings. Copying it is assignment. */
struct digest_ctx {
    struct keccak_sponge sponge;
    const struct keccakprov *prov;
    const struct keccakprov_alg *alg;
    size_t length; /* XOFs: what Final_ex writes, or KECCAKPROV_UNSET */
};

_Static_assert(sizeof(struct digest_ctx) <= 256, "a SHA-3 context stays below 256 bytes");

/* Of cSHAKE, and of what is made of it. The sponge of an unprimed context is empty. Priming absorbs
 * the prefix block of N and S, or copies the lanes kept from the last time: they are labelled by
 * the bytes of n and s. */
struct cshake_ctx {
    struct digest_ctx base; /* first: a cshake_ctx is a digest_ctx */
    struct keccakprov_string n;
    struct keccakprov_string s;
    uint64_t kept[KECCAK_LANES];
    size_t left; /* squeezing, if not xof: how much of the encoded length is still to come */
    bool is_kept;
    bool primed;
    bool started; /* data came or output began: N and S are fixed */
    bool xof;     /* the variant that encodes the output length 0, whatever it is */
};

/* Makes a context, dead until it is initialised; NULL, with an error queued, if memory is short. */
typedef void *keccakprov_new_fn(struct keccakprov *prov, const struct keccakprov_alg *alg);

/* --- digest.c --- */

keccakprov_new_fn keccakprov_digest_new;
OSSL_FUNC_digest_init_fn keccakprov_digest_init;
OSSL_FUNC_digest_update_fn keccakprov_digest_update;
OSSL_FUNC_digest_final_fn keccakprov_digest_final;
OSSL_FUNC_digest_freectx_fn keccakprov_digest_freectx;
OSSL_FUNC_digest_dupctx_fn keccakprov_digest_dupctx;
keccakprov_copyctx_fn keccakprov_digest_copyctx;
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_digest_set_ctx_params;
OSSL_FUNC_digest_get_ctx_params_fn keccakprov_digest_get_ctx_params;
OSSL_FUNC_digest_gettable_ctx_params_fn keccakprov_digest_ctx_params; /* settable, too */

/* Starts over with an empty message; the length stays. */
void keccakprov_restart(struct digest_ctx *ctx);

/* Whether the context is alive; otherwise queues the reason. ctx is not NULL. */
bool keccakprov_alive(const struct digest_ctx *ctx);

/* Queues the reason why an update may not go ahead; there is one. */
void keccakprov_refuse_update(const struct digest_ctx *ctx, const uint8_t *in);

/* Whether an update may go ahead; otherwise queues the reason. ctx is not NULL. */
static inline bool keccakprov_can_update(const struct digest_ctx *ctx, const uint8_t *in,
                                         size_t inlen)
{
    if (ctx->sponge.phase == KECCAK_ABSORBING && (in != NULL || inlen == 0) &&
        inlen <= KECCAKPROV_LENGTH_MAX)
        return true;
    keccakprov_refuse_update(ctx, in);
    return false;
}

/* For contexts that own memory: makes dst, which is another of the same algorithm or all zero,
 * equal to src. False, with nothing secret left but in the sponge, if src is NULL, or, with an
 * error queued, if memory is short. */
typedef bool keccakprov_copy_fn(void *dst, const void *src);

/* dupctx and copyctx by such a function. What cannot be copied leaves dst dead, for no failure can
 * be reported by copyctx. */
void *keccakprov_dup(const void *src, size_t size, keccakprov_copy_fn *copy,
                     OSSL_FUNC_digest_freectx_fn *freectx);
void keccakprov_copy(void *dst, const void *src, keccakprov_copy_fn *copy);

/* --- xof.c --- */

/* A parameter array for a XOF, read and checked, nothing applied. */
struct xof_params {
    const OSSL_PARAM *state;
    bool has_length;
    size_t length;
};

bool keccakprov_xof_check(const struct digest_ctx *ctx, const OSSL_PARAM params[],
                          struct xof_params *out);
void keccakprov_xof_reset_length(struct digest_ctx *ctx);
OSSL_FUNC_digest_final_fn keccakprov_xof_final;
keccakprov_squeeze_fn keccakprov_xof_squeeze;

/* The two before in halves: what they refuse, and the rest, which cannot fail. Those who have to
 * end the message in between do it there. *n: how many bytes final is to write. */
bool keccakprov_xof_check_final(struct digest_ctx *ctx, const unsigned char *out,
                                const size_t *outl, size_t outsz, size_t *n);
int keccakprov_xof_finish(struct digest_ctx *ctx, unsigned char *out, size_t *outl, size_t n);
bool keccakprov_xof_check_squeeze(const struct digest_ctx *ctx, const unsigned char *out,
                                  size_t outsz);
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_xof_set_ctx_params;
OSSL_FUNC_digest_get_ctx_params_fn keccakprov_xof_get_ctx_params;
OSSL_FUNC_digest_init_fn keccakprov_xof_init;
OSSL_FUNC_digest_gettable_ctx_params_fn keccakprov_xof_ctx_params; /* settable, too */

/* What a list of a XOF's parameters begins with. */
#define KECCAKPROV_XOF_PARAMS                             \
    OSSL_PARAM_size_t(KECCAKPROV_PARAM_SIZE, NULL),       \
        OSSL_PARAM_size_t(KECCAKPROV_PARAM_XOFLEN, NULL), \
        OSSL_PARAM_octet_string(KECCAKPROV_PARAM_STATE, NULL, 0)

/* That list without its first, `size`, where the host is older than that. */
const OSSL_PARAM *keccakprov_xof_list(const struct keccakprov *prov, const OSSL_PARAM list[]);

/* --- turboshake.c --- */

#define KECCAKPROV_DOMAIN_MAX                                           \
    0x7f /* the greatest domain byte D (RFC 9861 §2.1); the least is 1 \
          */

OSSL_FUNC_digest_init_fn keccakprov_turboshake_init;
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_turboshake_set_ctx_params;
OSSL_FUNC_digest_get_ctx_params_fn keccakprov_turboshake_get_ctx_params;
OSSL_FUNC_digest_gettable_ctx_params_fn keccakprov_turboshake_ctx_params; /* settable, too */

/* --- cshake.c --- */

keccakprov_new_fn keccakprov_cshake_new;
OSSL_FUNC_digest_init_fn keccakprov_cshake_init;
OSSL_FUNC_digest_update_fn keccakprov_cshake_update;
OSSL_FUNC_digest_final_fn keccakprov_cshake_final;
keccakprov_squeeze_fn keccakprov_cshake_squeeze;
OSSL_FUNC_digest_freectx_fn keccakprov_cshake_freectx;
OSSL_FUNC_digest_dupctx_fn keccakprov_cshake_dupctx;
keccakprov_copyctx_fn keccakprov_cshake_copyctx;
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_cshake_set_ctx_params;
OSSL_FUNC_digest_settable_ctx_params_fn keccakprov_cshake_settable;

/* A parameter array for cSHAKE or what is made of it, read and checked, nothing applied; n and s
 * point into the array. */
struct cshake_params {
    struct xof_params base;
    bool has_n, has_s, has_xof;
    const uint8_t *n, *s;
    size_t nlen, slen, xof;
};

bool keccakprov_cshake_check(const struct cshake_ctx *ctx, const OSSL_PARAM params[],
                             struct cshake_params *out);

/* Applies all but a state. False, with nothing changed and an error queued, if memory is short. */
bool keccakprov_cshake_apply(struct cshake_ctx *ctx, const struct cshake_params *params);

/* Starts over without strings; all that can be set has its default again. */
void keccakprov_cshake_restart(struct cshake_ctx *ctx);

/* Loads the prefix of N and S into the sponge, unless it is there. */
void keccakprov_cshake_prime(struct cshake_ctx *ctx);

/* The same ahead of need, so that copies of a prepared context have the prefix; unless that would
 * lose the kept one, of which a string is still to be set. */
void keccakprov_cshake_prepare(struct cshake_ctx *ctx);

/* Copies all but the strings' memory, of which dst keeps its own. */
keccakprov_copy_fn keccakprov_cshake_copy;

/* Replaces N and S by those of a saved state and fixes them. False, with nothing changed and an
 * error queued, if memory is short. */
bool keccakprov_cshake_adopt(struct cshake_ctx *ctx, const uint8_t *n, size_t nlen,
                             const uint8_t *s, size_t slen);

/* --- length.c: algorithms whose message ends with the output length --- */

/* Ends the message but for the length; NULL where there is nothing to do. */
typedef void keccakprov_end_fn(struct cshake_ctx *ctx);

int keccakprov_length_final(struct cshake_ctx *ctx, unsigned char *out, size_t *outl, size_t outsz,
                            keccakprov_end_fn *end);
int keccakprov_length_squeeze(struct cshake_ctx *ctx, unsigned char *out, size_t *outl,
                              size_t outsz, keccakprov_end_fn *end);
OSSL_FUNC_digest_get_ctx_params_fn keccakprov_length_get_ctx_params;
OSSL_FUNC_digest_gettable_ctx_params_fn keccakprov_length_gettable;

/* --- tuplehash.c --- */

OSSL_FUNC_digest_init_fn keccakprov_tuplehash_init;
OSSL_FUNC_digest_update_fn keccakprov_tuplehash_update;
OSSL_FUNC_digest_final_fn keccakprov_tuplehash_final;
keccakprov_squeeze_fn keccakprov_tuplehash_squeeze;
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_tuplehash_set_ctx_params;
OSSL_FUNC_digest_settable_ctx_params_fn keccakprov_tuplehash_settable;

/* --- mac.c: KMAC --- */

keccakprov_new_fn keccakprov_mac_new;
OSSL_FUNC_mac_init_fn keccakprov_mac_init;
OSSL_FUNC_mac_update_fn keccakprov_mac_update;
OSSL_FUNC_mac_final_fn keccakprov_mac_final;
OSSL_FUNC_mac_freectx_fn keccakprov_mac_freectx;
OSSL_FUNC_mac_dupctx_fn keccakprov_mac_dupctx;
OSSL_FUNC_mac_set_ctx_params_fn keccakprov_mac_set_ctx_params;
OSSL_FUNC_mac_get_ctx_params_fn keccakprov_mac_get_ctx_params;
OSSL_FUNC_mac_settable_ctx_params_fn keccakprov_mac_settable;
OSSL_FUNC_mac_gettable_ctx_params_fn keccakprov_mac_gettable;

/* --- state.c: saved states --- */

OSSL_FUNC_digest_set_ctx_params_fn keccakprov_state_set; /* from params' `state`, which is there */
bool keccakprov_state_get(struct digest_ctx *ctx, OSSL_PARAM *p);
keccakprov_serialize_fn keccakprov_serialize;
keccakprov_deserialize_fn keccakprov_deserialize;

#endif
