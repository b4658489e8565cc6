/* stats.h: the figures of a run: times of the steps while it goes on, one JSON object at its end. */

#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stdio.h>

#include "loaded.h"

/* The times of the steps. A very long run keeps every 2nd, 4th, ... of them. */
typedef struct step_times {
    float *ms;
    size_t count, capacity;
    uint64_t stride, seen;
    double sum_ms;
} step_times;

void step_times_add(step_times *times, double ms);
/* The time that `part` of them do not exceed; NaN when there are none. */
double step_times_quantile(const step_times *times, double part);
void step_times_free(step_times *times);

typedef enum run_end { RUN_ARRIVED, RUN_DURATION, RUN_INTERRUPTED, RUN_FAILED } run_end;

/* What only the running program knows. */
/* A quantity over the people of all recorded frames; of a vector its length. */
typedef struct quantity_figure {
    const char *name;
    char unit[24];
    double sum, least, most;
    uint64_t count;
} quantity_figure;

typedef struct run_figures {
    quantity_figure *quantities;
    size_t quantity_count;
    step_times times;
    double wall_s;
    double record_ms;      /* spent handing frames over, all in all */
    double record_wait_ms; /* of which waiting for the disk */
    bool checked;          /* overlap was measured */
    uint64_t checkpoint_count;
    double checkpoint_ms; /* spent on writing them, all in all */
    run_end end;
} run_figures;

/* Writes the object and a newline. */
void stats_write(FILE *file, const loaded_scenario *loaded, const run_figures *figures);

/* The time of the last arrival when everybody has arrived, else not finite. */
/* Those of these names from now on; names must stay. Then adds the world as it is. */
void quantity_figures_begin(run_figures *figures, const text_list *names);
void quantity_figures_add(run_figures *figures, const throng_world *world);

/* A time of the world's clock, steps times dt, without what rounding left behind the nanosecond. */
double tidy_s(double time);
double evacuation_s(const throng_stats *stats);

#endif
