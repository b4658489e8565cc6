/* lists.c: room and order for lists of pairs, and the lists of those who are not settled yet. */

#include <string.h>

#include "models/implicit/implicit.h"
#include "world/memory.h"

void throng_implicit_lists_reserve(throng_implicit_lists *l, size_t slots) {
    uint32_t **columns[] = {&l->close_begin, &l->close_end,   &l->far_begin, &l->far_end,
                            &l->in_begin,    &l->block_begin, &l->block_far, &l->block_end,
                            &l->block_room,  &l->live_begin,  &l->live_end};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        *columns[c] = throng_reallocate(*columns[c], (slots + 2) * sizeof(uint32_t));
    }
}

void throng_implicit_lists_release(throng_implicit_lists *l) {
    void *columns[] = {l->block_room, l->felt,     l->block_end,   l->close_begin, l->close_end,  l->far_begin,
                       l->far_end,    l->in_begin, l->block_begin, l->block_far,   l->live_begin, l->live_end,
                       l->i,          l->j,        l->seen,        l->in,          l->energy,     l->gx,
                       l->gy,         l->hxx,      l->hxy,         l->hyy,         l->close,      l->live,
                       l->kxx,        l->kxy,      l->kyy};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) throng_release(columns[c]);
}

void throng_implicit_lists_make_room(throng_implicit *s, throng_implicit_lists *l, size_t count) {
    if (count > l->capacity) {
        l->capacity = count + count / 4 + 64;
        uint32_t **whole[] = {&l->i, &l->j, &l->seen, &l->in};
        for (size_t c = 0; c < 4; c++) *whole[c] = throng_reallocate(*whole[c], l->capacity * sizeof(uint32_t));
        double **real[] = {&l->energy, &l->gx, &l->gy, &l->hxx, &l->hxy, &l->hyy, &l->kxx, &l->kxy, &l->kyy};
        for (size_t c = 0; c < 9; c++) *real[c] = throng_reallocate(*real[c], l->capacity * sizeof(double));
        l->close = throng_reallocate(l->close, l->capacity);
        l->felt = throng_reallocate(l->felt, l->capacity);
        l->live = throng_reallocate(l->live, 2 * l->capacity * sizeof *l->live);
    }
    if (l->block_longest > s->scratch_capacity) {
        s->scratch_capacity = (l->block_longest + l->block_longest / 4 + 64) & ~(size_t)3;
        for (size_t w = 0; w < s->workers; w++) {
            throng_implicit_scratch *room = &s->scratch[w];
            room->numbers = throng_reallocate(room->numbers, 9 * s->scratch_capacity * sizeof(double));
            room->overlaps = throng_reallocate(room->overlaps, s->scratch_capacity * sizeof(uint32_t));
        }
    }
}

static uint32_t round_up(uint32_t count) { return (count + 3) & ~3u; }

uint32_t throng_implicit_lists_place(throng_implicit_lists *l, size_t block) {
    size_t first = block * THRONG_IMPLICIT_BLOCK, last = first + THRONG_IMPLICIT_BLOCK;
    if (last > l->row_count) last = l->row_count;
    uint32_t at = l->block_begin[block];
    for (size_t k = first; k < last; k++) {
        uint32_t slot = l->rows[k], count = l->close_end[slot];
        l->close_begin[slot] = at;
        l->close_end[slot] = at += count;
    }
    l->block_far[block] = at = round_up(at);
    for (size_t k = first; k < last; k++) {
        uint32_t slot = l->rows[k], count = l->far_end[slot];
        l->far_begin[slot] = at;
        l->far_end[slot] = at += count;
    }
    l->block_end[block] = round_up(at);
    return l->block_end[block] - l->block_begin[block];
}

void throng_implicit_lists_index(throng_implicit *s, throng_implicit_lists *l) {
    size_t slots = s->near->count;
    memset(l->in_begin, 0, (slots + 1) * sizeof *l->in_begin);
    for (size_t k = 0; k < l->row_count; k++) {
        uint32_t slot = l->rows[k];
        for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) l->in_begin[l->j[p] + 1]++;
        for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) l->in_begin[l->j[p] + 1]++;
    }
    for (size_t k = 0; k < slots; k++) l->in_begin[k + 1] += l->in_begin[k];
    for (size_t k = 0; k < l->row_count; k++) {
        uint32_t slot = l->rows[k];
        for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) l->in[l->in_begin[l->j[p]]++] = p;
        for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) l->in[l->in_begin[l->j[p]]++] = p;
    }
    for (size_t k = slots; k > 0; k--) l->in_begin[k] = l->in_begin[k - 1];
    l->in_begin[0] = 0;

    uint32_t at = 0;
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t slot = s->who[k];
        l->live_begin[slot] = l->live_end[slot] = at;
        at += l->close_end[slot] - l->close_begin[slot] + l->far_end[slot] - l->far_begin[slot];
        at += l->in_begin[slot + 1] - l->in_begin[slot];
    }
}

/* --- everybody, or some */

static void take(throng_implicit *s, const uint32_t *who, size_t count, throng_implicit_lists *lists) {
    s->who = who;
    s->who_count = count;
    s->block_count = (count + THRONG_IMPLICIT_BLOCK - 1) / THRONG_IMPLICIT_BLOCK;
    s->lists = lists;
}

void throng_implicit_take_all(throng_implicit *s) {
    s->every.rows = s->now->mine;
    s->every.row_count = s->now->mine_count;
    take(s, s->now->mine, s->now->mine_count, &s->every);
}

static bool is_kept(const throng_implicit *s, uint32_t pair) {
    uint32_t j = s->every.j[pair];
    return s->dirty[s->every.i[pair]] || (s->own[j] && s->dirty[j]);
}

static uint32_t count_kept(const throng_implicit *s, uint32_t begin, uint32_t end) {
    uint32_t count = 0;
    for (uint32_t p = begin; p < end; p++) count += is_kept(s, p);
    return count;
}

static void copy_kept(throng_implicit *s, uint32_t begin, uint32_t end, uint32_t at) {
    const throng_implicit_lists *from = &s->every;
    throng_implicit_lists *to = &s->some;
    for (uint32_t p = begin; p < end; p++) {
        if (!is_kept(s, p)) continue;
        to->i[at] = from->i[p];
        to->j[at] = from->j[p];
        to->seen[at] = from->seen[p];
        to->close[at++] = from->close[p];
    }
}

/* What others than those decided for have in the columns that passes read. */
static void hold_others(throng_implicit *s) {
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        if (s->dirty[slot]) continue;
        s->trial_x[slot] = s->vx[slot];
        s->trial_y[slot] = s->vy[slot];
        s->step_x[slot] = s->step_y[slot] = s->dx[slot] = s->dy[slot] = 0;
    }
}

void throng_implicit_take_some(throng_implicit *s) {
    const throng_implicit_lists *from = &s->every;
    throng_implicit_lists *to = &s->some;
    size_t awake = 0, rows = 0;
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        if (s->dirty[slot]) s->awake[awake++] = slot;
        to->close_end[slot] = count_kept(s, from->close_begin[slot], from->close_end[slot]);
        to->far_end[slot] = count_kept(s, from->far_begin[slot], from->far_end[slot]);
        to->close_begin[slot] = to->far_begin[slot] = 0;
        if (to->close_end[slot] + to->far_end[slot] > 0) s->some_rows[rows++] = slot;
    }
    to->rows = s->some_rows;
    to->row_count = rows;
    take(s, s->awake, awake, to);
    uint32_t at = 0;
    to->block_longest = 0;
    for (size_t b = 0; b < throng_implicit_row_blocks(to); b++) {
        to->block_begin[b] = at;
        uint32_t length = throng_implicit_lists_place(to, b);
        at += length;
        if (length > to->block_longest) to->block_longest = length;
    }
    throng_implicit_lists_make_room(s, to, at);
    for (size_t k = 0; k < rows; k++) {
        uint32_t slot = s->some_rows[k];
        copy_kept(s, from->close_begin[slot], from->close_end[slot], to->close_begin[slot]);
        copy_kept(s, from->far_begin[slot], from->far_end[slot], to->far_begin[slot]);
    }
    throng_implicit_lists_index(s, to);
    hold_others(s);
}
