/* place.c: making a place (walkable geometry). The shapes of the definition are read into a plan, put together to the
 * walkable area, and kept as rings and thin walls. */

#include "space/place.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "space/area.h"
#include "space/box.h"
#include "space/line_sweep.h"
#include "space/repair.h"
#include "space/walls.h"
#include "space/wkt.h"

throng_place_def throng_default_place_def(void) { return (throng_place_def){0}; }

/* ---- making it */

/* The area of rings that keep clear of each other. False when they do not. */
static bool nest_if_apart(throng_area *area, const throng_plan *plan, throng_place_notes *notes) {
    size_t *inside_of = throng_allocate(plan->ring_count * sizeof *inside_of);
    throng_ring_contact contact;
    bool apart = throng_rings_apart(plan->rings, plan->ring_count, inside_of, &contact);
    if (apart) throng_area_nest(area, plan, inside_of, notes);
    throng_release(inside_of);
    return apart;
}

/* The same plan with other obstacles, given by their outlines; it borrows the points of both. */
static throng_plan with_obstacles(const throng_plan *plan, size_t walkable_rings, const throng_area *solid) {
    throng_plan joined = {.polygon_count = plan->polygon_count, .ring_count = walkable_rings + solid->ring_count};
    joined.rings = throng_allocate(joined.ring_count * sizeof *joined.rings);
    joined.shapes = throng_allocate(joined.ring_count * sizeof *joined.shapes);
    memcpy(joined.rings, plan->rings, walkable_rings * sizeof *joined.rings);
    memcpy(joined.shapes, plan->shapes, walkable_rings * sizeof *joined.shapes);
    for (size_t r = 0; r < solid->ring_count; r++) {
        throng_ring ring = throng_area_ring(solid, r);
        throng_plan_role role = throng_ring_area(ring) < 0 ? THRONG_PLAN_OBSTACLE : THRONG_PLAN_COURTYARD;
        joined.rings[walkable_rings + r] = ring;
        joined.shapes[walkable_rings + r] = (throng_plan_ring){.role = role};
    }
    return joined;
}

/* Joins the obstacles alone, which spares a large walkable area the overlay if they were all that met. If they cannot
 * be joined, that has been told. */
static bool nest_joined(throng_area *area, const throng_plan *plan, throng_place_notes *notes, bool *refused) {
    size_t walkable_rings = 0;
    while (walkable_rings < plan->ring_count && plan->shapes[walkable_rings].item == THRONG_WALKABLE_AREA) {
        walkable_rings++;
    }
    if (plan->open || plan->ring_count - walkable_rings < 2) return false;
    throng_plan obstacles = {.open = true,
                             .rings = plan->rings + walkable_rings,
                             .shapes = plan->shapes + walkable_rings,
                             .ring_count = plan->ring_count - walkable_rings};
    throng_area solid = {0};
    bool apart = false;
    *refused = !throng_area_overlay(&solid, &obstacles, notes);
    if (!*refused) {
        throng_plan joined = with_obstacles(plan, walkable_rings, &solid);
        apart = nest_if_apart(area, &joined, notes);
        THRONG_RELEASE(joined.rings, joined.shapes);
    }
    throng_area_clear(&solid);
    return apart;
}

/* Most plans are rings that keep clear of each other: then no geometry has to be computed at all, and
 * the corners stay exactly as they were given. */
static bool put_together(throng_area *area, throng_plan *plan, throng_place_notes *notes) {
    throng_plan_close_gaps(plan, notes);
    if (nest_if_apart(area, plan, notes)) return true;
    if (!throng_plan_check(plan, notes)) return false;
    bool refused = false;
    if (nest_joined(area, plan, notes, &refused)) return true;
    return !refused && throng_area_overlay(area, plan, notes);
}

/* Where shapes were joined, new corners may lie a hair's breadth from old ones and new rings from each
 * other; so what was put together is itself looked at as a plan, until there is nothing to mend. */
static bool put_in_order(throng_area *area, throng_plan *plan, throng_place_notes *notes) {
    if (!put_together(area, plan, notes)) return false;
    for (int round = 0; round < 4 && !plan->open && area->ring_count > 0; round++) {
        throng_plan again;
        throng_place_notes known = {0}; /* that holes touch the border has been told */
        bool mended = throng_plan_of_area(&again, area, notes);
        mended = throng_plan_close_gaps(&again, notes) || mended;
        if (mended) {
            throng_area_clear(area);
            mended = put_together(area, &again, &known);
        }
        throng_place_notes_clear(&known);
        throng_plan_take_lines(plan, &again);
        throng_plan_clear(&again);
        if (!mended) break;
    }
    return true;
}

static void copy_rings(const throng_area *from, throng_ring *rings, throng_point *points, size_t begin) {
    if (from->point_count > 0) memcpy(points + begin, from->points, from->point_count * sizeof *points);
    for (size_t r = 0; r < from->ring_count; r++) {
        rings[r] = (throng_ring){points + begin + from->first[r], throng_area_ring(from, r).count};
    }
}

throng_place *throng_place_of(const throng_area *area, const throng_area *lines, bool open) {
    throng_place *place = throng_allocate(sizeof *place);
    place->open = open;
    place->ring_count = area->ring_count;
    place->line_count = lines->ring_count;
    place->point_count = area->point_count + lines->point_count;
    place->rings = throng_allocate(place->ring_count * sizeof *place->rings);
    place->lines = throng_allocate(place->line_count * sizeof *place->lines);
    place->points = throng_allocate(place->point_count * sizeof *place->points);
    copy_rings(area, place->rings, place->points, 0);
    copy_rings(lines, place->lines, place->points, area->point_count);
    if (place->point_count > 0) place->bounds = throng_box_of(place->points, place->point_count);
    for (size_t r = 0; !open && r < place->ring_count; r++) {
        place->part_count += throng_ring_area(place->rings[r]) > 0;
    }
    return place;
}

/* The thin walls can be cut only when the other walls are there. */
static throng_place *add_lines(throng_place *place, const throng_area *area, const throng_plan *plan) {
    throng_walls *walls = throng_walls_create(place);
    throng_area lines = {0};
    throng_area_clip_lines(&lines, plan->lines, plan->line_count, walls);
    throng_walls_destroy(walls);
    throng_place_destroy(place);
    place = throng_place_of(area, &lines, plan->open);
    throng_area_clear(&lines);
    return place;
}

static throng_place *build_from(throng_plan *plan, throng_place_notes *notes) {
    throng_area area = {0};
    const throng_area no_lines = {0};
    throng_place *place = NULL;
    if (put_in_order(&area, plan, notes)) {
        if (!plan->open && area.ring_count == 0) {
            throng_plan_note(plan, NULL, notes, THRONG_ERROR, THRONG_WALKABLE_AREA,
                             "nothing is left after taking the obstacles away");
        } else {
            place = throng_place_of(&area, &no_lines, plan->open);
            if (plan->line_count > 0) place = add_lines(place, &area, plan);
        }
    }
    throng_area_clear(&area);
    return place;
}

static void tell_first_error(const throng_place_notes *notes, throng_error *error) {
    for (size_t i = 0; i < notes->count; i++) {
        const throng_place_note *note = &notes->notes[i];
        if (note->severity != THRONG_ERROR) continue;
        char item[40] = "walkable area";
        if (note->item != THRONG_WALKABLE_AREA) snprintf(item, sizeof item, "obstacles[%zu]", note->item);
        throng_refuse(error, note->line, note->column, "%s: %s", item, note->text);
        return;
    }
}

throng_place *throng_place_build(const throng_place_def *def, throng_place_notes *notes, throng_error *error) {
    throng_plan plan;
    throng_place *place = throng_plan_read(&plan, def, notes) ? build_from(&plan, notes) : NULL;
    throng_plan_clear(&plan);
    if (!place) tell_first_error(notes, error);
    if (place) place->source = throng_place_def_copy(def);
    return place;
}

throng_place *throng_place_create(const throng_place_def *def, throng_error *error) {
    throng_place_notes notes = {0};
    throng_place *place = throng_place_build(def, &notes, error);
    throng_place_notes_clear(&notes);
    return place;
}

throng_place *throng_place_copy(const throng_place *place) {
    throng_place *copy = throng_allocate(sizeof *copy);
    *copy = *place;
    copy->points = throng_copy_bytes(place->points, place->point_count * sizeof *place->points);
    copy->rings = throng_copy_bytes(place->rings, place->ring_count * sizeof *place->rings);
    copy->lines = throng_copy_bytes(place->lines, place->line_count * sizeof *place->lines);
    copy->wkt = place->wkt ? throng_copy_text(place->wkt) : NULL;
    copy->source = place->source ? throng_place_def_copy(place->source) : NULL;
    for (size_t r = 0; r < copy->ring_count; r++) {
        copy->rings[r].points = copy->points + (place->rings[r].points - place->points);
    }
    for (size_t l = 0; l < copy->line_count; l++) {
        copy->lines[l].points = copy->points + (place->lines[l].points - place->points);
    }
    return copy;
}

void throng_place_destroy(throng_place *place) {
    if (!place) return;
    THRONG_RELEASE(place->rings, place->lines, place->points, place->wkt);
    throng_place_def_destroy(place->source);
    throng_release(place);
}

/* ---- asking it */

size_t throng_place_ring_count(const throng_place *place) { return place->ring_count; }
throng_ring throng_place_ring(const throng_place *place, size_t index) { return place->rings[index]; }
size_t throng_place_line_count(const throng_place *place) { return place->line_count; }
throng_ring throng_place_line(const throng_place *place, size_t index) { return place->lines[index]; }
void throng_place_drop_border(throng_place *place) {
    size_t widest = SIZE_MAX, kept = 0;
    double most = 0;
    for (size_t r = 0; r < place->ring_count; r++) {
        double area = throng_ring_area(place->rings[r]);
        if (area > most) most = area, widest = r;
    }
    place->bounds = throng_box_empty();
    for (size_t r = 0; r < place->ring_count; r++) {
        throng_ring ring = place->rings[r];
        if (r == widest) continue;
        place->rings[kept++] = ring;
        place->bounds = throng_box_join(place->bounds, throng_box_of(ring.points, ring.count));
    }
    for (size_t l = 0; l < place->line_count; l++)
        place->bounds = throng_box_join(place->bounds, throng_box_of(place->lines[l].points, place->lines[l].count));
    if (throng_box_is_empty(place->bounds)) place->bounds = (throng_box){{0, 0}, {0, 0}};
    place->ring_count = kept;
    place->open = true;
    place->part_count = 0;
    throng_release(place->wkt);
    place->wkt = NULL;
}

bool throng_place_is_open(const throng_place *place) { return place->open; }
throng_box throng_place_bounds(const throng_place *place) { return place->bounds; }

/* Written when somebody asks: a place that changes every step is seldom looked at so closely. */
const char *throng_place_wkt(const throng_place *place) {
    if (place->wkt) return place->wkt;
    char *wkt = place->open ? throng_copy_text("") : throng_wkt_write(place->rings, place->ring_count);
    ((throng_place *)place)->wkt = wkt;
    return wkt;
}
