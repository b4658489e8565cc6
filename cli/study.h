/* study.h: a scenario run many times by worker processes: what `throng sweep` and `throng compare` share. */

#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "design.h"
#include "options.h"
#include "trial.h"
#include "workers.h"

typedef struct study_options {
    text_list set;
    const char *models, *seeds, *table;
    optional_whole latin, latin_seed, jobs, threads;
    optional_number timeout;
    bool few, quiet;
} study_options;

/* Rows of the option table; `at` is the offset of the study_options in the verb's struct. */
/* clang-format off */
#define STUDY_OPTION_ROWS(at) \
    {"set", 0, OPTION_LIST, "KEY=VALUES", "values of the scenario, by their path: a list, 50,100,200;\na range with its step, 100..1000:100; or both.\nMay be repeated: every value with every other", (at) + offsetof(study_options, set), 0, 0, false}, \
    {"models", 0, OPTION_TEXT, "NAME,NAME", "with each of these models ('throng models' lists them)", (at) + offsetof(study_options, models), 0, 0, false}, \
    {"seeds", 0, OPTION_TEXT, "N", "each with the seeds 1 to N; or these: 3,7 or 5..9", (at) + offsetof(study_options, seeds), 0, 0, false}, \
    {"jobs", 'j', OPTION_WHOLE, "N", "runs at a time (default: one per core)", (at) + offsetof(study_options, jobs), 1, 1024, false}, \
    {"threads", 0, OPTION_WHOLE, "N", "threads of each run (default: 1); changes no result", (at) + offsetof(study_options, threads), 1, 1024, false}, \
    {"timeout", 0, OPTION_NUMBER, "S", "give up a run after S seconds of the clock", (at) + offsetof(study_options, timeout), 0, 0, true}, \
    {"few-figures", 0, OPTION_FLAG, "", "quicker: only figures that need no positions (egress, overlaps,\nforces)", (at) + offsetof(study_options, few), 0, 0, false}, \
    {"quiet", 'q', OPTION_FLAG, "", "no progress, no summary", (at) + offsetof(study_options, quiet), 0, 0, false}
/* clang-format on */

typedef struct study {
    const study_options *options;
    const char *path; /* the scenario's: a file or the name of a built-in one */
    char *text;       /* of the file, read once; NULL: it is a built-in one */
    uint64_t hash;    /* of it and of the files it refers to */
    char *model;      /* the scenario's own */
    design design;
    trial_figure *names; /* of all figures, times last; values not known */
    size_t name_count;
} study;

/* Reads the scenario, finds out which runs and figures there are, and tries the values. False after a complaint; to be
 * freed in any case. */
bool study_create(study *out, const char *path, const study_options *options);
void study_free(study *s);
/* What the scenario is for a run: def.overrides are those of `overrides`. */
trial_def study_trial(const study *s, const text_list *overrides);

/* A result, with the values of study.names; `done->error` of one that failed. */
typedef void (*study_result)(void *context, size_t run, const trial *done, const double *values);
/* Runs those of `runs`, with progress on a terminal: `before` of `all` are there already. `tick` (may be NULL) is
 * called several times a second. */
typedef struct study_work {
    const uint64_t *runs;
    size_t run_count, before, all;
    study_result result;
    bool (*tick)(void *context);
    void *context;
    size_t failed; /* out: how many did */
} study_work;
workers_end study_run(const study *s, study_work *work);

#endif
