/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * How fast is keccakprov, beside OpenSSL's own code and other libraries? */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <openssl/err.h>
#include "speed.h"

struct options {
    const char *module_dir, *isa, *pattern;
    size_t rounds;
    bool json, list;
};

static const char usage[] =
    "usage: speed [OPTION...]\n"
    "Times keccakprov against OpenSSL's default provider and, where they were found, libgcrypt "
    "and\n"
    "nettle.\n\n"
    "  --rows PATTERN  only rows with PATTERN in their names, or whose names it matches as a glob\n"
    "  --rounds N      times that each is measured; 40\n"
    "  --isa X         keccakprov's setting `isa`: auto (default), portable, bmi2, avx2, avx512\n"
    "  --module DIR    the folder of keccakprov.so; " MODULE_DIR "\n"
    "  --json          for programs\n"
    "  --list          names the rows and measures nothing\n"
    "  --help          this\n";

_Noreturn void speed_die(const char *what)
{
    fprintf(stderr, "speed: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(EXIT_FAILURE);
}

static _Noreturn void refuse(void)
{
    fputs(usage, stderr);
    exit(2);
}

static size_t read_rounds(const char *text)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < 1 || value > 1000000)
        refuse();
    return value;
}

static struct options read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"rows", required_argument, NULL, 'r'}, {"rounds", required_argument, NULL, 'n'},
        {"isa", required_argument, NULL, 'i'},  {"module", required_argument, NULL, 'm'},
        {"json", no_argument, NULL, 'j'},       {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0}};
    struct options options = {MODULE_DIR, "auto", "", 40, false, false};
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
        switch (option) {
        case 'r':
            options.pattern = optarg;
            break;
        case 'n':
            options.rounds = read_rounds(optarg);
            break;
        case 'i':
            options.isa = optarg;
            break;
        case 'm':
            options.module_dir = optarg;
            break;
        case 'j':
            options.json = true;
            break;
        case 'l':
            options.list = true;
            break;
        case 'h':
            fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        default:
            refuse();
        }
    if (optind != argc)
        refuse();
    return options;
}

/* The kernels that the provider says it chose, "isa=auto -> bmi2,x4_avx2", and for that isa. */
static const struct keccak_ops *chosen_ops(const char *info, const char *isa)
{
    const struct keccak_ops *ops;
    char wanted[256];
    for (size_t i = 0; (ops = keccak_nth(keccak_cpu_features(), i)) != NULL; i++) {
        snprintf(wanted, sizeof(wanted), "isa=%s -> %s", isa, ops->name);
        if (strcmp(wanted, info) == 0)
            return ops;
    }
    speed_die(info);
}

static bool wanted(const struct speed_row *row, const char *pattern)
{
    return strcasestr(row->name, pattern) != NULL || fnmatch(pattern, row->name, FNM_CASEFOLD) == 0;
}

static void measure(const struct speed_row *row, const struct speed_library *libraries,
                    const struct options *options)
{
    struct speed_cell cells[SPEED_LIBRARIES];
    size_t count = speed_measure(row, libraries, options->rounds, cells);
    if (count > 0)
        speed_print_row(options->json, row, cells, count);
    else
        fprintf(stderr, "speed: this libcrypto cannot: %s\n", row->name);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv);
    const struct speed_library ours = speed_keccakprov(options.module_dir, options.isa);
    const struct keccak_ops *ops = chosen_ops(ours.version, options.isa);
    const struct speed_library libraries[SPEED_LIBRARIES] = {
        ours,           speed_engine(ops), speed_openssl(),
#ifdef SPEED_GCRYPT
        speed_gcrypt(),
#else
        {.name = "libgcrypt"},
#endif
#ifdef SPEED_NETTLE
        speed_nettle(),
#else
        {.name = "nettle"},
#endif
    };
    size_t count, matches = 0;
    const struct speed_row *rows = speed_rows(ops, &count);
    if (!options.list)
        speed_print_begin(options.json, libraries, options.rounds);
    for (size_t i = 0; i < count; i++) {
        if (!wanted(&rows[i], options.pattern))
            continue;
        matches++;
        if (options.list)
            puts(rows[i].name);
        else
            measure(&rows[i], libraries, &options);
    }
    if (!options.list)
        speed_print_end(options.json);
    speed_need(matches > 0, "no row matches");
    speed_need(fflush(stdout) == 0 && !ferror(stdout), "the output cannot be written");
    return EXIT_SUCCESS;
}
