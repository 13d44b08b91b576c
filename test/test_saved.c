/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * States that were saved elsewhere: by Go (test/data/states-go.txt), and by keccakprov on whatever
 * host (states.txt). Read, resumed, and written again to the last byte: so Go and every other host,
 * and every later version, resume ours. As any libcrypto by a stand-in, and as the running one
 * through EVP, there from 4.0 by serialize, too. */
#include "fakecore.h"

#define BLOB_MAX 4096
#define FIELD_MAX 2048
#define IN_MAX 40000

static uint8_t in[IN_MAX];

/* The value of ` key=` in a line; NULL if it is not there. */
static const char *field(const char *line, const char *key)
{
    static char out[FIELD_MAX];
    char wanted[32];
    snprintf(wanted, sizeof(wanted), " %s=", key);
    const char *at = strstr(line, wanted);
    if (at == NULL)
        return NULL;
    at += strlen(wanted);
    size_t n = strcspn(at, " \n");
    assert_true(n < sizeof(out));
    memcpy(out, at, n);
    out[n] = '\0';
    return out;
}

static size_t number(const char *line, const char *key)
{
    return strtoul(field(line, key), NULL, 10);
}

/* A line of the file. */
struct saved {
    char name[32];
    uint8_t state[BLOB_MAX], out[FIELD_MAX], string[2][FIELD_MAX];
    size_t fed, squeezed, more, size, outlen; /* of state, and of out */
    unsigned domain, leaf_size;
    int xof;
    OSSL_PARAM params[6]; /* of init */
};

static void parse_params(const char *line, struct saved *s)
{
    static const char *const strings[] = {"n", "s"}, *const keys[] = {"function-name",
                                                                      "customization"};
    OSSL_PARAM *p = s->params;
    for (size_t i = 0; i < 2; i++)
        if (field(line, strings[i]) != NULL) {
            size_t n = test_unhex(field(line, strings[i]), s->string[i]);
            *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(keys[i], s->string[i], n);
        }
    if (field(line, "d") != NULL) {
        s->domain = (unsigned)strtoul(field(line, "d"), NULL, 16);
        *p++ = (OSSL_PARAM)OSSL_PARAM_uint("domain-separator", &s->domain);
    }
    if (field(line, "b") != NULL) {
        s->leaf_size = (unsigned)number(line, "b");
        *p++ = (OSSL_PARAM)OSSL_PARAM_uint("leaf-size", &s->leaf_size);
    }
    if (field(line, "xof") != NULL) {
        s->xof = (int)number(line, "xof");
        *p++ = (OSSL_PARAM)OSSL_PARAM_int("xof", &s->xof);
    }
    *p = (OSSL_PARAM)OSSL_PARAM_END;
}

static void parse(const char *line, struct saved *s)
{
    assert_int_equal(sscanf(line, "%31s", s->name), 1);
    s->fed = number(line, "fed");
    s->squeezed = number(line, "squeezed");
    s->more = number(line, "more");
    assert_true(s->fed <= IN_MAX && s->more <= IN_MAX && s->squeezed <= FIELD_MAX);
    s->size = test_unhex(field(line, "state"), s->state);
    s->outlen = test_unhex(field(line, "out"), s->out);
    parse_params(line, s);
}

static void check_dispatch(const struct saved *s)
{
    uint8_t got[BLOB_MAX], out[FIELD_MAX];
    size_t length = sizeof(got), outl = s->outlen;
    const struct digest d = fake_digest(s->name);
    void *ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, s->params) && d.update(ctx, in, s->fed));
    assert_true(s->squeezed == 0 || d.squeeze(ctx, out, &outl, s->squeezed));
    assert_true(d.serialize(ctx, got, &length));
    assert_int_equal(length, s->size);
    assert_memory_equal(got, s->state, s->size);
    d.freectx(ctx);

    ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, NULL));
    assert_true(fake_set_octets(&d, ctx, "state", (uint8_t *)(uintptr_t)s->state, s->size));
    assert_true(s->squeezed > 0 || d.update(ctx, in, s->more));
    outl = s->outlen;
    assert_true(s->squeezed > 0 ? d.squeeze(ctx, out, &outl, s->outlen)
                                : d.final(ctx, out, &outl, s->outlen));
    assert_memory_equal(out, s->out, s->outlen);
    d.freectx(ctx);
}

/* The calls that only later hosts have. */
static bool squeeze(EVP_MD_CTX *ctx, uint8_t *out, size_t n)
{
#if OPENSSL_VERSION_NUMBER >= 0x30300000L
    return EVP_DigestSqueeze(ctx, out, n);
#else
    (void)ctx, (void)out, (void)n;
    return false;
#endif
}

static void check_serialized(const struct saved *s, EVP_MD_CTX *from, EVP_MD_CTX *to)
{
#if OPENSSL_VERSION_NUMBER >= 0x40000000L
    uint8_t got[BLOB_MAX];
    size_t n = sizeof(got);
    assert_true(EVP_MD_CTX_serialize(from, got, &n));
    assert_int_equal(n, s->size);
    assert_memory_equal(got, s->state, n);
    assert_true(EVP_MD_CTX_deserialize(to, s->state, s->size));
#else
    (void)s, (void)from, (void)to;
#endif
}

static void check_end(const struct saved *s, EVP_MD_CTX *ctx)
{
    uint8_t out[FIELD_MAX];
    bool xof = (EVP_MD_get_flags(EVP_MD_CTX_get0_md(ctx)) & EVP_MD_FLAG_XOF) != 0;
    assert_true(s->squeezed > 0 || EVP_DigestUpdate(ctx, in, s->more));
    assert_true(s->squeezed > 0 ? squeeze(ctx, out, s->outlen)
                : xof           ? EVP_DigestFinalXOF(ctx, out, s->outlen)
                                : EVP_DigestFinal_ex(ctx, out, NULL));
    assert_memory_equal(out, s->out, s->outlen);
}

/* On the way there by each of: parameter, parameter of init, deserialize. */
static void check_evp(OSSL_LIB_CTX *libctx, const struct saved *s)
{
    uint8_t got[BLOB_MAX];
    EVP_MD *md = test_fetch(libctx, s->name);
    EVP_MD_CTX *from = EVP_MD_CTX_new(), *to[3];
    OSSL_PARAM get[] = {OSSL_PARAM_octet_string("state", got, sizeof(got)), OSSL_PARAM_END};
    const OSSL_PARAM set[] = {
        OSSL_PARAM_octet_string("state", (uint8_t *)(uintptr_t)s->state, s->size), OSSL_PARAM_END};
    assert_true(EVP_DigestInit_ex2(from, md, s->params) && EVP_DigestUpdate(from, in, s->fed));
    assert_true(s->squeezed == 0 || squeeze(from, got, s->squeezed));
    assert_true(EVP_MD_CTX_get_params(from, get));
    assert_int_equal(get[0].return_size, s->size);
    assert_memory_equal(got, s->state, s->size);
    for (size_t i = 0; i < 3; i++) {
        to[i] = EVP_MD_CTX_new();
        assert_true(EVP_DigestInit_ex2(to[i], md, i == 1 ? set : NULL));
    }
    assert_true(EVP_MD_CTX_set_params(to[0], set));
    check_serialized(s, from, to[2]);
    for (size_t i = 0; i < (test_host_at_least(4, 0) ? 3 : 2); i++)
        check_end(s, to[i]);
    for (size_t i = 0; i < 3; i++)
        EVP_MD_CTX_free(to[i]);
    EVP_MD_CTX_free(from);
    EVP_MD_free(md);
}

/* Every line of a file; with the library context if there is one, else by the stand-in. */
static void check_file(const char *path, OSSL_LIB_CTX *libctx)
{
    static struct saved s;
    char line[16384];
    unsigned lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL)
        if (line[0] != '#') {
            memset(&s, 0, sizeof(s));
            parse(line, &s);
            if (libctx == NULL)
                check_dispatch(&s);
            else if (s.squeezed == 0 || test_host_at_least(3, 3))
                check_evp(libctx, &s);
            lines++;
        }
    fclose(file);
    assert_true(lines > 20);
}

static void check_files(OSSL_LIB_CTX *libctx)
{
    check_file(SOURCE_DIR "/test/data/states-go.txt", libctx);
    check_file(SOURCE_DIR "/test/data/states.txt", libctx);
}

static void test_any_host(void **unused)
{
    (void)unused;
    for (size_t h = 0; h < FAKE_HOSTS; h++) {
        assert_true(fake_load(MODULE, fake_hosts[h]));
        check_files(NULL);
        fake_unload();
    }
}

static void test_this_host(void **unused)
{
    OSSL_LIB_CTX *libctx = test_libctx();
    (void)unused;
    check_files(libctx);
    OSSL_LIB_CTX_free(libctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_host),
                                       cmocka_unit_test(test_this_host)};
    test_begin();
    test_ptn(in, sizeof(in));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
