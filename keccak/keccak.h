/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The Keccak family's engine: permutations, the sponge over them, and the string encodings of
 * SP 800-185. It knows nothing of OpenSSL, allocates nothing and has no global state.
 *
 * All sizes are in bytes. A pointer may be NULL only where its length is 0. */
#ifndef KECCAK_KECCAK_H
#define KECCAK_KECCAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KECCAK_LANES 25
#define KECCAK_STATE_BYTES 200
#define KECCAK_MAX_ROUNDS 24

/* The suffixes: the domain bits of FIPS 202 §6 or SP 800-185 §3.3 and the first 1 of pad10*1, the
 * earliest bit lowest: M || 01 || 1 is 0x06, M || 1111 || 1 is 0x1f, M || 00 || 1 is 0x04. The
 * Keccak submission appends no domain bits. */
#define KECCAK_SUFFIX_SHA3 0x06
#define KECCAK_SUFFIX_SHAKE 0x1f
#define KECCAK_SUFFIX_CSHAKE 0x04
#define KECCAK_SUFFIX_KECCAK 0x01

/* The work of a sponge (FIPS 202 §4) on one state, or on N side by side: XORs a block of so many
 * lanes from in, applies Keccak-p[1600, rounds] (§3.3), and so for each of the blocks, one behind
 * the other; the input of state n begins at in + n * stride. Lane A[x, y] of state n is
 * a[(x + 5 * y) * N + n], in the machine's byte order. blocks is at least 1; lanes is 9, 13, 17, 18
 * or 21, or 0 for the permutation alone, which reads no input; rounds is even, 2 to 24. No
 * alignment is asked for. */
typedef void keccak_kernel(uint64_t *a, const uint8_t *in, size_t stride, size_t blocks,
                           unsigned lanes, unsigned rounds);

/* Keccak-p alone. */
static inline void keccak_permute(keccak_kernel *kernel, uint64_t *a, unsigned rounds)
{
    kernel(a, (const uint8_t *)a, 0, 1, 0, rounds);
}

/* The kernels that one context uses. Constant, chosen once, carried by the contexts. */
struct keccak_ops {
    keccak_kernel *x1;
    keccak_kernel *x4; /* NULL: none better than x1 four times */
    keccak_kernel *x8; /* NULL: none better than x4 twice */
    unsigned needs;    /* KECCAK_CPU_* bits; 0 is the portable set */
    unsigned top;      /* the one of them that no lesser set needs */
    const char *name;  /* as buildinfo and the trace print it */
};

/* --- dispatch.c: which kernels this machine can run, and which it should --- */

/* What the configuration may ask for. AUTO applies the policy; the others are ceilings, and take
 * the highest kernel of each width. */
enum keccak_isa {
    KECCAK_ISA_PORTABLE,
    KECCAK_ISA_BMI2,
    KECCAK_ISA_AVX2,
    KECCAK_ISA_AUTO,
    KECCAK_ISA_AVX512
};

#define KECCAK_CPU_BMI2 1u   /* BMI1 and BMI2: andn, rorx */
#define KECCAK_CPU_AVX2 2u   /* AVX2, and the operating system keeps ymm registers */
#define KECCAK_CPU_AVX512 4u /* AVX-512 F and VL, and it keeps zmm registers */

/* The features of this CPU that a kernel may use: KECCAK_CPU_* bits. */
unsigned keccak_cpu_features(void);

/* The kernel set for a CPU with these features under this setting. Pure: the same arguments give
 * the same constant, which is never NULL. */
const struct keccak_ops *keccak_select(unsigned features, enum keccak_isa isa);

/* The n-th kernel set that the features allow, the portable one first; NULL past the last. */
const struct keccak_ops *keccak_nth(unsigned features, size_t n);

/* Whether the set's kernel for one state gives the stored answer for 24 and then 12 rounds on
 * distinct lanes, and every kernel of it does what the portable one does on each of its states. */
bool keccak_check(const struct keccak_ops *ops);

/* --- sponge.c: FIPS 202 §4 --- */

enum keccak_phase {
    KECCAK_DEAD,      /* never initialised, or the last initialisation failed */
    KECCAK_ABSORBING, /* 0 <= pos < rate: pos is the next byte to XOR */
    KECCAK_SQUEEZING, /* 0 <= pos <= rate: pos is the next byte to read */
    KECCAK_FINISHED
};

/* No interior pointer: copying a sponge is assignment. */
struct keccak_sponge {
    uint64_t a[KECCAK_LANES]; /* A[x, y] = a[x + 5 * y], in the machine's byte order */
    const struct keccak_ops *ops;
    uint8_t pos;
    uint8_t rate; /* 72, 104, 136, 144 or 168 */
    uint8_t suffix;
    uint8_t rounds;
    uint8_t phase;
};

/* Starts over with an empty message, whatever came before. */
void keccak_init(struct keccak_sponge *s, const struct keccak_ops *ops, uint8_t rate,
                 uint8_t suffix, uint8_t rounds);

/* Appends to the message. The sponge is absorbing. */
void keccak_absorb(struct keccak_sponge *s, const uint8_t *in, size_t inlen);

/* Writes the next outlen bytes of output; the first call ends the message, even when outlen is 0.
 * The sponge is absorbing or squeezing. */
void keccak_squeeze(struct keccak_sponge *s, uint8_t *out, size_t outlen);

/* The state in the byte order of FIPS 202 §B.1, and back. */
void keccak_store_state(const uint64_t a[KECCAK_LANES], uint8_t out[KECCAK_STATE_BYTES]);
void keccak_load_state(uint64_t a[KECCAK_LANES], const uint8_t in[KECCAK_STATE_BYTES]);

/* --- tree.c: hashing the pieces of a message apart (SP 800-185 §6, RFC 9861 §3) --- */

/* The leaves are equal pieces of a message, each hashed by a sponge of its own to a chaining value
 * as long as the capacity. The values go into the final node, a sponge of the caller's with the
 * leaves' rate, 168 or 136, their rounds and kernels. */
struct keccak_tree {
    struct keccak_sponge leaf; /* the unfinished leaf, if there is one */
    size_t leaf_size;          /* at least 1 */
    size_t begun;              /* bytes in the unfinished leaf, below leaf_size */
    uint64_t leaves;           /* whose values are in the node */
};

/* Starts over without a leaf. */
void keccak_tree_init(struct keccak_tree *tree, const struct keccak_sponge *node, uint8_t suffix,
                      size_t leaf_size);

/* Appends to the message: whole leaves straight from in, side by side, the rest by the sponge. */
void keccak_tree_absorb(struct keccak_tree *tree, struct keccak_sponge *node, const uint8_t *in,
                        size_t inlen);

/* Ends the unfinished leaf, if there is one. */
void keccak_tree_end(struct keccak_tree *tree, struct keccak_sponge *node);

/* --- encode.c: SP 800-185 §2.3 --- */

#define KECCAK_ENCODE_MAX 9 /* the longest left_encode or right_encode of a 64-bit number */

/* Strings of this length and longer have a bit length that 64 bits do not hold; where size_t is
 * narrower, no object is so large. */
#if SIZE_MAX > UINT32_MAX
#define KECCAK_STRING_LIMIT ((size_t)1 << 61)
#else
#define KECCAK_STRING_LIMIT ((size_t)PTRDIFF_MAX + 1)
#endif

/* left_encode(value); returns the number of bytes written. */
size_t keccak_left_encode(uint8_t out[KECCAK_ENCODE_MAX], uint64_t value);

/* right_encode(value); returns the number of bytes written. */
size_t keccak_right_encode(uint8_t out[KECCAK_ENCODE_MAX], uint64_t value);

/* length_encode(value) of RFC 9861 §3.3: right_encode, but for 0, which is one byte. */
size_t keccak_length_encode(uint8_t out[KECCAK_ENCODE_MAX], uint64_t value);

/* Reads what left_encode writes, and only that; returns the bytes read, 0 if in has none. */
size_t keccak_left_decode(uint64_t *value, const uint8_t *in, size_t inlen);

/* Absorbs encode_string(in); inlen is below KECCAK_STRING_LIMIT. */
void keccak_absorb_string(struct keccak_sponge *s, const uint8_t *in, size_t inlen);

/* bytepad(..., rate) around what is absorbed between the two, from an empty message on. */
void keccak_bytepad_begin(struct keccak_sponge *s);
void keccak_bytepad_end(struct keccak_sponge *s);

#endif
