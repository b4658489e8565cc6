/* checkpoints.h: the checkpoint of a run: when it is written, and what is said of it. */

#ifndef CLI_CHECKPOINTS_H
#define CLI_CHECKPOINTS_H

#include "loaded.h"

typedef struct checkpoint_file {
    const char *path; /* NULL: none is wanted */
    uint64_t every;   /* steps */
    uint64_t written; /* how many times */
    uint64_t step;    /* of the one that is there now */
    double time;      /* s of the world's clock, of the same */
    double spent_ms;  /* all in all */
    bool failed;      /* the last attempt */
    bool elsewhere;   /* another rank writes it */
} checkpoint_file;

/* Writes the first one, so that there always is one. Complains and returns false when that does not work. */
bool checkpoints_begin(checkpoint_file *file, const char *path, double every_s, const loaded_scenario *loaded);
/* Writes one when it is time to. When that fails, the run goes on and the user is told. */
void checkpoints_update(checkpoint_file *file, const loaded_scenario *loaded);
/* Writes the last one; false, after a complaint, when that does not work. */
bool checkpoints_finish(checkpoint_file *file, const loaded_scenario *loaded);

/* Says what there is now. */
void checkpoints_print(const checkpoint_file *file);

#endif
