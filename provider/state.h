/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the files for saved states share. Every one begins with a header:
 *
 *   magic (4)  rate (1)  state (200)  position (1)  direction (1: 0 absorbing, 1 squeezing) */
#ifndef KECCAKPROV_STATE_H
#define KECCAKPROV_STATE_H

#include "digest.h"

#define MAGIC_BYTES 4
#define HEADER_BYTES (MAGIC_BYTES + 1 + KECCAK_STATE_BYTES + 2)

enum { AT_RATE = MAGIC_BYTES, AT_STATE, AT_POS = AT_STATE + KECCAK_STATE_BYTES, AT_DIRECTION };

/* --- state.c --- */

/* Whether rate, direction and position can be; otherwise queues the reason. */
bool keccakprov_state_check_header(const struct digest_ctx *ctx, const uint8_t *in);

/* Puts the checked header's sponge into the context. */
void keccakprov_state_load(struct digest_ctx *ctx, const uint8_t *in);

/* encode_string: its size, and writing it; returns the end. */
size_t keccakprov_state_string_size(const struct keccakprov_string *string);
uint8_t *keccakprov_state_write_string(uint8_t *out, const struct keccakprov_string *string);

/* One encoded string of at most what is left of the blob; moves *in behind it. */
bool keccakprov_state_read_string(const uint8_t **in, const uint8_t *end, const uint8_t **data,
                                  size_t *len);

/* --- tree_state.c --- */

/* For KT and ParallelHash. */
size_t keccakprov_tree_state_size(const struct digest_ctx *ctx);

/* Completes a blob whose header is of the context's sponge as it is. */
void keccakprov_tree_state_write(const struct digest_ctx *ctx, uint8_t *out);

/* Checks all behind the magic, then loads it. */
bool keccakprov_tree_state_read(struct digest_ctx *ctx, const uint8_t *in, size_t inlen);

#endif
