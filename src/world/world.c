/* world.c: making a world, and what in it is not people: profiles, groups, goals, the clock. */

#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/report.h"
#include "space/box.h"

const char *throng_version(void) { return THRONG_VERSION; }

throng_world_def throng_default_world_def(void) {
    return (throng_world_def){.model = "orca", .seed = 1, .simd = THRONG_SIMD_AUTO, .check = true};
}

throng_goal_def throng_default_goal_def(void) {
    return (throng_goal_def){.kind = THRONG_GOAL_POINT, .name = "", .radius = 0.5};
}

static bool check_planner(const char *planner, throng_error *error) {
    char known[200] = "";
    for (size_t i = 0; throng_planner_name(i); i++) {
        if (strcmp(throng_planner_name(i), planner) == 0) return true;
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", throng_planner_name(i));
    }
    return throng_refuse(error, 0, 0, "there is no planner '%s' (%s)", planner, known);
}

/* Of the walls and the names of obstacles: a place that looks the same is the same. */
static uint64_t hash_place(const throng_place *place) {
    uint64_t hash = throng_hash_word(place->open, place->ring_count);
    for (size_t i = 0; i < place->ring_count; i++) hash = throng_hash_word(hash, place->rings[i].count);
    for (size_t i = 0; i < place->line_count; i++) hash = throng_hash_word(hash, ~(uint64_t)place->lines[i].count);
    for (size_t i = 0; place->source && i < place->source->obstacle_count; i++) {
        const char *id = place->source->obstacles[i].id;
        hash = throng_hash_text(hash, id ? id : "");
    }
    return throng_hash_bytes(hash, place->points, place->point_count * sizeof *place->points);
}

static uint64_t hash_period(const throng_period *period) {
    double values[6] = {0};
    if (period->x) values[0] = 1, values[1] = period->low.x, values[2] = period->high.x;
    if (period->y) values[3] = 1, values[4] = period->low.y, values[5] = period->high.y;
    return throng_hash_bytes(0, values, sizeof values);
}

static uint64_t hash_planner(const throng_world_def *def) {
    uint64_t hash = throng_hash_text(def->allow_unreachable, def->planner ? def->planner : "");
    hash = throng_hash_bytes(hash, &def->planner_congestion, sizeof def->planner_congestion);
    return throng_hash_bytes(hash, &def->planner_cell, sizeof def->planner_cell);
}

static const throng_model *find_model(const char *name, throng_error *error) {
    const throng_model *model = name ? throng_model_named(name) : NULL;
    if (!model) throng_refuse(error, 0, 0, "there is no model '%s'", name ? name : "");
    return model;
}

static const size_t capacity_most = 20000000; /* people made room for in advance: some 8 GB */

bool throng_dt_fits(double dt) { return dt >= 1e-6 && dt <= 60; }

static bool check_def(const throng_world_def *def, throng_error *error) {
    if (!def) return throng_refuse(error, 0, 0, "a world needs a definition");
    if (!find_model(def->model, error)) return false;
    if (def->agent_capacity > capacity_most)
        return throng_refuse(error, 0, 0, "agent_capacity must be %zu at most, not %zu; a world grows by itself",
                             capacity_most, def->agent_capacity);
    if (def->dt != 0 && !throng_dt_fits(def->dt))
        return throng_refuse(error, 0, 0, "dt must be 1e-6 to 60 s, or 0 for the model's own, not %g", def->dt);
    if (def->planner_cell != 0 && !(def->planner_cell >= 0.001 && def->planner_cell <= 100))
        return throng_refuse(error, 0, 0, "planner_cell must be 0.001 to 100 m, or 0, not %g", def->planner_cell);
    if (!throng_period_check(&def->period, error)) return false;
    if (throng_period_is_on(&def->period) && def->planner && strcmp(def->planner, "roadmap") == 0)
        return throng_refuse(error, 0, 0,
                             "planner 'roadmap' does not lead across seams: where an axis wraps, use "
                             "'straight' or 'flow-field'");
    if (!(def->planner_congestion >= 0) || isinf(def->planner_congestion))
        return throng_refuse(error, 0, 0, "planner_congestion must be 0 or more");
    if (def->physics_iterations < 0 || def->physics_iterations > 1000)
        return throng_refuse(error, 0, 0, "physics_iterations must be 1 to 1000, or 0 for 20, not %d",
                             def->physics_iterations);
    if (def->threads < 0) return throng_refuse(error, 0, 0, "threads must be 0 or more, not %d", def->threads);
    return !def->planner || check_planner(def->planner, error);
}

throng_world *throng_world_create(const throng_world_def *def, throng_error *error) {
    if (!check_def(def, error)) return NULL;
    throng_world *world = throng_allocate(sizeof *world);
    world->dt = world->given_dt = def->dt > 0 ? def->dt : throng_model_named(def->model)->default_dt;
    world->seed = def->seed;
    world->check = def->check;
    world->simd = def->simd == THRONG_SIMD_AUTO;
    world->allow_unreachable = def->allow_unreachable;
    world->things.iterations = def->physics_iterations;

    throng_place_def nowhere = throng_default_place_def();
    world->place = def->place ? throng_place_copy(def->place) : throng_place_create(&nowhere, error);
    if (world->place->source) world->changes.given_count = world->place->source->obstacle_count;
    world->place_hash = throng_hash_word(hash_place(world->place), hash_period(&def->period));
    world->planner_hash = hash_planner(def);
    world->period = def->period;
    world->walls = throng_period_walls(&world->period, world->place);
    world->crew = throng_crew_create(def->threads);
    world->route = throng_route_create(&(throng_route_def){.planner = def->planner,
                                                           .cell = def->planner_cell,
                                                           .congestion = def->planner_congestion,
                                                           .place = world->place,
                                                           .walls = world->walls,
                                                           .zones = &world->changes.zones,
                                                           .crew = world->crew});
    world->grid = throng_near_create();
    world->ordered = throng_ordered_create();
    throng_columns_reserve(&world->agents, def->agent_capacity);
    world->stats.nearest_gap_m = INFINITY;
    world->stats.last_arrival_s = -1;
    world->report = throng_report_create();
    world->wanted = throng_wanted_create();

    /* Number 0 of each list: nowhere, the nameless group, the default profile. */
    THRONG_GROW(world->goals, world->goal_capacity, 1);
    world->goals[world->goal_count++] = (throng_goal_entry){0};
    throng_world_add_group(world, "");
    throng_world_add_profile(world, def->model, NULL, 0);
    world->profiles[0].spare = true;
    world->changed = true;
    return world;
}

static void destroy_drawing(const throng_drawing *drawing) {
    if (drawing->destroy) drawing->destroy(drawing->context);
}

void throng_world_destroy(throng_world *world) {
    if (!world) return;
    for (size_t h = 0; h < world->habit_count; h++) {
        throng_kept_clear(&world->habits[h].kept);
        throng_release(world->habits[h].params);
    }
    for (size_t i = 0; i < world->profile_count; i++) throng_release(world->profiles[i].params);
    world->profile_count = 0;
    throng_world_drop_idle_teams(world);
    throng_weight_maps_clear(world);
    throng_names_clear(&world->groups);
    for (size_t i = 1; i < world->goal_count; i++) {
        THRONG_RELEASE((void *)world->goals[i].def.name, (void *)world->goals[i].def.ring.points,
                       (void *)world->goals[i].def.any, (void *)world->goals[i].def.queue.points);
        destroy_drawing(&world->goals[i].def.drawn_wait);
    }
    throng_ask_destroy(world->ask);
    throng_halo_destroy(world->halo);
    throng_watch_clear(&world->watch);
    throng_queues_destroy(world);
    throng_sources_destroy(world);
    throng_route_destroy(world->route);
    throng_crew_destroy(world->crew);
    throng_near_destroy(world->grid);
    throng_ordered_destroy(world->ordered);
    throng_columns_destroy(&world->agents);
    throng_walls_destroy(world->walls);
    throng_place_destroy(world->place);
    throng_report_destroy(world->report);
    throng_changes_clear(&world->changes);
    throng_world_clear_marks(world);
    throng_things_clear(&world->things);
    throng_between_clear(&world->between);
    void *arrays[] = {world->teams,    world->habits,        world->profiles,      world->goals,
                      world->journeys, world->journey_goals, world->journey_table, world->overlaps,
                      world->walkers,  world->loads.wall,    world->wishes.wishes, world->wanted};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) throng_release(arrays[i]);
    throng_release(world);
}

void throng_world_notice(throng_world *world, throng_severity severity, const char *format, ...) {
    char text[400];
    THRONG_FORMAT(text, format);
    throng_report_add(world->report, severity, 0, 0, "", "%s", text);
}

const throng_report *throng_world_report(const throng_world *world) { return world->report; }
const throng_error *throng_world_error(const throng_world *world) { return &world->error; }
double throng_world_dt(const throng_world *world) { return world->dt; }
double throng_world_time_of(const throng_world *world, uint64_t step) {
    return world->clock_base + (double)(step - world->clock_since) * world->dt;
}
double throng_world_time(const throng_world *world) { return throng_world_time_of(world, world->step); }
throng_period throng_world_period(const throng_world *world) { return world->period; }
uint64_t throng_world_seed(const throng_world *world) { return world->seed; }
int throng_world_threads(const throng_world *world) { return throng_crew_size(world->crew); }
const throng_place *throng_world_place(const throng_world *world) { return world->place; }
uint64_t throng_world_place_version(const throng_world *world) { return world->changes.place_version; }
const char *throng_world_planner(const throng_world *world) { return throng_route_planner(world->route); }
throng_stats throng_world_stats(const throng_world *world) { return world->stats; }

/* --- profiles */

throng_profile throng_world_add_profile(throng_world *world, const char *model, const throng_setting *settings,
                                        size_t count) {
    const throng_model *found = find_model(model, &world->error);
    if (!found) return 0;
    if (count && !settings) {
        THRONG_REFUSE(world, "%zu settings were announced, and none given", count);
        return 0;
    }
    void *params = throng_allocate(throng_profile_size(found));
    if (!throng_profile_fill(found, params, settings, count, &world->error) ||
        !throng_weight_maps_known(world, found, params)) {
        throng_release(params);
        return 0;
    }
    if (throng_model_no_pace(found) &&
        *throng_profile_value(found, params, throng_profile_find(found, "pace", NULL)) > 0) {
        THRONG_REFUSE(world, "people of model %s %s, so they take no pace", found->name, throng_model_no_pace(found));
        throng_release(params);
        return 0;
    }
    THRONG_GROW(world->profiles, world->profile_capacity, world->profile_count + 1);
    world->profiles[world->profile_count++] = (throng_profile_entry){.model = found, .params = params};
    world->changed = true;
    return (throng_profile)(world->profile_count - 1);
}

size_t throng_world_profile_count(const throng_world *world) { return world->profile_count; }

const throng_model *throng_world_profile_model(const throng_world *world, throng_profile profile) {
    return profile < world->profile_count ? world->profiles[profile].model : NULL;
}

double throng_world_profile_value(const throng_world *world, throng_profile profile, const char *name) {
    if (profile >= world->profile_count) return NAN;
    const throng_profile_entry *entry = &world->profiles[profile];
    size_t index = throng_profile_find(entry->model, name, NULL);
    return index == SIZE_MAX ? NAN : *throng_profile_value(entry->model, entry->params, index);
}

/* --- groups */

throng_group throng_world_add_group(throng_world *world, const char *name) {
    return (throng_group)throng_names_add(&world->groups, name ? name : "");
}

size_t throng_world_group_count(const throng_world *world) { return world->groups.count; }

const char *throng_world_group_name(const throng_world *world, throng_group group) {
    return group < world->groups.count ? world->groups.names[group] : "";
}

/* --- goals */

static bool check_goal_ring(throng_world *world, const throng_goal_def *def) {
    throng_fault fault;
    if (throng_ring_is_simple(def->ring.points, def->ring.count, &fault)) return true;
    return THRONG_REFUSE(world, "goal '%s': %s", def->name, fault.text);
}

static bool check_goal_any(throng_world *world, const throng_goal_def *def) {
    if (def->any_count < 1 || !def->any) return THRONG_REFUSE(world, "goal '%s' has no members", def->name);
    for (size_t i = 0; i < def->any_count; i++) {
        throng_goal member = def->any[i];
        throng_goal_kind kind = member && member < world->goal_count ? world->goals[member].def.kind : THRONG_GOAL_ANY;
        if (kind != THRONG_GOAL_AREA && kind != THRONG_GOAL_POINT)
            return THRONG_REFUSE(world, "goal '%s': its members must be areas or points", def->name);
    }
    return true;
}

static bool has_wait(const throng_goal_def *def) { return def->wait > 0 || def->drawn_wait.draw; }

static bool check_goal_wait(throng_world *world, const throng_goal_def *def) {
    throng_error *error = &world->error;
    if (!(def->wait >= 0 && def->wait <= 1e9))
        return throng_refuse(error, 0, 0, "goal '%s': the wait must be 0 to 10^9 s, not %g", def->name, def->wait);
    bool never = def->kind == THRONG_GOAL_DIRECTION || def->kind == THRONG_GOAL_ANY;
    if (never && has_wait(def))
        return throng_refuse(
            error, 0, 0, "goal '%s': nobody waits in a direction; of several goals each has its own wait", def->name);
    if (def->queue.count && !def->queue.points)
        return throng_refuse(error, 0, 0, "goal '%s': its queue has no points", def->name);
    bool line = def->kind == THRONG_GOAL_POINT || def->kind == THRONG_GOAL_AREA;
    if ((def->capacity || def->queue.count) && !(line && has_wait(def)))
        return throng_refuse(error, 0, 0, "goal '%s': capacity and queue are for points and areas with a wait",
                             def->name);
    for (size_t i = 0; i < def->queue.count; i++) {
        if (!throng_point_fits(def->queue.points[i]))
            return throng_refuse(error, 0, 0, "goal '%s': its queue must be within 100000 km of the origin", def->name);
    }
    return true;
}

static bool check_goal(throng_world *world, const throng_goal_def *def) {
    if ((unsigned)def->kind > THRONG_GOAL_ANY)
        return THRONG_REFUSE(world, "goal '%s': there is no such kind of goal", def->name);
    if (!check_goal_wait(world, def)) return false;
    bool has_ring = def->kind == THRONG_GOAL_AREA || def->kind == THRONG_GOAL_ROAM;
    if (has_ring && !check_goal_ring(world, def)) return false;
    if (def->kind == THRONG_GOAL_ANY) return check_goal_any(world, def);
    bool has_radius = def->kind != THRONG_GOAL_AREA && def->kind != THRONG_GOAL_DIRECTION;
    if (has_radius && !(def->radius > 0 && def->radius <= THRONG_FARTHEST))
        return THRONG_REFUSE(world, "goal '%s': the radius must be positive, not %g", def->name, def->radius);
    if (!throng_point_fits(def->point))
        return THRONG_REFUSE(world, "goal '%s': the point must be within 100000 km of the origin", def->name);
    if (def->kind == THRONG_GOAL_DIRECTION && def->point.x == 0 && def->point.y == 0)
        return THRONG_REFUSE(world, "goal '%s': a direction must not be (0, 0)", def->name);
    return true;
}

throng_goal throng_world_add_goal(throng_world *world, const throng_goal_def *given) {
    if (!given) {
        THRONG_REFUSE(world, "a goal needs a definition");
        return 0;
    }
    throng_goal_def def = *given;
    if (!def.name) def.name = "";
    if (!check_goal(world, &def)) {
        destroy_drawing(&def.drawn_wait);
        return 0;
    }

    throng_goal_entry entry = {.def = def, .bounds = {def.point, def.point}};
    entry.def.name = throng_copy_text(def.name);
    entry.def.ring.points = throng_copy_bytes(def.ring.points, def.ring.count * sizeof *def.ring.points);
    entry.def.any = throng_copy_bytes(def.any, def.any_count * sizeof *def.any);
    entry.def.queue.points = throng_copy_bytes(def.queue.points, def.queue.count * sizeof *def.queue.points);
    entry.waits = has_wait(&def);
    for (size_t i = 0; i < def.any_count; i++) {
        entry.any_queues = entry.any_queues || world->goals[def.any[i]].queue > 0;
    }
    if (def.ring.count) entry.bounds = throng_box_of(def.ring.points, def.ring.count);
    if (def.kind == THRONG_GOAL_DIRECTION) {
        /* Scaled first, so that any length will do. */
        double scale = fmax(fabs(def.point.x), fabs(def.point.y));
        double x = def.point.x / scale, y = def.point.y / scale, length = sqrt(x * x + y * y);
        entry.def.point = (throng_point){x / length, y / length};
    }

    THRONG_GROW(world->goals, world->goal_capacity, world->goal_count + 1);
    throng_goal goal = (throng_goal)world->goal_count++;
    world->goals[goal] = entry;
    world->waiting_goal_count += entry.waits;
    throng_queues_add(world, goal);
    return goal;
}

size_t throng_world_goal_count(const throng_world *world) { return world->goal_count - 1; }

throng_goal_def throng_world_goal(const throng_world *world, throng_goal goal) {
    return goal < world->goal_count ? world->goals[goal].def : (throng_goal_def){0};
}
