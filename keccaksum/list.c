/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Lists of checksums: lines written, and lines checked. */
#include <errno.h>
#include <openssl/crypto.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "keccaksum.h"

/* What a list came to. */
static const char *list; /* its name */
static size_t malformed, unreadable, mismatched, matched, listed;

static const char special[] = "\\\n\r", letters[] = "\\nr";

static void print_name(FILE *to, const char *name)
{
    for (const char *at; *name != '\0'; name++)
        if (asked.zero || (at = strchr(special, *name)) == NULL)
            fputc(*name, to);
        else
            fprintf(to, "\\%c", letters[at - special]);
}

static void print_mark(const char *name)
{
    if (!asked.zero && strpbrk(name, special) != NULL)
        putchar('\\');
}

void complain(const char *name, const char *format, ...)
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

/* --- Writing --- */

static void report_sum(const struct job *job)
{
    if (job->wrong != NULL) {
        complain(job->name, "%s", job->wrong);
        unreadable++;
        return;
    }
    print_mark(job->name);
    if (asked.tag) {
        const char *text = job->alg->text;
        printf("%s%s (", EVP_MD_get0_name(job->alg->md), text + strcspn(text, ","));
        print_name(stdout, job->name);
        fputs(") = ", stdout);
    }
    for (size_t i = 0; i < job->outlen; i++)
        printf("%02x", job->out[i]);
    if (!asked.tag) {
        fputs(asked.mark == 'b' ? " *" : "  ", stdout);
        print_name(stdout, job->name);
    }
    putchar(asked.zero ? '\0' : '\n');
}

bool list_write(char **names, size_t count)
{
    struct job *jobs = allocate(NULL, count * sizeof(*jobs));
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct job){.alg = asked.algorithm, .name = names[i], .outlen = asked.outlen};
    jobs_run(jobs, count, report_sum);
    free(jobs);
    return unreadable == 0;
}

/* --- Checking --- */

static void report_check(const struct job *job)
{
    bool good = job->wrong == NULL;
    listed += job->alg != NULL;
    if (job->alg == NULL) {
        malformed++;
        if (asked.verbosity == WARN)
            complain(list, "%zu: improperly formatted checksum line", job->line);
        return;
    }
    if (job->missing && asked.ignore_missing)
        return;
    if (!good)
        complain(job->name, "%s", job->wrong);
    unreadable += !good;
    bool same = good && memcmp(job->out, job->wanted, job->outlen) == 0;
    mismatched += good && !same;
    matched += same;
    if (asked.verbosity == STATUS || (same && asked.verbosity == QUIET))
        return;
    print_mark(job->name);
    print_name(stdout, job->name);
    puts(same ? ": OK" : good ? ": FAILED" : ": FAILED open or read");
}

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
        job->alg = asked.algorithm;
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
           OPENSSL_hexstr2buf_ex(job->wanted, job->outlen, NULL, hex, 0) &&
           (!is_escaped || unescape(job->name)) && job->name[0] != '\0';
}

static void warn_of(size_t count, const char *one, const char *many)
{
    if (count > 0 && asked.verbosity != STATUS)
        complain(NULL, "WARNING: %zu %s", count, count == 1 ? one : many);
}

/* Was all well? */
static bool summarise(void)
{
    if (listed == 0) {
        complain(list, "no properly formatted checksum lines found");
    } else {
        warn_of(malformed, "line is improperly formatted", "lines are improperly formatted");
        warn_of(unreadable, "listed file could not be read", "listed files could not be read");
        warn_of(mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
        if (asked.ignore_missing && matched == 0 && asked.verbosity != STATUS)
            complain(list, "no file was verified");
    }
    return listed > 0 && unreadable == 0 && mismatched == 0 && !(asked.strict && malformed > 0) &&
           !(asked.ignore_missing && matched == 0);
}

bool list_check(const char *name)
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
    bool good = in != NULL && !ferror(in);
    if (!good) {
        complain(list, "%s", strerror(errno));
    } else {
        jobs_run(jobs, count, report_check);
        good = summarise();
    }
    if (in != NULL && in != stdin)
        fclose(in);
    for (; count > 0; free(jobs[count].text), free(jobs[count].wanted))
        count--;
    free(jobs);
    return good;
}
