/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * keccaksum: prints and checks checksums in the manner of coreutils' sha256sum. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "keccaksum.h"

static int tag, zero, check, strict, ignore_missing, progress;
static int mark;                                       /* 'b' or 't' */
static enum { NORMAL, QUIET, STATUS, WARN } verbosity; /* the last one given counts */
static unsigned at_once = 1;
static const struct algorithm *algorithm; /* what the options ask for */
static size_t length;                     /* in bits; 0: the algorithm's own */
static bool failed;

/* What a list came to. */
static const char *list;
static size_t malformed, unreadable, mismatched, matched, listed;

/* --- Output --- */

static const char special[] = "\\\n\r", letters[] = "\\nr";

static void print_name(FILE *to, const char *name)
{
    for (const char *at; *name != '\0'; name++)
        if (zero || (at = strchr(special, *name)) == NULL)
            fputc(*name, to);
        else
            fprintf(to, "\\%c", letters[at - special]);
}

static void print_mark(const char *name)
{
    if (!zero && strpbrk(name, special) != NULL)
        putchar('\\');
}

/* The name may be NULL. */
static void complain(const char *name, const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fputs("keccaksum: ", stderr);
    if (name != NULL)
        print_name(stderr, name);
    fputs(name != NULL ? ": " : "", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

#define DIE(...) (complain(__VA_ARGS__), exit(EXIT_FAILURE))
#define HINT() (fputs("Try 'keccaksum --help' for more information.\n", stderr), exit(EXIT_FAILURE))
#define MISUSE(...) (complain(__VA_ARGS__), HINT())

static void report_sum(const struct job *job)
{
    if (job->wrong != NULL) {
        complain(job->name, "%s", job->wrong);
        failed = true;
        return;
    }
    print_mark(job->name);
    if (tag) {
        const char *text = job->alg->text;
        printf("%s%s (", EVP_MD_get0_name(job->alg->md), text + strcspn(text, ","));
        print_name(stdout, job->name);
        fputs(") = ", stdout);
    }
    for (size_t i = 0; i < job->outlen; i++)
        printf("%02x", job->out[i]);
    if (!tag) {
        fputs(mark == 'b' ? " *" : "  ", stdout);
        print_name(stdout, job->name);
    }
    putchar(zero ? '\0' : '\n');
}

static void report_check(const struct job *job)
{
    bool good = job->wrong == NULL;
    listed += job->alg != NULL;
    if (job->alg == NULL) {
        malformed++;
        if (verbosity == WARN)
            complain(list, "%zu: improperly formatted checksum line", job->line);
        return;
    }
    if (job->missing && ignore_missing)
        return;
    if (!good)
        complain(job->name, "%s", job->wrong);
    unreadable += !good;
    bool same = good && memcmp(job->out, job->wanted, job->outlen) == 0;
    mismatched += good && !same;
    matched += same;
    if (verbosity == STATUS || (same && verbosity == QUIET))
        return;
    print_mark(job->name);
    print_name(stdout, job->name);
    puts(same ? ": OK" : good ? ": FAILED" : ": FAILED open or read");
}

/* --- Lists --- */

static bool unescape(char *name)
{
    char *out = name;
    while (*name != '\0') {
        char c = *name++;
        if (c == '\\') {
            const char *at = *name != '\0' ? strchr(letters, *name++) : NULL;
            if (at == NULL)
                return false;
            c = special[at - letters];
        }
        *out++ = c;
    }
    *out = '\0';
    return true;
}

/* "HEX  NAME", "HEX *NAME", "TAG (NAME) = HEX" or, as openssl dgst writes, "TAG(NAME)= HEX". */
static bool line_parse(struct job *job, char *line)
{
    line += strspn(line, " \t");
    bool is_escaped = *line == '\\';
    line += is_escaped;
    size_t digits = strspn(line, "0123456789abcdefABCDEF");
    const char *hex = line;
    if (digits > 0 && line[digits] == ' ' && strchr(" *", line[digits + 1]) != NULL) {
        line[digits] = '\0';
        job->name = line + digits + 2;
        job->alg = algorithm;
    } else {
        char *open = strchr(line, '('), *close = strrchr(line, ')');
        int equals = 0;
        if (open == NULL || open == line || close < open)
            return false;
        sscanf(close + 1, " = %n", &equals);
        hex = close + 1 + equals;
        *close = open[0] = open[open[-1] == ' ' ? -1 : 0] = '\0';
        job->name = open + 1;
        job->alg = equals > 0 ? algorithm_find(line) : NULL;
    }
    job->outlen = strlen(hex) / 2;
    job->wanted = allocate(NULL, job->outlen + 1);
    return job->alg != NULL && job->alg->wrong == NULL && job->outlen > 0 &&
           (job->alg->is_xof || job->outlen == job->alg->size) &&
           hex_decode(hex, strlen(hex), job->wanted) && (!is_escaped || unescape(job->name)) &&
           job->name[0] != '\0';
}

static void warn_of(size_t count, const char *one, const char *many)
{
    if (count > 0 && verbosity != STATUS)
        complain(NULL, "WARNING: %zu %s", count, count == 1 ? one : many);
}

static void summarise(void)
{
    if (listed == 0) {
        complain(list, "no properly formatted checksum lines found");
    } else {
        warn_of(malformed, "line is improperly formatted", "lines are improperly formatted");
        warn_of(unreadable, "listed file could not be read", "listed files could not be read");
        warn_of(mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
        if (ignore_missing && matched == 0 && verbosity != STATUS)
            complain(list, "no file was verified");
    }
    failed |= listed == 0 || unreadable > 0 || mismatched > 0 || (strict && malformed > 0) ||
              (ignore_missing && matched == 0);
}

static void check_list(const char *name)
{
    FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    struct job *jobs = NULL;
    size_t count = 0, number = 0, room = 0;
    list = in == stdin ? "standard input" : name;
    malformed = unreadable = mismatched = matched = listed = 0;
    char *line = NULL;
    ssize_t len = 0;
    while (in != NULL && (len = getline(&line, &room, in)) > 0) {
        number++;
        len -= line[len - 1] == '\n';
        len -= len > 0 && line[len - 1] == '\r';
        line[len] = '\0';
        if (len == 0 || line[0] == '#')
            continue;
        jobs = allocate(jobs, (count + 1) * sizeof(*jobs));
        jobs[count] = (struct job){.line = number, .text = strdup(line)};
        if (strlen(line) != (size_t)len || !line_parse(&jobs[count], jobs[count].text))
            jobs[count].alg = NULL;
        count++;
    }
    free(line);
    if (in == NULL || ferror(in)) {
        complain(list, "%s", strerror(errno));
        failed = true;
    } else {
        jobs_run(jobs, count, at_once, progress, report_check);
        summarise();
    }
    if (in != NULL && in != stdin)
        fclose(in);
    for (; count > 0; free(jobs[count].text), free(jobs[count].wanted))
        count--;
    free(jobs);
}

/* --- The command line --- */

static const char usage[] =
    "Usage: keccaksum [OPTION]... [FILE]...\n"
    "Print or check checksums of the Keccak family. With no FILE, or -, read standard input.\n\n"
    "  -a, --algorithm=NAME  any digest of keccakprov (default kt128); its parameters:\n"
    "  -l, --length=BITS  --custom=S  --function=S  --domain=N  --leaf-size=N  --element=S\n"
    "                        where an S is text, or hex: and digits\n"
    "  -b, --binary  -t, --text  --tag  -z, --zero           the form of the output\n"
    "  -c, --check           check the lists in the FILEs\n"
    "  --ignore-missing  --quiet  --status  --strict  -w, --warn   with --check\n"
    "  -j, --jobs=N          work on N files at once\n"
    "      --progress        show a bar on a terminal\n"
    "      --status          without --check: do programs here use keccakprov?\n"
    "      --help  --version                                 See also: man keccaksum\n";

enum { HELP = 256, VERSION, PARAMETER };

static const struct option options[] = {{"algorithm", required_argument, NULL, 'a'},
                                        {"length", required_argument, NULL, 'l'},
                                        {"custom", required_argument, NULL, PARAMETER},
                                        {"function", required_argument, NULL, PARAMETER},
                                        {"domain", required_argument, NULL, PARAMETER},
                                        {"leaf-size", required_argument, NULL, PARAMETER},
                                        {"element", required_argument, NULL, PARAMETER},
                                        {"binary", no_argument, NULL, 'b'},
                                        {"text", no_argument, NULL, 't'},
                                        {"tag", no_argument, &tag, 1},
                                        {"zero", no_argument, NULL, 'z'},
                                        {"check", no_argument, NULL, 'c'},
                                        {"ignore-missing", no_argument, &ignore_missing, 1},
                                        {"quiet", no_argument, NULL, QUIET},
                                        {"status", no_argument, NULL, STATUS},
                                        {"strict", no_argument, &strict, 1},
                                        {"warn", no_argument, NULL, WARN},
                                        {"jobs", required_argument, NULL, 'j'},
                                        {"progress", no_argument, &progress, 1},
                                        {"help", no_argument, NULL, HELP},
                                        {"version", no_argument, NULL, VERSION},
                                        {NULL, 0, NULL, 0}};

/* A decimal number from 1 to a limit. */
static size_t number(const char *text, const char *what, size_t limit)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value == 0 || value > limit)
        MISUSE(NULL, "invalid %s: %s", what, text);
    return (size_t)value;
}

/* Reads the options; returns the text of the algorithm with its parameters. */
static char *read_options(int argc, char **argv)
{
    char *text = strdup(""), *name = "KT-128";
    int c, i;
    while ((c = getopt_long(argc, argv, "a:l:btzcwj:", options, &i)) != -1)
        if (c == 'a')
            name = optarg;
        else if (c == 'l')
            length = number(optarg, "length", SIZE_MAX);
        else if (c == PARAMETER)
            parameter_append(&text, options[i].name, optarg);
        else if (c == 'b' || c == 't')
            mark = c;
        else if (c == 'z')
            zero = 1;
        else if (c == 'c')
            check = 1;
        else if (c == 'w' || c == QUIET || c == STATUS || c == WARN)
            verbosity = c == 'w' ? WARN : c;
        else if (c == 'j')
            at_once = (unsigned)number(optarg, "number of jobs", 1024);
        else if (c == HELP || c == VERSION)
            exit(printf("%s", c == HELP ? usage : "keccaksum (keccakprov) " VERSION_TEXT "\n") < 0);
        else if (c != 0)
            HINT();
    if (strpbrk(name, ",(") != NULL)
        MISUSE(NULL, "invalid algorithm: %s", name);
    char *whole = allocate(NULL, strlen(name) + strlen(text) + 1);
    strcat(strcpy(whole, name), text);
    free(text);
    return whole;
}

static void refuse_misuse(void)
{
    if (check && (tag || zero || mark || length))
        MISUSE(NULL, "--tag, --zero, --binary, --text and --length mean nothing with --check");
    if (!check && (ignore_missing || strict || verbosity == QUIET || verbosity == WARN))
        MISUSE(NULL, "--ignore-missing, --quiet, --strict and --warn are for --check alone");
    if (tag && mark == 't')
        MISUSE(NULL, "--tag does not support --text mode");
}

static void sum_files(char **names, size_t count)
{
    struct job *jobs = allocate(NULL, count * sizeof(*jobs));
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct job){.alg = algorithm,
                               .name = names[i],
                               .outlen = length != 0 ? length / 8 : algorithm->size};
    jobs_run(jobs, count, at_once, progress, report_sum);
    free(jobs);
}

int main(int argc, char **argv)
{
    static char *standard_input[] = {"-"};
    char *text = read_options(argc, argv);
    refuse_misuse();
    if (verbosity == STATUS && !check)
        exit(status_report());
    if (module_load() == NULL)
        DIE(NULL, "cannot load keccakprov: %s; OPENSSL_MODULES can name its folder", last_reason());
    algorithm = algorithm_find(text);
    if (algorithm->wrong != NULL)
        DIE(NULL, "%s: %s", text, algorithm->wrong);
    if (length % 8 != 0 || (length != 0 && !algorithm->is_xof && length / 8 != algorithm->size))
        DIE(NULL, "%s: no output of %zu bits", text, length);
    progress &= isatty(STDERR_FILENO);
    if (progress && signal(SIGTERM, bar_interrupted) != SIG_ERR)
        signal(SIGINT, bar_interrupted);
    char **names = optind < argc ? argv + optind : standard_input;
    size_t count = optind < argc ? (size_t)(argc - optind) : 1;
    if (!check)
        sum_files(names, count);
    for (size_t i = 0; check && i < count; i++)
        check_list(names[i]);
    free(text);
    if (fflush(stdout) != 0 || ferror(stdout))
        DIE(NULL, "write error: %s", strerror(errno));
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
