/* serve.c: who is called up from a line, and when; who is stuck on the way, and what helps. */

#include <math.h>

#include "world/world.h"

static const double served_reach = 0.3; /* m from one's slot, besides the goal's own radius */
static const double stand_clear = 0.1;  /* m between who leaves a slot and who is called to it */
static const double clear_after = 1.5;  /* s, after which the next one is called in any case */
static const double served_from = 1.5;  /* m from one's slot, for who can come no nearer */
static const double stuck_speed = 0.2;  /* m/s: who is slower and not where it should be is stuck */
static const double stuck_away = 0.3;   /* m from one's spot */
static const double stuck_s = 5.0;      /* s, after which numbers are changed */

static size_t row_of(const throng_world *world, throng_agent id) { return throng_columns_row(&world->agents, id); }

/* --- slots */

void throng_queue_free_slots(const throng_world *world, throng_queue *queue) {
    const throng_columns *a = &world->agents;
    double time = throng_world_time(world);
    bool area = world->goals[queue->goal].def.kind == THRONG_GOAL_AREA;
    for (size_t i = 0; i < queue->slot_count; i++) {
        throng_queue_slot *slot = &queue->slots[i];
        if (!slot->holder || slot->left < 0) continue;
        size_t row = row_of(world, slot->holder);
        bool clear = area || row == SIZE_MAX || time - slot->left >= clear_after;
        if (!clear) {
            double dx = a->x[row] - slot->at.x, dy = a->y[row] - slot->at.y;
            double apart = a->radius[row] + queue->radius + stand_clear;
            clear = dx * dx + dy * dy >= apart * apart;
        }
        if (clear) *slot = (throng_queue_slot){.at = slot->at, .left = -1};
    }
}

static size_t free_slot(const throng_world *world, throng_queue *queue) {
    for (size_t i = 0; i < queue->slot_count; i++) {
        if (!queue->slots[i].holder) return i;
    }
    if (queue->slot_count >= queue->capacity) return SIZE_MAX;
    throng_line_add_slot(world, queue);
    return queue->slot_count - 1;
}

static void call_up(throng_world *world, throng_queue *queue) {
    if (world->goals[queue->goal].closed) return;
    for (size_t i = 0; i < queue->member_count; i++) {
        throng_queue_member *member = &queue->members[i];
        if (member->slot) continue;
        size_t slot = free_slot(world, queue);
        if (slot == SIZE_MAX) return;
        member->slot = slot + 1;
        queue->slots[slot].holder = member->id;
        queue->slots[slot].left = -1;
        size_t row = row_of(world, member->id);
        if (world->goals[queue->goal].def.kind == THRONG_GOAL_AREA) throng_world_draw_spot(world, row);
    }
}

static bool is_served(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    throng_walker walker = throng_world_walker(world, row);
    if (throng_goal_reached(world->route, world->goals, &walker)) return true;
    return throng_queue_is_near(world, row, (throng_point){a->spot_x[row], a->spot_y[row]}, served_reach);
}

static void begin_service(throng_world *world, const throng_queue *queue, size_t row) {
    throng_columns *a = &world->agents;
    a->state[row] = THRONG_PAUSING;
    a->pause_until[row] = throng_world_time(world) + throng_goal_wait(world, queue->goal, a->id[row]);
    throng_world_note_reached(world, row, queue->goal);
}

/* Everybody to the spot of its place in the line, or to its slot. */
static void direct(throng_world *world, throng_queue *queue) {
    throng_columns *a = &world->agents;
    bool area = world->goals[queue->goal].def.kind == THRONG_GOAL_AREA;
    size_t waiting = 0;
    for (size_t i = 0; i < queue->member_count; i++) {
        const throng_queue_member *member = &queue->members[i];
        size_t row = row_of(world, member->id);
        if (!member->slot) {
            throng_line_extend(world, queue, ++waiting, (throng_point){a->x[row], a->y[row]});
            a->spot_x[row] = queue->spots[waiting - 1].x;
            a->spot_y[row] = queue->spots[waiting - 1].y;
            continue;
        }
        throng_point slot = queue->slots[member->slot - 1].at;
        if (!area) {
            a->spot_x[row] = slot.x;
            a->spot_y[row] = slot.y;
        }
        if (a->state[row] == THRONG_QUEUEING && is_served(world, row)) begin_service(world, queue, row);
    }
}

/* --- getting unstuck */

static double apart2(const throng_world *world, size_t row, size_t spot) {
    const throng_columns *a = &world->agents;
    double dx = a->x[row] - a->spot_x[spot], dy = a->y[row] - a->spot_y[spot];
    return dx * dx + dy * dy;
}

/* The member with whom changing places brings both nearest to where they then should be, by the squares
 * of their ways; SIZE_MAX: nobody. */
static size_t find_partner(const throng_world *world, const throng_queue *queue, size_t index) {
    const throng_columns *a = &world->agents;
    size_t row = row_of(world, queue->members[index].id), found = SIZE_MAX;
    double best = stuck_away * stuck_away;
    for (size_t i = 0; i < queue->member_count; i++) {
        size_t other = row_of(world, queue->members[i].id);
        if (i == index || a->state[other] != THRONG_QUEUEING) continue;
        double now = apart2(world, row, row) + apart2(world, other, other);
        double then = apart2(world, row, other) + apart2(world, other, row);
        if (now - then <= best) continue;
        best = now - then;
        found = i;
    }
    return found;
}

static void change_places(throng_world *world, throng_queue *queue, size_t one, size_t two) {
    throng_columns *a = &world->agents;
    throng_queue_member *m = &queue->members[one], *n = &queue->members[two];
    size_t row = row_of(world, m->id), other = row_of(world, n->id);
    throng_agent id = m->id;
    m->id = n->id;
    n->id = id;
    m->stuck = n->stuck = 0;
    if (m->slot) queue->slots[m->slot - 1].holder = m->id;
    if (n->slot) queue->slots[n->slot - 1].holder = n->id;
    throng_point spot = {a->spot_x[row], a->spot_y[row]};
    a->spot_x[row] = a->spot_x[other];
    a->spot_y[row] = a->spot_y[other];
    a->spot_x[other] = spot.x;
    a->spot_y[other] = spot.y;
}

static void help_stuck(throng_world *world, throng_queue *queue) {
    const throng_columns *a = &world->agents;
    for (size_t i = 0; i < queue->member_count; i++) {
        throng_queue_member *member = &queue->members[i];
        size_t row = row_of(world, member->id);
        double speed2 = a->vx[row] * a->vx[row] + a->vy[row] * a->vy[row];
        bool stuck = a->state[row] == THRONG_QUEUEING && speed2 < stuck_speed * stuck_speed &&
                     apart2(world, row, row) > stuck_away * stuck_away;
        member->stuck = stuck ? member->stuck + world->dt : 0;
        if (member->stuck < stuck_s) continue;
        size_t partner = find_partner(world, queue, i);
        member->stuck = 0;
        if (partner != SIZE_MAX) {
            change_places(world, queue, i, partner);
        } else if (member->slot && apart2(world, row, row) < served_from * served_from) {
            begin_service(world, queue, row); /* it comes no nearer */
        }
    }
}

void throng_queue_serve(throng_world *world, throng_queue *queue) {
    call_up(world, queue);
    direct(world, queue);
    help_stuck(world, queue);
}
