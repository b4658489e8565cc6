/* active_set.c: who is decided for at the moment, in blocks and chunks, and the sums over them. */

#include <string.h>

#include "base/memory.h"
#include "models/implicit/solver.h"

void throng_implicit_each_block(throng_implicit_solver *s, size_t grain, throng_work work) {
    throng_parallel_for(s->walkers->now->crew, s->active.block_count, grain, work, s);
}

double throng_implicit_sum(const throng_implicit_solver *s, int part) {
    const double *sums = s->active.block_sum + (size_t)part * s->active.block_count;
    double sum = 0;
    for (size_t b = 0; b < s->active.block_count; b++) sum += sums[b];
    return sum;
}

/* --- chunks */

void throng_implicit_clear_sums(const throng_implicit_solver *s, const throng_implicit_chunk *chunk, size_t width) {
    memset(s->active.sums + chunk->at, 0, (size_t)(chunk->high - chunk->low) * width * sizeof *s->active.sums);
}

/* The slots that get something from a chunk: of its own walkers, and of those who come after them in their rows. */
static void find_range(const throng_implicit_solver *s, throng_implicit_chunk *c) {
    uint32_t quad = 0;
    c->low = s->active.who[c->begin * THRONG_IMPLICIT_BLOCK];
    for (size_t k = c->begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, c->end - 1); k++) {
        uint32_t slot = s->active.who[k], end = s->rows.end[slot], last = slot >> 2;
        if (end > s->rows.begin[slot] && s->rows.quad[end - 1] >> 8 > last) last = s->rows.quad[end - 1] >> 8;
        quad = last > quad ? last : quad;
    }
    c->high = 4 * quad + 4;
    if (c->high > s->walkers->near->count) c->high = (uint32_t)s->walkers->near->count;
    if (s->walkers->near->image_count == 0) return;
    /* who is seen across a seam may be anywhere */
    c->low = 0;
    c->high = (uint32_t)s->walkers->near->count;
}

/* What there is to do for the walkers of a block, about: quads that are looked at. */
static uint64_t work_of(const throng_implicit_solver *s, size_t block) {
    const throng_implicit_rows *r = &s->rows;
    uint64_t work = 0;
    for (size_t k = block * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, block); k++) {
        uint32_t slot = s->active.who[k];
        work += 8 + r->end[slot] - (s->active.all_decided ? r->middle : r->begin)[slot];
    }
    return work;
}

/* Chunks with about as much to do, of a block each at least. */
static void lay_out_chunks(throng_implicit_solver *s) {
    const size_t least = 4; /* blocks: smaller ones would not be worth their sums */
    size_t at = 0, count = (s->active.block_count + least - 1) / least, block = 0;
    if (count > THRONG_IMPLICIT_CHUNKS) count = THRONG_IMPLICIT_CHUNKS;
    s->active.chunk_count = count;
    uint64_t all = 0, done = 0;
    for (size_t b = 0; b < s->active.block_count; b++) all += work_of(s, b);
    for (size_t k = 0; k < count; k++) {
        throng_implicit_chunk *c = &s->active.chunks[k];
        c->begin = block;
        c->at = at;
        do {
            done += work_of(s, block++);
        } while (s->active.block_count - block > count - k - 1 && done < all * (k + 1) / count);
        if (k == count - 1) block = s->active.block_count;
        c->end = block;
        find_range(s, c);
        at += (size_t)(c->high - c->low) * THRONG_IMPLICIT_SUMS;
    }
    if (at <= s->active.sum_capacity) return;
    s->active.sum_capacity = at + at / 8;
    s->active.sums = throng_reallocate(s->active.sums, s->active.sum_capacity * sizeof *s->active.sums);
}

/* --- everybody, or some */

void throng_implicit_swap_rows(throng_implicit_solver *s) {
    throng_implicit_rows rows = s->rows;
    s->rows = s->other_rows;
    s->other_rows = rows;
    s->some_rows = !s->some_rows;
}

void throng_implicit_decide_for(throng_implicit_solver *s, const uint32_t *who, size_t count) {
    s->active.who = who;
    s->active.count = count;
    s->active.block_count = (count + THRONG_IMPLICIT_BLOCK - 1) / THRONG_IMPLICIT_BLOCK;
    s->active.all_decided = count + s->walkers->gone == s->walkers->near->count;
    for (size_t k = 0; k < s->walkers->near->count && s->walkers->near->image_count > 0; k++)
        s->active.decided[k] = s->active.decided[s->walkers->self[k]];
    if (s->rows_found) lay_out_chunks(s);
}

void throng_implicit_mirror(const throng_implicit_solver *s, double *column) {
    if (s->walkers->near->image_count == 0) return;
    for (size_t k = 0; k < s->walkers->near->count; k++) column[k] = column[s->walkers->self[k]];
}

void throng_implicit_take_all(throng_implicit_solver *s) {
    for (size_t k = 0; k < s->walkers->mine_count; k++) s->active.decided[s->walkers->mine[k]] = 1;
    throng_implicit_decide_for(s, s->walkers->mine, s->walkers->mine_count);
}

void throng_implicit_take_some(throng_implicit_solver *s) {
    size_t awake = 0;
    for (size_t k = 0; k < s->walkers->mine_count; k++) {
        uint32_t slot = s->walkers->mine[k];
        s->active.decided[slot] = s->motion.dirty[slot] != 0;
        if (s->motion.dirty[slot]) {
            s->active.awake[awake++] = slot;
            continue;
        }
        /* what others than those decided for have in the columns that passes read */
        s->motion.trial_x[slot] = s->motion.vx[slot];
        s->motion.trial_y[slot] = s->motion.vy[slot];
        s->search.step_x[slot] = s->search.step_y[slot] = s->search.dx[slot] = s->search.dy[slot] = 0;
    }
    s->rows_found = false;
    if (!s->some_rows) throng_implicit_swap_rows(s);
    throng_implicit_decide_for(s, s->active.awake, awake);
    throng_implicit_list_some(s);
    lay_out_chunks(s);
}
