/* watch.c: what happens in a step, noted for who asks: goals reached, zones entered, impulses, people stuck. Only read
 * from the world; nothing here decides anything, and it is no part of a checkpoint. */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/box.h"
#include "world/world.h"

static const double stuck_reach = 0.3, stuck_after = 5; /* m, s: as throng_happening_kind says */

void throng_world_watch(throng_world *world, int kinds) {
    world->watch.kinds = kinds;
    world->watch.standing_count = 0;
}

const throng_happening *throng_world_happenings(const throng_world *world, size_t *count) {
    *count = world->watch.count;
    return world->watch.happenings;
}

void throng_watch_clear(throng_watch *watch) { THRONG_RELEASE(watch->happenings, watch->standing, watch->before); }

static int by_agent(const void *a, const void *b) {
    const throng_happening *one = a, *other = b;
    if (one->agent != other->agent) return one->agent < other->agent ? -1 : 1;
    if (one->kind != other->kind) return one->kind < other->kind ? -1 : 1;
    return (one->mark > other->mark) - (one->mark < other->mark);
}

void throng_watch_sort(throng_watch *watch) {
    if (watch->count > 1) qsort(watch->happenings, watch->count, sizeof *watch->happenings, by_agent);
}

static throng_happening *note(throng_world *world, throng_happening_kind kind, size_t row) {
    throng_watch *w = &world->watch;
    const throng_columns *a = &world->agents;
    THRONG_GROW(w->happenings, w->capacity, w->count + 1);
    w->happenings[w->count] = (throng_happening){.kind = kind, .agent = a->id[row], .at = {a->x[row], a->y[row]}};
    return &w->happenings[w->count++];
}

void throng_world_note_reached(throng_world *world, size_t row, throng_goal goal) {
    const throng_columns *a = &world->agents;
    if (!(world->watch.kinds & THRONG_REACHED)) return;
    const throng_journey *journey = &world->journeys[a->journey[row]];
    const throng_goal_def *def = &world->goals[goal].def;
    throng_happening *happening = note(world, THRONG_REACHED, row);
    happening->goal = goal;
    bool roams_on = def->kind == THRONG_GOAL_ROAM && def->repeat;
    happening->last = !roams_on && !journey->repeat && a->stage[row] + 1 >= journey->count;
}

void throng_world_note_struck(throng_world *world) {
    const throng_columns *a = &world->agents;
    if (!world->hit || !(world->watch.kinds & THRONG_STRUCK)) return;
    for (size_t i = 0; i < a->count; i++) {
        throng_point impulse = {a->impulse_x[i], a->impulse_y[i]};
        if (impulse.x != 0 || impulse.y != 0) note(world, THRONG_STRUCK, i)->impulse = throng_length(impulse);
    }
}

/* Who was outside a polygon before the step and is in it now. */
static void note_entered(throng_world *world, size_t mark, throng_ring ring) {
    const throng_columns *a = &world->agents;
    throng_box box = throng_box_of(ring.points, ring.count);
    for (size_t i = 0; i < a->count; i++) {
        throng_point now = throng_period_wrap(&world->period, (throng_point){a->x[i], a->y[i]});
        if (now.x < box.low.x || now.x > box.high.x || now.y < box.low.y || now.y > box.high.y) continue;
        throng_point was = {a->next_x[i], a->next_y[i]}; /* where the old positions are by now */
        if (throng_ring_contains(ring, now.x, now.y) && !throng_ring_contains(ring, was.x, was.y))
            note(world, THRONG_ENTERED, i)->mark = mark;
    }
}

/* What is known of where somebody stands: taken over, or new when it has got on or is not on its way. */
static throng_standing stand(const throng_world *world, size_t row, const throng_standing *known) {
    const throng_columns *a = &world->agents;
    throng_point at = {a->x[row], a->y[row]};
    bool walks = a->state[row] == THRONG_WALKING && a->goal[row] && a->desired_speed[row] > 0;
    if (known && walks) {
        throng_point moved = throng_period_apart(&world->period, at.x - known->at.x, at.y - known->at.y);
        if (throng_length(moved) <= stuck_reach) return *known;
    }
    return (throng_standing){a->id[row], at, throng_world_time(world), false};
}

/* Both lists are in order of id. */
static void note_stuck(throng_world *world) {
    const throng_columns *a = &world->agents;
    throng_watch *w = &world->watch;
    THRONG_GROW(w->before, w->before_capacity, a->count);
    size_t old = 0;
    for (size_t k = 0; k < a->count; k++) {
        size_t row = a->by_id[k];
        while (old < w->standing_count && w->standing[old].agent < a->id[row]) old++;
        bool known = old < w->standing_count && w->standing[old].agent == a->id[row];
        throng_standing now = stand(world, row, known ? &w->standing[old] : NULL);
        if (!now.told && throng_world_time(world) - now.since >= stuck_after - 1e-9) {
            now.told = true;
            note(world, THRONG_STUCK, row);
        }
        w->before[k] = now;
    }
    throng_standing *swap = w->standing;
    size_t capacity = w->standing_capacity;
    w->standing = w->before, w->standing_capacity = w->before_capacity, w->standing_count = a->count;
    w->before = swap, w->before_capacity = capacity;
}

void throng_world_note_moves(throng_world *world) {
    if (world->watch.kinds & THRONG_STUCK) note_stuck(world);
    for (size_t m = 0; m < throng_world_mark_count(world) && world->watch.kinds & THRONG_ENTERED; m++) {
        throng_mark mark = throng_world_mark(world, m);
        bool area = mark.kind == THRONG_MARK_ZONE || mark.kind == THRONG_MARK_AREA;
        if (area && mark.ring.count >= 3) note_entered(world, m, mark.ring);
    }
}
