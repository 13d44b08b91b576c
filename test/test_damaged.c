/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Copies of the module whose kernels compute wrong. */
#include <unistd.h>
#include "fakecore.h"

/* A copy of the module with the n-th copy of the round constants damaged; false past the last. */
static bool damage(const char *path, unsigned n)
{
    static const uint64_t constants[] = {UINT64_C(0x8082), UINT64_C(0x800000000000808a)};
    FILE *in = fopen(MODULE, "rb"), *out = fopen(path, "wb");
    assert_non_null(in);
    assert_non_null(out);
    uint8_t *image = malloc(1 << 22);
    size_t size = fread(image, 1, 1 << 22, in);
    bool found = false;
    for (size_t i = 0; i + sizeof(constants) <= size && !found; i++)
        if (memcmp(image + i, constants, sizeof(constants)) == 0 && n-- == 0) {
            image[i] ^= 1;
            found = true;
        }
    assert_int_equal(fwrite(image, 1, size, out), size);
    fclose(in);
    fclose(out);
    free(image);
    return found;
}

/* How many kernels beside the portable one this CPU runs. */
static unsigned other_kernels(void)
{
    unsigned n = 0;
#ifdef __x86_64__
    n += __builtin_cpu_supports("bmi2") ? 1 : 0;
    n += __builtin_cpu_supports("avx2") ? 1 : 0;
    n += __builtin_cpu_supports("avx512vl") ? 3 : 0;
#endif
    return n;
}

/* What became of a damaged module under the settings that, together, use every kernel. */
struct fate {
    bool refused, dropped, portable, noticed;
};

static struct fate load_damaged(const char *path)
{
    static const char *const settings[] = {"auto", "avx2", "avx512"};
    struct fate fate = {0};
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        fake.isa = settings[i];
        if (fake_load(path, "3.0.22")) {
            fate.dropped |= strstr(fake_buildinfo(), "failed its check: ") != NULL;
            fate.portable |= strstr(fake_buildinfo(), "-> portable") != NULL;
            fate.noticed |= !fake_self_test();
        } else {
            fate.refused = true;
        }
        fake_unload();
    }
    fake.isa = NULL;
    return fate;
}

/* Field report 1.15: the portable kernel broken refuses the load; another one is dropped by each
 * setting that would use it, and fails the self-test as well. */
static void test_damaged(void **unused)
{
    unsigned copies = 0, refused = 0, dropped = 0, portable = 0, noticed = 0;
    (void)unused;
    for (;; copies++) {
        char path[] = "damaged-XXXXXX";
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        char absolute[4200];
        assert_non_null(getcwd(absolute, 4000));
        strcat(strcat(absolute, "/"), path);
        bool found = damage(path, copies);
        struct fate fate = found ? load_damaged(absolute) : (struct fate){0};
        unlink(path);
        if (!found)
            break;
        refused += fate.refused;
        dropped += fate.dropped;
        portable += fate.portable;
        noticed += fate.noticed;
    }
    assert_int_equal(refused, 1);
    assert_int_equal(dropped, other_kernels());
    assert_int_equal(noticed, other_kernels());
    assert_true(refused + dropped <= copies);
    assert_true(portable <= 1); /* no more is dropped than the damaged set */
    test_cases(copies);
    printf("%u kernels damaged: %u refused, %u dropped\n", copies, refused, dropped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
