/* queues.c: who stands in which line, who is served, and for how long. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "world/world.h"

enum { MEAN_DRAWS = 256 };

static const double join_reach = 1.5; /* m between surfaces: who comes that near to a line joins */
static const double join_crowd = 0.4; /* m more around the goal, times the root of those who wait there */
static const double worth_it = 0.9;   /* of the time now promised, to choose another of several goals */

/* --- how long */

double throng_goal_wait(const throng_world *world, throng_goal goal, throng_agent who) {
    const throng_goal_def *def = &world->goals[goal].def;
    if (!def->drawn_wait.draw) return def->wait;
    double wait = def->drawn_wait.draw(def->drawn_wait.context, world->seed, who, world->step);
    return wait > 0 && wait <= 1e9 ? wait : 0;
}

static double mean_wait(const throng_world *world, throng_goal goal) {
    if (!world->goals[goal].def.drawn_wait.draw) return world->goals[goal].def.wait;
    double sum = 0;
    for (throng_agent who = 1; who <= MEAN_DRAWS; who++) sum += throng_goal_wait(world, goal, who);
    return sum / MEAN_DRAWS;
}

void throng_queues_add(throng_world *world, throng_goal goal) {
    throng_goal_entry *entry = &world->goals[goal];
    uint32_t capacity = entry->def.capacity;
    if (capacity == 0) capacity = entry->def.kind == THRONG_GOAL_POINT ? 1 : THRONG_UNLIMITED;
    bool place = entry->def.kind == THRONG_GOAL_POINT || entry->def.kind == THRONG_GOAL_AREA;
    bool limited = entry->def.kind == THRONG_GOAL_POINT || capacity < THRONG_UNLIMITED;
    if (!entry->waits || !place || !limited) return;
    THRONG_GROW(world->queues, world->queue_capacity, world->queue_count + 1);
    world->queues[world->queue_count++] =
        (throng_queue){.goal = goal, .capacity = capacity, .mean_wait = mean_wait(world, goal)};
    entry->queue = (uint32_t)world->queue_count;
}

/* --- joining and leaving */

static size_t row_of(const throng_world *world, throng_agent id) { return throng_columns_row(&world->agents, id); }

/* Its slot stays its own until it is out of the way. */
static void drop_member(const throng_world *world, throng_queue *queue, size_t index) {
    throng_queue_member gone = queue->members[index];
    if (gone.slot) queue->slots[gone.slot - 1].left = throng_world_time(world);
    size_t after = --queue->member_count - index;
    memmove(queue->members + index, queue->members + index + 1, after * sizeof *queue->members);
}

/* Those who left the world, were sent elsewhere, or may choose another goal because this one closed. */
static void drop_gone(throng_world *world, throng_queue *queue) {
    throng_columns *a = &world->agents;
    bool closed = world->goals[queue->goal].closed;
    for (size_t i = queue->member_count; i-- > 0;) {
        size_t row = row_of(world, queue->members[i].id);
        bool gone = row == SIZE_MAX || a->queue[row] != queue->goal;
        if (!gone && closed && a->state[row] == THRONG_QUEUEING) {
            throng_goal meant = throng_world_meant_goal(world, row);
            gone = world->goals[meant].any_queues;
            if (gone) {
                a->queue[row] = 0;
                a->state[row] = THRONG_WALKING;
                a->goal[row] = meant;
            }
        }
        if (gone) drop_member(world, queue, i);
    }
}

void throng_queues_release(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    if (!a->queue[row]) return;
    throng_queue *queue = &world->queues[world->goals[a->queue[row]].queue - 1];
    a->queue[row] = 0;
    for (size_t i = 0; i < queue->member_count; i++) {
        if (queue->members[i].id != a->id[row]) continue;
        drop_member(world, queue, i);
        return;
    }
}

bool throng_queue_is_near(const throng_world *world, size_t row, throng_point to, double reach) {
    const throng_columns *a = &world->agents;
    double dx = a->x[row] - to.x, dy = a->y[row] - to.y;
    if (dx * dx + dy * dy > reach * reach) return false;
    throng_point at = {a->x[row], a->y[row]};
    return (dx == 0 && dy == 0) || !throng_walls_block(world->walls, at, to, 0);
}

static bool is_at_line(const throng_world *world, const throng_queue *queue, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_goal_def *def = &world->goals[queue->goal].def;
    double reach = join_reach + a->radius[row], x = a->x[row], y = a->y[row];
    bool area = def->kind == THRONG_GOAL_AREA;
    throng_point goal = area ? throng_ring_nearest(def->ring, x, y) : def->point;
    double around = reach + join_crowd * sqrt((double)queue->waiting);
    if (throng_queue_is_near(world, row, goal, area ? around : fmax(around, def->radius))) return true;
    throng_box box = queue->bounds;
    if (x < box.low.x - reach || x > box.high.x + reach || y < box.low.y - reach || y > box.high.y + reach)
        return false;
    for (size_t i = 0; i < queue->waiting && i < queue->spot_count; i++) {
        if (throng_queue_is_near(world, row, queue->spots[i], reach)) return true;
    }
    return false;
}

static void join(throng_world *world, throng_queue *queue, size_t row) {
    throng_columns *a = &world->agents;
    throng_point at = {a->x[row], a->y[row]};
    if (!queue->laid) {
        queue->radius = a->radius[row];
        throng_line_lay(world, queue, at);
    }
    queue->radius = fmax(queue->radius, a->radius[row]);
    THRONG_GROW(queue->members, queue->member_capacity, queue->member_count + 1);
    queue->members[queue->member_count++] = (throng_queue_member){.id = a->id[row]};
    queue->waiting++;
    a->queue[row] = queue->goal;
    a->state[row] = THRONG_QUEUEING;
    a->spot_x[row] = at.x;
    a->spot_y[row] = at.y;
}

/* --- one of several goals */

/* How long it would take to be served there, s. */
static double promised(throng_world *world, size_t row, throng_goal goal) {
    const throng_columns *a = &world->agents;
    const throng_goal_entry *entry = &world->goals[goal];
    throng_walker walker = throng_world_walker(world, row);
    walker.goal = goal;
    walker.trail = NULL;
    throng_way way = throng_route_way(world->route, world->goals, &walker);
    if (way.unknown) {
        throng_route_prepare(world->route, world->goals, &walker, 1);
        way = throng_route_way(world->route, world->goals, &walker);
    }
    double time = way.distance / fmax(a->desired_speed[row], 1e-3);
    if (!entry->queue) return time;
    const throng_queue *queue = &world->queues[entry->queue - 1];
    return time + (double)queue->member_count * queue->mean_wait / queue->capacity;
}

static void choose(throng_world *world, size_t row, throng_goal several) {
    throng_columns *a = &world->agents;
    const throng_goal_def *def = &world->goals[several].def;
    double best = INFINITY;
    throng_goal chosen = several;
    if (a->goal[row] != several && !world->goals[a->goal[row]].closed) {
        chosen = a->goal[row];
        best = worth_it * promised(world, row, chosen);
    }
    for (size_t i = 0; i < def->any_count; i++) {
        if (world->goals[def->any[i]].closed || def->any[i] == a->goal[row]) continue;
        double time = promised(world, row, def->any[i]);
        if (time >= best) continue;
        best = time;
        chosen = def->any[i];
    }
    if (chosen == a->goal[row]) return;
    a->goal[row] = chosen;
    a->trail[row] = (throng_trail){0};
}

/* Looks again about once a second, not everybody in the same step. */
static void choose_among_several(throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    throng_goal meant = throng_world_meant_goal(world, row);
    if (!world->goals[meant].any_queues) return;
    uint64_t period = world->dt < 1 ? (uint64_t)(1 / world->dt) : 1;
    bool due = (world->step + a->id[row]) % period == 0;
    if (due || a->goal[row] == meant || world->goals[a->goal[row]].closed) choose(world, row, meant);
}

static void measure(throng_queue *queue) {
    queue->bounds = throng_box_of(queue->spots, queue->spot_count);
    queue->bounds = throng_box_with(queue->bounds, queue->anchor.x, queue->anchor.y);
    queue->waiting = 0;
    for (size_t i = 0; i < queue->member_count; i++) queue->waiting += queue->members[i].slot == 0;
}

void throng_queues_update(throng_world *world) {
    const throng_columns *a = &world->agents;
    for (size_t i = 0; i < world->queue_count; i++) {
        drop_gone(world, &world->queues[i]);
        throng_queue_free_slots(world, &world->queues[i]);
        measure(&world->queues[i]);
    }
    for (size_t row = 0; row < a->count; row++) {
        if (a->state[row] != THRONG_WALKING) continue;
        choose_among_several(world, row);
        uint32_t number = world->goals[a->goal[row]].queue;
        if (number && is_at_line(world, &world->queues[number - 1], row)) join(world, &world->queues[number - 1], row);
    }
    for (size_t i = 0; i < world->queue_count; i++) {
        throng_queue *queue = &world->queues[i];
        throng_queue_serve(world, queue);
        /* The next line may run elsewhere. */
        bool empty = queue->member_count == 0;
        for (size_t k = 0; k < queue->slot_count; k++) empty = empty && !queue->slots[k].holder;
        if (empty) queue->laid = queue->slot_count = queue->spot_count = 0;
    }
}

/* --- the whole */

void throng_queues_destroy(throng_world *world) {
    for (size_t i = 0; i < world->queue_count; i++) {
        THRONG_RELEASE(world->queues[i].members, world->queues[i].slots, world->queues[i].spots);
    }
    throng_release(world->queues);
}

static void archive_queue(throng_queue *queue, throng_archive *archive) {
    THRONG_ARCHIVE(archive, queue->laid);
    THRONG_ARCHIVE(archive, queue->anchor);
    THRONG_ARCHIVE(archive, queue->along);
    THRONG_ARCHIVE(archive, queue->radius);
    THRONG_ARCHIVE_LIST(archive, queue->members, queue->member_count, queue->member_capacity);
    THRONG_ARCHIVE_LIST(archive, queue->slots, queue->slot_count, queue->slot_capacity);
    THRONG_ARCHIVE_LIST(archive, queue->spots, queue->spot_count, queue->spot_capacity);
    bool good = queue->slot_count <= queue->capacity && throng_point_fits(queue->anchor) && queue->radius >= 0 &&
                queue->radius <= THRONG_RADIUS_MOST && fabs(queue->along.x) <= 1.1 && fabs(queue->along.y) <= 1.1;
    for (size_t i = 0; i < queue->slot_count; i++) good = good && throng_point_fits(queue->slots[i].at);
    for (size_t i = 0; i < queue->spot_count; i++) good = good && throng_point_fits(queue->spots[i]);
    for (size_t i = 0; i < queue->member_count; i++) good = good && queue->members[i].slot <= queue->slot_count;
    if (!good) throng_archive_spoil(archive, "a queue cannot be so");
}

void throng_queues_archive(throng_world *world, throng_archive *archive) {
    throng_archive_mark(archive, "queues");
    uint64_t count = world->queue_count;
    THRONG_ARCHIVE(archive, count);
    if (count != world->queue_count) throng_archive_spoil(archive, "it has other queues");
    for (size_t i = 0; i < world->queue_count && !archive->bad; i++) archive_queue(&world->queues[i], archive);
    for (size_t row = 0; row < world->agents.count && archive->reading; row++) {
        throng_goal goal = world->agents.queue[row];
        if (goal && (goal >= world->goal_count || !world->goals[goal].queue)) {
            throng_archive_spoil(archive, "somebody stands in a line that is not there");
        }
    }
}
