/* oracle_pbd.h: `pbd` once more, slow and from the definition: everybody looks at everybody, in double, without lists,
 * cells or lanes. People are points in arrays; walls are segments that are left by the nearest point. */

#ifndef ORACLE_PBD_H
#define ORACLE_PBD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "models/pbd/pbd.h"

enum { ORACLE_MOST = 400 };

typedef struct oracle_vector {
    double x, y;
} oracle_vector;

typedef struct oracle_person {
    oracle_vector at, velocity, wish, push;
    oracle_vector planned;   /* the velocity that a sub-step begins with */
    oracle_vector next;      /* x* */
    oracle_vector corrected; /* what becomes of it in a sweep */
    double radius, mass, speed, max_speed;
    int group;
    bool foreign; /* goes on as it does */
    const throng_pbd_params *law;
} oracle_person;

typedef struct oracle_scene {
    size_t people, walls;
    bool ahead[ORACLE_MOST][ORACLE_MOST]; /* j is among those whom i anticipates in this step */
    oracle_person person[ORACLE_MOST];
    oracle_vector wall[ORACLE_MOST][2];
} oracle_scene;

static inline oracle_vector oracle_minus(oracle_vector a, oracle_vector b) {
    return (oracle_vector){a.x - b.x, a.y - b.y};
}
static inline oracle_vector oracle_plus(oracle_vector a, double f, oracle_vector b) {
    return (oracle_vector){a.x + f * b.x, a.y + f * b.y};
}
static inline double oracle_dot(oracle_vector a, oracle_vector b) { return a.x * b.x + a.y * b.y; }
static inline double oracle_length(oracle_vector a) { return hypot(a.x, a.y); }
static inline double oracle_inverse_mass(const oracle_person *p) { return p->foreign ? 0 : 1 / p->mass; }
static inline double oracle_share(const oracle_person *i, const oracle_person *j) {
    return oracle_inverse_mass(i) / (oracle_inverse_mass(i) + oracle_inverse_mass(j));
}
/* The unit of time and of length of somebody's parameters. */
static inline double oracle_clock(const oracle_person *p) {
    return p->law->units == THRONG_PBD_METRIC ? 1.4 * p->radius / fmax(p->speed, 0.1) : 1;
}
/* Collisions later than tau0, or so late that less than a twentieth of the stiffness is left, do not matter. */
static inline double oracle_horizon(const oracle_person *p) {
    return oracle_clock(p) * fmin(p->law->tau0, sqrt(p->law->tau0 * log(20)));
}
static inline double oracle_yard(const oracle_person *p) { return p->law->units == THRONG_PBD_METRIC ? p->radius : 1; }

/* Away from all walls that are nearer than `distance`, the nearest first. */
static inline oracle_vector oracle_off_walls(const oracle_scene *s, oracle_vector p, double distance) {
    for (int round = 0; round < 1000; round++) {
        double nearest = INFINITY;
        oracle_vector away = {0, 0};
        for (size_t k = 0; k < s->walls; k++) {
            oracle_vector a = s->wall[k][0], along = oracle_minus(s->wall[k][1], a);
            double t = oracle_dot(oracle_minus(p, a), along) / oracle_dot(along, along);
            oracle_vector from = oracle_minus(p, oracle_plus(a, fmin(fmax(t, 0), 1), along));
            if (oracle_length(from) < nearest) nearest = oracle_length(from), away = from;
        }
        if (nearest >= distance - 1e-9) break;
        p = oracle_plus(p, (distance - nearest) / nearest, away);
    }
    return p;
}

/* --- the constraints: how i is to move because of j; false when the constraint is not active */

static inline bool oracle_apart(const oracle_person *i, const oracle_person *j, oracle_vector *out) {
    oracle_vector p = oracle_minus(i->at, j->at);
    double d = oracle_length(p), c = d - (i->radius + j->radius);
    if (c >= 0) return false;
    *out = oracle_plus((oracle_vector){0, 0}, -oracle_share(i, j) * c / d, p);
    return true;
}

static inline bool oracle_short_range(const oracle_person *i, const oracle_person *j, oracle_vector *out) {
    oracle_vector p = oracle_minus(i->next, j->next);
    double d = oracle_length(p), c = d - i->law->expansion * (i->radius + j->radius), share = oracle_share(i, j);
    if (c >= 0) return false;
    oracle_vector n = {p.x / d, p.y / d};
    oracle_vector way = oracle_minus(oracle_minus(i->next, i->at), oracle_minus(j->next, j->at));
    oracle_vector across = oracle_plus(way, -oracle_dot(way, n), n);
    double slip = oracle_length(across), hold = slip > 0 ? fmin(1, i->law->friction * -c / slip) : 0;
    *out = oracle_plus(oracle_plus((oracle_vector){0, 0}, -share * c, n), -share * hold, across);
    return true;
}

/* The velocity somebody wants, with the outside force. */
static inline oracle_vector oracle_wanted(const oracle_person *p) {
    return p->foreign ? p->velocity : oracle_plus(p->wish, p->law->relaxation_time, p->push);
}

static inline bool oracle_long_range(const oracle_person *i, const oracle_person *j, double h, oracle_vector *out) {
    const throng_pbd_params *law = i->law;
    double r = i->radius + j->radius, share = oracle_share(i, j), tau0 = law->tau0 * oracle_clock(i);
    oracle_vector p = oracle_minus(i->at, j->at);
    oracle_vector way = oracle_minus(oracle_minus(i->next, i->at), oracle_minus(j->next, j->at));
    oracle_vector u = {way.x / h, way.y / h};
    double a = oracle_dot(u, u), b = -oracle_dot(p, u), c = oracle_dot(p, p) - r * r;
    if (law->anticipation == THRONG_PBD_NONE || b <= 0 || c < 0 || b * b - a * c <= 0 || a < 1e-8) return false;
    double tau = (b - sqrt(b * b - a * c)) / a;
    if (!(tau > 0 && tau < oracle_horizon(i))) return false;
    double without = h * floor(tau / h);
    oracle_vector q = oracle_plus(p, without + h, u);
    double d = oracle_length(q), depth = r - d;
    if (depth <= 0 || d < 1e-6 * r) return false;
    oracle_vector n = {q.x / d, q.y / d}, across = oracle_plus(way, -oracle_dot(way, n), n);
    double late = exp(-without * without / (tau0 * oracle_clock(i)));
    double k = late * (1 - pow(1 - law->stiffness, 6 / law->iterations));
    double slide = late * (1 - pow(1 - law->avoidance_stiffness, 6 / law->iterations));
    *out = (oracle_vector){0, 0};
    if (law->anticipation != THRONG_PBD_AVOIDANCE) *out = oracle_plus(*out, k * share * depth, n);
    oracle_vector mine = oracle_wanted(i), other = oracle_wanted(j);
    double wishes = oracle_length(mine) * oracle_length(other);
    double slides = wishes > 0 ? fmin(1, 1 - oracle_dot(mine, other) / wishes) : 1;
    if (law->anticipation != THRONG_PBD_NORMAL) *out = oracle_plus(*out, slide * share * slides, across);
    return true;
}

/* --- a sub-step */

enum { ORACLE_STABILITY, ORACLE_LONG, ORACLE_SHORT };

static inline oracle_vector oracle_shorten(oracle_vector v, double most) {
    double length = oracle_length(v);
    return length > most ? (oracle_vector){v.x * most / length, v.y * most / length} : v;
}

/* How far somebody sees: three mean free paths of a look among those in the 25 squares around it, but 8 of its lengths
 * at least. Squares are as wide as four times the radius of who came first, up to a factor of 2, by powers of 4. */
static inline double oracle_sight(const oracle_scene *s, size_t i) {
    double square = pow(4, floor(log(8 * s->person[0].radius) / log(4))), radii = 0;
    oracle_vector at = s->person[i].at;
    for (size_t j = 0; j < s->people; j++) {
        oracle_vector to = s->person[j].at;
        if (i != j && fabs(floor(at.x / square) - floor(to.x / square)) <= 2 &&
            fabs(floor(at.y / square) - floor(to.y / square)) <= 2)
            radii += s->person[j].radius;
    }
    return fmax(8 * oracle_yard(&s->person[i]), radii > 0 ? log(20) * 25 * square * square / (2 * radii) : INFINITY);
}

/* Whether somebody is anticipated: at the start of the step within reach and sight, which is farther to larger ones, in
 * the disc around where one will be out of which others can come, and near or on collision course before the horizon,
 * with discs a quarter larger. */
static inline bool oracle_is_ahead(const oracle_person *i, const oracle_person *j, double sight, double h) {
    oracle_vector p = oracle_minus(i->at, j->at), u = oracle_minus(oracle_minus(i->next, j->next), p);
    double r = 1.25 * (i->radius + j->radius), c = oracle_dot(p, p) - r * r;
    double a = oracle_dot(u, u) / (h * h), b = -oracle_dot(p, u) / h;
    double yard = oracle_yard(i), larger = fmax(i->radius + j->radius - 2 * yard, 0);
    double reach = fmin(i->law->reach * yard, sight) + larger;
    double horizon = oracle_horizon(i), across = fmax(horizon * i->speed, 8 * yard) + i->radius + j->radius;
    oracle_vector middle = oracle_plus((oracle_vector){0, 0}, horizon, oracle_shorten(i->planned, i->speed));
    if (oracle_length(p) >= reach || oracle_length(oracle_plus(p, 1, middle)) >= across) return false;
    return c < 0 || (b > 0 && b * b > a * c && oracle_length(p) < r + horizon * sqrt(a));
}

static inline double oracle_top(const oracle_person *p) {
    return fmin(p->law->max_speed_factor * p->speed, p->max_speed);
}

/* Nobody gets faster by the long range than planned, before, or forward up to its top speed. */
static inline void oracle_keep_calm(oracle_person *me, double h) {
    bool anyway = me->law->hurry == THRONG_PBD_ANYWAY ||
                  (me->law->hurry == THRONG_PBD_BY_UNITS && me->law->units == THRONG_PBD_PAPER);
    oracle_vector before = oracle_minus(me->next, me->at), way = oracle_plus(before, 1, me->corrected);
    oracle_vector wanted = oracle_plus(me->wish, me->law->relaxation_time, me->push);
    double forward = oracle_length(wanted) > 0 ? oracle_dot(way, wanted) / oracle_length(wanted) : 0;
    forward = anyway ? h * oracle_top(me) : fmin(forward, h * oracle_top(me));
    double most = fmax(fmax(h * oracle_length(me->planned), oracle_length(before)), forward);
    if (oracle_length(way) > most)
        me->corrected = oracle_minus(oracle_plus((oracle_vector){0, 0}, most / oracle_length(way), way), before);
}

/* Everybody's average of the constraints of a kind. */
static inline void oracle_sweep(oracle_scene *s, int kind, double h) {
    for (size_t i = 0; i < s->people; i++) {
        oracle_person *me = &s->person[i];
        oracle_vector sum = {0, 0}, one;
        int count = 0;
        for (size_t j = 0; j < s->people && !me->foreign; j++) {
            const oracle_person *other = &s->person[j];
            bool acts = i != j && (kind == ORACLE_STABILITY ? oracle_apart(me, other, &one)
                                   : kind == ORACLE_SHORT   ? oracle_short_range(me, other, &one)
                                                            : s->ahead[i][j] && oracle_long_range(me, other, h, &one));
            if (!acts) continue;
            sum = oracle_plus(sum, 1, one);
            count++;
        }
        double averaging = me->law->averaging * (kind == ORACLE_SHORT ? me->law->contact_stiffness : 1);
        me->corrected = oracle_plus((oracle_vector){0, 0}, count ? averaging / count : 0, sum);
    }
    for (size_t i = 0; i < s->people; i++) {
        oracle_person *me = &s->person[i];
        if (me->foreign) continue;
        oracle_vector before = me->at;
        if (kind == ORACLE_STABILITY) {
            me->at = oracle_off_walls(s, oracle_plus(me->at, 1, me->corrected), me->radius);
            me->next = oracle_plus(me->next, 1, oracle_minus(me->at, before));
        } else {
            if (kind == ORACLE_LONG) oracle_keep_calm(me, h);
            me->next = oracle_plus(me->next, 1, me->corrected);
            double most = h * fmax(fmax(oracle_top(me), 0.5), oracle_length(me->planned));
            if (kind == ORACLE_SHORT && me->law->clamp == THRONG_PBD_WHOLE)
                me->next = oracle_plus(me->at, 1, oracle_shorten(oracle_minus(me->next, me->at), most));
            if (kind == ORACLE_SHORT) me->next = oracle_off_walls(s, me->next, me->radius * me->law->expansion);
        }
    }
}

/* What cohesion over a time adds to somebody's velocity. */
static inline oracle_vector oracle_cohesion(const oracle_scene *s, size_t i, const oracle_vector *v, double time) {
    const oracle_person *me = &s->person[i];
    double reach = me->law->cohesion_reach * oracle_yard(me), weight = 1;
    oracle_vector sum = {0, 0};
    for (size_t j = 0; j < s->people; j++) {
        const oracle_person *other = &s->person[j];
        double d = oracle_length(oracle_minus(me->next, other->next)) / reach;
        bool printed = me->law->cohesion == THRONG_PBD_PRINTED;
        if (i == j || d >= 1 || (!printed && (other->group != me->group || other->foreign))) continue;
        double w = pow(1 - d * d, 3);
        weight += w;
        sum = oracle_plus(sum, w, oracle_minus(v[j], v[i]));
    }
    double printed = me->law->cohesion_c * 315 / (64 * 3.14159265358979323846 * pow(me->law->cohesion_reach, 3));
    double factor = me->law->cohesion == THRONG_PBD_NO_COHESION ? 0
                    : me->law->cohesion == THRONG_PBD_PRINTED   ? printed
                                                                : (1 - exp(-time / me->law->cohesion_time)) / weight;
    return (oracle_vector){factor * sum.x, factor * sum.y};
}

static inline void oracle_substep(oracle_scene *s, double h, double cohesion_time, bool first) {
    const throng_pbd_params *any = s->person[0].law;
    oracle_vector v[ORACLE_MOST];
    for (size_t i = 0; i < s->people; i++) {
        oracle_person *me = &s->person[i];
        double a = fmin(h / me->law->relaxation_time, 1);
        me->planned = oracle_plus(oracle_plus((oracle_vector){0, 0}, 1 - a, me->velocity), a, me->wish);
        me->planned =
            oracle_shorten(oracle_plus(me->planned, h, me->push), fmax(oracle_top(me), oracle_length(me->velocity)));
        if (me->foreign) me->planned = me->velocity;
        me->next = oracle_plus(me->at, h, me->planned);
    }
    for (size_t i = 0; first && i < s->people; i++) {
        double sight = oracle_sight(s, i);
        for (size_t j = 0; j < s->people; j++) s->ahead[i][j] = oracle_is_ahead(&s->person[i], &s->person[j], sight, h);
    }
    for (int k = 0; k < (int)any->stability_iterations; k++) oracle_sweep(s, ORACLE_STABILITY, h);
    for (int k = 0; k < (int)any->iterations; k++) {
        oracle_sweep(s, ORACLE_LONG, h);
        oracle_sweep(s, ORACLE_SHORT, h);
    }
    for (size_t i = 0; i < s->people; i++) {
        v[i] = oracle_minus(s->person[i].next, s->person[i].at);
        v[i] = (oracle_vector){v[i].x / h, v[i].y / h};
    }
    for (size_t i = 0; i < s->people; i++) {
        oracle_person *me = &s->person[i];
        if (me->foreign) continue;
        oracle_vector w = v[i];
        if (cohesion_time > 0 || me->law->cohesion == THRONG_PBD_PRINTED)
            w = oracle_plus(w, 1, oracle_cohesion(s, i, v, cohesion_time));
        oracle_vector change = oracle_shorten(oracle_minus(w, me->velocity), me->law->max_acceleration * h);
        me->corrected = oracle_shorten(oracle_plus(me->velocity, 1, change),
                                       fmin(me->law->max_speed_factor * me->speed, me->max_speed));
    }
    for (size_t i = 0; i < s->people; i++) {
        s->person[i].at = s->person[i].next;
        if (!s->person[i].foreign) s->person[i].velocity = s->person[i].corrected;
    }
}

/* A step of the world, in at most four sub-steps. */
static inline void oracle_step(oracle_scene *s, double dt, int substeps) {
    for (int k = 0; k < substeps; k++) oracle_substep(s, dt / substeps, k == substeps - 1 ? dt : 0, k == 0);
}

#endif
