/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include "fuzz.h"

unsigned fuzz_take(struct input *in, unsigned limit)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->data++ % limit;
}

size_t fuzz_take_length(struct input *in)
{
    static const uint16_t edges[] = {0,   1,   7,    8,    71,   72,   103,   104,  135,   136,
                                     137, 143, 144,  167,  168,  169,  272,   336,  504,   4096,
                                     166, 160, 8191, 8192, 8193, 8200, 16384, 8184, 40000, 65535};
    unsigned choice = fuzz_take(in, 256);
    if (choice < 2 * sizeof(edges) / sizeof(edges[0]))
        return edges[choice / 2];
    return fuzz_take(in, 256);
}

void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: not so: %s (%zu errors, the last: %s)\n", file, line, what, fake.errors,
            fake.provctx != NULL ? fake_reason(fake.reason) : "");
    abort();
}

void fuzz_enter(unsigned host, bool portable)
{
    static struct fakecore loaded[FAKE_HOSTS][2];
    struct fakecore *wanted = &loaded[host][portable];
    if (wanted->provctx == NULL) {
        fake = (struct fakecore){.allocations_left = -1, .isa = portable ? "portable" : NULL};
        FUZZ_CHECK(fake_load(MODULE, fake_hosts[host]));
        *wanted = fake;
    }
    fake = *wanted;
}

void fuzz_expect(bool ok)
{
    FUZZ_CHECK(fake.errors == (ok ? 0 : 1));
    FUZZ_CHECK(ok || fake_reason(fake.reason)[0] != '\0');
    fake_errors_clear();
}

const uint8_t *fuzz_text(void)
{
    static uint8_t text[FUZZ_TEXT];
    uint32_t x = 1;
    for (size_t i = 0; text[1] == 0 && i < sizeof(text); i++)
        text[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
    return text;
}
