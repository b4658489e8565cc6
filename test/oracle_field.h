/* oracle_field.h: the field's own models once more, slow and from their definitions, in long double: everybody is asked
 * about everybody and every wall, and repulsion is the slope of its potential, by differences. */

#ifndef ORACLE_FIELD_H
#define ORACLE_FIELD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <throng/throng.h>

#include "testing.h"

typedef long double real;

typedef struct oracle_point {
    real x, y;
} oracle_point;

typedef struct oracle_person {
    oracle_point x, v, wish, push;
    real radius, mass, speed;
    bool foreign;
} oracle_person;

typedef struct oracle_scene {
    size_t people, walls;
    const oracle_person *person;
    oracle_point (*wall)[2];
    size_t *next; /* [wall] the one that begins where it ends; itself: none does */
    real dt;
    const char *model;
    const throng_setting *settings;
    size_t setting_count;
} oracle_scene;

static inline oracle_point o_sum(oracle_point a, real s, oracle_point b) {
    return (oracle_point){a.x + s * b.x, a.y + s * b.y};
}
static inline real o_dot(oracle_point a, oracle_point b) { return a.x * b.x + a.y * b.y; }
static inline real o_size(oracle_point a) { return hypotl(a.x, a.y); }
static inline oracle_point o_unit(oracle_point a) {
    real size = o_size(a);
    return size > 0 ? (oracle_point){a.x / size, a.y / size} : a;
}
static inline oracle_point o_left(oracle_point a) { return (oracle_point){-a.y, a.x}; }

/* A parameter: as set, or its default. */
static inline real o_param(const oracle_scene *s, const char *name) {
    for (size_t k = 0; k < s->setting_count; k++)
        if (strcmp(s->settings[k].name, name) == 0) return (real)s->settings[k].number;
    const throng_model *model = throng_model_named(s->model);
    for (size_t k = 0; k < throng_model_param_count(model); k++)
        if (strcmp(throng_model_param(model, k)->name, name) == 0) return (real)throng_model_param(model, k)->fallback;
    fail_msg("%s has no %s", s->model, name);
    return 0;
}

static inline real o_side(oracle_point a, oracle_point b, oracle_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Whether a wall other than `but` crosses the line between two points. */
static inline bool o_hidden(const oracle_scene *s, oracle_point a, oracle_point b, size_t but) {
    for (size_t k = 0; k < s->walls; k++) {
        oracle_point c = s->wall[k][0], d = s->wall[k][1];
        if (k != but && o_side(a, b, c) * o_side(a, b, d) < 0 && o_side(c, d, a) * o_side(c, d, b) < 0) return true;
    }
    return false;
}

static inline oracle_point o_nearest(const oracle_point wall[2], oracle_point p, real *along) {
    oracle_point d = o_sum(wall[1], -1, wall[0]);
    real t = o_dot(o_sum(p, -1, wall[0]), d) / o_dot(d, d);
    *along = t;
    return o_sum(wall[0], t < 0 ? 0 : t > 1 ? 1 : t, d);
}

/* Whether a wall's point nearest to somebody counts: by "segments" all do; by "once" those beside it, and corners
 * from which both walls lead away, of which the wall that begins there counts. */
static inline bool o_counts(const oracle_scene *s, size_t wall, oracle_point p, oracle_point *at) {
    real t;
    *at = o_nearest(s->wall[wall], p, &t);
    if (o_size(o_sum(*at, -1, p)) >= o_param(s, "neighbour_dist")) return false;
    if (o_param(s, "walls") > 0) return true;
    if (o_hidden(s, p, o_sum(*at, -1e-6L, o_sum(*at, -1, p)), wall)) return false;
    if (t > 0 && t < 1) return true;
    bool end = t >= 1;
    for (size_t k = 0; k < s->walls; k++) {
        if (k == wall || (end ? s->next[wall] == k : s->next[k] == wall) == false) continue;
        oracle_point away = end ? o_sum(s->wall[k][1], -1, *at) : o_sum(s->wall[k][0], -1, *at);
        return !end && o_dot(away, o_sum(p, -1, *at)) <= 0;
    }
    return true; /* the end of a thin wall */
}

/* ---- collision-free-speed: direction by the slope of a D exp((l - s) / D), speed by the least free way */

static inline real o_speed_potential(const oracle_scene *s, size_t i, oracle_point x) {
    const oracle_person *me = &s->person[i];
    real sum = 0, a = o_param(s, "repulsion"), range = o_param(s, "range");
    for (size_t j = 0; j < s->people; j++) {
        if (j == i || o_size(o_sum(s->person[j].x, -1, me->x)) >= o_param(s, "neighbour_dist")) continue;
        if (o_hidden(s, me->x, s->person[j].x, SIZE_MAX)) continue;
        real distance = o_size(o_sum(s->person[j].x, -1, x));
        sum += a * range * expl((me->radius + s->person[j].radius - distance) / range);
    }
    a = o_param(s, "wall_repulsion"), range = o_param(s, "wall_range");
    for (size_t w = 0; w < s->walls; w++) {
        oracle_point at;
        real along;
        if (!o_counts(s, w, me->x, &at)) continue;
        sum += a * range * expl((me->radius - o_size(o_sum(o_nearest(s->wall[w], x, &along), -1, x))) / range);
    }
    return sum;
}

static inline oracle_point oracle_speed(const oracle_scene *s, size_t i) {
    const real h = 1e-6L;
    const oracle_person *me = &s->person[i];
    oracle_point slope = {(o_speed_potential(s, i, o_sum(me->x, h, (oracle_point){1, 0})) -
                           o_speed_potential(s, i, o_sum(me->x, -h, (oracle_point){1, 0}))) /
                              (2 * h),
                          (o_speed_potential(s, i, o_sum(me->x, h, (oracle_point){0, 1})) -
                           o_speed_potential(s, i, o_sum(me->x, -h, (oracle_point){0, 1}))) /
                              (2 * h)};
    oracle_point e = o_unit(o_sum(o_unit(me->wish), -1, slope));
    real v = o_size(me->wish), gap = o_param(s, "headway_time");
    for (size_t j = 0; j < s->people; j++) {
        oracle_point way = o_sum(s->person[j].x, -1, me->x);
        real radii = me->radius + s->person[j].radius;
        if (j == i || o_size(way) >= o_param(s, "neighbour_dist") || o_dot(e, way) < 0) continue;
        if (fabsl(o_dot(o_left(e), way)) > radii || o_hidden(s, me->x, s->person[j].x, SIZE_MAX)) continue;
        v = fminl(v, fmaxl(0, (o_size(way) - radii) / gap));
    }
    return o_sum(o_sum((oracle_point){0, 0}, v, e), s->dt, me->push);
}

/* ---- social-force: pushes by the slope of A B exp((l - d) / B) + k g^2 / 2, friction besides */

static inline real o_force_potential(const oracle_scene *s, real strength, real depth) {
    real range = o_param(s, "range"), g = fmaxl(0, depth);
    return strength * range * expl(depth / range) + o_param(s, "stiffness") * g * g / 2;
}

/* What something at `way` does, that moves by `slip` with regard to oneself. */
static inline oracle_point o_push(const oracle_scene *s, oracle_point way, real radii, real strength, real friction,
                                  oracle_point slip) {
    const real h = 1e-7L;
    real d = o_size(way), g = fmaxl(0, radii - d);
    oracle_point n = o_sum((oracle_point){0, 0}, -1, o_unit(way)), t = o_left(n);
    real slope =
        (o_force_potential(s, strength, radii - d + h) - o_force_potential(s, strength, radii - d - h)) / (2 * h);
    return o_sum(o_sum((oracle_point){0, 0}, slope, n), friction * g * o_dot(slip, t), t);
}

static inline oracle_point oracle_force(const oracle_scene *s, size_t i) {
    const oracle_person *me = &s->person[i];
    oracle_point sum = {0, 0}, e = o_unit(me->v), none = {0, 0};
    real lambda = o_param(s, "isotropy"), tau = o_param(s, "relaxation_time");
    for (size_t j = 0; j < s->people; j++) {
        oracle_point way = o_sum(s->person[j].x, -1, me->x);
        if (j == i || o_size(way) >= o_param(s, "neighbour_dist")) continue;
        real turned = acosl(fmaxl(-1, fminl(1, o_dot(e, o_unit(way)))));
        real weight = lambda + (1 - lambda) * (1 + cosl(turned)) / 2;
        sum = o_sum(sum, 1,
                    o_push(s, way, me->radius + s->person[j].radius, weight * o_param(s, "strength"),
                           o_param(s, "friction"), o_sum(s->person[j].v, -1, me->v)));
    }
    for (size_t w = 0; w < s->walls; w++) {
        oracle_point at;
        if (!o_counts(s, w, me->x, &at)) continue;
        sum = o_sum(sum, 1,
                    o_push(s, o_sum(at, -1, me->x), me->radius, o_param(s, "wall_strength"),
                           o_param(s, "wall_friction"), o_sum(none, -1, me->v)));
    }
    oracle_point a = o_sum(o_sum(me->push, 1 / me->mass, sum), 1 / tau, o_sum(me->wish, -1, me->v));
    return o_sum(me->v, s->dt, a);
}

#endif
