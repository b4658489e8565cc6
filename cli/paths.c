/* paths.c: see paths.h. */

#define _XOPEN_SOURCE 700 /* realpath */

#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

char *full_path(const char *path) {
    char *whole = realpath(path, NULL);
    if (whole) return whole;
    const char *slash = strrchr(path, '/');
    char *directory = slash ? text_format("%.*s", (int)(slash - path) + 1, path) : text_format(".");
    char *real = realpath(directory, NULL);
    whole = real ? text_format("%s/%s", real, slash ? slash + 1 : path) : text_format("%s", path);
    free(directory);
    free(real);
    return whole;
}

bool same_file(const char *a, const char *b) {
    char *p = full_path(a), *q = full_path(b);
    bool same = !strcmp(p, q);
    free(p);
    free(q);
    return same;
}

char *file_bytes(const char *path, size_t most, size_t *length) {
    enum { PIECE = 65536 };
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t got = 1;
    *length = 0;
    for (; file && got > 0 && *length <= most; *length += got) {
        bytes = resize(bytes, *length + PIECE + 1);
        got = fread(bytes + *length, 1, PIECE, file);
    }
    bool good = file && !ferror(file) && *length <= most;
    if (file) fclose(file);
    if (good) return bytes[*length] = 0, bytes;
    free(bytes);
    return NULL;
}
