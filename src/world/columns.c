/* columns.c: growing, compacting and keeping all columns alike. */

#include "world/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"

typedef struct layout {
    const char *name;
    size_t pointer; /* offset of the column's pointer in throng_columns */
    size_t item_size;
} layout;

static const layout layouts[] = {
#define LAYOUT(type, name) {#name, offsetof(throng_columns, name), sizeof(type)},
    THRONG_SHOWN_COLUMNS(LAYOUT) THRONG_OWN_COLUMNS(LAYOUT)
#undef LAYOUT
};

#define SAME_IN_VIEW(type, name)                                                          \
    _Static_assert(offsetof(throng_columns, name) == offsetof(throng_view, name) &&       \
                       _Generic(((throng_view *)0)->name, const type * : 1, default : 0), \
                   "a view has the columns shown, in order: " #name);
THRONG_SHOWN_COLUMNS(SAME_IN_VIEW)
SAME_IN_VIEW(uint32_t, by_id)
#undef SAME_IN_VIEW

enum { COLUMN_COUNT = sizeof layouts / sizeof *layouts, SLICE = 64 /* bytes moved at a time */ };

/* Columns that hold nothing from one step to the next. All others are kept in a checkpoint. */
static const char *const scratch[] = {"next_x",      "next_y",      "next_vx", "next_vy", "way",
                                      "likes_speed", "limit_speed", "acting",  "mark"};

/* Columns kept that are made anew before anybody asks for them, and the number of a journey, which any world may
 * choose: they are not in a digest. Regions are, where there are any, and bodies that are
 * wider than their radius (digest.c). */
static const char *const undecided[] = {"wish_x",  "wish_y", "force",  "force_x", "force_y",
                                        "journey", "routed", "region", "home",    "body"};

#define IS_LISTED(list, column) is_listed(list, sizeof(list) / sizeof *(list), (column)->name)

static bool is_listed(const char *const *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], name) == 0) return true;
    }
    return false;
}

static bool is_kept(const layout *column) { return !IS_LISTED(scratch, column); }

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
    columns->by_id = throng_reallocate(columns->by_id, capacity * sizeof *columns->by_id);
    columns->capacity = capacity;
}

void throng_columns_reserve_moves(throng_columns *columns) {
    if (columns->capacity <= columns->move_capacity) return;
    uint32_t **rows[] = {&columns->from, &columns->to};
    for (size_t i = 0; i < 2; i++) *rows[i] = throng_reallocate(*rows[i], columns->capacity * sizeof(uint32_t));
    columns->move_capacity = columns->capacity;
}

void throng_columns_destroy(throng_columns *columns) {
    for (size_t i = 0; i < COLUMN_COUNT; i++) throng_release(*column_at(columns, i));
    THRONG_RELEASE(columns->by_id, columns->from, columns->to);
    *columns = (throng_columns){0};
}

void throng_kept_reserve(throng_kept *kept, size_t capacity) {
    if (!kept->items) kept->items = throng_allocate((kept->column_count + 1) * sizeof *kept->items);
    if (capacity <= kept->capacity) return;
    for (size_t c = 0; c < kept->column_count; c++) {
        size_t old = kept->capacity * kept->columns[c].item_size, grown = capacity * kept->columns[c].item_size;
        kept->items[c] = throng_reallocate(kept->items[c], grown);
        memset((char *)kept->items[c] + old, 0, grown - old);
    }
    kept->capacity = capacity;
}

void throng_kept_reset(const throng_kept *kept, size_t row) {
    for (size_t c = 0; c < kept->column_count; c++)
        memset((char *)kept->items[c] + row * kept->columns[c].item_size, 0, kept->columns[c].item_size);
}

void throng_kept_clear(throng_kept *kept) {
    for (size_t c = 0; kept->items && c < kept->column_count; c++) throng_release(kept->items[c]);
    throng_release(kept->items);
}

static size_t first_marked(const uint8_t *mark, size_t from, size_t count) {
    const uint8_t *found = from < count ? memchr(mark + from, 1, count - from) : NULL;
    return found ? (size_t)(found - mark) : count;
}

/* In any order, gaps are filled by the last people: `to` has the gaps, `from` who goes there. */
throng_leaving throng_columns_leaving(throng_columns *columns) {
    throng_leaving l = {0};
    for (size_t i = 0; i < columns->count; i++) l.stay += !columns->mark[i];
    if (!columns->shuffled) return l;
    throng_columns_reserve_moves(columns);
    size_t last = l.stay;
    for (size_t row = first_marked(columns->mark, 0, l.stay); row < l.stay;
         row = first_marked(columns->mark, row + 1, l.stay)) {
        while (columns->mark[last]) last++;
        columns->to[l.filled] = (uint32_t)row;
        columns->from[l.filled++] = (uint32_t)last++;
    }
    return l;
}

static void close_gaps(char *bytes, size_t item_size, const uint8_t *mark, size_t count) {
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

void throng_column_compact(void *items, size_t item_size, const throng_columns *columns, const throng_leaving *leaving,
                           size_t count) {
    char *bytes = items;
    if (!columns->shuffled) {
        close_gaps(bytes, item_size, columns->mark, count);
        return;
    }
    for (size_t k = 0; k < leaving->filled; k++) {
        uint32_t to = columns->to[k], from = columns->from[k];
        if (from < count)
            memcpy(bytes + to * item_size, bytes + from * item_size, item_size);
        else if (to < count)
            memset(bytes + to * item_size, 0, item_size);
    }
    if (leaving->stay < count) memset(bytes + leaving->stay * item_size, 0, (count - leaving->stay) * item_size);
}

/* Where somebody of the last rows has gone. */
static uint32_t filled_by(const throng_columns *columns, const throng_leaving *leaving, uint32_t row) {
    size_t low = 0, high = leaving->filled;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (columns->from[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return columns->to[low];
}

/* Rows in order of id, of those who stay. In order of rows each is its own. */
static void compact_index(throng_columns *columns, const throng_leaving *leaving) {
    size_t kept = 0;
    for (size_t k = 0; k < columns->count && columns->shuffled; k++) {
        uint32_t row = columns->by_id[k];
        if (columns->mark[row]) continue;
        columns->by_id[kept++] = row < leaving->stay ? row : filled_by(columns, leaving, row);
    }
}

typedef struct compacting {
    throng_columns *columns;
    const throng_leaving *leaving;
} compacting;

static void compact_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const compacting *job = context;
    throng_columns *columns = job->columns;
    for (size_t i = begin; i < end; i++) {
        void *items = i < COLUMN_COUNT ? *column_at(columns, i) : NULL;
        if (!items)
            compact_index(columns, job->leaving);
        else if (items != columns->mark)
            throng_column_compact(items, layouts[i].item_size, columns, job->leaving, columns->count);
    }
}

void throng_columns_compact(throng_columns *columns, const throng_leaving *leaving, throng_crew *crew) {
    enum { FEW = 8192 /* rows that are not worth waking anybody for */, ALL = COLUMN_COUNT + 1 /* the index, too */ };
    compacting job = {columns, leaving};
    throng_parallel_for(crew, ALL, columns->count < FEW ? ALL : 1, compact_some, &job);
    memset(columns->mark, 0, columns->count);
    columns->count = leaving->stay;
}

size_t throng_columns_rank(const throng_columns *columns, throng_agent id) {
    size_t at;
    THRONG_SEARCH(at, columns->count, columns->id[columns->by_id[at]] < id);
    return at;
}

size_t throng_columns_row(const throng_columns *columns, throng_agent id) {
    size_t rank = throng_columns_rank(columns, id);
    return rank < columns->count && columns->id[columns->by_id[rank]] == id ? columns->by_id[rank] : SIZE_MAX;
}

/* --- the order of rows */

typedef struct numbered {
    throng_agent id;
    uint32_t row;
} numbered;

static int by_number(const void *a, const void *b) {
    throng_agent left = ((const numbered *)a)->id, right = ((const numbered *)b)->id;
    return (left > right) - (left < right);
}

bool throng_columns_index(throng_columns *columns) {
    size_t count = columns->count;
    columns->shuffled = false;
    for (size_t row = 0; row < count; row++) {
        columns->by_id[row] = (uint32_t)row;
        columns->shuffled = columns->shuffled || (row > 0 && columns->id[row] <= columns->id[row - 1]);
    }
    if (!columns->shuffled) return true;
    numbered *sorted = throng_allocate(count * sizeof *sorted);
    for (size_t row = 0; row < count; row++) sorted[row] = (numbered){columns->id[row], (uint32_t)row};
    qsort(sorted, count, sizeof *sorted, by_number);
    bool distinct = true;
    for (size_t k = 0; k < count; k++) {
        columns->by_id[k] = sorted[k].row;
        distinct = distinct && (k == 0 || sorted[k].id != sorted[k - 1].id);
    }
    throng_release(sorted);
    return distinct;
}

void throng_columns_enter(throng_columns *columns, size_t first) {
    size_t fresh = columns->count - first, end = first, at;
    numbered *sorted = throng_allocate(fresh * sizeof *sorted);
    for (size_t k = 0; k < fresh; k++) sorted[k] = (numbered){columns->id[first + k], (uint32_t)(first + k)};
    if (fresh > 1) qsort(sorted, fresh, sizeof *sorted, by_number);
    for (size_t k = fresh; k-- > 0; end = at) {
        THRONG_SEARCH(at, end, columns->id[columns->by_id[at]] < sorted[k].id);
        memmove(columns->by_id + at + k + 1, columns->by_id + at, (end - at) * sizeof *columns->by_id);
        columns->by_id[at + k] = sorted[k].row;
        columns->shuffled = columns->shuffled || at + k != sorted[k].row;
    }
    throng_release(sorted);
}

size_t throng_columns_count(void) { return COLUMN_COUNT; }

/* `size` bytes of items that lie `stride` apart. */
static inline void move_slice(char *items, size_t stride, size_t size, const uint32_t *from, const uint32_t *first,
                              size_t ring_count) {
    char kept[SLICE];
    for (size_t ring = 0; ring < ring_count; ring++) {
        uint32_t row = first[ring];
        memcpy(kept, items + row * stride, size);
        for (uint32_t next = from[row]; next != first[ring]; next = from[row]) {
            memcpy(items + row * stride, items + next * stride, size);
            row = next;
        }
        memcpy(items + row * stride, kept, size);
    }
}

void throng_column_move(void *items, size_t item_size, const uint32_t *from, const uint32_t *first, size_t ring_count) {
    if (item_size == 8) {
        move_slice(items, 8, 8, from, first, ring_count);
        return;
    }
    for (size_t at = 0; at < item_size; at += SLICE) {
        size_t size = item_size - at < SLICE ? item_size - at : SLICE;
        move_slice((char *)items + at, item_size, size, from, first, ring_count);
    }
}

size_t throng_columns_move(throng_columns *columns, const uint32_t *first, size_t ring_count, size_t begin,
                           size_t end) {
    for (size_t i = begin; i < end && i < COLUMN_COUNT; i++) {
        if (is_kept(&layouts[i]))
            throng_column_move(*column_at(columns, i), layouts[i].item_size, columns->from, first, ring_count);
    }
    return COLUMN_COUNT;
}

void throng_columns_renumber(throng_columns *columns) {
    for (size_t row = 0; row < columns->count; row++) columns->to[columns->from[row]] = (uint32_t)row;
    columns->shuffled = false;
    for (size_t k = 0; k < columns->count; k++) {
        columns->by_id[k] = columns->to[columns->by_id[k]];
        columns->shuffled = columns->shuffled || columns->by_id[k] != k;
    }
}

/* --- keeping */

void throng_columns_clear(throng_columns *columns, size_t begin, size_t end) {
    for (size_t i = 0; i < COLUMN_COUNT && begin < end; i++) {
        size_t size = layouts[i].item_size;
        memset((char *)*column_at(columns, i) + begin * size, 0, (end - begin) * size);
    }
}

size_t throng_columns_row_size(void) {
    size_t size = 0;
    for (size_t i = 0; i < COLUMN_COUNT; i++) size += is_kept(&layouts[i]) ? layouts[i].item_size : 0;
    return size;
}

void throng_columns_archive(throng_columns *columns, throng_archive *archive) {
    uint64_t count = columns->count;
    throng_archive_mark(archive, "columns");
    THRONG_ARCHIVE(archive, count);
    if (archive->reading) {
        if (count > (archive->size - archive->at) / throng_columns_row_size())
            throng_archive_spoil(archive, "there are too many people");
        throng_columns_clear(columns, 0, columns->capacity);
        columns->count = 0;
        columns->shuffled = false;
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

char *throng_column_pack(const void *items, size_t item_size, const uint32_t *rows, size_t count, char *to) {
    for (size_t k = 0; k < count; k++) memcpy(to + k * item_size, (const char *)items + rows[k] * item_size, item_size);
    return to + count * item_size;
}

char *throng_columns_pack(const throng_columns *columns, const uint32_t *rows, size_t count, char *to) {
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        const void *items = *(char *const *)(const void *)((const char *)columns + layouts[i].pointer);
        if (is_kept(&layouts[i])) to = throng_column_pack(items, layouts[i].item_size, rows, count, to);
    }
    return to;
}

const char *throng_columns_unpack(throng_columns *columns, size_t first, size_t count, const char *from) {
    for (size_t i = 0; i < COLUMN_COUNT && count > 0; i++) {
        size_t size = layouts[i].item_size;
        if (!is_kept(&layouts[i])) continue;
        memcpy((char *)*column_at(columns, i) + first * size, from, count * size);
        from += count * size;
    }
    return from;
}

void throng_column_hash(const void *items, size_t item_size, size_t count, uint64_t *hashes) {
    const char *item = items;
    for (size_t k = 0; k < count; k++) hashes[k] = throng_hash_bytes(hashes[k], item + k * item_size, item_size);
}

void throng_columns_hash(const throng_columns *columns, size_t begin, size_t end, uint64_t *hashes) {
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (!is_kept(&layouts[i]) || IS_LISTED(undecided, &layouts[i])) continue;
        const char *items = *(char *const *)(const void *)((const char *)columns + layouts[i].pointer);
        throng_column_hash(items + begin * layouts[i].item_size, layouts[i].item_size, end - begin, hashes);
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

double throng_columns_longest_way(const throng_columns *a) {
    double longest2 = 0;
    for (size_t i = 0; i < a->count; i++) {
        double dx = a->next_x[i] - a->x[i], dy = a->next_y[i] - a->y[i];
        longest2 = fmax(longest2, dx * dx + dy * dy);
    }
    return sqrt(longest2);
}
