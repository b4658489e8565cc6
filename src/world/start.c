/* start.c: see start.h. */

#include "world/start.h"

#include "world/world.h"

throng_lost throng_world_find_lost(throng_world *world, size_t first, size_t count) {
    const throng_columns *a = &world->agents;
    size_t walkers = 0;
    for (size_t i = first; i < first + count; i++) {
        if (a->goal[i]) world->walkers[walkers++] = throng_world_walker(world, i);
    }
    size_t lost = walkers ? throng_route_prepare(world->route, world->goals, world->walkers, walkers) : SIZE_MAX;
    if (lost != SIZE_MAX) {
        const throng_walker *w = &world->walkers[lost];
        return (throng_lost){w->goal, w->at, w->target, w->radius};
    }

    uint32_t last_journey = UINT32_MAX;
    for (size_t i = first; i < first + count; i++) {
        throng_goal goal = a->journey[i] != last_journey ? throng_world_lost_leg(world, i) : 0;
        if (goal) return (throng_lost){.goal = goal, .at = {a->x[i], a->y[i]}};
        last_journey = a->journey[i];
    }
    return (throng_lost){0};
}

throng_lost throng_world_lost_of_source(const throng_world *world, throng_source source) {
    return world->sources[source - 1].lost;
}

void throng_world_set_moving(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    if (!a->goal[row] || a->state[row] != THRONG_WALKING) return;
    throng_walker walker = throng_world_walker(world, row);
    throng_point direction = throng_route_way(world->route, world->goals, &walker).direction;
    a->vx[row] = direction.x * a->desired_speed[row];
    a->vy[row] = direction.y * a->desired_speed[row];
}
