/* common.c: see common.h. */

#include "models/common.h"

#include <string.h>

#include "base/memory.h"

void *throng_tallies_grow(void *tallies, size_t *workers, size_t wanted) {
    enum { SIZE = THRONG_TALLY * sizeof(uint64_t) };
    if (wanted <= *workers) return tallies;
    char *grown = throng_reallocate(tallies, wanted * SIZE);
    memset(grown + *workers * SIZE, 0, (wanted - *workers) * SIZE);
    *workers = wanted;
    return grown;
}

void throng_tallies_sum(const void *tallies, size_t workers, uint64_t sum[THRONG_TALLY]) {
    const uint64_t *number = tallies;
    memset(sum, 0, THRONG_TALLY * sizeof *sum);
    for (size_t i = 0; i < workers * THRONG_TALLY; i++) sum[i % THRONG_TALLY] += number[i];
}

void throng_tallies_archive(void *tallies, size_t workers, size_t count, throng_archive *archive) {
    uint64_t sum[THRONG_TALLY];
    throng_tallies_sum(tallies, workers, sum);
    throng_archive_counts(archive, sum, count);
    if (!(archive->reading || archive->moves) || workers == 0) return;
    memset(tallies, 0, workers * sizeof sum);
    memcpy(tallies, sum, sizeof sum);
}

void throng_tallies_tell(const void *tallies, size_t workers, const char *model, const char *const *names, size_t count,
                         throng_figure_function figure, void *context) {
    uint64_t sum[THRONG_TALLY];
    throng_tallies_sum(tallies, workers, sum);
    for (size_t i = 0; i < count; i++) figure(context, model, names[i], (double)sum[i]);
}

void throng_parts_tell(const throng_parts *parts, const char *model, const char *const *names, size_t count,
                       uint64_t times, throng_figure_function figure, void *context) {
    for (size_t i = 0; i < count; i++) figure(context, model, names[i], times ? parts->ms[i] / (double)times : 0);
}

void throng_arrays_resize(void *of, const throng_array *arrays, size_t count, size_t capacity) {
    for (size_t k = 0; k < count; k++) {
        void **array = (void **)((char *)of + arrays[k].offset);
        *array = throng_reallocate(*array, capacity * arrays[k].size);
    }
}

bool throng_arrays_grow(void *of, const throng_array *arrays, size_t count, size_t *capacity, size_t wanted) {
    if (wanted <= *capacity) return false;
    *capacity = wanted + wanted / 8 + 64;
    throng_arrays_resize(of, arrays, count, *capacity);
    return true;
}

void throng_arrays_release(void *of, const throng_array *arrays, size_t count) {
    for (size_t k = 0; k < count; k++) throng_release(*(void **)((char *)of + arrays[k].offset));
}

void throng_images_find(throng_images *images, const throng_near *near) {
    images->count = 0;
    if (!near || near->image_count == 0) return;
    THRONG_GROW(images->slots, images->capacity, near->image_count);
    for (uint32_t slot = 0; slot < near->count; slot++) {
        if (throng_near_is_image(near, slot)) images->slots[images->count++] = slot;
    }
}

throng_tile_entry *throng_tiles_add(throng_tile_table *table, uint64_t key, uint32_t tile, uint32_t stamp) {
    throng_tile_entry *entry = throng_tile_find(table, key);
    *entry = (throng_tile_entry){key, tile, stamp};
    table->used++;
    return entry;
}

void throng_tiles_clear(throng_tile_table *table) {
    for (size_t k = 0; k < table->size; k++) table->entries[k].tile = THRONG_NO_TILE;
    table->used = 0;
}

void throng_tiles_grow(throng_tile_table *table, size_t count) {
    if (2 * count < table->size) return;
    throng_tile_table old = *table;
    table->size = old.size ? old.size : 64;
    while (table->size <= 2 * count) table->size *= 2;
    table->entries = throng_allocate(table->size * sizeof *table->entries);
    throng_tiles_clear(table);
    for (size_t k = 0; k < old.size; k++) {
        const throng_tile_entry *e = &old.entries[k];
        if (e->tile != THRONG_NO_TILE) throng_tiles_add(table, e->key, e->tile, e->stamp);
    }
    throng_release(old.entries);
}

double throng_wholly_solid(const void *params, bool own) {
    (void)params;
    (void)own;
    return 1;
}
