/* neighbour_lists_kernel.h: looking through the cells around walkers for those who may matter to them in a step, and
 * among those for those who can matter at the moment, four at a time.
 *
 * While nobody's velocity changes by more than its trust radius T, a pair's relative velocity w changes by no more than
 * d = T_i + T_j, and its offset q at the end of the step by no more than d dt. Hence the speeds along and across q, the
 * distance D at the end and c = D^2 - r^2 are bounded by
 *
 *     along <= v_p + S,   across >= |v_t| - S,   S = d + (|w| + d) d dt / (D - d dt),   D >= D - d dt
 *
 * and the pair has no time to collision that counts if it does not approach, passes by, or is too slow:
 *
 *     along <= 0   or   kappa sqrt(c) across >= (D + r/eps) along   or   (D + r/eps) along <= sigma_min c
 *
 * or if walls hide the two from each other (parameter `hidden`).
 * It has no repulsion if its least distance, which is at least (D_start + D_end - |w| dt) / 2, stays large enough. */

#include "base/wide.h"
#include "models/implicit/solver.h"
#include "space/near_kernel.h"

/* What a walker compares others with. */
typedef struct eye {
    wide x, y, vx, vy, radius, trust, contact;
    wide dt, neighbour2, inverse_eps, kappa2, slowest, gc, half_kr;
    bool everything, printed, packed;
} eye;

/* The others, by slot; copies, because a compiler has to assume that stores change what `s` points to. */
typedef struct crowd {
    const double *x, *y, *vx, *vy, *radius, *trust, *contact;
} crowd;

/* What is the same for everybody. */
static inline eye make_eye(const throng_implicit_solver *s) {
    const throng_implicit_law *law = &s->walkers->law;
    double eps2 = law->eps * law->eps;
    return (eye){.dt = wide_all(law->dt),
                 .neighbour2 = wide_all(s->walkers->neighbour_dist * s->walkers->neighbour_dist),
                 .inverse_eps = wide_all(1 / law->eps),
                 .kappa2 = wide_all((1 - eps2) / eps2),
                 .slowest = wide_all(0.1 / law->tau0),
                 .gc = wide_all(law->gc),
                 .half_kr = wide_all(0.5 * law->kr),
                 .everything = s->pass.everything,
                 .packed = s->walkers->packed > 0,
                 .printed = law->printed};
}

static inline void look_from(eye *e, const throng_implicit_solver *s, uint32_t slot) {
    const throng_near *near = s->walkers->near;
    e->x = wide_all(near->x[slot]);
    e->y = wide_all(near->y[slot]);
    e->vx = wide_all(s->motion.ref_x[slot]);
    e->vy = wide_all(s->motion.ref_y[slot]);
    e->radius = wide_all(near->radius[slot]);
    e->trust = wide_all(s->motion.trust[slot]);
    e->contact = wide_all(s->walkers->reach[slot]);
}

static inline wide magnitude(wide a) { return wide_max(a, wide_sub(wide_all(0), a)); }

/* Which of some of the four slots from `slot` on are close, and which of the others matter. */
static inline void judge(const eye *e, const crowd *all, uint32_t slot, wide_mask in, wide_mask *close,
                         wide_mask *far) {
    wide px = wide_sub(wide_load_where(all->x + slot, in), e->x),
         py = wide_sub(wide_load_where(all->y + slot, in), e->y);
    wide start2 = wide_add(wide_mul(px, px), wide_mul(py, py));
    wide wx = wide_sub(e->vx, wide_load_where(all->vx + slot, in));
    wide wy = wide_sub(e->vy, wide_load_where(all->vy + slot, in));
    wide r = wide_add(e->radius, wide_load_where(all->radius + slot, in));
    wide change = wide_add(e->trust, wide_load_where(all->trust + slot, in)), drift = wide_mul(change, e->dt);
    wide qx = wide_sub(px, wide_mul(e->dt, wx)), qy = wide_sub(py, wide_mul(e->dt, wy));
    wide end = wide_sqrt(wide_add(wide_mul(qx, qx), wide_mul(qy, qy)));

    wide_mask near = wide_less(start2, e->neighbour2);
    wide contact = wide_add(e->contact, wide_load_where(all->contact + slot, in));
    if (e->packed) near = wide_and(near, wide_less(wide_add(r, e->gc), contact)); /* the packed look no farther */
    *close = wide_and(in, e->printed ? near : wide_less(start2, wide_mul(contact, contact)));
    if (!e->printed && wide_bits(*close)) {
        wide half = wide_all(0.5), start = wide_sqrt(start2);
        wide speed = wide_sqrt(wide_add(wide_mul(wx, wx), wide_mul(wy, wy)));
        wide least = wide_mul(half, wide_sub(wide_add(start, end), wide_mul(speed, e->dt)));
        wide spare = wide_mul(e->half_kr, wide_max(wide_sub(start, r), wide_all(0)));
        least = wide_sub(least, wide_add(drift, spare));
        *close = wide_and(*close, wide_less(least, wide_add(r, e->gc)));
    }
    *far = wide_and_not(wide_and(in, near), *close);
    if (e->everything || !wide_bits(*far)) return;

    /* along, across and what follows from them are times `end` and `least_end` here, so that there is no quotient,
     * roots are compared by their squares, and for the speed its upper bound |x| + |y| does */
    wide least_end = wide_sub(end, drift), most_speed = wide_add(wide_add(magnitude(wx), magnitude(wy)), change);
    wide slack = wide_mul(end, wide_add(wide_mul(change, least_end), wide_mul(most_speed, drift)));
    wide along = wide_add(wide_mul(least_end, wide_add(wide_mul(qx, wx), wide_mul(qy, wy))), slack);
    wide cross = wide_sub(wide_mul(px, wy), wide_mul(py, wx));
    wide across = wide_sub(wide_mul(least_end, magnitude(cross)), slack);
    wide c = wide_sub(wide_mul(least_end, least_end), wide_mul(r, r));
    wide lever = wide_mul(wide_add(least_end, wide_mul(r, e->inverse_eps)), along);
    wide pass_by2 = wide_mul(wide_mul(e->kappa2, c), wide_mul(across, across));
    wide_mask passes = wide_and(wide_less(wide_all(0), across), wide_less_equal(wide_mul(lever, lever), pass_by2));
    wide_mask dead = wide_or(wide_less_equal(along, wide_all(0)), passes);
    dead = wide_or(dead, wide_less_equal(lever, wide_mul(wide_mul(e->slowest, c), wide_mul(end, least_end))));
    dead = wide_and(dead, wide_and(wide_less(wide_all(1e-4), c), wide_less(drift, end)));
    *far = wide_and_not(*far, dead);
}

/* The cells where somebody was who may matter: in sight, or able to come close. */
static inline near_cells cells_around(const throng_implicit_solver *s, uint32_t slot, double contact, double reach) {
    const throng_near *near = s->walkers->near;
    double x = s->walkers->then_x[slot], y = s->walkers->then_y[slot];
    if (s->walls->sees_all)
        return (near_cells){throng_near_column(near, x - reach), throng_near_column(near, x + reach),
                            throng_near_row(near, y - reach), throng_near_row(near, y + reach)};
    const throng_horizon *horizon = &s->walls->horizon[slot];
    return (near_cells){throng_near_column(near, x + fmin(-contact, fmax(-reach, (double)horizon->x_least))),
                        throng_near_column(near, x + fmax(contact, fmin(reach, (double)horizon->x_most))),
                        throng_near_row(near, y + fmin(-contact, fmax(-reach, (double)horizon->y_least))),
                        throng_near_row(near, y + fmax(contact, fmin(reach, (double)horizon->y_most)))};
}

/* throng_horizon_direction of four. */
static inline wide directions(wide x, wide y, wide distance) {
    const wide zero = wide_all(0.0);
    wide right = wide_select(wide_less(y, zero), wide_add(wide_mul(wide_all(4.0), distance), y), y);
    wide left = wide_sub(wide_mul(wide_all(2.0), distance), y);
    wide around = wide_select(wide_less(x, zero), left, right);
    return wide_mul(wide_all(THRONG_HORIZON_QUADRANT), wide_div(around, distance));
}

/* Which of some lanes of the quad from `first` on, at x and y from the walker, walls hide from it: one of the two
 * knows.
 */
static inline unsigned hidden_lanes(const throng_implicit_solver *s, uint32_t slot, uint32_t first, unsigned lanes,
                                    wide x, wide y) {
    const wide zero = wide_all(0.0);
    wide distance = wide_add(magnitude(x), magnitude(y));
    distance = wide_select(wide_less(zero, distance), distance, wide_all(1e-9));
    double there[4], back[4], far[4];
    wide_store(there, directions(x, y, distance));
    wide_store(back, directions(wide_sub(zero, x), wide_sub(zero, y), distance));
    wide_store(far, distance);
    unsigned hidden = 0;
    for (; lanes; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        uint32_t self = s->walkers->self[first + (uint32_t)k];
        bool covered = far[k] > (double)s->walls->horizon[slot].depth[(unsigned)there[k] % THRONG_HORIZON_SECTORS];
        if (!covered && s->walkers->own[self])
            covered = far[k] > (double)s->walls->horizon[self].depth[(unsigned)back[k] % THRONG_HORIZON_SECTORS];
        if (covered) hidden |= 1u << k;
    }
    return hidden;
}

/* The lanes that somebody else has, and not the walker or its own image. */
static inline unsigned leave_out_self(const throng_implicit_solver *s, uint32_t slot, uint32_t first, unsigned lanes) {
    if (slot - first < THRONG_WIDTH) lanes &= ~(1u << (slot - first));
    if (s->walkers->near->image_count == 0) return lanes;
    for (unsigned left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (s->walkers->self[first + lane] == slot) lanes &= ~(1u << lane);
    }
    return lanes;
}

/* What a walker looks for others with. */
typedef struct lookout {
    wide x, y, sight2, reach; /* where it was; how far it sees; what it adds to the reach of another */
    wide own;                 /* m: its radius, and how far two repel */
    bool whole, sees_far;     /* rows are; whoever can come close is in sight */
    bool packed;              /* some are, and are seen by those alone who may come close */
} lookout;

/* The quad from `first` on as it goes into the row, if some of its lanes belong there: they were near enough, and in
 * sight or able to come close. */
static inline uint32_t quad_for(const throng_implicit_solver *s, const lookout *from, uint32_t slot, uint32_t first,
                                unsigned lanes) {
    wide_mask in = wide_where(lanes);
    wide dx = wide_sub(wide_load_where(s->walkers->then_x + first, in), from->x);
    wide dy = wide_sub(wide_load_where(s->walkers->then_y + first, in), from->y);
    wide distance2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
    unsigned near_by = wide_bits(wide_less(distance2, from->sight2)) & lanes;
    bool anybody = from->whole || first + THRONG_WIDTH > slot;
    if (anybody && from->sees_far && !from->packed) {
        if (near_by) near_by = leave_out_self(s, slot, first, near_by);
        return near_by ? first >> 2 << 8 | near_by : 0;
    }
    wide reach = wide_add(wide_load_where(s->walkers->reach + first, in), from->reach);
    if (from->packed && near_by) {
        wide radii = wide_add(wide_load_where(s->walkers->near->radius + first, in), from->own);
        near_by &= wide_bits(wide_less(radii, reach));
    }
    unsigned touch = wide_bits(wide_less(distance2, wide_mul(reach, reach))) & lanes, hidden = 0;
    unsigned all = anybody ? near_by | touch : touch;
    if (all) all = leave_out_self(s, slot, first, all);
    if (!all) return 0;
    if (!s->walls->sees_all) hidden = hidden_lanes(s, slot, first, all, dx, dy);
    all &= ~(hidden & ~touch);
    return all ? first >> 2 << 8 | (hidden & all) << 4 | all : 0;
}

/* Finds the quads of a walker. Beyond the room there is they are only counted. */
static inline size_t find_row(const throng_implicit_solver *s, uint32_t slot, uint32_t *found) {
    const throng_near *near = s->walkers->near;
    double both = 2 * s->walkers->skin, contact = s->walkers->reach[slot] + s->walkers->reach_most + both,
           sight = s->walkers->neighbour_dist + both;
    near_cells cells = cells_around(s, slot, contact, fmax(sight, contact));
    const lookout from = {.x = wide_all(s->walkers->then_x[slot]),
                          .y = wide_all(s->walkers->then_y[slot]),
                          .sight2 = wide_all(sight * sight),
                          .reach = wide_all(s->walkers->reach[slot] + both),
                          .own = wide_all(near->radius[slot] + s->walkers->law.gc + both),
                          .packed = s->walkers->packed > 0,
                          .whole = s->rows.whole,
                          .sees_far = s->walls->sees_all && contact <= sight};
    if (!s->rows.whole) cells.row_low = throng_near_row(near, s->walkers->then_y[slot] - contact);
    size_t count = 0, room = s->row_room;
    uint32_t before = UINT32_MAX; /* the last quad there was */
    for (int32_t row = cells.row_low; row <= cells.row_high; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        uint32_t first = start[cells.column_low], last = start[cells.column_high + 1];
        for (uint32_t k = first & ~3u; k < last; k += THRONG_WIDTH) {
            unsigned lanes = THRONG_LANES;
            if (k < first) lanes &= THRONG_LANES << (first - k);
            if (last - k < THRONG_WIDTH) lanes &= (1u << (last - k)) - 1;
            uint32_t quad = quad_for(s, &from, slot, k, lanes);
            if (!quad) continue;
            /* the runs of two rows of cells may share a quad */
            if (k == before && count <= room) found[count - 1] |= quad;
            if (k == before) continue;
            if (count < room) found[count] = quad;
            count++;
            before = k;
        }
    }
    return count;
}

static void find_blocks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit_solver *s = context;
    uint32_t *found = s->scratch[worker].found;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k];
        throng_implicit_put_row(s, slot, found, find_row(s, slot, found));
    }
}

static void judge_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    const crowd all = {s->walkers->near->x,      s->walkers->near->y, s->motion.ref_x,  s->motion.ref_y,
                       s->walkers->near->radius, s->motion.trust,     s->walkers->reach};
    const throng_implicit_rows *rows = &s->rows;
    eye e = make_eye(s);
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k];
        bool whole = !s->pass.only_dirty || s->motion.dirty[slot] || !s->active.stirred;
        look_from(&e, s, slot);
        for (uint32_t q = rows->begin[slot]; q < rows->end[slot]; q++) {
            uint32_t quad = rows->quad[q];
            if (!whole && !(s->active.stirred[quad >> 8] & quad)) continue;
            wide_mask close, far;
            judge(&e, &all, quad >> 8 << 2, wide_where(quad & THRONG_LANES), &close, &far);
            unsigned hidden = quad >> 4 & THRONG_LANES;
            rows->matter[q] = (uint8_t)((wide_bits(far) & ~hidden) << 4 | wide_bits(close));
        }
    }
}
