/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The leaves of ParallelHash (SP 800-185 §6) and KangarooTwelve (RFC 9861 §3): as many side by side
 * as the kernels take, straight from the caller's memory; what is no whole leaf, by a sponge. */
#include <string.h>
#include "keccak.h"
#include "lane.h"

/* 3.7 KiB of absorb_wide, below it 0.7 KiB of a wide kernel by gcc 12 and clang 14, and what their
 * callers add (test/test_stack.c looks). */
#define STACK_BYTES 5120
#include "wipe.h"

#define WAYS_MAX 8
#define RATE_MAX 168
#define VALUE_MAX 64 /* of a chaining value: the larger capacity */

/* Leaves side by side. */
struct batch {
    _Alignas(64) uint64_t a[KECCAK_LANES * WAYS_MAX];
    uint8_t block[WAYS_MAX][RATE_MAX];
    uint8_t values[WAYS_MAX * VALUE_MAX];
};

static size_t value_size(const struct keccak_tree *tree)
{
    return (size_t)KECCAK_STATE_BYTES - tree->leaf.rate;
}

/* The narrowest kernel that takes all leaves there are, else the widest. */
static size_t choose_ways(const struct keccak_tree *tree, size_t leaves)
{
    if (tree->leaf.ops->x8 != NULL && leaves > 4)
        return 8;
    return tree->leaf.ops->x4 != NULL && leaves > 1 ? 4 : 1;
}

/* The padding of the last blocks, the same for all leaves (FIPS 202 §5.1). */
static void pad(struct batch *batch, const struct keccak_tree *tree)
{
    memset(batch->block, 0, sizeof(batch->block));
    for (size_t w = 0; w < WAYS_MAX; w++) {
        batch->block[w][tree->leaf_size % tree->leaf.rate] = tree->leaf.suffix;
        batch->block[w][tree->leaf.rate - 1] ^= 0x80;
    }
}

/* One block: that many bytes of each leaf, and whatever stands behind them and in idle states. */
static void absorb_block(struct batch *batch, const struct keccak_tree *tree, keccak_kernel *kernel,
                         const uint8_t *in, size_t leaves, size_t size)
{
    for (size_t w = 0; w < leaves; w++)
        memcpy(batch->block[w], in + w * tree->leaf_size, size);
    kernel(batch->a, batch->block[0], RATE_MAX, 1, tree->leaf.rate / 8u, tree->leaf.rounds);
}

/* Hashes leaves, as many as there are ways or fewer; only as many are read in place. */
static void hash(struct batch *batch, const struct keccak_tree *tree, size_t ways,
                 const uint8_t *in, size_t leaves)
{
    keccak_kernel *kernel = ways == 8 ? tree->leaf.ops->x8 : tree->leaf.ops->x4;
    size_t rate = tree->leaf.rate, blocks = tree->leaf_size / rate, size = value_size(tree);
    memset(batch->a, 0, sizeof(batch->a));
    if (leaves == ways && blocks > 0) {
        kernel(batch->a, in, tree->leaf_size, blocks, (unsigned)rate / 8, tree->leaf.rounds);
    } else if (blocks > 0) {
        for (size_t i = 0; i < blocks; i++)
            absorb_block(batch, tree, kernel, in + i * rate, leaves, rate);
        pad(batch, tree);
    }
    absorb_block(batch, tree, kernel, in + blocks * rate, leaves, tree->leaf_size % rate);
    for (size_t w = 0; w < leaves; w++)
        for (size_t i = 0; i < size / 8; i++)
            store_lane(batch->values + w * size + 8 * i, batch->a[i * ways + w]);
}

/* Whole leaves, until one or none is left. Returns the number of bytes used. */
static size_t absorb_wide(struct keccak_tree *tree, struct keccak_sponge *node, const uint8_t *in,
                          size_t inlen)
{
    struct batch batch;
    size_t used = 0, ways, leaves = inlen / tree->leaf_size;
    pad(&batch, tree);
    while ((ways = choose_ways(tree, leaves)) > 1) {
        size_t n = leaves < ways ? leaves : ways;
        hash(&batch, tree, ways, in + used, n);
        keccak_absorb(node, batch.values, n * value_size(tree));
        used += n * tree->leaf_size;
        tree->leaves += n;
        leaves -= n;
    }
    return used;
}

static __attribute__((noinline)) void end_leaf(struct keccak_tree *tree, struct keccak_sponge *node)
{
    uint8_t value[VALUE_MAX];
    keccak_squeeze(&tree->leaf, value, value_size(tree));
    keccak_absorb(node, value, value_size(tree));
    tree->begun = 0;
    tree->leaves++;
}

/* A leaf, or what there is of it, by its sponge. Returns the bytes used. */
static size_t absorb_one(struct keccak_tree *tree, struct keccak_sponge *node, const uint8_t *in,
                         size_t inlen)
{
    struct keccak_sponge *leaf = &tree->leaf;
    size_t room = tree->leaf_size - tree->begun;
    size_t n = inlen < room ? inlen : room;
    if (tree->begun == 0)
        keccak_init(leaf, leaf->ops, leaf->rate, leaf->suffix, leaf->rounds);
    keccak_absorb(leaf, in, n);
    tree->begun += n;
    if (tree->begun == tree->leaf_size)
        end_leaf(tree, node);
    return n;
}

static __attribute__((noinline)) void absorb(struct keccak_tree *tree, struct keccak_sponge *node,
                                             const uint8_t *in, size_t inlen)
{
    for (size_t n; inlen > 0; in += n, inlen -= n) {
        bool wide = tree->begun == 0 && choose_ways(tree, inlen / tree->leaf_size) > 1;
        n = wide ? absorb_wide(tree, node, in, inlen) : absorb_one(tree, node, in, inlen);
    }
}

void keccak_tree_init(struct keccak_tree *tree, const struct keccak_sponge *node, uint8_t suffix,
                      size_t leaf_size)
{
    keccak_init(&tree->leaf, node->ops, node->rate, suffix, node->rounds);
    tree->leaf_size = leaf_size;
    tree->begun = 0;
    tree->leaves = 0;
}

void keccak_tree_absorb(struct keccak_tree *tree, struct keccak_sponge *node, const uint8_t *in,
                        size_t inlen)
{
    uint64_t before = tree->leaves;
    absorb(tree, node, in, inlen);
    if (tree->leaves != before)
        wipe_stack();
}

void keccak_tree_end(struct keccak_tree *tree, struct keccak_sponge *node)
{
    if (tree->begun == 0)
        return;
    end_leaf(tree, node);
    wipe_stack();
}
