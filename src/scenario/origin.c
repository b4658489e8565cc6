/* origin.c: see origin.h. */

#define _XOPEN_SOURCE 700 /* realpath */

#include "scenario/origin.h"

#include <limits.h>
#include <stdlib.h>

#include "world/hash.h"
#include "world/memory.h"

/* A run may be resumed from another directory. */
void throng_origin_set(throng_origin *origin, const char *path, const char *text) {
    char full[PATH_MAX];
    origin->path = throng_copy_text(path && realpath(path, full) ? full : path);
    origin->text = throng_copy_text(text);
}

void throng_origin_override(throng_origin *origin, const char *assignment) {
    THRONG_GROW(origin->overrides, origin->override_capacity, origin->override_count + 1);
    origin->overrides[origin->override_count++] = throng_copy_text(assignment);
}

void throng_origin_add_file(throng_origin *origin, const char *path, const void *bytes, size_t size) {
    THRONG_GROW(origin->files, origin->file_capacity, origin->file_count + 1);
    origin->files[origin->file_count++] =
        (throng_origin_file){throng_copy_text(path), throng_hash_word(throng_hash_bytes(0, bytes, size), size)};
}

void throng_origin_clear(throng_origin *origin) {
    for (size_t i = 0; i < origin->override_count; i++) throng_release(origin->overrides[i]);
    for (size_t i = 0; i < origin->file_count; i++) throng_release(origin->files[i].path);
    throng_release(origin->overrides);
    throng_release(origin->files);
    throng_release(origin->path);
    throng_release(origin->text);
    *origin = (throng_origin){0};
}
