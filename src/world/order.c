/* order.c: rows of large crowds in order of place, and the view in order of id all the same.
 *
 * Who stands side by side is looked at one after the other: by the cell grid, by models that take people from rows and
 * write them back, and by planners that look up where people are. In small crowds all of that fits into the caches of a
 * processor, and rows stay in order of id. In larger ones everybody is put where it belongs once in a while, as the
 * number of the step says. Hence the order of rows is part of a world's state, and kept in checkpoints. */

#include "world/order.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "world/world.h"

enum { CROWD_LEAST = 8192 /* people */, EVERY = 64 /* steps */, BLOCK = 2 /* cells of the grid along a side */ };

/* --- putting rows in order */

typedef struct moving {
    throng_world *world;
    const uint32_t *first; /* of each ring of rows that change places, one */
    size_t ring_count;
} moving;

/* Columns of the world, then private ones, one after the other. */
static void move_columns(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const moving *m = context;
    throng_columns *a = &m->world->agents;
    size_t column = throng_columns_move(a, m->first, m->ring_count, begin, end);
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(m->world, k)) != NULL; k++) {
        for (size_t c = 0; c < kept->column_count; c++, column++) {
            if (column < begin || column >= end) continue;
            throng_column_move(kept->items[c], kept->columns[c].item_size, a->from, m->first, m->ring_count);
        }
    }
}

/* Blocks of cells, in rows. People stay in one for some time. */
typedef struct blocks {
    const throng_near *near;
    int32_t side, columns, rows; /* cells; blocks */
} blocks;

static blocks lay_blocks(const throng_near *near, size_t count_most) {
    blocks b = {.near = near, .side = BLOCK};
    for (;; b.side *= 2) {
        b.columns = (near->columns + b.side - 1) / b.side;
        b.rows = (near->rows + b.side - 1) / b.side;
        if ((size_t)b.columns * (size_t)b.rows <= count_most) return b;
    }
}

/* The slots of a row of cells that lie in a column of blocks. */
static inline uint32_t first_slot(const blocks *b, int32_t cell_row, int32_t column) {
    int32_t cell = column * b->side < b->near->columns ? column * b->side : b->near->columns;
    return b->near->start[(size_t)cell_row * (size_t)b->near->columns + (size_t)cell];
}

/* Who is to stand in which row: by block, in it by cell; `to` is scratch. */
static void line_up(throng_columns *a, const throng_near *near) {
    blocks b = lay_blocks(near, a->count);
    memset(a->to, 0, (size_t)b.columns * (size_t)b.rows * sizeof *a->to);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t r = 0; r < near->rows; r++) {
            uint32_t *block = a->to + (size_t)(r / b.side) * (size_t)b.columns;
            for (int32_t c = 0; c < b.columns; c++) {
                for (uint32_t slot = first_slot(&b, r, c); slot < first_slot(&b, r, c + 1); slot++) {
                    if (near->image_count > 0 && throng_near_is_image(near, slot)) continue;
                    if (pass == 1) a->from[block[c]] = near->row[slot];
                    block[c]++;
                }
            }
        }
        /* after counting: where each block begins */
        uint32_t at = 0;
        for (size_t k = 0; k < (size_t)b.columns * (size_t)b.rows && pass == 0; k++) {
            uint32_t count = a->to[k];
            a->to[k] = at;
            at += count;
        }
    }
}

/* Rows that take each other's places go around in rings. Finds one of each, and leaves nothing in `mark`. */
static size_t find_rings(throng_columns *a, uint32_t *first) {
    size_t count = 0;
    memset(a->mark, 0, a->count);
    for (uint32_t row = 0; row < a->count; row++) {
        if (a->mark[row] || a->from[row] == row) continue;
        first[count++] = row;
        for (uint32_t at = row; !a->mark[at]; at = a->from[at]) a->mark[at] = 1;
    }
    memset(a->mark, 0, a->count);
    return count;
}

void throng_world_keep_order(throng_world *world) {
    throng_columns *a = &world->agents;
    if (world->step % EVERY != 0 || a->count < CROWD_LEAST) return;
    const throng_near *near = throng_world_build_near(world, a->count);
    size_t column_count = throng_columns_count();
    throng_columns_reserve_moves(a);
    line_up(a, near);
    moving m = {.world = world, .first = a->to};
    m.ring_count = find_rings(a, a->to);
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++) column_count += kept->column_count;
    throng_parallel_for(world->crew, column_count, 1, move_columns, &m);
    throng_columns_renumber(a);
}

/* --- looking */

/* A column that is shown: where its pointer is in a view. */
static const struct shown {
    size_t pointer, item_size;
} all_shown[] = {
#define SHOWN(type, name) {offsetof(throng_view, name), sizeof(type)},
    THRONG_SHOWN_COLUMNS(SHOWN)
#undef SHOWN
};

enum { SHOWN_COUNT = sizeof all_shown / sizeof *all_shown };

/* Those columns in order of id. */
struct throng_ordered {
    bool fresh;
    size_t capacity;
    char *items[SHOWN_COUNT];
};

static const char *column_of(const throng_view *view, size_t index) {
    const char *items;
    memcpy(&items, (const char *)view + all_shown[index].pointer, sizeof items);
    return items;
}

static inline void gather(char *to, const char *items, size_t size, const uint32_t *by_id, size_t count) {
    for (size_t k = 0; k < count; k++) memcpy(to + k * size, items + by_id[k] * size, size);
}

static void gather_columns(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_world *world = context;
    const throng_columns *a = &world->agents;
    for (size_t i = begin; i < end; i++) {
        const char *items = column_of(&a->view, i);
        char *to = world->ordered->items[i];
        size_t size = all_shown[i].item_size;
        if (size == 8)
            gather(to, items, 8, a->by_id, a->count);
        else
            gather(to, items, size, a->by_id, a->count);
    }
}

static void put_in_order(const throng_world *world) {
    throng_ordered *o = world->ordered;
    const throng_columns *a = &world->agents;
    if (o->fresh) return;
    if (a->count > o->capacity) {
        o->capacity = a->capacity;
        for (size_t i = 0; i < SHOWN_COUNT; i++)
            o->items[i] = throng_reallocate(o->items[i], o->capacity * all_shown[i].item_size);
    }
    throng_parallel_for(world->crew, SHOWN_COUNT, 1, gather_columns, (void *)(uintptr_t)world);
    o->fresh = true;
}

throng_view throng_world_raw_view(const throng_world *world) {
    throng_view view = world->agents.view;
    view.time = throng_world_time(world);
    view.step = world->step;
    return view;
}

throng_view throng_world_view(const throng_world *world) {
    throng_view view = throng_world_raw_view(world);
    view.by_id = NULL;
    if (!world->agents.shuffled) return view;
    put_in_order(world);
    for (size_t i = 0; i < SHOWN_COUNT; i++)
        memcpy((char *)&view + all_shown[i].pointer, &world->ordered->items[i], sizeof(char *));
    return view;
}

throng_ordered *throng_ordered_create(void) { return throng_allocate(sizeof(throng_ordered)); }

void throng_ordered_destroy(throng_ordered *ordered) {
    if (!ordered) return;
    for (size_t i = 0; i < SHOWN_COUNT; i++) throng_release(ordered->items[i]);
    throng_release(ordered);
}

void throng_world_touch(throng_world *world) {
    world->ordered->fresh = false;
    if (world->ask) world->ask->near = NULL;
}
