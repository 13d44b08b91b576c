/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What test/instructions.sh counts: each operation once, on the module alone, with callgrind's
 * counters set to zero before and dumped under the operation's name after. Exit code 77: the
 * processor, as valgrind shows it, lacks the kernel that the baseline was counted with. */
#include <openssl/core_names.h>
#include <valgrind/callgrind.h>
#include "fakecore.h"

static uint8_t in[81920], out[8192];

/* A digest and its context, warm; msg in so many bytes, result in so many. */
struct operation {
    const char *name;
    void (*run)(const struct operation *op, void *ctx);
    const char *algorithm;
    size_t inlen, outlen;
    struct digest d;
};

static void final(const struct operation *op, void *ctx, size_t outlen)
{
    size_t outl = outlen;
    assert_true(op->d.final(ctx, out, &outl, outlen));
}

/* A context of one's own. */
static void run_whole(const struct operation *op, void *unused)
{
    void *ctx = op->d.newctx(fake.provctx);
    (void)unused;
    assert_true(op->d.init(ctx, NULL) && op->d.update(ctx, in, op->inlen));
    final(op, ctx, op->outlen);
    op->d.freectx(ctx);
}

/* A used context. */
static void run_again(const struct operation *op, void *ctx)
{
    assert_true(op->d.init(ctx, NULL) && op->d.update(ctx, in, op->inlen));
    final(op, ctx, op->outlen);
}

static void run_bytes(const struct operation *op, void *ctx)
{
    assert_true(op->d.init(ctx, NULL));
    for (size_t i = 0; i < op->inlen; i++)
        assert_true(op->d.update(ctx, in + i, 1));
    final(op, ctx, op->outlen);
}

/* As ML-KEM samples its matrix: blocks of the rate, one at a time. */
static void run_blocks(const struct operation *op, void *ctx)
{
    assert_true(op->d.init(ctx, NULL) && op->d.update(ctx, in, op->inlen));
    for (size_t i = 0, outl; i < op->outlen; i += 168)
        assert_true(op->d.squeeze(ctx, out + i, &outl, 168));
}

static void *other; /* of SHAKE-128 */

static void run_copy(const struct operation *op, void *ctx)
{
    if (other == NULL)
        other = op->d.newctx(fake.provctx);
    op->d.copyctx(other, ctx);
}

static void run_dup(const struct operation *op, void *ctx)
{
    op->d.freectx(op->d.dupctx(ctx));
}

/* N and S given anew each time, but the same ones. */
static void run_strings(const struct operation *op, void *ctx)
{
    const OSSL_PARAM params[] = {OSSL_PARAM_octet_string("function-name", in, 8),
                                 OSSL_PARAM_octet_string("customization", in, 16), OSSL_PARAM_END};
    assert_true(op->d.init(ctx, params) && op->d.update(ctx, in, op->inlen));
    final(op, ctx, op->outlen);
}

static struct operation operations[] = {
    {"sha3-256/new-to-free/32", run_whole, "SHA3-256", 32, 32, {0}},
    {"sha3-256/0", run_again, "SHA3-256", 0, 32, {0}},
    {"sha3-256/32", run_again, "SHA3-256", 32, 32, {0}},
    {"sha3-256/64", run_again, "SHA3-256", 64, 32, {0}},
    {"sha3-256/136", run_again, "SHA3-256", 136, 32, {0}},
    {"sha3-256/200", run_again, "SHA3-256", 200, 32, {0}},
    {"sha3-256/8192", run_again, "SHA3-256", 8192, 32, {0}},
    {"sha3-256/200x1", run_bytes, "SHA3-256", 200, 32, {0}},
    {"sha3-512/66", run_again, "SHA3-512", 66, 64, {0}},
    {"shake-128/34-to-504", run_again, "SHAKE-128", 34, 504, {0}},
    {"shake-128/34-to-3x168", run_blocks, "SHAKE-128", 34, 504, {0}},
    {"shake-256/33-to-128", run_again, "SHAKE-256", 33, 128, {0}},
    {"shake-128/copyctx", run_copy, "SHAKE-128", 0, 0, {0}},
    {"shake-128/dupctx-freectx", run_dup, "SHAKE-128", 0, 0, {0}},
    {"cshake-128/again/8-to-64", run_strings, "CSHAKE-128", 8, 64, {0}},
    {"turboshake-128/64", run_again, "TURBOSHAKE-128", 64, 32, {0}},
    {"tuplehash-128/64", run_again, "TUPLEHASH-128", 64, 32, {0}},
    {"kt-128/64", run_again, "KT-128", 64, 32, {0}},
    {"kt-128/81920", run_again, "KT-128", 81920, 32, {0}},
    {"parallelhash-128/65536", run_again, "PARALLELHASH-128", 65536, 32, {0}},
};

int main(void)
{
    test_begin();
    fake.isa = "avx2";
    assert_true(fake_load(MODULE, "3.0.0"));
    if (strstr(fake_buildinfo(), "bmi2,x4_avx2") == NULL)
        return 77;
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        struct operation *op = &operations[i];
        op->d = fake_digest(op->algorithm);
        void *ctx = op->d.newctx(fake.provctx);
        assert_true(op->d.init(ctx, NULL));
        op->run(op, ctx); /* what only a first time costs */
        CALLGRIND_ZERO_STATS;
        op->run(op, ctx);
        CALLGRIND_DUMP_STATS_AT(op->name);
        op->d.freectx(ctx);
    }
    fake_digest("SHAKE-128").freectx(other);
    fake_unload();
    return 0;
}
