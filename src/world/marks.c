/* marks.c: what is marked on the floor: goals, zones, regions, and lines and areas to measure at, in this order. */

#include "base/memory.h"
#include "base/report.h"
#include "world/world.h"

bool throng_world_add_mark(throng_world *world, const throng_mark *mark) {
    bool line = mark->kind == THRONG_MARK_LINE;
    if ((!line && mark->kind != THRONG_MARK_AREA) || mark->ring.count < (line ? 2 : 3))
        return THRONG_REFUSE(world, "a mark must be a line or an area");
    for (size_t i = 0; i < mark->ring.count; i++) {
        if (throng_point_fits(mark->ring.points[i])) continue;
        return THRONG_REFUSE(world, "a mark must be within 100000 km of the origin");
    }
    THRONG_GROW(world->marks, world->mark_capacity, world->mark_count + 1);
    throng_mark *own = &world->marks[world->mark_count++];
    *own = (throng_mark){.kind = mark->kind, .name = throng_copy_text(mark->name ? mark->name : "")};
    own->ring.points = throng_copy_bytes(mark->ring.points, mark->ring.count * sizeof *mark->ring.points);
    own->ring.count = mark->ring.count;
    return true;
}

void throng_world_clear_marks(throng_world *world) {
    for (size_t i = 0; i < world->mark_count; i++) {
        THRONG_RELEASE((void *)world->marks[i].name, (void *)world->marks[i].ring.points);
    }
    throng_release(world->marks);
}

size_t throng_world_mark_count(const throng_world *world) {
    const throng_changes *c = &world->changes;
    return world->goal_count - 1 + c->zones.count + c->regions.count + world->mark_count;
}

static throng_mark mark_of_goal(const throng_goal_entry *goal) {
    throng_mark mark = {.kind = goal->def.exit ? THRONG_MARK_EXIT : THRONG_MARK_GOAL,
                        .name = goal->def.name ? goal->def.name : "",
                        .closed = goal->closed};
    if (goal->def.kind == THRONG_GOAL_AREA) mark.ring = goal->def.ring;
    if (goal->def.kind != THRONG_GOAL_POINT) return mark;
    mark.ring = (throng_ring){&goal->def.point, 1};
    mark.radius = goal->def.radius;
    return mark;
}

throng_mark throng_world_mark(const throng_world *world, size_t index) {
    const throng_changes *c = &world->changes;
    if (index < world->goal_count - 1) return mark_of_goal(&world->goals[index + 1]);
    index -= world->goal_count - 1;
    if (index < c->zones.count)
        return (throng_mark){.kind = THRONG_MARK_ZONE, .name = "", .ring = c->zones.zones[index].ring};
    index -= c->zones.count;
    if (index >= c->regions.count) return world->marks[index - c->regions.count];
    const throng_region *r = &c->regions.regions[index];
    return (throng_mark){.kind = THRONG_MARK_ZONE, .name = world->profiles[r->profile].model->name, .ring = r->ring};
}
