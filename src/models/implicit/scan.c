/* scan.c: who may matter to whom in a step, and who can at the moment; scan_kernel.h finds them. */

#include <assert.h>
#include <string.h>

#include "models/implicit/scan_kernel.h"

const throng_implicit_scans throng_implicit_scans_plain = {find_blocks, judge_blocks};

/* --- pairs that overlap, or that a foreign walker runs into */

/* Any direction, the same for both whoever asks. */
static void point_apart(const throng_implicit *s, uint32_t i, uint32_t j, double *x, double *y) {
    throng_agent a = s->now->people.id[s->near->row[i]], b = s->now->people.id[s->near->row[j]];
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

/* --- the rows */

static const throng_implicit_scans *scans_for(const throng_implicit *s) {
    return s->now->simd && throng_wide_supported() ? &throng_implicit_scans_avx2 : &throng_implicit_scans_plain;
}

static void find_rows(throng_implicit *s, bool whole) {
    s->rows.whole = whole;
    do {
        throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scans_for(s)->find);
    } while (!throng_implicit_rows_fit(s));
}

void throng_implicit_find(throng_implicit *s) {
    double most = 0;
    for (size_t k = 0; k < s->near->count; k++) most = fmax(most, s->strike[k]);
    s->strike_most = most;
    assert(s->near->count <= (size_t)1 << (THRONG_QUAD_BITS + 2));
    /* what is in rows at once or only later changes no result */
    find_rows(s, s->ask_whole || !s->all_decided);
    s->rows_found = true;
    s->ask_whole = false;
}

static void look_around(throng_implicit *s, bool everything) {
    throng_implicit_mirror(s, s->vx);
    throng_implicit_mirror(s, s->vy);
    throng_implicit_mirror(s, s->trust);
    memcpy(s->ref_x, s->vx, s->near->count * sizeof *s->vx);
    memcpy(s->ref_y, s->vy, s->near->count * sizeof *s->vy);
    s->pass_all = everything;
    s->pass_dirty = false;
    throng_implicit_glance_at_walls(s);
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scans_for(s)->judge);
}

void throng_implicit_scan(throng_implicit *s, bool everything) {
    throng_implicit_take_all(s);
    look_around(s, everything);
}

void throng_implicit_scan_dirty(throng_implicit *s) {
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t slot = s->who[k];
        if (!s->dirty[slot]) continue;
        s->ref_x[slot] = s->vx[slot];
        s->ref_y[slot] = s->vy[slot];
    }
    throng_implicit_mirror(s, s->ref_x);
    throng_implicit_mirror(s, s->ref_y);
    throng_implicit_mirror(s, s->trust);
    memset(s->stirred, 0, s->near->count / THRONG_WIDTH + 1);
    for (uint32_t slot = 0; slot < s->near->count; slot++) {
        if (s->decided[slot] && s->dirty[s->self[slot]]) s->stirred[slot >> 2] |= (uint8_t)(1u << (slot & 3));
    }
    s->pass_all = false;
    s->pass_dirty = true;
    throng_implicit_glance_at_walls(s);
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scans_for(s)->judge);
    s->pass_dirty = false;
}

void throng_implicit_scan_some(throng_implicit *s) {
    find_rows(s, true);
    look_around(s, false);
}

void throng_implicit_complete_rows(throng_implicit *s) {
    s->ask_whole = true;
    if (s->rows.whole) return;
    find_rows(s, true);
    throng_implicit_take_all(s); /* which lays out anew how rows are shared */
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scans_for(s)->judge);
}
