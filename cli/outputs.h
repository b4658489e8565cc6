/* outputs.h: the recordings of a run, as many as the user asked for. */

#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include <throng/throng.h>

#include "text.h"

typedef struct output_file {
    const char *path;
    throng_recorder *recorder;
    bool failed;     /* could not be written to its end */
    bool walls_lost; /* the format has no place for them, or for their changes */
    bool objects_lost;
} output_file;

typedef struct output_set {
    output_file *items;
    size_t count;
    uint64_t frames; /* handed over to each */
    double fps;
} output_set;

/* Complains when two of the paths, or one and a file that is read, are the same file. The stats and the
 * checkpoint may be NULL; a checkpoint may replace the one that is read. */
bool outputs_check_paths(const text_list *paths, const char *stats_path, const char *checkpoint_path,
                         const char *scenario_path, const char *resume_path);
/* What is recorded from a checkpoint on must not replace what was recorded before: recordings that are there
 * and `figures` (may be NULL) get another name, which is told. False: that did not work, and was complained about. */
bool outputs_keep_earlier(const text_list *paths, const char *figures, bool told);

/* The quantities of --record NAME[,NAME]...; some words stand for several. */
text_list outputs_quantities(const text_list *record);
/* Opens them all, with these quantities besides motion, or complains and leaves none behind. */
bool outputs_open(output_set *outputs, const text_list *paths, const throng_world *world, double fps,
                  const char *description, int sqlite_version, const text_list *quantities);
/* Records the world as it is. False when a recording cannot be written any more: it was complained about. */
bool outputs_frame(output_set *outputs, const throng_world *world);
double outputs_wait_ms(const output_set *outputs);
/* Writes what is left and closes; the files say so when the run was interrupted. False when a recording is not whole:
 * it was complained about. */
bool outputs_close(output_set *outputs, bool interrupted);
void outputs_free(output_set *outputs);

/* Says which files there are now. */
void outputs_print(const output_set *outputs);

#endif
