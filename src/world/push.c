/* push.c: obstacles under way, and people in their way.
 *
 * Models see walls that stand still. When everybody has decided where to be next, each obstacle under
 * way moves on by its share of the step, in slices short enough that nobody is passed over:
 *
 *     people walk straight from now to next      x(t) = x0 + t (x1 - x0)
 *     the obstacle goes straight as well         o(t) = o0 + t d
 *
 * Whoever it would touch is moved out of it, by the shortest way or else ahead of it, where no other
 * wall is in the way and nobody is pressed by more than a little. Where that cannot be, the obstacle
 * stays where it is for the rest of the step. So nobody is ever in a wall or pushed through one. Those
 * whose model keeps them apart are never moved: the obstacle stops before them (apart.c). */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "world/obstacle_gap.h"
#include "world/world.h"

static const double margin = 1e-7;       /* m, kept between the obstacle and those it pushes */
static const double rounding = 1e-9;     /* m */
static const double slice_radii = 0.25;  /* of the smallest radius: the most that anything moves in a slice */
static const double slices_most = 10000; /* in a step; an obstacle faster than that goes on in the next one */
static const double pressed = 0.04;      /* of the sum of radii: how far people may be pushed into each other */
static const double plan_lag = 0.2;      /* m an obstacle may go before ways are planned anew */

/* --- an obstacle on its way through a step */

/* Somebody who may meet it. */
typedef struct person {
    uint32_t row;
    bool strayed;        /* is not where its model wants it to be */
    throng_point wanted; /* m, at the end of the step, by its model */
    throng_point at;     /* m, by now */
    throng_point end;    /* m, at the end of the step if nothing more happens; also in its row's next */
} person;

typedef struct pusher {
    throng_world *world;
    throng_movable *movable;
    throng_point begin;     /* m, its offset at the start of the step */
    throng_point *begun;    /* [movable] m, the same of all of them */
    throng_point share;     /* m, its way in this step */
    double longest_move;    /* m, of anybody in this step */
    person *people, *saved; /* now, and at the start of the slice */
    size_t count, capacity;
    size_t slices;
    throng_point stopped_by; /* m, where the last one stood who could not yield */
} pusher;

static throng_point row_now(const pusher *p, size_t row) {
    return (throng_point){p->world->agents.x[row], p->world->agents.y[row]};
}

static throng_point row_next(const pusher *p, size_t row) {
    return (throng_point){p->world->agents.next_x[row], p->world->agents.next_y[row]};
}

static void put(pusher *p, size_t k, person who) {
    p->people[k] = who;
    p->world->agents.next_x[who.row] = who.end.x;
    p->world->agents.next_y[who.row] = who.end.y;
}

static void add_person(pusher *p, size_t row) {
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->people = throng_reallocate(p->people, p->capacity * sizeof *p->people);
        p->saved = throng_reallocate(p->saved, p->capacity * sizeof *p->saved);
    }
    throng_point next = row_next(p, row);
    p->people[p->count++] = (person){.row = (uint32_t)row, .wanted = next, .at = row_now(p, row), .end = next};
}

/* Everybody whom the obstacle may meet in this step, in order of rows. Who is inside it already walks
 * through walls anyway, and who keeps apart is left alone. */
static void gather(pusher *p) {
    const throng_columns *a = &p->world->agents;
    throng_box box = throng_movable_box(p->movable);
    box = throng_box_join(box, (throng_box){throng_plus(box.low, p->share), throng_plus(box.high, p->share)});
    double smallest = INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        if (!throng_box_is_within(box, row_now(p, i), a->radius[i] + p->longest_move + margin)) continue;
        if (throng_world_keeps_apart(p->world, a->profile[i])) continue;
        if (!p->movable->thin && throng_movable_gap(p->movable, throng_minus(row_now(p, i), p->begin)).distance < 0)
            continue;
        add_person(p, i);
        smallest = fmin(smallest, a->radius[i]);
    }
    double way = throng_length(p->share) + p->longest_move;
    p->slices = p->count > 0 ? (size_t)fmin(ceil(way / (slice_radii * smallest)), slices_most) : 1;
    if (p->slices == 0) p->slices = 1;
}

/* Whether somebody who is in `from` may as well be in `to` as far as other walls are concerned: who was in
 * one already must not get deeper. */
static bool has_room(const pusher *p, throng_point from, throng_point to, double radius) {
    const throng_changes *c = &p->world->changes;
    double had = throng_walls_depth(c->base_walls, from.x, from.y, radius);
    if (throng_walls_depth(c->base_walls, to.x, to.y, radius) < had - rounding) return false;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *other = &c->movables[i];
        if (other == p->movable || !other->present) continue;
        if (!throng_box_is_within(throng_movable_box(other), to, radius)) continue;
        double before = throng_movable_gap(other, throng_minus(from, other->offset)).distance;
        double after = throng_movable_gap(other, throng_minus(to, other->offset)).distance;
        if (after < fmin(before, radius) - rounding) return false;
    }
    return true;
}

/* Whether another wall is in between; over the whole step, in which others may have moved. */
static bool is_wall_between(const pusher *p, throng_point from, throng_point to, bool whole) {
    const throng_changes *c = &p->world->changes;
    if (throng_walls_block(c->base_walls, from, to, 0)) return true;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *other = &c->movables[i];
        if (other == p->movable || !other->present) continue;
        throng_point seen_from = throng_minus(from, whole ? p->begun[i] : other->offset);
        if (throng_movable_crosses(other, seen_from, throng_minus(to, other->offset))) return true;
    }
    return false;
}

static bool walls_allow(const pusher *p, throng_point from, throng_point to, double radius) {
    return has_room(p, from, to, radius) && !is_wall_between(p, from, to, false);
}

/* Whether somebody who then is at `end` at the end of the step presses nobody more than before and
 * more than a little. */
static bool people_allow(const pusher *p, size_t row, throng_point end) {
    const throng_near *near = p->world->near;
    const throng_columns *a = &p->world->agents;
    double reach = a->radius[row] + near->radius_max + 2 * p->longest_move + throng_length(p->share);
    throng_point before = row_next(p, row);
    int32_t left = throng_near_column(near, end.x - reach), right = throng_near_column(near, end.x + reach);
    int32_t top = throng_near_row(near, end.y + reach);
    for (int32_t r = throng_near_row(near, end.y - reach); r <= top; r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            uint32_t j = near->row[k];
            if (j == row || j >= a->count) continue; /* things look after themselves */
            double much = throng_world_keeps_apart(p->world, a->profile[j]) ? 0 : pressed;
            double least = (1 - much) * (a->radius[row] + a->radius[j]);
            double distance = throng_length(throng_minus(end, row_next(p, j)));
            if (distance < least && distance < throng_length(throng_minus(before, row_next(p, j))) - rounding)
                return false;
        }
    }
    return true;
}

/* The shortest way out of the obstacle, whose nearest side may change on the way. */
static bool step_out(const throng_movable *m, throng_point offset, throng_point *at, double radius) {
    for (int tries = 0; tries < 4; tries++) {
        throng_obstacle_gap c = throng_movable_gap(m, throng_minus(*at, offset));
        if (c.distance >= radius) return true;
        *at = throng_plus(*at, throng_times(radius + margin - c.distance, c.away));
    }
    return throng_movable_gap(m, throng_minus(*at, offset)).distance >= radius;
}

/* Out of the obstacle in the direction it goes. */
static bool step_ahead(const pusher *p, throng_point offset, throng_point *at, double radius) {
    double length = throng_length(p->share);
    if (length == 0) return false;
    for (int tries = 0; tries < 32; tries++) {
        double lacks = radius - throng_movable_gap(p->movable, throng_minus(*at, offset)).distance;
        if (lacks <= 0) return true;
        *at = throng_plus(*at, throng_times((lacks + margin) / length, p->share));
    }
    return false;
}

/* Somebody walks on by a slice while the obstacle gets to `offset`. The ways to yield are tried in
 * turn: aside from where it wants to be, aside from where it is, ahead from there. */
static bool yields(pusher *p, size_t k, throng_point offset, size_t slice) {
    person who = p->people[k];
    double radius = p->world->agents.radius[who.row], left = 1 - (double)slice / (double)p->slices;
    throng_point way = throng_minus(who.wanted, row_now(p, who.row)), from = who.at, rest = throng_times(left, way);
    throng_point on = throng_plus(from, throng_times(1 / (double)p->slices, way));
    if (throng_movable_gap(p->movable, throng_minus(on, offset)).distance >= radius) {
        /* Not touched; yet who has strayed may come to another wall. */
        if (!who.strayed || walls_allow(p, from, on, radius)) {
            who.at = on;
            if (who.strayed) who.end = throng_plus(on, rest);
            put(p, k, who);
            return true;
        }
        on = from;
    }
    who.strayed = true;
    for (int choice = 0; choice < 3; choice++) {
        who.at = choice == 0 ? on : from;
        bool out = choice < 2 ? step_out(p->movable, offset, &who.at, radius) : step_ahead(p, offset, &who.at, radius);
        who.end = throng_plus(who.at, rest);
        if (!out || !walls_allow(p, from, who.at, radius) || !people_allow(p, who.row, who.end)) continue;
        put(p, k, who);
        return true;
    }
    return false;
}

static void tell_waiting(pusher *p) {
    throng_point who = p->stopped_by;
    if (!p->movable->told) {
        throng_world_notice(
            p->world, THRONG_WARNING, "at %.6g s: obstacle '%s' waits: somebody at (%.2f, %.2f) cannot yield",
            throng_world_time(p->world), p->world->place->source->obstacles[p->movable->item].id, who.x, who.y);
    }
    p->movable->told = true;
}

/* Lets everybody walk a slice. False when somebody cannot yield: then all are where they were. */
static bool walk_slice(pusher *p, throng_point offset, size_t slice) {
    if (p->count > 0) memcpy(p->saved, p->people, p->count * sizeof *p->people);
    for (size_t k = 0; k < p->count; k++) {
        if (yields(p, k, offset, slice)) continue;
        p->stopped_by = p->people[k].at;
        for (size_t j = 0; j < p->count; j++) put(p, j, p->saved[j]);
        return false;
    }
    return true;
}

/* The same with the obstacle at rest: who would walk into it stays where it is. */
static void walk_slice_at_rest(pusher *p, throng_point offset, size_t slice) {
    for (size_t k = 0; k < p->count; k++) {
        if (yields(p, k, offset, slice)) continue;
        person who = p->people[k];
        who.strayed = true;
        who.end = who.at;
        put(p, k, who);
    }
}

/* Whether somebody who was pushed came straight from its start past all walls, those that have moved in
 * this step as well, and stands no deeper in one than it wanted. */
static bool came_straight(const pusher *p, const person *who, throng_point to) {
    return has_room(p, who->wanted, to, p->world->agents.radius[who->row]) &&
           !is_wall_between(p, row_now(p, who->row), to, true);
}

/* The same for everybody, this obstacle included. */
static bool all_came_straight(const pusher *p, throng_point end) {
    for (size_t k = 0; k < p->count; k++) {
        const person *who = &p->people[k];
        throng_point from = row_now(p, who->row), to = row_next(p, who->row);
        if (throng_movable_crosses(p->movable, throng_minus(from, p->begin), throng_minus(to, end))) return false;
        if (who->strayed && !came_straight(p, who, to)) return false;
    }
    return true;
}

static void keep_positions(pusher *p, bool moved) {
    throng_columns *a = &p->world->agents;
    for (size_t k = 0; k < p->count; k++) {
        person who = p->people[k];
        who.end = moved && who.strayed ? who.at : who.wanted;
        put(p, k, who);
        if (!moved || !who.strayed) continue;
        a->next_vx[who.row] = (a->next_x[who.row] - a->x[who.row]) / p->world->dt;
        a->next_vy[who.row] = (a->next_y[who.row] - a->y[who.row]) / p->world->dt;
    }
}

/* How much of a slice the obstacle can go: all of it, half of it and so on, or nothing. */
static double go_slice(pusher *p, throng_point reached, size_t slice) {
    for (double part = 1; part >= 1.0 / 16; part /= 2) {
        throng_point offset = throng_plus(reached, throng_times(part / (double)p->slices, p->share));
        if (walk_slice(p, offset, slice)) return part;
    }
    return 0;
}

/* Moves the obstacle as far as it gets in this step. */
static void push(pusher *p) {
    double part = throng_world_free_part(p->world, p->movable, p->share, p->longest_move, &p->stopped_by);
    p->share = throng_times(part, p->share);
    gather(p);
    if (p->count > 0 && part == 1) p->stopped_by = p->people[0].at;
    throng_point reached = p->begin;
    bool blocked = false;
    for (size_t s = 1; s <= p->slices; s++) {
        double goes = blocked ? 0 : go_slice(p, reached, s);
        if (goes == 0) walk_slice_at_rest(p, reached, s);
        throng_point whole = throng_plus(p->begin, throng_times((double)s / (double)p->slices, p->share));
        reached = goes == 1 ? whole : throng_plus(reached, throng_times(goes / (double)p->slices, p->share));
        blocked = goes < 1;
    }
    bool moved = all_came_straight(p, reached);
    keep_positions(p, moved);
    if (moved) p->movable->offset = reached;
    if (p->movable->offset.x == p->begin.x && p->movable->offset.y == p->begin.y) tell_waiting(p);
}

/* --- all of them */

/* The way of this step; all that is left when it is no more than that. */
static throng_point share_of(const throng_movable *m, double dt) {
    throng_point left = throng_minus(m->bound, m->offset), share = throng_times(dt, m->velocity);
    return throng_length(left) <= throng_length(share) * (1 + 1e-9) ? left : share;
}

bool throng_movable_is_under_way(const throng_movable *m) {
    return m->present && (m->bound.x != m->offset.x || m->bound.y != m->offset.y);
}

/* Whether an obstacle has come far enough since ways were planned, or is there, that they must be anew. */
static bool is_stale(const throng_movable *m) {
    double gone = throng_length(throng_minus(m->offset, m->planned));
    return m->present && gone > 0 && (gone >= plan_lag || !throng_movable_is_under_way(m));
}

void throng_world_move_obstacles(throng_world *world) {
    throng_changes *c = &world->changes;
    pusher p = {.world = world};
    bool moved = false, any = false;
    for (size_t i = 0; i < c->movable_count; i++) any = any || throng_movable_is_under_way(&c->movables[i]);
    if (!any) return;
    p.begun = throng_allocate(c->movable_count * sizeof *p.begun);
    for (size_t i = 0; i < c->movable_count; i++) p.begun[i] = c->movables[i].offset;
    for (size_t i = 0; i < c->movable_count; i++) {
        throng_movable *m = &c->movables[i];
        if (!throng_movable_is_under_way(m)) continue;
        p.movable = m;
        p.begin = m->offset;
        throng_point share = share_of(m, world->dt);
        p.share = share;
        p.longest_move = throng_columns_longest_way(&world->agents);
        p.count = 0;
        bool last = share.x == m->bound.x - m->offset.x && share.y == m->bound.y - m->offset.y;
        push(&p); /* may cut its share short */
        bool there = last && m->offset.x == p.begin.x + share.x && m->offset.y == p.begin.y + share.y;
        if (there) m->offset = m->bound;
        moved = moved || m->offset.x != p.begin.x || m->offset.y != p.begin.y;
    }
    THRONG_RELEASE(p.people, p.saved, p.begun);
    if (!moved) return;
    throng_world_renew_walls(world);
    const throng_movable *stale = NULL;
    for (size_t i = 0; i < c->movable_count && !stale; i++) stale = is_stale(&c->movables[i]) ? &c->movables[i] : NULL;
    if (stale) throng_world_replan(world, throng_movable_box(stale));
}
