/* design.h: which runs a sweep consists of (the design of the experiment): values of the scenario, models and seeds,
 * every one with every other, in a fixed order. */

#ifndef CLI_DESIGN_H
#define CLI_DESIGN_H

#include "text.h"

/* A value of the scenario and what it takes on. */
typedef struct design_axis {
    char *key; /* "agents[0].count" */
    text_list values;
    bool tied;        /* values go by the point of the sample (Latin hypercube, table), not each with every other */
    double low, high; /* of a Latin hypercube */
    bool drawn, whole;
} design_axis;

typedef struct design {
    design_axis *axes;
    size_t axis_count;
    text_list models; /* empty: the scenario's own */
    text_list seeds;  /* empty: the scenario's own */
    size_t points;    /* of the sample; 1 when there is none */
    size_t run_count;
} design;

typedef struct design_options {
    text_list set;                      /* KEY=VALUES */
    const char *models, *seeds, *table; /* NULL: not given */
    uint64_t latin, latin_seed;         /* points; 0: none */
} design_options;

/* False after a complaint; to be freed in any case. */
bool design_create(design *out, const design_options *options);
void design_free(design *d);

/* What a run sets: one index into each list. Order: models, values as given, points, seeds, the last one fastest. */
typedef struct design_run {
    const char *model, *seed; /* NULL: the scenario's own */
    const char **values;      /* [axis_count] */
} design_run;

/* The run of a number below run_count; values to be freed. */
design_run design_run_at(const design *d, size_t index);
/* The same as overrides of the scenario. */
text_list design_overrides(const design *d, size_t index);
/* All that decides which runs there are, as text: equal texts, equal runs. To be freed. */
char *design_text(const design *d);

/* design_values.c: the values of "1,2,5", "100..1000:100", "0.5..2" (only with `latin`). False after a complaint. */
bool design_read_axis(design_axis *axis, const char *text, bool latin);
/* Draws the values of the axes that are to be: one in each of `points` parts of its range, in an order of its own. */
void design_draw(design *d, uint64_t seed);
/* Splits at commas outside brackets and quotes; parts without spaces around them. */
text_list design_split(const char *text, size_t length);
/* Reads a table: CSV whose first line names the keys. False after a complaint. */
bool design_read_table(design *d, const char *path);

#endif
