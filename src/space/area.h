/* area.h: the walkable area put together from the shapes of a plan. */

#ifndef THRONG_AREA_H
#define THRONG_AREA_H

#include <throng/model.h>

#include "space/shapes.h"

/* Rings with the walkable side on their left; each border is followed by its holes. */
typedef struct throng_area {
    throng_point *points;
    size_t point_count, point_capacity;
    size_t *first; /* [ring] its first point; it ends where the next one begins */
    size_t ring_count, ring_capacity;
} throng_area;

void throng_area_clear(throng_area *area);
void throng_area_add(throng_area *area, throng_ring ring);
/* Adds a ring, turned the way asked for. */
void throng_area_turn(throng_area *area, throng_ring ring, bool counter_clockwise);
throng_ring throng_area_ring(const throng_area *area, size_t r);

/* From rings of which none meets another: the area follows from which lies in which. A hole that is not
 * in its polygon is left out. */
void throng_area_nest(throng_area *area, const throng_plan *plan, const size_t *inside_of, throng_place_notes *notes);

/* From rings that touch or overlap, none of which crosses itself: by union and difference. */
bool throng_area_overlay(throng_area *area, const throng_plan *plan, throng_place_notes *notes);

/* A place of rings in their order and of thin walls. */
throng_place *throng_place_of(const throng_area *area, const throng_area *lines, bool open);

/* Adds the parts of thin walls that lie where people can walk. The walls are those of the
 * area; parts are added to `lines` as chains of points. */
void throng_area_clip_lines(throng_area *lines, const throng_ring *thin, size_t count, const throng_walls *walls);

#endif
