/* darts.c: random placement: darts are thrown until they hit free floor, the largest people first.
 *
 * Plain darts miss more and more as the floor fills, and never know that it is full. So after many
 * misses the floor is cut into cells, cells that nobody can stand in any more are dropped, and darts
 * go to the rest only, which are cut finer as hits become rare. Where a dart can hit stays equally
 * likely throughout; no cell left means the floor is full. (Compare Gamito and Maddock 2009.) */

#include <math.h>
#include <stdlib.h>

#include "scenario/placement.h"
#include "space/walls.h"
#include "world/memory.h"

enum {
    MISSES = 100,        /* in a row, before the floor is cut into cells */
    COARSE = 64,         /* cells along the longer side at first */
    CELLS_MOST = 1 << 22 /* cells are not cut further beyond this */
};
static const double finest = 1e-3; /* side of a cell over a radius, where cutting ends */

typedef struct board {
    throng_floor *floor;
    throng_draws draws;
    throng_point low, size; /* m: where centres can be */
    double side;            /* m, of a cell; 0: not cut yet */
    throng_point *cells;    /* low corners */
    size_t count;
} board;

/* ------------------------------------------------------------------ cells */

/* Whether nobody can stand with the centre in a cell. */
static bool is_dead(const board *b, throng_point low) {
    const throng_floor *floor = b->floor;
    const throng_placement *p = floor->placement;
    throng_point middle = {low.x + b->side / 2, low.y + b->side / 2};
    double reach = b->side * 0.70710678118654757, radius = floor->radius_min;
    double wall_radius = p->overlap_allowed ? 0 : radius;
    if (throng_walls_depth(floor->walls, middle.x, middle.y, radius + reach) < radius - reach - THRONG_ROUNDING)
        return true;
    double depth = throng_walls_depth(p->loading->walls, middle.x, middle.y, wall_radius + reach);
    if (depth < wall_radius - reach - THRONG_ROUNDING) return true;
    if (p->overlap_allowed) return false;
    return throng_crowd_covers(p->crowd, floor->entry->index, middle, reach, radius, floor->entry->shape.gap);
}

static void keep_live(board *b, const throng_point *candidates, size_t count) {
    throng_point *live = throng_reallocate(NULL, (count + 1) * sizeof *live);
    b->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_dead(b, candidates[i])) live[b->count++] = candidates[i];
    }
    throng_release(b->cells);
    b->cells = live;
}

/* Cuts every cell in four and drops the dead ones. */
static void cut(board *b) {
    throng_point *quarters = throng_reallocate(NULL, (4 * b->count + 1) * sizeof *quarters);
    b->side /= 2;
    for (size_t i = 0; i < 4 * b->count; i++) {
        throng_point low = b->cells[i / 4];
        quarters[i] = (throng_point){low.x + (i & 1 ? b->side : 0), low.y + (i & 2 ? b->side : 0)};
    }
    keep_live(b, quarters, 4 * b->count);
    throng_release(quarters);
}

static void cut_first(board *b) {
    b->side = fmax(fmax(b->size.x, b->size.y) / COARSE, b->floor->radius_min);
    size_t columns = (size_t)(b->size.x / b->side) + 1, rows = (size_t)(b->size.y / b->side) + 1;
    throng_point *cells = throng_reallocate(NULL, columns * rows * sizeof *cells);
    for (size_t i = 0; i < columns * rows; i++) {
        cells[i].x = b->low.x + (double)(i % columns) * b->side;
        cells[i].y = b->low.y + (double)(i / columns) * b->side;
    }
    keep_live(b, cells, columns * rows);
    throng_release(cells);
    while (b->side > b->floor->radius_min && b->count < CELLS_MOST / 4) cut(b);
}

/* ------------------------------------------------------------------ throwing */

static throng_point throw_at(board *b, throng_point low, throng_point size) {
    double u = throng_draw_uniform(&b->draws), v = throng_draw_uniform(&b->draws);
    return (throng_point){low.x + u * size.x, low.y + v * size.y};
}

static bool throw_at_cells(board *b, double radius, throng_point *out) {
    throng_point size = {b->side, b->side};
    size_t darts = b->count < 64 ? 64 : b->count;
    for (size_t i = 0; i < darts; i++) {
        size_t cell = (size_t)(throng_draw_uniform(&b->draws) * (double)b->count);
        *out = throw_at(b, b->cells[cell], size);
        if (throng_fits(b->floor, *out, radius)) return true;
    }
    return false;
}

/* A free place for a disc; false when there is none. */
static bool find_place(board *b, double radius, throng_point *out) {
    for (int i = 0; i < MISSES && b->side == 0; i++) {
        *out = throw_at(b, b->low, b->size);
        if (throng_fits(b->floor, *out, radius)) return true;
    }
    if (b->side == 0) cut_first(b);
    while (b->count > 0) {
        if (throw_at_cells(b, radius, out)) return true;
        if (b->side < finest * b->floor->radius_min || b->count > CELLS_MOST) return false;
        cut(b);
    }
    return false;
}

/* ------------------------------------------------------------------ people */

typedef struct sized {
    double radius;
    size_t person;
} sized;

static int larger_first(const void *a, const void *b) {
    const sized *x = a, *y = b;
    if (x->radius != y->radius) return x->radius > y->radius ? -1 : 1;
    return x->person < y->person ? -1 : 1;
}

size_t throng_fill_darts(throng_floor *floor) {
    throng_entry *entry = floor->entry;
    throng_scenario *s = floor->placement->loading->scenario;
    size_t count = entry->shape.count, placed = 0;
    double margin = floor->radius_min - THRONG_ROUNDING;
    board b = {
        .floor = floor,
        .draws = {.seed = s->seed, .who = entry->index + 1, .what = THRONG_PLACE_DART, .purpose = THRONG_RANDOM_PLACE},
        .low = {floor->bounds.low.x + margin, floor->bounds.low.y + margin},
        .size = {floor->bounds.high.x - floor->bounds.low.x - 2 * margin,
                 floor->bounds.high.y - floor->bounds.low.y - 2 * margin}};
    if (b.size.x < 0 || b.size.y < 0) return 0;

    sized *order = throng_allocate(count * sizeof *order);
    for (size_t k = 0; k < count; k++) order[k] = (sized){s->people[entry->first + k].def.radius, entry->first + k};
    qsort(order, count, sizeof *order, larger_first);
    for (; placed < count; placed++) {
        throng_point at;
        if (!find_place(&b, order[placed].radius, &at)) break;
        s->people[order[placed].person].def.at = at;
        throng_crowd_add(floor->placement->crowd, order[placed].person, entry->index, at, order[placed].radius);
    }
    throng_release(order);
    throng_release(b.cells);
    return placed;
}
