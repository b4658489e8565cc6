/* verify_run.h: makes the runs of cases. */

#ifndef CLI_VERIFY_RUN_H
#define CLI_VERIFY_RUN_H

#include "verify.h"

/* What is run: a case's run with a model (VERIFY_REAL: the recording of it) and a seed. */
typedef struct verify_task {
    const verify_case *of;
    size_t run;
    const char *model;
    uint64_t seed;
    const char *data;     /* where recordings are; NULL: not known */
    const text_list *set; /* changed besides; NULL: nothing */
} verify_task;

/* Makes a run and hands it to `use` while its world is there. False when it could not be made, with the reason in
 * `fault`, to be freed; or when the user interrupts or there is no such recording, and then `fault` is NULL. */
bool verify_make_run(const verify_task *task, char **fault, void (*use)(void *context, const verify_run *run),
                     void *context);

/* For tests: positions, frame by frame, as a run; [frame * people + person]. The people are 1, 2, ... */
void verify_run_of_tracks(verify_run *out, const throng_world *world, double fps, size_t frames, size_t people,
                          const double *x, const double *y);
void verify_run_free(verify_run *run);

/* verify_changes.c: the scenario of a run; NULL when an error was added to the report. */
throng_scenario *verify_scenario(const verify_task *task, throng_report *report);
/* Opens the recording of a task; NULL: there is none, or it cannot be read, and then `error` has a text. */
throng_recording *verify_recording(const verify_task *task, throng_error *error);
/* A scenario's text with every pair of numbers, which are points, turned about the origin; to be freed. */
char *verify_turned(const char *text, double degrees);

#endif
