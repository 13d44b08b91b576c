/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Runs a fuzz target without a fuzzer, on each line of a file: an input in hex. */
#include "fuzz.h"

int main(int argc, char **argv)
{
    static char line[1 << 16];
    static uint8_t data[sizeof(line) / 2];
    size_t count = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL)
        return 2;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (line[0] == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        size_t size = test_unhex(line, data);
        LLVMFuzzerTestOneInput(test_at_edge(data, size), size);
        count++;
    }
    fclose(file);
    printf("%zu inputs\n", count);
    return count == 0;
}
