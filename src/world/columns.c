/* columns.c: growing, compacting and keeping all columns alike. */

#include "world/columns.h"

#include <string.h>

#include "world/hash.h"
#include "world/memory.h"

typedef struct layout {
    const char *name;
    size_t pointer; /* offset of the column's pointer in throng_columns */
    size_t item_size;
} layout;

static const layout layouts[] = {
#define LAYOUT(type, name) {#name, offsetof(throng_columns, name), sizeof(type)},
    THRONG_COLUMNS(LAYOUT)
#undef LAYOUT
};

enum { COLUMN_COUNT = sizeof layouts / sizeof *layouts };

/* Columns that hold nothing from one step to the next. All others are kept in a checkpoint. */
static const char *const scratch[] = {"next_x", "next_y", "next_vx", "next_vy", "limit_speed", "acting", "mark"};

static bool is_kept(const layout *column) {
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) {
        if (strcmp(scratch[i], column->name) == 0) return false;
    }
    return true;
}

static void **column_at(throng_columns *columns, size_t index) {
    return (void **)(void *)((char *)columns + layouts[index].pointer);
}

void throng_columns_reserve(throng_columns *columns, size_t capacity) {
    if (capacity <= columns->capacity) return;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        size_t old = columns->capacity * layouts[i].item_size, grown = capacity * layouts[i].item_size;
        void **column = column_at(columns, i);
        *column = throng_reallocate(*column, grown);
        memset((char *)*column + old, 0, grown - old);
    }
    columns->capacity = capacity;
}

void throng_columns_destroy(throng_columns *columns) {
    for (size_t i = 0; i < COLUMN_COUNT; i++) throng_release(*column_at(columns, i));
    *columns = (throng_columns){0};
}

static size_t first_marked(const uint8_t *mark, size_t from, size_t count) {
    const uint8_t *found = from < count ? memchr(mark + from, 1, count - from) : NULL;
    return found ? (size_t)(found - mark) : count;
}

void throng_column_compact(void *items, size_t item_size, const uint8_t *mark, size_t count) {
    char *bytes = items;
    size_t kept = first_marked(mark, 0, count);
    for (size_t begin = kept; begin < count;) {
        /* Skip a run that goes, then move the run that stays as one piece. */
        while (begin < count && mark[begin]) begin++;
        size_t end = first_marked(mark, begin, count);
        memmove(bytes + kept * item_size, bytes + begin * item_size, (end - begin) * item_size);
        kept += end - begin;
        begin = end;
    }
    memset(bytes + kept * item_size, 0, (count - kept) * item_size);
}

static void compact_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_columns *columns = context;
    for (size_t i = begin; i < end; i++) {
        void *items = *column_at(columns, i);
        if (items != columns->mark) throng_column_compact(items, layouts[i].item_size, columns->mark, columns->count);
    }
}

void throng_columns_compact(throng_columns *columns, throng_crew *crew) {
    enum { FEW = 8192 }; /* rows that are not worth waking anybody for */
    size_t stay = 0, count = columns->count;
    for (size_t i = 0; i < count; i++) stay += !columns->mark[i];
    if (stay == count) return;
    throng_parallel_for(crew, COLUMN_COUNT, count < FEW ? COLUMN_COUNT : 1, compact_some, columns);
    memset(columns->mark, 0, count);
    columns->count = stay;
}

size_t throng_columns_row(const throng_columns *columns, throng_agent id) {
    size_t low = 0, high = columns->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (columns->id[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < columns->count && columns->id[low] == id ? low : SIZE_MAX;
}

static void clear_rows(throng_columns *columns) {
    for (size_t i = 0; i < COLUMN_COUNT && columns->capacity; i++) {
        memset(*column_at(columns, i), 0, columns->capacity * layouts[i].item_size);
    }
    columns->count = 0;
}

void throng_columns_archive(throng_columns *columns, throng_archive *archive) {
    uint64_t count = columns->count;
    size_t row_size = 0;
    throng_archive_mark(archive, "columns");
    THRONG_ARCHIVE(archive, count);
    for (size_t i = 0; i < COLUMN_COUNT; i++) row_size += is_kept(&layouts[i]) ? layouts[i].item_size : 0;
    if (archive->reading) {
        if (count > (archive->size - archive->at) / row_size)
            throng_archive_spoil(archive, "there are too many people");
        clear_rows(columns);
        if (archive->bad) return;
        throng_columns_reserve(columns, (size_t)count);
        columns->count = (size_t)count;
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (is_kept(&layouts[i])) {
            throng_archive_bytes(archive, *column_at(columns, i), columns->count * layouts[i].item_size);
        }
    }
}

uint64_t throng_columns_layout(void) {
    uint64_t hash = 0;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (is_kept(&layouts[i]))
            hash = throng_hash_word(throng_hash_text(hash, layouts[i].name), layouts[i].item_size);
    }
    return hash;
}
