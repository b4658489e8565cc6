/* oracle_forces.h: a step of `orca-forces` once more, slow and plain: everybody looks at everybody, angles are angles.
 * One profile, one sub-step, nobody pushed out of others. */

#ifndef ORACLE_FORCES_H
#define ORACLE_FORCES_H

#include "models/orca-forces/forces.h"
#include "oracle_orca.h"

static inline pt at_of(const throng_step *t, size_t i) { return (pt){t->people.x[i], t->people.y[i]}; }
static inline pt velocity_of(const throng_step *t, size_t i) { return (pt){t->people.vx[i], t->people.vy[i]}; }

static inline double angle_between(pt a, pt b) { return fabs(atan2(pt_cross(a, b), pt_dot(a, b))) * 180 / PI; }

/* Whether k is in reach of i and within an angle from a direction. */
static inline bool oracle_ahead(const throng_step *t, const throng_forces_params *p, size_t i, size_t k, pt direction,
                                double degrees) {
    pt to = pt_sub(at_of(t, k), at_of(t, i));
    return i != k && pt_length(to) < t->people.radius[i] + t->people.radius[k] + p->reach &&
           angle_between(to, direction) <= degrees;
}

static inline size_t oracle_count_ahead(const throng_step *t, const throng_forces_params *p, size_t i, pt direction,
                                        double degrees) {
    size_t count = 0;
    for (size_t k = 0; k < t->people.count; k++) count += oracle_ahead(t, p, i, k, direction, degrees);
    return count;
}

static inline bool oracle_pushes(const throng_step *t, const throng_forces_params *p, size_t i) {
    pt wish = {t->people.wish_x[i], t->people.wish_y[i]};
    double length = pt_length(wish);
    if (length == 0 || p->pushing == THRONG_PUSHES_NEVER) return false;
    return p->pushing == THRONG_PUSHES_ALWAYS || pt_dot(velocity_of(t, i), wish) / length < p->patience * length;
}

/* Whether i and k touch and come closer. */
static inline bool oracle_collide(const throng_step *t, size_t i, size_t k) {
    pt from = pt_sub(at_of(t, i), at_of(t, k));
    return i != k && pt_length(from) < t->people.radius[i] + t->people.radius[k] &&
           pt_dot(pt_sub(velocity_of(t, i), velocity_of(t, k)), from) < 0;
}

static inline size_t oracle_count_collisions(const throng_step *t, size_t i) {
    size_t count = 0;
    for (size_t k = 0; k < t->people.count; k++) count += oracle_collide(t, i, k);
    return count;
}

/* The forces on i that arise now. */
static inline pt oracle_contact(const throng_step *t, const throng_forces_params *p, size_t i) {
    pt f = {t->people.impulse_x[i] / t->dt, t->people.impulse_y[i] / t->dt};
    for (size_t k = 0; k < t->people.count; k++) {
        pt from = pt_sub(at_of(t, i), at_of(t, k));
        if (k == i) continue;
        if (oracle_collide(t, i, k)) {
            pt n = pt_unit(from);
            double closing = pt_dot(pt_sub(velocity_of(t, i), velocity_of(t, k)), n);
            double impulse = -(1 + p->restitution) * closing / (1 / t->people.mass[i] + 1 / t->people.mass[k]);
            impulse /= fmax((double)oracle_count_collisions(t, i), (double)oracle_count_collisions(t, k));
            f = pt_add(f, pt_scale(impulse / t->dt, n));
        }
        pt wish = {t->people.wish_x[k], t->people.wish_y[k]};
        if (!oracle_pushes(t, p, k) || !oracle_ahead(t, p, k, i, wish, p->push_angle)) continue;
        pt away = pt_sub(from, pt_scale(t->dt, velocity_of(t, k)));
        if (pt_dot(away, wish) <= 0) away = from;
        double size = p->strength / (double)oracle_count_ahead(t, p, k, wish, p->push_angle);
        f = pt_add(f, pt_scale(size, pt_unit(away)));
    }
    return f;
}

/* What is left of a force where walls are touched, nearest first. */
static inline pt oracle_lean(const throng_step *t, size_t i, pt f) {
    oracle_neighbour near[64];
    size_t count = 0;
    for (size_t k = 0; k < t->walls->count && count < 64; k++) {
        throng_point at = throng_wall_nearest_point(t->walls, (uint32_t)k, t->people.x[i], t->people.y[i]);
        double far = hypot(t->people.x[i] - at.x, t->people.y[i] - at.y);
        if (far < t->people.radius[i] + 0.01) near[count++] = (oracle_neighbour){far, k};
    }
    qsort(near, count, sizeof *near, oracle_by_distance);
    for (int round = 0; round < 2; round++) {
        for (size_t k = 0; k < count; k++) {
            throng_point at =
                throng_wall_nearest_point(t->walls, (uint32_t)near[k].row, t->people.x[i], t->people.y[i]);
            pt n = pt_unit(pt_sub(at_of(t, i), (pt){at.x, at.y}));
            double into = -pt_dot(f, n);
            if (into > 0 && round == 0) f = pt_add(f, pt_scale(into, n));
            if (into > 1e-9 * pt_length(f) && round == 1) return (pt){0, 0};
        }
    }
    return f;
}

/* The new velocity under a force. */
static inline pt oracle_velocity(const throng_step *t, const throng_forces_params *p, size_t i, pt f) {
    program all = oracle_program(t, &p->orca, i);
    pt wish = oracle_wish(t, i), v;
    double size = pt_length(f);
    if (size <= 1e-6) return oracle_choose(&all, wish);
    pt n = pt_unit(f);
    half_plane own = {n, fmin(pt_dot(velocity_of(t, i), n) + size * t->dt / t->people.mass[i], 0.95 * all.speed)};
    for (size_t k = all.count; k > all.hard; k--) all.plane[k] = all.plane[k - 1];
    all.plane[all.hard] = own;
    all.count++;
    program hard = all;
    hard.count = hard.hard = all.hard + 1;
    if (oracle_nearest_allowed(&hard, wish, &v)) all.hard++;
    return oracle_choose(&all, wish);
}

/* What i leaves for others, and the direction around which they are. */
static inline pt oracle_left(const throng_step *t, const throng_forces_params *p, size_t i, pt f, pt new_v, pt *ahead,
                             double *degrees) {
    pt v = velocity_of(t, i), change = pt_sub(new_v, v);
    if (pt_length(f) > 1e-6) {
        pt to = pt_add(v, pt_scale(t->dt / t->people.mass[i], f)), n = pt_unit(f);
        double missed = pt_dot(pt_sub(to, new_v), n);
        *ahead = to;
        *degrees = p->resist_angle;
        return missed > 0 ? pt_scale(p->transfer * t->people.mass[i] * missed / t->dt, n) : (pt){0, 0};
    }
    *ahead = v;
    *degrees = p->decelerate_angle;
    if (pt_length(v) == 0 || pt_length(change) == 0) return (pt){0, 0};
    if (180 - angle_between(v, change) >= p->decelerate_angle) return (pt){0, 0};
    return pt_scale(-p->transfer * t->people.mass[i] / t->dt, change);
}

/* One step from carried forces to velocities and the forces carried on. */
static inline void oracle_forces_step(const throng_step *t, const throng_forces_params *p, pt *carry, pt *new_v) {
    pt *next = calloc(t->people.count, sizeof *next);
    for (size_t i = 0; i < t->people.count; i++) {
        pt f = oracle_lean(t, i, pt_add(carry[i], oracle_contact(t, p, i))), ahead;
        double degrees;
        new_v[i] = oracle_velocity(t, p, i, f);
        pt left = oracle_left(t, p, i, f, (pt){t->next_vx[i], t->next_vy[i]}, &ahead, &degrees);
        if (pt_length(left) == 0) continue;
        size_t count = oracle_count_ahead(t, p, i, ahead, degrees);
        for (size_t k = 0; k < t->people.count; k++) {
            if (oracle_ahead(t, p, i, k, ahead, degrees))
                next[k] = pt_add(next[k], pt_scale(1.0 / (double)count, left));
        }
    }
    for (size_t i = 0; i < t->people.count; i++) carry[i] = next[i];
    free(next);
}

#endif
