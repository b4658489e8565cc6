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

static uint32_t round_up(uint32_t count) { return (count + 3) & ~3u; }

/* Gives every walker room for its pairs. */
static void lay_out(throng_implicit *s) {
    throng_implicit_lists *l = &s->lists;
    uint32_t at = 0;
    l->block_longest = 0;
    for (size_t b = 0; b < s->block_count; b++) {
        l->block_begin[b] = at;
        size_t first = b * THRONG_IMPLICIT_BLOCK, last = throng_implicit_block_end(s, b);
        for (size_t k = first; k < last; k++) {
            uint32_t slot = s->now->mine[k];
            l->close_begin[slot] = at;
            at += l->close_end[slot];
        }
        l->block_far[b] = at = round_up(at);
        for (size_t k = first; k < last; k++) {
            uint32_t slot = s->now->mine[k];
            l->far_begin[slot] = at;
            at += l->far_end[slot];
        }
        at = round_up(at);
        size_t length = at - l->block_begin[b];
        if (length > l->block_longest) l->block_longest = length;
    }
    l->block_begin[s->block_count] = at;
    l->count = at;
}

static void make_room(throng_implicit *s) {
    throng_implicit_lists *l = &s->lists;
    if (l->count > l->capacity) {
        l->capacity = l->count + l->count / 4 + 64;
        uint32_t **whole[] = {&l->i, &l->j, &l->seen, &l->in};
        for (size_t c = 0; c < 4; c++) *whole[c] = throng_reallocate(*whole[c], l->capacity * sizeof(uint32_t));
        double **real[] = {&l->gx, &l->gy, &l->hxx, &l->hxy, &l->hyy};
        for (size_t c = 0; c < 5; c++) *real[c] = throng_reallocate(*real[c], l->capacity * sizeof(double));
        l->close = throng_reallocate(l->close, l->capacity);
    }
    if (l->block_longest > s->scratch_capacity) {
        s->scratch_capacity = l->block_longest + l->block_longest / 4 + 64;
        s->scratch_capacity &= ~(size_t)3;
        for (size_t w = 0; w < s->workers; w++) {
            throng_implicit_scratch *room = &s->scratch[w];
            room->numbers = throng_reallocate(room->numbers, 10 * s->scratch_capacity * sizeof(double));
            room->overlaps = throng_reallocate(room->overlaps, s->scratch_capacity * sizeof(uint32_t));
        }
    }
}

/* Who is j in which pairs, in order of pairs. */
static void index_others(throng_implicit *s) {
    throng_implicit_lists *l = &s->lists;
    size_t slots = s->near->count;
    for (size_t k = 0; k <= slots; k++) l->in_begin[k] = 0;
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) l->in_begin[l->j[p] + 1]++;
        for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) l->in_begin[l->j[p] + 1]++;
    }
    for (size_t k = 0; k < slots; k++) l->in_begin[k + 1] += l->in_begin[k];
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) l->in[l->in_begin[l->j[p]]++] = p;
        for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) l->in[l->in_begin[l->j[p]]++] = p;
    }
    for (size_t k = slots; k > 0; k--) l->in_begin[k] = l->in_begin[k - 1];
    l->in_begin[0] = 0;
}

void throng_implicit_scan(throng_implicit *s, bool everything) {
    bool fast = s->now->simd && throng_wide_supported();
    throng_work scan = fast ? throng_implicit_scan_avx2 : throng_implicit_scan_plain;
    s->speed_most = prepare_walkers(s);
    s->pass_factor = everything;
    s->pass_fill = false;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scan);
    lay_out(s);
    make_room(s);
    s->pass_fill = true;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, scan);
    index_others(s);
}
