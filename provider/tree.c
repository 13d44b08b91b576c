/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Leaves that come in small pieces wait until there are enough for the widest kernel. Not those of
 * the first call that brings a whole leaf, which may well be all there is, nor what continues a
 * leaf already begun: they are hashed as they come, and so is everything where memory is short. */
#include <string.h>
#include "tree.h"

#define LEAF_MAX 8192  /* leaves above this size do not wait */
#define SHARE_MIN 1024 /* bytes for each way of the kernel, where leaves are small */

/* The memory worth having: a leaf, or many small ones, for each way of the widest kernel. */
static size_t choose_room(const struct keccak_tree *tree)
{
    const struct keccak_ops *ops = tree->leaf.ops;
    size_t ways = ops->x8 != NULL ? 8 : ops->x4 != NULL ? 4 : 0;
    size_t share = tree->leaf_size < SHARE_MIN ? SHARE_MIN / tree->leaf_size : 1;
    return tree->leaf_size > LEAF_MAX ? 0 : ways * share * tree->leaf_size;
}

void keccakprov_leaves_free(const struct keccakprov *prov, struct keccakprov_leaves *leaves)
{
    if (leaves->buffer != NULL) /* a short message has none, and no time for the call */
        KECCAKPROV_FREE(prov, leaves->buffer, leaves->room);
    leaves->buffer = NULL;
    leaves->fill = leaves->room = 0;
}

void keccakprov_leaves_clear(const struct keccakprov *prov, struct keccakprov_leaves *leaves)
{
    keccakprov_leaves_free(prov, leaves);
    if (leaves->tree.leaf_size > 0) /* a short message begins none */
        prov->OPENSSL_cleanse(leaves, sizeof(*leaves));
}

void keccakprov_leaves_init(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                            const struct keccak_sponge *node, uint8_t suffix, size_t leaf_size)
{
    keccakprov_leaves_free(prov, leaves);
    keccak_tree_init(&leaves->tree, node, suffix, leaf_size);
    leaves->room = choose_room(&leaves->tree);
}

/* Hashes what waits. */
static void flush(struct keccakprov_leaves *leaves, struct keccak_sponge *node)
{
    keccak_tree_absorb(&leaves->tree, node, leaves->buffer, leaves->fill);
    leaves->fill = 0;
}

/* Lets bytes wait, or hashes them if there is no memory. Returns how many. Whoever asks for this
 * memory does not need it, so that its lack is no error, which libcrypto would queue for a file. */
static size_t gather(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                     struct keccak_sponge *node, const uint8_t *in, size_t inlen)
{
    if (leaves->buffer == NULL)
        leaves->buffer = prov->CRYPTO_malloc(leaves->room, NULL, 0);
    if (leaves->buffer == NULL) {
        keccak_tree_absorb(&leaves->tree, node, in, inlen);
        return inlen;
    }
    size_t left = leaves->room - leaves->fill;
    size_t n = inlen < left ? inlen : left;
    memcpy(leaves->buffer + leaves->fill, in, n);
    leaves->fill += n;
    if (leaves->fill == leaves->room)
        flush(leaves, node);
    return n;
}

/* How many bytes are better hashed as they come? */
static size_t choose_direct(const struct keccakprov_leaves *leaves, size_t inlen)
{
    size_t to_end = leaves->tree.leaf_size - leaves->tree.begun;
    if (leaves->room == 0 || leaves->tree.leaves == 0)
        return inlen;
    if (leaves->tree.begun > 0)
        return inlen < to_end ? inlen : to_end;
    return leaves->fill == 0 ? inlen - inlen % leaves->room : 0;
}

void keccakprov_leaves_absorb(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                              struct keccak_sponge *node, const uint8_t *in, size_t inlen)
{
    for (size_t n; inlen > 0; in += n, inlen -= n) {
        n = choose_direct(leaves, inlen);
        if (n > 0)
            keccak_tree_absorb(&leaves->tree, node, in, n);
        else
            n = gather(prov, leaves, node, in, inlen);
    }
}

void keccakprov_leaves_settle(const struct keccakprov *prov, struct keccakprov_leaves *leaves,
                              struct keccak_sponge *node)
{
    if (leaves->fill > 0)
        flush(leaves, node);
    keccakprov_leaves_free(prov, leaves);
}

void keccakprov_leaves_copy(const struct keccakprov *prov, struct keccakprov_leaves *dst,
                            struct keccak_sponge *node, const struct keccakprov_leaves *src)
{
    keccakprov_leaves_free(prov, dst);
    dst->tree = src->tree;
    dst->room = src->room;
    if (src->fill > 0)
        gather(prov, dst, node, src->buffer, src->fill);
}
