/* paths.c: see paths.h. */

#define _XOPEN_SOURCE 700 /* realpath */

#include "paths.h"

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
