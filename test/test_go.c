/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * States that Go wrote: read, resumed, and written again to the last byte, so that Go resumes ours.
 * test/data/states-go.txt says which versions of Go. */
#include "fakecore.h"

#define BLOB_MAX 4096
#define FIELD_MAX 2048

static const char *const hosts[] = {"3.0.22", "3.5.0", "4.0.0"};

/* The value of ` key=` in a line; "" if it is empty. Asserts that it is there. */
static const char *field(const char *line, const char *key, char out[FIELD_MAX])
{
    char wanted[32];
    snprintf(wanted, sizeof(wanted), " %s=", key);
    const char *at = strstr(line, wanted);
    assert_non_null(at);
    at += strlen(wanted);
    size_t n = strcspn(at, " \n");
    assert_true(n < FIELD_MAX);
    memcpy(out, at, n);
    out[n] = '\0';
    return out;
}

static size_t number(const char *line, const char *key)
{
    char text[FIELD_MAX];
    return strtoul(field(line, key, text), NULL, 10);
}

static size_t bytes(const char *line, const char *key, uint8_t out[FIELD_MAX])
{
    char text[FIELD_MAX];
    return test_unhex(field(line, key, text), out);
}

/* A context as the line's fed and squeezed say. */
static void *replay(const struct digest *d, const char *line)
{
    uint8_t in[1024], out[1024], text[FIELD_MAX];
    size_t fed = number(line, "fed"), squeezed = number(line, "squeezed"), outl = 0;
    void *ctx = d->newctx(fake.provctx);
    assert_true(d->init(ctx, NULL));
    if (strstr(line, " n=") != NULL) {
        size_t n = bytes(line, "n", text);
        assert_true(fake_set_octets(d, ctx, "function-name", text, n));
        n = bytes(line, "s", text);
        assert_true(fake_set_octets(d, ctx, "customization", text, n));
    }
    assert_true(fed <= sizeof(in) && squeezed <= sizeof(out));
    test_ptn(in, fed);
    assert_true(d->update(ctx, in, fed));
    if (squeezed > 0)
        assert_true(d->squeeze(ctx, out, &outl, squeezed));
    return ctx;
}

static void check_go_line(const char *line)
{
    char name[32];
    uint8_t state[FIELD_MAX], got[BLOB_MAX], in[1024], out[FIELD_MAX], answer[FIELD_MAX];
    size_t length = sizeof(got), outl = 0;
    assert_int_equal(sscanf(line, "%31s", name), 1);
    const struct digest d = fake_digest(name);
    size_t n = bytes(line, "state", state);
    void *ctx = replay(&d, line);
    assert_true(d.serialize(ctx, got, &length));
    assert_int_equal(length, n);
    assert_memory_equal(got, state, n); /* so Go resumes ours */
    d.freectx(ctx);

    ctx = d.newctx(fake.provctx);
    assert_true(d.init(ctx, NULL));
    assert_true(fake_set_octets(&d, ctx, "state", state, n));
    test_ptn(in, number(line, "more"));
    if (number(line, "squeezed") == 0)
        assert_true(d.update(ctx, in, number(line, "more")));
    n = bytes(line, "out", answer);
    if (d.squeeze != NULL)
        assert_true(d.squeeze(ctx, out, &outl, n));
    else
        assert_true(d.final(ctx, out, &outl, n));
    assert_memory_equal(out, answer, n);
    d.freectx(ctx);
}

static void test_go(void **unused)
{
    char line[8192];
    (void)unused;
    for (size_t h = 0; h < 3; h++) {
        unsigned lines = 0;
        FILE *file = fopen(SOURCE_DIR "/test/data/states-go.txt", "r");
        assert_non_null(file);
        assert_true(fake_load(MODULE, hosts[h]));
        while (fgets(line, sizeof(line), file) != NULL)
            if (line[0] != '#') {
                check_go_line(line);
                lines++;
            }
        fclose(file);
        fake_unload();
        printf("%u states of Go read, written and resumed as libcrypto %s\n", lines, hosts[h]);
        assert_true(lines > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_go)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
