/* compare.h: what `throng compare` finds out, shared by the files that find it and those that write it. */

#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "statistics.h"
#include "study.h"

/* A figure of a variant over the seeds, and against the first variant. */
typedef struct compared_figure {
    sample_mean sample;
    double p, corrected; /* of Welch's test, and by Holm for all that are shown; NaN: not tested */
} compared_figure;

enum { COMPARE_TIMES = 200, COMPARE_MOMENTS = 5 };

typedef struct picture_bytes {
    char *bytes;
    size_t length;
} picture_bytes;

/* A model, or a value, with all seeds. */
typedef struct variant {
    char *name;
    size_t failed;
    char *error; /* of the first seed that failed */
    size_t error_seed;
    double *values;           /* [figure * seed_count + seed] */
    double *ends;             /* [seed] s of simulated time; NaN: it failed */
    compared_figure *figures; /* [figure] */
    double arrived[COMPARE_TIMES], arrived_low[COMPARE_TIMES], arrived_high[COMPARE_TIMES]; /* by comparison.times */
    trial_bin bins[TRIAL_BINS];                                                             /* of all seeds */
    picture_bytes pictures[COMPARE_MOMENTS];
} variant;

typedef struct comparison {
    const study *study;
    size_t seed_count, variant_count;
    variant *variants;
    trial *runs; /* [run] until figures are found */
    double times[COMPARE_TIMES], moments[COMPARE_MOMENTS];
    size_t test_count; /* differences that were tested */
} comparison;

/* A figure that tables for people show. */
typedef struct shown_figure {
    const char *name, *label;
    int digits;
} shown_figure;

/* The figures to show in order, those that nobody has left out; [count] indices into study.names, with labels. */
typedef struct shown_list {
    struct shown_row {
        size_t figure;
        char label[120];
        int digits;
    } * rows;
    size_t count;
} shown_list;

static const double compare_level = 0.05; /* of significance */
bool compare_differs(const compared_figure *figure);

/* compare_find.c */
void compare_find(comparison *c); /* from runs and values */
shown_list compare_shown(const comparison *c);

/* compare_strip.c: pictures of all variants at the moments, with the first seed. */
workers_end compare_draw(comparison *c);

/* compare_write.c, compare_report.c. False after a complaint. */
void compare_print(const comparison *c);
bool compare_write_json(const comparison *c, const char *path);
bool compare_write_csv(const comparison *c, const char *path);
bool compare_write_report(const comparison *c, const char *path);

#endif
