/* cohesion_kernel.h: people of a group even out their velocities (XSPH). Built twice.
 *
 *     v_i += theta sum_j w_ij (v_j - v_i) / (1 + sum_j w_ij),   w_ij = (1 - d^2 / reach^2)^3     stabilised
 *     v_i += 315 c / (64 pi reach^3) sum_j w_ij (v_j - v_i)     everybody, in every sub-step     printed
 *
 * Eight people who are neighbours in the grid look together at everybody in the cells around them, one by one, as
 * those are nearly the same for all. The velocities before are read, what to add is written. */

#include <math.h>

#include "models/pbd/pbd.h"

/* Eight people, and what they have gathered. */
typedef struct flock {
    wide8_whole x, y, group;
    wide8 vx, vy;
    wide8 scale;        /* quanta as parts of the reach */
    wide8_mask anybody; /* of whatever group */
    wide8 sum_x, sum_y, weight;
} flock;

static inline float cohesion_reach_of(const throng_pbd *s, uint32_t i) {
    const throng_pbd_law *law = &s->laws[s->law[i]];
    return law->cohesion_reach * (law->metric > 0 ? s->radius[i] : 1);
}

static inline void gather_from(const throng_pbd *s, uint32_t first, uint32_t end, bool one_group, flock *f) {
    const wide8 one = wide8_all(1.0F), zero = wide8_all(0.0F);
    flock g = *f;
    for (uint32_t k = first; k < end; k++) {
        wide8 px = wide8_mul(wide8_of_whole(wide8_whole_sub(g.x, wide8_whole_all(s->at_x[k]))), g.scale);
        wide8 py = wide8_mul(wide8_of_whole(wide8_whole_sub(g.y, wide8_whole_all(s->at_y[k]))), g.scale);
        wide8 left = wide8_sub(one, wide8_add(wide8_mul(px, px), wide8_mul(py, py)));
        left = wide8_max(left, zero);
        wide8_mask same = wide8_whole_equal(g.group, wide8_whole_all((int32_t)s->group[k]));
        if (!one_group) left = wide8_keep(wide8_or(same, g.anybody), left);
        wide8 w = wide8_mul(left, wide8_mul(left, left));
        g.weight = wide8_add(g.weight, w);
        g.sum_x = wide8_add(g.sum_x, wide8_mul(w, wide8_sub(wide8_all(s->new_vx[k]), g.vx)));
        g.sum_y = wide8_add(g.sum_y, wide8_mul(w, wide8_sub(wide8_all(s->new_vy[k]), g.vy)));
    }
    *f = g;
}

/* The people `low` .. `high` - 1 of an octet, who are in one row of cells and near each other, look around. */
static inline void look_together(const throng_pbd *s, uint32_t low, uint32_t high, flock *f) {
    const throng_near *near = s->near;
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    for (uint32_t i = low; i < high; i++) {
        double look = (double)(cohesion_reach_of(s, i) + s->drift);
        double x = throng_pbd_x(s, i), y = throng_pbd_y(s, i);
        left = x - look < left ? x - look : left;
        right = x + look > right ? x + look : right;
        bottom = y - look < bottom ? y - look : bottom;
        top = y + look > top ? y + look : top;
    }
    int32_t first = throng_near_column(near, left), last = throng_near_column(near, right) + 1;
    int32_t row_last = throng_near_row(near, top);
    for (int32_t row = throng_near_row(near, bottom); row <= row_last; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        uint32_t begin = start[first], end = start[last];
        throng_pbd_trim(near, left, right, &begin, &end);
        if (s->one_group) {
            gather_from(s, begin, end, true, f);
        } else {
            gather_from(s, begin, end, false, f);
        }
    }
}

static inline flock flock_at(const throng_pbd *s, uint32_t first) {
    float scale[8];
    unsigned anybody = 0;
    for (uint32_t lane = 0; lane < 8; lane++) {
        anybody |= (unsigned)(s->laws[s->law[first + lane]].cohesion == THRONG_PBD_PRINTED) << lane;
        float reach = cohesion_reach_of(s, first + lane);
        scale[lane] = reach > 0 ? (float)s->quantum / reach : 1;
    }
    const wide8 zero = wide8_all(0.0F);
    return (flock){wide8_whole_load(s->at_x + first),
                   wide8_whole_load(s->at_y + first),
                   wide8_whole_load(s->group + first),
                   wide8_load(s->new_vx + first),
                   wide8_load(s->new_vy + first),
                   wide8_load(scale),
                   wide8_of_bits(anybody),
                   zero,
                   zero,
                   zero};
}

/* What the lanes `low` .. `high` - 1 have gathered becomes what is added to their velocities. */
static inline void store_lanes(throng_pbd *s, uint32_t first, uint32_t low, uint32_t high, const flock *f) {
    float x[8], y[8], weight[8];
    wide8_store(x, f->sum_x);
    wide8_store(y, f->sum_y);
    wide8_store(weight, f->weight);
    for (uint32_t lane = low; lane < high; lane++) {
        const throng_pbd_law *law = &s->laws[s->law[first + lane]];
        /* the person itself has weight 1, as the formula wants it */
        float factor = law->cohesion == THRONG_PBD_PRINTED                 ? law->cohesion_weight
                       : law->cohesion == THRONG_PBD_STABILISED && s->last ? law->cohesion_rate / weight[lane]
                                                                           : 0;
        bool own = s->own[first / 8] >> lane & 1;
        s->shift_x[first + lane] = own ? factor * x[lane] : 0;
        s->shift_y[first + lane] = own ? factor * y[lane] : 0;
    }
}

static void cohere_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    for (size_t group = begin; group < end; group++) {
        uint32_t first = (uint32_t)group * 8, count = (uint32_t)(s->count - first < 8 ? s->count - first : 8);
        const double *x = s->near->x + first, *y = s->near->y + first, near = 64 * s->near->cell;
        for (uint32_t low = 0, high = 1; low < count; low = high++) {
            int32_t row = throng_near_row(s->near, y[low]);
            while (high < count && x[high] - x[low] < near && throng_near_row(s->near, y[high]) == row) high++;
            flock f = flock_at(s, first);
            look_together(s, first + low, first + high, &f);
            store_lanes(s, first, low, high, &f);
        }
    }
}
