/* keep_out.c: after people have chosen where to be next and things have moved, nobody is to stand in a thing.
 *
 * Who would is moved out, in a few passes, since that may lead into the next thing; where walls do not let it, the
 * thing gives way. Who still stands in one after these is pinched, such as between blocks of a broken wall that others
 * push from both sides: then both give way, the lighter one by more. Nobody is moved farther than it could walk or be
 * taken along in a step, and a little more; what is left of an overlap is taken out in the steps that follow. */

#include <string.h>

#include "base/vector.h"
#include "space/walls.h"
#include "world/things.h"
#include "world/world.h"

static const double slop = 1e-3;   /* m that somebody may stand in a thing */
static const double out_speed = 1; /* m/s, how fast somebody and a thing come out of each other */

enum { PASSES = 8, PASSES_FREE = 3 /* before who still stands in something counts as pinched */ };

typedef struct keeper {
    throng_world *world;
    uint8_t pass;
    size_t moved; /* people and things, in this pass */
} keeper;

/* Where somebody would have been, had it gone along with the thing from the start of the step: as that moved and turned
 * in plan. What tips over takes nobody along. */
static throng_point carried(const throng_world *world, size_t body, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_bodies *b = world->things.bodies;
    const throng_motion *was = &world->things.was[body];
    throng_matrix before = throng_rotation(was->turn);
    const double *m = b->bodies[body].rotation.at, *n = before.at;
    /* of the turn from then to now the part around the vertical */
    double xx = m[0] * n[0] + m[1] * n[1] + m[2] * n[2], xy = m[0] * n[3] + m[1] * n[4] + m[2] * n[5];
    double yx = m[3] * n[0] + m[4] * n[1] + m[5] * n[2], yy = m[3] * n[3] + m[4] * n[4] + m[5] * n[5];
    double c = xx + yy, s = yx - xy, size = sqrt(c * c + s * s);
    /* what whirls takes nobody around with it */
    bool follows = size > 1e-9 && c > 0.5 * size;
    c = follows ? c / size : 1, s = follows ? s / size : 0;
    double dx = a->x[row] - was->at.x, dy = a->y[row] - was->at.y;
    return (throng_point){b->objects[body].at.x + c * dx - s * dy, b->objects[body].at.y + s * dx + c * dy};
}

/* Where the way from one point to another enters an outline; false: it does not, or begins inside. */
static bool enters(const throng_outline *o, throng_point from, throng_point to, throng_point *at, throng_point *n) {
    double in = -1, out = 1;
    for (size_t i = 0; i < o->count; i++) {
        throng_point a = o->points[i], c = o->points[(i + 1) % o->count];
        double nx = c.y - a.y, ny = a.x - c.x;
        double begin = (from.x - a.x) * nx + (from.y - a.y) * ny, end = (to.x - a.x) * nx + (to.y - a.y) * ny;
        if (begin > 0 && end > 0) return false;
        if (begin <= 0 && end <= 0) continue;
        double t = begin / (begin - end);
        if (begin > 0 && t > in) {
            double length = sqrt(nx * nx + ny * ny);
            in = t;
            *n = (throng_point){nx / length, ny / length};
        }
        if (begin <= 0 && t < out) out = t;
    }
    if (in < 0 || in > out) return false;
    *at = throng_plus(from, throng_times(in, throng_minus(to, from)));
    return true;
}

/* The same of a disc. */
static bool enters_disc(throng_point centre, double radius, throng_point from, throng_point to, throng_point *at,
                        throng_point *n) {
    throng_point begin = throng_minus(from, centre), way = throng_minus(to, from);
    double along = begin.x * way.x + begin.y * way.y, way2 = way.x * way.x + way.y * way.y;
    double outside = begin.x * begin.x + begin.y * begin.y - radius * radius, root2 = along * along - way2 * outside;
    if (outside <= 0 || along >= 0 || root2 < 0) return false;
    double in = (-along - sqrt(root2)) / way2;
    if (in > 1) return false;
    *at = throng_plus(from, throng_times(in, way));
    *n = throng_times(1 / radius, throng_minus(*at, centre));
    return true;
}

/* Where the way from one point to another enters a part that is in the way of people. */
static bool enters_part(const throng_bodies *b, size_t part, throng_point from, throng_point to, throng_point *at,
                        throng_point *n) {
    throng_point3 none = {0, 0, 0}, middle;
    if (b->part_low[part].z >= THRONG_HAND_HEIGHT) return false;
    if (b->parts[part].kind == THRONG_PART_BALL) {
        middle = throng_part_at(b, part);
        return enters_disc((throng_point){middle.x, middle.y}, b->parts[part].radius, from, to, at, n);
    }
    throng_outline outline = throng_part_outline(b, part, none);
    return outline.count >= 3 && enters(&outline, from, to, at, n);
}

/* Where somebody has to be so as not to stand in a part; false: it does not. n is the way out. */
static bool find_way_out(const throng_world *world, size_t part, size_t row, throng_point *out, throng_point *n) {
    const throng_columns *a = &world->agents;
    const throng_bodies *b = world->things.bodies;
    throng_point to = {a->next_x[row], a->next_y[row]}, from = carried(world, b->owner[part], row), at;
    throng_point3 none = {0, 0, 0}, low = b->part_low[part], high = b->part_high[part];
    double radius = a->radius[row];
    /* Most are only near it. */
    if (fmax(from.x, to.x + radius) < low.x || fmin(from.x, to.x - radius) > high.x ||
        fmax(from.y, to.y + radius) < low.y || fmin(from.y, to.y - radius) > high.y)
        return false;
    if (enters_part(b, part, from, to, &at, n)) {
        *out = throng_plus(at, throng_times(radius, *n));
        return true;
    }
    throng_meeting m;
    if (!throng_part_meets(b, part, none, to, radius, 0, &m) || m.depth <= slop || m.n.z != 0) return false;
    *n = (throng_point){m.n.x, m.n.y};
    *out = throng_plus(to, throng_times(m.depth - 0.5 * slop, *n));
    return true;
}

/* Whether nobody who keeps apart stands where somebody would be moved to. */
static bool is_clear_of_people(const throng_world *world, size_t row, throng_point at) {
    const throng_columns *a = &world->agents;
    const throng_near *near = world->near;
    bool any = false;
    for (size_t t = 0; t < world->team_count; t++) any = any || world->teams[t].model->keeps_apart;
    if (!any) return true;
    double reach = a->radius[row] + near->radius_max + 1;
    int32_t left = throng_near_column(near, at.x - reach), right = throng_near_column(near, at.x + reach);
    int32_t top = throng_near_row(near, at.y + reach);
    for (int32_t r = throng_near_row(near, at.y - reach); r <= top; r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            uint32_t j = near->row[k];
            if (j == row || j >= a->count || !throng_world_keeps_apart(world, a->profile[j])) continue;
            throng_point other = {a->next_x[j], a->next_y[j]};
            if (throng_length(throng_minus(at, other)) < a->radius[row] + a->radius[j]) return false;
        }
    }
    return true;
}

static bool can_be_moved(const throng_world *world, size_t row, throng_point to) {
    const throng_columns *a = &world->agents;
    if (throng_world_keeps_apart(world, a->profile[row])) return false;
    throng_point from = {a->x[row], a->y[row]}, next = {a->next_x[row], a->next_y[row]};
    double radius = a->radius[row];
    if (throng_walls_block(world->walls, from, to, 0)) return false;
    double had = throng_walls_depth(world->walls, next.x, next.y, radius);
    return throng_walls_depth(world->walls, to.x, to.y, radius) >= fmin(had, radius) - 1e-9 &&
           is_clear_of_people(world, row, to);
}

/* A point, or where the way to it from another has come to so many metres. */
static throng_point within(throng_point from, throng_point to, double most) {
    throng_point way = throng_minus(to, from);
    double length = throng_length(way);
    return length > most ? throng_plus(from, throng_times(most / length, way)) : to;
}

/* What part of a way somebody has to go that it and a thing share by their masses; all of it where that stands firm. */
static double share_of(const throng_world *world, size_t body, size_t row) {
    const throng_bodies *b = world->things.bodies;
    double mass = b->objects[body].mass;
    return b->bodies[body].anchored ? 1 : mass / (mass + world->agents.mass[row]);
}

/* Where somebody can get on its way out of a thing: as far as it walks in a step, or as the thing takes it along, one
 * that is lighter by less; and a little more, to get out of what it stood in before. */
static throng_point bounded_way_out(const throng_world *world, size_t body, size_t row, throng_point out) {
    const throng_columns *a = &world->agents;
    throng_point from = {a->x[row], a->y[row]};
    double takes = fmin(world->things.bodies->objects[body].mass / a->mass[row], 1);
    double taken = takes * throng_length(throng_minus(carried(world, body, row), from));
    return within(from, out, fmax(a->max_speed[row] * world->dt, taken) + out_speed * world->dt);
}

/* A thing gives way to somebody who cannot: by what it needs, no farther than people walk, and comes no nearer. */
static bool move_thing(throng_world *world, size_t body, size_t row, throng_point by, throng_point n) {
    throng_bodies *b = world->things.bodies;
    throng_object_state *o = &b->objects[body];
    if (b->bodies[body].anchored) return false;
    const throng_motion *was = &world->things.was[body];
    throng_point begin = {was->at.x, was->at.y}, from = {o->at.x, o->at.y};
    double most = (fmax(throng_length3(was->velocity), world->agents.max_speed[row]) + out_speed) * world->dt;
    throng_point to = within(begin, throng_plus(from, by), fmax(most, throng_length(throng_minus(from, begin))));
    if (throng_walls_block(world->walls, from, to, 0)) return false;
    o->at.x = to.x;
    o->at.y = to.y;
    const throng_columns *a = &world->agents;
    throng_point goes = {(a->next_x[row] - a->x[row]) / world->dt, (a->next_y[row] - a->y[row]) / world->dt};
    double towards = o->velocity.x * n.x + o->velocity.y * n.y - fmax(goes.x * n.x + goes.y * n.y, 0);
    if (towards > 0) o->velocity.x -= towards * n.x, o->velocity.y -= towards * n.y;
    throng_body_settle(b, body);
    throng_body_wake(b, body);
    throng_body_place(b, body);
    b->moved = true;
    return true;
}

static void keep_out(void *context, size_t part, size_t row) {
    keeper *k = context;
    throng_world *world = k->world;
    throng_columns *a = &world->agents;
    size_t body = world->things.bodies->owner[part];
    throng_point out, n = {0, 0}, next = {a->next_x[row], a->next_y[row]};
    /* Where neither has moved since they were looked at, nothing is new. */
    if (k->pass > 1 && a->mark[row] + 1 < k->pass && world->things.stirred[body] + 1 < k->pass) return;
    if (!find_way_out(world, part, row, &out, &n)) return;
    throng_point own = k->pass > PASSES_FREE ? throng_times(share_of(world, body, row), throng_minus(out, next))
                                             : throng_minus(out, next);
    throng_point to = bounded_way_out(world, body, row, throng_plus(next, own));
    if (can_be_moved(world, row, to)) {
        a->next_x[row] = to.x;
        a->next_y[row] = to.y;
        a->mark[row] = k->pass;
        k->moved++;
    } else {
        to = next;
    }
    throng_point rest = throng_minus(out, to);
    double lacks = rest.x * n.x + rest.y * n.y;
    if (lacks > slop && move_thing(world, body, row, throng_times(-lacks, n), n)) {
        world->things.stirred[body] = k->pass;
        k->moved++;
    }
}

static bool keep_people_out(throng_world *world, uint8_t pass) {
    const throng_bodies *b = world->things.bodies;
    keeper k = {world, pass, 0};
    double walks = throng_columns_longest_way(&world->agents);
    for (size_t i = 0; i < world->things.near_count; i++) {
        size_t p = world->things.near_parts[i];
        const throng_object_state *o = &b->objects[b->owner[p]];
        if (b->part_low[p].z >= THRONG_PERSON_HEIGHT) continue;
        double moved = throng_length3(throng_difference3(o->at, world->things.was[b->owner[p]].at));
        throng_things_each_near(world, p, walks + moved + 0.01, keep_out, &k);
    }
    return k.moved > 0;
}

void throng_world_keep_people_out(throng_world *world) {
    throng_columns *a = &world->agents;
    if (a->count == 0) return;
    memset(a->mark, 0, a->count);
    memset(world->things.stirred, 0, world->things.bodies->count);
    for (uint8_t pass = 1; pass <= PASSES && keep_people_out(world, pass); pass++) continue;
}
