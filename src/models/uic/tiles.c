/* tiles.c: which tiles there are.
 *
 * A tile is there when somebody stands in it or within a cell of it. It is found by a hash of its column and row, so a
 * place may be of any size. */

#include <string.h>

#include "base/memory.h"
#include "models/uic/uic.h"

enum { TILE_GRAIN = 1 };

#define FRESH THRONG_UIC_NOWHERE /* of an entry: its tile is still to be made */

void throng_uic_each_tile(throng_uic *s, throng_work work) {
    throng_parallel_for(s->now->crew, s->tile_count, TILE_GRAIN, work, s);
}

/* Shell's sort: the keys are few, and memory is not to be had here. */
void throng_uic_sort_keys(uint64_t *keys, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (size_t k = gap; k < count; k++) {
            uint64_t key = keys[k];
            size_t to = k;
            for (; to >= gap && keys[to - gap] > key; to -= gap) keys[to] = keys[to - gap];
            keys[to] = key;
        }
    }
}

/* --- which tiles are needed */

uint32_t throng_uic_position(const throng_uic *s, int32_t column, int32_t row) {
    return s->table.size ? throng_tile_find(&s->table, throng_tile_key(column, row))->tile : THRONG_NO_TILE;
}

void throng_uic_begin_needs(throng_uic *s) {
    s->mark_count = s->stamped = 0;
    s->stamp++;
    throng_tiles_grow(&s->table, s->tile_count + 8);
}

static void need_tile(throng_uic *s, int32_t column, int32_t row) {
    uint64_t key = throng_tile_key(column, row);
    throng_tile_entry *entry = throng_tile_find(&s->table, key);
    if (entry->tile == THRONG_NO_TILE) {
        throng_tiles_grow(&s->table, s->table.used + 1);
        entry = throng_tiles_add(&s->table, key, FRESH, 0);
        THRONG_GROW(s->marks, s->mark_capacity, s->mark_count + 1);
        s->marks[s->mark_count++] = key;
    } else if (entry->stamp == s->stamp) {
        return;
    }
    entry->stamp = s->stamp;
    s->stamped++;
}

void throng_uic_need_around(throng_uic *s, int32_t column, int32_t row, unsigned edges) {
    for (; edges; edges &= edges - 1) {
        int edge = __builtin_ctz(edges);
        int32_t west = edge & THRONG_UIC_AT_WEST ? -1 : 0, east = edge & THRONG_UIC_AT_EAST ? 1 : 0;
        int32_t south = edge & THRONG_UIC_AT_SOUTH ? -1 : 0, north = edge & THRONG_UIC_AT_NORTH ? 1 : 0;
        for (int32_t r = south; r <= north; r++) {
            for (int32_t c = west; c <= east; c++) need_tile(s, column + c, row + r);
        }
    }
}

/* --- the tiles in order */

static uint32_t make_tile(throng_uic *s, uint64_t key) {
    uint32_t number;
    if (s->pool_count == 0) { /* nowhere */
        THRONG_GROW(s->pool, s->pool_capacity, 1);
        memset(&s->pool[s->pool_count++], 0, sizeof *s->pool);
    }
    if (s->spare_count > 0) {
        number = s->spare[--s->spare_count];
    } else {
        THRONG_GROW(s->pool, s->pool_capacity, s->pool_count + 1);
        number = (uint32_t)s->pool_count++;
        memset(&s->pool[number], 0, sizeof *s->pool);
    }
    throng_uic_tile *tile = &s->pool[number];
    throng_uic_lent *lent = tile->lent;
    size_t lent_capacity = tile->lent_capacity;
    memset(tile, 0, sizeof *tile);
    tile->lent = lent;
    tile->lent_capacity = lent_capacity;
    tile->column = throng_tile_column(key);
    tile->row = throng_tile_row(key);
    return number;
}

static void make_line_room(throng_uic *s, size_t count) {
    if (count + 1 <= s->line_capacity) return;
    s->line_capacity = 2 * count + 16;
    uint32_t **whole[] = {&s->line, &s->line_before, &s->first};
    for (size_t k = 0; k < 3; k++) *whole[k] = throng_reallocate(*whole[k], (s->line_capacity + 1) * sizeof(uint32_t));
}

static uint64_t key_at(const throng_uic *s, uint32_t number) {
    return throng_tile_key(s->pool[number].column, s->pool[number].row);
}

/* Those that are left and the new ones, in order; the others are given back. */
static void renew_line(throng_uic *s) {
    size_t before = s->tile_count, kept = 0, at = 0, mark = 0;
    throng_uic_sort_keys(s->marks, s->mark_count);
    make_line_room(s, before + s->mark_count);
    THRONG_GROW(s->spare, s->spare_capacity, s->spare_count + before);
    for (size_t k = 0; k < before; k++) {
        uint32_t number = s->line[k];
        if (throng_tile_find(&s->table, key_at(s, number))->stamp == s->stamp)
            s->line_before[kept++] = number;
        else
            s->spare[s->spare_count++] = number;
    }
    s->tile_count = kept + s->mark_count;
    for (size_t k = 0; k < s->tile_count; k++) {
        bool fresh = at == kept || (mark < s->mark_count && s->marks[mark] < key_at(s, s->line_before[at]));
        s->line[k] = fresh ? make_tile(s, s->marks[mark++]) : s->line_before[at++];
    }
    throng_uic_index_tiles(s);
}

bool throng_uic_meet_needs(throng_uic *s) {
    if (s->mark_count == 0 && s->stamped == s->tile_count) return false;
    renew_line(s);
    return true;
}

void throng_uic_index_tiles(throng_uic *s) {
    make_line_room(s, s->tile_count);
    throng_tiles_grow(&s->table, s->tile_count + 8);
    throng_tiles_clear(&s->table);
    for (size_t k = 0; k < s->tile_count; k++)
        throng_tiles_add(&s->table, key_at(s, s->line[k]), (uint32_t)k, s->stamp);
    s->line[s->tile_count] = 0;
    s->tiles_changed = true;
}

void throng_uic_forget_tiles(throng_uic *s) {
    THRONG_GROW(s->spare, s->spare_capacity, s->spare_count + s->tile_count);
    for (size_t k = 0; k < s->tile_count; k++) s->spare[s->spare_count++] = s->line[k];
    s->tile_count = 0;
}

throng_uic_tile *throng_uic_remember_tile(throng_uic *s, int32_t column, int32_t row) {
    make_line_room(s, s->tile_count + 1);
    uint32_t number = make_tile(s, throng_tile_key(column, row));
    s->line[s->tile_count++] = number;
    return &s->pool[number];
}

/* --- rims */

/* The rim of a field from those of the tiles around: where each of the eight takes from. */
void throng_uic_copy_rim(float *field, const float *const around[9]) {
    enum { LAST = THRONG_UIC_TILE - 1, END = THRONG_UIC_TILE };
    field[throng_uic_at(-1, -1)] = around[0][throng_uic_at(LAST, LAST)];
    field[throng_uic_at(-1, END)] = around[2][throng_uic_at(LAST, 0)];
    field[throng_uic_at(END, -1)] = around[6][throng_uic_at(0, LAST)];
    field[throng_uic_at(END, END)] = around[8][throng_uic_at(0, 0)];
    memcpy(field + throng_uic_at(-1, 0), around[1] + throng_uic_at(LAST, 0), END * sizeof *field);
    memcpy(field + throng_uic_at(END, 0), around[7] + throng_uic_at(0, 0), END * sizeof *field);
    for (int r = 0; r < END; r++) {
        field[throng_uic_at(r, -1)] = around[3][throng_uic_at(r, LAST)];
        field[throng_uic_at(r, END)] = around[5][throng_uic_at(r, 0)];
    }
}

void throng_uic_fill_rim(throng_uic *s, size_t position, size_t offset) {
    const uint32_t *around = s->levels[0].sheets[position].around;
    const float *fields[9];
    for (int k = 0; k < 9; k++)
        fields[k] = (const float *)(const void *)((char *)throng_uic_tile_at(s, around[k]) + offset);
    throng_uic_copy_rim((float *)(void *)((char *)throng_uic_tile_at(s, position) + offset), fields);
}
