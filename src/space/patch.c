/* patch.c: see patch.h. */

#include "space/patch.h"

#include "world/memory.h"

static throng_ring moved_ring(const throng_patch *patch) {
    throng_point *points = throng_copy_bytes(patch->ring.points, patch->ring.count * sizeof *points);
    for (size_t i = 0; i < patch->ring.count; i++) {
        points[i].x += patch->offset.x;
        points[i].y += patch->offset.y;
    }
    return (throng_ring){points, patch->ring.count};
}

throng_place *throng_place_patch(const throng_place *base, const throng_walls *base_walls, const throng_patch *patches,
                                 size_t count) {
    (void)base_walls;
    size_t own = base->line_count + (base->open ? base->ring_count : 0);
    throng_obstacle *obstacles = throng_allocate((count + own) * sizeof *obstacles);
    throng_place_def def = {.obstacles = obstacles, .walkable_wkt = base->open ? NULL : throng_place_wkt(base)};
    for (size_t i = 0; i < count; i++) {
        obstacles[def.obstacle_count++] =
            (throng_obstacle){.kind = patches[i].thin ? THRONG_LINE : THRONG_POLYGON, .ring = moved_ring(&patches[i])};
    }
    for (size_t i = 0; i < base->line_count; i++) {
        obstacles[def.obstacle_count++] = (throng_obstacle){.kind = THRONG_LINE, .ring = base->lines[i]};
    }
    for (size_t i = 0; base->open && i < base->ring_count; i++) {
        obstacles[def.obstacle_count++] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = base->rings[i]};
    }
    throng_place *place = throng_place_create(&def, NULL);
    if (!place) {
        place = throng_allocate(sizeof *place);
        place->open = base->open;
    }
    for (size_t i = 0; i < count; i++) throng_release((void *)obstacles[i].ring.points);
    throng_release(obstacles);
    return place;
}
