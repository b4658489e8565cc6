/* steer.c: what games and the page do to people while a world runs: another profile (and so another operational model),
 * body or speed, a desired velocity from outside, and who is near a point. Obstacles that are added stand in
 * obstacles.c. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/vector.h"
#include "world/world.h"

static const double speed_most = 1000; /* m/s */

/* ------------------------------------------------------------------ who they are */

/* Somebody new to a model is as a newcomer to it: it remembers nothing. Position and velocity stay. */
void throng_world_change_profile(throng_world *world, size_t row, throng_profile profile) {
    throng_columns *a = &world->agents;
    const throng_model *model = world->profiles[profile].model;
    bool other = world->profiles[a->profile[row]].model != model;
    for (size_t t = 0; other && t < world->team_count; t++) {
        const throng_kept *kept = &world->teams[t].kept;
        if (world->teams[t].model == model && row < kept->capacity) throng_kept_reset(kept, row);
    }
    a->profile[row] = profile;
    world->profiles[profile].spare = false;
}

bool throng_world_set_agent_profile(throng_world *world, throng_agent agent, throng_profile profile) {
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    if (profile >= world->profile_count) return THRONG_REFUSE(world, "there is no such profile");
    throng_world_touch(world);
    throng_world_set_own_profile(world, row, profile);
    world->changed = true;
    return true;
}

throng_profile throng_world_profile_of(throng_world *world, const throng_model *model, void *params) {
    for (size_t p = 0; p < world->profile_count; p++) {
        const throng_profile_entry *known = &world->profiles[p];
        if (known->model != model || memcmp(known->params, params, throng_profile_size(model)) != 0) continue;
        throng_release(params);
        return (throng_profile)p;
    }
    THRONG_GROW(world->profiles, world->profile_capacity, world->profile_count + 1);
    world->profiles[world->profile_count++] = (throng_profile_entry){.model = model, .params = params, .derived = true};
    world->changed = true;
    return (throng_profile)(world->profile_count - 1);
}

throng_profile throng_world_plain_profile(throng_world *world, const throng_model *model) {
    void *params = throng_allocate(throng_profile_size(model));
    throng_profile_fill(model, params, NULL, 0, NULL);
    return throng_world_profile_of(world, model, params);
}

bool throng_world_set_model(throng_world *world, const char *model, throng_group group) {
    const throng_model *found = model ? throng_model_named(model) : NULL;
    if (!found) return THRONG_REFUSE(world, "there is no model '%s'", model ? model : "");
    return throng_world_set(world, "model", (double)throng_model_rank(found), group);
}

/* ------------------------------------------------------------------ what they are like */

/* The value of somebody under a name, and the range of it. */
typedef struct own_value {
    double *value, low, high;
    const char *unit;
} own_value;

static own_value find_value(const throng_columns *a, size_t row, const char *what) {
    if (strcmp(what, "desired_speed") == 0) return (own_value){&a->desired_speed[row], 0, speed_most, "m/s"};
    if (strcmp(what, "max_speed") == 0) return (own_value){&a->max_speed[row], 0, 1.5 * speed_most, "m/s"};
    if (strcmp(what, "radius") == 0) return (own_value){&a->radius[row], THRONG_RADIUS_LEAST, THRONG_RADIUS_MOST, "m"};
    if (strcmp(what, "mass") == 0) return (own_value){&a->mass[row], 1e-3, 1e6, "kg"};
    return (own_value){0};
}

static bool set_param(throng_world *world, size_t row, const char *name, double value) {
    throng_columns *a = &world->agents;
    const throng_model *model = world->profiles[a->profile[row]].model;
    if (throng_profile_find(model, name, NULL) == SIZE_MAX)
        return THRONG_REFUSE(world, "model '%s' has no parameter '%s'", model->name, name);
    if (!throng_world_check_setting(world, name, value)) return false;
    a->profile[row] = throng_world_derive_profile(world, a->profile[row], name, value);
    return true;
}

void throng_world_change_speed(throng_world *world, size_t row, double speed) {
    throng_columns *a = &world->agents;
    double before = a->desired_speed[row];
    a->max_speed[row] = before > 0 ? a->max_speed[row] * (speed / before) : 1.5 * speed;
    a->desired_speed[row] = speed;
}

bool throng_world_set_agent(throng_world *world, throng_agent agent, const char *what, double value) {
    throng_columns *a = &world->agents;
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    throng_world_touch(world);
    if (what && strncmp(what, "params.", 7) == 0) return set_param(world, row, what + 7, value);
    own_value own = what ? find_value(a, row, what) : (own_value){0};
    if (!own.value)
        return THRONG_REFUSE(world,
                             "'%s' cannot be set: expected desired_speed, max_speed, radius, mass or params.NAME",
                             what ? what : "");
    if (!(value >= own.low && value <= own.high))
        return THRONG_REFUSE(world, "%s must be %g to %g %s, not %g", what, own.low, own.high, own.unit, value);
    if (own.value == &a->desired_speed[row]) throng_world_change_speed(world, row, value);
    *own.value = value;
    if (own.value == &a->radius[row]) {
        a->body[row] = value;
        a->routed[row] = 0; /* a wider body may need another way */
        world->changed = true;
    }
    return true;
}

/* ------------------------------------------------------------------ where they are, and how fast */

static void forget(throng_world *world, size_t row) {
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++)
        if (row < kept->capacity) throng_kept_reset(kept, row);
    world->agents.trail[row] = (throng_trail){0};
    world->agents.routed[row] = 0;
    world->changed = true;
}

bool throng_world_move_agent(throng_world *world, throng_agent agent, throng_point to) {
    throng_columns *a = &world->agents;
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    throng_point at = throng_period_wrap(&world->period, to);
    if (!throng_point_fits(to)) return THRONG_REFUSE(world, "the position must be within 100000 km of the origin");
    if (throng_walls_depth(world->walls, at.x, at.y, a->radius[row]) <= 0)
        return THRONG_REFUSE(world, "(%.9g, %.9g) is in a wall or on it", to.x, to.y);
    throng_world_touch(world);
    a->x[row] = at.x;
    a->y[row] = at.y;
    forget(world, row);
    return true;
}

static bool is_moderate(throng_point v) { return fabs(v.x) <= speed_most && fabs(v.y) <= speed_most; }

bool throng_world_set_agent_velocity(throng_world *world, throng_agent agent, throng_point velocity) {
    throng_columns *a = &world->agents;
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    if (!is_moderate(velocity)) return THRONG_REFUSE(world, "the velocity must be within 1000 m/s");
    throng_world_touch(world);
    a->vx[row] = velocity.x;
    a->vy[row] = velocity.y;
    return true;
}

bool throng_world_set_dt(throng_world *world, double dt) {
    if (!throng_dt_fits(dt)) return THRONG_REFUSE(world, "dt must be 1e-6 to 60 s, not %g", dt);
    if (dt == world->dt) return true;
    world->clock_base = throng_world_time(world);
    world->clock_since = world->step;
    world->dt = dt;
    world->changed = true;
    return true;
}

/* ------------------------------------------------------------------ desired velocities from outside */

bool throng_world_wish_agent(throng_world *world, throng_agent agent, throng_point velocity) {
    throng_wishes *w = &world->wishes;
    if (throng_world_find_agent(world, agent) == SIZE_MAX) return false;
    if (!is_moderate(velocity)) return THRONG_REFUSE(world, "the velocity must be within 1000 m/s");
    THRONG_GROW(w->wishes, w->capacity, w->count + 1);
    w->wishes[w->count++] = (throng_wish){agent, velocity};
    return true;
}

/* The last one given holds. */
void throng_world_take_wishes(throng_world *world) {
    throng_wishes *w = &world->wishes;
    throng_columns *a = &world->agents;
    for (size_t i = 0; i < w->count; i++) {
        size_t row = throng_columns_row(a, w->wishes[i].agent);
        if (row == SIZE_MAX) continue;
        a->wish_x[row] = w->wishes[i].velocity.x;
        a->wish_y[row] = w->wishes[i].velocity.y;
    }
    w->count = 0;
}

void throng_world_archive_wishes(throng_world *world, throng_archive *archive) {
    throng_wishes *w = &world->wishes;
    THRONG_ARCHIVE_LIST(archive, w->wishes, w->count, w->capacity);
    for (size_t i = 0; i < w->count && archive->reading; i++) {
        if (!is_moderate(w->wishes[i].velocity)) throng_archive_spoil(archive, "a wish is too fast");
    }
    if (archive->bad) w->count = 0;
}

/* ------------------------------------------------------------------ who is where */

size_t throng_world_near(const throng_world *world, throng_point at, double reach, throng_agent *out, size_t capacity) {
    const throng_columns *a = &world->agents;
    size_t found = 0;
    for (size_t k = 0; k < a->count; k++) {
        size_t row = a->by_id[k];
        throng_point apart = throng_period_apart(&world->period, a->x[row] - at.x, a->y[row] - at.y);
        if (!(apart.x * apart.x + apart.y * apart.y <= reach * reach)) continue;
        if (found < capacity) out[found] = a->id[row];
        found++;
    }
    return found;
}

bool throng_world_has_room(const throng_world *world, throng_point at, double radius) {
    const throng_columns *a = &world->agents;
    if (!throng_point_fits(at) || !(radius >= 0 && radius <= THRONG_RADIUS_MOST)) return false;
    if (throng_walls_depth(world->walls, at.x, at.y, radius) < radius) return false;
    for (size_t i = 0; i < a->count; i++) {
        throng_point apart = throng_period_apart(&world->period, a->x[i] - at.x, a->y[i] - at.y);
        double least = a->radius[i] + radius;
        if (apart.x * apart.x + apart.y * apart.y < least * least) return false;
    }
    return !throng_world_is_thing_at(world, at, radius);
}

/* ------------------------------------------------------------------ where they would go */

throng_point throng_world_way(throng_world *world, throng_goal goal, throng_point at, double radius) {
    throng_walker walker = {.at = at, .goal = goal, .target = at, .radius = radius};
    if (goal == 0 || goal >= world->goal_count || !world->walls || !*throng_route_planner(world->route))
        return (throng_point){0, 0};
    if (!throng_walls_inside(world->walls, at.x, at.y)) return (throng_point){0, 0};
    throng_way way = throng_route_way(world->route, world->goals, &walker);
    if (way.unknown && throng_route_prepare(world->route, world->goals, &walker, 1) == SIZE_MAX)
        way = throng_route_way(world->route, world->goals, &walker);
    return way.unknown ? (throng_point){0, 0} : way.direction;
}
