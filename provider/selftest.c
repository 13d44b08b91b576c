/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Known answers for every algorithm of the host's table, through its own dispatch table, on every
 * kernel that this machine can run. */
#include <string.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/self_test.h>
#include "provider.h"

#define ANSWER_BYTES 28 /* the shortest digest is compared whole */
#define MESSAGE_BYTES 200

/* Of the bytes 0, 1 ... 199; cSHAKE with N = "keccakprov" and S = "self-test". */
static const struct known_answer {
    const char *name; /* the first of the algorithm's names */
    uint8_t answer[ANSWER_BYTES];
} known_answers[] = {
    {"SHA3-224",
     {0x8b, 0xcd, 0x90, 0xdb, 0xc5, 0x37, 0x95, 0x49, 0xb5, 0xe7, 0x8a, 0x1f, 0xbe, 0x24,
      0xae, 0x12, 0x0d, 0x92, 0xca, 0xef, 0x17, 0x75, 0x04, 0x61, 0x26, 0x2b, 0x1e, 0x97}},
    {"SHA3-256",
     {0x5f, 0x72, 0x8f, 0x63, 0xbf, 0x5e, 0xe4, 0x8c, 0x77, 0xf4, 0x53, 0xc0, 0x49, 0x03,
      0x98, 0xfa, 0x64, 0x5b, 0x8d, 0x4c, 0x4e, 0x56, 0xbe, 0x9a, 0x41, 0xcf, 0xec, 0x34}},
    {"SHA3-384",
     {0xb1, 0x3f, 0xeb, 0xb1, 0xb3, 0xc5, 0x4a, 0x7c, 0x6b, 0x69, 0x36, 0x7f, 0x69, 0x3a,
      0x1d, 0x1f, 0x31, 0x45, 0x70, 0x9b, 0x6d, 0xde, 0xf2, 0x3f, 0xf1, 0x58, 0x74, 0x13}},
    {"SHA3-512",
     {0xea, 0x5d, 0x05, 0xf1, 0x93, 0x48, 0xdd, 0x58, 0x97, 0x93, 0x35, 0x47, 0x93, 0xa1,
      0x5f, 0x37, 0xa7, 0x3b, 0x4c, 0x0b, 0xb4, 0xe7, 0x50, 0xb9, 0xa0, 0x07, 0x57, 0xdf}},
    {"KECCAK-224",
     {0x19, 0x22, 0xa6, 0x15, 0x5b, 0xf6, 0xbb, 0x5a, 0xde, 0x51, 0x00, 0xc9, 0x97, 0x71,
      0x91, 0x25, 0x96, 0xe4, 0x5d, 0x82, 0x73, 0x34, 0x7d, 0x5d, 0xac, 0xa1, 0xf3, 0xc9}},
    {"KECCAK-256",
     {0xbf, 0xb0, 0xaa, 0x97, 0x86, 0x3e, 0x79, 0x79, 0x43, 0xcf, 0x7c, 0x33, 0xbb, 0x7e,
      0x88, 0x0b, 0xb4, 0x54, 0x3f, 0x3d, 0x27, 0x03, 0xc0, 0x92, 0x3c, 0x69, 0x01, 0xc2}},
    {"KECCAK-384",
     {0xbd, 0xb0, 0x0a, 0x13, 0x33, 0x05, 0x73, 0xe7, 0x56, 0x52, 0xbe, 0xc6, 0x44, 0x43,
      0xb6, 0xca, 0x95, 0x12, 0xb4, 0x87, 0xfb, 0x7e, 0x16, 0x93, 0x54, 0x0d, 0x04, 0xd5}},
    {"KECCAK-512",
     {0xf4, 0x52, 0xd8, 0x1b, 0x62, 0xb9, 0x61, 0xf8, 0x02, 0x3f, 0x82, 0x28, 0xcb, 0xe7,
      0x80, 0x37, 0x9b, 0x36, 0xc4, 0x9d, 0xdc, 0xef, 0x29, 0xe0, 0xdf, 0xfb, 0x01, 0xa9}},
    {"SHAKE-128",
     {0x0c, 0x42, 0x34, 0xca, 0x1e, 0x31, 0x80, 0x1a, 0xe6, 0x06, 0xf8, 0xb8, 0xd8, 0xe0,
      0x66, 0x5c, 0x66, 0xf4, 0x2a, 0x21, 0xd6, 0x01, 0xc2, 0x68, 0x18, 0x58, 0xa9, 0x2c}},
    {"SHAKE-256",
     {0x4e, 0xe1, 0xca, 0x03, 0x27, 0x2b, 0x05, 0xd3, 0xbf, 0xb1, 0xe1, 0xc7, 0x9a, 0x96,
      0x7f, 0x82, 0x3b, 0x9f, 0xc5, 0xe4, 0xbb, 0x39, 0x87, 0xb1, 0xba, 0x9e, 0x9c, 0xb5}},
    {"KECCAK-KMAC-128",
     {0xb2, 0x56, 0xd8, 0x18, 0xe5, 0x19, 0x5c, 0xee, 0xab, 0x9b, 0x1e, 0xa0, 0x6d, 0x92,
      0x94, 0xaa, 0x93, 0xc9, 0xe8, 0xe4, 0xf9, 0xc9, 0xb5, 0xb2, 0x15, 0xd6, 0x42, 0xe1}},
    {"KECCAK-KMAC-256",
     {0x0f, 0xba, 0xfd, 0xd7, 0x2b, 0x6b, 0x50, 0xf9, 0xe4, 0x43, 0x98, 0x7a, 0x31, 0x17,
      0xc2, 0x6a, 0xb7, 0x5a, 0xf9, 0x82, 0x5a, 0x1c, 0x7a, 0x55, 0x89, 0x9d, 0x05, 0xc7}},
    {"CSHAKE-KECCAK-128",
     {0xb2, 0x56, 0xd8, 0x18, 0xe5, 0x19, 0x5c, 0xee, 0xab, 0x9b, 0x1e, 0xa0, 0x6d, 0x92,
      0x94, 0xaa, 0x93, 0xc9, 0xe8, 0xe4, 0xf9, 0xc9, 0xb5, 0xb2, 0x15, 0xd6, 0x42, 0xe1}},
    {"CSHAKE-KECCAK-256",
     {0x0f, 0xba, 0xfd, 0xd7, 0x2b, 0x6b, 0x50, 0xf9, 0xe4, 0x43, 0x98, 0x7a, 0x31, 0x17,
      0xc2, 0x6a, 0xb7, 0x5a, 0xf9, 0x82, 0x5a, 0x1c, 0x7a, 0x55, 0x89, 0x9d, 0x05, 0xc7}},
    {"CSHAKE-128",
     {0x1a, 0x8d, 0x0d, 0x0a, 0x00, 0xab, 0xe1, 0xf0, 0x8b, 0xd4, 0xa5, 0x9f, 0x1b, 0x60,
      0x31, 0x8f, 0x6b, 0x27, 0x5a, 0x6a, 0xe6, 0xb9, 0x20, 0xee, 0x2d, 0x50, 0x35, 0xc0}},
    {"CSHAKE-256",
     {0xa2, 0x16, 0x6a, 0xbc, 0x7a, 0xa6, 0xa6, 0x35, 0xb7, 0x51, 0x3a, 0x53, 0xd8, 0x25,
      0x84, 0x5a, 0x4a, 0x94, 0xc4, 0x97, 0x15, 0xc6, 0xe9, 0xf3, 0xa9, 0x42, 0x66, 0x53}},
};

/* The functions of one digest that the test calls. */
struct digest_functions {
    OSSL_FUNC_digest_newctx_fn *newctx;
    OSSL_FUNC_digest_init_fn *init;
    OSSL_FUNC_digest_update_fn *update;
    OSSL_FUNC_digest_final_fn *final;
    OSSL_FUNC_digest_freectx_fn *freectx;
};

static struct digest_functions functions_of(const OSSL_DISPATCH *table)
{
    struct digest_functions f = {NULL, NULL, NULL, NULL, NULL};
    for (; table->function_id != 0; table++) {
        switch (table->function_id) {
        case OSSL_FUNC_DIGEST_NEWCTX:
            f.newctx = OSSL_FUNC_digest_newctx(table);
            break;
        case OSSL_FUNC_DIGEST_INIT:
            f.init = OSSL_FUNC_digest_init(table);
            break;
        case OSSL_FUNC_DIGEST_UPDATE:
            f.update = OSSL_FUNC_digest_update(table);
            break;
        case OSSL_FUNC_DIGEST_FINAL:
            f.final = OSSL_FUNC_digest_final(table);
            break;
        case OSSL_FUNC_DIGEST_FREECTX:
            f.freectx = OSSL_FUNC_digest_freectx(table);
            break;
        }
    }
    return f;
}

/* Hashes the message into out, of which 64 bytes are the most that a fixed digest writes. */
static bool compute(struct keccakprov *prov, const OSSL_DISPATCH *table, uint8_t out[64])
{
    uint8_t message[MESSAGE_BYTES];
    size_t length = ANSWER_BYTES, outl = 0;
    char n[] = "keccakprov", s[] = "self-test";
    OSSL_PARAM params[] = {OSSL_PARAM_size_t(KECCAKPROV_PARAM_XOFLEN, &length),
                           OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_FUNCTION_NAME, n, sizeof(n) - 1),
                           OSSL_PARAM_utf8_string(KECCAKPROV_PARAM_CUSTOMIZATION, s, sizeof(s) - 1),
                           OSSL_PARAM_END};
    const struct digest_functions f = functions_of(table);
    for (size_t i = 0; i < sizeof(message); i++)
        message[i] = (uint8_t)i;
    void *ctx = f.newctx(prov);
    bool done = ctx != NULL && f.init(ctx, params) && f.update(ctx, message, sizeof(message)) &&
                f.final(ctx, out, &outl, 64) && outl >= ANSWER_BYTES;
    f.freectx(ctx);
    return done;
}

static const struct known_answer *find_answer(const char *names)
{
    size_t length = strcspn(names, ":");
    for (size_t i = 0; i < sizeof(known_answers) / sizeof(known_answers[0]); i++)
        if (strlen(known_answers[i].name) == length &&
            memcmp(known_answers[i].name, names, length) == 0)
            return &known_answers[i];
    return NULL;
}

/* The application's wish to watch, and to see a failure (EVP's OSSL_SELF_TEST_set_callback). */
struct observer {
    OSSL_CALLBACK *callback;
    void *arg;
};

static bool report(const struct observer *observer, const char *phase, const char *name)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_PROV_PARAM_SELF_TEST_PHASE, (void *)phase, strlen(phase)),
        OSSL_PARAM_utf8_string(OSSL_PROV_PARAM_SELF_TEST_TYPE,
                               (void *)OSSL_SELF_TEST_TYPE_KAT_DIGEST,
                               strlen(OSSL_SELF_TEST_TYPE_KAT_DIGEST)),
        OSSL_PARAM_utf8_string(OSSL_PROV_PARAM_SELF_TEST_DESC, (void *)name, strlen(name)),
        OSSL_PARAM_END};
    return observer->callback == NULL || observer->callback(params, observer->arg);
}

static bool test_one(struct keccakprov *prov, const OSSL_ALGORITHM *algorithm,
                     const struct observer *observer)
{
    const struct known_answer *known = find_answer(algorithm->algorithm_names);
    const char *name = known != NULL ? known->name : algorithm->algorithm_names;
    uint8_t out[64] = {0};
    report(observer, OSSL_SELF_TEST_PHASE_START, name);
    bool passed = known != NULL && compute(prov, algorithm->implementation, out);
    if (!report(observer, OSSL_SELF_TEST_PHASE_CORRUPT, name))
        out[0] ^= 1;
    passed = passed && memcmp(out, known->answer, ANSWER_BYTES) == 0;
    report(observer, passed ? OSSL_SELF_TEST_PHASE_PASS : OSSL_SELF_TEST_PHASE_FAIL, name);
    return passed;
}

bool keccakprov_self_test(const struct keccakprov *prov)
{
    struct observer observer = {NULL, NULL};
    struct keccakprov tested; /* the same provider on each kernel in turn */
    const struct keccak_ops *ops;
    unsigned features = keccak_cpu_features();
    if (prov->self_test_cb != NULL && prov->core_get_libctx != NULL)
        prov->self_test_cb(prov->core_get_libctx(prov->core), &observer.callback, &observer.arg);
    memcpy(&tested, prov, sizeof(tested));
    tested.trace_fd = -1;
    for (size_t i = 0; (ops = keccak_nth(features, i)) != NULL; i++) {
        tested.ops = ops;
        if (!keccak_check(ops))
            return KECCAKPROV_FAIL(prov, SELF_TEST_FAILED);
        for (const OSSL_ALGORITHM *a = keccakprov_digests(prov); a->algorithm_names != NULL; a++)
            if (!test_one(&tested, a, &observer)) {
                keccakprov_trace(prov, "self-test failed: %s on %s", a->algorithm_names, ops->name);
                return KECCAKPROV_FAIL(prov, SELF_TEST_FAILED);
            }
    }
    keccakprov_trace(prov, "self-test passed");
    return true;
}
