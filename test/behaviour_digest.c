/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Digests: phases, lengths, and the strings of OpenSSL 4.0's cSHAKE. The answers are the standards'
 * samples, and from outside (known-answers.txt has them, too). */
#include "behaviour.h"

static const char *const sha3_abc = "3a985da74fe225b2";
static const char *const shake_abc = "5881092dd818bf5c";
static const char *const email = "c1c36925b6409a04f1b504fcbca9d82b"; /* SP 800-185's sample 1 */

static enum verdict update_after_final(void)
{
    EVP_MD_CTX *ctx = probe_fed("SHA3-256");
    probe_need(probe_final(ctx, 32, sha3_abc) == OK);
    return EVP_DigestUpdate(ctx, "abc", 3) ? JUNK : NO;
}

static enum verdict final_after_final(void)
{
    EVP_MD_CTX *ctx = probe_fed("SHA3-256");
    probe_need(probe_final(ctx, 32, sha3_abc) == OK);
    return probe_final(ctx, 32, "");
}

static enum verdict update_after_squeeze(void)
{
    EVP_MD_CTX *ctx = probe_fed("SHAKE128");
    probe_need(probe_squeeze(ctx, 8, shake_abc) == OK);
    return EVP_DigestUpdate(ctx, "abc", 3) ? JUNK : NO;
}

static enum verdict sha3_short(void)
{
    return probe_final_xof(probe_fed("SHA3-256"), 31, sha3_abc);
}

static enum verdict sha3_nothing(void)
{
    probe_room(0);
    int success = EVP_DigestFinalXOF(probe_fed("SHA3-256"), probe_out, 0);
    enum verdict verdict = probe_judge(success, "");
    return verdict == JUNK ? OK : verdict; /* for that is the right answer */
}

/* SHAKE128 of "abc" into the 64 bytes that are enough for any digest of default length. */
static enum verdict length_left(void)
{
    EVP_MD_CTX *ctx = probe_fed("SHAKE128");
    probe_need(probe_final_xof(ctx, 100, shake_abc) == OK);
    probe_need(EVP_DigestInit_ex2(ctx, NULL, NULL) && EVP_DigestUpdate(ctx, "abc", 3));
    return probe_final(ctx, 64, shake_abc);
}

static enum verdict length_max(void)
{
    EVP_MD_CTX *ctx = probe_fed("SHAKE128");
    probe_need(EVP_MD_CTX_set_params(ctx, PARAMS(probe_number("xoflen", SIZE_MAX))));
    return probe_final(ctx, 64, shake_abc);
}

static enum verdict length_null(void)
{
    const OSSL_PARAM null = {"xoflen", OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0};
    return EVP_MD_CTX_set_params(probe_fed("SHAKE128"), PARAMS(null)) ? VOID : NO;
}

static enum verdict length_twice(void)
{
    EVP_MD_CTX *ctx = probe_fed("SHAKE128");
    if (!EVP_MD_CTX_set_params(ctx, PARAMS(probe_number("xoflen", 20), probe_number("size", 30))))
        return NO;
    return probe_final(ctx, 20, shake_abc);
}

static enum verdict kmac_squeeze(void)
{
    static const char *const name = "KECCAK-KMAC-128";
    char answer[33] = "";
    probe_need(probe_final_xof(probe_fed(name), 16, "") ==
               JUNK); /* which is the answer to be had */
    for (size_t i = 0; i < 16; i++)
        snprintf(answer + 2 * i, 3, "%02x", probe_out[i]);
    return probe_squeeze(probe_fed(name), 16, answer);
}

static enum verdict after_failed_init(void)
{
    EVP_MD_CTX *ctx = probe_start("SHAKE128", NULL);
    probe_need(!EVP_DigestInit_ex2(ctx, NULL, PARAMS(probe_utf8("xoflen", "x", 1))));
    return EVP_DigestUpdate(ctx, "abc", 3) ? GOES : NO;
}

/* 16 bytes of CSHAKE-128, of nothing or of SP 800-185's sample. */
static enum verdict cshake(OSSL_PARAM string, bool sample, const char *answer)
{
    EVP_MD_CTX *ctx = probe_start("CSHAKE-128", NULL);
    if (!EVP_MD_CTX_set_params(ctx, PARAMS(string)))
        return NO;
    probe_need(!sample || EVP_DigestUpdate(ctx, "\0\1\2\3", 4));
    return probe_final_xof(ctx, 16, answer);
}

static enum verdict cshake_name(void)
{
    return cshake(probe_utf8("function-name", "MyProto", 7), false,
                  "2c46cd18927a863536f527fd00b8351b");
}

static enum verdict cshake_long(void)
{
    static char custom[513];
    memset(custom, 'A', 512);
    return cshake(probe_utf8("customization", custom, 512), false,
                  "ae0bdbb6e174a3b8c744d876fc2a6baa");
}

static enum verdict cshake_octets(void)
{
    return cshake(probe_octets("customization", "Email Signature", 15), true, email);
}

static enum verdict cshake_zero(void)
{
    return cshake(probe_utf8("customization", "ab\0cd", 5), false,
                  "c7a2a456ec23deaab538b4279902a40d");
}

static enum verdict cshake_unended(void)
{
    return cshake(probe_utf8("customization", "Email Signatures", 15), true, email);
}

/* The right answer is the one without the late string. */
static enum verdict cshake_late(void)
{
    EVP_MD_CTX *ctx = probe_fed("CSHAKE-128");
    int success = EVP_MD_CTX_set_params(ctx, PARAMS(probe_utf8("customization", "S", 1)));
    probe_need(probe_final_xof(ctx, 8, shake_abc) == OK);
    return success ? VOID : NO;
}

static enum verdict cshake_after_0(void)
{
    EVP_MD_CTX *ctx = probe_fed("CSHAKE-128");
    probe_need(EVP_MD_CTX_set_params(ctx, PARAMS(probe_number("xoflen", 0))));
    probe_need(EVP_DigestInit_ex2(ctx, NULL, NULL));
    return probe_final(ctx, 32, "7f9c2ba4e88f827d616045507605853e");
}

const struct behaviour behaviours_digest[] = {{"update after final", update_after_final},
                                              {"final after final", final_after_final},
                                              {"update after squeeze", update_after_squeeze},
                                              {"squeeze, KECCAK-KMAC", kmac_squeeze},
                                              {"FinalXOF, SHA3, too short", sha3_short},
                                              {"FinalXOF, SHA3, 0 bytes", sha3_nothing},
                                              {"next final after FinalXOF(100)", length_left},
                                              {"xoflen = SIZE_MAX, then final", length_max},
                                              {"xoflen without data", length_null},
                                              {"xoflen and size in one array", length_twice},
                                              {"update after a failed init", after_failed_init},
                                              {"cSHAKE: any function name", cshake_name},
                                              {"cSHAKE: 512 bytes of string", cshake_long},
                                              {"cSHAKE: an octet string", cshake_octets},
                                              {"cSHAKE: a zero byte in a string", cshake_zero},
                                              {"cSHAKE: a string without its NUL", cshake_unended},
                                              {"cSHAKE: a string after data", cshake_late},
                                              {"cSHAKE: new init after xoflen = 0", cshake_after_0},
                                              {NULL, NULL}};
