/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the host, the configuration and the environment say: any text loads, says in buildinfo what
 * came of it, queues nothing, and hashes right. Then the provider as a whole is asked for anything.
 */
#include <dlfcn.h>
#include "fuzz.h"

/* A line of the input as a string; NULL for "absent". */
static char *take_text(struct input *in)
{
    const uint8_t *end = in->left > 0 ? memchr(in->data, '\n', in->left) : NULL;
    size_t n = end != NULL ? (size_t)(end - in->data) : in->left;
    char *text = malloc(n + 1);
    if (n > 0)
        memcpy(text, in->data, n);
    text[n] = '\0';
    in->data += n;
    in->left -= n;
    (void)fuzz_take(in, 256); /* the newline */
    if (strcmp(text, "absent") != 0)
        return text;
    free(text);
    return NULL;
}

static void hash(void)
{
    static const uint8_t abc[] = {0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2};
    const struct digest d = fake_digest("SHA3-256");
    uint8_t out[32];
    size_t outl = 0;
    void *ctx = d.newctx(fake.provctx);
    FUZZ_CHECK(d.init(ctx, NULL) && d.update(ctx, (const uint8_t *)"abc", 3));
    FUZZ_CHECK(d.final(ctx, out, &outl, 32) && memcmp(out, abc, sizeof(abc)) == 0);
    d.freectx(ctx);
}

/* A parameter of any type and size; a number or a pointer fits its size, or is refused. */
static void ask_param(struct input *in)
{
    static const char *const keys[] = {"name", "version", "buildinfo", "status", "unknown"};
    const char *key = keys[fuzz_take(in, 5)];
    unsigned type = fuzz_take(in, 9);
    bool pointer = type == OSSL_PARAM_UTF8_PTR || type == OSSL_PARAM_OCTET_PTR;
    size_t size = pointer ? sizeof(void *) : fuzz_take(in, 17);
    void *data = fuzz_take(in, 4) == 0 ? NULL : malloc(size + (size == 0));
    OSSL_PARAM params[] = {{key, type, data, size, OSSL_PARAM_UNMODIFIED}, OSSL_PARAM_END};
    fuzz_expect(fake_provider_params(params));
    free(data);
}

static void ask(struct input *in)
{
    OSSL_FUNC_provider_gettable_params_fn *gettable =
        (OSSL_FUNC_provider_gettable_params_fn *)fake_find(fake.functions,
                                                           OSSL_FUNC_PROVIDER_GETTABLE_PARAMS);
    int operation = (int)fuzz_take(in, 30);
    bool ours = operation == OSSL_OP_DIGEST || operation == OSSL_OP_MAC;
    FUZZ_CHECK((fake_query(operation) != NULL) == ours);
    FUZZ_CHECK(OSSL_PARAM_locate_const(gettable(fake.provctx), "status") != NULL);
    ask_param(in);
    FUZZ_CHECK(fuzz_take(in, 32) != 1 || fake_self_test());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *kept; /* so that the module is not mapped anew each time */
    struct input in = {data, size};
    char *version = take_text(&in), *isa = take_text(&in), *self_test = take_text(&in),
         *capabilities = take_text(&in), *trace = take_text(&in);
    if (kept == NULL)
        kept = dlopen(MODULE, RTLD_NOW);
    fake = (struct fakecore){.allocations_left = -1, .isa = isa, .self_test = self_test};
    if (capabilities != NULL)
        setenv("OPENSSL_ia32cap", capabilities, 1);
    else
        unsetenv("OPENSSL_ia32cap");
    if (trace != NULL) /* whatever it says: no file is to be written here */
        setenv("KECCAKPROV_TRACE", "/dev/full", 1);
    else
        unsetenv("KECCAKPROV_TRACE");
    FUZZ_CHECK(fake_load(MODULE, version));
    FUZZ_CHECK(fake.errors == 0 && strncmp(fake_buildinfo(), "isa=", 4) == 0);
    FUZZ_CHECK(strstr(fake_buildinfo(), " -> ") != NULL);
    hash();
    ask(&in);
    fake_unload();
    free(version);
    free(isa);
    free(self_test);
    free(capabilities);
    free(trace);
    return 0;
}
