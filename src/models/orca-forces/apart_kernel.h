/* apart_kernel.h: what those too near ask of somebody, four at a time. Built twice, by kernel.c and kernel_avx2.c. */

#include <math.h>

#include "models/orca-forces/forces.h"

static const double closer = 0.1; /* m: so much nearer may two get by being moved away from others */

/* Those within core (r + r') + `closer`, in the order of the list, filled up to a multiple of four with somebody who
 * asks for nothing. */
static void find_close(throng_forces *s, uint32_t me) {
    const throng_forces_spot spot = s->spots[me];
    const uint32_t start = s->lists->start[me], length = s->lists->length[me], *list = s->lists->slot + start;
    const wide x = wide_all(spot.x), y = wide_all(spot.y), radius = wide_all(spot.radius), give = wide_all(spot.give),
               core = wide_all(s->law[me]->params->core);
    uint32_t *close = s->close + start, count = 0;
    double *apart_of = s->close_apart + start, *part_of = s->close_part + start;
    for (uint32_t i = 0; i < length; i += 4) {
        const double *rows[4];
        for (uint32_t lane = 0; lane < 4; lane++) rows[lane] = &s->spots[list[i + lane < length ? i + lane : i]].x;
        wide o[4];
        wide_load_columns(rows, o);
        wide dx = wide_sub(x, o[0]), dy = wide_sub(y, o[1]), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide apart = wide_mul(core, wide_add(radius, o[2])), reach = wide_add(apart, wide_all(closer));
        unsigned bits = wide_bits(wide_and(wide_less(d2, wide_mul(reach, reach)), wide_first((int64_t)length - i)));
        if (!bits) continue;
        /* the lighter one by more; who does not yield has no give */
        wide_squeeze(apart_of + count, bits, apart);
        wide_squeeze(part_of + count, bits, wide_div(give, wide_add(give, o[3])));
        for (; bits; bits &= bits - 1) close[count++] = list[i + (uint32_t)__builtin_ctz(bits)];
    }
    s->close_count[me] = count;
    for (; count % 4; count++) close[count] = me, apart_of[count] = part_of[count] = 0;
}

static void look_for_close(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_forces_job *job = context;
    for (size_t k = begin; k < end; k++) find_close(job->s, job->step->mine[k]);
}

/* Adds up the corrections (m) that the close ones ask for; tells how many do. `together` is one of them that is at
 * the very same place, and asks for nothing here; UINT32_MAX: none is. */
static inline uint32_t gather_wanted(const throng_forces *s, uint32_t me, double sum[2], uint32_t *together) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    const wide x = wide_all(s->was[me].x), y = wide_all(s->was[me].y);
    const uint32_t start = s->lists->start[me], *close = s->close + start;
    const double *apart_of = s->close_apart + start, *part_of = s->close_part + start;
    wide sum_x = zero, sum_y = zero;
    uint32_t count = 0;
    *together = UINT32_MAX;
    for (uint32_t i = 0; i < s->close_count[me]; i += 4) {
        const double *pairs[4];
        for (uint32_t lane = 0; lane < 4; lane++) pairs[lane] = &s->was[close[i + lane]].x;
        wide o[2];
        wide_load_pairs(pairs, o);
        wide dx = wide_sub(x, o[0]), dy = wide_sub(y, o[1]), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide apart = wide_load(apart_of + i);
        wide_mask near = wide_less(d2, wide_mul(apart, apart));
        if (!wide_bits(near)) continue;
        unsigned same = wide_bits(wide_and(near, wide_less(d2, wide_all(1e-18))));
        if (same) {
            *together = close[i + (uint32_t)__builtin_ctz(same)];
            near = wide_and_not(near, wide_where(same));
        }
        wide d = wide_sqrt(wide_select(near, d2, one));
        wide scale = wide_div(wide_mul(wide_sub(apart, d), wide_load(part_of + i)), d);
        sum_x = wide_add(sum_x, wide_keep(near, wide_mul(scale, dx)));
        sum_y = wide_add(sum_y, wide_keep(near, wide_mul(scale, dy)));
        count += (uint32_t)__builtin_popcount(wide_bits(near));
    }
    wide_sum_lanes(sum_x, sum_y, sum);
    return count;
}

/* Who touches several makes less of each correction, or the sweeps would swing: in a triangular lattice of contacts
 * they do from 4 / 6 on, in a chain from 4 / 2 halves of a gap. */
static inline double damping(uint32_t count) {
    double least = 3.6 / (double)count;
    return count < 2 ? 1 : least < 0.9 ? least : 0.9;
}

/* Where somebody is moved to in a sweep. */
static inline throng_point make_room(const throng_forces_job *job, uint32_t me) {
    const throng_forces *s = job->s;
    double sum[2];
    uint32_t together, count = gather_wanted(s, me, sum, &together);
    if (together != UINT32_MAX) {
        throng_point way = throng_forces_parting(job, me, together);
        sum[0] += s->law[me]->params->core * s->near.radius[me] * way.x;
        sum[1] += s->law[me]->params->core * s->near.radius[me] * way.y;
        count++;
    }
    double scale = damping(count);
    throng_point to = {s->was[me].x + scale * sum[0], s->was[me].y + scale * sum[1]};
    return s->wall_count[me] ? throng_forces_out_of_walls(job, me, to) : to;
}

/* Whether the sweep before moved somebody or one of those close to it; else this one does not move it either. */
static inline bool is_stirred(const throng_forces_job *job, uint32_t me) {
    const throng_forces *s = job->s;
    const uint32_t *close = s->close + s->lists->start[me];
    if (s->was_moved[me] || job->images) return true;
    unsigned stirred = 0;
    for (uint32_t i = 0; i < s->close_count[me]; i += 4) {
        stirred |= s->was_moved[close[i]] | s->was_moved[close[i + 1]];
        stirred |= s->was_moved[close[i + 2]] | s->was_moved[close[i + 3]];
    }
    return stirred;
}

/* One sweep; tells whether anybody was moved. Who stays has its place in both `was` and `to`. */
static void sweep(void *context, size_t begin, size_t end, int worker) {
    const throng_forces_job *job = context;
    throng_forces *s = job->s;
    bool any = false;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = s->tight[k];
        throng_point was = s->was[me], to = was;
        bool may_move = s->law[me]->params->push_out > (double)job->sweep;
        if (may_move && (job->sweep == 0 || is_stirred(job, me))) to = make_room(job, me);
        s->is_moved[me] = to.x != was.x || to.y != was.y;
        any = any || s->is_moved[me];
        s->to[me] = to;
    }
    s->moved[worker] |= any;
}
