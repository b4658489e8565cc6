/* fill.c: people in a polygon, by darts or on a lattice; and what to say when they do not fit. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "scenario/placement.h"
#include "space/place.h"
#include "space/walls.h"

bool throng_is_on_floor(const throng_floor *floor, throng_point at, double radius) {
    return throng_walls_depth(floor->walls, at.x, at.y, radius + THRONG_ROUNDING) >= radius - THRONG_ROUNDING;
}

bool throng_fits(const throng_floor *floor, throng_point at, double radius) {
    return throng_is_on_floor(floor, at, radius) && throng_is_clear_of_walls(floor->placement, at, radius) &&
           throng_is_clear_of_things(&floor->placement->things, at, radius + floor->placement->room) &&
           throng_is_free(floor->placement, floor->entry, THRONG_NOBODY, at, radius);
}

/* ------------------------------------------------------------------ on a lattice */

/* places on a hexagonal or square lattice.
 *
 *     o   o   o        The pitch is the widest that gives enough places, so that people are spread
 *       o   o   o      evenly over the floor; at its narrowest discs are a gap apart.
 *     o   o   o                                                                                   */

enum {
    SEARCH_STEPS = 12, /* halvings of the interval the pitch is searched in */
    LOOKS = 4000000    /* places looked at before a floor is taken for too scattered */
};

/* How a lattice lies on the floor. */
typedef struct lattice {
    const throng_floor *floor;
    double pitch; /* m, between neighbours in a row */
    bool hexagonal;
    bool centred; /* what is left over goes to both sides instead of one */
    bool upright; /* rows run along y */
} lattice;

/* Where the rows lie, seen along them: u runs along a row, v across. */
typedef struct frame {
    double row_pitch;
    double width, height; /* m, of where centres can be */
    double start, bottom; /* m, of the first place of the first row */
    double low_u, low_v;  /* m, where u and v are 0 */
} frame;

static frame frame_of(const lattice *l) {
    throng_box box = l->floor->bounds;
    double radius = l->floor->radius_max, row_pitch = l->hexagonal ? l->pitch * 0.86602540378443865 : l->pitch;
    double x = box.high.x - box.low.x - 2 * radius + THRONG_ROUNDING,
           y = box.high.y - box.low.y - 2 * radius + THRONG_ROUNDING;
    frame f = {.row_pitch = row_pitch,
               .width = l->upright ? y : x,
               .height = l->upright ? x : y,
               .low_u = (l->upright ? box.low.y : box.low.x) + radius,
               .low_v = (l->upright ? box.low.x : box.low.y) + radius};
    if (l->centred && f.width >= 0 && f.height >= 0) {
        f.start = fmod(f.width, l->pitch) / 2;
        f.bottom = fmod(f.height, row_pitch) / 2;
    }
    return f;
}

/* The part of a row that can lie in the polygon: a long and narrow one at a slant fills little of its
 * bounding box. */
static void clip_row(const lattice *l, const frame *f, double v, double *first, double *last) {
    throng_ring ring = l->floor->entry->shape.ring;
    double low = INFINITY, high = -INFINITY, level = f->low_v + v;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        double au = l->upright ? a.y : a.x, av = l->upright ? a.x : a.y;
        double bu = l->upright ? b.y : b.x, bv = l->upright ? b.x : b.y;
        if ((av > level && bv > level) || (av < level && bv < level)) continue;
        double u = av == bv ? au : au + (bu - au) * (level - av) / (bv - av);
        low = fmin(low, fmin(u, av == bv ? bu : u));
        high = fmax(high, fmax(u, av == bv ? bu : u));
    }
    *first = fmax(*first, low - f->low_u);
    *last = fmin(*last, high - f->low_u);
}

/* Numbers the free places, row by row, and stores some in out: as the i-th of `wanted` number
 * i * total / wanted. Stops at `limit`. */
static size_t walk(const lattice *l, size_t limit, throng_point *out, size_t total, size_t wanted) {
    frame f = frame_of(l);
    if (f.width < 0 || f.height < 0) return 0;
    bool clips = l->floor->entry->shape.ring.count < 1000;
    size_t count = 0, stored = 0, looked = 0, most = LOOKS + 64 * l->floor->entry->shape.count;
    double v = f.bottom;
    for (size_t row = 0; v <= f.height && count < limit && looked++ < most;
         v = f.bottom + (double)++row * f.row_pitch) {
        double shift = l->hexagonal && row % 2 ? (f.start >= l->pitch / 2 ? -l->pitch / 2 : l->pitch / 2) : 0;
        double begin = f.start + shift, first = begin, last = f.width;
        if (clips) clip_row(l, &f, v, &first, &last);
        double u, column = fmax(0, ceil((first - begin) / l->pitch - 1e-6));
        for (; (u = begin + column * l->pitch) <= last && count < limit && looked++ < most; column++) {
            throng_point at = {l->upright ? f.low_v + v : f.low_u + u, l->upright ? f.low_u + u : f.low_v + v};
            if (!throng_fits(l->floor, at, l->floor->radius_max)) continue;
            if (out && stored < wanted && count == stored * total / wanted) out[stored++] = at;
            count++;
        }
    }
    return count;
}

/* Of the four ways to lay a lattice the first that has `wanted` places, else the one with most. */
static size_t lay(lattice *l, size_t wanted) {
    lattice best = *l;
    size_t most = 0;
    for (int way = 0; way < 4; way++) {
        l->centred = way < 2;
        l->upright = way % 2;
        size_t count = walk(l, wanted, NULL, 0, 0);
        if (count > most) most = count, best = *l;
        if (count >= wanted) break;
    }
    *l = best;
    return most;
}

static size_t fill_lattice(const throng_floor *floor, bool hexagonal, size_t wanted, throng_point *out) {
    double narrow = 2 * floor->radius_max + floor->entry->shape.gap;
    double wide = 2 * sqrt(floor->area / (double)wanted);
    if (floor->placement->overlap_allowed) narrow = wide / 64;
    lattice l = {.floor = floor, .pitch = narrow, .hexagonal = hexagonal, .centred = true}, widest = l;

    size_t found = lay(&widest, wanted);
    if (found >= wanted) {
        for (int i = 0; i < SEARCH_STEPS && wide > narrow; i++) {
            l.pitch = (narrow + wide) / 2;
            l.upright = widest.upright;
            if (walk(&l, wanted, NULL, 0, 0) >= wanted) {
                widest = l;
                narrow = l.pitch;
            } else {
                wide = l.pitch;
            }
        }
        found = wanted;
    }
    if (!out) return found;
    size_t total = walk(&widest, SIZE_MAX, NULL, 0, 0);
    walk(&widest, total, out, total, found);
    return found;
}

/* ------------------------------------------------------------------ at random */

/* random placement: darts are thrown until they hit free floor, the largest people first.
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
    depth = throng_walls_depth(p->reader->walls, middle.x, middle.y, wall_radius + 2 * reach);
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
    throng_person *people = floor->placement->reader->scenario->people;
    size_t placed = 0;
    for (; placed < count; placed++) {
        throng_point at;
        if (!find_place(b, order[placed].radius, &at)) break;
        people[order[placed].person].def.at = at;
        throng_placed_add(floor->placement->crowd, order[placed].person, floor->entry->index, at, order[placed].radius);
    }
    return placed;
}

static size_t fill_darts(throng_floor *floor) {
    throng_entry *entry = floor->entry;
    const throng_scenario *s = floor->placement->reader->scenario;
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

/* ------------------------------------------------------------------ the floor */

static bool lay_floor(throng_placement *p, throng_entry *entry, throng_floor *out) {
    throng_place_def def = throng_default_place_def();
    def.walkable = entry->shape.ring;
    throng_error error;
    throng_place *place = throng_place_create(&def, &error);
    if (!place) return throng_wrong(p->reader, entry->shape.node, "%s", error.text);
    *out = (throng_floor){.placement = p,
                          .entry = entry,
                          .walls = throng_walls_create(place),
                          .bounds = throng_place_bounds(place),
                          .area = fabs(throng_ring_area(entry->shape.ring)),
                          .radius_min = INFINITY};
    throng_place_destroy(place);
    const throng_person *people = p->reader->scenario->people + entry->first;
    for (size_t k = 0; k < entry->shape.count; k++) {
        out->radius_min = fmin(out->radius_min, people[k].def.radius);
        out->radius_max = fmax(out->radius_max, people[k].def.radius);
    }
    return true;
}

static size_t place_on_lattice(throng_floor *floor, bool hexagonal) {
    throng_entry *entry = floor->entry;
    throng_person *people = floor->placement->reader->scenario->people + entry->first;
    throng_point *sites = throng_allocate(entry->shape.count * sizeof *sites);
    size_t count = fill_lattice(floor, hexagonal, entry->shape.count, sites);
    for (size_t k = 0; k < count; k++) {
        people[k].def.at = sites[k];
        throng_placed_add(floor->placement->crowd, entry->first + k, entry->index, sites[k], people[k].def.radius);
    }
    throng_release(sites);
    return count;
}

/* ------------------------------------------------------------------ when they do not fit */

/* What would help: a lattice when it holds them all, else fewer people. */
static void advise(throng_floor *floor, char *out, size_t size) {
    size_t wanted = floor->entry->shape.count, hex = fill_lattice(floor, true, wanted, NULL);
    if (hex >= wanted) {
        snprintf(out, size, "use \"placement\": \"hex\"");
    } else {
        snprintf(out, size,
                 "even \"placement\": \"hex\" holds only %zu; use fewer people, a smaller radius or gap, or a larger "
                 "polygon",
                 hex);
    }
}

static void tell_misfit(throng_floor *floor, size_t placed) {
    throng_reader *reader = floor->placement->reader;
    const throng_entry *entry = floor->entry;
    throng_json_ref node = throng_value(reader, entry->node, "count");
    if (node == THRONG_NO_NODE) node = throng_value(reader, entry->node, "density");
    char begin[80], advice[160];
    snprintf(begin, sizeof begin, "placed %zu of %zu in agents[%u]", placed, entry->shape.count, entry->index);
    if (placed == 0) {
        throng_wrong(reader, node, "%s: the polygon has no room for a disc of radius %.4g m", begin, floor->radius_max);
        return;
    }
    if (entry->shape.filling == THRONG_FILL_HEX) {
        throng_wrong(reader, node,
                     "%s: more do not fit; use fewer people, a smaller radius or gap, or a larger polygon", begin);
        return;
    }
    advise(floor, advice, sizeof advice);
    bool grid = entry->shape.filling == THRONG_FILL_GRID;
    throng_wrong(reader, node, "%s: %s fills at most about %s of the floor; %s", begin,
                 grid ? "a grid" : "random placement", grid ? "0.78" : "0.55", advice);
}

/* Takes the people of an entry who have found a place away again, so that others can be told of theirs. */
static void clear_floor(throng_floor *floor, size_t placed) {
    throng_placed *crowd = floor->placement->crowd;
    for (size_t k = 0; k < floor->entry->shape.count && placed > 0; k++) {
        size_t person = floor->entry->first + k;
        if (crowd->people[person].radius == 0) continue;
        throng_placed_remove(crowd, person);
        placed--;
    }
}

void throng_fill_polygon(throng_placement *placement, throng_entry *entry) {
    throng_floor floor;
    if (!lay_floor(placement, entry, &floor)) {
        entry->good = false;
        return;
    }
    size_t placed = entry->shape.filling == THRONG_FILL_RANDOM
                        ? fill_darts(&floor)
                        : place_on_lattice(&floor, entry->shape.filling == THRONG_FILL_HEX);
    if (placed < entry->shape.count) {
        clear_floor(&floor, placed);
        tell_misfit(&floor, placed);
        entry->good = false;
    } else if (entry->shape.jitter > 0) {
        throng_shake(placement, entry, &floor);
    }
    throng_walls_destroy(floor.walls);
}
