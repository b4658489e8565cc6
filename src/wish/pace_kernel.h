/* pace_kernel.h: the way that those ahead leave to somebody, four at a time; built plain in pace.c and wide in
 * pace_avx2.c. */

#ifndef THRONG_PACE_KERNEL_H
#define THRONG_PACE_KERNEL_H

#include <math.h>

#include "base/wide.h"
#include "wish/pace.h"

/* Four slots: which are in the strip ahead, and where they are from here. */
typedef struct four_seen {
    wide x, y, ahead, radii; /* m */
    unsigned bits;
} four_seen;

static inline wide dot(wide ax, wide ay, wide bx, wide by) { return wide_add(wide_mul(ax, bx), wide_mul(ay, by)); }

static inline four_seen see_four(const throng_near *near, const throng_outlook *me, uint32_t k, uint32_t end,
                                 double far) { /* m, between bodies */
    wide_mask in = wide_first((int64_t)end - (int64_t)k);
    four_seen f = {wide_sub(wide_load_where(near->x + k, in), wide_all(me->at.x)),
                   wide_sub(wide_load_where(near->y + k, in), wide_all(me->at.y)), .bits = 0};
    wide e_x = wide_all(me->e_x), e_y = wide_all(me->e_y);
    f.ahead = dot(f.x, f.y, e_x, e_y);
    f.radii = wide_add(wide_all(me->radius), wide_load_where(near->radius + k, in));
    wide width = wide_mul(wide_all(me->params->body_width), f.radii);
    wide aside = wide_sub(wide_mul(f.x, e_y), wide_mul(f.y, e_x));
    wide_mask narrow = wide_and(wide_less(aside, width), wide_less(wide_sub(wide_all(0), width), aside));
    wide reach = wide_add(wide_mul(wide_all(me->params->body_length), f.radii), wide_all(far));
    wide_mask within = wide_less(dot(f.x, f.y, f.x, f.y), wide_mul(reach, reach));
    wide_mask on = wide_and(wide_less(wide_all(0), f.ahead), within);
    f.bits = wide_bits(wide_and(wide_and(in, on), narrow));
    return f;
}

/* The wishes of those of four who are people, and which are. */
static inline unsigned find_wishes(const throng_wishing *w, const four_seen *f, uint32_t k, wide *wish_x,
                                   wide *wish_y) {
    uint32_t rows[4] = {0, 0, 0, 0};
    unsigned people = 0;
    for (unsigned n = 0; n < 4; n++) {
        if (!(f->bits >> n & 1) || w->near->row[k + n] >= w->people.count) continue;
        rows[n] = w->near->row[k + n];
        people |= 1u << n;
    }
    *wish_x = wide_gather(w->wish_x, rows);
    *wish_y = wide_gather(w->wish_y, rows);
    return people;
}

/* What is left of the way with these four. */
static inline double way_past(const throng_wishing *w, const throng_outlook *me, const four_seen *f, uint32_t k,
                              double least) {
    wide one = wide_all(1), zero = wide_all(0), e_x = wide_all(me->e_x), e_y = wide_all(me->e_y), j_x, j_y;
    wide_mask in = wide_where(find_wishes(w, f, k, &j_x, &j_y));
    wide square = dot(j_x, j_y, j_x, j_y), scale = wide_div(one, wide_sqrt(square));
    j_x = wide_mul(j_x, scale);
    j_y = wide_mul(j_y, scale);
    wide c = wide_mul(wide_all(0.5), wide_add(one, dot(e_x, e_y, j_x, j_y)));
    if (me->aside)
        c = one;
    else
        in = wide_and(in, wide_less(zero, wide_add(f->ahead, dot(f->x, f->y, j_x, j_y))));
    wide body = wide_mul(wide_all(me->params->body_length), f->radii), s = wide_sqrt(dot(f->x, f->y, f->x, f->y));
    wide gap = wide_max(wide_sub(s, body), zero);
    double follow = me->params->follow;
    wide way = wide_mul(wide_all(1 - follow), gap);
    if (follow > 0) {
        wide v_x = wide_load_where(w->near->vx + k, in), v_y = wide_load_where(w->near->vy + k, in);
        wide u = wide_div(dot(v_x, v_y, e_x, e_y), wide_all(me->speed));
        way = wide_add(way, wide_mul(wide_all(follow * me->free), wide_min(wide_max(u, zero), one)));
    }
    way = wide_div(way, wide_max(c, wide_all(1e-9)));
    unsigned nearer = wide_bits(wide_and(in, wide_less(way, wide_all(least))));
    double ways[4], x[4], y[4];
    if (!nearer) return least;
    wide_store(ways, way), wide_store(x, f->x), wide_store(y, f->y);
    for (unsigned n = 0; n < 4; n++) {
        if (!(nearer >> n & 1) || !(ways[n] < least)) continue;
        if (throng_wish_sees(w, (throng_seen){me->at, x[n], y[n], 0, 0})) least = ways[n];
    }
    return least;
}

/* Looks at the cells that the strip ahead touches: the least way left, or the free way. */
static double look_ahead(const throng_wishing *w, const throng_outlook *me) {
    const throng_near *near = w->near;
    double radii = me->radius + near->radius_max, width = me->params->body_width * radii, least = me->free;
    double share = 1 / (1 - me->params->follow), far = me->params->body_length * radii + share * me->free;
    double to_x = far * me->e_x, to_y = far * me->e_y, aside_x = width * fabs(me->e_y), aside_y = width * fabs(me->e_x);
    int32_t left = throng_near_column(near, me->at.x + (to_x < 0 ? to_x : 0) - aside_x);
    int32_t right = throng_near_column(near, me->at.x + (to_x > 0 ? to_x : 0) + aside_x);
    int32_t top = throng_near_row(near, me->at.y + (to_y > 0 ? to_y : 0) + aside_y);
    for (int32_t r = throng_near_row(near, me->at.y + (to_y < 0 ? to_y : 0) - aside_y); r <= top; r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t k = start[left], end = start[right + 1]; k < end; k += 4) {
            four_seen f = see_four(near, me, k, end, share * least);
            if (f.bits) least = way_past(w, me, &f, k, least);
        }
    }
    return least;
}

#endif
