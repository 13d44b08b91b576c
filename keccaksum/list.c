/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Lists of checksums: lines written, and lines checked. */
#include <errno.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "keccaksum.h"

#define TAGGED_LEAST 16 /* bytes of an XOF, of which no option speaks */

/* What a list, or all that is written, came to. */
static struct {
    char *list; /* its name, as messages show it */
    size_t listed, malformed, unreadable, mismatched, matched;
} tally;

static const char special[] = "\\\n\r", letters[] = "\\nr";

/* A name as lines and messages show it. */
static char *escape(const char *name)
{
    char *copy = allocate(NULL, 2 * strlen(name) + 1), *out = copy;
    for (; *name != '\0'; name++) {
        const char *at = asked.zero ? NULL : strchr(special, *name);
        if (at != NULL)
            *out++ = '\\';
        *out++ = at != NULL ? letters[at - special] : *name;
    }
    *out = '\0';
    return copy;
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

/* --- Reports --- */

static void report_sum(const struct job *job, const char *mark, const char *name)
{
    const char *params = job->alg->text + strcspn(job->alg->text, ",");
    if (asked.tag)
        printf("%s%s%s (%s) = %s", mark, EVP_MD_get0_name(job->alg->md), params, name, job->hex);
    else
        printf("%s%s %c%s", mark, job->hex, asked.mark == 'b' ? '*' : ' ', name);
    putchar(asked.zero ? '\0' : '\n');
}

static void report_check(const struct job *job, const char *mark, const char *name)
{
    bool good = job->hex != NULL, same = good && strcasecmp(job->hex, job->wanted) == 0;
    tally.matched += same;
    tally.mismatched += good && !same;
    if (asked.verbosity != STATUS && !(same && asked.verbosity == QUIET))
        printf("%s%s: %s\n", mark, name, same ? "OK" : good ? "FAILED" : "FAILED open or read");
}

void job_report(const struct job *job)
{
    if (job->alg == NULL) {
        tally.malformed++;
        if (asked.verbosity == WARN)
            warnx("%s: %zu: improperly formatted checksum line", tally.list, job->line);
        return;
    }
    tally.listed++;
    if (job->missing && asked.ignore_missing)
        return;
    char *name = escape(job->name);
    const char *mark = strcmp(name, job->name) != 0 ? "\\" : "";
    if (job->wrong != NULL) {
        tally.unreadable++;
        warnx("%s: %s", name, job->wrong);
    }
    if (asked.check)
        report_check(job, mark, name);
    else if (job->wrong == NULL)
        report_sum(job, mark, name);
    free(name);
}

static void warn_of(size_t count, const char *one, const char *many)
{
    if (count > 0 && asked.verbosity != STATUS)
        warnx("WARNING: %zu %s", count, count == 1 ? one : many);
}

/* Was all well with a list? */
static bool summarise(void)
{
    bool nothing = asked.ignore_missing && tally.matched == 0;
    if (tally.listed == 0) {
        warnx("%s: no properly formatted checksum lines found", tally.list);
        return false;
    }
    warn_of(tally.malformed, "line is improperly formatted", "lines are improperly formatted");
    warn_of(tally.unreadable, "listed file could not be read", "listed files could not be read");
    warn_of(tally.mismatched, "computed checksum did NOT match",
            "computed checksums did NOT match");
    if (nothing && asked.verbosity != STATUS)
        warnx("%s: no file was verified", tally.list);
    return tally.unreadable == 0 && tally.mismatched == 0 &&
           !(asked.strict && tally.malformed > 0) && !nothing;
}

/* --- Files and lists --- */

bool list_write(char **names, size_t count)
{
    struct job *jobs = allocate(NULL, count * sizeof(*jobs));
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct job){.alg = asked.algorithm, .name = names[i], .outlen = asked.outlen};
    jobs_run(jobs, count);
    free(jobs);
    return tally.unreadable == 0;
}

/* A list could else be cut down to checksums that other files have too. */
static bool length_fits(const struct job *job, bool is_tagged)
{
    if (!is_tagged)
        return job->outlen == asked.outlen;
    if (!job->alg->is_xof)
        return job->outlen == job->alg->size;
    return job->outlen >= TAGGED_LEAST || job->outlen == asked.outlen;
}

/* "HEX  NAME", "HEX *NAME", "TAG (NAME) = HEX" or, as openssl dgst writes, "TAG(NAME)= HEX". */
static bool line_parse(struct job *job, char *line)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    line += strspn(line, " \t");
    bool is_escaped = *line == '\\';
    line += is_escaped;
    char *end = line + strspn(line, digits);
    bool is_tagged = end == line || (strncmp(end, "  ", 2) != 0 && strncmp(end, " *", 2) != 0);
    if (!is_tagged) {
        *end = '\0';
        job->wanted = line;
        job->name = end + 2;
        job->alg = asked.algorithm;
    } else {
        char *open = strchr(line, '('), *close = strrchr(line, ')');
        int equals = 0;
        if (open == NULL || open == line || close < open)
            return false;
        sscanf(close + 1, " = %n", &equals);
        open[open[-1] == ' ' ? -1 : 0] = '\0';
        *open = *close = '\0';
        job->wanted = close + 1 + equals;
        job->name = open + 1;
        job->alg = equals > 0 ? algorithm_find(line) : NULL;
    }
    size_t length = strlen(job->wanted);
    job->outlen = length / 2;
    return job->alg != NULL && job->alg->wrong == NULL && length % 2 == 0 &&
           strspn(job->wanted, digits) == length && length_fits(job, is_tagged) &&
           (!is_escaped || unescape(job->name)) && job->name[0] != '\0';
}

/* Makes jobs of the lines of a list; returns how many. */
static size_t list_read(FILE *in, struct job **jobs)
{
    size_t count = 0, room = 0;
    ssize_t len;
    char *line = NULL;
    for (size_t number = 1; (len = getline(&line, &room, in)) > 0; number++) {
        len -= line[len - 1] == '\n';
        len -= len > 0 && line[len - 1] == '\r';
        line[len] = '\0';
        if (len == 0 || line[0] == '#')
            continue;
        *jobs = allocate(*jobs, (count + 1) * sizeof(**jobs));
        struct job *job = &(*jobs)[count++];
        *job = (struct job){.line = number, .text = line};
        if (strlen(line) != (size_t)len || !line_parse(job, line) ||
            (in == stdin && strcmp(job->name, "-") == 0))
            job->alg = NULL;
        line = NULL; /* the job's now */
        room = 0;
    }
    free(line);
    return count;
}

bool list_check(const char *name)
{
    FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    struct job *jobs = NULL;
    memset(&tally, 0, sizeof(tally));
    tally.list = escape(in == stdin ? "standard input" : name);
    size_t count = in != NULL ? list_read(in, &jobs) : 0;
    bool good = in != NULL && !ferror(in);
    if (!good)
        warn("%s", tally.list);
    else
        jobs_run(jobs, count);
    good = good && summarise();
    if (in != NULL && in != stdin)
        fclose(in);
    while (count > 0)
        free(jobs[--count].text);
    free(jobs);
    free(tally.list);
    return good;
}
