/* neighbour_lists.c: who may matter to whom in a step, and who can at the moment; neighbour_lists_kernel.h finds them.
 */

#include <assert.h>
#include <string.h>

#include "base/wide.h"
#include "models/implicit/solver.h"

/* --- pairs that overlap, or that a foreign walker runs into */

/* Any direction, the same for both whoever asks. */
static void point_apart(const throng_implicit_solver *s, uint32_t i, uint32_t j, double *x, double *y) {
    throng_agent a = s->walkers->now->people.id[s->walkers->near->row[i]],
                 b = s->walkers->now->people.id[s->walkers->near->row[j]];
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    double t = 2 * throng_random(s->walkers->now->seed, low, high, THRONG_RANDOM_IMPLICIT) - 1, sign = a < b ? 1 : -1;
    *x = sign * (1 - t * t) / (1 + t * t);
    *y = sign * 2 * t / (1 + t * t);
}

bool throng_implicit_tight_pair(const throng_implicit_solver *s, uint32_t i, uint32_t seen, double *qx, double *qy,
                                double *r) {
    const double least = 1e-6; /* m: centres nearer than this have no direction */
    double distance = sqrt(*qx * *qx + *qy * *qy), radii = *r;
    if (distance < least) {
        point_apart(s, i, s->walkers->self[seen], qx, qy);
        *qx *= least;
        *qy *= least;
        distance = least;
    }
    *r = throng_effective_radius(distance, radii);
    if (s->motion.squeezed[i] && !s->walkers->own[s->walkers->self[seen]]) {
        /* Standing still must be allowed: the radii count as less than how near the other comes. */
        uint32_t j = s->walkers->self[seen];
        double reached = throng_pair_gap(*qx, *qy, 0, -s->motion.vx[j], -s->motion.vy[j], s->walkers->law.dt);
        double spared = reached - 0.06 * (distance - reached);
        if (spared <= *r) *r = throng_effective_radius(fmax(spared, least), *r);
    }
    return *r < radii;
}

/* --- the rows */

static void find_rows(throng_implicit_solver *s, bool whole) {
    s->rows.whole = whole;
    do {
        throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, s->kernel->find);
    } while (!throng_implicit_rows_fit(s));
}

void throng_implicit_find_neighbours(throng_implicit_solver *s) {
    assert(s->walkers->near->count <= (size_t)1 << (THRONG_QUAD_BITS + 2));
    /* what is in rows at once or only later changes no result */
    find_rows(s, s->ask_whole || throng_implicit_has_others(s->walkers));
    s->ask_whole = false;
}

/* Takes the velocities of some as the centres of their trust regions, and lets images have them. */
static void set_reference(throng_implicit_solver *s, bool only_dirty) {
    const throng_implicit_motion *m = &s->motion;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        if (only_dirty && !m->dirty[slot]) continue;
        m->ref_x[slot] = m->vx[slot];
        m->ref_y[slot] = m->vy[slot];
    }
    throng_implicit_mirror(s, m->ref_x);
    throng_implicit_mirror(s, m->ref_y);
    throng_implicit_mirror(s, m->trust);
}

static void judge_rows(throng_implicit_solver *s, bool everything, bool only_dirty) {
    s->pass.everything = everything;
    s->pass.only_dirty = only_dirty;
    throng_implicit_glance_at_walls(s);
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, s->kernel->judge);
}

void throng_implicit_list_around(throng_implicit_solver *s, bool everything) {
    throng_implicit_take_all(s);
    set_reference(s, false);
    judge_rows(s, everything, false);
}

static void stir(const throng_implicit_solver *s, uint32_t slot) {
    if (s->active.decided[slot] && s->motion.dirty[s->walkers->self[slot]])
        s->active.stirred[slot >> 2] |= (uint8_t)(1u << (slot & 3));
}

void throng_implicit_list_dirty(throng_implicit_solver *s) {
    set_reference(s, true);
    if (s->active.stirred) {
        memset(s->active.stirred, 0, s->walkers->near->count / THRONG_WIDTH + 1);
        for (size_t k = 0; k < s->active.count; k++) stir(s, s->active.who[k]);
        for (size_t k = 0; k < s->island.image_count; k++) stir(s, s->island.images[k]);
    }
    judge_rows(s, false, true);
    s->pass.only_dirty = false;
}

void throng_implicit_list_some(throng_implicit_solver *s) {
    find_rows(s, true);
    for (size_t k = 0; k < s->island.count; k++) {
        uint32_t slot = s->island.who[k];
        s->motion.ref_x[slot] = s->motion.vx[slot];
        s->motion.ref_y[slot] = s->motion.vy[slot];
    }
    set_reference(s, false);
    judge_rows(s, false, false);
}

/* Those of an island among others are put away elsewhere. */
void throng_implicit_complete_rows(throng_implicit_solver *s) {
    s->ask_whole = true;
    if (s->rows.whole) return;
    if (!s->alone && !s->some_rows) throng_implicit_swap_rows(s);
    find_rows(s, true);
    throng_implicit_take_all(s); /* which lays out anew how rows are shared */
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, s->kernel->judge);
}
