/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * keccaksum: prints and checks checksums in the manner of coreutils' sha256sum. */
#include <errno.h>
#include <err.h>
#include <getopt.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "keccaksum.h"

#define STATE_BYTES 200 /* of Keccak: rate and capacity */

struct asked asked = {.at_once = 1};

static OSSL_LIB_CTX *libctx;

OSSL_PROVIDER *module_load(void)
{
    libctx = OSSL_LIB_CTX_new();
    if (libctx != NULL && secure_getenv("OPENSSL_MODULES") == NULL)
        OSSL_PROVIDER_set_default_search_path(libctx, MODULESDIR);
    return libctx == NULL ? NULL : OSSL_PROVIDER_load(libctx, "keccakprov");
}

const char *last_reason(void)
{
    const char *text, *reason = "unknown error";
    for (unsigned long code; (code = ERR_get_error()) != 0;)
        if ((text = ERR_reason_error_string(code)) != NULL)
            reason = text;
    return reason;
}

void *allocate(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (new == NULL)
        errx(EXIT_FAILURE, "memory exhausted");
    return new;
}

/* --- Algorithms --- */

/* Makes a parameter of "name=value". Returns what is wrong with it, or NULL. */
static const char *parameter_parse(OSSL_PARAM *param, const OSSL_PARAM *settable, char *value)
{
    static const OSSL_PARAM types[] = {
        OSSL_PARAM_octet_string("custom", NULL, 0),  OSSL_PARAM_octet_string("function", NULL, 0),
        OSSL_PARAM_octet_string("element", NULL, 0), OSSL_PARAM_uint("domain", NULL),
        OSSL_PARAM_uint64("leaf-size", NULL),        OSSL_PARAM_END};
    const char *name = strsep(&value, "=");
    const OSSL_PARAM *type = OSSL_PARAM_locate_const(types, name), *like = settable;
    char *end, key[32];
    /* Our names are what keccakprov's begin with: "custom", "customization". */
    while (like != NULL && like->key != NULL && strncmp(like->key, name, strlen(name)) != 0)
        like++;
    if (value == NULL || type == NULL || like == NULL || like->key == NULL)
        return "the algorithm has no such parameter";
    /* libcrypto passes over what follows a number. */
    strtoull(value, &end, strncmp(value, "0x", 2) == 0 ? 16 : 10);
    if (type->data_type == OSSL_PARAM_UNSIGNED_INTEGER && *end != '\0')
        return "a parameter has no such value";
    bool is_hex = strncmp(value, "hex:", 4) == 0;
    snprintf(key, sizeof(key), "%s%s", is_hex ? "hex" : "", name);
    value += is_hex ? 4 : 0;
    if (!OSSL_PARAM_allocate_from_text(param, types, key, value, strlen(value), NULL))
        return "a parameter has no such value";
    param->key = like->key;
    return NULL;
}

/* Fills in an algorithm from its text. Returns what is wrong with it, or NULL. */
static const char *algorithm_parse(struct algorithm *alg, char *rest)
{
    const char *wrong = NULL, *name = strsep(&rest, ",");
    alg->md = EVP_MD_fetch(libctx, name, "provider=keccakprov");
    if (alg->md == NULL)
        return "keccakprov has no such digest";
    const OSSL_PARAM *settable = EVP_MD_settable_ctx_params(alg->md);
    size_t rate = (size_t)EVP_MD_get_block_size(alg->md);
    OSSL_PARAM *params = allocate(NULL, sizeof(*params)), *added;
    params[0] = OSSL_PARAM_construct_end();
    for (size_t count = 1; wrong == NULL && rest != NULL; count++) {
        params = allocate(params, sizeof(*params) * (count + 1));
        added = &params[count - 1];
        wrong = parameter_parse(added, settable, strsep(&rest, ","));
        params[count] = OSSL_PARAM_construct_end();
        if (wrong == NULL && strcmp(added->key, "element") != 0 &&
            OSSL_PARAM_locate(params, added->key) != added)
            wrong = "a parameter is given twice";
    }
    alg->params = params;
    alg->is_xof = (EVP_MD_get_flags(alg->md) & EVP_MD_FLAG_XOF) != 0;
    alg->is_tuple = OSSL_PARAM_locate_const(settable, "element") != NULL;
    /* The capacity, twice the security strength, whatever this libcrypto takes for a default. */
    alg->size = alg->is_xof ? STATE_BYTES - rate : (size_t)EVP_MD_get_size(alg->md);
    return wrong;
}

const struct algorithm *algorithm_find(const char *text)
{
    static struct algorithm *last; /* lists name the same one line after line */
    if (last != NULL && strcmp(last->text, text) == 0)
        return last;
    struct algorithm *alg = allocate(NULL, sizeof(*alg));
    char *copy = strdup(text);
    *alg = (struct algorithm){.previous = last, .text = strdup(text)};
    last = alg;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    alg->wrong = algorithm_parse(alg, copy);
    if (alg->wrong == NULL && !EVP_DigestInit_ex2(ctx, alg->md, alg->params))
        alg->wrong = last_reason();
    EVP_MD_CTX_free(ctx);
    free(copy);
    return alg;
}

/* --- Options --- */

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

static void hint(void)
{
    fputs("Try 'keccaksum --help' for more information.\n", stderr);
    exit(EXIT_FAILURE);
}

#define MISUSE(...) (warnx(__VA_ARGS__), hint())

/* A decimal number from 1 to a limit. */
static size_t number(const char *text, const char *what, size_t limit)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value == 0 || value > limit)
        MISUSE("invalid %s: %s", what, text);
    return (size_t)value;
}

/* Adds ",name=value" to a text, the value in hex if it would not pass as it is. */
static void parameter_append(FILE *text, const char *name, const char *value)
{
    bool plain = true;
    for (const char *c = value; *c != '\0'; c++)
        plain &= *c > ' ' && *c < 0x7f && strchr("(),\\", *c) == NULL;
    fprintf(text, ",%s=%s", name, plain ? value : "hex:");
    for (; !plain && *value != '\0'; value++)
        fprintf(text, "%02x", (unsigned char)*value);
}

/* Reads the options; returns the text of the algorithm with its parameters. */
static char *read_options(int argc, char **argv)
{
    const char *name = "KT-128";
    char *params = NULL, *whole;
    size_t len;
    FILE *to = open_memstream(&params, &len);
    int c, i;
    while ((c = getopt_long(argc, argv, "a:l:btzcwj:", options, &i)) != -1)
        if (c == 'a')
            name = optarg;
        else if (c == 'l')
            asked.bits = number(optarg, "length", SIZE_MAX);
        else if (c == PARAMETER)
            parameter_append(to, options[i].name, optarg);
        else if (c == 'b' || c == 't')
            asked.mark = c;
        else if (c == 'z')
            asked.zero = 1;
        else if (c == 'c')
            asked.check = 1;
        else if (c == 'w' || c == QUIET || c == STATUS || c == WARN)
            asked.verbosity = c == 'w' ? WARN : c;
        else if (c == 'j')
            asked.at_once = number(optarg, "number of jobs", JOBS_MAX);
        else if (c == HELP || c == VERSION)
            exit(printf("%s", c == HELP ? usage : "keccaksum (keccakprov) " VERSION_TEXT "\n") < 0);
        else if (c != 0)
            hint();
    fclose(to);
    if (strpbrk(name, ",(") != NULL)
        MISUSE("invalid algorithm: %s", name);
    if (asprintf(&whole, "%s%s", name, params) < 0)
        err(EXIT_FAILURE, NULL);
    free(params);
    return whole;
}

static void refuse_misuse(void)
{
    if (asked.check && (asked.tag || asked.zero || asked.mark))
        MISUSE("--tag, --zero, --binary and --text mean nothing with --check");
    if (!asked.check && (asked.ignore_missing || asked.strict || asked.verbosity == QUIET ||
                         asked.verbosity == WARN))
        MISUSE("--ignore-missing, --quiet, --strict and --warn are for --check alone");
    if (asked.tag && asked.mark == 't')
        MISUSE("--tag does not support --text mode");
}

/* Writes or checks. True if all was well. */
static bool names_process(const char *text, char **names, size_t count)
{
    if (module_load() == NULL)
        errx(EXIT_FAILURE, "cannot load keccakprov: %s; OPENSSL_MODULES can name its folder",
             last_reason());
    const struct algorithm *alg = asked.algorithm = algorithm_find(text);
    if (alg->wrong != NULL)
        errx(EXIT_FAILURE, "%s: %s", text, alg->wrong);
    if (asked.bits % 8 != 0 || (asked.bits != 0 && !alg->is_xof && asked.bits / 8 != alg->size))
        errx(EXIT_FAILURE, "%s: no output of %zu bits", text, asked.bits);
    asked.outlen = asked.bits != 0 ? asked.bits / 8 : alg->size;
    asked.progress &= isatty(STDERR_FILENO);
    jobs_prepare();
    bool good = asked.check || list_write(names, count);
    for (size_t i = 0; asked.check && i < count; i++)
        good &= list_check(names[i]);
    return good;
}

int main(int argc, char **argv)
{
    static char *standard_input[] = {"-"};
    setlinebuf(stdout); /* so that errors come in their place */
    char *text = read_options(argc, argv);
    refuse_misuse();
    bool is_status = asked.verbosity == STATUS && !asked.check;
    if (is_status && argc > 2)
        MISUSE("--status without --check stands alone");
    char **names = optind < argc ? argv + optind : standard_input;
    size_t count = optind < argc ? (size_t)(argc - optind) : 1;
    bool good = is_status ? status_report() : names_process(text, names, count);
    free(text);
    if (fflush(stdout) != 0 || ferror(stdout))
        err(EXIT_FAILURE, "write error");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
