/* tiles.c: which tiles there are, and who stands in which of them.
 *
 * A tile is there when a personal space reaches into it. It is found by a hash of its column and row, so a place may be
 * of any size. People are put in a line by the tile they stand in, their home; within a tile they keep the order of
 * slots, so how the work is divided among threads does not matter. Nor does the order of tiles. Tiles that are no
 * longer needed wait a while with the obstacles that were found in them. */

#include <string.h>

#include "base/memory.h"
#include "models/cpd/cpd.h"

enum { GRAIN = 512, SPARE = 256 /* tiles that may wait */ };

/* --- the hash */

static void index_tiles(throng_cpd *s) {
    throng_tiles_clear(&s->table);
    for (size_t k = 0; k < s->pool_count; k++)
        throng_tiles_add(&s->table, throng_tile_key(s->pool[k].column, s->pool[k].row), (uint32_t)k, 0);
}

const throng_cpd_tile *throng_cpd_find_tile(const throng_cpd *s, int32_t column, int32_t row) {
    uint32_t number = throng_tile_find(&s->table, throng_tile_key(column, row))->tile;
    return number == THRONG_NO_TILE || s->pool[number].stamp != s->stamp ? NULL : &s->pool[number];
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
    uint64_t key = throng_tile_key(column, row);
    throng_tile_entry *entry = throng_tile_find(&s->table, key);
    if (entry->tile == THRONG_NO_TILE) {
        THRONG_GROW(s->pool, s->pool_capacity, s->pool_count + 1);
        uint32_t number = (uint32_t)s->pool_count++;
        s->pool[number] = (throng_cpd_tile){.column = column, .row = row, .stamp = s->stamp - 1};
        throng_tiles_grow(&s->table, s->pool_count);
        entry = throng_tiles_add(&s->table, key, number, 0);
    }
    throng_cpd_tile *tile = &s->pool[entry->tile];
    if (tile->stamp != s->stamp) {
        tile->stamp = s->stamp;
        tile->count = 0;
        tile->reaches = 0;
        THRONG_GROW(s->used, s->used_capacity, s->used_count + 1);
        s->used[s->used_count++] = entry->tile;
    }
    return entry->tile;
}

/* --- strips: people one after the other who stand in the same tile
 *
 * There are far fewer of them than people. All but going through them is done by all threads, in pieces of people. */

static void find_strips(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    throng_cpd_strip *strip = NULL;
    for (size_t i = begin; i < end; i++) {
        unsigned touch = s->touch[i];
        if (i % GRAIN == 0) s->strip_count[i / GRAIN] = 0;
        if (i % GRAIN == 0 || s->key[i] != strip->key) {
            strip = &s->strips[i - i % GRAIN + s->strip_count[i / GRAIN]++];
            *strip = (throng_cpd_strip){.key = s->key[i], .first = (uint32_t)i};
        }
        strip->count++;
        if (touch & THRONG_CPD_IS_IMAGE) continue;
        strip->reaches |= (uint64_t)1 << touch;
        strip->sums += throng_cpd_span(touch);
    }
}

/* The tiles that those of a strip touch, unless others of their tile do. */
static void need_around(throng_cpd *s, const throng_cpd_strip *strip) {
    int32_t column = throng_tile_column(strip->key), row = throng_tile_row(strip->key);
    uint64_t left = strip->reaches & ~s->pool[strip->home].reaches;
    s->pool[strip->home].reaches |= left;
    for (; left; left &= left - 1) {
        throng_cpd_body b = {.reach = (uint8_t)__builtin_ctzll(left)};
        for (int32_t r = throng_cpd_south(&b); r <= throng_cpd_north(&b); r++) {
            for (int32_t c = throng_cpd_west(&b); c <= throng_cpd_east(&b); c++) need_tile(s, column + c, row + r);
        }
    }
}

static void mark_tiles(throng_cpd *s) {
    throng_tiles_grow(&s->table, s->pool_count + 8);
    for (size_t piece = 0; piece * GRAIN < s->count; piece++) {
        for (size_t k = 0; k < s->strip_count[piece]; k++) {
            throng_cpd_strip *strip = &s->strips[piece * GRAIN + k];
            strip->home = need_tile(s, throng_tile_column(strip->key), throng_tile_row(strip->key));
            s->pool[strip->home].count += strip->count;
            need_around(s, strip);
        }
    }
}

/* --- people in line */

/* Where everybody of a strip goes in the line, and its sums. */
static void share_line(throng_cpd *s) {
    uint32_t at = 0, sums = 0;
    for (size_t k = 0; k < s->used_count; k++) {
        throng_cpd_tile *tile = &s->pool[s->used[k]];
        tile->first = at;
        at += tile->count;
        tile->count = 0;
    }
    for (size_t piece = 0; piece * GRAIN < s->count; piece++) {
        for (size_t k = 0; k < s->strip_count[piece]; k++) {
            throng_cpd_strip *strip = &s->strips[piece * GRAIN + k];
            throng_cpd_tile *tile = &s->pool[strip->home];
            uint32_t count = strip->sums;
            strip->place = tile->first + tile->count;
            tile->count += strip->count;
            strip->sums = sums;
            sums += count;
        }
    }
    s->sum_count = sums;
    THRONG_GROW(s->sums, s->sum_capacity, s->sum_count);
}

static void line_up(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t piece = begin / GRAIN; piece * GRAIN < end; piece++) {
        for (size_t k = 0; k < s->strip_count[piece]; k++) {
            const throng_cpd_strip *strip = &s->strips[piece * GRAIN + k];
            uint32_t sums = strip->sums;
            for (uint32_t n = 0; n < strip->count; n++) {
                uint32_t i = strip->first + n;
                unsigned touch = s->touch[i], reach = touch & ~(unsigned)THRONG_CPD_IS_IMAGE;
                s->home[i] = strip->home;
                s->first_sum[i] = sums;
                if (reach == touch) sums += throng_cpd_span(reach);
                s->line[strip->place + n] = (throng_cpd_entrant){i, reach};
            }
        }
    }
}

void throng_cpd_place_people(throng_cpd *s) {
    THRONG_GROW(s->strip_count, s->strip_capacity, s->count / GRAIN + 1);
    throng_parallel_for(s->now->crew, s->count, GRAIN, find_strips, s);
    s->stamp++;
    s->used_count = 0;
    mark_tiles(s);
    if (s->pool_count > 2 * s->used_count + SPARE) {
        drop_tiles(s);
        s->stamp++;
        s->used_count = 0;
        mark_tiles(s);
    }
    share_line(s);
    throng_parallel_for(s->now->crew, s->count, GRAIN, line_up, s);
}
