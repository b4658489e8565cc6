/* prepare.c: making a world ready for the next step after something was added. All memory a step
 * needs is allocated here. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "world/world.h"

/* --- teams: one for each model that has a profile, in stepping order */

static throng_team *team_of(throng_world *world, const throng_model *model) {
    for (size_t t = 0; t < world->team_count; t++) {
        if (world->teams[t].model == model) return &world->teams[t];
    }
    size_t at = world->team_count;
    while (at > 0 && throng_model_rank(world->teams[at - 1].model) > throng_model_rank(model)) at--;
    world->teams = throng_reallocate(world->teams, (world->team_count + 1) * sizeof *world->teams);
    memmove(&world->teams[at + 1], &world->teams[at], (world->team_count - at) * sizeof *world->teams);
    world->team_count++;
    world->teams[at] = (throng_team){.model = model,
                                     .state = model->create ? model->create() : NULL,
                                     .kept = {.columns = model->columns, .column_count = model->column_count}};
    return &world->teams[at];
}

static void destroy_team(throng_team *team) {
    throng_kept_clear(&team->kept);
    if (team->model->destroy) team->model->destroy(team->state);
    THRONG_RELEASE(team->params, team->mine);
}

static bool has_profile(const throng_world *world, const throng_model *model) {
    for (size_t p = 0; p < world->profile_count; p++)
        if (world->profiles[p].model == model) return true;
    return false;
}

void throng_world_drop_idle_teams(throng_world *world) {
    size_t left = 0;
    for (size_t t = 0; t < world->team_count; t++) {
        if (has_profile(world, world->teams[t].model))
            world->teams[left++] = world->teams[t];
        else
            destroy_team(&world->teams[t]);
    }
    world->team_count = left;
}

/* What concerns all people of a model alike is that of its first profile, whoever is there. */
static const throng_profile_entry *first_profile(const throng_world *world, const throng_model *model) {
    const throng_profile_entry *first = NULL;
    for (size_t p = world->profile_count; p-- > 0;) {
        const throng_profile_entry *entry = &world->profiles[p];
        if (entry->model == model && (!first || (!entry->derived && !entry->spare))) first = entry;
    }
    return first;
}

/* Tells once which value of a parameter holds where profiles differ in it. */
static void tell_common(const throng_world *world, throng_team *team, const char *name) {
    const throng_model *model = team->model;
    size_t index = throng_profile_find(model, name, NULL);
    double holds = *throng_profile_value(model, (void *)(uintptr_t)team->common, index);
    for (size_t p = 0; p < world->profile_count; p++) {
        const throng_profile_entry *entry = &world->profiles[p];
        if (entry->model != model || entry->derived || entry->spare) continue;
        if (*throng_profile_value(model, entry->params, index) == holds) continue;
        throng_report_add(world->report, THRONG_WARNING, 0, 0, "params",
                          "profiles of model '%s' differ in '%s', which concerns all alike: %g holds, of the first",
                          model->name, name, holds);
        team->told = true;
        return;
    }
}

static bool prepare_team(throng_world *world, throng_team *team) {
    size_t rows = world->agents.capacity;
    if (rows > team->kept.capacity) team->mine = throng_reallocate(team->mine, rows * sizeof *team->mine);
    throng_kept_reserve(&team->kept, rows);

    team->params = throng_reallocate(team->params, (world->profile_count + 1) * sizeof *team->params);
    team->params[world->profile_count] = NULL; /* of guests */
    for (size_t p = 0; p < world->profile_count; p++) {
        team->params[p] = world->profiles[p].model == team->model ? world->profiles[p].params : NULL;
    }
    team->common = first_profile(world, team->model)->params;
    for (const char *const *name = team->model->common; name && *name && !team->told; name++)
        tell_common(world, team, *name);
    if (!team->model->prepare) return true;
    return team->model->prepare(team->state,
                                &(throng_model_setup){.dt = world->dt,
                                                      .common = team->common,
                                                      .agent_capacity = rows,
                                                      .workers = throng_crew_size(world->crew),
                                                      .walls = world->walls,
                                                      .place = world->place,
                                                      .simd = world->simd,
                                                      .params = team->params,
                                                      .profile_count = world->profile_count + 1,
                                                      .report = world->report,
                                                      .maps = world->maps,
                                                      .map_count = world->map_count},
                                &world->refusal);
}

/* How far beyond a seam people have to be seen: as far as any model looks, and far enough to measure
 * overlap. A period shorter than that would let people see themselves. */
static bool prepare_period(throng_world *world) {
    const throng_period *p = &world->period;
    double reach = 0, shortest = INFINITY;
    const throng_model *farthest = NULL;
    if (p->x) shortest = p->high.x - p->low.x;
    if (p->y) shortest = fmin(shortest, p->high.y - p->low.y);
    for (size_t i = 0; i < world->profile_count; i++) {
        const throng_profile_entry *profile = &world->profiles[i];
        double far = profile->model->reach ? profile->model->reach(profile->params) : 0;
        if (far > reach) reach = far, farthest = profile->model;
    }
    world->image_margin = fmin(fmax(reach, fmin(10, shortest / 2)), shortest);
    if (!throng_period_is_on(p) || reach <= shortest) return true;
    return throng_refuse(&world->refusal, 0, 0,
                         "the period of %.4g m must be longer than the %.4g m that people of model '%s' look ahead",
                         shortest, reach, farthest->name);
}

static void prepare_teams(throng_world *world) {
    for (size_t p = 0; p < world->profile_count; p++) team_of(world, world->profiles[p].model);
    throng_world_prepare_habits(world);
    world->refused = !prepare_period(world);
    for (size_t t = 0; t < world->team_count; t++) {
        if (!prepare_team(world, &world->teams[t])) world->refused = true;
    }
}

/* --- ways: of everybody new to their first goal, and of every journey from goal to goal */

static throng_point somewhere_in(const throng_goal_entry *goals, throng_goal goal, throng_point target) {
    const throng_goal_entry *entry = &goals[goal];
    switch (entry->def.kind) {
        case THRONG_GOAL_AREA:
        case THRONG_GOAL_ROAM: {
            throng_point middle = {0.5 * (entry->bounds.low.x + entry->bounds.high.x),
                                   0.5 * (entry->bounds.low.y + entry->bounds.high.y)};
            return throng_ring_nearest(entry->def.ring, middle.x, middle.y);
        }
        case THRONG_GOAL_ANY:
            return somewhere_in(goals, entry->def.any[0], target);
        case THRONG_GOAL_OWN:
            return target;
        default:
            return entry->def.point;
    }
}

/* Whether no way leads a walker to its goal; the point of one who roams is not drawn yet. */
static bool is_lost(throng_world *world, const throng_walker *walker) {
    throng_walker asking = *walker;
    asking.trail = NULL;
    if (world->goals[walker->goal].def.kind == THRONG_GOAL_ROAM) return false;
    return throng_route_prepare(world->route, world->goals, &asking, 1) != SIZE_MAX;
}

/* Legs after the first are tried from somewhere in the goal before. */
static throng_goal lost_after(throng_world *world, throng_walker walker, const throng_goal *goals, size_t count) {
    for (size_t s = 1; s < count; s++) {
        walker.at = somewhere_in(world->goals, goals[s - 1], walker.target);
        walker.goal = goals[s];
        if (is_lost(world, &walker)) return walker.goal;
    }
    return 0;
}

throng_goal throng_world_lost_leg(throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_journey *journey = &world->journeys[a->journey[row]];
    size_t stage = a->stage[row];
    if (journey->count == 0) return 0;
    const throng_goal *goals = world->journey_goals + journey->first;
    throng_walker walker = throng_world_walker(world, row);
    throng_goal lost = lost_after(world, walker, goals + stage, journey->count - stage);
    if (lost || !journey->repeat || journey->count < 2) return lost;
    throng_goal again[] = {goals[journey->count - 1], goals[0]};
    return lost_after(world, walker, again, 2);
}

throng_goal throng_world_lost_goal(throng_world *world, const throng_walker *given, const throng_goal *journey,
                                   size_t count) {
    throng_walker walker = *given;
    if (count == 0) return 0;
    walker.goal = journey[0];
    if (is_lost(world, &walker)) return walker.goal;
    return lost_after(world, walker, journey, count);
}

/* Somebody who cannot reach a goal, by row, and that goal. */
typedef struct lost_way {
    size_t row; /* SIZE_MAX: nobody */
    throng_goal goal;
} lost_way;

static lost_way prepare_ways(throng_world *world) {
    throng_columns *a = &world->agents;
    size_t count = 0, first_new = SIZE_MAX;
    lost_way lost = {SIZE_MAX, 0};
    for (size_t i = 0; i < a->count; i++) {
        if (a->routed[i]) continue;
        if (first_new == SIZE_MAX) first_new = i;
        if (a->goal[i]) world->walkers[count++] = throng_world_walker(world, i);
    }
    if (first_new == SIZE_MAX) return lost;

    size_t failed = throng_route_prepare(world->route, world->goals, world->walkers, count);
    uint32_t last_journey = UINT32_MAX;
    for (size_t i = first_new, walker = 0; i < a->count; i++) {
        if (a->routed[i]) continue;
        if (a->goal[i] && walker++ == failed && lost.row == SIZE_MAX) lost = (lost_way){i, a->goal[i]};
        /* Once for each new person's journey. */
        if (a->journey[i] != last_journey && lost.row == SIZE_MAX) {
            throng_goal leg = throng_world_lost_leg(world, i);
            if (leg) lost = (lost_way){i, leg};
        }
        last_journey = a->journey[i];
        a->routed[i] = 1;
    }
    return lost;
}

void throng_world_make_room(throng_world *world) {
    size_t guests = throng_things_rows(&world->things);
    if (guests > 0) throng_columns_reserve(&world->agents, world->agents.count + guests);
    size_t rows = world->agents.capacity;
    if (rows > world->scratch_capacity) {
        world->walkers = throng_reallocate(world->walkers, rows * sizeof *world->walkers);
        world->scratch_capacity = rows;
    }
    if (!world->overlaps) {
        world->overlaps = throng_allocate((size_t)throng_crew_size(world->crew) * sizeof *world->overlaps);
    }
    prepare_teams(world);
    throng_near_reserve(world->grid, rows * throng_near_slots_each(&world->period, world->image_margin));
}

static lost_way make_ready(throng_world *world) {
    bool walls_changed = world->changes.walls_changed;
    world->changes.walls_changed = false;
    if (!world->changed) {
        if (walls_changed) prepare_teams(world);
        return (lost_way){SIZE_MAX, 0};
    }
    throng_world_prepare_zones(world); /* may add profiles */
    world->changed = false;
    throng_world_make_room(world);
    lost_way lost = prepare_ways(world);
    throng_sources_prepare(world);
    return lost;
}

/* The width of somebody matters for the way it is on. */
static throng_lost lost_as_told(throng_goal goal, const throng_walker *walker) {
    return (throng_lost){goal, walker->at, walker->target, goal == walker->goal ? walker->radius : 0};
}

static bool refuse_lost(throng_world *world, const char *who, throng_lost lost, throng_error *error) {
    const char *name = world->goals[lost.goal].def.name, *quote = *name ? "'" : "";
    char why[160];
    throng_world_describe_lost(world, lost, why, sizeof why);
    return throng_refuse(error, 0, 0, "%s: from (%.2f, %.2f) goal %s%s%s cannot be reached: %s", who, lost.at.x,
                         lost.at.y, quote, name, quote, why);
}

void throng_world_tell_cut_off(throng_world *world, const throng_walker *walker, throng_goal goal) {
    throng_goal_entry *entry = &world->goals[goal];
    if (entry->lost_told || entry->def.kind == THRONG_GOAL_ROAM) return;
    entry->lost_told = true;
    char goal_name[120] = "its goal", why[160];
    if (*entry->def.name) snprintf(goal_name, sizeof goal_name, "goal '%.100s'", entry->def.name);
    throng_world_describe_lost(world, lost_as_told(goal, walker), why, sizeof why);
    throng_world_notice(world, THRONG_WARNING, "at %.6g s: somebody at (%.2f, %.2f) is cut off from %s: %s",
                        throng_world_time(world), walker->at.x, walker->at.y, goal_name, why);
}

void throng_world_make_ready(throng_world *world) {
    lost_way lost = make_ready(world);
    if (lost.row == SIZE_MAX) return;
    throng_walker walker = throng_world_walker(world, lost.row);
    throng_world_tell_cut_off(world, &walker, lost.goal);
}

/* Each is told of once. */
static bool tell_lost_source(throng_world *world, throng_error *error) {
    for (size_t i = 0; i < world->source_count; i++) {
        throng_lost lost = world->sources[i].lost;
        bool known = world->sources[i].lost_told;
        world->sources[i].lost_told = true;
        if (!lost.goal || known || world->allow_unreachable) continue;
        char who[120];
        snprintf(who, sizeof who, "source '%.100s'", world->sources[i].def.name);
        return refuse_lost(world, who, lost, error);
    }
    return true;
}

bool throng_world_prepare(throng_world *world, throng_error *error) {
    lost_way lost = make_ready(world);
    if (world->refused) {
        if (error) *error = world->refusal;
        return false;
    }
    throng_world_tell_narrow(world);
    bool may_open = world->allow_unreachable || throng_world_expects_changes(world);
    if (lost.row == SIZE_MAX || may_open) return may_open || tell_lost_source(world, error);
    const throng_columns *a = &world->agents;
    char who[120];
    snprintf(who, sizeof who, "group '%.100s'", world->groups.names[a->group[lost.row]]);
    throng_walker walker = throng_world_walker(world, lost.row);
    return refuse_lost(world, who, lost_as_told(lost.goal, &walker), error);
}
