/* patch.c: see patch.h. Rings and thin walls that no obstacle touches are taken over as they are. From the others
 * the obstacles are taken away (cover.h). */

#include "space/patch.h"

#include <math.h>

#include "base/memory.h"
#include "space/area.h"
#include "space/box.h"
#include "space/cover.h"
#include "space/walls.h"

static const double dust = 1e-6;    /* m^2: nobody can stand on a smaller piece of ground */
static const double at_hand = 1e-6; /* m: boxes farther apart hold nothing that cover.h takes to meet */

typedef struct patching {
    const throng_place *base;
    bool clear; /* rings of the base do not touch each other */
    const throng_patch *patches;
    size_t count;
    throng_ring *outlines; /* [patch] where they stand, solid on their right */
    throng_box *boxes;     /* [patch] */
} patching;

static throng_ring place_outline(const throng_patch *patch) {
    throng_point *points = throng_allocate(patch->ring.count * sizeof *points);
    bool turn = !patch->thin && throng_ring_area(patch->ring) > 0; /* solid on the right */
    for (size_t i = 0; i < patch->ring.count; i++) {
        throng_point from = patch->ring.points[turn ? patch->ring.count - 1 - i : i];
        points[i] = (throng_point){from.x + patch->offset.x, from.y + patch->offset.y};
    }
    return (throng_ring){points, patch->ring.count};
}

/* Whether an obstacle may meet a ring or line. Then it may meet those around it, too. */
static bool is_touched(const patching *p, throng_ring ring) {
    throng_box box = throng_box_of(ring.points, ring.count);
    for (size_t i = 0; i < p->count; i++) {
        if (throng_boxes_meet(box, p->boxes[i], at_hand)) return true;
    }
    return false;
}

/* --- taking away */

static bool is_walkable(throng_cover c) { return c.ground > 0 && c.solid == 0; }

/* The touched rings less the obstacles. Where those are too many to be compared they are put upon the rings as they
 * are. */
static void cut_rings(const patching *p, throng_area *area) {
    throng_cover_ring *rings = throng_allocate((p->base->ring_count + p->count) * sizeof *rings);
    throng_covering c = {.rings = rings, .beyond = {p->base->open, 0}, .rule = is_walkable, .clear = p->clear};
    for (size_t r = 0; r < p->base->ring_count; r++) {
        if (is_touched(p, p->base->rings[r]))
            rings[c.ring_count++] = (throng_cover_ring){.ring = p->base->rings[r], .apart = true};
    }
    for (size_t i = 0; i < p->count; i++) {
        if (p->patches[i].thin) continue;
        rings[c.ring_count++] = (throng_cover_ring){p->outlines[i], .turn = true, .solid = true};
    }
    throng_area found = {0};
    bool traced = throng_cover_trace(&c, &found);
    for (size_t r = 0; r < (traced ? found.ring_count : c.ring_count); r++) {
        throng_ring ring = traced ? throng_area_ring(&found, r) : rings[r].ring;
        double size = throng_ring_area(ring);
        if (size < 0 || size > dust) throng_area_add(area, ring);
    }
    throng_area_clear(&found);
    throng_covering_clear(&c);
    throng_release(rings);
}

/* --- thin walls */

static void cut_lines(const patching *p, const throng_area *area, throng_area *lines) {
    const throng_area none = {0};
    throng_place *place = throng_place_of(area, &none, p->base->open);
    throng_walls *walls = throng_walls_create(place);
    for (size_t l = 0; l < p->base->line_count; l++) {
        throng_ring line = p->base->lines[l];
        if (is_touched(p, line)) {
            throng_area_clip_lines(lines, &line, 1, walls);
        } else {
            throng_area_add(lines, line);
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        if (p->patches[i].thin) throng_area_clip_lines(lines, &p->outlines[i], 1, walls);
    }
    throng_walls_destroy(walls);
    throng_place_destroy(place);
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

/* Each border is followed by its holes, as in a text of polygons; holes that lie in no border come first. */
static void put_in_order(const throng_area *area, bool open, throng_area *out) {
    listed *rings = throng_allocate(area->ring_count * sizeof *rings);
    size_t borders = 0, only = SIZE_MAX;
    for (size_t r = 0; r < area->ring_count; r++) {
        throng_ring ring = throng_area_ring(area, r);
        rings[r] = (listed){ring, throng_box_of(ring.points, ring.count), throng_ring_area(ring), SIZE_MAX};
        if (rings[r].area > 0) borders++, only = r;
    }
    for (size_t r = 0; r < area->ring_count; r++) {
        if (rings[r].area > 0) continue;
        rings[r].border = borders == 1 && !open ? only : border_of(rings, area->ring_count, &rings[r]);
        /* It may touch its border in the very point looked at. */
        if (rings[r].border == SIZE_MAX && !open) rings[r].border = only;
        if (rings[r].border == SIZE_MAX && open) throng_area_add(out, rings[r].ring);
    }
    for (size_t b = 0; b < area->ring_count; b++) {
        if (rings[b].area <= 0) continue;
        throng_area_add(out, rings[b].ring);
        for (size_t r = 0; borders > 0 && r < area->ring_count; r++) {
            if (rings[r].border == b) throng_area_add(out, rings[r].ring);
        }
    }
    throng_release(rings);
}

/* --- the whole */

static void add_untouched(const patching *p, throng_area *area) {
    for (size_t r = 0; r < p->base->ring_count; r++) {
        throng_ring ring = p->base->rings[r];
        if (!is_touched(p, ring)) throng_area_add(area, ring);
    }
}

throng_place *throng_place_patch(const throng_place *base, bool clear, const throng_patch *patches, size_t count) {
    patching p = {base,
                  clear,
                  patches,
                  count,
                  throng_allocate(count * sizeof *p.outlines),
                  throng_allocate(count * sizeof *p.boxes)};
    bool thin = base->line_count > 0;
    for (size_t i = 0; i < count; i++) {
        p.outlines[i] = place_outline(&patches[i]);
        p.boxes[i] = throng_box_of(p.outlines[i].points, p.outlines[i].count);
        thin = thin || patches[i].thin;
    }
    throng_area area = {0}, ordered = {0}, lines = {0};
    cut_rings(&p, &area);
    if (thin) cut_lines(&p, &area, &lines);
    if (!base->open) add_untouched(&p, &area);
    put_in_order(&area, base->open, &ordered);
    if (base->open) add_untouched(&p, &ordered);
    throng_place *place = throng_place_of(&ordered, &lines, base->open);

    throng_area_clear(&area);
    throng_area_clear(&ordered);
    throng_area_clear(&lines);
    for (size_t i = 0; i < count; i++) throng_release((void *)p.outlines[i].points);
    THRONG_RELEASE(p.outlines, p.boxes);
    return place;
}
