/* place_lattice.c: places on a hexagonal or square lattice.
 *
 *     o   o   o        The pitch is the widest that gives enough places, so that people are spread
 *       o   o   o      evenly over the floor; at its narrowest discs are a gap apart.
 *     o   o   o                                                                                   */

#include <math.h>

#include "base/memory.h"
#include "scenario/placement.h"

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
