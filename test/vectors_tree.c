/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * XKCP's accumulated tests of tree hashing: thousands of messages, and one answer for all digests
 * together. */
#include "vectors.h"
#include "keccak.h"

#define CHUNK 8192
#define LONGEST (9 * CHUNK + 123)
#define CUSTOM 32

/* XKCP's filling: byte i follows from the length, two seeds and i mod 256. */
static void fill(uint8_t *out, size_t n, unsigned seed1, unsigned seed2)
{
    for (size_t i = 0; i < n && i < 256; i++) {
        size_t rotated = i << seed2 % 8 | i >> (8 - seed2 % 8);
        out[i] = (uint8_t)(seed1 + 161 * n - (rotated & 255) + i);
    }
    for (size_t i = 256; i < n; i += 256)
        memcpy(out + i, out, n - i < 256 ? n - i : 256);
}

/* All answers, one behind the other. */
struct sum {
    struct job *job;
    struct bytes answers; /* size: of those there are */
    size_t room;
    bool good;
};

/* Hashes job's message, which has room for inlen bytes, of this filling. */
static void add(struct sum *sum, size_t inlen, size_t outlen, unsigned seed1, unsigned seed2)
{
    while (sum->answers.size + outlen > sum->room) {
        sum->room = 2 * sum->room + 1024;
        sum->answers.data = realloc(sum->answers.data, sum->room);
        assert_non_null(sum->answers.data);
    }
    fill(sum->job->msg.data, inlen, seed1, seed2);
    sum->job->msg.size = inlen;
    sum->good = sum->good && job_hash(sum->job, sum->answers.data + sum->answers.size, outlen);
    sum->answers.size += outlen;
}

static void add_kt(struct sum *sum, size_t inlen, size_t outlen, size_t customlen)
{
    uint8_t custom[CUSTOM];
    fill(custom, CUSTOM, (unsigned)customlen, 97);
    sum->job->custom = (struct bytes){custom, customlen};
    add(sum, inlen, outlen, (unsigned)outlen, (unsigned)(inlen + customlen));
}

/* The step to the next length of message; 0: none is hashed. */
static size_t step(const char *first, size_t n)
{
    if (strcmp(first, "sparse") == 0)
        return n >= (size_t)2 * CHUNK ? 32 : 1;
    return strcmp(first, "full") == 0 ? 1 : strcmp(first, "by23") == 0 ? 23 : 0;
}

static void kt(struct sum *sum, const char *first)
{
    static const size_t outlens[] = {16, 32, 64};
    size_t size = (size_t)EVP_MD_get_size(sum->job->md);
    for (size_t n = 0; n <= LONGEST && step(first, n) > 0; n += step(first, n))
        add_kt(sum, n, size, 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t n = 0; n <= (size_t)3 * CHUNK; n += n > 0 ? 167 : 1)
            for (size_t customlen = 0; customlen <= CUSTOM; customlen += 7)
                add_kt(sum, n, outlens[i], customlen);
}

static void add_parallelhash(struct sum *sum, size_t leaf_size, size_t inlen, size_t outlen,
                             size_t customlen)
{
    uint8_t custom[16];
    bool strong = EVP_MD_get_size(sum->job->md) == 64;
    fill(custom, sizeof(custom), strong ? 128 : 64, 97);
    sum->job->custom = (struct bytes){custom, customlen};
    sum->job->leaf_size = leaf_size;
    add(sum, inlen, outlen, (unsigned)(leaf_size / 256 + outlen), (unsigned)(inlen + customlen));
}

static void parallelhash(struct sum *sum)
{
    static const size_t outlens[] = {16, 32, 64};
    size_t rate = (size_t)EVP_MD_get_block_size(sum->job->md);
    for (size_t leaf_size = 1024; leaf_size <= CHUNK; leaf_size *= 8)
        for (size_t n = 0; n < leaf_size * 9 + 124; n++)
            add_parallelhash(sum, leaf_size, n, 32, 0);
    for (size_t leaf_size = 8; leaf_size <= CHUNK; leaf_size *= 2)
        for (size_t i = 0; i < 3; i++)
            for (size_t n = 0; n <= 3 * leaf_size && n <= 1024; n += n > 0 ? rate - 1 : 1)
                for (size_t customlen = 0; customlen <= 16; customlen += 7)
                    add_parallelhash(sum, leaf_size, n, outlens[i], customlen);
}

static void parallelhash_xof(struct sum *sum)
{
    sum->job->xof = 1;
    for (size_t outlen = 16; outlen <= 512; outlen *= 2)
        for (size_t leaf_size = 8; leaf_size <= CHUNK; leaf_size *= 2)
            for (size_t n = 0; n <= 3 * leaf_size && n <= 1024; n = n > 0 ? 4 * n : 1)
                add_parallelhash(sum, leaf_size, n, outlen, 0);
}

/* The answer for the answers: KT128 of them... */
static bool sum_kt(const struct sum *sum, uint8_t out[16])
{
    struct job job = {.libctx = sum->job->libctx, .alg = "KT-128", .msg = sum->answers};
    bool good = job_fetch(&job) && job_hash(&job, out, 16);
    EVP_MD_free(job.md);
    return good;
}

/* ... or a sponge of all 200 bytes and no capacity. */
static bool sum_sponge(const struct sum *sum, uint8_t out[16])
{
    uint64_t a[KECCAK_LANES] = {0};
    size_t pos = 0;
    for (size_t i = 0; i < sum->answers.size; i++) {
        a[pos / 8] ^= (uint64_t)sum->answers.data[i] << pos % 8 * 8;
        if (++pos == KECCAK_STATE_BYTES) {
            keccak_permute(keccak_nth(0, 0)->x1, a, 24);
            pos = 0;
        }
    }
    a[pos / 8] ^= (uint64_t)KECCAK_SUFFIX_KECCAK << pos % 8 * 8;
    a[24] ^= UINT64_C(1) << 63;
    keccak_permute(keccak_nth(0, 0)->x1, a, 24);
    for (size_t i = 0; i < 16; i++)
        out[i] = (uint8_t)(a[i / 8] >> i % 8 * 8);
    return true;
}

enum verdict tree_procedure(struct line *line, struct job *job, const char *name, struct bytes want)
{
    struct sum sum = {.job = job, .good = true};
    bool is_kt = strcmp(name, "xkcp-kt") == 0, is_xof = strcmp(name, "xkcp-parallelhash-xof") == 0;
    const char *first = is_kt ? line_text(line, "first") : is_xof ? "none" : "full";
    uint8_t out[16];
    job->msg = line_room(line, LONGEST);
    if (line->broken || want.size != sizeof(out) ||
        (!is_kt && !is_xof && strcmp(name, "xkcp-parallelhash") != 0))
        return UNPARSABLE;
    if (strcmp(first, "full") == 0 && !test_all())
        return LARGE;
    if (is_kt)
        kt(&sum, first);
    else if (is_xof)
        parallelhash_xof(&sum);
    else
        parallelhash(&sum);
    bool good = sum.good && (is_kt ? sum_kt(&sum, out) : sum_sponge(&sum, out));
    free(sum.answers.data);
    return good && memcmp(out, want.data, sizeof(out)) == 0 ? PASSED : WRONG;
}
