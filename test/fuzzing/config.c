/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the host, the configuration and the environment say: any text loads, says in buildinfo what
 * came of it, queues nothing, and hashes right. */
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
    fake_unload();
    free(version);
    free(isa);
    free(self_test);
    free(capabilities);
    free(trace);
    return 0;
}
