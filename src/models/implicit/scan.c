/* scan.c: the lists of pairs that can matter in a step; scan_kernel.h finds them. */

#include <assert.h>

#include "models/implicit/scan_kernel.h"
#include "world/memory.h"

const throng_work throng_implicit_scan_plain = scan_blocks;

/* --- pairs that overlap, or that a foreign walker runs into */

/* Any direction, the same for both whoever asks. */
static void point_apart(const throng_implicit *s, uint32_t i, uint32_t j, double *x, double *y) {
    throng_agent a = s->now->id[s->near->row[i]], b = s->now->id[s->near->row[j]];
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    double t = 2 * throng_random(s->now->seed, low, high, THRONG_RANDOM_IMPLICIT) - 1, sign = a < b ? 1 : -1;
    *x = sign * (1 - t * t) / (1 + t * t);
    *y = sign * 2 * t / (1 + t * t);
}

bool throng_implicit_tight_pair(const throng_implicit *s, uint32_t i, uint32_t seen, double *qx, double *qy,
                                double *r) {
    const double least = 1e-6; /* m: centres nearer than this have no direction */
    double distance = sqrt(*qx * *qx + *qy * *qy), radii = *r;
    if (distance < least) {
        point_apart(s, i, s->self[seen], qx, qy);
        *qx *= least;
        *qy *= least;
        distance = least;
    }
    *r = throng_effective_radius(distance, radii);
    if (s->squeezed[i] && !s->own[s->self[seen]]) {
        /* Standing still must be allowed: the radii count as less than how near the other comes. */
        uint32_t j = s->self[seen];
        double reached = throng_pair_gap(*qx, *qy, 0, -s->vx[j], -s->vy[j], s->law.dt);
        double spared = reached - 0.06 * (distance - reached);
        if (spared <= *r) *r = throng_effective_radius(fmax(spared, least), *r);
    }
    return *r < radii;
}

/* --- the lists */

/* Images and foreign walkers move as their originals do. */
static double prepare_walkers(throng_implicit *s) {
    double most = 0;
    for (size_t k = 0; k < s->near->count; k++) {
        uint32_t self = s->self[k];
        if (self != k) {
            s->vx[k] = s->vx[self];
            s->vy[k] = s->vy[self];
            s->trust[k] = s->trust[self];
            continue;
        }
        double speed = sqrt(s->vx[k] * s->vx[k] + s->vy[k] * s->vy[k]) + s->trust[k];
        most = fmax(most, s->own[k] ? fmin(speed, s->cap[k]) : speed);
        s->ref_x[k] = s->vx[k];
        s->ref_y[k] = s->vy[k];
    }
    return most;
}

/* Gives blocks as much room as they have, or need, and some more. */
static void lay_out(throng_implicit *s) {
    throng_implicit_lists *l = s->lists;
    size_t at = 0;
    for (size_t b = 0; b < s->block_count; b++) {
        l->block_begin[b] = (uint32_t)at;
        at += l->block_room[b];
    }
    assert(at <= UINT32_MAX);
    throng_implicit_lists_make_room(s, l, at);
}

/* Whether all that was found had room; else makes more. */
static bool has_fitted(throng_implicit *s) {
    throng_implicit_lists *l = s->lists;
    bool fits = true;
    uint32_t longest = 0;
    for (size_t b = 0; b < s->block_count; b++) {
        uint32_t needed = l->block_end[b] - l->block_begin[b];
        longest = needed > longest ? needed : longest;
        if (needed <= l->block_room[b]) continue;
        l->block_room[b] = (needed + needed / 4 + 32) & ~3u;
        fits = false;
    }
    l->block_longest = longest;
    if (longest > s->found_capacity) {
        fits = false;
        s->found_capacity = longest + longest / 4 + 64;
        for (size_t w = 0; w < s->workers; w++) {
            uint32_t **found = &s->scratch[w].found;
            *found = throng_reallocate(*found, 2 * s->found_capacity * sizeof **found);
        }
    }
    return fits;
}

void throng_implicit_scan(throng_implicit *s, bool everything) {
    bool fast = s->now->simd && throng_wide_supported();
    throng_work scan = fast ? throng_implicit_scan_avx2 : throng_implicit_scan_plain;
    throng_implicit_take_all(s);
    s->speed_most = prepare_walkers(s);
    throng_implicit_glance_at_walls(s, everything);
    s->pass_factor = everything;
    do {
        lay_out(s);
        throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scan);
    } while (!has_fitted(s));
    throng_implicit_lists_make_room(s, s->lists, 0);
    throng_implicit_lists_index(s, s->lists);
}
