/* cohesion_kernel.h: people of a group even out their velocities (XSPH). Built twice.
 *
 *     v_i += theta sum_j w_ij (v_j - v_i) / (1 + sum_j w_ij),   w_ij = (1 - d^2 / reach^2)^3     stabilised
 *     v_i += 0.991 sum_j w_ij (v_j - v_i)                                                        printed
 *
 * Everybody in the cells around is looked at, run by run; the velocities before are read, those after written. */

#include "models/pbd/pbd.h"

typedef struct flock {
    wide8 sum_x, sum_y, weight;
} flock;

static inline float sum_of_lanes(wide8 a) {
    float lane[8];
    wide8_store(lane, a);
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

static inline void add_run(const throng_pbd *s, uint32_t i, uint32_t first, uint32_t end, float reach, flock *f) {
    const wide8 quantum = wide8_all((float)s->quantum / reach), one = wide8_all(1.0F);
    const wide8_whole x = wide8_whole_all(s->at_x[i]), y = wide8_whole_all(s->at_y[i]);
    const wide8_whole group = wide8_whole_all((int32_t)s->group[i]);
    const wide8 vx = wide8_all(s->new_vx[i]), vy = wide8_all(s->new_vy[i]);
    for (uint32_t k = first; k < end; k += 8) {
        wide8 px = wide8_mul(wide8_of_whole(wide8_whole_sub(x, wide8_whole_load(s->at_x + k))), quantum);
        wide8 py = wide8_mul(wide8_of_whole(wide8_whole_sub(y, wide8_whole_load(s->at_y + k))), quantum);
        wide8 left = wide8_sub(one, wide8_add(wide8_mul(px, px), wide8_mul(py, py)));
        wide8_mask with = wide8_and(wide8_first((int32_t)(end - k)), wide8_less(wide8_all(0.0F), left));
        with = wide8_and(with, wide8_whole_equal(group, wide8_whole_load(s->group + k)));
        wide8 w = wide8_keep(with, wide8_mul(left, wide8_mul(left, left)));
        f->weight = wide8_add(f->weight, w);
        f->sum_x = wide8_add(f->sum_x, wide8_mul(w, wide8_sub(wide8_load(s->new_vx + k), vx)));
        f->sum_y = wide8_add(f->sum_y, wide8_mul(w, wide8_sub(wide8_load(s->new_vy + k), vy)));
    }
}

static inline void cohere(const throng_pbd *s, uint32_t i) {
    const throng_near *near = s->near;
    const throng_pbd_law *law = &s->laws[s->law[i]];
    float reach = law->cohesion_reach * (law->metric ? s->radius[i] : 1);
    double look = (double)(reach + s->drift), x = s->x[i], y = s->y[i];
    flock f = {wide8_all(0.0F), wide8_all(0.0F), wide8_all(0.0F)};
    int32_t left = throng_near_column(near, x - look), right = throng_near_column(near, x + look) + 1;
    int32_t top = throng_near_row(near, y + look);
    for (int32_t row = throng_near_row(near, y - look); row <= top; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        add_run(s, i, start[left], start[right], reach, &f);
    }
    /* the person itself has weight 1, as the formula wants it */
    float factor =
        law->cohesion == THRONG_PBD_PRINTED ? THRONG_PBD_PRINTED_WEIGHT : law->cohesion_rate / sum_of_lanes(f.weight);
    s->shift_x[i] = factor * sum_of_lanes(f.sum_x);
    s->shift_y[i] = factor * sum_of_lanes(f.sum_y);
}

static void cohere_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    for (size_t group = begin; group < end; group++) {
        for (uint32_t lane = 0; lane < 8; lane++) {
            uint32_t i = (uint32_t)group * 8 + lane;
            s->shift_x[i] = s->shift_y[i] = 0;
            bool wants = s->own[group] >> lane & 1 && s->laws[s->law[i]].cohesion != THRONG_PBD_NO_COHESION;
            if (wants) cohere(s, i);
        }
    }
}
