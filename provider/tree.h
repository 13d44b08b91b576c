/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The algorithms that hash pieces of the message apart: KangarooTwelve, ParallelHash. */
#ifndef KECCAKPROV_TREE_H
#define KECCAKPROV_TREE_H

#include "digest.h"

/* The leaves of a message, and memory for those that come in small pieces, in which they wait until
 * there are enough for the widest kernel. All zero has no leaf and no memory. */
struct keccakprov_leaves {
    struct keccak_tree tree;
    uint8_t *buffer; /* NULL until it is needed */
    size_t fill;     /* bytes that wait, below room; while there are some, no leaf is begun */
    size_t room;     /* of the buffer; 0: nothing is to wait */
};

/* --- tree.c --- */

/* Starts over without a leaf, and gives the memory back. */
void keccakprov_leaves_init(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                            const struct keccak_sponge *node, uint8_t suffix, size_t leaf_size);

/* Appends to the message. */
void keccakprov_leaves_absorb(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                              struct keccak_sponge *node, const uint8_t *in, size_t inlen);

/* Hashes what waits; from now on nothing does, and the memory is given back. */
void keccakprov_leaves_settle(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                              struct keccak_sponge *node);

/* Makes dst equal to src in memory of its own, or without any: then it hashes what waits into its
 * node, which is a copy of src's already. */
void keccakprov_leaves_copy(const struct keccakprov *prov, struct keccakprov_leaves *dst,
                            struct keccak_sponge *node, const struct keccakprov_leaves *src);

/* Wipes the memory and gives it back. */
void keccakprov_leaves_free(const struct keccakprov *prov, struct keccakprov_leaves *leaves);

/* The same, and wipes the leaf. */
void keccakprov_leaves_clear(const struct keccakprov *prov, struct keccakprov_leaves *leaves);

/* --- kt.c --- */

/* RFC 9861 §3.2. The first chunk goes into the final node as it comes; what follows it, and the
 * node's suffix, are decided when the message turns out to be longer or ends. */
struct kt_ctx {
    struct digest_ctx base; /* first: a kt_ctx is a digest_ctx; its sponge is the final node */
    struct keccakprov_leaves leaves;
    struct keccakprov_string s; /* the customization C */
    uint64_t fed;               /* bytes of message, and in the end of C and its length */
};

_Static_assert(sizeof(struct kt_ctx) < 600, "a short message takes a small context");

#define KT_CHUNK_BYTES 8192
#define KT_MARKER_BYTES 8

/* After fed has been set anew: the node's suffix, and leaves if there are to be some, none hashed.
 */
void keccakprov_kt_resume(struct kt_ctx *ctx);

keccakprov_new_fn keccakprov_kt_new;
OSSL_FUNC_digest_init_fn keccakprov_kt_init;
OSSL_FUNC_digest_update_fn keccakprov_kt_update;
OSSL_FUNC_digest_final_fn keccakprov_kt_final;
keccakprov_squeeze_fn keccakprov_kt_squeeze;
OSSL_FUNC_digest_freectx_fn keccakprov_kt_freectx;
OSSL_FUNC_digest_dupctx_fn keccakprov_kt_dupctx;
keccakprov_copyctx_fn keccakprov_kt_copyctx;
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_kt_set_ctx_params;
OSSL_FUNC_digest_settable_ctx_params_fn keccakprov_kt_settable;

/* --- parallelhash.c --- */

/* SP 800-185 §6: cSHAKE of B and of what the leaves are hashed to. B is in the sponge once data
 * came or output began. */
struct parallelhash_ctx {
    struct cshake_ctx base; /* first: a parallelhash_ctx is a cshake_ctx; its sponge is the node */
    struct keccakprov_leaves leaves;
    size_t leaf_size; /* B */
};

/* Absorbs left_encode(B); the node holds the prefix. */
void keccakprov_parallelhash_begin(struct keccak_sponge *node, size_t leaf_size);

/* Leaves of B bytes, none hashed. */
void keccakprov_parallelhash_resume(struct parallelhash_ctx *ctx);

keccakprov_new_fn keccakprov_parallelhash_new;
OSSL_FUNC_digest_init_fn keccakprov_parallelhash_init;
OSSL_FUNC_digest_update_fn keccakprov_parallelhash_update;
OSSL_FUNC_digest_final_fn keccakprov_parallelhash_final;
keccakprov_squeeze_fn keccakprov_parallelhash_squeeze;
OSSL_FUNC_digest_freectx_fn keccakprov_parallelhash_freectx;
OSSL_FUNC_digest_dupctx_fn keccakprov_parallelhash_dupctx;
keccakprov_copyctx_fn keccakprov_parallelhash_copyctx;
OSSL_FUNC_digest_set_ctx_params_fn keccakprov_parallelhash_set_ctx_params;
OSSL_FUNC_digest_get_ctx_params_fn keccakprov_parallelhash_get_ctx_params;
OSSL_FUNC_digest_settable_ctx_params_fn keccakprov_parallelhash_settable;
OSSL_FUNC_digest_gettable_ctx_params_fn keccakprov_parallelhash_gettable;

#endif
