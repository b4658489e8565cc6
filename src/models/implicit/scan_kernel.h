/* scan_kernel.h: looking through the cells around walkers for pairs that can matter, four at a time. Built twice, by
 * scan.c and scan_avx2.c.
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

#include "models/implicit/implicit.h"
#include "space/near_kernel.h"
#include "space/wide.h"

/* What a walker compares others with. */
typedef struct eye {
    wide x, y, vx, vy, radius, trust, reach2;
    wide dt, neighbour2, inverse_eps, kappa, slowest, gc, half_kr;
    bool everything, printed;
} eye;

/* The others, by slot; copies, because a compiler has to assume that stores change what `s` points to. */
typedef struct crowd {
    const double *x, *y, *vx, *vy, *radius, *trust;
} crowd;

static inline eye look_from(const throng_implicit *s, uint32_t slot, double reach) {
    const throng_near *near = s->near;
    const throng_implicit_law *law = &s->law;
    double eps = law->eps;
    return (eye){.x = wide_all(near->x[slot]),
                 .y = wide_all(near->y[slot]),
                 .vx = wide_all(s->vx[slot]),
                 .vy = wide_all(s->vy[slot]),
                 .radius = wide_all(near->radius[slot]),
                 .trust = wide_all(s->trust[slot]),
                 .reach2 = wide_all(reach * reach),
                 .dt = wide_all(law->dt),
                 .neighbour2 = wide_all(s->neighbour_dist * s->neighbour_dist),
                 .inverse_eps = wide_all(1 / eps),
                 .kappa = wide_all(sqrt(1 - eps * eps) / eps),
                 .slowest = wide_all(0.1 / law->tau0),
                 .gc = wide_all(law->gc),
                 .half_kr = wide_all(0.5 * law->kr),
                 .everything = s->pass_factor != 0,
                 .printed = law->printed};
}

/* Which of the next four slots are close, and which of the others matter. */
static inline void judge(const eye *e, const crowd *all, uint32_t slot, int64_t left, wide_mask *close,
                         wide_mask *far) {
    wide_mask in = wide_first(left);
    wide px = wide_sub(wide_load_where(all->x + slot, in), e->x),
         py = wide_sub(wide_load_where(all->y + slot, in), e->y);
    wide start2 = wide_add(wide_mul(px, px), wide_mul(py, py));
    in = wide_and(in, wide_less(start2, e->reach2));
    *close = *far = in;
    if (!wide_bits(in)) return;
    wide wx = wide_sub(e->vx, wide_load_where(all->vx + slot, in));
    wide wy = wide_sub(e->vy, wide_load_where(all->vy + slot, in));
    wide r = wide_add(e->radius, wide_load_where(all->radius + slot, in));
    wide change = wide_add(e->trust, wide_load_where(all->trust + slot, in)), drift = wide_mul(change, e->dt);
    wide qx = wide_sub(px, wide_mul(e->dt, wx)), qy = wide_sub(py, wide_mul(e->dt, wy));
    wide start = wide_sqrt(start2), end = wide_sqrt(wide_add(wide_mul(qx, qx), wide_mul(qy, qy)));
    wide speed = wide_sqrt(wide_add(wide_mul(wx, wx), wide_mul(wy, wy)));

    wide_mask near = wide_less(start2, e->neighbour2);
    if (e->printed) {
        *close = wide_and(in, near);
    } else {
        wide half = wide_all(0.5);
        wide least = wide_mul(half, wide_sub(wide_add(start, end), wide_mul(speed, e->dt)));
        wide spare = wide_mul(e->half_kr, wide_max(wide_sub(start, r), wide_all(0)));
        least = wide_sub(least, wide_add(drift, spare));
        *close = wide_and(in, wide_less(least, wide_add(r, e->gc)));
    }
    *far = wide_and_not(wide_and(in, near), *close);
    if (e->everything || !wide_bits(*far)) return;

    wide inverse = wide_div(wide_all(1), end), least_end = wide_sub(end, drift);
    wide slack = wide_add(change, wide_div(wide_mul(wide_add(speed, change), drift), least_end));
    wide along = wide_add(wide_mul(wide_add(wide_mul(qx, wx), wide_mul(qy, wy)), inverse), slack);
    wide cross = wide_sub(wide_mul(px, wy), wide_mul(py, wx));
    wide across = wide_sub(wide_mul(wide_max(cross, wide_sub(wide_all(0), cross)), inverse), slack);
    wide c = wide_sub(wide_mul(least_end, least_end), wide_mul(r, r));
    wide lever = wide_mul(wide_add(least_end, wide_mul(r, e->inverse_eps)), along);
    wide pass_by = wide_mul(e->kappa, wide_mul(wide_sqrt(wide_max(c, wide_all(0))), across));
    wide_mask dead = wide_or(wide_less_equal(along, wide_all(0)), wide_less_equal(lever, pass_by));
    dead = wide_or(dead, wide_less_equal(lever, wide_mul(e->slowest, c)));
    dead = wide_and(dead, wide_and(wide_less(wide_all(1e-4), c), wide_less(drift, end)));
    *far = wide_and_not(*far, dead);
}

/* How far away somebody may be who can come close, m. */
static inline double strike_reach(const throng_implicit *s, uint32_t slot) {
    double dt = s->law.dt, strike = (s->near->radius[slot] + s->near->radius_max) + 1.1 * s->law.gc;
    double speed = fmin(s->cap[slot], sqrt(s->vx[slot] * s->vx[slot] + s->vy[slot] * s->vy[slot]) + s->trust[slot]);
    return strike + (speed + s->speed_most) * dt;
}

/* The cells where somebody may be who matters: in sight, or able to come close. */
static inline near_cells cells_around(const throng_implicit *s, uint32_t slot, double strike, double reach) {
    const throng_near *near = s->near;
    double x = near->x[slot], y = near->y[slot];
    if (s->sees_all) return near_cells_around(near, x, y, reach);
    const throng_sight *sight = &s->sight[slot];
    return (near_cells){throng_near_column(near, x + fmin(-strike, fmax(-reach, (double)sight->x_least))),
                        throng_near_column(near, x + fmax(strike, fmin(reach, (double)sight->x_most))),
                        throng_near_row(near, y + fmin(-strike, fmax(-reach, (double)sight->y_least))),
                        throng_near_row(near, y + fmax(strike, fmin(reach, (double)sight->y_most)))};
}

/* Whether the pair is listed here: with foreign walkers always, else from its lower slot. */
static inline bool is_mine(const throng_implicit *s, uint32_t slot, uint32_t other) {
    uint32_t self = s->self[other];
    return s->own[self] ? self > slot : true;
}

/* What the scan of a block has found so far. */
typedef struct finds {
    uint32_t *close, *far;
    uint32_t close_count, far_count, capacity; /* beyond the capacity they are only counted */
} finds;

/* Whether walls hide the other from the walker. */
static inline bool is_hidden(const throng_implicit *s, uint32_t slot, uint32_t other) {
    const throng_near *near = s->near;
    return throng_sight_is_hidden(&s->sight[slot], near->x[other] - near->x[slot], near->y[other] - near->y[slot]);
}

/* Notes those of four that count; with `seen` only those in sight. */
static inline uint32_t note(const throng_implicit *s, uint32_t slot, uint32_t first, unsigned bits, bool seen,
                            uint32_t *found, uint32_t count, uint32_t capacity) {
    for (; bits; bits &= bits - 1) {
        uint32_t other = first + (uint32_t)__builtin_ctz(bits);
        if (seen && is_hidden(s, slot, other)) continue;
        if (!s->half_scan && !is_mine(s, slot, other)) continue;
        if (count < capacity) found[count] = other;
        count++;
    }
    return count;
}

static inline void scan_walker(const throng_implicit *s, uint32_t slot, finds *f) {
    const throng_near *near = s->near;
    double strike = strike_reach(s, slot), reach = fmax(s->neighbour_dist, strike);
    const eye e = look_from(s, slot, reach);
    const crowd all = {near->x, near->y, s->vx, s->vy, near->radius, s->trust};
    near_cells cells = cells_around(s, slot, strike, reach);
    if (s->half_scan) cells.row_low = throng_near_row(near, near->y[slot]);
    for (int32_t row = cells.row_low; row <= cells.row_high; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        uint32_t first = start[cells.column_low], last = start[cells.column_high + 1];
        if (s->half_scan && first <= slot) first = slot + 1;
        for (uint32_t k = first; k < last; k += THRONG_WIDTH) {
            wide_mask close, far;
            judge(&e, &all, k, (int64_t)last - k, &close, &far);
            f->close_count = note(s, slot, k, wide_bits(close), false, f->close, f->close_count, f->capacity);
            f->far_count = note(s, slot, k, wide_bits(far), !s->sees_all, f->far, f->far_count, f->capacity);
        }
    }
}

/* Writes what a row has found where it belongs. */
static inline void write_row(const throng_implicit *s, uint32_t slot, uint32_t begin, uint32_t end,
                             const uint32_t *found, bool close) {
    const throng_implicit_lists *l = s->lists;
    for (uint32_t p = begin; p < end; p++) {
        uint32_t other = found[p - begin];
        l->i[p] = slot;
        l->j[p] = s->self[other];
        l->seen[p] = other;
        l->close[p] = close;
    }
}

/* The pairs of some blocks. Where there is not enough room, block_end alone tells how much is needed. */
static void scan_blocks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit *s = context;
    throng_implicit_lists *l = s->lists;
    uint32_t *found = s->scratch[worker].found;
    for (size_t b = begin; b < end; b++) {
        finds f = {found, found + s->found_capacity, 0, 0, (uint32_t)s->found_capacity};
        size_t first = b * THRONG_IMPLICIT_BLOCK, last = throng_implicit_block_end(s, b);
        for (size_t k = first; k < last; k++) {
            uint32_t slot = s->who[k], closes = f.close_count, fars = f.far_count;
            scan_walker(s, slot, &f);
            l->close_end[slot] = f.close_count - closes;
            l->far_end[slot] = f.far_count - fars;
        }
        uint32_t needed = throng_implicit_lists_place(l, b);
        if (needed > l->block_room[b] || f.close_count > f.capacity || f.far_count > f.capacity) continue;
        const uint32_t *close = f.close, *far = f.far;
        for (size_t k = first; k < last; k++) {
            uint32_t slot = s->who[k];
            write_row(s, slot, l->close_begin[slot], l->close_end[slot], close, true);
            write_row(s, slot, l->far_begin[slot], l->far_end[slot], far, false);
            close += l->close_end[slot] - l->close_begin[slot];
            far += l->far_end[slot] - l->far_begin[slot];
        }
    }
}
