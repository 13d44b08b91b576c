/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Saved states of tree hashing. Behind the header, which is of the final node:
 *
 *   bytes of message (8)  the unfinished leaf's state (200)
 *   KT:            left_encode(8|C|) C
 *   ParallelHash:  B (8)  xof (1)  bytes still to squeeze (8)  left_encode(8|S|) S
 *
 * Numbers have their lowest byte first. What waits in memory is hashed for the occasion, so that
 * neither it nor the kernels show. The leaf is zero where none is begun, the bytes of message once
 * output has begun, and those to squeeze unless it has and they are limited. */
#include <string.h>
#include "lane.h"
#include "state.h"
#include "tree.h"

enum { AT_FED = HEADER_BYTES, AT_LEAF = AT_FED + 8, KT_BYTES = AT_LEAF + KECCAK_STATE_BYTES };
enum {
    AT_LEAF_SIZE = KT_BYTES,
    AT_XOF = AT_LEAF_SIZE + 8,
    AT_LEFT,
    PARALLELHASH_BYTES = AT_LEFT + 8
};

/* More than anybody has hashed: so that adding to it cannot wrap. */
#define FED_LIMIT ((uint64_t)1 << 63)

/* How many leaves a number of bytes is, and where it must have left the cursors. */
struct position {
    uint64_t leaves;
    size_t begun; /* bytes of the unfinished leaf */
    uint8_t node, leaf;
};

/* before: bytes of the node's last block before the first chaining value. */
static struct position locate(const struct keccakprov_alg *alg, uint64_t before, uint64_t fed,
                              uint64_t leaf_size)
{
    uint64_t value = (uint64_t)KECCAK_STATE_BYTES - alg->rate;
    struct position at = {.leaves = fed / leaf_size, .begun = (size_t)(fed % leaf_size)};
    at.node = (uint8_t)((before + at.leaves % alg->rate * value) % alg->rate);
    at.leaf = (uint8_t)(at.begun % alg->rate);
    return at;
}

static struct position locate_kt(const struct keccakprov_alg *alg, uint64_t fed)
{
    if (fed > KT_CHUNK_BYTES)
        return locate(alg, KT_CHUNK_BYTES + KT_MARKER_BYTES, fed - KT_CHUNK_BYTES, KT_CHUNK_BYTES);
    return (struct position){.node = (uint8_t)(fed % alg->rate)};
}

static struct position locate_parallelhash(const struct keccakprov_alg *alg, uint64_t fed,
                                           uint64_t leaf_size)
{
    uint8_t encoded[KECCAK_ENCODE_MAX];
    return locate(alg, keccak_left_encode(encoded, leaf_size), fed, leaf_size);
}

/* A copy of the node, and the leaf if one is begun, after all that waits. */
static void write_sponges(const struct keccakprov *prov, struct keccak_sponge *node,
                          const struct keccakprov_leaves *leaves, bool begun, uint8_t *out)
{
    struct keccak_tree tree = leaves->tree;
    if (leaves->fill > 0)
        keccak_tree_absorb(&tree, node, leaves->buffer, leaves->fill);
    keccak_store_state(node->a, out + AT_STATE);
    out[AT_POS] = node->pos;
    if (begun)
        keccak_store_state(tree.leaf.a, out + AT_LEAF);
    else
        memset(out + AT_LEAF, 0, KECCAK_STATE_BYTES);
    prov->OPENSSL_cleanse(node, sizeof(*node));
    prov->OPENSSL_cleanse(&tree, sizeof(tree));
}

static bool is_zero(const uint8_t *in, size_t n)
{
    uint8_t any = 0;
    while (n > 0)
        any |= in[--n];
    return any == 0;
}

/* Whether bytes of message, node and leaf fit together; at is where those bytes belong. */
static bool check_position(const uint8_t *in, struct position at)
{
    uint64_t fed = load_lane(in + AT_FED);
    bool squeezing = in[AT_DIRECTION] == 1;
    bool good = squeezing ? fed == 0 : fed < FED_LIMIT && in[AT_POS] == at.node;
    return good && (at.begun > 0 || is_zero(in + AT_LEAF, KECCAK_STATE_BYTES));
}

static void load_leaf(struct keccak_tree *tree, const uint8_t *in, struct position at)
{
    if (at.begun > 0) {
        keccak_load_state(tree->leaf.a, in + AT_LEAF);
        tree->leaf.pos = at.leaf;
    }
    tree->leaves = at.leaves;
    tree->begun = at.begun;
}

/* The header and what stands behind size bytes: one string, and nothing more. */
static bool read_frame(const struct digest_ctx *ctx, const uint8_t *in, size_t inlen, size_t size,
                       const uint8_t **data, size_t *len)
{
    const uint8_t *at = in + size;
    if (inlen < size)
        return KECCAKPROV_FAIL(ctx->prov, STATE_LENGTH);
    if (!keccakprov_state_check_header(ctx, in))
        return false;
    if (!keccakprov_state_read_string(&at, in + inlen, data, len))
        return KECCAKPROV_FAIL(ctx->prov, STATE_CORRUPT);
    return at == in + inlen || KECCAKPROV_FAIL(ctx->prov, STATE_LENGTH);
}

static size_t kt_size(const struct kt_ctx *ctx)
{
    return KT_BYTES + keccakprov_state_string_size(&ctx->s);
}

static void kt_write(const struct kt_ctx *ctx, uint8_t *out)
{
    struct keccak_sponge node = ctx->base.sponge;
    uint64_t fed = node.phase == KECCAK_ABSORBING ? ctx->fed : 0;
    store_lane(out + AT_FED, fed);
    write_sponges(ctx->base.prov, &node, &ctx->leaves, locate_kt(ctx->base.alg, fed).begun > 0,
                  out);
    keccakprov_state_write_string(out + KT_BYTES, &ctx->s);
}

static bool kt_read(struct kt_ctx *ctx, const uint8_t *in, size_t inlen)
{
    const struct keccakprov *prov = ctx->base.prov;
    const uint8_t *c = NULL;
    size_t clen = 0;
    if (!read_frame(&ctx->base, in, inlen, KT_BYTES, &c, &clen))
        return false;
    struct position at = locate_kt(ctx->base.alg, load_lane(in + AT_FED));
    if (!check_position(in, at))
        return KECCAKPROV_FAIL(prov, STATE_CORRUPT);
    if (!keccakprov_string_reserve(prov, &ctx->s, clen))
        return false;
    keccakprov_string_assign(&ctx->s, c, clen);
    keccakprov_state_load(&ctx->base, in);
    ctx->fed = load_lane(in + AT_FED);
    keccakprov_kt_resume(ctx);
    load_leaf(&ctx->leaves.tree, in, at);
    return true;
}

static size_t parallelhash_size(const struct parallelhash_ctx *ctx)
{
    return PARALLELHASH_BYTES + keccakprov_state_string_size(&ctx->base.s);
}

static void parallelhash_write(const struct parallelhash_ctx *ctx, uint8_t *out)
{
    const struct keccakprov_leaves *leaves = &ctx->leaves;
    struct keccak_sponge node = ctx->base.base.sponge;
    bool absorbing = node.phase == KECCAK_ABSORBING;
    uint64_t fed = 0;
    if (absorbing && ctx->base.started)
        fed = leaves->tree.leaves * ctx->leaf_size + leaves->tree.begun + leaves->fill;
    else if (absorbing)
        keccakprov_parallelhash_begin(&node, ctx->leaf_size);
    store_lane(out + AT_FED, fed);
    write_sponges(ctx->base.base.prov, &node, leaves, fed % ctx->leaf_size > 0, out);
    store_lane(out + AT_LEAF_SIZE, ctx->leaf_size);
    out[AT_XOF] = ctx->base.xof;
    store_lane(out + AT_LEFT, absorbing || ctx->base.xof ? 0 : ctx->base.left);
    keccakprov_state_write_string(out + PARALLELHASH_BYTES, &ctx->base.s);
}

static bool parallelhash_check(const struct keccakprov_alg *alg, const uint8_t *in)
{
    uint64_t leaf_size = load_lane(in + AT_LEAF_SIZE), left = load_lane(in + AT_LEFT);
    bool limited = in[AT_DIRECTION] == 1 && in[AT_XOF] == 0;
    return leaf_size > 0 && leaf_size <= SIZE_MAX && in[AT_XOF] <= 1 &&
           left < (limited ? KECCAK_STRING_LIMIT : 1) &&
           check_position(in, locate_parallelhash(alg, load_lane(in + AT_FED), leaf_size));
}

static bool parallelhash_read(struct parallelhash_ctx *ctx, const uint8_t *in, size_t inlen)
{
    struct digest_ctx *base = &ctx->base.base;
    const uint8_t *s = NULL;
    size_t slen = 0;
    if (!read_frame(base, in, inlen, PARALLELHASH_BYTES, &s, &slen))
        return false;
    if (!parallelhash_check(base->alg, in))
        return KECCAKPROV_FAIL(base->prov, STATE_CORRUPT);
    if (!keccakprov_cshake_adopt(&ctx->base, NULL, 0, s, slen))
        return false;
    keccakprov_state_load(base, in);
    ctx->leaf_size = (size_t)load_lane(in + AT_LEAF_SIZE);
    ctx->base.xof = in[AT_XOF];
    ctx->base.left = (size_t)load_lane(in + AT_LEFT);
    keccakprov_parallelhash_resume(ctx);
    load_leaf(&ctx->leaves.tree, in,
              locate_parallelhash(base->alg, load_lane(in + AT_FED), ctx->leaf_size));
    return true;
}

size_t keccakprov_tree_state_size(const struct digest_ctx *ctx)
{
    return ctx->alg->kind == KECCAKPROV_KT
               ? kt_size((const struct kt_ctx *)ctx)
               : parallelhash_size((const struct parallelhash_ctx *)ctx);
}

void keccakprov_tree_state_write(const struct digest_ctx *ctx, uint8_t *out)
{
    if (ctx->alg->kind == KECCAKPROV_KT)
        kt_write((const struct kt_ctx *)ctx, out);
    else
        parallelhash_write((const struct parallelhash_ctx *)ctx, out);
}

bool keccakprov_tree_state_read(struct digest_ctx *ctx, const uint8_t *in, size_t inlen)
{
    return ctx->alg->kind == KECCAKPROV_KT
               ? kt_read((struct kt_ctx *)ctx, in, inlen)
               : parallelhash_read((struct parallelhash_ctx *)ctx, in, inlen);
}
