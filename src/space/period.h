/* period.h: axes that wrap (periodic boundaries). Positions are kept in [low, high); whoever is beyond the seam is seen
 * as an image, moved by the length of the period. */

#ifndef THRONG_PERIOD_H
#define THRONG_PERIOD_H

#include <math.h>
#include <throng/model.h>

#include "space/box.h"

static inline bool throng_period_is_on(const throng_period *period) { return period->x || period->y; }

static inline double throng_wrap(double x, double low, double high) {
    if (x >= low && x < high) return x;
    x -= (high - low) * floor((x - low) / (high - low));
    return x >= low && x < high ? x : low; /* rounding */
}

static inline throng_point throng_period_wrap(const throng_period *period, throng_point p) {
    if (period->x) p.x = throng_wrap(p.x, period->low.x, period->high.x);
    if (period->y) p.y = throng_wrap(p.y, period->low.y, period->high.y);
    return p;
}

/* A difference of two positions by the shorter way around. */
static inline throng_point throng_period_apart(const throng_period *period, double dx, double dy) {
    double across = period->high.x - period->low.x, up = period->high.y - period->low.y;
    if (period->x) dx -= across * floor(dx / across + 0.5);
    if (period->y) dy -= up * floor(dy / up + 0.5);
    return (throng_point){dx, dy};
}

/* Whether the period makes sense; says what not. */
bool throng_period_check(const throng_period *period, throng_error *error);

/* The image of a point that is nearest to a box: the point itself when none is nearer. */
throng_point throng_period_nearest(const throng_period *period, throng_point p, throng_box box);

/* The images of an obstacle that reaches beyond the period, as far as they reach into it: up to 8 of
 * them, without an id, whose points the caller releases. Returns how many. */
size_t throng_period_images(const throng_period *period, const throng_obstacle *obstacle, throng_obstacle *out);

/* The walls of a place that goes on beyond the seams: those of the place and its images on all sides.
 * Walls along a seam with walkable ground on both sides are none. Without a period the place's own. */
throng_walls *throng_period_walls(const throng_period *period, const throng_place *place);

#endif
