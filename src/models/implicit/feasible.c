/* feasible.c: from any velocities to some that touch nobody and nothing within the step.
 *
 * Where a pair would lose more than nine tenths of its gap g0, the speed with which the two approach each other along
 * the line n0 between them is reduced to what costs 0.9 g0; that suffices, since then they stay apart along n0. This is
 * repeated from pair to pair until all are content. Whoever is not after many rounds goes half as fast, and half of
 * that, and stands. Standing still is always allowed next to those who stand and to walls. Next to others who do not
 * yield it may not be: then the radii that count are reduced to what can be had (throng_implicit_tight_pair). */

#include <string.h>

#include "models/implicit/solver.h"

static const double keep = 0.1;   /* of the gap; more than kr / 2, or the repulsion would be infinite */
static const double relax = 1.05; /* over-relaxation */
enum { ROUNDS = 40, HALVINGS = 20, SCANS = 8 };

/* Whether a pair would come too near, and the approach that is too much, m/s along n. */
static bool is_too_near(const throng_implicit_solver *s, uint32_t i, uint32_t seen, double *excess, double *nx,
                        double *ny) {
    uint32_t j = s->walkers->self[seen];
    double qx, qy, r, wx = s->motion.vx[i] - s->motion.vx[j], wy = s->motion.vy[i] - s->motion.vy[j];
    throng_implicit_pair(s, i, seen, &qx, &qy, &r);
    /* most are so far apart that rough bounds tell */
    double way = r + s->walkers->law.dt * (fabs(wx) + fabs(wy)) / (1 - keep);
    if (way * way < qx * qx + qy * qy) return false;
    double distance = sqrt(qx * qx + qy * qy), gap = distance - r, approach = (wx * qx + wy * qy) / distance;
    *excess = approach - (1 - keep) * gap / s->walkers->law.dt;
    *nx = qx / distance;
    *ny = qy / distance;
    return *excess > 0 && throng_pair_gap(qx, qy, r, wx, wy, s->walkers->law.dt) < keep * gap;
}

static bool ease_pair(throng_implicit_solver *s, uint32_t i, uint32_t seen) {
    double excess, nx, ny;
    if (!is_too_near(s, i, seen, &excess, &nx, &ny)) return false;
    uint32_t j = s->walkers->self[seen];
    double share = s->walkers->own[j] ? 0.5 : 1, change = relax * share * excess;
    s->motion.vx[i] -= change * nx;
    s->motion.vy[i] -= change * ny;
    s->motion.dirty[i] = 2;
    if (!s->walkers->own[j]) return true;
    s->motion.vx[j] += change * nx;
    s->motion.vy[j] += change * ny;
    s->motion.dirty[j] = 2;
    return true;
}

/* The same with the walls of a walker; `change` false only looks. */
static bool ease_walls(throng_implicit_solver *s, uint32_t slot, bool change) {
    bool found = false;
    if (s->walls->gap[slot] > s->walkers->cap[slot] * s->walkers->law.dt) return false;
    for (uint32_t k = 0; k < s->walls->touch_count[slot]; k++) {
        const throng_wall_piece *wall = s->walls->pieces + s->walls->begin[slot] + k;
        double r = throng_effective_radius(wall->distance, s->walkers->near->radius[slot]), gap = wall->distance - r;
        if (gap > s->walkers->cap[slot] * s->walkers->law.dt) break; /* and all that follow */
        double excess =
            s->motion.vx[slot] * wall->nx + s->motion.vy[slot] * wall->ny - (1 - keep) * gap / s->walkers->law.dt;
        if (!(excess > 0)) continue;
        if (throng_wall_gap(wall, 1, r, s->motion.vx[slot], s->motion.vy[slot], s->walkers->law.dt) >= keep * gap)
            continue;
        found = true;
        if (!change) return true;
        s->motion.vx[slot] -= relax * excess * wall->nx;
        s->motion.vy[slot] -= relax * excess * wall->ny;
        s->motion.dirty[slot] = 2;
    }
    return found;
}

/* Whether a walker would come too near to anybody. */
static bool is_anybody_too_near(const throng_implicit_solver *s, uint32_t slot) {
    const throng_implicit_rows *r = &s->rows;
    double excess, nx, ny;
    for (uint32_t q = r->begin[slot]; (q = throng_implicit_next(r, slot, q, THRONG_CLOSE)) < r->end[slot]; q++) {
        for (unsigned close = r->matter[q] & THRONG_LANES; close; close &= close - 1) {
            if (is_too_near(s, slot, throng_implicit_slot(r->quad[q], close), &excess, &nx, &ny)) return true;
        }
    }
    return false;
}

/* Eases those pairs of a walker in which somebody was changed; pairs of two own walkers come up in the row of the
 * first. */
static bool ease_row(throng_implicit_solver *s, uint32_t slot) {
    const throng_implicit_rows *r = &s->rows;
    bool any = false;
    for (uint32_t q = r->begin[slot]; (q = throng_implicit_next(r, slot, q, THRONG_CLOSE)) < r->end[slot]; q++) {
        for (unsigned close = r->matter[q] & THRONG_LANES; close; close &= close - 1) {
            uint32_t seen = throng_implicit_slot(r->quad[q], close), j = s->walkers->self[seen];
            bool own = s->walkers->own[j];
            if (own && j < slot) continue;
            if ((s->motion.dirty[slot] || (own && s->motion.dirty[j])) && ease_pair(s, slot, seen)) any = true;
        }
    }
    return any;
}

/* Marks the walkers of some blocks who would come too near to something. */
static void mark_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k];
        s->motion.dirty[slot] = ease_walls(s, slot, false) || is_anybody_too_near(s, slot);
    }
}

/* Marks all who would. Returns whether there is anybody. */
static bool mark_all(throng_implicit_solver *s) {
    bool any = false;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, mark_blocks);
    for (size_t k = 0; k < s->active.count; k++) any = any || s->motion.dirty[s->active.who[k]];
    return any;
}

/* Eases everybody marked and those who were changed by it, round by round. False: there are some left. */
static bool ease_all(throng_implicit_solver *s) {
    for (int round = 0; round < ROUNDS; round++) {
        bool any = false;
        for (size_t k = 0; k < s->active.count; k++) {
            uint32_t slot = s->active.who[k];
            uint8_t me = s->motion.dirty[slot];
            if (me && ease_walls(s, slot, true)) any = true;
            if (ease_row(s, slot)) any = true;
        }
        if (!any) return true;
        /* who was changed in this round is looked at in the next */
        for (size_t k = 0; k < s->active.count; k++) s->motion.dirty[s->active.who[k]] >>= 1;
    }
    return false;
}

/* Who still would come too near goes half as fast; both of a pair do. Returns whether there was anybody. */
static bool slow_down(throng_implicit_solver *s, double factor) {
    if (!mark_all(s)) return false;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        if (!s->motion.dirty[slot]) continue;
        bool stands = s->motion.vx[slot] == 0 && s->motion.vy[slot] == 0;
        if (stands || factor == 0) {
            const throng_implicit_walkers *w = s->walkers;
            bool foreign = w->near->count - w->near->image_count > w->mine_count + w->gone;
            s->counts->squeezed += !s->motion.squeezed[slot] && foreign;
            s->motion.squeezed[slot] = 1;
        }
        s->motion.vx[slot] *= factor;
        s->motion.vy[slot] *= factor;
    }
    return true;
}

static void trust_all(throng_implicit_solver *s, double radius) {
    for (size_t k = 0; k < s->active.count; k++) s->motion.trust[s->active.who[k]] = radius;
}

static void limit_speeds(throng_implicit_solver *s) {
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        double speed = sqrt(s->motion.vx[slot] * s->motion.vx[slot] + s->motion.vy[slot] * s->motion.vy[slot]),
               most = 0.9 * s->walkers->cap[slot];
        if (!(speed > most)) continue;
        s->motion.vx[slot] *= most / speed;
        s->motion.vy[slot] *= most / speed;
    }
}

/* Looks at everybody again after velocities have left what was trusted. False: some are too near still. */
static bool project(throng_implicit_solver *s, double trust) {
    for (int scan = 0; scan < SCANS; scan++) {
        limit_speeds(s);
        trust_all(s, trust);
        throng_implicit_list_around(s, false);
        if (!mark_all(s)) return true;
        bool all = ease_all(s);
        limit_speeds(s);
        if (!all) return false;
        if (throng_implicit_is_trusted(s, s->motion.vx, s->motion.vy) && !mark_all(s)) return true;
        trust *= 1.5;
    }
    return false;
}

/* Slows down until nobody comes too near; standing still at the latest. */
static void give_way(throng_implicit_solver *s, double trust) {
    s->counts->standstills++;
    for (int tries = 0; tries < HALVINGS + (int)s->active.count; tries++) {
        trust_all(s, trust);
        throng_implicit_list_around(s, false);
        if (!slow_down(s, tries < HALVINGS ? 0.5 : 0)) return;
    }
}

static double first_trust(const throng_implicit_solver *s) { return fmin(0.1, fmax(0.03, 0.5 * s->walkers->law.dt)); }

double throng_implicit_trust_a_little(throng_implicit_solver *s) {
    trust_all(s, first_trust(s));
    throng_implicit_list_around(s, false);
    return throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 2);
}

double throng_implicit_make_feasible(throng_implicit_solver *s) {
    double trust = first_trust(s);
    if (!project(s, trust)) give_way(s, trust);
    double value = throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 2);
    for (int tries = 0; tries < 10 && !(value < INFINITY); tries++) {
        double factor = tries < 8 ? 0.5 : 0;
        for (size_t k = 0; k < s->active.count; k++) {
            uint32_t slot = s->active.who[k];
            s->motion.vx[slot] *= factor;
            s->motion.vy[slot] *= factor;
            if (factor == 0) s->motion.squeezed[slot] = 1;
        }
        throng_implicit_list_around(s, false);
        value = throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 2);
    }
    return value;
}

double throng_implicit_trust_wholly(throng_implicit_solver *s) {
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        double speed = sqrt(s->motion.vx[slot] * s->motion.vx[slot] + s->motion.vy[slot] * s->motion.vy[slot]);
        s->motion.trust[slot] = s->walkers->cap[slot] + speed;
    }
    throng_implicit_list_around(s, true);
    return throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 1);
}

double throng_implicit_stand(throng_implicit_solver *s) {
    for (size_t k = 0; k < s->active.count; k++) {
        s->motion.vx[s->active.who[k]] = s->motion.vy[s->active.who[k]] = 0;
    }
    double value = throng_implicit_trust_wholly(s);
    if (value < INFINITY) return value;
    /* somebody else runs into somebody */
    for (size_t k = 0; k < s->active.count; k++) s->motion.squeezed[s->active.who[k]] = 1;
    s->counts->squeezed++;
    return throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 1);
}
