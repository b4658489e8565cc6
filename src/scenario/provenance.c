/* provenance.c: see provenance.h. */

#define _XOPEN_SOURCE 700 /* realpath */

#include "scenario/provenance.h"

#include <limits.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

/* A run may be resumed from another directory. */
void throng_provenance_set(throng_provenance *origin, const char *path, const char *text) {
    char full[PATH_MAX];
    origin->path = throng_copy_text(path && realpath(path, full) ? full : path);
    origin->text = throng_copy_text(text);
}

void throng_provenance_override(throng_provenance *origin, const char *assignment) {
    THRONG_GROW(origin->overrides, origin->override_capacity, origin->override_count + 1);
    origin->overrides[origin->override_count++] = throng_copy_text(assignment);
}

void throng_provenance_add_file(throng_provenance *origin, const char *path, const void *bytes, size_t size) {
    THRONG_GROW(origin->files, origin->file_capacity, origin->file_count + 1);
    origin->files[origin->file_count++] =
        (throng_provenance_file){throng_copy_text(path), throng_hash_word(throng_hash_bytes(0, bytes, size), size)};
}

void throng_provenance_clear(throng_provenance *origin) {
    for (size_t i = 0; i < origin->override_count; i++) throng_release(origin->overrides[i]);
    for (size_t i = 0; i < origin->file_count; i++) throng_release(origin->files[i].path);
    throng_release(origin->overrides);
    throng_release(origin->files);
    throng_release(origin->path);
    throng_release(origin->text);
    *origin = (throng_provenance){0};
}
