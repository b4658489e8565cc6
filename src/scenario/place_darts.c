/* place_darts.c: random placement: darts are thrown until they hit free floor, the largest people first.
 *
 * Plain darts miss more and more as the floor fills, and never know that it is full. So after some
 * misses the floor is cut into cells and darts go to cells only. A cell that was missed is cut in
 * four, and quarters in which nobody can stand are dropped:
 *
 *     +-------+      +---+---+
 *     |   x   |  ─►  |   | . |     x a miss, . a quarter that is dropped
 *     |       |      +---+---+
 *     +-------+      |   |   |
 *                    +---+---+
 *
 * A cell is chosen by its area, so that a dart goes with equal chance to every place still free; no
 * cell left means that the floor is full. (Compare White, Cline and Egbert 2007.) */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "scenario/placement.h"
#include "space/walls.h"

enum {
    MISSES = 100, /* in a row, before the floor is cut into cells */
    COARSE = 64,  /* cells along the longer side at first */
    LEVELS = 48
};
static const double finest = 1e-3; /* side of a cell over a radius: smaller ones are dropped when missed */
static const double alike = 0.95;  /* one radius over another, so that they share the cells */

/* Cells of one size. */
typedef struct level {
    double side;         /* m */
    throng_point *cells; /* low corners */
    size_t count, capacity;
} level;

typedef struct board {
    throng_floor *floor;
    throng_draws draws;
    throng_point low, size; /* m: where centres can be */
    double radius;          /* m, of whom the cells are kept for; those a little smaller use them too */
    bool cut;               /* there are cells */
    level levels[LEVELS];   /* each half as wide as the one before */
    int level_count;        /* of those used so far */
} board;

/* ------------------------------------------------------------------ cells */

/* Whether nobody can stand with the centre in a cell. */
static bool is_dead(const board *b, throng_point low, double side) {
    const throng_floor *floor = b->floor;
    const throng_placement *p = floor->placement;
    throng_point middle = {low.x + side / 2, low.y + side / 2};
    double reach = side * 0.70710678118654757, radius = b->radius, wall_radius = p->overlap_allowed ? 0 : radius;
    double depth = throng_walls_depth(floor->walls, middle.x, middle.y, radius + 2 * reach);
    if (depth < radius - reach - THRONG_ROUNDING) return true;
    depth = throng_walls_depth(p->loading->walls, middle.x, middle.y, wall_radius + 2 * reach);
    if (depth < wall_radius - reach - THRONG_ROUNDING) return true;
    double thing_radius = radius + p->room - reach;
    if (thing_radius > 0 && !throng_is_clear_of_things(&p->things, middle, thing_radius)) return true;
    if (p->overlap_allowed) return false;
    return throng_placed_covers(p->crowd, floor->entry->index, middle, reach, radius, floor->entry->shape.gap);
}

static void add_cell(board *b, level *l, throng_point low) {
    if (is_dead(b, low, l->side)) return;
    THRONG_GROW(l->cells, l->capacity, l->count + 1);
    l->cells[l->count++] = low;
}

static void cut_board(board *b) {
    double side = fmax(fmax(b->size.x, b->size.y) / COARSE, b->radius);
    for (int i = 0; i < LEVELS; i++) {
        b->levels[i].side = ldexp(side, -i);
        b->levels[i].count = 0;
    }
    for (double y = 0; y <= b->size.y; y += side) {
        for (double x = 0; x <= b->size.x; x += side) {
            add_cell(b, &b->levels[0], (throng_point){b->low.x + x, b->low.y + y});
        }
    }
    b->cut = true;
    b->level_count = 1;
}

/* Takes a cell away and puts those of its quarters that are not dead into the next level. */
static void cut_cell(board *b, int number, size_t cell) {
    level *l = &b->levels[number];
    throng_point low = l->cells[cell];
    l->cells[cell] = l->cells[--l->count];
    double half = l->side / 2;
    if (half < finest * b->radius || number + 1 == LEVELS) return;
    if (b->level_count < number + 2) b->level_count = number + 2;
    for (int i = 0; i < 4; i++) {
        add_cell(b, l + 1, (throng_point){low.x + (i & 1 ? half : 0), low.y + (i & 2 ? half : 0)});
    }
}

/* ------------------------------------------------------------------ throwing */

static throng_point throw_at(board *b, throng_point low, throng_point size) {
    double u = throng_draw_uniform(&b->draws), v = throng_draw_uniform(&b->draws);
    return (throng_point){low.x + u * size.x, low.y + v * size.y};
}

/* A level, chosen by the area of its cells; -1 when no cell is left. */
static int choose_level(board *b) {
    double total = 0;
    for (int i = 0; i < b->level_count; i++)
        total += (double)b->levels[i].count * b->levels[i].side * b->levels[i].side;
    double u = throng_draw_uniform(&b->draws) * total;
    int chosen = -1;
    for (int i = 0; i < b->level_count; i++) {
        if (b->levels[i].count == 0) continue;
        chosen = i;
        u -= (double)b->levels[i].count * b->levels[i].side * b->levels[i].side;
        if (u < 0) break;
    }
    return chosen;
}

/* A free place for a disc; false when there is none. */
static bool find_place(board *b, double radius, throng_point *out) {
    if (radius < alike * b->radius || b->radius == 0) {
        b->radius = radius;
        b->cut = false;
    }
    for (int i = 0; i < MISSES && !b->cut; i++) {
        *out = throw_at(b, b->low, b->size);
        if (throng_fits(b->floor, *out, radius)) return true;
    }
    if (!b->cut) cut_board(b);
    for (int number; (number = choose_level(b)) >= 0;) {
        level *l = &b->levels[number];
        size_t cell = (size_t)(throng_draw_uniform(&b->draws) * (double)l->count);
        *out = throw_at(b, l->cells[cell], (throng_point){l->side, l->side});
        if (throng_fits(b->floor, *out, b->radius)) return true;
        cut_cell(b, number, cell);
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

static size_t place_all(board *b, const sized *order, size_t count) {
    const throng_floor *floor = b->floor;
    throng_person *people = floor->placement->loading->scenario->people;
    size_t placed = 0;
    for (; placed < count; placed++) {
        throng_point at;
        if (!find_place(b, order[placed].radius, &at)) break;
        people[order[placed].person].def.at = at;
        throng_placed_add(floor->placement->crowd, order[placed].person, floor->entry->index, at, order[placed].radius);
    }
    return placed;
}

size_t throng_fill_darts(throng_floor *floor) {
    throng_entry *entry = floor->entry;
    const throng_scenario *s = floor->placement->loading->scenario;
    size_t count = entry->shape.count;
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
    size_t placed = place_all(&b, order, count);
    throng_release(order);
    for (int i = 0; i < LEVELS; i++) throng_release(b.levels[i].cells);
    return placed;
}
