/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the benchmark says: as text, a line for each comparison; as JSON, an object for each row. */
#include <stdio.h>
#include <string.h>
#include "speed.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The CPU by the name that the kernel has for it. */
static const char *cpu_model(void)
{
    static char line[256];
    const char *model = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            line[strcspn(line, "\n")] = '\0';
            model = strchr(line, ':') + 1;
            model += strspn(model, " ");
            break;
        }
    if (file != NULL)
        fclose(file);
    return model;
}

static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('"');
}

/* "key": "value", where a value that is not there is null. */
static void print_member(const char *key, const char *value)
{
    print_string(key);
    printf(": ");
    if (value != NULL)
        print_string(value);
    else
        printf("null");
}

static void begin_json(const struct speed_library *libraries, size_t rounds)
{
    printf("{\n  ");
    print_member("cpu", cpu_model());
    printf(",\n  ");
    print_member("compiler", COMPILER ", " BUILDTYPE);
    printf(",\n  \"libraries\": {");
    for (size_t i = 0; i < SPEED_LIBRARIES; i++) {
        printf(i > 0 ? ", " : "");
        print_member(libraries[i].name, libraries[i].version);
    }
    printf("},\n  \"rounds\": %zu,\n  \"quantile\": 0.1,\n  \"rows\": [", rounds);
}

static void begin_text(const struct speed_library *libraries, size_t rounds)
{
    printf("%-12s%s\n%-12s%s, %s\n", "CPU", cpu_model(), "compiler", COMPILER, BUILDTYPE);
    for (size_t i = 0; i < SPEED_LIBRARIES; i++)
        printf("%-12s%s\n", libraries[i].name,
               libraries[i].version != NULL ? libraries[i].version : "absent when this was set up");
    printf(
        "\nTimes are what the fastest tenth of %zu rounds did not exceed; a ratio is their time to "
        "ours,\nabove 1 where keccakprov is faster. Their permutation is the slope of SHA3-256 "
        "per block\nbetween 8 KiB and 1 MiB.\n\n",
        rounds);
    printf("%7s  %-32s %12s %9s  %-24s %12s %9s\n", "ratio", "row", "ns", "MB/s", "against", "ns",
           "MB/s");
}

void speed_print_begin(bool json, const struct speed_library *libraries, size_t rounds)
{
    if (json)
        begin_json(libraries, rounds);
    else
        begin_text(libraries, rounds);
}

static double per_second(const struct speed_row *row, const struct speed_cell *cell)
{
    return (double)row->bytes / cell->ns * 1e9;
}

static void print_times(const struct speed_row *row, const struct speed_cell *cell)
{
    printf("\"ns\": %.2f, \"bytes_per_second\": ", cell->ns);
    if (row->bytes > 0)
        printf("%.0f", per_second(row, cell));
    else
        printf("null");
}

static void row_json(const struct speed_row *row, const struct speed_cell *cells, size_t count)
{
    static const char *separator = "\n    {";
    printf("%s", separator);
    separator = ",\n    {";
    print_member("name", row->name);
    printf(", \"bytes\": %zu, ", row->bytes);
    print_times(row, &cells[0]);
    printf(", \"against\": [");
    for (size_t i = 1; i < count; i++) {
        printf("%s\n      {\"ratio\": %.3f, ", i > 1 ? "," : "", cells[i].ns / cells[0].ns);
        print_times(row, &cells[i]);
        printf(", ");
        print_member("library", cells[i].library->name);
        printf(", ");
        print_member("algorithm", cells[i].algorithm);
        printf("}");
    }
    printf("]}");
}

static void text_times(const struct speed_row *row, const struct speed_cell *cell)
{
    if (row->bytes > 0)
        printf(" %12.1f %9.1f", cell->ns, per_second(row, cell) / 1e6);
    else
        printf(" %12.1f %9s", cell->ns, "-");
}

/* One line against each of the others; one without a ratio if there are none. */
static void row_text(const struct speed_row *row, const struct speed_cell *cells, size_t count)
{
    for (size_t i = 1; i == 1 || i < count; i++) {
        if (count > 1)
            printf("%7.3f  %-32s", cells[i].ns / cells[0].ns, row->name);
        else
            printf("%7s  %-32s", "-", row->name);
        text_times(row, &cells[0]);
        if (count > 1) {
            char against[64];
            bool same = strcmp(cells[i].algorithm, cells[0].algorithm) == 0;
            snprintf(against, sizeof(against), "%s%s%s", cells[i].library->name, same ? "" : " ",
                     same ? "" : cells[i].algorithm);
            printf("  %-24s", against);
            text_times(row, &cells[i]);
        }
        putchar('\n');
    }
    fflush(stdout);
}

void speed_print_row(bool json, const struct speed_row *row, const struct speed_cell *cells,
                     size_t count)
{
    if (json)
        row_json(row, cells, count);
    else
        row_text(row, cells, count);
}

void speed_print_end(bool json)
{
    if (json)
        printf("\n  ]\n}\n");
}
