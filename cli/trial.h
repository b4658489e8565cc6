/* trial.h: a run of a scenario that is measured instead of recorded, as `throng sweep` and `throng compare` make many
 * of: its figures are numbers with names. */

#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include <throng/throng.h>

#include "text.h"

typedef struct trial_def {
    throng_scenario_def scenario;
    int threads; /* 0: one per core; changes no figure but times */
    bool few;    /* without figures of positions, which take longer than many a run */
} trial_def;

typedef struct trial_figure {
    char *name;       /* "egress_last", "line.door.flow" */
    const char *unit; /* "" is fine */
    bool is_time;     /* of the machine: differs from run to run */
    double value;     /* NaN: not known, or there is no such thing */
} trial_figure;

/* Speeds of people by how dense it is around them: the fundamental diagram. */
enum { TRIAL_BINS = 24 };
static const double trial_bin_width = 0.25; /* people per m2; the last bin has all above */

typedef struct trial_bin {
    double people, speed; /* how many were seen, the sum of their speeds (m/s) */
} trial_bin;

typedef struct trial {
    char *error; /* NULL: it ran */
    char *model; /* the scenario's */
    uint64_t seed, digest;
    trial_figure *figures;
    size_t figure_count;
    double *arrivals; /* [arrival_count] s, in order */
    size_t arrival_count;
    double people; /* who were there in all */
    trial_bin bins[TRIAL_BINS];
} trial;

/* Runs the scenario. Never prints; what is wrong is in `error`. */
void trial_run(const trial_def *def, trial *out);
/* The same without a step: all figures by name, their values not known. */
void trial_prepare(const trial_def *def, trial *out);
void trial_free(trial *done);
/* The value of a figure; NaN when there is none of the name. */
double trial_value(const trial *done, const char *name);

/* The parts of a trial that differ from run to run, as bytes for another process, which knows the names of its
 * figures: `values` are as many as there are names. */
char *trial_pack(const trial *done, const trial_figure *names, size_t count, size_t *length);
/* False when the bytes are not such ones. Fills in all but names; `values` has room for `count`. */
bool trial_unpack(trial *out, double *values, size_t count, const char *bytes, size_t length);

/* trial_tracks.c: where everybody was, while it runs, and what follows from it. */
typedef struct trial_tracks {
    throng_tracks *motion; /* ten frames a second */
    throng_tracks *cells;  /* every tenth of these */
    size_t every;          /* steps from frame to frame */
    size_t frames, rows;
    bool left_out;  /* not wanted, or more than is measured */
    double *radius; /* m [known] by id */
    size_t known;
} trial_tracks;

void trial_tracks_begin(trial_tracks *t, const throng_scenario *scenario, const throng_world *world);
void trial_tracks_step(trial_tracks *t, const throng_world *world);
/* Adds the figures of lines and areas, of a world that has not been run their names alone; those of everybody. */
throng_summary trial_tracks_finish(trial_tracks *t, const throng_world *world, trial *out);
void trial_tracks_free(trial_tracks *t);

/* For who fills a trial in. */
void trial_add(trial *out, const char *unit, double value, const char *name, ...) __attribute__((format(printf, 4, 5)));

#endif
