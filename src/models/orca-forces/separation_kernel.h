/* separation_kernel.h: what those too near ask of people, four at a time. Built twice, by kernel.c and kernel_avx2.c.
 */

#include <math.h>

#include "base/wide_records.h"
#include "models/orca-forces/forces.h"

static const double closer = 0.1; /* m: so much nearer may two get by being moved away from others */

/* Those within core (r + r') + `closer`, in the order of the list, written from a place on. Returns how many. */
static inline uint32_t find_close(throng_forces *s, uint32_t me, size_t place) {
    const throng_forces_spot spot = s->spots[me];
    const uint32_t length = s->lists->length[me], *list = s->lists->slot + s->lists->start[me];
    const wide x = wide_all(spot.x), y = wide_all(spot.y), radius = wide_all(spot.radius), give = wide_all(spot.give),
               core = wide_all(s->law[me]->params->core);
    uint32_t *close = s->close + place, count = 0;
    double *apart_of = s->close_apart + place, *part_of = s->close_part + place;
    for (uint32_t i = 0; i < length; i += 4) {
        const double *rows[4];
        for (uint32_t lane = 0; lane < 4; lane++) rows[lane] = &s->spots[list[i + lane]].x;
        wide o[4];
        wide_load_columns(rows, o);
        wide dx = wide_sub(x, o[0]), dy = wide_sub(y, o[1]), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide apart = wide_mul(core, wide_add(radius, o[2])), reach = wide_add(apart, wide_all(closer));
        unsigned bits = wide_bits(wide_and(wide_less(d2, wide_mul(reach, reach)), wide_first((int64_t)length - i)));
        if (!bits) continue;
        /* the lighter one by more; who does not yield has no give */
        wide_squeeze(apart_of + count, bits, apart);
        wide_squeeze(part_of + count, bits, wide_div(give, wide_add(give, o[3])));
        count += wide_choose(close + count, bits, list + i);
    }
    return count;
}

static void look_for_close(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces *s = ((const throng_forces_job *)context)->s;
    size_t place = begin * s->list_room; /* there is room for all; few are close */
    for (size_t k = begin; k < end; k++) {
        uint32_t me = s->ordered[k];
        s->close_start[me] = (uint32_t)place;
        s->close_count[me] = find_close(s, me, place);
        place += s->close_count[me];
    }
}

/* Lays the lists of each four side by side, filled up with itself, which asks for nothing. */
static void pair_up(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces *s = ((const throng_forces_job *)context)->s;
    for (size_t four = begin; four < end; four++) {
        const uint32_t *people = s->tight + 4 * four;
        size_t first = s->wanted_start[four], rows = s->wanted_start[four + 1] - first;
        throng_forces_wanted *wanted = rows ? s->wanted + first : NULL;
        for (int lane = 0; lane < 4; lane++) {
            uint32_t me = people[lane], start = s->close_start[me], count = s->close_count[me];
            for (size_t k = 0; k < rows; k++) {
                bool there = k < count;
                wanted[k].slot[lane] = there ? s->close[start + k] : me;
                wanted[k].apart[lane] = there ? s->close_apart[start + k] : 0;
                wanted[k].part[lane] = there ? s->close_part[start + k] : 0;
            }
        }
    }
}

/* Four people and the corrections (m) that those close to them ask for. */
typedef struct four_moved {
    wide x, y, sum_x, sum_y;
    wide count;           /* so many ask */
    uint32_t together[4]; /* one who is at the very same place; UINT32_MAX: none is */
} four_moved;

static inline void load_points(const throng_point *points, const uint32_t slot[4], wide column[2]) {
    const double *const pairs[4] = {&points[slot[0]].x, &points[slot[1]].x, &points[slot[2]].x, &points[slot[3]].x};
    wide_load_pairs(pairs, column);
}

/* Who is at the very same place as who asks is moved otherwise. */
static inline wide_mask leave_out_together(four_moved *m, const uint32_t slot[4], wide_mask near, unsigned same) {
    for (int lane = 0; lane < 4; lane++) m->together[lane] = same >> lane & 1 ? slot[lane] : m->together[lane];
    return wide_and_not(near, wide_where(same));
}

static inline four_moved gather_wanted(const throng_forces *s, size_t four) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    wide at[2], o[2];
    load_points(s->was, s->tight + 4 * four, at);
    four_moved m = {at[0], at[1], zero, zero, zero, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (size_t k = s->wanted_start[four]; k < s->wanted_start[four + 1]; k++) {
        const throng_forces_wanted *wanted = &s->wanted[k];
        load_points(s->was, wanted->slot, o);
        wide dx = wide_sub(m.x, o[0]), dy = wide_sub(m.y, o[1]), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide apart = wide_load(wanted->apart);
        wide_mask near = wide_less(d2, wide_mul(apart, apart));
        unsigned same = wide_bits(wide_and(near, wide_less(d2, wide_all(1e-18))));
        if (same) near = leave_out_together(&m, wanted->slot, near, same);
        wide d = wide_sqrt(wide_select(near, d2, one));
        wide scale = wide_keep(near, wide_div(wide_mul(wide_sub(apart, d), wide_load(wanted->part)), d));
        m.sum_x = wide_add(m.sum_x, wide_mul(scale, dx));
        m.sum_y = wide_add(m.sum_y, wide_mul(scale, dy));
        m.count = wide_add(m.count, wide_keep(near, one));
    }
    return m;
}

static inline void part_from_together(const throng_forces_job *job, const uint32_t *people, four_moved *m) {
    const throng_forces *s = job->s;
    double sum_x[4], sum_y[4], count[4];
    wide_store(sum_x, m->sum_x);
    wide_store(sum_y, m->sum_y);
    wide_store(count, m->count);
    for (int lane = 0; lane < 4; lane++) {
        uint32_t me = people[lane];
        if (m->together[lane] == UINT32_MAX) continue;
        throng_point way = throng_forces_parting(job, me, m->together[lane]);
        sum_x[lane] += s->law[me]->params->core * s->near.radius[me] * way.x;
        sum_y[lane] += s->law[me]->params->core * s->near.radius[me] * way.y;
        count[lane]++;
    }
    m->sum_x = wide_load(sum_x);
    m->sum_y = wide_load(sum_y);
    m->count = wide_load(count);
}

/* Who touches several makes less of each correction, or the sweeps would swing: in a triangular lattice of contacts
 * they do from 4 / 6 on, in a chain from 4 / 2 halves of a gap. */
static inline wide damping(wide count) {
    const wide one = wide_all(1.0);
    wide least = wide_div(wide_all(3.6), wide_max(count, one));
    return wide_select(wide_less(one, count), wide_min(least, wide_all(0.9)), one);
}

/* Whether the sweep before moved one of four or of those close to them; else this one does not move them either. */
static inline bool are_stirred(const throng_forces *s, size_t four) {
    const bool *moved = s->was_moved;
    const uint32_t *people = s->tight + 4 * four;
    if (moved[people[0]] | moved[people[1]] | moved[people[2]] | moved[people[3]]) return true;
    for (size_t k = s->wanted_start[four]; k < s->wanted_start[four + 1]; k++) {
        const uint32_t *slot = s->wanted[k].slot;
        if (moved[slot[0]] | moved[slot[1]] | moved[slot[2]] | moved[slot[3]]) return true;
    }
    return false;
}

/* Where one of four goes who is at walls, or may have been moved often enough. */
static inline throng_point end_move(const throng_forces_job *job, uint32_t me, throng_point was, throng_point to) {
    const throng_forces *s = job->s;
    if (!(s->law[me]->params->push_out > (double)job->sweep)) return was;
    double way_x = to.x - s->near.x[me], way_y = to.y - s->near.y[me];
    bool free = !s->wall_count[me] || way_x * way_x + way_y * way_y < s->wall_free2[me];
    return free ? to : throng_forces_out_of_walls(job, me, to);
}

static inline wide_mask differ(wide a, wide b) { return wide_or(wide_less(a, b), wide_less(b, a)); }

/* Moves four people; tells whether it did. Who stays has its place in both `was` and `to`. */
static inline bool move_four(const throng_forces_job *job, size_t four) {
    throng_forces *s = job->s;
    const uint32_t *people = s->tight + 4 * four;
    four_moved m = gather_wanted(s, four);
    if ((m.together[0] & m.together[1] & m.together[2] & m.together[3]) != UINT32_MAX)
        part_from_together(job, people, &m);
    wide scale = damping(m.count);
    wide x = wide_add(m.x, wide_mul(scale, m.sum_x)), y = wide_add(m.y, wide_mul(scale, m.sum_y));
    double *const places[4] = {&s->to[people[0]].x, &s->to[people[1]].x, &s->to[people[2]].x, &s->to[people[3]].x};
    wide_store_pairs(places, x, y);
    unsigned moved = wide_bits(wide_or(differ(x, m.x), differ(y, m.y)));
    if (4 * four + 4 > s->tight_free || job->sweep >= s->sweeps_least) {
        moved = 0;
        for (int lane = 0; lane < 4; lane++) {
            uint32_t me = people[lane];
            throng_point was = s->was[me], to = end_move(job, me, was, s->to[me]);
            s->to[me] = to;
            moved |= (unsigned)(to.x != was.x || to.y != was.y) << lane;
        }
    }
    for (int lane = 0; lane < 4; lane++) s->is_moved[people[lane]] = moved >> lane & 1;
    return moved != 0;
}

static void sweep(void *context, size_t begin, size_t end, int worker) {
    const throng_forces_job *job = context;
    throng_forces *s = job->s;
    bool any = false;
    for (size_t four = begin; four < end; four++) {
        if (job->sweep == 0 || job->images || are_stirred(s, four)) {
            any |= move_four(job, four);
            continue;
        }
        for (int lane = 0; lane < 4; lane++) {
            uint32_t me = s->tight[4 * four + lane];
            s->to[me] = s->was[me];
            s->is_moved[me] = false;
        }
    }
    s->moved[worker] |= any;
}
