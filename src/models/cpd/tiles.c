/* tiles.c: which tiles there are, and who stands in which of them.
 *
 * A tile is there when a personal space reaches into it. It is found by a hash of its column and row, so a place may be
 * of any size. People are put in a line by the tile they stand in, their home; within a tile they keep the order of
 * slots, so how the work is divided among threads does not matter. Nor does the order of tiles. Tiles that are no
 * longer needed wait a while with the obstacles that were found in them. */

#include <string.h>

#include "models/cpd/cpd.h"
#include "world/memory.h"

enum { GRAIN = 2048, SPARE = 256 /* tiles that may wait */ };

#define NONE UINT32_MAX

uint64_t throng_cpd_key(int32_t column, int32_t row) {
    return (uint64_t)((uint32_t)row ^ 0x80000000u) << 32 | ((uint32_t)column ^ 0x80000000u);
}

static int32_t column_of(uint64_t key) { return (int32_t)((uint32_t)key ^ 0x80000000u); }
static int32_t row_of(uint64_t key) { return (int32_t)((uint32_t)(key >> 32) ^ 0x80000000u); }

/* --- the hash */

static throng_cpd_entry *entry_of(const throng_cpd *s, uint64_t key) {
    size_t at = (size_t)throng_mix(key) & (s->table_size - 1);
    while (s->table[at].tile != NONE && s->table[at].key != key) at = (at + 1) & (s->table_size - 1);
    return &s->table[at];
}

static void index_tiles(throng_cpd *s) {
    for (size_t k = 0; k < s->table_size; k++) s->table[k].tile = NONE;
    for (size_t k = 0; k < s->pool_count; k++) {
        uint64_t key = throng_cpd_key(s->pool[k].column, s->pool[k].row);
        *entry_of(s, key) = (throng_cpd_entry){key, (uint32_t)k};
    }
}

static void grow_table(throng_cpd *s, size_t count) {
    if (2 * count < s->table_size) return;
    while (s->table_size <= 2 * count) s->table_size = s->table_size ? 2 * s->table_size : 64;
    throng_release(s->table);
    s->table = throng_allocate(s->table_size * sizeof *s->table);
    index_tiles(s);
}

const throng_cpd_tile *throng_cpd_find_tile(const throng_cpd *s, int32_t column, int32_t row) {
    uint32_t number = entry_of(s, throng_cpd_key(column, row))->tile;
    return number == NONE || s->pool[number].stamp != s->stamp ? NULL : &s->pool[number];
}

/* Tiles that nobody has needed lately make room. */
static void drop_tiles(throng_cpd *s) {
    size_t kept = 0;
    for (size_t k = 0; k < s->pool_count; k++) {
        if (s->pool[k].stamp == s->stamp) s->pool[kept++] = s->pool[k];
    }
    s->pool_count = kept;
    index_tiles(s);
}

/* --- which tiles are needed */

static uint32_t need_tile(throng_cpd *s, int32_t column, int32_t row) {
    uint64_t key = throng_cpd_key(column, row);
    throng_cpd_entry *entry = entry_of(s, key);
    if (entry->tile == NONE) {
        THRONG_GROW(s->pool, s->pool_capacity, s->pool_count + 1);
        uint32_t number = (uint32_t)s->pool_count++;
        s->pool[number] = (throng_cpd_tile){.column = column, .row = row, .stamp = s->stamp - 1};
        *entry = (throng_cpd_entry){key, number};
        if (2 * s->pool_count >= s->table_size) grow_table(s, s->pool_count);
        entry = entry_of(s, key);
    }
    throng_cpd_tile *tile = &s->pool[entry->tile];
    if (tile->stamp != s->stamp) {
        tile->stamp = s->stamp;
        tile->count = 0;
        THRONG_GROW(s->used, s->used_capacity, s->used_count + 1);
        s->used[s->used_count++] = entry->tile;
    }
    return entry->tile;
}

/* Of people one after the other most stand in the same tile. */
static void mark_tiles(throng_cpd *s) {
    uint64_t last = 0;
    uint32_t home = NONE;
    uint64_t done = 0; /* a bit for every reach that has been seen to; each is below 64 */
    grow_table(s, s->pool_count + 8);
    for (size_t i = 0; i < s->count; i++) {
        const throng_cpd_body *b = &s->body[i];
        if (home == NONE || s->key[i] != last) {
            last = s->key[i];
            home = need_tile(s, column_of(last), row_of(last));
            done = 0;
        }
        s->home[i] = home;
        s->pool[home].count++;
        if (b->kind == THRONG_CPD_IMAGE || done >> b->reach & 1) continue;
        done |= (uint64_t)1 << b->reach;
        for (int32_t r = throng_cpd_south(b); r <= throng_cpd_north(b); r++) {
            for (int32_t c = throng_cpd_west(b); c <= throng_cpd_east(b); c++)
                need_tile(s, column_of(last) + c, row_of(last) + r);
        }
    }
}

/* --- people in line */

static void line_up(throng_cpd *s) {
    uint32_t at = 0;
    for (size_t k = 0; k < s->used_count; k++) {
        throng_cpd_tile *tile = &s->pool[s->used[k]];
        tile->first = at;
        at += tile->count;
        tile->count = 0;
    }
    size_t sums = 0;
    for (size_t i = 0; i < s->count; i++) {
        throng_cpd_tile *tile = &s->pool[s->home[i]];
        throng_cpd_body *b = &s->body[i];
        b->sums = (uint32_t)sums;
        if (b->kind != THRONG_CPD_IMAGE) sums += throng_cpd_span(b);
        s->line[tile->first + tile->count++] = (throng_cpd_entrant){(uint32_t)i, b->left, b->right, b->low, b->high};
    }
    s->sum_count = sums;
    THRONG_GROW(s->sums, s->sum_capacity, sums);
}

void throng_cpd_place_people(throng_cpd *s) {
    s->stamp++;
    s->used_count = 0;
    mark_tiles(s);
    if (s->pool_count > 2 * s->used_count + SPARE) {
        drop_tiles(s);
        s->stamp++;
        s->used_count = 0;
        mark_tiles(s);
    }
    line_up(s);
}
