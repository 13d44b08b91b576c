/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * XKCP's accumulated tests of tree hashing: thousands of messages, and one answer for all digests
 * together. */
#include "vectors.h"

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

/* All answers are hashed by `total`. */
struct sum {
    EVP_MD_CTX *total;
    struct job *job;
    bool good;
};

static void add(struct sum *sum, size_t inlen, size_t outlen, size_t customlen)
{
    uint8_t custom[CUSTOM], out[64];
    fill(custom, CUSTOM, (unsigned)customlen, 97);
    fill(sum->job->msg.data, inlen, (unsigned)outlen, (unsigned)(inlen + customlen));
    sum->job->msg.size = inlen;
    sum->job->custom = (struct bytes){custom, customlen};
    sum->good =
        sum->good && job_hash(sum->job, out, outlen) && EVP_DigestUpdate(sum->total, out, outlen);
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
        add(sum, n, size, 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t n = 0; n <= (size_t)3 * CHUNK; n += n > 0 ? 167 : 1)
            for (size_t customlen = 0; customlen <= CUSTOM; customlen += 7)
                add(sum, n, outlens[i], customlen);
}

enum verdict tree_procedure(struct line *line, struct job *job, const char *name, struct bytes want)
{
    const char *first = line_text(line, "first");
    uint8_t out[16];
    job->msg = line_room(line, LONGEST);
    if (line->broken || strcmp(name, "xkcp-kt") != 0 || want.size != sizeof(out))
        return UNPARSABLE;
    if (strcmp(first, "full") == 0 && !test_all())
        return LARGE;
    struct sum sum = {EVP_MD_CTX_new(), job, true};
    EVP_MD *md = EVP_MD_fetch(job->libctx, "KT-128", "provider=keccakprov");
    sum.good = EVP_DigestInit_ex2(sum.total, md, NULL);
    kt(&sum, first);
    sum.good = sum.good && EVP_DigestFinalXOF(sum.total, out, sizeof(out));
    EVP_MD_CTX_free(sum.total);
    EVP_MD_free(md);
    return sum.good && memcmp(out, want.data, sizeof(out)) == 0 ? PASSED : WRONG;
}
