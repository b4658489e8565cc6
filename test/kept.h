/* kept.h: values that tests compare with files, and how the files are written anew: `make keep-digests`, or the test
 * program with the argument `keep`. */

#ifndef THRONG_KEPT_H
#define THRONG_KEPT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

static inline bool is_keeping(int count, char **words) { return count == 2 && strcmp(words[1], "keep") == 0; }

/* The whole of a file, ended by a 0; the caller frees it. NULL: there is none. */
static inline char *read_whole(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    size_t got = fread(text, 1, (size_t)size, file);
    fclose(file);
    text[got] = 0;
    return text;
}

#endif
