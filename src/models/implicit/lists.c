/* lists.c: room for rows, ties and sums, and who is decided for.
 *
 * Rows and ties are put away one after the other as they are found, by whichever worker has found them: so they take no
 * more room than they need. Where they are is left to chance and matters to nobody. When there is not enough room for
 * all, nothing is written beyond it, there is more the next time, and all is done again. */

#include <string.h>

#include "base/memory.h"
#include "base/wide.h"
#include "models/implicit/implicit.h"

void throng_implicit_lists_reserve(throng_implicit *s, size_t slots) {
    throng_implicit_rows *other = &s->other_rows;
    uint32_t **columns[] = {&s->rows.begin, &s->rows.end, &s->rows.middle, &other->begin, &other->end, &other->middle};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        *columns[c] = throng_reallocate(*columns[c], slots * sizeof(uint32_t));
    }
}

static void release_rows(const throng_implicit_rows *r) {
    void *columns[] = {r->begin, r->end, r->middle, r->quad, r->matter};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) throng_release(columns[c]);
}

static void release_ties(const throng_implicit_ties *t) {
    void *columns[] = {t->one, t->other, t->xx, t->xy, t->yy};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) throng_release(columns[c]);
}

void throng_implicit_lists_release(throng_implicit *s) {
    release_rows(&s->rows);
    release_rows(&s->other_rows);
    throng_release(s->sums);
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
        release_ties(&s->pool[kind]);
        release_ties(&s->kept_pool[kind]);
        for (size_t w = 0; w < s->workers; w++) {
            throng_release(s->scratch[w].batch[kind].one);
            throng_release(s->scratch[w].batch[kind].qx);
        }
    }
    for (size_t w = 0; w < s->workers; w++) throng_release(s->scratch[w].found);
}

/* --- rows */

void throng_implicit_put_row(throng_implicit *s, uint32_t slot, const uint32_t *found, size_t count) {
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
static bool widen_scratch(throng_implicit *s, size_t longest) {
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

bool throng_implicit_rows_fit(throng_implicit *s) {
    throng_implicit_rows *r = &s->rows;
    size_t needed = r->used;
    bool fits = widen_scratch(s, r->longest);
    r->used = r->longest = 0;
    if (needed <= r->capacity) return fits;
    r->capacity = needed + needed / 8 + 256; /* they grow as people gather */
    r->quad = throng_reallocate(r->quad, r->capacity * sizeof *r->quad);
    r->matter = throng_reallocate(r->matter, r->capacity + sizeof(uint64_t));
    memset(r->matter + r->capacity, 0, sizeof(uint64_t));
    return false;
}

/* --- ties */

static void widen_pool(throng_implicit_ties *pool, size_t capacity) {
    if (capacity <= pool->capacity) return;
    pool->capacity = capacity;
    pool->one = throng_reallocate(pool->one, capacity * sizeof *pool->one);
    pool->other = throng_reallocate(pool->other, capacity * sizeof *pool->other);
    double **columns[] = {&pool->xx, &pool->xy, &pool->yy};
    for (size_t c = 0; c < 3; c++) *columns[c] = throng_reallocate(*columns[c], capacity * sizeof **columns[c]);
}

static bool all_fit(const throng_implicit *s, int kind) {
    bool fit = s->pool[kind].capacity >= s->tie_room[kind];
    for (size_t c = 0; c < s->chunk_count; c++) {
        const throng_implicit_ties *t = &s->chunks[c].ties[kind];
        fit = fit && t->count + THRONG_WIDTH <= t->capacity;
    }
    return fit;
}

/* Gives every chunk room for a quarter more ties than it has, and as much in all as the ties kept from before have,
 * with which these change places. */
static void share_pool(throng_implicit *s, int kind) {
    throng_implicit_ties *pool = &s->pool[kind];
    size_t needed = 0, at = 0;
    for (size_t c = 0; c < s->chunk_count; c++) needed += s->chunks[c].ties[kind].count * 5 / 4 + 32;
    if (needed > s->tie_room[kind]) s->tie_room[kind] = needed;
    widen_pool(pool, s->tie_room[kind]);
    size_t more = (pool->capacity - needed) / s->chunk_count;
    for (size_t c = 0; c < THRONG_IMPLICIT_CHUNKS; c++) {
        throng_implicit_ties *t = &s->chunks[c].ties[kind];
        size_t capacity = c < s->chunk_count ? t->count * 5 / 4 + 32 + more : 0;
        *t = (throng_implicit_ties){.one = pool->one + at,
                                    .other = pool->other + at,
                                    .xx = pool->xx + at,
                                    .xy = pool->xy + at,
                                    .yy = pool->yy + at,
                                    .capacity = capacity};
        at += capacity;
    }
}

bool throng_implicit_ties_fit(throng_implicit *s) {
    bool fit = true;
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
        if (s->chunk_count == 0 || all_fit(s, kind)) continue;
        share_pool(s, kind);
        fit = false;
    }
    return fit;
}

/* --- chunks */

void throng_implicit_clear_sums(const throng_implicit *s, const throng_implicit_chunk *chunk, size_t width) {
    memset(s->sums + chunk->at, 0, (size_t)(chunk->high - chunk->low) * width * sizeof *s->sums);
}

/* The slots that get something from a chunk: of its own walkers, and of those who come after them in their rows. */
static void find_range(const throng_implicit *s, throng_implicit_chunk *c) {
    uint32_t quad = 0;
    c->low = s->who[c->begin * THRONG_IMPLICIT_BLOCK];
    for (size_t k = c->begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, c->end - 1); k++) {
        uint32_t slot = s->who[k], end = s->rows.end[slot], last = slot >> 2;
        if (end > s->rows.begin[slot] && s->rows.quad[end - 1] >> 8 > last) last = s->rows.quad[end - 1] >> 8;
        quad = last > quad ? last : quad;
    }
    c->high = 4 * quad + 4;
    if (c->high > s->near->count) c->high = (uint32_t)s->near->count;
    if (s->near->image_count == 0) return;
    /* who is seen across a seam may be anywhere */
    c->low = 0;
    c->high = (uint32_t)s->near->count;
}

/* What there is to do for the walkers of a block, about: quads that are looked at. */
static uint64_t work_of(const throng_implicit *s, size_t block) {
    const throng_implicit_rows *r = &s->rows;
    uint64_t work = 0;
    for (size_t k = block * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, block); k++) {
        uint32_t slot = s->who[k];
        work += 8 + r->end[slot] - (s->all_decided ? r->middle : r->begin)[slot];
    }
    return work;
}

/* Chunks with about as much to do, of a block each at least. */
static void lay_out_chunks(throng_implicit *s) {
    const size_t least = 4; /* blocks: smaller ones would not be worth their sums */
    size_t at = 0, count = (s->block_count + least - 1) / least, block = 0;
    if (count > THRONG_IMPLICIT_CHUNKS) count = THRONG_IMPLICIT_CHUNKS;
    s->chunk_count = count;
    uint64_t all = 0, done = 0;
    for (size_t b = 0; b < s->block_count; b++) all += work_of(s, b);
    for (size_t k = 0; k < count; k++) {
        throng_implicit_chunk *c = &s->chunks[k];
        c->begin = block;
        c->at = at;
        do {
            done += work_of(s, block++);
        } while (s->block_count - block > count - k - 1 && done < all * (k + 1) / count);
        if (k == count - 1) block = s->block_count;
        c->end = block;
        find_range(s, c);
        at += (size_t)(c->high - c->low) * THRONG_IMPLICIT_SUMS;
    }
    if (at <= s->sum_capacity) return;
    s->sum_capacity = at + at / 8;
    s->sums = throng_reallocate(s->sums, s->sum_capacity * sizeof *s->sums);
}

/* --- everybody, or some */

static void swap_rows(throng_implicit *s) {
    throng_implicit_rows rows = s->rows;
    s->rows = s->other_rows;
    s->other_rows = rows;
    s->some_rows = !s->some_rows;
}

void throng_implicit_take_rows_back(throng_implicit *s) {
    if (s->some_rows) swap_rows(s);
}

void throng_implicit_decide_for(throng_implicit *s, const uint32_t *who, size_t count) {
    s->who = who;
    s->who_count = count;
    s->block_count = (count + THRONG_IMPLICIT_BLOCK - 1) / THRONG_IMPLICIT_BLOCK;
    s->all_decided = count + s->gone == s->near->count;
    for (size_t k = 0; k < s->near->count && s->near->image_count > 0; k++) s->decided[k] = s->decided[s->self[k]];
    if (s->rows_found) lay_out_chunks(s);
}

void throng_implicit_mirror(const throng_implicit *s, double *column) {
    if (s->near->image_count == 0) return;
    for (size_t k = 0; k < s->near->count; k++) column[k] = column[s->self[k]];
}

void throng_implicit_take_all(throng_implicit *s) {
    for (size_t k = 0; k < s->mine_count; k++) s->decided[s->mine[k]] = 1;
    throng_implicit_decide_for(s, s->mine, s->mine_count);
}

void throng_implicit_take_some(throng_implicit *s) {
    size_t awake = 0;
    for (size_t k = 0; k < s->mine_count; k++) {
        uint32_t slot = s->mine[k];
        s->decided[slot] = s->dirty[slot] != 0;
        if (s->dirty[slot]) {
            s->awake[awake++] = slot;
            continue;
        }
        /* what others than those decided for have in the columns that passes read */
        s->trial_x[slot] = s->vx[slot];
        s->trial_y[slot] = s->vy[slot];
        s->step_x[slot] = s->step_y[slot] = s->dx[slot] = s->dy[slot] = 0;
    }
    s->rows_found = false;
    if (!s->some_rows) swap_rows(s);
    throng_implicit_decide_for(s, s->awake, awake);
    throng_implicit_scan_some(s);
    lay_out_chunks(s);
}
