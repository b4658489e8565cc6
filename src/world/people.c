/* people.c: agents come, go, and are sent elsewhere. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "world/world.h"

enum { DRAWS = 64 }; /* tries for a random point clear of walls */

throng_agent_def throng_default_agent_def(void) {
    return (throng_agent_def){.radius = 0.2, .desired_speed = 1.34, .mass = 80};
}

/* Beyond these, squares and products of a step would soon leave the range of a double. */
static const double motion_most = 1000; /* m/s, m/s^2 */

static bool is_moderate(throng_point p) { return fabs(p.x) <= motion_most && fabs(p.y) <= motion_most; }

bool throng_point_fits(throng_point p) { return fabs(p.x) <= THRONG_FARTHEST && fabs(p.y) <= THRONG_FARTHEST; }

static bool check_journey(throng_world *world, const throng_goal *journey, size_t count, throng_point target,
                          bool repeat) {
    if (!throng_point_fits(target)) return THRONG_REFUSE(world, "the target must be within 100000 km of the origin");
    if (count && !journey) return THRONG_REFUSE(world, "a journey of %zu goals names none", count);
    for (size_t i = 0; i < count; i++) {
        if (journey[i] == 0 || journey[i] >= world->goal_count)
            return THRONG_REFUSE(world, "there is no goal %u", (unsigned)journey[i]);
        if ((i + 1 < count || repeat) && world->goals[journey[i]].def.kind == THRONG_GOAL_DIRECTION)
            return THRONG_REFUSE(world, "nothing can come after a direction, which is walked for ever");
    }
    return true;
}

bool throng_world_check_agent(throng_world *world, const throng_agent_def *def) {
    throng_error *error = &world->error;
    if (!def) return throng_refuse(error, 0, 0, "nobody can be added without a definition");
    if (!throng_point_fits(def->at))
        return throng_refuse(error, 0, 0, "the position must be within 100000 km of the origin");
    if (!is_moderate(def->velocity)) return throng_refuse(error, 0, 0, "the velocity must be within 1000 m/s");
    if (!is_moderate(def->acceleration))
        return throng_refuse(error, 0, 0, "the acceleration must be within 1000 m/s^2");
    if (!(def->radius >= THRONG_RADIUS_LEAST && def->radius <= THRONG_RADIUS_MOST))
        return throng_refuse(error, 0, 0, "the radius must be 0.001 to 100 m, not %g", def->radius);
    if (!(def->desired_speed >= 0 && def->desired_speed <= motion_most))
        return throng_refuse(error, 0, 0, "the desired speed must be 0 to 1000 m/s, not %g", def->desired_speed);
    if (!(def->max_speed >= 0 && def->max_speed <= 1.5 * motion_most))
        return throng_refuse(error, 0, 0, "the maximal speed must be 0 to 1500 m/s, not %g", def->max_speed);
    if (!(def->mass > 0) || isinf(def->mass))
        return throng_refuse(error, 0, 0, "the mass must be positive, not %g", def->mass);
    if (!(def->start_after >= 0)) return throng_refuse(error, 0, 0, "start_after must not be negative");
    if (def->profile >= world->profile_count) return throng_refuse(error, 0, 0, "there is no such profile");
    if (def->group >= world->groups.count) return throng_refuse(error, 0, 0, "there is no such group");
    if (throng_walls_depth(world->walls, def->at.x, def->at.y, def->radius) <= 0)
        return throng_refuse(error, 0, 0, "(%.9g, %.9g) is in a wall or on it", def->at.x, def->at.y);
    return check_journey(world, def->journey, def->journey_count, def->target, def->repeat);
}

static uint64_t hash_journey(const throng_goal *goals, size_t count, bool repeat) {
    uint64_t hash = count * 2 + repeat;
    for (size_t i = 0; i < count; i++) hash = throng_mix(hash ^ goals[i]);
    return hash;
}

static bool same_journey(const throng_world *world, const throng_journey *j, const throng_goal *goals, size_t count,
                         bool repeat) {
    return j->count == count && j->repeat == repeat &&
           (count == 0 || memcmp(world->journey_goals + j->first, goals, count * sizeof *goals) == 0);
}

/* Doubles the table that finds journeys by their hash; an entry is a journey's number plus one. */
static void grow_journey_table(throng_world *world) {
    size_t size = world->journey_table_size ? world->journey_table_size * 2 : 64;
    throng_release(world->journey_table);
    world->journey_table = throng_allocate(size * sizeof *world->journey_table);
    world->journey_table_size = size;
    for (size_t i = 0; i < world->journey_count; i++) {
        const throng_journey *j = &world->journeys[i];
        size_t at = hash_journey(world->journey_goals + j->first, j->count, j->repeat) & (size - 1);
        while (world->journey_table[at]) at = (at + 1) & (size - 1);
        world->journey_table[at] = (uint32_t)i + 1;
    }
}

void throng_world_index_journeys(throng_world *world) {
    throng_release(world->journey_table);
    world->journey_table = NULL;
    world->journey_table_size = 0;
    while (world->journey_count * 2 >= world->journey_table_size) grow_journey_table(world);
}

/* The number of a journey; equal journeys share one. */
static uint32_t intern_journey(throng_world *world, const throng_goal *goals, size_t count, bool repeat) {
    if (world->journey_count * 2 >= world->journey_table_size) grow_journey_table(world);
    size_t mask = world->journey_table_size - 1, at = hash_journey(goals, count, repeat) & mask;
    for (; world->journey_table[at]; at = (at + 1) & mask) {
        uint32_t number = world->journey_table[at] - 1;
        if (same_journey(world, &world->journeys[number], goals, count, repeat)) return number;
    }

    size_t first = world->journey_goal_count;
    THRONG_GROW(world->journey_goals, world->journey_goal_capacity, first + count);
    if (count) memcpy(world->journey_goals + first, goals, count * sizeof *goals);
    world->journey_goal_count += count;
    THRONG_GROW(world->journeys, world->journey_capacity, world->journey_count + 1);
    world->journeys[world->journey_count++] = (throng_journey){(uint32_t)first, (uint32_t)count, repeat};
    world->journey_table[at] = (uint32_t)world->journey_count;
    return (uint32_t)(world->journey_count - 1);
}

static void send(throng_world *world, size_t row, const throng_goal *journey, size_t count, throng_point target,
                 bool repeat) {
    throng_columns *a = &world->agents;
    a->journey[row] = intern_journey(world, journey, count, repeat);
    a->stage[row] = 0;
    a->goal[row] = count ? journey[0] : 0;
    a->target_x[row] = target.x;
    a->target_y[row] = target.y;
    a->trail[row] = (throng_trail){0};
    a->routed[row] = 0;
    a->queue[row] = 0;
    a->pause_until[row] = 0;
    throng_world_draw_target(world, row);
    world->changed = true;
}

static bool starts_later(const throng_world *world, double start_after) {
    return start_after > throng_world_time(world) + 1e-9;
}

static throng_agent add(throng_world *world, const throng_agent_def *def, bool later) {
    if (!throng_world_check_agent(world, def)) return 0;
    throng_columns *a = &world->agents;
    if (a->count == a->capacity) throng_columns_reserve(a, a->capacity ? a->capacity * 2 : 64);

    size_t row = a->count++;
    if (world->last_id == 0) world->ordinary_radius = def->radius;
    a->id[row] = ++world->last_id;
    a->by_id[row] = (uint32_t)row;
    throng_world_touch(world);
    throng_point at = throng_period_wrap(&world->period, def->at);
    a->x[row] = at.x;
    a->y[row] = at.y;
    a->vx[row] = def->velocity.x;
    a->vy[row] = def->velocity.y;
    a->push_x[row] = def->acceleration.x;
    a->push_y[row] = def->acceleration.y;
    a->radius[row] = a->body[row] = def->radius;
    a->desired_speed[row] = def->desired_speed;
    a->max_speed[row] = def->max_speed > 0 ? def->max_speed : 1.5 * def->desired_speed;
    a->mass[row] = def->mass;
    a->start_after[row] = def->start_after;
    a->profile[row] = def->profile;
    world->profiles[def->profile].spare = false;
    a->group[row] = def->group;
    a->state[row] = starts_later(world, def->start_after) ? THRONG_WAITING : THRONG_WALKING;
    send(world, row, def->journey, def->journey_count, def->target, def->repeat);
    throng_world_apply_standing(world, row);

    world->stats.active++;
    if (later) {
        world->stats.spawned++;
    } else {
        world->stats.initial++;
    }
    return a->id[row];
}

throng_agent throng_world_add_agent(throng_world *world, const throng_agent_def *def) {
    return add(world, def, world->step > 0);
}

throng_agent throng_world_admit(throng_world *world, const throng_agent_def *def) { return add(world, def, true); }

void throng_world_drop_marked(throng_world *world) {
    throng_columns *a = &world->agents;
    throng_leaving leaving = throng_columns_leaving(a);
    if (leaving.stay == a->count) return;
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++) {
        size_t rows = a->count < kept->capacity ? a->count : kept->capacity;
        for (size_t c = 0; c < kept->column_count && rows > 0; c++)
            throng_column_compact(kept->items[c], kept->columns[c].item_size, a, &leaving, rows);
    }
    throng_columns_compact(a, &leaving, world->crew);
}

size_t throng_world_find_agent(throng_world *world, throng_agent agent) {
    size_t row = throng_columns_row(&world->agents, agent);
    if (row == SIZE_MAX) THRONG_REFUSE(world, "agent %llu is not in the world", (unsigned long long)agent);
    return row;
}

bool throng_world_remove_agent(throng_world *world, throng_agent agent) {
    throng_columns *a = &world->agents;
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    throng_world_touch(world);
    if (a->state[row] != THRONG_ARRIVED) world->stats.active--;
    memset(a->mark, 0, a->count);
    a->mark[row] = 1;
    throng_world_drop_marked(world);
    return true;
}

bool throng_world_retarget_agent(throng_world *world, throng_agent agent, const throng_goal *journey, size_t count,
                                 throng_point target) {
    throng_columns *a = &world->agents;
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    if (!check_journey(world, journey, count, target, false)) return false;
    throng_world_touch(world);
    if (a->state[row] == THRONG_ARRIVED) {
        world->stats.arrived--;
        world->stats.active++;
    }
    a->state[row] = starts_later(world, a->start_after[row]) ? THRONG_WAITING : THRONG_WALKING;
    send(world, row, journey, count, target, false);
    return true;
}

/* The same for whichever of several goals is nearest. */
static throng_point nearest_to_any(const throng_world *world, const throng_goal_def *any, throng_point at) {
    throng_point best = at;
    double best2 = INFINITY;
    for (size_t i = 0; i < any->any_count; i++) {
        const throng_goal_entry *goal = &world->goals[any->any[i]];
        if (goal->closed) continue;
        throng_point image = throng_period_nearest(&world->period, at, goal->bounds);
        throng_point middle = {(goal->bounds.low.x + goal->bounds.high.x) / 2,
                               (goal->bounds.low.y + goal->bounds.high.y) / 2};
        double dx = image.x - middle.x, dy = image.y - middle.y, distance2 = dx * dx + dy * dy;
        if (distance2 < best2) best2 = distance2, best = image;
    }
    return best;
}

/* Where somebody walks to a goal from: across a seam when that is the shorter way. */
static throng_point nearest_image(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    throng_point at = {a->x[row], a->y[row]}, target = {a->target_x[row], a->target_y[row]};
    const throng_goal_entry *goal = &world->goals[a->goal[row]];
    if (!throng_period_is_on(&world->period) || a->goal[row] == 0) return at;
    switch (goal->def.kind) {
        case THRONG_GOAL_DIRECTION:
            return at;
        case THRONG_GOAL_OWN:
        case THRONG_GOAL_ROAM:
            return throng_period_nearest(&world->period, at, (throng_box){target, target});
        case THRONG_GOAL_ANY:
            return nearest_to_any(world, &goal->def, at);
        default:
            return throng_period_nearest(&world->period, at, goal->bounds);
    }
}

throng_walker throng_world_walker(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    return (throng_walker){.at = nearest_image(world, row),
                           .goal = a->goal[row],
                           .target = {a->target_x[row], a->target_y[row]},
                           .radius = a->body[row],
                           .trail = &a->trail[row],
                           .speed = a->desired_speed[row]};
}

/* A random point of a goal's polygon where the agent can stand; where it is when there is no room. */
static throng_point draw_point(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_goal_entry *goal = &world->goals[a->goal[row]];
    double width = goal->bounds.high.x - goal->bounds.low.x, height = goal->bounds.high.y - goal->bounds.low.y;
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        uint64_t purpose = THRONG_RANDOM_GOAL + (draw << 32);
        double u = throng_random(world->seed, a->id[row], world->step * 2, purpose);
        double v = throng_random(world->seed, a->id[row], world->step * 2 + 1, purpose);
        double x = goal->bounds.low.x + u * width, y = goal->bounds.low.y + v * height;
        bool clear = throng_walls_depth(world->walls, x, y, a->radius[row]) >= a->radius[row];
        if (clear && throng_ring_contains(goal->def.ring, x, y)) return (throng_point){x, y};
    }
    return (throng_point){a->x[row], a->y[row]};
}

void throng_world_draw_target(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    if (world->goals[a->goal[row]].def.kind != THRONG_GOAL_ROAM && a->state[row] != THRONG_ARRIVED) return;
    throng_point point = draw_point(world, row);
    a->target_x[row] = point.x;
    a->target_y[row] = point.y;
}

void throng_world_draw_spot(throng_world *world, size_t row) {
    throng_point point = draw_point(world, row);
    world->agents.spot_x[row] = point.x;
    world->agents.spot_y[row] = point.y;
}

throng_goal throng_world_meant_goal(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_journey *journey = &world->journeys[a->journey[row]];
    return journey->count ? world->journey_goals[journey->first + a->stage[row]] : 0;
}

/* --- looking */

size_t throng_world_row(const throng_world *world, throng_agent agent) {
    const throng_columns *a = &world->agents;
    size_t rank = throng_columns_rank(a, agent);
    return rank < a->count && a->id[a->by_id[rank]] == agent ? rank : SIZE_MAX;
}

bool throng_world_is_done(const throng_world *world) {
    return world->stats.active == 0 && throng_sources_are_done(world);
}
