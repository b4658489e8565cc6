/* patch.c: see patch.h. Rings and thin walls that no obstacle touches are taken over as they are. The
 * others are cut into pieces and put together again (pieces.h). */

#include "space/patch.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "space/pieces.h"

/* --- thin walls */

/* A chain of points that is being written; it ends where a part is left out. */
typedef struct chain {
    throng_area *lines;
    bool running;
} chain;

static void add_part(chain *c, throng_point a, throng_point b) {
    throng_area *lines = c->lines;
    THRONG_GROW(lines->points, lines->point_capacity, lines->point_count + 2);
    if (!c->running) {
        THRONG_GROW(lines->first, lines->ring_capacity, lines->ring_count + 1);
        lines->first[lines->ring_count++] = lines->point_count;
        lines->points[lines->point_count++] = a;
    }
    lines->points[lines->point_count++] = b;
    c->running = true;
}

/* Whether the part of a thin wall between two cuts can be walked around. */
static bool part_is_free(const throng_pieces *p, bool of_base, throng_point a, throng_point b) {
    throng_point middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    for (size_t j = 0; j < p->patch_count; j++) {
        if (throng_pieces_cover(p, j, middle)) return false;
    }
    return of_base || throng_pieces_is_free(p, middle);
}

/* Adds what is left of a thin wall. */
static void cut_line(throng_pieces *p, throng_ring line, bool of_base, throng_area *lines) {
    p->cut_count = 0;
    for (size_t i = 0; i + 1 < line.count; i++) {
        throng_pieces_cut_line(p, line.points[i], line.points[i + 1], (uint32_t)i);
    }
    throng_pieces_sort_cuts(p);
    chain c = {lines, false};
    size_t cut = 0;
    for (size_t i = 0; i + 1 < line.count; i++) {
        throng_point from = line.points[i];
        for (; cut <= p->cut_count; cut++) {
            bool last = cut == p->cut_count || p->cuts[cut].side != i;
            throng_point to = last ? line.points[i + 1] : p->cuts[cut].at;
            bool same = from.x == to.x && from.y == to.y;
            bool kept = !same && part_is_free(p, of_base, from, to);
            if (kept) add_part(&c, from, to);
            if (!kept && !same) c.running = false;
            from = to;
            if (last) break;
        }
    }
}

static void cut_lines(throng_pieces *p, throng_area *lines) {
    for (size_t l = 0; l < p->base->line_count; l++) {
        throng_ring line = p->base->lines[l];
        if (throng_pieces_touch(p, throng_box_of(line.points, line.count))) {
            cut_line(p, line, true, lines);
            continue;
        }
        chain c = {lines, false};
        for (size_t i = 0; i + 1 < line.count; i++) add_part(&c, line.points[i], line.points[i + 1]);
    }
    for (size_t i = 0; i < p->patch_count; i++) {
        if (p->patches[i].thin) cut_line(p, p->outlines[i], false, lines);
    }
}

/* --- the order of rings */

/* A ring of an area, to be put in its place. */
typedef struct listed {
    throng_ring ring;
    throng_box box;
    double area; /* m^2, positive for a border */
    size_t border;
} listed;

/* The smallest border around a hole; holes may touch it, so a point of a side is looked at. */
static size_t border_of(const listed *rings, size_t count, const listed *hole) {
    throng_point a = hole->ring.points[0], b = hole->ring.points[1], at = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    size_t best = SIZE_MAX;
    for (size_t r = 0; r < count; r++) {
        const listed *border = &rings[r];
        if (border->area <= 0 || (best != SIZE_MAX && border->area >= rings[best].area)) continue;
        if (at.x < border->box.low.x || at.x > border->box.high.x || at.y < border->box.low.y ||
            at.y > border->box.high.y)
            continue;
        if (throng_ring_contains(border->ring, at.x, at.y)) best = r;
    }
    return best;
}

/* Each border is followed by its holes, as in a text of polygons. */
static void put_in_order(const throng_area *area, throng_area *out) {
    listed *rings = throng_allocate(area->ring_count * sizeof *rings);
    size_t borders = 0, only = SIZE_MAX;
    for (size_t r = 0; r < area->ring_count; r++) {
        throng_ring ring = throng_area_ring(area, r);
        rings[r] = (listed){ring, throng_box_of(ring.points, ring.count), throng_ring_area(ring), SIZE_MAX};
        if (rings[r].area > 0) borders++, only = r;
    }
    for (size_t r = 0; r < area->ring_count; r++) {
        if (rings[r].area > 0) continue;
        rings[r].border = borders == 1 ? only : border_of(rings, area->ring_count, &rings[r]);
        if (rings[r].border == SIZE_MAX) rings[r].border = only; /* touches it in the very point looked at */
    }
    for (size_t b = 0; b < area->ring_count; b++) {
        if (rings[b].area <= 0) continue;
        throng_area_add(out, rings[b].ring, true);
        for (size_t r = 0; borders > 0 && r < area->ring_count; r++) {
            if (rings[r].border == b) throng_area_add(out, rings[r].ring, false);
        }
    }
    throng_release(rings);
}

/* --- the whole */

/* By the general way, slower but never at a loss: obstacles taken away from the finished area. */
static throng_place *patch_by_overlay(const throng_pieces *p) {
    size_t count = p->patch_count, lines = p->base->line_count;
    throng_obstacle *obstacles = throng_allocate((count + lines) * sizeof *obstacles);
    for (size_t i = 0; i < count + lines; i++) {
        bool thin = i >= count || p->patches[i].thin;
        obstacles[i] = (throng_obstacle){.kind = thin ? THRONG_LINE : THRONG_POLYGON,
                                         .ring = i < count ? p->outlines[i] : p->base->lines[i - count]};
    }
    throng_place_def def = {
        .obstacles = obstacles, .obstacle_count = count + lines, .walkable_wkt = throng_place_wkt(p->base)};
    throng_place *place = throng_place_create(&def, NULL);
    throng_release(obstacles);
    return place;
}

/* Adds the rings that no obstacle touches, and all of them `untouched` or not on an open plane that
 * could not be traced: there obstacles may lie upon each other. */
static void add_rings(const throng_pieces *p, bool all, throng_area *area) {
    for (size_t r = 0; r < p->base->ring_count; r++) {
        throng_ring ring = p->base->rings[r];
        if (!all && throng_pieces_touch(p, throng_box_of(ring.points, ring.count))) continue;
        throng_area_add(area, ring, throng_ring_area(ring) > 0);
    }
    for (size_t i = 0; all && i < p->patch_count; i++) {
        if (!p->patches[i].thin) throng_area_add(area, p->outlines[i], false);
    }
}

throng_place *throng_place_patch(const throng_place *base, const throng_walls *base_walls, const throng_patch *patches,
                                 size_t count) {
    throng_pieces p;
    throng_area area = {0}, ordered = {0}, lines = {0};
    throng_pieces_begin(&p, base, base_walls, patches, count);
    throng_pieces_cut(&p);
    throng_pieces_sort_out(&p);
    bool traced = throng_pieces_trace(&p, &area);
    throng_place *place = traced || base->open ? NULL : patch_by_overlay(&p);
    if (!place) {
        add_rings(&p, !traced, &area);
        cut_lines(&p, &lines);
        if (!base->open) put_in_order(&area, &ordered);
        place = throng_place_of(base->open ? &area : &ordered, &lines, base->open);
    }
    throng_area_clear(&area);
    throng_area_clear(&ordered);
    throng_area_clear(&lines);
    throng_pieces_clear(&p);
    return place;
}
