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
 * stays where it is for the rest of the step. So nobody is ever in a wall or pushed through one. */

#include <math.h>
#include <string.h>

#include "space/box.h"
#include "world/memory.h"
#include "world/world.h"

static const double margin = 1e-7;       /* m, kept between the obstacle and those it pushes */
static const double rounding = 1e-9;     /* m */
static const double slice_radii = 0.25;  /* of the smallest radius: the most that anything moves in a slice */
static const double slices_most = 10000; /* in a step; an obstacle faster than that goes on in the next one */
static const double pressed = 0.04;      /* of the sum of radii: how far people may be pushed into each other */
static const double plan_lag = 0.2;      /* m an obstacle may go before ways are planned anew */

static throng_point plus(throng_point a, throng_point b) { return (throng_point){a.x + b.x, a.y + b.y}; }
static throng_point minus(throng_point a, throng_point b) { return (throng_point){a.x - b.x, a.y - b.y}; }
static throng_point times(double s, throng_point a) { return (throng_point){s * a.x, s * a.y}; }
static double length_of(throng_point a) { return sqrt(a.x * a.x + a.y * a.y); }
static double cross(throng_point a, throng_point b) { return a.x * b.y - a.y * b.x; }

/* --- how a point lies to an obstacle */

typedef struct contact {
    double distance;   /* m to the outline, negative inside */
    throng_point away; /* unit vector out of the obstacle, or away from a thin wall */
} contact;

static size_t side_count(const throng_movable *m) { return m->thin ? m->outline.count - 1 : m->outline.count; }

/* The point is given as seen from the obstacle, whose outline then stands where the place had it. */
static contact contact_with(const throng_movable *m, throng_point at) {
    double nearest2 = INFINITY;
    throng_point to = {0, 0}, along = {1, 0};
    for (size_t i = 0; i < side_count(m); i++) {
        throng_point a = m->outline.points[i], b = m->outline.points[(i + 1) % m->outline.count];
        throng_point side = minus(b, a), from = minus(at, a);
        double t = (from.x * side.x + from.y * side.y) / (side.x * side.x + side.y * side.y);
        throng_point off = minus(from, times(t < 0 ? 0 : t > 1 ? 1 : t, side));
        double distance2 = off.x * off.x + off.y * off.y;
        if (distance2 >= nearest2) continue;
        nearest2 = distance2;
        to = off;
        along = side;
    }
    bool inside = !m->thin && throng_ring_contains(m->outline, at.x, at.y);
    contact c = {sqrt(nearest2), {0, 0}};
    if (c.distance > 0) {
        c.away = times((inside ? -1 : 1) / c.distance, to);
    } else { /* on the outline itself */
        double turn = throng_ring_area(m->outline) > 0 ? 1 : -1, length = length_of(along);
        c.away = (throng_point){turn * along.y / length, -turn * along.x / length};
    }
    if (inside) c.distance = -c.distance;
    return c;
}

static bool sides_cross(throng_point a, throng_point b, throng_point c, throng_point d) {
    double c_side = cross(minus(b, a), minus(c, a)), d_side = cross(minus(b, a), minus(d, a));
    double a_side = cross(minus(d, c), minus(a, c)), b_side = cross(minus(d, c), minus(b, c));
    return c_side * d_side <= 0 && a_side * b_side <= 0 && (c_side != 0 || d_side != 0);
}

/* Whether a straight way, seen from the obstacle, meets it. */
static bool crosses(const throng_movable *m, throng_point from, throng_point to) {
    for (size_t i = 0; i < side_count(m); i++) {
        if (sides_cross(from, to, m->outline.points[i], m->outline.points[(i + 1) % m->outline.count])) return true;
    }
    return false;
}

static bool is_within(throng_box box, throng_point at, double reach) {
    return at.x >= box.low.x - reach && at.x <= box.high.x + reach && at.y >= box.low.y - reach &&
           at.y <= box.high.y + reach;
}

bool throng_movable_is_occupied(const throng_world *world, const throng_movable *m, throng_point *who) {
    const throng_columns *a = &world->agents;
    throng_box box = throng_movable_box(m);
    for (size_t i = 0; i < a->count; i++) {
        throng_point at = {a->x[i], a->y[i]};
        if (!is_within(box, at, a->radius[i])) continue;
        if (contact_with(m, minus(at, m->offset)).distance >= a->radius[i]) continue;
        *who = at;
        return true;
    }
    return false;
}

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

static double longest_move(const throng_columns *a) {
    double longest2 = 0;
    for (size_t i = 0; i < a->count; i++) {
        double dx = a->next_x[i] - a->x[i], dy = a->next_y[i] - a->y[i];
        longest2 = fmax(longest2, dx * dx + dy * dy);
    }
    return sqrt(longest2);
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
 * through walls anyway. */
static void gather(pusher *p) {
    const throng_columns *a = &p->world->agents;
    throng_box box = throng_movable_box(p->movable);
    box = throng_box_join(box, (throng_box){plus(box.low, p->share), plus(box.high, p->share)});
    double smallest = INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        if (!is_within(box, row_now(p, i), a->radius[i] + p->longest_move + margin)) continue;
        if (!p->movable->thin && contact_with(p->movable, minus(row_now(p, i), p->begin)).distance < 0) continue;
        add_person(p, i);
        smallest = fmin(smallest, a->radius[i]);
    }
    double way = length_of(p->share) + p->longest_move;
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
        if (!is_within(throng_movable_box(other), to, radius)) continue;
        double before = contact_with(other, minus(from, other->offset)).distance;
        double after = contact_with(other, minus(to, other->offset)).distance;
        if (after < fmin(before, radius) - rounding) return false;
    }
    return true;
}

/* Whether somebody may be moved so, with no other wall in between. */
static bool walls_allow(const pusher *p, throng_point from, throng_point to, double radius) {
    const throng_changes *c = &p->world->changes;
    if (!has_room(p, from, to, radius) || throng_walls_block(c->base_walls, from, to, 0)) return false;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *other = &c->movables[i];
        if (other == p->movable || !other->present) continue;
        if (crosses(other, minus(from, other->offset), minus(to, other->offset))) return false;
    }
    return true;
}

/* Whether somebody who then is at `end` at the end of the step presses nobody more than before and
 * more than a little. */
static bool people_allow(const pusher *p, size_t row, throng_point end) {
    const throng_near *near = p->world->near;
    const throng_columns *a = &p->world->agents;
    double reach = a->radius[row] + near->radius_max + 2 * p->longest_move + length_of(p->share);
    throng_point before = row_next(p, row);
    int32_t left = throng_near_column(near, end.x - reach), right = throng_near_column(near, end.x + reach);
    int32_t top = throng_near_row(near, end.y + reach);
    for (int32_t r = throng_near_row(near, end.y - reach); r <= top; r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            uint32_t j = near->row[k];
            if (j == row) continue;
            double least = (1 - pressed) * (a->radius[row] + a->radius[j]);
            double distance = length_of(minus(end, row_next(p, j)));
            if (distance < least && distance < length_of(minus(before, row_next(p, j))) - rounding) return false;
        }
    }
    return true;
}

/* The shortest way out of the obstacle, whose nearest side may change on the way. */
static bool step_out(const throng_movable *m, throng_point offset, throng_point *at, double radius) {
    for (int tries = 0; tries < 4; tries++) {
        contact c = contact_with(m, minus(*at, offset));
        if (c.distance >= radius) return true;
        *at = plus(*at, times(radius + margin - c.distance, c.away));
    }
    return contact_with(m, minus(*at, offset)).distance >= radius;
}

/* Out of the obstacle in the direction it goes. */
static bool step_ahead(const pusher *p, throng_point offset, throng_point *at, double radius) {
    double length = length_of(p->share);
    if (length == 0) return false;
    for (int tries = 0; tries < 32; tries++) {
        double lacks = radius - contact_with(p->movable, minus(*at, offset)).distance;
        if (lacks <= 0) return true;
        *at = plus(*at, times((lacks + margin) / length, p->share));
    }
    return false;
}

/* Somebody walks on by a slice while the obstacle gets to `offset`. The ways to yield are tried in
 * turn: aside from where it wants to be, aside from where it is, ahead from there. */
static bool yields(pusher *p, size_t k, throng_point offset, size_t slice) {
    person who = p->people[k];
    double radius = p->world->agents.radius[who.row], left = 1 - (double)slice / (double)p->slices;
    throng_point way = minus(who.wanted, row_now(p, who.row)), from = who.at, rest = times(left, way);
    throng_point on = plus(from, times(1 / (double)p->slices, way));
    if (contact_with(p->movable, minus(on, offset)).distance >= radius) {
        /* Not touched; yet who has strayed may come to another wall. */
        if (!who.strayed || walls_allow(p, from, on, radius)) {
            who.at = on;
            if (who.strayed) who.end = plus(on, rest);
            put(p, k, who);
            return true;
        }
        on = from;
    }
    who.strayed = true;
    for (int choice = 0; choice < 3; choice++) {
        who.at = choice == 0 ? on : from;
        bool out = choice < 2 ? step_out(p->movable, offset, &who.at, radius) : step_ahead(p, offset, &who.at, radius);
        who.end = plus(who.at, rest);
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
            p->world, THRONG_WARNING, "at %.6g s: obstacle '%s' waits: somebody at (%.4g, %.4g) cannot yield",
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
    const throng_changes *c = &p->world->changes;
    throng_point from = row_now(p, who->row);
    if (!has_room(p, who->wanted, to, p->world->agents.radius[who->row])) return false;
    if (throng_walls_block(c->base_walls, from, to, 0)) return false;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *other = &c->movables[i];
        if (other == p->movable || !other->present) continue;
        if (crosses(other, minus(from, p->begun[i]), minus(to, other->offset))) return false;
    }
    return true;
}

/* The same for everybody, this obstacle included. */
static bool all_came_straight(const pusher *p, throng_point end) {
    for (size_t k = 0; k < p->count; k++) {
        const person *who = &p->people[k];
        throng_point from = row_now(p, who->row), to = row_next(p, who->row);
        if (crosses(p->movable, minus(from, p->begin), minus(to, end))) return false;
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
        throng_point offset = plus(reached, times(part / (double)p->slices, p->share));
        if (walk_slice(p, offset, slice)) return part;
    }
    return 0;
}

/* Moves the obstacle as far as it gets in this step. */
static void push(pusher *p) {
    gather(p);
    if (p->count > 0) p->stopped_by = p->people[0].at;
    throng_point reached = p->begin;
    bool blocked = false;
    for (size_t s = 1; s <= p->slices; s++) {
        double part = blocked ? 0 : go_slice(p, reached, s);
        if (part == 0) walk_slice_at_rest(p, reached, s);
        throng_point whole = plus(p->begin, times((double)s / (double)p->slices, p->share));
        reached = part == 1 ? whole : plus(reached, times(part / (double)p->slices, p->share));
        blocked = part < 1;
    }
    bool moved = all_came_straight(p, reached);
    keep_positions(p, moved);
    if (moved) p->movable->offset = reached;
    if (p->movable->offset.x == p->begin.x && p->movable->offset.y == p->begin.y) tell_waiting(p);
}

/* --- all of them */

/* The way of this step; all that is left when it is no more than that. */
static throng_point share_of(const throng_movable *m, double dt) {
    throng_point left = minus(m->bound, m->offset), share = times(dt, m->velocity);
    return length_of(left) <= length_of(share) * (1 + 1e-9) ? left : share;
}

static bool is_under_way(const throng_movable *m) {
    return m->present && (m->bound.x != m->offset.x || m->bound.y != m->offset.y);
}

/* Whether an obstacle has come far enough since ways were planned, or is there, that they must be anew. */
static bool is_stale(const throng_movable *m) {
    double gone = length_of(minus(m->offset, m->planned));
    return m->present && gone > 0 && (gone >= plan_lag || !is_under_way(m));
}

void throng_world_move_obstacles(throng_world *world) {
    throng_changes *c = &world->changes;
    pusher p = {.world = world};
    bool moved = false, any = false;
    for (size_t i = 0; i < c->movable_count; i++) any = any || is_under_way(&c->movables[i]);
    if (!any) return;
    p.begun = throng_allocate(c->movable_count * sizeof *p.begun);
    for (size_t i = 0; i < c->movable_count; i++) p.begun[i] = c->movables[i].offset;
    for (size_t i = 0; i < c->movable_count; i++) {
        throng_movable *m = &c->movables[i];
        if (!is_under_way(m)) continue;
        p.movable = m;
        p.begin = m->offset;
        p.share = share_of(m, world->dt);
        p.longest_move = longest_move(&world->agents);
        p.count = 0;
        bool last = p.share.x == m->bound.x - m->offset.x && p.share.y == m->bound.y - m->offset.y;
        push(&p);
        bool there = last && m->offset.x == p.begin.x + p.share.x && m->offset.y == p.begin.y + p.share.y;
        if (there) m->offset = m->bound;
        moved = moved || m->offset.x != p.begin.x || m->offset.y != p.begin.y;
    }
    throng_release(p.people);
    throng_release(p.saved);
    throng_release(p.begun);
    if (!moved) return;
    throng_world_renew_walls(world);
    const throng_movable *stale = NULL;
    for (size_t i = 0; i < c->movable_count && !stale; i++) stale = is_stale(&c->movables[i]) ? &c->movables[i] : NULL;
    if (stale) throng_world_replan(world, throng_movable_box(stale));
}
