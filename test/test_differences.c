/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The table of differences in provider-keccakprov(7) is what is measured. The column of the running
 * libcrypto's version has the default provider's answer, `here` has ours, and `why` the kind of
 * difference, one of those that are allowed; a `=` says that ours is the default's after all. With
 * TEST_WRITE=1 the cells are written instead (a row that the page lacks is to be added first, with
 * its name alone, and as wide). */
#include "behaviour.h"

#define PAGE SOURCE_DIR "/conf/man/provider-keccakprov.7.scd"
#define WIDTH 6 /* of a column */

static const char *const words[] = {"-", "ok", "no", "junk", "void", "over", "crash", "goes"};

/* Where the default may be left: it (a) returns success with garbage or silently ignores what it
 * was asked, (b) overruns or crashes, (c) refuses what is right, (d) carries on after a failed
 * init; and what it lacks is no difference. */
static char letter_of(enum verdict theirs, enum verdict ours)
{
    if (theirs == JUNK || theirs == VOID)
        return 'a';
    if (theirs == OVER || theirs == CRASH)
        return 'b';
    if (theirs == NO && ours == OK)
        return 'c';
    if (theirs == GOES && ours == NO)
        return 'd';
    return theirs == ABSENT ? '-' : '?';
}

/* The page: its text, and where the columns begin in each row of the table. */
static struct {
    char text[65536];
    size_t host, here, why;
} page;

static size_t column(const char *header, const char *name)
{
    const char *at = strstr(header, name);
    return at != NULL && at < strchr(header, '\n') ? (size_t)(at - header) : 0;
}

static bool read_page(void)
{
    char version[16];
    FILE *file = fopen(PAGE, "r");
    assert_non_null(file);
    size_t n = fread(page.text, 1, sizeof(page.text) - 1, file);
    fclose(file);
    assert_true(n < sizeof(page.text) - 1);
    snprintf(version, sizeof(version), "%u.%u ", OPENSSL_version_major(), OPENSSL_version_minor());
    const char *header = strstr(page.text, "\ncall  ");
    assert_non_null(header++);
    page.host = column(header, version);
    page.here = column(header, "here");
    page.why = column(header, "why");
    assert_true(page.here > 0 && page.why > page.here);
    return page.host > 0;
}

/* Whether the page says so in a row; or has it say so. */
static bool says(char *row, size_t at, const char *word)
{
    char cell[16];
    snprintf(cell, sizeof(cell), "%-*s", at == page.why ? 1 : WIDTH, word);
    if (getenv("TEST_WRITE") != NULL)
        memcpy(row + at, cell, strlen(cell));
    return memcmp(row + at, cell, strlen(cell)) == 0;
}

/* The row of a call: as a line of its own. */
static char *row_of(const char *call)
{
    char start[64];
    snprintf(start, sizeof(start), "\n%s  ", call);
    char *row = strstr(page.text, start);
    if (row == NULL || (size_t)(strchr(row + 1, '\n') - row) != page.why + 2)
        fail_msg("no such row, or not as wide as the table: %s", call);
    return row + 1;
}

/* What both answer, and that it is no other than the page says. */
static bool compare_one(const struct behaviour *b, enum verdict theirs, enum verdict ours)
{
    char *row = row_of(b->call), cell[8];
    const char why[] = {letter_of(theirs, ours), '\0'};
    bool right = ours <= NO;
    if (ours != theirs) {
        right &= says(row, page.here, words[ours]) && why[0] != '?';
        right &= theirs == ABSENT || says(row, page.why, why);
    }
    bool exception = ours == theirs && ours != ABSENT &&
                     strncmp(row + page.here, words[ours], strlen(words[ours])) != 0;
    snprintf(cell, sizeof(cell), "%s%s", words[theirs], exception ? "=" : "");
    return says(row, page.host, cell) && right;
}

static unsigned compare(const struct behaviour *b, OSSL_LIB_CTX *both, OSSL_LIB_CTX *alone)
{
    unsigned wrong = 0;
    for (; b->call != NULL; b++) {
        enum verdict theirs = behaviour_of(b, alone, "default");
        enum verdict ours = behaviour_of(b, both, "keccakprov");
        bool right = compare_one(b, theirs, ours);
        printf("%-5s %-36s default %-6s keccakprov %s\n", right ? "ok" : "FAIL", b->call,
               words[theirs], words[ours]);
        wrong += !right;
    }
    return wrong;
}

static size_t rows(const struct behaviour *b)
{
    size_t n = 0;
    while (b[n].call != NULL)
        n++;
    return n;
}

static void test_table(void **unused)
{
    OSSL_LIB_CTX *both = test_libctx(), *alone = OSSL_LIB_CTX_new();
    size_t n = 1;
    (void)unused;
    bool has_column = read_page();
    if (!has_column && getenv("TEST_WRITE") != NULL)
        fail_msg("the table has no column of this version");
    if (!has_column)
        skip();
    unsigned wrong = compare(behaviours_digest, both, alone) +
                     compare(behaviours_mac, both, alone) + compare(behaviours_state, both, alone);
    for (char *at = strstr(page.text, "\ncall  ") + 1; *(at = strchr(at, '\n') + 1) != '`';)
        n += *at != '\n';
    assert_int_equal(n - 1,
                     rows(behaviours_digest) + rows(behaviours_mac) + rows(behaviours_state));
    if (getenv("TEST_WRITE") != NULL) {
        FILE *file = fopen(PAGE, "w");
        assert_true(file != NULL && fputs(page.text, file) >= 0 && fclose(file) == 0);
    }
    assert_int_equal(wrong, 0);
    OSSL_LIB_CTX_free(both);
    OSSL_LIB_CTX_free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
