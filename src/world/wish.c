/* wish.c: the habits at work in a world, and the phase in which people make wishes (desired velocities) of their ways.
 */

#include "base/memory.h"
#include "world/world.h"

throng_kept *throng_world_kept(const throng_world *world, size_t index) {
    if (index < world->team_count) return &world->teams[index].kept;
    index -= world->team_count;
    return index < world->habit_count ? &world->habits[index].kept : NULL;
}

static void prepare_habit(throng_world *world, size_t index) {
    throng_habit_entry *entry = &world->habits[index];
    entry->params = throng_reallocate(entry->params, (world->profile_count + 1) * sizeof *entry->params);
    entry->params[world->profile_count] = NULL; /* of guests */
    entry->on = false;
    for (size_t p = 0; p < world->profile_count; p++) {
        const void *params = throng_profile_habit(world->profiles[p].model, world->profiles[p].params, index);
        bool on = !entry->habit->is_on || entry->habit->is_on(params);
        if (entry->habit == &throng_habit_pace && throng_model_no_pace(world->profiles[p].model)) on = false;
        entry->params[p] = on ? params : NULL;
        entry->on = entry->on || on;
    }
    throng_kept_reserve(&entry->kept, world->agents.capacity);
}

void throng_world_prepare_habits(throng_world *world) {
    if (!world->habits) {
        world->habit_count = throng_habit_count();
        world->habits = throng_allocate(world->habit_count * sizeof *world->habits);
        for (size_t h = 0; h < world->habit_count; h++) {
            const throng_habit *habit = throng_habits[h];
            throng_kept kept = {.columns = habit->columns, .column_count = habit->column_count};
            world->habits[h] = (throng_habit_entry){.habit = habit, .kept = kept};
        }
    }
    for (size_t h = 0; h < world->habit_count; h++) prepare_habit(world, h);
}

bool throng_world_habits_need_grid(const throng_world *world) {
    for (size_t h = 0; h < world->habit_count; h++) {
        if (world->habits[h].on && world->habits[h].habit->needs_grid) return true;
    }
    return false;
}

/* NULL where nobody has the habit. */
static const throng_habit_entry *entry_of(const throng_world *world, const throng_habit *habit) {
    for (size_t h = 0; h < world->habit_count; h++) {
        if (world->habits[h].on && world->habits[h].habit == habit) return &world->habits[h];
    }
    return NULL;
}

const double *throng_world_give(const throng_world *world) {
    const throng_habit_entry *entry = entry_of(world, &throng_habit_stuck);
    return entry ? entry->kept.items[0] : NULL;
}

const void *const *throng_world_pace(const throng_world *world) {
    const throng_habit_entry *entry = entry_of(world, &throng_habit_pace);
    return entry ? entry->params : NULL;
}

/* --- the phase */

static throng_errand errand_of(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_journey *journey = &world->journeys[a->journey[row]];
    throng_errand errand = {.walker = throng_world_walker(world, row),
                            .spot = {a->spot_x[row], a->spot_y[row]},
                            .in_line = a->queue[row] != 0,
                            .ends = a->stage[row] + 1 == journey->count && !journey->repeat,
                            .keeps_apart = throng_world_keeps_apart(world, a->profile[row])};
    if (errand.in_line) {
        const throng_queue *queue = &world->queues[world->goals[a->queue[row]].queue - 1];
        errand.line.spots = queue->spots;
        errand.line.count = queue->spot_count;
        errand.line.spacing = throng_line_spacing(queue);
    }
    return errand;
}

static void go(const throng_world *world, throng_wish_pass pass, throng_wishing *wishing) {
    for (size_t h = 0; h < world->habit_count; h++) {
        const throng_habit_entry *entry = &world->habits[h];
        wishing->params = entry->params;
        wishing->columns = entry->kept.items;
        if (entry->on) throng_habit_go(entry->habit, pass, wishing);
    }
}

/* Who is pressed, or no longer, is as wide as it makes itself from now on. */
static void change_bodies(throng_world *world, const throng_habit_entry *squeeze) {
    const double *next = squeeze->kept.items[1];
    for (size_t row = 0; row < world->agents.count; row++)
        if (next[row] > 0) world->agents.radius[row] = next[row];
    throng_near_update_radii(world->grid, world->agents.radius);
}

void throng_world_wish(throng_world *world) {
    const throng_columns *a = &world->agents;
    const throng_habit_entry *squeeze = entry_of(world, &throng_habit_squeeze);
    const throng_habit_entry *pace = entry_of(world, &throng_habit_pace);
    throng_wishing wishing = {.people = throng_world_raw_view(world),
                              .dt = world->dt,
                              .seed = world->seed,
                              .wish_x = a->wish_x,
                              .wish_y = a->wish_y,
                              .ways = a->way,
                              .route = world->route,
                              .goals = world->goals,
                              .period = &world->period,
                              .near = world->near,
                              .walls = world->walls,
                              .crew = world->crew,
                              .simd = world->simd,
                              .any_closed = throng_world_any_closed(world),
                              .any_waits = world->waiting_goal_count > 0,
                              .any_walls_move = world->changes.movable_count > 0,
                              .body = a->body,
                              .press = squeeze ? squeeze->kept.items[0] : NULL,
                              .hold = pace ? pace->kept.items[0] : NULL,
                              .world = world,
                              .errand = errand_of,
                              .next_coming = throng_world_next_coming};
    throng_world_enter_zones(world);
    if (world->changes.zones.count > 0) {
        wishing.people.desired_speed = a->likes_speed;
        wishing.people.profile = a->acting;
    }
    go(world, THRONG_WISH_MAKE, &wishing);
    throng_world_take_wishes(world); /* from outside: what was made of their ways is forgotten */
    go(world, THRONG_WISH_LOOK, &wishing);
    go(world, THRONG_WISH_CHANGE, &wishing);
    if (squeeze) change_bodies(world, squeeze);
}
