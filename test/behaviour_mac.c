/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * KMAC beyond what the default provider allows, and saved states. */
#include <openssl/core_names.h>
#include "behaviour.h"

#define LARGE 2097152 /* bytes of output, the first length that default refuses */

static uint8_t letters[513]; /* A */

/* KMAC128 after init; NULL if that is refused. */
static EVP_MAC_CTX *kmac(size_t keylen, const OSSL_PARAM *params)
{
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(EVP_MAC_fetch(probe_libctx, "KMAC128", probe_query));
    probe_need(ctx != NULL);
    memset(letters, 'A', sizeof(letters));
    return EVP_MAC_init(ctx, letters, keylen, params) ? ctx : NULL;
}

static void update(EVP_MAC_CTX *ctx, const char *string)
{
    probe_need(EVP_MAC_update(ctx, (const uint8_t *)string, strlen(string)));
}

static enum verdict final(EVP_MAC_CTX *ctx, const char *answer)
{
    size_t n;
    probe_room(32);
    return probe_judge(EVP_MAC_final(ctx, probe_out, &n, 32), answer);
}

static enum verdict tag_of_abc(EVP_MAC_CTX *ctx, const char *answer)
{
    if (ctx == NULL)
        return NO;
    update(ctx, "abc");
    return final(ctx, answer);
}

static enum verdict short_key(void)
{
    return tag_of_abc(kmac(1, NULL), "c146458a280c43821656d5e2f03b34e9");
}

static enum verdict long_key(void)
{
    return tag_of_abc(kmac(513, NULL), "ec49716199e992d38a7859d9c4ffd0cd");
}

static enum verdict long_custom(void)
{
    return tag_of_abc(kmac(32, PARAMS(probe_octets("custom", letters, 513))),
                      "1e57b9c4bd511c8837a0030e123d3f52");
}

/* As an XOF, whose output begins alike whatever its length. */
static enum verdict large_output(void)
{
    static uint8_t large[LARGE];
    int xof = 1;
    size_t n = 0;
    const OSSL_PARAM on = OSSL_PARAM_construct_int("xof", &xof);
    EVP_MAC_CTX *ctx = kmac(32, PARAMS(on, probe_number("size", LARGE)));
    if (ctx == NULL || !EVP_MAC_final(ctx, large, &n, LARGE))
        return NO;
    probe_room(32);
    memcpy(probe_out, large, 32);
    return probe_judge(n == LARGE, "5690dcdfe6885f6b78dd6641b39d05ee");
}

/* Tags of "abc", by the length of the key. */
static const char *const tag_32 = "d8469f29fbca698cd6e765c8713d892a";
static const char *const tag_33 = "1216a1a3a604fdc2de8f1a16f851601b";

/* Another key, in the midst of a message or before it begins. */
static enum verdict key_set(const char *before, const char *after)
{
    EVP_MAC_CTX *ctx = kmac(32, NULL);
    update(ctx, before);
    int success = EVP_MAC_CTX_set_params(ctx, PARAMS(probe_octets("key", letters, 33)));
    update(ctx, after);
    return final(ctx, tag_32) == OK ? (success ? VOID : NO) : probe_judge(success, tag_33);
}

static enum verdict key_before_data(void)
{
    return key_set("", "abc");
}

static enum verdict key_after_data(void)
{
    return key_set("a", "bc");
}

static enum verdict update_after_final(void)
{
    EVP_MAC_CTX *ctx = kmac(32, NULL);
    probe_need(tag_of_abc(ctx, tag_32) == OK);
    return EVP_MAC_update(ctx, letters, 3) ? JUNK : NO;
}

static enum verdict final_after_final(void)
{
    EVP_MAC_CTX *ctx = kmac(32, NULL);
    probe_need(tag_of_abc(ctx, tag_32) == OK);
    return final(ctx, "");
}

const struct behaviour behaviours_mac[] = {{"KMAC: update after final", update_after_final},
                                           {"KMAC: final after final", final_after_final},
                                           {"KMAC: a key of 1 byte", short_key},
                                           {"KMAC: a key of 513 bytes", long_key},
                                           {"KMAC: 513 bytes of custom", long_custom},
                                           {"KMAC: 2 MiB of output", large_output},
                                           {"KMAC: key set before data", key_before_data},
                                           {"KMAC: key set after data", key_after_data},
                                           {NULL, NULL}};

/* A state saved by one context and resumed by another, with two bytes changed on the way. */
static enum verdict resume(EVP_MD_CTX *from, EVP_MD_CTX *to, size_t at, uint8_t change,
                           const char *answer)
{
#if OPENSSL_VERSION_NUMBER >= 0x40000000L
    uint8_t blob[1000];
    size_t n = sizeof(blob);
    if (!EVP_MD_CTX_serialize(from, blob, &n))
        return NO;
    blob[at] ^= change;
    return EVP_MD_CTX_deserialize(to, blob, n) ? probe_final_xof(to, 16, answer) : NO;
#else
    (void)from, (void)to, (void)at, (void)change, (void)answer;
    return ABSENT;
#endif
}

static enum verdict save_cshake(void)
{
    return resume(probe_fed("CSHAKE-128"), probe_start("CSHAKE-128", NULL), 0, 0,
                  "5881092dd818bf5c");
}

static enum verdict resume_with_length(void)
{
    return resume(probe_fed("SHAKE128"), probe_start("SHAKE128", PARAMS(probe_number("xoflen", 9))),
                  0, 0, "5881092dd818bf5c");
}

/* Neither absorbing nor squeezing: the last byte here, the fiftieth of default's. */
static enum verdict resume_no_phase(void)
{
    bool ours = strcmp(probe_query, "provider=keccakprov") == 0;
    return resume(probe_fed("SHAKE128"), probe_start("SHAKE128", NULL), ours ? 206 : 48, 77, "");
}

const struct behaviour behaviours_state[] = {{"serialize: cSHAKE", save_cshake},
                                             {"deserialize: another xoflen", resume_with_length},
                                             {"deserialize: no such phase", resume_no_phase},
                                             {NULL, NULL}};
