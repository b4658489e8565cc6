/* provenance.h: what a scenario was read from, kept so that a checkpoint can have it read again. */

#ifndef THRONG_PROVENANCE_H
#define THRONG_PROVENANCE_H

#include <throng/throng.h>

/* A file that the scenario refers to. */
typedef struct throng_provenance_file {
    char *path;
    uint64_t hash; /* of what was in it */
} throng_provenance_file;

typedef struct throng_provenance {
    char *path; /* of a file, from the root on; of a built-in scenario its name; "" when there was only a text */
    char *text; /* before overrides */
    char **overrides;
    size_t override_count, override_capacity;
    throng_provenance_file *files; /* in the order they were read */
    size_t file_count, file_capacity;
} throng_provenance;

void throng_provenance_override(throng_provenance *origin, const char *assignment);
void throng_provenance_add_file(throng_provenance *origin, const char *path, const void *bytes, size_t size);
void throng_provenance_clear(throng_provenance *origin);

const throng_provenance *throng_scenario_provenance(const throng_scenario *scenario);

#endif
