/* lists.c: room for rows, ties and sums, and who is decided for.
 *
 * Rows and ties are put away one after the other as they are found, by whichever worker has found them: so they take no
 * more room than they need. Where they are is left to chance and matters to nobody. When there is not enough room for
 * all, nothing is written beyond it, there is more the next time, and all is done again. */

#include <string.h>

#include "models/implicit/implicit.h"
#include "world/memory.h"

void throng_implicit_lists_reserve(throng_implicit *s, size_t slots) {
    throng_implicit_rows *other = &s->other_rows;
    uint32_t **columns[] = {&s->rows.begin, &s->rows.end,   &s->rows.middle, &other->begin,
                            &other->end,    &other->middle, &s->ties.begin,  &s->ties.close,
                            &s->ties.count, &s->kept.begin, &s->kept.close,  &s->kept.count};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        *columns[c] = throng_reallocate(*columns[c], slots * sizeof(uint32_t));
    }
}

static void release_ties(throng_implicit_ties *t) {
    void *columns[] = {t->begin, t->close, t->count, t->other, t->xx, t->xy, t->yy};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) throng_release(columns[c]);
}

void throng_implicit_lists_release(throng_implicit *s) {
    const throng_implicit_rows *r = &s->rows, *other = &s->other_rows;
    void *columns[] = {r->begin,   r->end,        r->middle,   r->quad,       r->matter, other->begin,
                       other->end, other->middle, other->quad, other->matter, s->sums};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) throng_release(columns[c]);
    release_ties(&s->ties);
    release_ties(&s->kept);
    for (size_t w = 0; w < s->workers; w++) {
        throng_release(s->scratch[w].found);
        throng_release(s->scratch[w].picked);
        throng_release(s->scratch[w].other);
        throng_release(s->scratch[w].tie);
    }
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

/* Makes room for what a worker finds for one walker. */
static bool widen_scratch(throng_implicit *s, size_t longest) {
    if (longest <= s->row_room) return true;
    s->row_room = longest + longest / 8 + 16;
    size_t ties = throng_implicit_tie_room(s);
    for (size_t w = 0; w < s->workers; w++) {
        throng_implicit_scratch *scratch = &s->scratch[w];
        scratch->found = throng_reallocate(scratch->found, s->row_room * sizeof *scratch->found);
        scratch->picked = throng_reallocate(scratch->picked, 2 * ties * sizeof *scratch->picked);
        scratch->other = throng_reallocate(scratch->other, 2 * ties * sizeof *scratch->other);
        scratch->tie = throng_reallocate(scratch->tie, 2 * 3 * ties * sizeof *scratch->tie);
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
    r->matter = throng_reallocate(r->matter, r->capacity * sizeof *r->matter);
    return false;
}

/* --- ties */

enum { TIE_BATCH = 512 }; /* room for ties that a worker takes at a time */

/* Ties of one kind from a worker's scratch. */
static void copy_ties(const throng_implicit *s, throng_implicit_ties *t, size_t at, int worker, int kind,
                      uint32_t count) {
    const throng_implicit_scratch *scratch = &s->scratch[worker];
    size_t room = throng_implicit_tie_room(s);
    const double *tie = scratch->tie + (size_t)kind * 3 * room;
    const uint32_t *other = scratch->other + (size_t)kind * room;
    for (uint32_t n = 0; n < count; n++, at++) {
        t->other[at] = other[n];
        t->xx[at] = tie[n];
        t->xy[at] = tie[room + n];
        t->yy[at] = tie[2 * room + n];
    }
}

void throng_implicit_put_ties(throng_implicit *s, throng_implicit_ties *t, uint32_t slot, int worker, uint32_t close,
                              uint32_t far) {
    uint32_t count = close + far, padded = (count + 3) & ~3u;
    throng_implicit_scratch *scratch = &s->scratch[worker];
    if (scratch->tie_end - scratch->tie_next < padded) {
        size_t batch = padded > TIE_BATCH ? padded : TIE_BATCH;
        scratch->tie_next = atomic_fetch_add_explicit(&t->used, batch, memory_order_relaxed);
        scratch->tie_end = scratch->tie_next + batch;
    }
    size_t begin = scratch->tie_next;
    scratch->tie_next += padded;
    t->begin[slot] = (uint32_t)begin;
    t->close[slot] = close;
    t->count[slot] = count;
    if (begin + padded > t->capacity) return;
    copy_ties(s, t, begin, worker, 0, close);
    copy_ties(s, t, begin + close, worker, 1, far);
    for (size_t k = begin + count; k < begin + padded; k++) {
        t->other[k] = slot;
        t->xx[k] = t->xy[k] = t->yy[k] = 0;
    }
}

bool throng_implicit_ties_fit(throng_implicit_ties *t) {
    size_t needed = t->used;
    t->used = 0;
    if (needed <= t->capacity) return true;
    t->capacity = needed + needed / 8 + 64;
    t->other = throng_reallocate(t->other, t->capacity * sizeof *t->other);
    double **columns[] = {&t->xx, &t->xy, &t->yy};
    for (size_t c = 0; c < 3; c++) *columns[c] = throng_reallocate(*columns[c], t->capacity * sizeof **columns[c]);
    return false;
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
        *c = (throng_implicit_chunk){.begin = block, .at = at};
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
