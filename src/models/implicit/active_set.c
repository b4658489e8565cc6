/* active_set.c: who is decided for at the moment, in blocks and chunks, and the sums over them. */

#include <string.h>

#include "base/memory.h"
#include "models/implicit/solver.h"

void throng_implicit_each(const throng_implicit_solver *s, size_t count, size_t grain, throng_work work) {
    if (s->crew)
        throng_parallel_for(s->crew, count, grain, work, (void *)s);
    else if (count > 0)
        work((void *)s, 0, count, 0);
}

void throng_implicit_each_block(throng_implicit_solver *s, size_t grain, throng_work work) {
    throng_implicit_each(s, s->active.block_count, grain, work);
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

/* The last own walker in a row. */
static uint32_t last_in_row(const throng_implicit_solver *s, uint32_t slot) {
    for (uint32_t q = s->rows.end[slot]; q-- > s->rows.begin[slot];) {
        uint32_t quad = s->rows.quad[q];
        for (int lane = 3; lane >= 0; lane--) {
            uint32_t other = (quad >> 8 << 2) + (uint32_t)lane;
            if (quad >> lane & 1 && s->walkers->own[other]) return other > slot ? other : slot;
        }
    }
    return slot;
}

/* Those who get something from a chunk: its own walkers, and those who come after them in their rows. */
static void find_range(const throng_implicit_solver *s, throng_implicit_chunk *c) {
    c->low = 0;
    c->high = (uint32_t)s->island.count;
    if (s->island.image_count > 0) return; /* who is seen across a seam may be anywhere */
    uint32_t last = 0;
    for (size_t k = c->begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, c->end - 1); k++) {
        uint32_t other = last_in_row(s, s->active.who[k]);
        last = other > last ? other : last;
    }
    c->low = s->rank[s->active.who[c->begin * THRONG_IMPLICIT_BLOCK]];
    c->high = s->rank[last] + 1;
}

/* Chunks of as many blocks. Who is in which must follow from the island alone. */
static void lay_out_chunks(throng_implicit_solver *s) {
    const size_t least = THRONG_IMPLICIT_SMALL / THRONG_IMPLICIT_BLOCK; /* smaller ones would not be worth their sums */
    size_t at = 0, blocks = s->active.block_count, count = (blocks + least - 1) / least;
    if (count > THRONG_IMPLICIT_CHUNKS) count = THRONG_IMPLICIT_CHUNKS;
    s->active.chunk_count = count;
    for (size_t k = 0; k < count; k++) {
        throng_implicit_chunk *c = &s->active.chunks[k];
        c->begin = blocks * k / count;
        c->end = blocks * (k + 1) / count;
        c->at = at;
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

void throng_implicit_look_at(throng_implicit_solver *s, const uint32_t *who, size_t count) {
    s->active.who = who;
    s->active.count = count;
    s->active.block_count = (count + THRONG_IMPLICIT_BLOCK - 1) / THRONG_IMPLICIT_BLOCK;
}

static void decide_for(throng_implicit_solver *s, const uint32_t *who, size_t count) {
    throng_implicit_look_at(s, who, count);
    s->active.all_decided = count == s->island.count && !throng_implicit_has_others(s->walkers);
    for (size_t k = 0; k < s->island.image_count; k++) {
        uint32_t slot = s->island.images[k];
        s->active.decided[slot] = s->active.decided[s->walkers->self[slot]];
    }
}

void throng_implicit_mirror(const throng_implicit_solver *s, double *column) {
    for (size_t k = 0; k < s->island.image_count; k++) {
        column[s->island.images[k]] = column[s->walkers->self[s->island.images[k]]];
    }
}

void throng_implicit_take_all(throng_implicit_solver *s) {
    for (size_t k = 0; k < s->island.count; k++) s->active.decided[s->island.who[k]] = 1;
    decide_for(s, s->island.who, s->island.count);
    lay_out_chunks(s);
}

void throng_implicit_take_some(throng_implicit_solver *s) {
    size_t awake = 0;
    for (size_t k = 0; k < s->island.count; k++) {
        uint32_t slot = s->island.who[k];
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
    if (!s->some_rows) throng_implicit_swap_rows(s);
    decide_for(s, s->active.awake, awake);
    throng_implicit_list_some(s);
    lay_out_chunks(s);
}
