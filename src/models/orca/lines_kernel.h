/* lines_kernel.h: the half-planes that other people leave.
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

#include "models/orca/orca.h"
#include "space/wide.h"

/* Two people at the same place with the same velocity have no border nearest to them: they part in
 * a direction drawn for the pair, opposite for the two. */
static void part_at_random(throng_orca_lines *lines, size_t line, const throng_step *step, uint32_t mine,
                           uint32_t other, double distance) {
    throng_agent me = step->id[step->near->row[mine]], you = step->id[step->near->row[other]];
    throng_agent low = me < you ? me : you, high = me < you ? you : me;
    uint64_t draw = throng_random_bits(step->seed ^ high, low, step->number, THRONG_RANDOM_ORCA);
    double nx = (double)(int32_t)(draw >> 32) + 0.5, ny = (double)(int32_t)(draw & 0xFFFFFFFFu) + 0.5;
    double scale = (me < you ? 1.0 : -1.0) / sqrt(nx * nx + ny * ny);
    nx *= scale;
    ny *= scale;
    double share = step->near->moved[other] ? 1.0 : 0.5;
    lines->x[line] = ny;
    lines->y[line] = -nx;
    lines->c[line] = nx * step->near->vx[mine] + ny * step->near->vy[mine] + share * distance;
}

static void people_lines(throng_orca_lines *lines, const throng_step *step, uint32_t self, double horizon,
                         const uint32_t *slots, size_t count) {
    const throng_near *near = step->near;
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    const wide x = wide_all(near->x[self]), y = wide_all(near->y[self]), radius = wide_all(near->radius[self]);
    const wide vx = wide_all(near->vx[self]), vy = wide_all(near->vy[self]);
    const wide inverse_horizon = wide_all(1.0 / horizon), inverse_dt = wide_all(1.0 / step->dt);
    for (size_t i = 0; i < count; i += THRONG_WIDTH) {
        uint32_t four[THRONG_WIDTH];
        for (size_t k = 0; k < THRONG_WIDTH; k++) four[k] = slots[i + k < count ? i + k : i];

        wide px = wide_sub(wide_gather(near->x, four), x), py = wide_sub(wide_gather(near->y, four), y);
        wide rvx = wide_sub(vx, wide_gather(near->vx, four)), rvy = wide_sub(vy, wide_gather(near->vy, four));
        wide r = wide_add(radius, wide_gather(near->radius, four));
        wide share = wide_of(near->moved[four[0]] ? 1.0 : 0.5, near->moved[four[1]] ? 1.0 : 0.5,
                             near->moved[four[2]] ? 1.0 : 0.5, near->moved[four[3]] ? 1.0 : 0.5);
        wide p2 = wide_add(wide_mul(px, px), wide_mul(py, py)), r2 = wide_mul(r, r);
        wide_mask touching = wide_less_equal(p2, r2);

        /* w leads from the disc's centre to the relative velocity */
        wide inverse = wide_select(touching, inverse_dt, inverse_horizon);
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
        wide own = wide_sub(wide_mul(dx, vy), wide_mul(dy, vx));
        wide c = wide_add(own, wide_mul(share, out));

        size_t at = lines->count + i;
        wide_store(lines->x + at, dx);
        wide_store(lines->y + at, dy);
        wide_store(lines->c + at, c);
        unsigned lost = wide_bits(wide_and(disc, wide_less_equal(w2, zero)));
        for (size_t k = 0; lost >> k; k++) {
            if (!(lost >> k & 1) || i + k >= count) continue;
            double inverse_of = 1.0 / step->dt, sum = near->radius[self] + near->radius[four[k]];
            part_at_random(lines, at + k, step, self, four[k], sum * inverse_of);
        }
    }
    lines->count += count;
}
