/* lines_kernel.h: the half-planes that other people leave (velocity obstacles).
 *
 * For somebody at P with relative velocity V and sum of radii R, the velocities that lead to a
 * collision within the horizon form a cone cut off by a disc:
 *
 *       \      /        P / horizon is the disc's centre, R / horizon its radius;
 *        \____/         u leads from V to the nearest point of the border; each takes its
 *         \  /          share of u: a half, or all of it towards one who will not yield
 *          \/ 0
 *
 * Those who touch already look at the disc alone, with dt as the horizon. */

#include <math.h>

#include "models/orca/orca.h"

/* Four pairs of people. */
typedef struct pairs {
    wide px, py;           /* from the one to the other */
    wide vx, vy;           /* own velocity */
    wide other_x, other_y; /* the other's */
    wide radius;           /* sum */
    wide share;
    wide inverse_horizon, inverse_dt;
} pairs;

/* The lines of four pairs. Returns the lanes where any border point is as near as any other. */
static inline unsigned pair_lines(const pairs *p, double *line_x, double *line_y, double *line_c) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    wide px = p->px, py = p->py, r = p->radius;
    wide rvx = wide_sub(p->vx, p->other_x), rvy = wide_sub(p->vy, p->other_y);
    wide p2 = wide_add(wide_mul(px, px), wide_mul(py, py)), r2 = wide_mul(r, r);
    wide_mask touching = wide_less_equal(p2, r2);

    /* w leads from the disc's centre to the relative velocity */
    wide inverse = wide_select(touching, p->inverse_dt, p->inverse_horizon);
    wide wx = wide_sub(rvx, wide_mul(px, inverse)), wy = wide_sub(rvy, wide_mul(py, inverse));
    wide w2 = wide_add(wide_mul(wx, wx), wide_mul(wy, wy));
    wide wp = wide_add(wide_mul(wx, px), wide_mul(wy, py));
    wide_mask facing = wide_and(wide_less(wp, zero), wide_less(wide_mul(r2, w2), wide_mul(wp, wp)));
    wide_mask disc = wide_or(touching, facing);

    /* both cases need one root and one quotient: |w| for the disc, the leg's length for the leg */
    wide root = wide_sqrt(wide_select(disc, w2, wide_sub(p2, r2)));
    wide quotient = wide_div(one, wide_select(disc, root, p2));

    /* left leg where w lies left of P, else right leg, directed so that the allowed side is left */
    wide cross = wide_sub(wide_mul(px, wy), wide_mul(py, wx));
    wide leg = wide_select(wide_less(zero, cross), root, wide_sub(zero, root));
    wide leg_x = wide_sub(wide_mul(px, leg), wide_mul(py, r)), leg_y = wide_add(wide_mul(px, r), wide_mul(py, leg));

    wide dx = wide_mul(wide_select(disc, wy, leg_x), quotient);
    wide dy = wide_mul(wide_select(disc, wide_sub(zero, wx), leg_y), quotient);
    /* how far u reaches over the line through V */
    wide out = wide_sub(wide_mul(dy, rvx), wide_mul(dx, rvy));
    out = wide_select(disc, wide_sub(wide_mul(r, inverse), root), out);
    wide own = wide_sub(wide_mul(dx, p->vy), wide_mul(dy, p->vx));
    wide_store(line_x, dx);
    wide_store(line_y, dy);
    wide_store(line_c, wide_add(own, wide_mul(p->share, out)));
    return wide_bits(wide_and(disc, wide_less_equal(w2, zero)));
}

/* Two people at the same place with the same velocity have no border nearest to them: they part in
 * a direction drawn for the pair, opposite for the two. */
static throng_orca_line part_at_random(const throng_step *step, uint32_t mine, uint32_t other) {
    const throng_near *near = step->near;
    throng_agent me = step->people.id[near->row[mine]], you = step->people.id[near->row[other]];
    throng_agent low = me < you ? me : you, high = me < you ? you : me;
    uint64_t draw = throng_random_bits(step->seed ^ high, low, step->people.step, THRONG_RANDOM_ORCA);
    double nx = (double)(int32_t)(draw >> 32) + 0.5, ny = (double)(int32_t)(draw & 0xFFFFFFFFu) + 0.5;
    double scale = (me < you ? 1.0 : -1.0) / sqrt(nx * nx + ny * ny);
    nx *= scale;
    ny *= scale;
    double out = (near->radius[mine] + near->radius[other]) / step->dt, share = near->moved[other] ? 1.0 : 0.5;
    return (throng_orca_line){ny, -nx, nx * near->vx[mine] + ny * near->vy[mine] + share * out};
}

/* Makes the i-th lines of the four, who meet others of these slots; itself is who has no i-th neighbour. */
static inline void add_lines(const throng_step *step, const throng_orca_seen *seen, const uint32_t *slots,
                             const uint32_t other[THRONG_WIDTH], const pairs *four, size_t i, throng_orca_lines *out) {
    const double *moves[THRONG_WIDTH], *is[THRONG_WIDTH];
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        moves[lane] = &seen[other[lane]].x;
        is[lane] = &seen[other[lane]].radius;
    }
    wide moving[4], being[2];
    wide_load_columns(moves, moving);
    wide_load_pairs(is, being);
    pairs p;
    p.vx = four->vx;
    p.vy = four->vy;
    p.inverse_horizon = four->inverse_horizon;
    p.inverse_dt = four->inverse_dt;
    p.px = wide_sub(moving[0], four->px);
    p.py = wide_sub(moving[1], four->py);
    p.other_x = moving[2];
    p.other_y = moving[3];
    p.radius = wide_add(four->radius, being[0]);
    p.share = being[1];
    unsigned lost = pair_lines(&p, out->x[i], out->y[i], out->c[i]);
    for (size_t lane = 0; lost >> lane; lane++) {
        if (!(lost >> lane & 1)) continue;
        throng_orca_line line = {0, 0, -INFINITY};
        if (other[lane] != slots[lane]) line = part_at_random(step, slots[lane], other[lane]);
        out->x[i][lane] = line.x;
        out->y[i][lane] = line.y;
        out->c[i][lane] = line.c;
    }
}

static void people_lines(const throng_step *step, const throng_orca_seen *seen, const uint32_t *slots,
                         const double *horizons, const throng_orca_neighbours *neighbours, throng_orca_lines *out) {
    const throng_near *near = step->near;
    /* the four themselves, as if they were the others */
    pairs four; /* field by field: there is nothing to clear */
    four.px = wide_gather(near->x, slots);
    four.py = wide_gather(near->y, slots);
    four.radius = wide_gather(near->radius, slots);
    four.vx = wide_gather(near->vx, slots);
    four.vy = wide_gather(near->vy, slots);
    four.inverse_horizon = wide_div(wide_all(1.0), wide_load(horizons));
    four.inverse_dt = wide_all(1.0 / step->dt);
    size_t most = 0, least = THRONG_ORCA_NEIGHBOURS;
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        most = neighbours[lane].count > most ? neighbours[lane].count : most;
        least = neighbours[lane].count < least ? neighbours[lane].count : least;
    }
    for (size_t i = 0; i < most; i++) {
        uint32_t other[THRONG_WIDTH] = {neighbours[0].slot[i], neighbours[1].slot[i], neighbours[2].slot[i],
                                        neighbours[3].slot[i]};
        for (size_t lane = 0; i >= least && lane < THRONG_WIDTH; lane++) {
            if (i >= neighbours[lane].count) other[lane] = slots[lane];
        }
        add_lines(step, seen, slots, other, &four, i, out);
    }
    out->count = most;
}
