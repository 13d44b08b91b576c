/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * One digest of a known answer, and the tests that chain many of them. */
#include "vectors.h"

#define STEPS 1000 /* of a chain between two checkpoints */
#define TUPLE 36   /* bytes of the elements of one step */
#define NAMES 200  /* go-cshake: names and customizations of every length below */
#define OUTPUT 200 /* go-cshake: bytes of each answer */

bool job_fetch(struct job *job)
{
    job->md = EVP_MD_fetch(job->libctx, job->alg, "provider=keccakprov");
    return job->md != NULL;
}

/* The strings may be octets or UTF-8 alike. */
static bool init(EVP_MD_CTX *ctx, const struct job *job, unsigned type)
{
    unsigned domain = job->domain;
    size_t leaf_size = job->leaf_size;
    int xof = job->xof;
    OSSL_PARAM params[6], *p = params;
    if (job->name.data != NULL)
        *p++ = (OSSL_PARAM){"function-name", type, job->name.data, job->name.size, 0};
    if (job->custom.data != NULL)
        *p++ = (OSSL_PARAM){"customization", type, job->custom.data, job->custom.size, 0};
    if (domain != 0)
        *p++ = OSSL_PARAM_construct_uint("domain-separator", &domain);
    if (leaf_size != 0)
        *p++ = OSSL_PARAM_construct_size_t("leaf-size", &leaf_size);
    if (xof != 0)
        *p++ = OSSL_PARAM_construct_int("xof", &xof);
    *p = OSSL_PARAM_construct_end();
    return EVP_DigestInit_ex2(ctx, job->md, params);
}

static bool finish(EVP_MD_CTX *ctx, const EVP_MD *md, uint8_t *out, size_t outlen)
{
    if ((EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0)
        return EVP_DigestFinalXOF(ctx, out, outlen);
    unsigned size;
    return (size_t)EVP_MD_get_size(md) == outlen && EVP_DigestFinal_ex(ctx, out, &size) &&
           size == outlen;
}

/* One byte at a time, a chunk of KangarooTwelve or a byte less or more, or any number. */
static bool update_in_pieces(EVP_MD_CTX *ctx, struct bytes msg)
{
    static const size_t sizes[] = {1, 8191, 8192, 8193};
    size_t which = test_below(8);
    size_t piece =
        which < 4 && sizes[which] < msg.size ? sizes[which] : 1 + test_below(msg.size + 1);
    for (size_t at = 0; at < msg.size; at += piece)
        if (!EVP_DigestUpdate(ctx, msg.data + at, piece < msg.size - at ? piece : msg.size - at))
            return false;
    return true;
}

bool job_hash(const struct job *job, uint8_t *out, size_t outlen)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    uint8_t *again = malloc(outlen > 0 ? outlen : 1);
    bool same = ctx != NULL && again != NULL && init(ctx, job, OSSL_PARAM_OCTET_STRING) &&
                EVP_DigestUpdate(ctx, job->msg.data, job->msg.size) &&
                finish(ctx, job->md, out, outlen) && init(ctx, job, OSSL_PARAM_UTF8_STRING) &&
                update_in_pieces(ctx, job->msg) && finish(ctx, job->md, again, outlen) &&
                memcmp(out, again, outlen) == 0;
    free(again);
    EVP_MD_CTX_free(ctx);
    return same;
}

/* A Monte Carlo test. All lengths in bytes, as every source has whole bytes. */
struct chain {
    struct job *job;
    struct bytes x; /* room for the longest output; size: of this one */
    size_t low, high, next;
    bool xof;
    bool strings;       /* cSHAKE, TupleHash */
    struct tuple tuple; /* of TupleHash; else without elements */
    uint8_t letters[TUPLE + 2];
};

static void chain_next_length(struct chain *chain)
{
    const uint8_t *end = chain->x.data + chain->x.size;
    size_t last = (size_t)end[-2] << 8 | end[-1];
    if (!chain->strings) /* SHAKE draws bytes, the others bits and round down */
        chain->next = chain->low + last % (chain->high - chain->low + 1);
    else
        chain->next = chain->low + last % (8 * (chain->high - chain->low) + 1) / 8;
}

/* The next customization: the input's letters and those of the end of the output. */
static void chain_next_custom(struct chain *chain, const uint8_t *in, size_t inlen)
{
    memcpy(chain->letters, in, inlen);
    memcpy(chain->letters + inlen, chain->x.data + chain->x.size - 2, 2);
    chain->job->custom = (struct bytes){chain->letters, inlen + 2};
    for (size_t i = 0; i < inlen + 2; i++)
        chain->letters[i] = (uint8_t)('A' + chain->letters[i] % 26);
}

/* Cuts in into one to four elements and hashes them; returns the length of the first. */
static size_t chain_tuple(struct chain *chain, uint8_t in[TUPLE])
{
    struct tuple *tuple = &chain->tuple;
    tuple->count = (in[0] >> 5) % 4 + 1;
    for (size_t i = 0; i < tuple->count; i++)
        tuple->elements[i] = (struct bytes){in + i * (TUPLE / tuple->count), TUPLE / tuple->count};
    bool good = job_tuple(chain->job, tuple, chain->x.data, chain->x.size);
    return good ? TUPLE / tuple->count : 0;
}

static bool chain_step(struct chain *chain)
{
    uint8_t in[EVP_MAX_MD_SIZE] = {0};
    bool tuple = chain->tuple.elements != NULL;
    size_t inlen = tuple ? TUPLE : chain->xof ? 16 : chain->x.size;
    memcpy(in, chain->x.data, chain->x.size < inlen ? chain->x.size : inlen);
    chain->job->msg = (struct bytes){in, inlen};
    chain->x.size = chain->next;
    if (tuple)
        inlen = chain_tuple(chain, in);
    else if (!job_hash(chain->job, chain->x.data, chain->x.size))
        return false;
    if (chain->xof)
        chain_next_length(chain);
    if (chain->strings)
        chain_next_custom(chain, in, inlen);
    return inlen > 0;
}

static void chain_begin(struct chain *chain, struct line *line)
{
    struct bytes seed = line_bytes(line, "seed");
    chain->xof = (EVP_MD_get_flags(chain->job->md) & EVP_MD_FLAG_XOF) != 0;
    chain->next = (size_t)EVP_MD_get_size(chain->job->md);
    if (chain->xof) {
        size_t minbits = line_number(line, "minbits"), maxbits = line_number(line, "maxbits");
        line->broken |= minbits < 16 || maxbits < minbits || maxbits > 1 << 20;
        line->broken |= minbits % 8 != 0 || maxbits % 8 != 0;
        chain->low = minbits / 8;
        chain->next = chain->high = maxbits / 8;
        chain->strings = strncmp(chain->job->alg, "SHAKE", 5) != 0;
    } else {
        line->broken |= seed.size != chain->next;
    }
    chain->x = line_room(line, chain->next > seed.size ? chain->next : seed.size);
    memcpy(chain->x.data, seed.data, seed.size);
    chain->x.size = seed.size;
}

/* Compares a checkpoint with its hex, cut after head bytes. */
static bool chain_at(const struct chain *chain, struct line *line, const char *hex, size_t head)
{
    struct line scratch = {0};
    size_t size = chain->x.size < head ? chain->x.size : head;
    struct bytes want = line_hex(&scratch, hex);
    bool same = want.size == size && memcmp(want.data, chain->x.data, size) == 0;
    line->broken |= scratch.broken;
    line_free(&scratch);
    return same;
}

static bool chain_length_at(const struct chain *chain, char **lens)
{
    const char *want = strsep(lens, ",");
    return want != NULL && strtoull(want, NULL, 10) == chain->x.size;
}

enum verdict chain_run(struct line *line, struct job *job)
{
    struct chain chain = {.job = job};
    struct bytes elements[4];
    chain_begin(&chain, line);
    if (strncmp(job->alg, "TUPLEHASH", 9) == 0) {
        size_t xof = line_number(line, "xof");
        chain.tuple = (struct tuple){elements, 0, xof == 1};
    }
    size_t head = line_has(line, "head") ? line_number(line, "head") : SIZE_MAX;
    char *out = line_text(line, "out");
    char *lens = line_has(line, "lens") ? line_text(line, "lens") : NULL;
    bool has_lens = lens != NULL;
    if (line->broken || *out == '\0')
        return UNPARSABLE;
    for (char *hex; (hex = strsep(&out, ",")) != NULL;) {
        for (size_t i = 0; i < STEPS; i++)
            if (!chain_step(&chain))
                return WRONG;
        if (!chain_at(&chain, line, hex, head) || (has_lens && !chain_length_at(&chain, &lens)))
            return WRONG;
    }
    return lens == NULL ? PASSED : WRONG;
}

/* The first size bytes of SHAKE of the empty message, of the strength of job->alg. */
static EVP_MD *shake_stream(const struct job *job, struct bytes stream)
{
    struct job shake = {.libctx = job->libctx, .alg = job->alg + strlen("C")};
    assert_true(job_fetch(&shake));
    shake.msg = (struct bytes){stream.data, 0};
    assert_true(job_hash(&shake, stream.data, stream.size));
    return shake.md;
}

static struct bytes take(struct bytes *stream, size_t size)
{
    struct bytes taken = {stream->data, size};
    stream->data += size;
    return taken;
}

/* golang.org/x/crypto/sha3: every length of name and customization, three messages each; names,
 * customizations and messages come from SHAKE, and the answers go into SHAKE. */
static bool go_cshake(struct line *line, struct job *job, uint8_t out[32])
{
    size_t rate = (size_t)EVP_MD_get_block_size(job->md);
    size_t lengths[] = {100, rate, 200};
    struct bytes stream =
        line_room(line, NAMES * (NAMES - 1) / 2 * (NAMES + 1) + NAMES * NAMES * (100 + rate + 200));
    EVP_MD *shake = shake_stream(job, stream);
    EVP_MD_CTX *answers = EVP_MD_CTX_new();
    bool good = answers != NULL && EVP_DigestInit_ex2(answers, shake, NULL);
    for (size_t n = 0; n < NAMES; n++) {
        job->name = take(&stream, n);
        for (size_t s = 0; s < NAMES; s++) {
            job->custom = take(&stream, s);
            for (size_t i = 0; i < 3; i++) {
                uint8_t answer[OUTPUT];
                job->msg = take(&stream, lengths[i]);
                good = good && job_hash(job, answer, OUTPUT) &&
                       EVP_DigestUpdate(answers, answer, OUTPUT);
            }
        }
    }
    good = good && EVP_DigestFinalXOF(answers, out, 32);
    EVP_MD_CTX_free(answers);
    EVP_MD_free(shake);
    return good;
}

/* A customization whose length in bits does not fit 32 bits. */
static bool go_cshake_large_s(struct line *line, struct job *job, uint8_t out[32])
{
    struct bytes stream = line_room(line, ((size_t)1 << 29) + 1000 + 1000);
    EVP_MD_free(shake_stream(job, stream));
    job->custom = take(&stream, ((size_t)1 << 29) + 1000);
    job->msg = take(&stream, 1000);
    return job_hash(job, out, 32);
}

enum verdict procedure_run(struct line *line, struct job *job)
{
    const char *name = line_text(line, "proc");
    struct bytes want = line_bytes(line, "out");
    if (strncmp(name, "xkcp-", 5) == 0)
        return tree_procedure(line, job, name, want);
    bool large = strcmp(name, "go-cshake-large-s") == 0;
    bool cshake = job->name.data != NULL;
    if (line->broken || !cshake || want.size != 32 || (!large && strcmp(name, "go-cshake") != 0))
        return UNPARSABLE;
    if (large && !test_all())
        return LARGE;
    uint8_t out[32];
    bool good = large ? go_cshake_large_s(line, job, out) : go_cshake(line, job, out);
    return good && memcmp(out, want.data, 32) == 0 ? PASSED : WRONG;
}
