/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * keccaksum: prints and checks checksums in the manner of coreutils' sha256sum. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "keccaksum.h"

struct asked asked = {.at_once = 1};
static size_t bits; /* of the output; 0: the algorithm's own length */

#define DIE(...) (complain(__VA_ARGS__), exit(EXIT_FAILURE))
#define HINT() (fputs("Try 'keccaksum --help' for more information.\n", stderr), exit(EXIT_FAILURE))
#define MISUSE(...) (complain(__VA_ARGS__), HINT())

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
                                        {"tag", no_argument, &asked.tag, 1},
                                        {"zero", no_argument, NULL, 'z'},
                                        {"check", no_argument, NULL, 'c'},
                                        {"ignore-missing", no_argument, &asked.ignore_missing, 1},
                                        {"quiet", no_argument, NULL, QUIET},
                                        {"status", no_argument, NULL, STATUS},
                                        {"strict", no_argument, &asked.strict, 1},
                                        {"warn", no_argument, NULL, WARN},
                                        {"jobs", required_argument, NULL, 'j'},
                                        {"progress", no_argument, &asked.progress, 1},
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
            bits = number(optarg, "length", SIZE_MAX);
        else if (c == PARAMETER)
            parameter_append(&text, options[i].name, optarg);
        else if (c == 'b' || c == 't')
            asked.mark = c;
        else if (c == 'z')
            asked.zero = 1;
        else if (c == 'c')
            asked.check = 1;
        else if (c == 'w' || c == QUIET || c == STATUS || c == WARN)
            asked.verbosity = c == 'w' ? WARN : c;
        else if (c == 'j')
            asked.at_once = (unsigned)number(optarg, "number of jobs", 1024);
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
    if (asked.check && (asked.tag || asked.zero || asked.mark || bits))
        MISUSE(NULL, "--tag, --zero, --binary, --text and --length mean nothing with --check");
    if (!asked.check && (asked.ignore_missing || asked.strict || asked.verbosity == QUIET ||
                         asked.verbosity == WARN))
        MISUSE(NULL, "--ignore-missing, --quiet, --strict and --warn are for --check alone");
    if (asked.tag && asked.mark == 't')
        MISUSE(NULL, "--tag does not support --text mode");
}

int main(int argc, char **argv)
{
    static char *standard_input[] = {"-"};
    char *text = read_options(argc, argv);
    refuse_misuse();
    if (asked.verbosity == STATUS && !asked.check)
        exit(status_report());
    if (module_load() == NULL)
        DIE(NULL, "cannot load keccakprov: %s; OPENSSL_MODULES can name its folder", last_reason());
    const struct algorithm *alg = asked.algorithm = algorithm_find(text);
    if (alg->wrong != NULL)
        DIE(NULL, "%s: %s", text, alg->wrong);
    if (bits % 8 != 0 || (bits != 0 && !alg->is_xof && bits / 8 != alg->size))
        DIE(NULL, "%s: no output of %zu bits", text, bits);
    asked.outlen = bits != 0 ? bits / 8 : alg->size;
    asked.progress &= isatty(STDERR_FILENO);
    if (asked.progress && signal(SIGTERM, bar_interrupted) != SIG_ERR)
        signal(SIGINT, bar_interrupted);
    char **names = optind < argc ? argv + optind : standard_input;
    size_t count = optind < argc ? (size_t)(argc - optind) : 1;
    bool good = asked.check || list_write(names, count);
    for (size_t i = 0; asked.check && i < count; i++)
        good &= list_check(names[i]);
    free(text);
    if (fflush(stdout) != 0 || ferror(stdout))
        DIE(NULL, "write error: %s", strerror(errno));
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
