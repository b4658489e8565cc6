/* oracle_orca.h: `orca` once more, slow and plain, to compare the real one with. Written from the
 * geometry: half-planes from the nearest border point of the forbidden velocities, found by trying
 * every piece of the border; programs by trying every point where an optimum can lie. */

#ifndef ORACLE_ORCA_H
#define ORACLE_ORCA_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <throng/model.h>

#include "models/orca/orca.h"

#define PI 3.14159265358979323846

typedef struct pt {
    double x, y;
} pt;

static inline pt pt_add(pt a, pt b) { return (pt){a.x + b.x, a.y + b.y}; }
static inline pt pt_sub(pt a, pt b) { return (pt){a.x - b.x, a.y - b.y}; }
static inline pt pt_scale(double s, pt a) { return (pt){s * a.x, s * a.y}; }
static inline double pt_dot(pt a, pt b) { return a.x * b.x + a.y * b.y; }
static inline double pt_cross(pt a, pt b) { return a.x * b.y - a.y * b.x; }
static inline double pt_length(pt a) { return hypot(a.x, a.y); }
static inline pt pt_unit(pt a) { return pt_scale(1 / pt_length(a), a); }
static inline pt pt_turn(pt a, double angle) {
    return (pt){a.x * cos(angle) - a.y * sin(angle), a.x * sin(angle) + a.y * cos(angle)};
}

/* Allowed: normal . v >= offset. */
typedef struct half_plane {
    pt normal;
    double offset;
} half_plane;

static inline double missing(half_plane h, pt v) { return h.offset - pt_dot(h.normal, v); }

/* ---- half-planes */

/* A piece of the border of the forbidden velocities: its point nearest to v, and what leads out. */
typedef struct border {
    bool exists;
    double distance;
    pt point, normal;
    bool foreign;
} border;

/* The arc of a circle between two directions as seen from its centre, left to right, that shows
 * towards `facing`. Beyond the arc's ends the neighbouring pieces are nearer. */
static inline border border_arc(pt centre, double radius, pt towards, double half_angle, pt v) {
    pt w = pt_sub(v, centre);
    if (pt_length(w) == 0) return (border){false};
    double angle = atan2(pt_cross(towards, w), pt_dot(towards, w));
    if (fabs(angle) > half_angle) return (border){false};
    pt normal = pt_unit(w);
    return (border){true, fabs(pt_length(w) - radius), pt_add(centre, pt_scale(radius, normal)), normal, false};
}

/* A straight piece from `start` along a unit direction, `length` long; normal leads out. */
static inline border border_straight(pt start, pt direction, double length, pt normal, pt v) {
    double t = pt_dot(pt_sub(v, start), direction);
    if (t < 0 || t > length) return (border){false};
    return (border){true, fabs(pt_dot(pt_sub(v, start), normal)), pt_add(start, pt_scale(t, direction)), normal, false};
}

static inline border border_nearest(const border *all, size_t count) {
    border best = {false};
    for (size_t i = 0; i < count; i++) {
        if (all[i].exists && (!best.exists || all[i].distance < best.distance)) best = all[i];
    }
    return best;
}

/* The border point nearest to the relative velocity v among the velocities that make somebody at
 * `to`, with the sum of radii r, be hit within the horizon. Touching: the disc of one dt. */
static inline border oracle_person_border(pt to, double r, pt v, double horizon, double dt) {
    double distance = pt_length(to);
    if (distance <= r) return border_arc(pt_scale(1 / dt, to), r / dt, (pt){1, 0}, 4, v);
    pt ahead = pt_unit(to), centre = pt_scale(1 / horizon, to);
    double radius = r / horizon, opening = asin(r / distance);
    pt left = pt_turn(ahead, opening), right = pt_turn(ahead, -opening);
    pt left_out = pt_turn(left, PI / 2), right_out = pt_turn(right, -PI / 2);
    border all[3] = {
        border_arc(centre, radius, pt_scale(-1, ahead), PI / 2 - opening, v),
        border_straight(pt_add(centre, pt_scale(radius, left_out)), left, INFINITY, left_out, v),
        border_straight(pt_add(centre, pt_scale(radius, right_out)), right, INFINITY, right_out, v),
    };
    return border_nearest(all, 3);
}

static inline half_plane oracle_person_line(pt to, double r, pt own, pt other, bool yields, double horizon, double dt) {
    pt v = pt_sub(own, other);
    border nearest = oracle_person_border(to, r, v, horizon, dt);
    pt change = pt_sub(nearest.point, v);
    pt on = pt_add(own, pt_scale(yields ? 0.5 : 1.0, change));
    return (half_plane){nearest.normal, pt_dot(nearest.normal, on)};
}

/* A wall as one sees it from `eye`: left and right end, and the neighbours beyond them. */
typedef struct oracle_wall {
    pt left, right, beyond_left, beyond_right; /* corners */
    bool left_convex, right_convex;            /* the corner sticks out */
} oracle_wall;

static inline double height_over(pt right, pt left, pt eye) {
    return pt_cross(pt_unit(pt_sub(left, right)), pt_sub(eye, right));
}

/* Zero or one half-plane. `touching` walls only keep people from coming nearer. */
static inline size_t oracle_wall_line(oracle_wall w, pt eye, double r, pt v, double horizon, half_plane *out) {
    pt along = pt_unit(pt_sub(w.left, w.right)), up = pt_turn(along, PI / 2);
    double height = height_over(w.right, w.left, eye);
    double at = pt_dot(pt_sub(eye, w.right), along), length = pt_length(pt_sub(w.left, w.right));
    if (height <= 0) return 0;
    bool past_left = at > length, past_right = at < 0;
    pt end = past_left ? w.left : w.right, beside = pt_sub(eye, end);
    if (past_left || past_right) {
        if (pt_length(beside) <= r) {
            bool convex = past_left ? w.left_convex : w.right_convex;
            /* of two walls in sight that meet in the corner, the one on the right takes it */
            bool other_takes_it = past_right && height_over(w.beyond_right, w.right, eye) > 0;
            *out = (half_plane){pt_unit(beside), 0};
            return convex && !other_takes_it;
        }
    } else if (height <= r) {
        *out = (half_plane){up, 0};
        return 1;
    }

    /* seen along its length, only the nearer end counts */
    bool oblique = height <= r;
    if (oblique && past_left) w.right = w.left, w.beyond_right = pt_sub(w.left, along), w.right_convex = w.left_convex;
    if (oblique && past_right) w.left = w.right, w.beyond_left = pt_add(w.right, along), w.left_convex = w.right_convex;
    if (oblique && !w.left_convex) return 0;

    pt to_left = pt_sub(w.left, eye), to_right = pt_sub(w.right, eye);
    pt left_centre = pt_scale(1 / horizon, to_left), right_centre = pt_scale(1 / horizon, to_right);
    double radius = r / horizon;
    pt left = along, right = pt_scale(-1, along);
    bool left_foreign = false, right_foreign = false;
    if (w.left_convex) {
        pt wall = pt_unit(pt_sub(w.beyond_left, w.left));
        left = pt_turn(pt_unit(to_left), asin(r / pt_length(to_left)));
        left_foreign = pt_cross(left, wall) >= 0;
        if (left_foreign) left = wall;
    }
    if (w.right_convex) {
        pt wall = pt_unit(pt_sub(w.beyond_right, w.right));
        right = pt_turn(pt_unit(to_right), -asin(r / pt_length(to_right)));
        right_foreign = pt_cross(right, wall) <= 0;
        if (right_foreign) right = wall;
    }
    pt left_out = pt_turn(left, PI / 2), right_out = pt_turn(right, -PI / 2);

    /* pieces from left to right; an arc turns from the normal of one straight piece to the next */
    border all[5];
    size_t count = 0;
    pt left_start = pt_add(left_centre, pt_scale(radius, left_out));
    pt right_start = pt_add(right_centre, pt_scale(radius, right_out));
    all[count] = border_straight(left_start, left, INFINITY, left_out, v);
    all[count++].foreign = left_foreign;
    all[count] = border_straight(right_start, right, INFINITY, right_out, v);
    all[count++].foreign = right_foreign;
    pt last = left_out;
    if (!oblique) {
        pt middle = pt_unit(pt_add(left_out, up));
        all[count++] =
            border_arc(left_centre, radius, middle, fabs(atan2(pt_cross(left_out, up), pt_dot(left_out, up))) / 2, v);
        pt cut_start = pt_add(right_centre, pt_scale(radius, up));
        all[count++] = border_straight(cut_start, along, length / horizon, up, v);
        last = up;
    }
    double turn = atan2(pt_cross(last, right_out), pt_dot(last, right_out));
    all[count++] = border_arc(right_centre, radius, pt_turn(last, turn / 2), fabs(turn) / 2, v);
    border nearest = border_nearest(all, count);
    if (!nearest.exists || nearest.foreign) return 0;
    double offset = pt_dot(nearest.normal, nearest.point);
    *out = (half_plane){nearest.normal, offset < 0 ? offset : 0};
    return 1;
}

/* Whether a half-plane forbids all velocities that lead into a wall. */
static inline bool oracle_covers(half_plane h, oracle_wall w, pt eye, double r, double horizon) {
    double need = r / horizon - 1e-5;
    return missing(h, pt_scale(1 / horizon, pt_sub(w.left, eye))) >= need &&
           missing(h, pt_scale(1 / horizon, pt_sub(w.right, eye))) >= need;
}

/* ---- programs */

typedef struct program {
    half_plane plane[256];
    size_t hard, count;
    double speed;
} program;

/* Points where one or two of the constraints hold exactly. */
typedef struct spots {
    pt *at;
    size_t count, capacity;
} spots;

static inline void spots_add(spots *p, pt v) {
    if (!isfinite(v.x) || !isfinite(v.y)) return;
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->at = realloc(p->at, p->capacity * sizeof *p->at);
    }
    p->at[p->count++] = v;
}

static inline void spots_add_meeting(spots *p, half_plane a, half_plane b) {
    double d = pt_cross(a.normal, b.normal);
    if (d == 0) return;
    spots_add(p, (pt){(a.offset * b.normal.y - b.offset * a.normal.y) / d,
                      (b.offset * a.normal.x - a.offset * b.normal.x) / d});
}

static inline void spots_add_circle(spots *p, half_plane a, double speed) {
    double half2 = speed * speed - a.offset * a.offset;
    if (half2 < 0) return;
    pt foot = pt_scale(a.offset, a.normal), side = {-a.normal.y, a.normal.x};
    spots_add(p, pt_add(foot, pt_scale(sqrt(half2), side)));
    spots_add(p, pt_sub(foot, pt_scale(sqrt(half2), side)));
}

static inline bool oracle_allows(const program *p, pt v, size_t count, double tolerance) {
    if (pt_length(v) > p->speed + tolerance) return false;
    for (size_t i = 0; i < count; i++) {
        if (missing(p->plane[i], v) > tolerance) return false;
    }
    return true;
}

/* The allowed velocity nearest to the wish. False: there is none. */
static inline bool oracle_nearest_allowed(const program *p, pt wish, pt *out) {
    spots all = {0};
    double length = pt_length(wish);
    spots_add(&all, length > p->speed ? pt_scale(p->speed / length, wish) : wish);
    for (size_t i = 0; i < p->count; i++) {
        half_plane a = p->plane[i];
        spots_add(&all, pt_add(wish, pt_scale(missing(a, wish), a.normal)));
        spots_add_circle(&all, a, p->speed);
        for (size_t j = 0; j < i; j++) spots_add_meeting(&all, a, p->plane[j]);
    }
    double best = INFINITY;
    *out = wish;
    for (size_t k = 0; k < all.count; k++) {
        double far = pt_length(pt_sub(all.at[k], wish));
        if (far < best && oracle_allows(p, all.at[k], p->count, 1e-11)) {
            best = far;
            *out = all.at[k];
        }
    }
    free(all.at);
    return best < INFINITY;
}

static inline double oracle_worst(const program *p, pt v) {
    double worst = -INFINITY;
    for (size_t i = p->hard; i < p->count; i++) worst = fmax(worst, missing(p->plane[i], v));
    return worst;
}

/* A velocity that the hard planes allow and that misses the soft ones as little as possible. */
static inline pt oracle_least_violating(const program *p) {
    /* where two soft planes are missed equally is a line; an optimum lies where such lines, hard
     * planes and the circle meet, or where one plane alone is missed least */
    half_plane edge[2048];
    size_t edges = 0;
    spots all = {0};
    for (size_t i = 0; i < p->hard; i++) edge[edges++] = p->plane[i];
    for (size_t i = p->hard; i < p->count; i++) {
        spots_add(&all, pt_scale(p->speed, p->plane[i].normal));
        for (size_t j = p->hard; j < i; j++) {
            pt apart = pt_sub(p->plane[i].normal, p->plane[j].normal);
            double length = pt_length(apart);
            if (length == 0) continue;
            edge[edges++] =
                (half_plane){pt_scale(1 / length, apart), (p->plane[i].offset - p->plane[j].offset) / length};
        }
    }
    for (size_t i = 0; i < edges; i++) {
        spots_add_circle(&all, edge[i], p->speed);
        for (size_t j = 0; j < i; j++) spots_add_meeting(&all, edge[i], edge[j]);
    }
    pt best = {0, 0};
    double least = INFINITY;
    for (size_t k = 0; k < all.count; k++) {
        if (!oracle_allows(p, all.at[k], p->hard, 1e-11)) continue;
        double worst = oracle_worst(p, all.at[k]);
        if (worst < least) least = worst, best = all.at[k];
    }
    free(all.at);
    return best;
}

static inline pt oracle_choose(const program *p, pt wish) {
    pt v;
    return oracle_nearest_allowed(p, wish, &v) ? v : oracle_least_violating(p);
}

/* ---- one person's whole decision */

typedef struct oracle_neighbour {
    double distance;
    size_t row;
} oracle_neighbour;

static inline int oracle_by_distance(const void *a, const void *b) {
    const oracle_neighbour *l = a, *r = b;
    if (l->distance != r->distance) return l->distance < r->distance ? -1 : 1;
    return l->row < r->row ? -1 : l->row > r->row;
}

static inline void oracle_add_walls(program *p, const throng_walls *walls, pt eye, double r, pt v, double horizon) {
    oracle_neighbour *near = malloc((walls->count + 1) * sizeof *near);
    size_t count = 0;
    for (size_t k = 0; k < walls->count; k++) {
        throng_point q = throng_wall_nearest_point(walls, (uint32_t)k, eye.x, eye.y);
        double far = pt_length(pt_sub((pt){q.x, q.y}, eye));
        if (far <= horizon * p->speed + r) near[count++] = (oracle_neighbour){far, k};
    }
    qsort(near, count, sizeof *near, oracle_by_distance);
    for (size_t i = 0; i < count; i++) {
        size_t k = near[i].row;
        uint32_t next = walls->next[k], after = walls->next[next], before = walls->previous[k];
        oracle_wall w = {
            {walls->x[next], walls->y[next]},     {walls->x[k], walls->y[k]}, {walls->x[after], walls->y[after]},
            {walls->x[before], walls->y[before]}, walls->convex[next],        walls->convex[k]};
        bool covered = false;
        for (size_t j = 0; j < p->count; j++) covered = covered || oracle_covers(p->plane[j], w, eye, r, horizon);
        if (!covered && height_over(w.right, w.left, eye) > 0) {
            p->count += oracle_wall_line(w, eye, r, v, horizon, &p->plane[p->count]);
        }
    }
    p->hard = p->count;
    free(near);
}

/* The wish of somebody, no faster than it can be. */
static inline pt oracle_wish(const throng_step *step, size_t row) {
    pt wish = {step->people.wish_x[row] + step->people.push_x[row] * step->dt,
               step->people.wish_y[row] + step->people.push_y[row] * step->dt};
    double length = pt_length(wish), most = step->people.max_speed[row];
    return length > most ? pt_scale(most / length, wish) : wish;
}

/* All half-planes of somebody, those of walls first. */
static inline program oracle_program(const throng_step *step, const throng_orca_params *params, size_t row) {
    pt eye = {step->people.x[row], step->people.y[row]}, own = {step->people.vx[row], step->people.vy[row]};
    double r = step->people.radius[row];
    program p = {.speed = step->people.max_speed[row]};
    oracle_add_walls(&p, step->walls, eye, r, own, fmax(params->time_horizon_obst, step->dt));
    oracle_neighbour *near = malloc(step->people.count * sizeof *near);
    size_t count = 0;
    for (size_t k = 0; k < step->people.count; k++) {
        double dx = step->people.x[k] - eye.x, dy = step->people.y[k] - eye.y, far2 = dx * dx + dy * dy;
        if (k != row && far2 < params->neighbour_dist * params->neighbour_dist)
            near[count++] = (oracle_neighbour){far2, step->near->slot[k]};
    }
    qsort(near, count, sizeof *near, oracle_by_distance);
    if (count > (size_t)params->max_neighbours) count = (size_t)params->max_neighbours;
    for (size_t i = 0; i < count; i++) {
        size_t slot = near[i].row, k = step->near->row[slot];
        pt to = pt_sub((pt){step->people.x[k], step->people.y[k]}, eye),
           other = {step->near->vx[slot], step->near->vy[slot]};
        p.plane[p.count++] = oracle_person_line(to, r + step->people.radius[k], own, other, !step->near->moved[slot],
                                                fmax(params->time_horizon, step->dt), step->dt);
    }
    free(near);
    return p;
}

static inline pt oracle_decide(const throng_step *step, const throng_orca_params *params, size_t row) {
    program p = oracle_program(step, params, row);
    return oracle_choose(&p, oracle_wish(step, row));
}

#endif
