/* energy_pieces_kernel.h: pieces of wall and the walkers who see them, four at a time: how soon a piece is met, and
 * how near it comes within the step. */

#ifndef THRONG_IMPLICIT_ENERGY_PIECES_KERNEL_H
#define THRONG_IMPLICIT_ENERGY_PIECES_KERNEL_H

#include "models/implicit/energy_pairs_kernel.h"

/* Four pieces and how their walkers move. */
typedef struct wide_pieces {
    wide ax, ay, ux, uy, length, distance, nx, ny; /* see throng_wall_piece */
    wide r;                                        /* m, the radius that counts */
    wide vx, vy;                                   /* m/s */
} wide_pieces;

_Static_assert(sizeof(throng_wall_piece) == 8 * sizeof(double), "pieces are loaded as two rows of four numbers");

/* throng_effective_radius of four. */
static inline wide effective_radius_four(wide distance, wide r) {
    wide_mask touched = wide_less_equal(distance, r);
    if (!wide_bits(touched)) return r;
    wide deep = wide_select(wide_less(wide_all(2e-3), distance), wide_sub(distance, wide_all(1e-3)),
                            wide_mul(wide_all(0.5), distance));
    return wide_select(touched, deep, r);
}

static inline wide_pieces pieces_at(const throng_wall_piece *const piece[4], wide r, wide vx, wide vy) {
    const double *first[4], *second[4];
    for (int lane = 0; lane < 4; lane++) {
        first[lane] = &piece[lane]->ax;
        second[lane] = &piece[lane]->length;
    }
    wide a[4], b[4];
    wide_load_columns(first, a);
    wide_load_columns(second, b);
    return (wide_pieces){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], effective_radius_four(b[1], r), vx, vy};
}

static inline wide end_x(const wide_pieces *p) { return mul_add(p->length, p->ux, p->ax); }
static inline wide end_y(const wide_pieces *p) { return mul_add(p->length, p->uy, p->ay); }

/* --- how soon they are met */

enum { END_A, END_B, FLAT }; /* the parts of a piece */

/* A collision with the flat of a piece, which is met where `met` is true, and within the step where `hit` is, too. It
 * is where and when the line is met that counts, not the end of the step: who rounds a corner in one long step hits
 * nothing. The ends see to who is beyond them. */
typedef struct flats {
    wide nx, ny, speed, left;
    wide_mask met, hit;
} flats;

static inline flats flats_of(const ttc_law *law, const wide_pieces *p) {
    const wide zero = wide_all(0.0);
    wide height = mul_sub_mul(p->ay, p->ux, p->ax, p->uy);
    wide_mask right = wide_less(height, zero);
    flats f = {.nx = wide_select(right, p->uy, negative(p->uy)), .ny = wide_select(right, negative(p->ux), p->ux)};
    f.speed = mul_add_mul(p->vx, f.nx, p->vy, f.ny);
    wide room = wide_sub(wide_abs(height), p->r);
    /* how far along the piece, times the speed */
    wide along =
        mul_sub_mul(room, mul_add_mul(p->vx, p->ux, p->vy, p->uy), f.speed, mul_add_mul(p->ax, p->ux, p->ay, p->uy));
    f.left = wide_sub(room, wide_mul(f.speed, law->dt));
    f.met = wide_and(wide_and(wide_less(zero, f.speed), wide_less(zero, room)),
                     wide_and(wide_less_equal(zero, along), wide_less_equal(along, wide_mul(p->length, f.speed))));
    f.hit = wide_and_not(f.met, wide_less(zero, f.left));
    return f;
}

static inline wide_term inverse_ttc_of_flats(const ttc_law *law, const flats *f, int order) {
    wide_term s = {.energy = wide_div(f->speed, f->left)};
    if (order < THRONG_ORDER_GRADIENT) return s;
    wide slope = wide_div(wide_add(wide_all(1.0), wide_mul(s.energy, law->dt)), f->left);
    s.gx = wide_mul(slope, f->nx);
    s.gy = wide_mul(slope, f->ny);
    if (order < THRONG_ORDER_HESSIAN) return s;
    wide bend = wide_div(wide_mul(law->two_dt, slope), f->left);
    s.hxx = mul3(bend, f->nx, f->nx);
    s.hxy = mul3(bend, f->nx, f->ny);
    s.hyy = mul3(bend, f->ny, f->ny);
    return s;
}

/* The inverse time to collision with an end of a piece, see inverse_ttc_four: 0 or less if it is not met, infinite if
 * it is within the step. */
static inline wide sigma_of_ends(const ttc_law *law, const wide_pieces *p, wide x, wide y) {
    wide_mask apart, nearing;
    wide_term s = inverse_ttc_four(law, (wide_pairs){x, y, p->r, p->vx, p->vy}, THRONG_ORDER_ENERGY, &apart, &nearing);
    return wide_select(apart, wide_keep(nearing, s.energy), wide_all(INFINITY));
}

/* That with the part of each piece that is met soonest. */
static inline wide soonest_of(const ttc_law *law, const wide_pieces *p, wide *which) {
    wide a = sigma_of_ends(law, p, p->ax, p->ay), b = sigma_of_ends(law, p, end_x(p), end_y(p));
    flats f = flats_of(law, p);
    wide flat = wide_select(f.hit, wide_all(INFINITY), wide_keep(f.met, wide_div(f.speed, f.left)));
    wide_mask is_b = wide_less(a, b);
    wide most = wide_select(is_b, b, a);
    wide_mask is_flat = wide_less(most, flat);
    *which = wide_select(is_flat, wide_all(FLAT), wide_select(is_b, wide_all(END_B), wide_all(END_A)));
    return wide_select(is_flat, flat, most);
}

/* The energy of the collision with given parts of pieces; none is hit within the step. */
static inline wide_term collision_four(const ttc_law *law, const wide_pieces *p, wide which, int order) {
    wide_mask is_flat = wide_less(wide_all(END_B), which), is_b = wide_less(wide_all(END_A), which);
    unsigned bits = wide_bits(is_flat);
    wide_term s = {.energy = wide_all(0.0)};
    if (bits != 15) {
        wide_mask apart, nearing;
        wide x = wide_select(is_b, end_x(p), p->ax), y = wide_select(is_b, end_y(p), p->ay);
        s = inverse_ttc_four(law, (wide_pairs){x, y, p->r, p->vx, p->vy}, order, &apart, &nearing);
    }
    if (bits != 0) {
        flats f = flats_of(law, p);
        s = select_term(is_flat, inverse_ttc_of_flats(law, &f, order), s, order);
    }
    return ttc_energy_four(law, s, order);
}

/* --- how near they come */

/* Whether the way from the origin to dt w crosses the pieces. */
static inline wide_mask crosses(const wide_pieces *p, wide wx, wide wy, wide px, wide py) {
    const wide zero = wide_all(0.0);
    wide bx = end_x(p), by = end_y(p);
    wide_mask a_right = wide_less(mul_sub_mul(wx, p->ay, wy, p->ax), zero);
    wide_mask b_right = wide_less(mul_sub_mul(wx, by, wy, bx), zero);
    wide here = mul_sub_mul(p->uy, p->ax, p->ux, p->ay);
    wide_mask from_right = wide_less(here, zero);
    wide_mask to_right = wide_less(wide_add(here, mul_sub_mul(p->ux, py, p->uy, px)), zero);
    wide_mask sides = wide_and_not(wide_or(a_right, b_right), wide_and(a_right, b_right));
    wide_mask line = wide_and_not(wide_or(from_right, to_right), wide_and(from_right, to_right));
    return wide_and(wide_and(sides, line), wide_less(zero, p->length));
}

/* The distance at which the way along w passes the point (x, y), with u the direction of w and over = 1 / |w|. */
static inline wide_term passing_of(wide x, wide y, wide ux, wide uy, wide over, int order) {
    wide ahead = mul_add_mul(x, ux, y, uy), beside = mul_sub_mul(x, uy, y, ux), over2 = wide_mul(over, over);
    ahead = wide_select(wide_less(beside, wide_all(0.0)), negative(ahead), ahead);
    wide turn = wide_mul(ahead, over), d = wide_abs(beside);
    wide_term t = {.energy = d, .gx = negative(wide_mul(turn, uy)), .gy = wide_mul(turn, ux)};
    if (order < THRONG_ORDER_HESSIAN) return t;
    wide ux2 = wide_mul(ux, ux), uy2 = wide_mul(uy, uy), cross = wide_mul(ux, uy);
    wide twice = mul3(wide_all(2.0), ahead, cross);
    t.hxx = wide_mul(wide_sub(twice, wide_mul(d, uy2)), over2);
    t.hxy = wide_mul(mul_add_mul(ahead, wide_sub(uy2, ux2), d, cross), over2);
    t.hyy = wide_mul(wide_sub(negative(twice), wide_mul(d, ux2)), over2);
    return t;
}

/* The least distance on the way from the origin to dt w, with derivatives with respect to w: at its start, at its end,
 * or where it passes an end of the piece. */
static inline wide_term way_distance_four(const repulsion_law *law, const wide_pieces *p, wide wx, wide wy, int order) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    wide px = wide_mul(law->dt, wx), py = wide_mul(law->dt, wy), bx = end_x(p), by = end_y(p);
    wide qx = wide_sub(px, p->ax), qy = wide_sub(py, p->ay), line = mul_add_mul(qx, p->ux, qy, p->uy);
    wide along = wide_min(wide_max(line, zero), p->length);
    wide ex = wide_sub(qx, wide_mul(along, p->ux)), ey = wide_sub(qy, wide_mul(along, p->uy));
    wide end = wide_sqrt(mul_add_mul(ex, ex, ey, ey));
    wide a = mul_add_mul(wx, wx, wy, wy), longest = wide_mul(a, law->dt), over = wide_div(one, wide_sqrt(a));
    wide ahead_a = mul_add_mul(p->ax, wx, p->ay, wy), ahead_b = mul_add_mul(bx, wx, by, wy);
    wide beside_a = wide_mul(wide_abs(mul_sub_mul(p->ax, wy, p->ay, wx)), over);
    wide beside_b = wide_mul(wide_abs(mul_sub_mul(bx, wy, by, wx)), over);

    wide_mask at_end = wide_less(end, p->distance);
    wide d = wide_select(at_end, end, p->distance);
    wide_mask at_a = wide_and(wide_and(wide_less(zero, ahead_a), wide_less(ahead_a, longest)), wide_less(beside_a, d));
    d = wide_select(at_a, beside_a, d);
    wide_mask at_b = wide_and(wide_and(wide_less(zero, ahead_b), wide_less(ahead_b, longest)), wide_less(beside_b, d));
    d = wide_select(at_b, beside_b, d);
    wide_mask through = crosses(p, wx, wy, px, py), passes = wide_or(at_a, at_b);
    wide_term t = {.energy = wide_select(through, zero, d)};
    if (order < THRONG_ORDER_GRADIENT) return t;

    at_end = wide_and_not(at_end, wide_or(passes, through));
    wide over_end = wide_div(one, end), dx = wide_mul(ex, over_end), dy = wide_mul(ey, over_end);
    t.gx = wide_keep(at_end, wide_mul(law->dt, dx));
    t.gy = wide_keep(at_end, wide_mul(law->dt, dy));
    if (order >= THRONG_ORDER_HESSIAN) {
        /* none where it is the distance from a line */
        wide_mask round = wide_and_not(at_end, wide_and(wide_less(zero, line), wide_less(line, p->length)));
        wide bend = wide_keep(round, wide_mul(law->dt2, over_end));
        t.hxx = wide_keep(round, wide_mul(bend, wide_mul(dy, dy)));
        t.hxy = wide_keep(round, negative(wide_mul(bend, wide_mul(dx, dy))));
        t.hyy = wide_keep(round, wide_mul(bend, wide_mul(dx, dx)));
    }
    if (!wide_bits(passes)) return t;
    wide_term s = passing_of(wide_select(at_b, bx, p->ax), wide_select(at_b, by, p->ay), wide_mul(wx, over),
                             wide_mul(wy, over), over, order);
    s.energy = t.energy;
    return select_term(passes, s, t, order);
}

/* A distance that depends on w = v + (psi(v n) - v n) n as one that depends on v. */
static inline wide_term by_true_velocity(wide_term d, approaches a, wide nx, wide ny, int order) {
    if (order < THRONG_ORDER_GRADIENT) return d;
    wide less = wide_sub(a.first, wide_all(1.0)), slope = mul_add_mul(d.gx, nx, d.gy, ny);
    d.gx = mul_add(wide_mul(less, slope), nx, d.gx);
    d.gy = mul_add(wide_mul(less, slope), ny, d.gy);
    if (order < THRONG_ORDER_HESSIAN) return d;
    wide hx = mul_add_mul(d.hxx, nx, d.hxy, ny), hy = mul_add_mul(d.hxy, nx, d.hyy, ny);
    wide bend = mul_add_mul(wide_mul(less, less), mul_add_mul(hx, nx, hy, ny), slope, a.second);
    wide mx = wide_mul(less, nx), my = wide_mul(less, ny), cross = wide_mul(nx, ny), two = wide_all(2.0);
    d.hxx = wide_add(d.hxx, mul_add_mul(wide_mul(two, mx), hx, bend, wide_mul(nx, nx)));
    d.hxy = wide_add(d.hxy, wide_add(mul_add_mul(mx, hy, my, hx), wide_mul(bend, cross)));
    d.hyy = wide_add(d.hyy, mul_add_mul(wide_mul(two, my), hy, bend, wide_mul(ny, ny)));
    return d;
}

/* The repulsion of four pieces. */
static inline wide_term wall_repulsion_four(const repulsion_law *law, const wide_pieces *p, int order) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    wide s = mul_add_mul(p->vx, p->nx, p->vy, p->ny);
    approaches a = approach_four(law, s, wide_sub(p->distance, p->r));
    wide more = wide_sub(a.psi, s), wx = mul_add(more, p->nx, p->vx), wy = mul_add(more, p->ny, p->vy);
    wide_term d = way_distance_four(law, p, wx, wy, order);
    wide gap = wide_sub(d.energy, p->r);
    wide_mask apart = wide_less(zero, gap), near = wide_and(apart, wide_less(wide_mul(gap, law->end), one));
    if (!wide_bits(near) && wide_bits(apart) == 15) return (wide_term){zero, zero, zero, zero, zero, zero};
    d = by_true_velocity(d, a, p->nx, p->ny, order);
    return keep_term(near, wide_not(apart), repulsion_energy_four(law, d, gap, order), order);
}

#endif
