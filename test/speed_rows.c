/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The rows: what is timed, and against what. */
#include <stdio.h>
#include <string.h>
#include "speed.h"

#define MIB ((size_t)1 << 20)
#define KIB ((size_t)1 << 10)

static struct speed_row rows[192];
static size_t row_count;

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

/* A row that says nothing of the others has them do the same work. */
static void add(const struct speed_row *row)
{
    speed_need(row_count < COUNT(rows), "too many rows");
    struct speed_row *new = &rows[row_count++];
    *new = *row;
    if (new->versus[0].algorithm == NULL)
        new->versus[0] = new->work;
}

#define ROW(label, count, ...)                                 \
    {                                                          \
        .name = label, .bytes = count, .work = { __VA_ARGS__ } \
    }
#define HASH(name, in, n, out) \
    .algorithm = name, .task = SPEED_HASH, .inlen = in, .updates = n, .outlen = out

/* Go's benchmark of crypto/sha3: the same names, sizes and pieces. Where Go's Sum works on a copy
 * and the message goes on, these begin a new one, as users of EVP do. */
static const struct speed_row go[] = {ROW("Sha3_512_MTU", 1350, HASH("SHA3-512", 1350, 1, 64)),
                                      ROW("Sha3_384_MTU", 1350, HASH("SHA3-384", 1350, 1, 48)),
                                      ROW("Sha3_256_MTU", 1350, HASH("SHA3-256", 1350, 1, 32)),
                                      ROW("Sha3_224_MTU", 1350, HASH("SHA3-224", 1350, 1, 28)),
                                      ROW("Shake128_MTU", 1350, HASH("SHAKE128", 1350, 1, 32)),
                                      ROW("Shake256_MTU", 1350, HASH("SHAKE256", 1350, 1, 32)),
                                      ROW("Shake256_16x", 16 * KIB, HASH("SHAKE256", 16, KIB, 32)),
                                      ROW("Shake256_1MiB", MIB, HASH("SHAKE256", KIB, KIB, 32)),
                                      ROW("Sha3_512_1MiB", MIB, HASH("SHA3-512", KIB, KIB, 64))};

#define SHORT(name, what) .algorithm = name, .task = what, .inlen = 64, .updates = 1, .outlen = 32
#define COPY(name) .algorithm = name, .task = SPEED_COPY, .inlen = 64, .updates = 1
#define SQUEEZE(name, out, n)                                                           \
    .algorithm = name, .task = SPEED_SQUEEZE, .inlen = 34, .updates = 1, .outlen = out, \
    .squeezes = n
#define EMAIL "Email Signature"

/* How contexts are used. Of cSHAKE's three, one inits with the strings of the time before, one
 * with others, and one goes around init. */
static const struct speed_row uses[] = {
    ROW("EVP_Q_digest SHA3-256 64", 64, SHORT("SHA3-256", SPEED_QUICK)),
    ROW("EVP_Digest SHA3-256 64", 64, SHORT("SHA3-256", SPEED_DIGEST)),
    ROW("new context SHA3-256 64", 64, SHORT("SHA3-256", SPEED_NEW)),
    ROW("new context SHA3-256 32", 32, .algorithm = "SHA3-256", .task = SPEED_NEW, .inlen = 32,
        .updates = 1, .outlen = 32),
    ROW("reused context SHA3-256 64", 64, SHORT("SHA3-256", SPEED_HASH)),
    ROW("copy_ex SHA3-256", 0, COPY("SHA3-256")),
    ROW("copy_ex SHAKE128", 0, COPY("SHAKE128")),
    ROW("copy_ex CSHAKE-128", 0, COPY("CSHAKE-128"), .strings = {EMAIL, EMAIL}),
    ROW("CSHAKE-128 64 same strings", 64, SHORT("CSHAKE-128", SPEED_HASH),
        .strings = {EMAIL, EMAIL}),
    ROW("CSHAKE-128 64 new strings", 64, SHORT("CSHAKE-128", SPEED_HASH),
        .strings = {EMAIL, "Other"}),
    ROW("CSHAKE-128 64 copied", 64, SHORT("CSHAKE-128", SPEED_RESUME), .strings = {EMAIL, EMAIL}),
    ROW("SHAKE128 34 in 504 out", 504, HASH("SHAKE128", 34, 1, 504)),
    ROW("SHAKE128 34 in 3 x 168 squeezed", 504, SQUEEZE("SHAKE128", 168, 3)),
    ROW("SHAKE128 32 KiB out", 32 * KIB, HASH("SHAKE128", 34, 1, 32 * KIB)),
    ROW("SHAKE128 32 KiB squeezed", 32 * KIB, SQUEEZE("SHAKE128", 32 * KIB, 1)),
    ROW("SHAKE128 1000 x 32 squeezed", 32000, SQUEEZE("SHAKE128", 32, 1000)),
    ROW("SHAKE256 32 KiB out", 32 * KIB, HASH("SHAKE256", 34, 1, 32 * KIB)),
    ROW("SHAKE256 32 KiB squeezed", 32 * KIB, SQUEEZE("SHAKE256", 32 * KIB, 1)),
    ROW("SHAKE256 1000 x 32 squeezed", 32000, SQUEEZE("SHAKE256", 32, 1000))};

/* What OpenSSL lacks, tree hashing first, against what one would hash so much data with. The second
 * size of update is that of `openssl dgst`. */
#define TREE(label, piece, out, ours, theirs)                                                 \
    {                                                                                         \
        .name = label, .bytes = 2 * MIB, .work = {HASH(ours, piece, 2 * MIB / (piece), out)}, \
        .versus = {                                                                           \
            {HASH(theirs, piece, 2 * MIB / (piece), out)}                                     \
        }                                                                                     \
    }
static const struct speed_row trees[] = {
    TREE("KT128 in 1 MiB pieces", MIB, 32, "KT-128", "SHA2-256"),
    TREE("KT128 in 8 KiB pieces", 8 * KIB, 32, "KT-128", "SHA2-256"),
    TREE("KT256 in 1 MiB pieces", MIB, 64, "KT-256", "SHA2-512"),
    TREE("ParallelHash128 in 1 MiB pieces", MIB, 32, "PARALLELHASH-128", "SHAKE128"),
    TREE("ParallelHash128 in 8 KiB pieces", 8 * KIB, 32, "PARALLELHASH-128", "SHAKE128"),
    TREE("ParallelHash256 in 1 MiB pieces", MIB, 64, "PARALLELHASH-256", "SHAKE256"),
    TREE("TurboSHAKE128 in 1 MiB pieces", MIB, 32, "TURBOSHAKE-128", "SHAKE128")};

#define SMALL(label, alg, size) ROW(label, size, HASH(alg, size, 1, 32))
#define MAC(name, out) \
    .algorithm = name, .task = SPEED_MAC, .inlen = 32, .updates = 1, .outlen = out

/* Short messages, of which KT makes TurboSHAKE's. */
static const struct speed_row small[] = {SMALL("KT128 0", "KT-128", 0),
                                         SMALL("TurboSHAKE128 0", "TURBOSHAKE-128", 0),
                                         SMALL("KT128 64", "KT-128", 64),
                                         SMALL("TurboSHAKE128 64", "TURBOSHAKE-128", 64),
                                         SMALL("TupleHash128 64", "TUPLEHASH-128", 64),
                                         ROW("KMAC128 32, kept key", 32, MAC("KMAC-128", 32)),
                                         ROW("KMAC256 32, kept key", 32, MAC("KMAC-256", 64))};

/* The time of a block in a long message. */
#define SLOPE(name, rate) \
    HASH(name, MIB, 1, 32), .less = 8 * KIB, .per = MIB / (rate)-8 * KIB / (rate)

static const struct speed_row engine[] = {
    ROW("SHA3-256 slope", 136, SLOPE("SHA3-256", 136)),
    /* Each call that permuted wipes the stack once. So a block in each call, beside the same blocks
     * in one call, shows what the wipe costs, and the call. */
    {.name = "sponge 136, a wipe each",
     .bytes = 136,
     .work = {.algorithm = "wipes", .task = SPEED_ABSORB, .inlen = 136, .updates = 64, .per = 64},
     .versus = {{.algorithm = "a wipe in 64",
                 .task = SPEED_ABSORB,
                 .inlen = (size_t)64 * 136,
                 .updates = 1,
                 .per = 64}}}};

static const struct {
    const char *name;
    size_t outlen;
    const char *customization;
    const char *instead; /* for those who lack it: the nearest that they have */
} algorithms[] = {{"SHA3-224", 28, NULL, NULL},          {"SHA3-256", 32, NULL, NULL},
                  {"SHA3-384", 48, NULL, NULL},          {"SHA3-512", 64, NULL, NULL},
                  {"SHAKE128", 32, NULL, NULL},          {"SHAKE256", 32, NULL, NULL},
                  {"KECCAK-256", 32, NULL, "SHA3-256"},  {"CSHAKE-128", 32, EMAIL, "SHAKE128"},
                  {"CSHAKE-256", 32, EMAIL, "SHAKE256"}, {"KT-128", 32, NULL, "SHA2-256"}};

static const size_t sizes[] = {0, 16, 32, 64, 136, 200, 1350, 8192, MIB};

static void add_message(size_t a, size_t size)
{
    const char *name = algorithms[a].name, *text = algorithms[a].customization;
    struct speed_row row = {
        .bytes = size,
        .work = {HASH(name, size, 1, algorithms[a].outlen), .strings = {text, text}}};
    row.versus[0] = row.work;
    row.versus[1] = (struct speed_work){HASH(algorithms[a].instead, size, 1, algorithms[a].outlen)};
    if (size == MIB)
        snprintf(row.name, sizeof(row.name), "%s 1MiB", name);
    else
        snprintf(row.name, sizeof(row.name), "%s %zu", name, size);
    add(&row);
}

/* Ours by itself, for each state. The others' cannot be called: it is the slope, which has the
 * XORing of a block in it; "SHA3-256 slope" compares like with like. */
static void add_kernel(const char *name, keccak_kernel *kernel, size_t ways)
{
    const size_t repeat = 16;
    struct speed_row row = {.bytes = KECCAK_STATE_BYTES,
                            .work = {.algorithm = "permutation",
                                     .task = SPEED_PERMUTE,
                                     .updates = repeat,
                                     .kernel = kernel,
                                     .per = repeat * ways},
                            .versus = {{SLOPE("SHA3-256", 136)}}};
    snprintf(row.name, sizeof(row.name), "%s", name);
    add(&row);
}

static bool has_kernel(keccak_kernel *kernel)
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].work.kernel == kernel)
            return true;
    return false;
}

/* The kernels of a set that no set before it had. The set's name has theirs, all but the first with
 * their width: "bmi2,x4_avx2". */
static void add_kernels(const struct keccak_ops *ops)
{
    keccak_kernel *const kernels[] = {ops->x1, ops->x4, ops->x8};
    static const size_t ways[] = {1, 4, 8};
    const char *at = ops->name;
    for (size_t i = 0; i < 3; i++) {
        char name[48];
        int length = (int)strcspn(at, ",");
        if (kernels[i] == NULL)
            continue;
        snprintf(name, sizeof(name), "permutation %s%.*s", i == 0 ? "x1_" : "", length, at);
        if (!has_kernel(kernels[i]))
            add_kernel(name, kernels[i], ways[i]);
        at += length + (at[length] == ',');
    }
}

const struct speed_row *speed_rows(const struct keccak_ops *ops, size_t *count)
{
    const struct keccak_ops *set;
    for (size_t i = 0; (set = keccak_nth(keccak_cpu_features(), i)) != NULL; i++)
        add_kernels(set);
    add_kernel("PermutationFunction", ops->x1, 1);
    for (size_t i = 0; i < COUNT(engine); i++)
        add(&engine[i]);
    for (size_t i = 0; i < COUNT(go); i++)
        add(&go[i]);
    for (size_t a = 0; a < COUNT(algorithms); a++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            add_message(a, sizes[s]);
    for (size_t i = 0; i < COUNT(trees); i++)
        add(&trees[i]);
    for (size_t i = 0; i < COUNT(uses); i++)
        add(&uses[i]);
    for (size_t i = 0; i < COUNT(small); i++)
        add(&small[i]);
    *count = row_count;
    return rows;
}
