/* lattice.c: places on a hexagonal or square lattice.
 *
 *     o   o   o        The pitch is the widest that gives enough places, so that people are spread
 *       o   o   o      evenly over the floor; at its narrowest discs are a gap apart.
 *     o   o   o                                                                                   */

#include <math.h>

#include "scenario/placement.h"
#include "world/memory.h"

enum { SEARCH_STEPS = 12 }; /* halvings of the interval the pitch is searched in */

/* How a lattice lies on the floor. */
typedef struct lattice {
    const throng_floor *floor;
    double pitch; /* m, between neighbours in a row */
    bool hexagonal;
    bool centred; /* what is left over goes to both sides instead of one */
    bool upright; /* rows run along y */
} lattice;

/* Numbers the free places, row by row, and stores every place whose number `wanted` asks for: the
 * i-th of `wanted` is number i * total / wanted. Stops at `limit`. */
static size_t walk(const lattice *l, size_t limit, throng_point *out, size_t total, size_t wanted) {
    const throng_floor *floor = l->floor;
    double radius = floor->radius_max, row_pitch = l->hexagonal ? l->pitch * 0.86602540378443865 : l->pitch;
    throng_point low = floor->bounds.low, high = floor->bounds.high;
    double width = (l->upright ? high.y - low.y : high.x - low.x) - 2 * radius + THRONG_ROUNDING;
    double height = (l->upright ? high.x - low.x : high.y - low.y) - 2 * radius + THRONG_ROUNDING;
    if (width < 0 || height < 0) return 0;
    double left_over = fmod(width, l->pitch), below = fmod(height, row_pitch);
    double start = l->centred ? left_over / 2 : 0, bottom = l->centred ? below / 2 : 0;

    size_t count = 0, stored = 0, row = 0;
    for (double v = bottom; v <= height && count < limit; v = bottom + (double)++row * row_pitch) {
        double shift = l->hexagonal && row % 2 ? (start >= l->pitch / 2 ? -l->pitch / 2 : l->pitch / 2) : 0;
        size_t column = 0;
        for (double u = start + shift; u <= width && count < limit; u = start + shift + (double)++column * l->pitch) {
            throng_point at = {low.x + radius + (l->upright ? v : u), low.y + radius + (l->upright ? u : v)};
            if (!throng_fits(floor, at, radius)) continue;
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

size_t throng_fill_lattice(const throng_floor *floor, bool hexagonal, size_t wanted, throng_point *out) {
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
