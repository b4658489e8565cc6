/* source.c: what a place (walkable geometry) was made from, kept so that it can be made again with an obstacle less. */

#include <string.h>

#include "base/memory.h"
#include "space/shapes.h"

throng_ring throng_copy_ring(throng_ring ring) {
    return (throng_ring){throng_copy_bytes(ring.points, ring.count * sizeof *ring.points), ring.count};
}

static throng_obstacle copy_obstacle(const throng_obstacle *obstacle) {
    throng_obstacle copy = *obstacle;
    copy.ring = throng_copy_ring(obstacle->ring);
    copy.id = obstacle->id ? throng_copy_text(obstacle->id) : NULL;
    return copy;
}

throng_place_def *throng_place_def_copy(const throng_place_def *def) {
    throng_place_def *copy = throng_copy_bytes(def, sizeof *def);
    copy->walkable = throng_copy_ring(def->walkable);
    copy->walkable_wkt = def->walkable_wkt ? throng_copy_text(def->walkable_wkt) : NULL;
    throng_obstacle *obstacles = throng_copy_bytes(def->obstacles, def->obstacle_count * sizeof *obstacles);
    for (size_t i = 0; i < def->obstacle_count; i++) obstacles[i] = copy_obstacle(&def->obstacles[i]);
    copy->obstacles = obstacles;
    return copy;
}

void throng_place_def_add(throng_place_def *def, const throng_obstacle *obstacle) {
    throng_obstacle *more = throng_reallocate((void *)def->obstacles, (def->obstacle_count + 1) * sizeof *more);
    more[def->obstacle_count++] = copy_obstacle(obstacle);
    def->obstacles = more;
}

void throng_place_def_cut(throng_place_def *def, size_t count) {
    for (; def->obstacle_count > count; def->obstacle_count--) {
        THRONG_RELEASE((void *)def->obstacles[def->obstacle_count - 1].ring.points,
                       (void *)def->obstacles[def->obstacle_count - 1].id);
    }
}

void throng_place_def_destroy(throng_place_def *def) {
    if (!def) return;
    throng_place_def_cut(def, 0);
    THRONG_RELEASE((void *)def->obstacles, (void *)def->walkable.points, (void *)def->walkable_wkt, def);
}

throng_ring throng_obstacle_outline(const throng_obstacle *obstacle) {
    throng_place_def def = {.obstacles = obstacle, .obstacle_count = 1};
    throng_place_notes notes = {0};
    throng_plan plan;
    throng_ring outline = {NULL, 0};
    throng_plan_read(&plan, &def, &notes);
    /* A ring that touches itself is several. */
    if (plan.ring_count + plan.line_count == 1)
        outline = throng_copy_ring(plan.ring_count ? plan.rings[0] : plan.lines[0]);
    throng_plan_clear(&plan);
    throng_place_notes_clear(&notes);
    return outline;
}
