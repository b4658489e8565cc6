/* common.h: what several models do alike: count by worker, time the parts of a step, find images across seams, and
 * find tiles by column and row (hash table). */

#ifndef THRONG_MODELS_COMMON_H
#define THRONG_MODELS_COMMON_H

#include <stddef.h>
#include <throng/model.h>

#include "base/archive.h"
#include "base/clock.h"

/* --- counts
 *
 * A tally is a struct of so many uint64_t, a cache line, that one worker counts in. What they come to is summed,
 * whoever counted: how many workers there are is no part of a model's state. */
enum { THRONG_TALLY = 8 };

/* Tallies for so many workers at least; new ones are 0. */
void *throng_tallies_grow(void *tallies, size_t *workers, size_t wanted);
void throng_tallies_sum(const void *tallies, size_t workers, uint64_t sum[THRONG_TALLY]);
/* Keeps the sums of the first `count` numbers, or brings them back. */
void throng_tallies_archive(void *tallies, size_t workers, size_t count, throng_archive *archive);
/* Tells them as figures of a model. */
void throng_tallies_tell(const void *tallies, size_t workers, const char *model, const char *const *names, size_t count,
                         throng_figure_function figure, void *context);

/* --- parts of a step, timed */

enum { THRONG_TIMED_MOST = 8 };

typedef struct throng_parts {
    double begin;                 /* ms, of the part under way */
    double ms[THRONG_TIMED_MOST]; /* summed over all steps; of this run alone */
} throng_parts;

static inline void throng_parts_begin(throng_parts *parts) { parts->begin = throng_now_ms(); }

/* The time since the part before is this one's. */
static inline void throng_part_done(throng_parts *parts, int part) {
    double now = throng_now_ms();
    parts->ms[part] += now - parts->begin;
    parts->begin = now;
}

/* Tells how long each took on average over `times`. */
void throng_parts_tell(const throng_parts *parts, const char *model, const char *const *names, size_t count,
                       uint64_t times, throng_figure_function figure, void *context);

/* --- arrays of a struct that have an item for each slot: listed once, made and released together */

typedef struct throng_array {
    size_t offset, size; /* of the pointer in the struct; of an item, bytes */
} throng_array;
#define THRONG_ARRAY(type, field) \
    { offsetof(type, field), sizeof *((type *)0)->field }

/* Room for so many items in each of some arrays; `grow` makes some more where there is not enough, and returns whether
 * it did. What they had stays; the rest is anything. */
void throng_arrays_resize(void *of, const throng_array *arrays, size_t count, size_t capacity);
bool throng_arrays_grow(void *of, const throng_array *arrays, size_t count, size_t *capacity, size_t wanted);
void throng_arrays_release(void *of, const throng_array *arrays, size_t count);

/* --- images across seams */

typedef struct throng_images {
    uint32_t *slots;
    size_t count, capacity;
} throng_images;

/* Finds the slots of images; a grid that is NULL has none. */
void throng_images_find(throng_images *images, const throng_near *near);

/* --- tiles by column and row */

/* Keys are in order of row, then of column. */
static inline uint64_t throng_tile_key(int32_t column, int32_t row) {
    return (uint64_t)((uint32_t)row ^ 0x80000000u) << 32 | ((uint32_t)column ^ 0x80000000u);
}
static inline int32_t throng_tile_column(uint64_t key) { return (int32_t)((uint32_t)key ^ 0x80000000u); }
static inline int32_t throng_tile_row(uint64_t key) { return (int32_t)((uint32_t)(key >> 32) ^ 0x80000000u); }

#define THRONG_NO_TILE UINT32_MAX

typedef struct throng_tile_entry {
    uint64_t key;
    uint32_t tile;  /* a number of the model's; THRONG_NO_TILE: there is no entry */
    uint32_t stamp; /* the model's */
} throng_tile_entry;

typedef struct throng_tile_table {
    throng_tile_entry *entries;
    size_t size, used; /* a power of 2, or 0 before the first growth */
} throng_tile_table;

/* The entry of a key, or where it would be. */
static inline throng_tile_entry *throng_tile_find(const throng_tile_table *table, uint64_t key) {
    size_t at = (size_t)throng_mix(key) & (table->size - 1);
    while (table->entries[at].tile != THRONG_NO_TILE && table->entries[at].key != key)
        at = (at + 1) & (table->size - 1);
    return &table->entries[at];
}

/* Adds a key that is not there and returns its entry; the table is to have room (throng_tiles_grow). */
throng_tile_entry *throng_tiles_add(throng_tile_table *table, uint64_t key, uint32_t tile, uint32_t stamp);
void throng_tiles_clear(throng_tile_table *table);
void throng_tiles_grow(throng_tile_table *table, size_t count); /* room for so many */

/* throng_model.solid of a model that promises no overlap. */
double throng_wholly_solid(const void *params, bool own);

#endif
