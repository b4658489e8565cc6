/* workspace.c: room for what the solvers work on: columns, rows, and off-diagonal blocks.
 *
 * Rows and offdiagonals are put away one after the other as they are found, by whichever worker has found them: so they
 * take no more room than they need. Where they are is left to chance and matters to nobody. When there is not enough
 * room for all, nothing is written beyond it, there is more the next time, and all is done again. */

#include <string.h>

#include "base/memory.h"
#include "base/wide.h"
#include "models/common.h"
#include "models/implicit/solver.h"

/* --- columns by slot */

#define A(field) THRONG_ARRAY(throng_implicit_solver, field)
static const throng_array arrays[] = {
    A(motion.vx),      A(motion.vy),        A(motion.trial_x),   A(motion.trial_y), A(motion.ref_x),
    A(motion.ref_y),   A(motion.trust),     A(motion.squeezed),  A(motion.dirty),   A(slopes.gx),
    A(slopes.gy),      A(slopes.before_gx), A(slopes.before_gy), A(slopes.hxx),     A(slopes.hxy),
    A(slopes.hyy),     A(slopes.ixx),       A(slopes.ixy),       A(slopes.iyy),     A(slopes.own_xx),
    A(slopes.own_xy),  A(slopes.own_yy),    A(slopes.kept_xx),   A(slopes.kept_xy), A(slopes.kept_yy),
    A(search.step_x),  A(search.step_y),    A(search.scale),     A(search.rx),      A(search.ry),
    A(search.zx),      A(search.zy),        A(search.dx),        A(search.dy),      A(search.qx),
    A(search.qy),      A(active.awake),     A(active.decided),   A(active.stirred), A(colors.of),
    A(colors.order),   A(rows.begin),       A(rows.end),         A(rows.middle),    A(other_rows.begin),
    A(other_rows.end), A(other_rows.middle)};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

static void reserve_columns(throng_implicit_solver *s, size_t slots) {
    if (!throng_arrays_grow(s, arrays, ARRAYS, &s->capacity, slots)) return;
    size_t blocks = s->capacity / THRONG_IMPLICIT_BLOCK + 1;
    s->active.block_sum = throng_reallocate(s->active.block_sum, 4 * blocks * sizeof(double));
}

/* Whether there is as much room for workers as before; else rows have to be found anew. */
static bool reserve_scratch(throng_implicit_solver *s, size_t workers) {
    if (workers <= s->workers) return true;
    s->scratch = throng_reallocate(s->scratch, workers * sizeof *s->scratch);
    for (size_t w = s->workers; w < workers; w++) s->scratch[w] = (throng_implicit_scratch){0};
    s->workers = workers;
    s->row_room = 0;
    return false;
}

bool throng_implicit_begin_solver(throng_implicit_solver *s) {
    const throng_implicit_walkers *w = s->walkers;
    const throng_near *near = w->near;
    s->kernel = w->now->simd && throng_wide_supported() ? &throng_implicit_avx2 : &throng_implicit_plain;
    reserve_columns(s, near->count);
    bool roomy = reserve_scratch(s, (size_t)throng_crew_size(w->now->crew));
    memset(s->active.decided, 0, near->count);
    memset(s->motion.squeezed, 0, near->count);
    for (uint32_t slot = 0; slot < near->count; slot++) {
        bool own = w->own[slot];
        s->motion.vx[slot] = s->motion.trial_x[slot] = own ? w->old_x[slot] : near->vx[slot];
        s->motion.vy[slot] = s->motion.trial_y[slot] = own ? w->old_y[slot] : near->vy[slot];
        s->motion.ref_x[slot] = s->motion.vx[slot];
        s->motion.ref_y[slot] = s->motion.vy[slot];
        s->search.step_x[slot] = s->search.step_y[slot] = s->search.dx[slot] = s->search.dy[slot] = 0;
        s->motion.trust[slot] = 0;
        s->search.scale[slot] = 1;
    }
    if (s->some_rows) throng_implicit_swap_rows(s);
    return roomy;
}

/* Of one row, quad and matter alone: the others are columns. */
void throng_implicit_release_rows(const throng_implicit_rows *r) { THRONG_RELEASE(r->quad, r->matter); }

#define B(field) THRONG_ARRAY(throng_implicit_offdiagonals, field)
static const throng_array pool_arrays[] = {B(one), B(other), B(xx), B(xy), B(yy)};

void throng_implicit_release_pools(throng_implicit_offdiagonals pools[THRONG_IMPLICIT_KINDS]) {
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) throng_arrays_release(&pools[kind], pool_arrays, 5);
}

void throng_implicit_release_solver(throng_implicit_solver *s) {
    throng_arrays_release(s, arrays, ARRAYS);
    THRONG_RELEASE(s->active.sums, s->active.block_sum, s->memory);
    throng_implicit_release_rows(&s->rows);
    throng_implicit_release_rows(&s->other_rows);
    throng_implicit_release_pools(s->active.pool);
    throng_implicit_release_pools(s->active.kept_pool);
    for (size_t w = 0; w < s->workers; w++) {
        throng_release(s->scratch[w].found);
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
            THRONG_RELEASE(s->scratch[w].batch[kind].one, s->scratch[w].batch[kind].qx);
        }
    }
    throng_release(s->scratch);
}

/* --- rows */

void throng_implicit_put_row(throng_implicit_solver *s, uint32_t slot, const uint32_t *found, size_t count) {
    throng_implicit_rows *r = &s->rows;
    size_t longest = atomic_load_explicit(&r->longest, memory_order_relaxed);
    while (count > longest && !atomic_compare_exchange_weak(&r->longest, &longest, count)) continue;
    size_t begin = atomic_fetch_add_explicit(&r->used, count, memory_order_relaxed);
    if (begin + count > r->capacity || count > s->row_room) return;
    r->begin[slot] = (uint32_t)begin;
    r->end[slot] = (uint32_t)(begin + count);
    uint32_t middle = (uint32_t)begin;
    for (size_t k = 0; k < count && found[k] >> 8 < slot >> 2; k++) middle++;
    r->middle[slot] = middle;
    if (count > 0) memcpy(r->quad + begin, found, count * sizeof *found);
}

static void widen_batch(throng_implicit_batch *b, size_t room) {
    b->one = throng_reallocate(b->one, 3 * room * sizeof *b->one);
    b->other = b->one + room;
    b->live = b->other + room;
    b->qx = throng_reallocate(b->qx, 11 * room * sizeof *b->qx);
    b->qy = b->qx + room;
    b->r = b->qy + room;
    b->wx = b->r + room;
    b->wy = b->wx + room;
    double *ttc = b->wy + room;
    b->ttc = (throng_pair_terms){ttc, ttc + room, ttc + 2 * room, ttc + 3 * room, ttc + 4 * room, ttc + 5 * room};
}

/* Makes room for what a worker finds for one walker. */
bool throng_implicit_widen_scratch(throng_implicit_solver *s, size_t longest) {
    if (longest <= s->row_room) return true;
    s->row_room = longest + longest / 8 + 16;
    for (size_t w = 0; w < s->workers; w++) {
        throng_implicit_scratch *scratch = &s->scratch[w];
        scratch->found = throng_reallocate(scratch->found, s->row_room * sizeof *scratch->found);
        /* packing always writes four */
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
            widen_batch(&scratch->batch[kind], THRONG_IMPLICIT_BATCH + 4 * s->row_room + 4);
        }
    }
    return false;
}

/* Readers of `matter` take eight bytes at once and may look beyond the end of a row: there is something everywhere. */
void throng_implicit_widen_rows(throng_implicit_rows *r, size_t capacity) {
    if (capacity <= r->capacity) return;
    r->quad = throng_reallocate(r->quad, capacity * sizeof *r->quad);
    r->matter = throng_reallocate(r->matter, capacity + sizeof(uint64_t));
    memset(r->matter + r->capacity, 0, capacity - r->capacity + sizeof(uint64_t));
    r->capacity = capacity;
}

bool throng_implicit_rows_fit(throng_implicit_solver *s) {
    throng_implicit_rows *r = &s->rows;
    size_t needed = r->used;
    bool fits = throng_implicit_widen_scratch(s, r->longest);
    r->used = r->longest = 0;
    if (needed <= r->capacity) return fits;
    throng_implicit_widen_rows(r, needed + needed / 16 + 256); /* they grow as people gather */
    return false;
}

/* --- offdiagonals */

void throng_implicit_widen_pool(throng_implicit_offdiagonals *pool, size_t capacity) {
    if (capacity <= pool->capacity) return;
    pool->capacity = capacity;
    throng_arrays_resize(pool, pool_arrays, 5, capacity);
}

void throng_implicit_share_offdiagonals(throng_implicit_solver *s) {
    throng_implicit_active *a = &s->active;
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
        throng_implicit_offdiagonals *pool = &a->pool[kind];
        size_t needed = 0, at = 0;
        for (size_t c = 0; c < a->chunk_count; c++) needed += a->chunk_room[kind][c];
        throng_implicit_widen_pool(pool,
                                   needed > 0 ? needed : 1); /* never nowhere: chunks are counted from its start */
        for (size_t c = 0; c < a->chunk_count; c++) {
            size_t room = a->chunk_room[kind][c];
            a->chunks[c].offdiagonals[kind] = (throng_implicit_offdiagonals){.one = pool->one + at,
                                                                             .other = pool->other + at,
                                                                             .xx = pool->xx + at,
                                                                             .xy = pool->xy + at,
                                                                             .yy = pool->yy + at,
                                                                             .capacity = room};
            at += room;
        }
    }
}

bool throng_implicit_offdiagonals_fit(throng_implicit_solver *s) {
    bool fit = true;
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
        for (size_t c = 0; c < s->active.chunk_count; c++) {
            size_t count = s->active.chunks[c].offdiagonals[kind].count, *room = &s->active.chunk_room[kind][c];
            if (count + THRONG_WIDTH <= *room) continue;
            *room = count * 11 / 8 + 64;
            fit = false;
        }
    }
    return fit;
}
