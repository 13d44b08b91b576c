/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Saved states of tree hashing. Behind the header, which is of the final node:
 *
 *   KT: bytes of message (8)  the unfinished leaf's state (200)  left_encode(8|C|) C
 *
 * Numbers have their lowest byte first. What waits in memory is hashed for the occasion, so that
 * neither it nor the kernels show; the leaf is zero where there is none, and the number too once
 * output has begun. */
#include <string.h>
#include "lane.h"
#include "state.h"
#include "tree.h"

enum { AT_FED = HEADER_BYTES, AT_LEAF = AT_FED + 8, KT_BYTES = AT_LEAF + KECCAK_STATE_BYTES };

/* More than anybody has hashed: so that adding to it cannot wrap. */
#define FED_LIMIT ((uint64_t)1 << 63)

/* Where in the sponges a number of bytes must have left the cursors, and how many leaves it is. */
struct position {
    uint64_t leaves;
    size_t begun; /* bytes of the unfinished leaf */
    uint8_t node, leaf;
};

/* before: bytes in the node before the first chaining value. */
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

/* The node, and the leaf if one is begun, after all that waits. */
static void write_sponges(const struct digest_ctx *ctx, const struct keccakprov_leaves *leaves,
                          bool begun, uint8_t *out)
{
    struct keccak_sponge node = ctx->sponge;
    struct keccak_tree tree = leaves->tree;
    if (leaves->fill > 0)
        keccak_tree_absorb(&tree, &node, leaves->buffer, leaves->fill);
    keccak_store_state(node.a, out + AT_STATE);
    out[AT_POS] = node.pos;
    if (begun)
        keccak_store_state(tree.leaf.a, out + AT_LEAF);
    else
        memset(out + AT_LEAF, 0, KECCAK_STATE_BYTES);
    ctx->prov->OPENSSL_cleanse(&node, sizeof(node));
    ctx->prov->OPENSSL_cleanse(&tree, sizeof(tree));
}

static bool is_zero(const uint8_t *in, size_t n)
{
    uint8_t any = 0;
    while (n > 0)
        any |= in[--n];
    return any == 0;
}

size_t keccakprov_kt_state_size(const struct digest_ctx *ctx)
{
    return KT_BYTES + keccakprov_state_string_size(&((const struct kt_ctx *)ctx)->s);
}

void keccakprov_kt_state_write(const struct digest_ctx *base, uint8_t *out)
{
    const struct kt_ctx *ctx = (const struct kt_ctx *)base;
    uint64_t fed = base->sponge.phase == KECCAK_ABSORBING ? ctx->fed : 0;
    store_lane(out + AT_FED, fed);
    write_sponges(base, &ctx->leaves, locate_kt(base->alg, fed).begun > 0, out);
    keccakprov_state_write_string(out + KT_BYTES, &ctx->s);
}

/* The leaf and its number, of an absorbing state or a squeezing one. */
static bool check_kt(const struct digest_ctx *ctx, const uint8_t *in)
{
    uint64_t fed = load_lane(in + AT_FED);
    struct position at = locate_kt(ctx->alg, fed);
    bool squeezing = in[AT_DIRECTION] == 1;
    bool good = squeezing ? fed == 0 : fed < FED_LIMIT && in[AT_POS] == at.node;
    return good && (at.begun > 0 || is_zero(in + AT_LEAF, KECCAK_STATE_BYTES));
}

static void load_kt(struct kt_ctx *ctx, const uint8_t *in)
{
    struct keccak_tree *tree = &ctx->leaves.tree;
    ctx->fed = load_lane(in + AT_FED);
    struct position at = locate_kt(ctx->base.alg, ctx->fed);
    keccakprov_state_load(&ctx->base, in);
    keccakprov_kt_resume(ctx);
    if (at.begun > 0) {
        keccak_load_state(tree->leaf.a, in + AT_LEAF);
        tree->leaf.pos = at.leaf;
    }
    tree->leaves = at.leaves;
    tree->begun = at.begun;
}

bool keccakprov_kt_state_read(struct digest_ctx *base, const uint8_t *in, size_t inlen)
{
    struct kt_ctx *ctx = (struct kt_ctx *)base;
    const uint8_t *c, *at = in + KT_BYTES;
    size_t clen;
    if (inlen < KT_BYTES)
        return KECCAKPROV_FAIL(base->prov, STATE_LENGTH);
    if (!keccakprov_state_check_header(base, in))
        return false;
    if (!check_kt(base, in) || !keccakprov_state_read_string(&at, in + inlen, &c, &clen))
        return KECCAKPROV_FAIL(base->prov, STATE_CORRUPT);
    if (at != in + inlen)
        return KECCAKPROV_FAIL(base->prov, STATE_LENGTH);
    if (!keccakprov_string_reserve(base->prov, &ctx->s, clen))
        return false;
    keccakprov_string_assign(&ctx->s, c, clen);
    load_kt(ctx, in);
    return true;
}
