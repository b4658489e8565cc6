/* origin.h: what a scenario was read from, kept so that a checkpoint can have it read again. */

#ifndef THRONG_ORIGIN_H
#define THRONG_ORIGIN_H

#include <throng/throng.h>

/* A file that the scenario refers to. */
typedef struct throng_origin_file {
    char *path;
    uint64_t hash; /* of what was in it */
} throng_origin_file;

typedef struct throng_origin {
    char *path; /* of a file, from the root on; of a built-in scenario its name; "" when there was only a text */
    char *text; /* before overrides */
    char **overrides;
    size_t override_count, override_capacity;
    throng_origin_file *files; /* in the order they were read */
    size_t file_count, file_capacity;
} throng_origin;

void throng_origin_set(throng_origin *origin, const char *path, const char *text);
void throng_origin_override(throng_origin *origin, const char *assignment);
void throng_origin_add_file(throng_origin *origin, const char *path, const void *bytes, size_t size);
void throng_origin_clear(throng_origin *origin);

const throng_origin *throng_scenario_origin(const throng_scenario *scenario);

#endif
