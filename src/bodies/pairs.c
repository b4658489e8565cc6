/* pairs.c: which parts may touch (broad phase): a grid of cells in plan, made anew in each step, so that nothing is
 * remembered. A pair is found in the first cell that both cover. */

#include <string.h>

#include "base/memory.h"
#include "bodies/bodies.h"

enum { CELLS_MOST = 64 /* that a part covers, in the grid */ };

static int32_t clamp(double cells, int32_t count) {
    return cells < 0 ? 0 : cells >= count ? count - 1 : (int32_t)cells;
}

static int32_t column_of(const throng_pair_grid *g, double x) { return clamp((x - g->origin_x) / g->cell, g->columns); }
static int32_t row_of(const throng_pair_grid *g, double y) { return clamp((y - g->origin_y) / g->cell, g->rows); }

typedef struct cells {
    int32_t left, right, bottom, top;
} cells;

static cells cells_of(const throng_bodies *b, size_t part) {
    const throng_pair_grid *g = &b->grid;
    return (cells){column_of(g, b->part_low[part].x), column_of(g, b->part_high[part].x),
                   row_of(g, b->part_low[part].y), row_of(g, b->part_high[part].y)};
}

static bool is_wide(cells c) { return (int64_t)(c.right - c.left + 1) * (c.top - c.bottom + 1) > CELLS_MOST; }

/* Cells as wide as parts are on average, and no more of them than parts. */
static void lay_out(throng_bodies *b) {
    throng_pair_grid *g = &b->grid;
    throng_point3 low = b->part_low[0], high = b->part_high[0];
    double sum = 0;
    for (size_t p = 0; p < b->part_count; p++) {
        low = (throng_point3){fmin(low.x, b->part_low[p].x), fmin(low.y, b->part_low[p].y), 0};
        high = (throng_point3){fmax(high.x, b->part_high[p].x), fmax(high.y, b->part_high[p].y), 0};
        sum += fmax(b->part_high[p].x - b->part_low[p].x, b->part_high[p].y - b->part_low[p].y);
    }
    g->cell = fmax(1.5 * sum / (double)b->part_count, 0.1);
    double most = 4.0 * (double)b->part_count + 256;
    while ((floor((high.x - low.x) / g->cell) + 1) * (floor((high.y - low.y) / g->cell) + 1) > most) g->cell *= 1.25;
    g->origin_x = low.x;
    g->origin_y = low.y;
    g->columns = (int32_t)((high.x - low.x) / g->cell) + 1;
    g->rows = (int32_t)((high.y - low.y) / g->cell) + 1;
}

void throng_pairs_sort(throng_bodies *b) {
    throng_pair_grid *g = &b->grid;
    if (b->sorted) return;
    b->sorted = true;
    g->wide_count = 0;
    lay_out(b);
    size_t count = (size_t)g->columns * (size_t)g->rows, items = 0;
    THRONG_GROW(g->start, g->start_capacity, count + 2);
    memset(g->start, 0, (count + 2) * sizeof *g->start);
    for (size_t p = 0; p < b->part_count; p++) {
        cells c = cells_of(b, p);
        if (is_wide(c)) {
            THRONG_GROW(g->wide, g->wide_capacity, g->wide_count + 1);
            g->wide[g->wide_count++] = (uint32_t)p;
            continue;
        }
        for (int32_t r = c.bottom; r <= c.top; r++) {
            for (int32_t k = c.left; k <= c.right; k++) g->start[(size_t)r * (size_t)g->columns + (size_t)k + 2]++;
        }
        items += (size_t)(c.right - c.left + 1) * (size_t)(c.top - c.bottom + 1);
    }
    for (size_t c = 2; c < count + 2; c++) g->start[c] += g->start[c - 1];
    THRONG_GROW(g->item, g->item_capacity, items);
    for (size_t p = 0; p < b->part_count; p++) {
        cells c = cells_of(b, p);
        if (is_wide(c)) continue;
        for (int32_t r = c.bottom; r <= c.top; r++) {
            for (int32_t k = c.left; k <= c.right; k++)
                g->item[g->start[(size_t)r * (size_t)g->columns + (size_t)k + 1]++] = (uint32_t)p;
        }
    }
}

void throng_pairs_mark(const throng_bodies *b, throng_point low, throng_point high, uint8_t *marks) {
    const throng_pair_grid *g = &b->grid;
    int32_t left = column_of(g, low.x), right = column_of(g, high.x), top = row_of(g, high.y);
    for (size_t i = 0; i < g->wide_count; i++) marks[g->wide[i]] = 1;
    for (int32_t r = row_of(g, low.y); r <= top; r++) {
        const uint32_t *start = g->start + (size_t)r * (size_t)g->columns;
        for (uint32_t i = start[left]; i < start[right + 1]; i++) marks[g->item[i]] = 1;
    }
}

static bool boxes_meet(const throng_bodies *b, uint32_t p, uint32_t q) {
    throng_point3 pl = b->part_low[p], ph = b->part_high[p], ql = b->part_low[q], qh = b->part_high[q];
    return pl.x <= qh.x && ql.x <= ph.x && pl.y <= qh.y && ql.y <= ph.y && pl.z <= qh.z && ql.z <= ph.z;
}

/* Whether a pair is to be found from this part, and not from the other. */
static bool is_mine(const throng_bodies *b, uint32_t p, uint32_t q, bool fresh) {
    uint32_t one = b->owner[p], other = b->owner[q];
    const throng_body *own = &b->bodies[one], *its = &b->bodies[other];
    if (one == other || (own->component && own->component == its->component)) return false;
    if (!b->objects[other].awake) return true;
    if (fresh && !its->fresh) return false;
    return p < q;
}

static void look_at(throng_bodies *b, uint32_t p, uint32_t q, bool fresh) {
    if (!boxes_meet(b, p, q) || !is_mine(b, p, q, fresh)) return;
    THRONG_GROW(b->pairs, b->pair_capacity, b->pair_count + 1);
    b->pairs[b->pair_count++] = (throng_pair){p, q};
}

static void find_from(throng_bodies *b, uint32_t p, bool fresh) {
    const throng_pair_grid *g = &b->grid;
    cells c = cells_of(b, p);
    for (size_t i = 0; i < g->wide_count; i++) look_at(b, p, g->wide[i], fresh);
    if (is_wide(c)) {
        /* Few and far between: it looks at everything. */
        for (uint32_t q = 0; q < b->part_count; q++) {
            if (!is_wide(cells_of(b, q))) look_at(b, p, q, fresh);
        }
        return;
    }
    for (int32_t r = c.bottom; r <= c.top; r++) {
        for (int32_t k = c.left; k <= c.right; k++) {
            size_t cell = (size_t)r * (size_t)g->columns + (size_t)k;
            for (uint32_t i = g->start[cell]; i < g->start[cell + 1]; i++) {
                uint32_t q = g->item[i];
                if (q == p) continue;
                cells d = cells_of(b, q);
                if (r == (c.bottom > d.bottom ? c.bottom : d.bottom) && k == (c.left > d.left ? c.left : d.left))
                    look_at(b, p, q, fresh);
            }
        }
    }
}

void throng_pairs_find(throng_bodies *b, bool fresh) {
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        const throng_object_state *object = &b->objects[i];
        if (fresh && !b->bodies[i].fresh) continue;
        for (uint32_t p = 0; p < object->part_count; p++) find_from(b, object->first_part + p, fresh);
    }
}
