/* distribution.h: a number that differs from person to person: fixed, or drawn. */

#ifndef THRONG_DISTRIBUTION_H
#define THRONG_DISTRIBUTION_H

#include "scenario/read.h"

typedef enum throng_distribution_kind {
    THRONG_FIXED,     /* a */
    THRONG_UNIFORM,   /* from a to b */
    THRONG_NORMAL,    /* mean a, standard deviation b */
    THRONG_LOGNORMAL, /* of the logarithm: mean a, standard deviation b */
    THRONG_GAMMA,     /* shape a, scale b */
    THRONG_WEIBULL,   /* scale a, shape b */
    THRONG_CHOICE     /* one of values, by weight */
} throng_distribution_kind;

typedef struct throng_distribution {
    throng_distribution_kind kind;
    double a, b;
    double low, high;     /* "min" and "max": what falls outside is drawn again, up to 100 times, then
                             taken to the nearer of the two */
    throng_point *choice; /* x the value, y the weight added up to here */
    size_t choice_count;
} throng_distribution;

/* A source of uniform numbers for one use: a hash of seed, person, use and a running number. */
typedef struct throng_draws {
    uint64_t seed, who, what;
    uint64_t purpose; /* one of THRONG_RANDOM_ */
    uint32_t next;
} throng_draws;

double throng_draw_uniform(throng_draws *draws); /* in [0, 1) */

/* Reads a number or {"normal": [..], "min": ..., "max": ...}; what can be known to leave the range
 * is refused. The caller clears it, also when this returns false. */
bool throng_read_distribution(throng_reader *reader, throng_json_ref node, throng_range range,
                              throng_distribution *out);
throng_distribution throng_copy_distribution(const throng_distribution *distribution);
void throng_clear_distribution(throng_distribution *distribution);

double throng_draw(const throng_distribution *distribution, throng_draws *draws);

static inline throng_distribution throng_always(double number) {
    return (throng_distribution){.kind = THRONG_FIXED, .a = number};
}

#endif
