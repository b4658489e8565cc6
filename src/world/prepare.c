/* prepare.c: making a world ready for the next step after something was added. All memory a step
 * needs is allocated here. */

#include <string.h>

#include "world/memory.h"
#include "world/report.h"
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
                                     .columns = throng_allocate((model->column_count + 1) * sizeof(void *))};
    return &world->teams[at];
}

static bool prepare_team(throng_world *world, throng_team *team) {
    size_t rows = world->agents.capacity;
    if (rows > team->column_capacity) {
        for (size_t c = 0; c < team->model->column_count; c++) {
            size_t old = team->column_capacity * team->model->columns[c].item_size;
            size_t grown = rows * team->model->columns[c].item_size;
            team->columns[c] = throng_reallocate(team->columns[c], grown);
            memset((char *)team->columns[c] + old, 0, grown - old);
        }
        team->column_capacity = rows;
        team->mine = throng_reallocate(team->mine, rows * sizeof *team->mine);
    }

    team->params = throng_reallocate(team->params, world->profile_count * sizeof *team->params);
    for (size_t p = 0; p < world->profile_count; p++) {
        team->params[p] = world->profiles[p].model == team->model ? world->profiles[p].params : NULL;
    }
    if (!team->model->prepare) return true;
    return team->model->prepare(team->state,
                                &(throng_model_setup){.dt = world->dt,
                                                      .agent_capacity = rows,
                                                      .workers = throng_crew_size(world->crew),
                                                      .walls = world->walls,
                                                      .place = world->place,
                                                      .simd = world->simd,
                                                      .params = team->params,
                                                      .profile_count = world->profile_count},
                                &world->refusal);
}

static void prepare_teams(throng_world *world) {
    for (size_t p = 0; p < world->profile_count; p++) team_of(world, world->profiles[p].model);
    world->refused = false;
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

/* Legs after the first are tried from somewhere in the goal before. */
throng_goal throng_world_lost_leg(throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_journey *journey = &world->journeys[a->journey[row]];
    for (size_t s = a->stage[row] + 1; s < journey->count; s++) {
        const throng_goal *goals = world->journey_goals + journey->first;
        throng_walker walker = throng_world_walker(world, row);
        walker.at = somewhere_in(world->goals, goals[s - 1], walker.target);
        walker.goal = goals[s];
        if (world->goals[walker.goal].def.kind == THRONG_GOAL_ROAM) continue; /* its point is not drawn yet */
        if (throng_route_prepare(world->route, world->goals, &walker, 1) != SIZE_MAX) return walker.goal;
    }
    return 0;
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

static lost_way make_ready(throng_world *world) {
    if (!world->changed) return (lost_way){SIZE_MAX, 0};
    world->changed = false;
    size_t rows = world->agents.capacity;
    if (rows > world->scratch_capacity) {
        world->walkers = throng_reallocate(world->walkers, rows * sizeof *world->walkers);
        world->scratch_capacity = rows;
    }
    if (!world->overlaps) {
        world->overlaps = throng_allocate((size_t)throng_crew_size(world->crew) * sizeof *world->overlaps);
    }
    throng_near_reserve(world->grid, rows);
    prepare_teams(world);
    return prepare_ways(world);
}

void throng_world_make_ready(throng_world *world) { make_ready(world); }

bool throng_world_prepare(throng_world *world, throng_error *error) {
    lost_way lost = make_ready(world);
    if (world->refused) {
        if (error) *error = world->refusal;
        return false;
    }
    if (lost.row == SIZE_MAX || world->allow_unreachable) return true;
    const throng_columns *a = &world->agents;
    const char *goal = world->goals[lost.goal].def.name;
    return throng_refuse(error, 0, 0, "group '%s': no way leads from (%.3g, %.3g) to goal %s%s%s: it cannot be reached",
                         world->groups.names[a->group[lost.row]], a->x[lost.row], a->y[lost.row], *goal ? "'" : "",
                         goal, *goal ? "'" : "");
}
