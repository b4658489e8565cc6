/* closed.c: goals that close and open, and those who wait before them.
 *
 *     o o o -> |<- a body's width ->|#### closed goal
 *
 * Who heads for a closed goal stops a body's width before it (wish/stops.c). Others may press from behind; no nearer
 * than touching it does anybody come who was not in it when it closed. Those whose model keeps them
 * apart are not held, for that would put them in others' way: they back off. */

#include <math.h>

#include "base/report.h"
#include "space/box.h"
#include "world/world.h"

bool throng_world_can_close(throng_world *world, throng_goal goal) {
    if (goal == 0 || goal >= world->goal_count) return THRONG_REFUSE(world, "there is no goal %u", (unsigned)goal);
    throng_goal_kind kind = world->goals[goal].def.kind;
    if (kind == THRONG_GOAL_AREA || kind == THRONG_GOAL_POINT) return true;
    return THRONG_REFUSE(world, "goal '%s' cannot close: it is neither an area nor a point",
                         world->goals[goal].def.name);
}

static bool set_closed(throng_world *world, throng_goal goal, bool closed) {
    if (!throng_world_can_close(world, goal)) return false;
    if (world->goals[goal].closed == closed) return true;
    world->goals[goal].closed = closed;
    throng_world_replan(world, throng_box_empty());
    return true;
}

bool throng_world_close_goal(throng_world *world, throng_goal goal) { return set_closed(world, goal, true); }
bool throng_world_open_goal(throng_world *world, throng_goal goal) { return set_closed(world, goal, false); }

bool throng_world_goal_is_closed(const throng_world *world, throng_goal goal) {
    return goal < world->goal_count && throng_goal_is_closed(world->goals, goal);
}

bool throng_world_any_closed(const throng_world *world) {
    bool any = false;
    for (size_t g = 1; g < world->goal_count && !any; g++) any = world->goals[g].closed;
    return any;
}

/* --- holding them off */

/* From a goal to a point: the distance, and the direction. */
typedef struct bearing {
    double distance; /* m; 0 in the goal */
    throng_point away;
} bearing;

static bearing bearing_from(const throng_goal_def *goal, double x, double y) {
    throng_point to = goal->kind == THRONG_GOAL_AREA ? throng_ring_nearest(goal->ring, x, y) : goal->point;
    double dx = x - to.x, dy = y - to.y, length = sqrt(dx * dx + dy * dy);
    double radius = goal->kind == THRONG_GOAL_AREA ? 0 : goal->radius;
    if (length <= radius || length == 0) return (bearing){0, {0, 0}};
    return (bearing){length - radius, {dx / length, dy / length}};
}

/* Lets somebody slide along a goal but not come nearer than touching it. */
static void hold_off(throng_columns *a, size_t row, const throng_goal_entry *goal) {
    double reach = a->radius[row] + (goal->def.kind == THRONG_GOAL_POINT ? goal->def.radius : 0);
    throng_box box = goal->bounds;
    if (a->next_x[row] < box.low.x - reach || a->next_x[row] > box.high.x + reach) return;
    if (a->next_y[row] < box.low.y - reach || a->next_y[row] > box.high.y + reach) return;
    bearing now = bearing_from(&goal->def, a->x[row], a->y[row]);
    double least = fmin(a->radius[row], now.distance);
    if (now.distance == 0 || bearing_from(&goal->def, a->next_x[row], a->next_y[row]).distance >= least) return;

    double vx = a->next_x[row] - a->x[row], vy = a->next_y[row] - a->y[row];
    double nearer = fmin(vx * now.away.x + vy * now.away.y, 0);
    a->next_x[row] -= nearer * now.away.x;
    a->next_y[row] -= nearer * now.away.y;
    double approach = fmin(a->next_vx[row] * now.away.x + a->next_vy[row] * now.away.y, 0);
    a->next_vx[row] -= approach * now.away.x;
    a->next_vy[row] -= approach * now.away.y;
    if (bearing_from(&goal->def, a->next_x[row], a->next_y[row]).distance >= least) return;
    a->next_x[row] = a->x[row];
    a->next_y[row] = a->y[row];
    a->next_vx[row] = a->next_vy[row] = 0;
}

void throng_world_hold_off(throng_world *world) {
    throng_columns *a = &world->agents;
    bool any_closed = throng_world_any_closed(world);
    for (size_t i = 0; any_closed && i < a->count; i++) {
        const throng_goal_entry *goal = &world->goals[a->goal[i]];
        if (a->goal[i] == 0 || a->state[i] != THRONG_WALKING || !throng_goal_is_closed(world->goals, a->goal[i]))
            continue;
        if (throng_world_keeps_apart(world, a->profile[i])) continue;
        if (goal->def.kind != THRONG_GOAL_ANY) hold_off(a, i, goal);
        for (size_t k = 0; goal->def.kind == THRONG_GOAL_ANY && k < goal->def.any_count; k++) {
            hold_off(a, i, &world->goals[goal->def.any[k]]);
        }
    }
}
