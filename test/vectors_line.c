/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Reading one line of known answers. */
#include "vectors.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SIZE_LIMIT ((size_t)1 << 28) /* of one value */

void line_split(struct line *line, char *text)
{
    memset(line, 0, sizeof(*line));
    line->word = strsep(&text, " ");
    for (char *field; (field = strsep(&text, " ")) != NULL; line->count++) {
        char *equals = strchr(field, '=');
        if (equals == NULL || equals == field || line->count == COUNT(line->fields)) {
            line->broken = true;
            return;
        }
        *equals = '\0';
        line->fields[line->count].key = field;
        line->fields[line->count].value = equals + 1;
    }
}

void line_free(struct line *line)
{
    for (size_t i = 0; i < line->room_count; i++)
        free(line->rooms[i]);
}

static size_t find(const struct line *line, const char *key)
{
    size_t i = 0;
    while (i < line->count &&
           (line->fields[i].key == NULL || strcmp(line->fields[i].key, key) != 0))
        i++;
    return i;
}

bool line_has(const struct line *line, const char *key)
{
    return find(line, key) < line->count;
}

bool line_all_taken(const struct line *line)
{
    for (size_t i = 0; i < line->count; i++)
        if (line->fields[i].key != NULL)
            return false;
    return true;
}

char *line_text(struct line *line, const char *key)
{
    static char nothing[1];
    size_t i = find(line, key);
    if (i == line->count) {
        line->broken = true;
        return nothing;
    }
    line->fields[i].key = NULL;
    return line->fields[i].value;
}

static size_t number(struct line *line, const char *text)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 12 || text[digits] != '\0')
        line->broken = true;
    return line->broken ? 0 : (size_t)strtoull(text, NULL, 10);
}

size_t line_number(struct line *line, const char *key)
{
    return number(line, line_text(line, key));
}

struct bytes line_room(struct line *line, size_t size)
{
    struct bytes room = {.data = malloc(size > 0 ? size : 1), .size = size};
    assert_non_null(room.data);
    assert_true(line->room_count < COUNT(line->rooms));
    line->rooms[line->room_count++] = room.data;
    return room;
}

/* test_unhex takes time in the square of the length. */
size_t line_unhex(struct line *line, const char *hex, uint8_t *out)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = strlen(hex);
    if (length % 2 != 0 || strspn(hex, digits) != length) {
        line->broken = true;
        return 0;
    }
    for (size_t i = 0; i < length / 2; i++) {
        ptrdiff_t high = strchr(digits, hex[2 * i]) - digits;
        ptrdiff_t low = strchr(digits, hex[2 * i + 1]) - digits;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return length / 2;
}

struct bytes line_hex(struct line *line, const char *hex)
{
    struct bytes bytes = line_room(line, strlen(hex) / 2);
    bytes.size = line_unhex(line, hex, bytes.data);
    return bytes;
}

unsigned line_byte(struct line *line, const char *key)
{
    struct bytes byte = line_hex(line, line_text(line, key));
    line->broken |= byte.size != 1;
    return byte.size == 1 ? byte.data[0] : 0;
}

static struct bytes repeated(struct line *line, char *value)
{
    struct bytes unit = line_hex(line, strsep(&value, "*"));
    size_t times = number(line, value != NULL ? value : "");
    if (times > SIZE_LIMIT || unit.size > SIZE_LIMIT / (times + 1))
        line->broken = true;
    struct bytes bytes = line_room(line, line->broken ? 0 : unit.size * times);
    for (size_t at = 0; at < bytes.size; at += unit.size)
        memcpy(bytes.data + at, unit.data, unit.size);
    return bytes;
}

struct bytes line_bytes(struct line *line, const char *key)
{
    char variant[32];
    snprintf(variant, sizeof(variant), "%s_repeat", key);
    if (line_has(line, variant))
        return repeated(line, line_text(line, variant));
    snprintf(variant, sizeof(variant), "%s_ptn", key);
    if (!line_has(line, variant))
        return line_hex(line, line_text(line, key));
    size_t size = line_number(line, variant);
    if (size > SIZE_LIMIT)
        line->broken = true;
    struct bytes bytes = line_room(line, line->broken ? 0 : size);
    test_ptn(bytes.data, bytes.size);
    return bytes;
}
