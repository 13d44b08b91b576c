/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Known answers through EVP, on each kernel: those of the files named as arguments; without any,
 * our own file, and a folder of published ones where the checkout has it. */
#include <dirent.h>
#include "vectors.h"

#define OWN_FILE SOURCE_DIR "/test/data/known-answers.txt"
#define SHARED_DIR SOURCE_DIR "/../shared/vectors"
#define COMPLAINTS 10 /* printed for one file */

/* On the last two the wide kernels, of which only tree hashing makes use. */
static const char *const kernels[] = {"portable", "bmi2", "avx2", "avx512"};
#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))

static size_t totals[KERNELS][VERDICTS];
static bool ran[KERNELS], shared_used;
static char **arguments; /* NULL at the end */

typedef enum verdict run_fn(struct line *line, OSSL_LIB_CTX *libctx, const char *alg);
static run_fn run_digest, run_tuple, run_kmac, run_hmac, run_inner, run_large, run_later;

/* The words of the format, whole or but for the number at their end. */
static const struct family {
    const char *name;
    run_fn *run;
} families[] = {{"KECCAK-P1600", run_later}, /* a bare permutation */
                {"KECCAK-1600", run_later},  /* a bare sponge */
                {"SHA3", run_digest},        {"KECCAK", run_digest},   {"SHAKE", run_digest},
                {"CSHAKE", run_digest},      {"HMAC-SHA3", run_hmac},  {"HMAC-KECCAK", run_hmac},
                {"KMAC", run_kmac},          {"TUPLEHASH", run_tuple}, {"PARALLELHASH", run_digest},
                {"TURBOSHAKE", run_digest},  {"KT", run_digest},       {"MCT", run_inner},
                {"LDT", run_large},          {"ACC", run_inner},       {"KECCAK-KMAC", run_digest}};

static run_fn *find_run(const char *word)
{
    const char *dash = strrchr(word, '-');
    size_t stem = dash != NULL ? (size_t)(dash - word) : strlen(word);
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        const char *name = families[i].name;
        if (strcmp(word, name) == 0 || (strlen(name) == stem && strncmp(word, name, stem) == 0))
            return families[i].run;
    }
    return NULL;
}

/* Not offered; once it is, lines that nobody runs are a failure. */
static enum verdict run_later(struct line *line, OSSL_LIB_CTX *libctx, const char *alg)
{
    (void)line;
    EVP_MD *md = EVP_MD_fetch(libctx, alg, "provider=keccakprov");
    EVP_MAC *mac = EVP_MAC_fetch(libctx, alg, "provider=keccakprov");
    bool offered = md != NULL || mac != NULL;
    EVP_MD_free(md);
    EVP_MAC_free(mac);
    ERR_clear_error();
    if (offered)
        print_message("%s is offered, and this test does not run it\n", alg);
    return offered ? WRONG : NOT_OFFERED;
}

/* Takes out, or out_tail, and compares. Also takes outbits, which is a note. */
static enum verdict compare(struct line *line, struct bytes got)
{
    bool tail = line_has(line, "out_tail");
    struct bytes want = line_bytes(line, tail ? "out_tail" : "out");
    if (line_has(line, "outbits"))
        line_number(line, "outbits");
    if (line->broken || want.size > got.size || (!tail && want.size != got.size))
        return UNPARSABLE;
    return memcmp(got.data + got.size - want.size, want.data, want.size) == 0 ? PASSED : WRONG;
}

static enum verdict run_digest(struct line *line, OSSL_LIB_CTX *libctx, const char *alg)
{
    struct job job = {.libctx = libctx, .alg = alg};
    if (strncmp(alg, "CSHAKE", 6) == 0) {
        job.name = line_bytes(line, "n");
        job.custom = line_bytes(line, "s");
    }
    if (strncmp(alg, "KT", 2) == 0)
        job.custom = line_bytes(line, "c");
    if (strncmp(alg, "PARALLELHASH", 12) == 0) {
        job.leaf_size = line_number(line, "b");
        job.custom = line_bytes(line, "s");
        job.xof = (int)line_number(line, "xof");
    }
    if (strncmp(alg, "TURBOSHAKE", 10) == 0)
        job.domain = line_byte(line, "d");
    job.msg = line_bytes(line, "msg");
    if (!job_fetch(&job))
        return WRONG;
    bool xof = (EVP_MD_get_flags(job.md) & EVP_MD_FLAG_XOF) != 0;
    size_t outlen = xof ? line_number(line, "outlen") : (size_t)EVP_MD_get_size(job.md);
    struct bytes out = line_room(line, outlen);
    bool good = !line->broken && job_hash(&job, out.data, out.size);
    EVP_MD_free(job.md);
    return good || line->broken ? compare(line, out) : WRONG;
}

static enum verdict run_tuple(struct line *line, OSSL_LIB_CTX *libctx, const char *alg)
{
    struct job job = {.libctx = libctx, .alg = alg, .custom = line_bytes(line, "s")};
    struct tuple tuple = line_tuple(line);
    struct bytes out = line_room(line, line_number(line, "outlen"));
    if (!job_fetch(&job))
        return WRONG;
    bool good = !line->broken && job_tuple(&job, &tuple, out.data, out.size);
    EVP_MD_free(job.md);
    return good || line->broken ? compare(line, out) : WRONG;
}

static enum verdict run_kmac(struct line *line, OSSL_LIB_CTX *libctx, const char *alg)
{
    struct job job = {.libctx = libctx, .alg = alg};
    job.custom = line_bytes(line, "s");
    job.msg = line_bytes(line, "msg");
    struct bytes key = line_bytes(line, "key");
    size_t xof = line_number(line, "xof");
    struct bytes out = line_room(line, line_number(line, "outlen"));
    if (line->broken || xof > 1)
        return UNPARSABLE;
    return job_kmac(&job, key, xof == 1, out) ? compare(line, out) : WRONG;
}

static enum verdict run_hmac(struct line *line, OSSL_LIB_CTX *libctx, const char *alg)
{
    struct bytes key = line_bytes(line, "key");
    struct job job = {.libctx = libctx, .alg = alg + strlen("HMAC-")};
    job.msg = line_bytes(line, "msg");
    if (!job_fetch(&job))
        return WRONG;
    struct bytes out = line_room(line, (size_t)EVP_MD_get_size(job.md));
    bool good = job_hmac(&job, key, out);
    EVP_MD_free(job.md);
    size_t outlen = line_number(line, "outlen");
    if (line->broken || outlen > out.size)
        return UNPARSABLE;
    return good ? compare(line, (struct bytes){out.data, outlen}) : WRONG;
}

/* MCT and ACC name their algorithm in a field. */
static enum verdict run_inner(struct line *line, OSSL_LIB_CTX *libctx, const char *word)
{
    static uint8_t nothing[1];
    struct job job = {.libctx = libctx, .alg = line_text(line, "alg")};
    run_fn *inner = find_run(job.alg);
    if (inner == run_later)
        return run_later(line, libctx, job.alg);
    if (inner != run_digest && inner != run_tuple)
        return UNPARSABLE;
    if (strncmp(job.alg, "CSHAKE", 6) == 0)
        job.name = (struct bytes){nothing, 0};
    job.custom = (struct bytes){nothing, 0};
    if (!job_fetch(&job))
        return WRONG;
    enum verdict verdict =
        strcmp(word, "MCT") == 0 ? chain_run(line, &job) : procedure_run(line, &job);
    EVP_MD_free(job.md);
    return verdict;
}

/* Gigabytes. */
static enum verdict run_large(struct line *line, OSSL_LIB_CTX *libctx, const char *alg)
{
    (void)line, (void)libctx, (void)alg;
    return LARGE;
}

static enum verdict run_line(OSSL_LIB_CTX *libctx, char *text)
{
    struct line line;
    line_split(&line, text);
    run_fn *run = find_run(line.word);
    enum verdict verdict = UNPARSABLE;
    if (run != NULL && !line.broken)
        verdict = run(&line, libctx, line.word);
    if (verdict == PASSED && (line.broken || !line_all_taken(&line)))
        verdict = UNPARSABLE;
    line_free(&line);
    return verdict;
}

static bool is_wanted(const char *text, bool wide)
{
    return text[0] != '\0' && text[0] != '#' &&
           (!wide || strstr(text, "KT-") != NULL || strstr(text, "PARALLELHASH-") != NULL);
}

static void run_lines(FILE *in, const char *name, bool wide, OSSL_LIB_CTX *libctx,
                      size_t counts[VERDICTS])
{
    char *text = NULL;
    size_t room = 0, number = 0, complaints = 0;
    for (ssize_t length; (length = getline(&text, &room, in)) >= 0;) {
        number++;
        if (text[length - 1] == '\n')
            text[--length] = '\0';
        if (!is_wanted(text, wide))
            continue;
        enum verdict verdict = run_line(libctx, text);
        counts[verdict]++;
        if (verdict >= WRONG && complaints++ < COMPLAINTS)
            print_message("%s:%zu: %s: %s\n", name, number, text,
                          verdict == WRONG ? "wrong" : "unparsable");
    }
    assert_true(feof(in));
    free(text);
}

/* wide: only what makes use of the kernels for several states. */
static void run_file(const char *path, size_t kernel, bool wide, OSSL_LIB_CTX *libctx)
{
    const char *name = strrchr(path, '/') + 1;
    size_t counts[VERDICTS] = {0};
    bool packed = strcmp(name + strlen(name) - 3, ".gz") == 0;
    assert_int_equal(setenv("VECTORS", path, 1), 0); /* no quoting of the path */
    FILE *in = packed ? popen("gzip -dc <\"$VECTORS\"", "r") : fopen(path, "r");
    assert_non_null(in);
    run_lines(in, name, wide, libctx, counts);
    assert_int_equal(packed ? pclose(in) : fclose(in), 0);
    print_message("%s: %s: %zu passed, %zu not offered\n", kernels[kernel], name, counts[PASSED],
                  counts[NOT_OFFERED]);
    for (size_t i = 0; i < VERDICTS; i++)
        totals[kernel][i] += counts[i];
    test_cases(counts[PASSED] + counts[WRONG]);
}

/* Without the long chains on an emulated CPU, where they take a quarter of an hour. */
static int is_vectors(const struct dirent *entry)
{
    const char *name = entry->d_name, *dot = strstr(name, ".txt");
    if (getenv("TEST_SLOW") != NULL &&
        (strcmp(name, "acc.txt") == 0 || strcmp(name, "mct-boringssl.txt") == 0))
        return 0;
    return dot != NULL && (strcmp(dot, ".txt") == 0 || strcmp(dot, ".txt.gz") == 0);
}

static void run_folder(size_t kernel, OSSL_LIB_CTX *libctx)
{
    struct dirent **entries;
    int count = scandir(SHARED_DIR, &entries, is_vectors, alphasort);
    shared_used = count > 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        int length = snprintf(path, sizeof(path), SHARED_DIR "/%s", entries[i]->d_name);
        assert_in_range(length, 0, sizeof(path) - 1);
        run_file(path, kernel, kernel >= 2, libctx); /* meson test has three minutes */
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void test_vectors(void **state)
{
    size_t kernel = *(const size_t *)*state;
    OSSL_LIB_CTX *libctx = test_libctx_isa(kernels[kernel]);
    if (libctx == NULL)
        skip();
    ran[kernel] = true;
    for (char **path = arguments; *path != NULL; path++)
        run_file(*path, kernel, false, libctx);
    if (*arguments == NULL) {
        run_file(OWN_FILE, kernel, false, libctx);
        if (getenv("TEST_SHORT") == NULL)
            run_folder(kernel, libctx);
    }
    OSSL_LIB_CTX_free(libctx);
    assert_int_equal(totals[kernel][WRONG], 0);
    assert_int_equal(totals[kernel][UNPARSABLE], 0);
    assert_int_not_equal(totals[kernel][PASSED], 0);
    if (*arguments != NULL)
        assert_int_equal(totals[kernel][NOT_OFFERED], 0);
}

int main(int count, char **argv)
{
    arguments = argv + (count > 0);
    static size_t indices[KERNELS];
    struct CMUnitTest tests[KERNELS];
    for (size_t i = 0; i < KERNELS; i++) {
        indices[i] = i;
        tests[i] = (struct CMUnitTest){kernels[i], test_vectors, NULL, NULL, &indices[i]};
    }
    test_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < KERNELS; i++)
        if (ran[i])
            printf("vectors: on %s %zu lines passed\n", kernels[i], totals[i][PASSED]);
        else
            printf("vectors: %s did not run\n", kernels[i]);
    printf("vectors: %zu not offered, %zu large skipped; used: own file%s\n",
           totals[0][NOT_OFFERED], totals[0][LARGE],
           !shared_used                  ? ""
           : getenv("TEST_SLOW") == NULL ? ", shared/vectors"
                                         : ", shared/vectors but its long chains");
    return failed;
}
