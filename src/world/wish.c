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
        bool on = entry->habit->is_on(params);
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

void throng_world_wish(throng_world *world) {
    throng_wishing wishing = {.people = throng_world_raw_view(world),
                              .dt = world->dt,
                              .seed = world->seed,
                              .wish_x = world->agents.wish_x,
                              .wish_y = world->agents.wish_y,
                              .near = world->near,
                              .walls = world->walls,
                              .crew = world->crew};
    if (world->changes.zones.count > 0) wishing.people.profile = world->agents.acting;
    void (*const passes[])(const throng_habit *, const throng_wishing *) = {throng_habit_look, throng_habit_change};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t h = 0; h < world->habit_count; h++) {
            const throng_habit_entry *entry = &world->habits[h];
            wishing.params = entry->params;
            wishing.columns = entry->kept.items;
            if (entry->on) passes[pass](entry->habit, &wishing);
        }
    }
}
