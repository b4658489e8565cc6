/* loads.h: how hard people and walls were pressed (contact forces), over a whole run. */

#ifndef THRONG_LOADS_H
#define THRONG_LOADS_H

#include <throng/throng.h>

/* Bins of a histogram of positive numbers: 32 for each power of two from 2^-10 on, so that a bin is 3 % wide; what is
 * less or more is counted in the first or the last one. */
enum { THRONG_LOAD_BINS = 32 * 32 };

typedef struct throng_loads {
    throng_force_stats stats;            /* without the percentiles */
    uint64_t force[THRONG_LOAD_BINS];    /* people and steps, by N */
    uint64_t pressure[THRONG_LOAD_BINS]; /* likewise, by N/m */
    double *wall;                        /* [wall] N, of the last step */
    size_t wall_capacity;
} throng_loads;

#endif
