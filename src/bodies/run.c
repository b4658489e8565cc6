/* run.c: things (rigid bodies) move. A step of the world is one or several of the engine, more when something is fast:
 * nothing moves by more than its half thickness in one. In each of them
 *
 *     things awake are placed -> wake what they touch -> touch the floor, walls and others -> the engine steps
 *     -> nothing has gone through a wall or a board -> bonds break -> who lies still goes to sleep
 *
 * What sleeps costs nothing, until something that moves touches it. Blocks glued together sleep and wake together. */

#include "base/clock.h"
#include "bodies/bodies.h"
#include "space/walls.h"

/* ------------------------------------------------------------------ sleep */

/* What moves less for so many steps of the engine lies still: above the jitter of its solver. */
static const double still_speed = 0.05, still_spin = 0.1; /* m/s, rad/s */
enum { STILL_STEPS = 10 };

static uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

void throng_bodies_find_components(throng_bodies *b) {
    uint32_t *parent = b->waking;
    for (size_t i = 0; i < b->count; i++) {
        parent[i] = (uint32_t)i;
        b->bodies[i].component = 0;
        b->bodies[i].anchored = false;
    }
    for (size_t k = 0; k < b->bond_count; k++) {
        if (!b->bonds[k].other) continue;
        uint32_t one = root_of(parent, (uint32_t)throng_bodies_index(b, b->bonds[k].one));
        uint32_t other = root_of(parent, (uint32_t)throng_bodies_index(b, b->bonds[k].other));
        parent[one > other ? one : other] = one > other ? other : one;
    }
    for (size_t k = 0; k < b->bond_count; k++) {
        size_t one = throng_bodies_index(b, b->bonds[k].one);
        uint32_t root = root_of(parent, (uint32_t)one);
        b->bodies[one].component = root + 1;
        if (b->bonds[k].other) {
            b->bodies[throng_bodies_index(b, b->bonds[k].other)].component = root + 1;
        } else {
            b->bodies[root].anchored = true;
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        if (b->bodies[i].component) b->bodies[i].anchored = b->bodies[b->bodies[i].component - 1].anchored;
    }
    b->glue_changed = false;
}

static void spread_waking(throng_bodies *b) {
    if (b->bond_count == 0) return;
    uint32_t *awake = b->waking; /* [root] somebody of its component is */
    for (size_t i = 0; i < b->count; i++) awake[i] = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->bodies[i].component && b->objects[i].awake) awake[b->bodies[i].component - 1] = 1;
    }
    for (size_t i = 0; i < b->count; i++) {
        throng_body *body = &b->bodies[i];
        if (!body->component || !awake[body->component - 1] || b->objects[i].awake) continue;
        throng_body_wake(b, i);
        body->fresh = true;
        b->active[b->active_count++] = (uint32_t)i;
    }
}

static bool is_still(const throng_object_state *o, const throng_body *body) {
    bool forced = throng_dot3(body->force, body->force) > 0 || body->dragged;
    return !forced && throng_dot3(o->velocity, o->velocity) < still_speed * still_speed &&
           throng_dot3(o->spin, o->spin) < still_spin * still_spin;
}

static void rest(throng_bodies *b) {
    uint32_t *restless = b->waking; /* [root] somebody of its component is */
    for (size_t i = 0; i < b->count && b->bond_count > 0; i++) restless[i] = 0;
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        throng_body *body = &b->bodies[i];
        body->quiet = is_still(&b->objects[i], body) ? body->quiet + 1 : 0;
        if (body->component && body->quiet < STILL_STEPS) restless[body->component - 1] = 1;
    }
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        const throng_body *body = &b->bodies[i];
        throng_object_state *object = &b->objects[i];
        if (body->quiet < STILL_STEPS) continue;
        if (body->component && restless[body->component - 1]) continue;
        object->awake = false;
        object->velocity = object->spin = (throng_point3){0, 0, 0};
        throng_body_place(b, i);
    }
}

/* ------------------------------------------------------------------ steps of the engine */

static const double longest_step = 0.05; /* s, of the engine */
enum {
    STEPS_MOST = 200, /* a tennis ball at 50 m/s needs them in 0.1 s, so as not to fly through a board */
    WALLS_MOST = 32
};
/* What touches something loses spin, as a ball does that rolls: part of it, and so much at its rim in any case. */
static const double rolling_loss = 0.3, rolling_stop = 0.3; /* 1/s, m/s^2 */
static const double drag_rate = 8;                          /* 1/s, how soon a thing follows the hand that drags it */
static const double drag_most = 60;                         /* m/s^2 */
static const double gravity = 9.81;                         /* m/s^2 */
static const double bounce = 0.2;                           /* off a wall that something would have gone through */
static const double wall_margin = 1e-3;                     /* m */

static size_t steps_for(const throng_bodies *b, double dt) {
    double most = ceil(dt / longest_step - 1e-9);
    for (size_t i = 0; i < b->count; i++) {
        if (!b->objects[i].awake) continue;
        double moves = throng_length3(b->objects[i].velocity) * dt / b->bodies[i].least_half;
        most = fmax(most, ceil(moves));
    }
    double least = ceil(dt / longest_step - 1e-9);
    return (size_t)fmin(most, fmax(STEPS_MOST, least));
}

/* ------------------------------------------------------------------ before the engine */

/* A thing held by a hand is drawn to it, without swinging, and does not feel its weight. */
static throng_point3 drag_force(const throng_object_state *o, const throng_body *body) {
    throng_point3 a =
        throng_difference3(throng_scaled3(drag_rate * drag_rate, throng_difference3(body->drag_to, o->at)),
                           throng_scaled3(2 * drag_rate, o->velocity));
    double size = throng_length3(a);
    if (size > drag_most) a = throng_scaled3(drag_most / size, a);
    a.z += gravity;
    return throng_scaled3(o->mass, a);
}

static void place_awake(throng_bodies *b) {
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        throng_object_state *o = &b->objects[i];
        throng_body *body = &b->bodies[i];
        b->before[i] = (throng_motion){o->at, o->turn, o->velocity, o->spin};
        body->touched = false;
        throng_body_place(b, i);
    }
}

/* What moves or is pushed wakes what it touches. */
static void wake_touched(throng_bodies *b) {
    for (size_t k = 0; k < b->pair_count; k++) {
        uint32_t p = b->pairs[k].one, q = b->pairs[k].other, one = b->owner[p], other = b->owner[q];
        throng_body *body = &b->bodies[one], *its = &b->bodies[other];
        if (b->objects[other].awake || b->objects[other].fixed) continue;
        bool active = body->quiet == 0 || body->dragged || throng_dot3(body->force, body->force) > 0;
        if (!active) continue;
        double depth = b->engine->depth(b->state, body->engine, p - b->objects[one].first_part, its->engine,
                                        q - b->objects[other].first_part);
        if (depth <= 0) continue;
        throng_body_wake(b, other);
        its->fresh = true;
        b->active[b->active_count++] = other;
    }
    spread_waking(b);
    bool any = false;
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        if (!b->bodies[i].fresh) continue;
        any = true;
        b->before[i] =
            (throng_motion){b->objects[i].at, b->objects[i].turn, b->objects[i].velocity, b->objects[i].spin};
        b->bodies[i].touched = false;
        throng_body_place(b, i);
    }
    if (any) throng_pairs_find(b, true);
    for (size_t k = 0; k < b->active_count; k++) b->bodies[b->active[k]].fresh = false;
}

/* Those in the list whose other was woken after they were listed are awake both, which is as well. */
static void touch_others(throng_bodies *b) {
    for (size_t k = 0; k < b->pair_count; k++) {
        uint32_t p = b->pairs[k].one, q = b->pairs[k].other, one = b->owner[p], other = b->owner[q];
        int count = b->engine->touch(b->state, b->bodies[one].engine, p - b->objects[one].first_part,
                                     b->bodies[other].engine, q - b->objects[other].first_part);
        if (count == 0) continue;
        b->bodies[one].touched = b->bodies[other].touched = true;
    }
}

static throng_engine_wall wall_of(const throng_walls *walls, uint32_t k) {
    uint32_t next = walls->next[k];
    return (throng_engine_wall){.from = {walls->x[k], walls->y[k]},
                                .to = {walls->x[next], walls->y[next]},
                                .along = {walls->along_x[k], walls->along_y[k]},
                                .from_open = walls->convex[k],
                                .to_open = walls->convex[next]};
}

/* Only walls that face the middle of the thing are there for it. */
static bool faces(const throng_engine_wall *wall, throng_point3 at) {
    return wall->along.x * (at.y - wall->from.y) - wall->along.y * (at.x - wall->from.x) >= 0;
}

/* How high a wall is to things: one around something fixed is no higher than that, and the fixed thing itself is what
 * they touch. */
static double height_of(const throng_bodies *b, const throng_engine_wall *wall) {
    const double inside = 1e-3; /* m */
    if (b->fixed_count == 0) return INFINITY;
    throng_point behind = {0.5 * (wall->from.x + wall->to.x) + inside * wall->along.y,
                           0.5 * (wall->from.y + wall->to.y) - inside * wall->along.x};
    double top = throng_bodies_fixed_top(b, behind);
    return top > 0 ? top : INFINITY;
}

static void touch_walls(throng_bodies *b, size_t i, const throng_walls *walls) {
    throng_body *body = &b->bodies[i];
    const throng_object_state *o = &b->objects[i];
    if (walls->count == 0 || walls->clear[throng_walls_cell(walls, o->at.x, o->at.y)] > body->reach) return;
    throng_wall_near near[WALLS_MOST];
    size_t count = throng_walls_within(walls, o->at.x, o->at.y, body->reach, near, WALLS_MOST);
    for (size_t k = 0; k < count; k++) {
        throng_engine_wall wall = wall_of(walls, near[k].wall);
        if (!faces(&wall, o->at) || height_of(b, &wall) < INFINITY) continue;
        for (uint32_t p = 0; p < o->part_count; p++) {
            throng_point3 low = b->part_low[o->first_part + p], high = b->part_high[o->first_part + p];
            if (fmin(wall.from.x, wall.to.x) > high.x || fmax(wall.from.x, wall.to.x) < low.x ||
                fmin(wall.from.y, wall.to.y) > high.y || fmax(wall.from.y, wall.to.y) < low.y)
                continue;
            if (b->engine->touch_wall(b->state, body->engine, p, &wall) > 0) body->touched = true;
        }
    }
}

static void touch_ground(throng_bodies *b, size_t i) {
    const throng_object_state *o = &b->objects[i];
    throng_body *body = &b->bodies[i];
    if (body->anchored || body->low.z > 0) return;
    for (uint32_t p = 0; p < o->part_count; p++) {
        if (b->part_low[o->first_part + p].z > 0) continue;
        if (b->engine->touch_floor(b->state, body->engine, p) > 0) body->touched = true;
    }
}

/* ------------------------------------------------------------------ after the engine */

/* Puts a thing whose middle went through a wall back before it, and turns it round. */
static void stop_at_wall(const throng_bodies *b, throng_object_state *o, const throng_motion *before,
                         const throng_walls *walls) {
    throng_point from = {before->at.x, before->at.y}, to = {o->at.x, o->at.y};
    double free = 0, blocked = 1;
    for (int i = 0; i < 30; i++) {
        double middle = 0.5 * (free + blocked);
        throng_point at = {from.x + middle * (to.x - from.x), from.y + middle * (to.y - from.y)};
        if (throng_walls_block(walls, from, at, 0)) {
            blocked = middle;
        } else {
            free = middle;
        }
    }
    throng_point hit = {from.x + blocked * (to.x - from.x), from.y + blocked * (to.y - from.y)};
    uint32_t wall = throng_walls_find_blocking(walls, from, hit, 0);
    if (wall != UINT32_MAX) {
        throng_engine_wall hit_wall = wall_of(walls, wall);
        if (fmax(before->at.z, o->at.z) > height_of(b, &hit_wall)) return; /* above it */
    }
    double length = sqrt((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
    free = fmax(0, free - wall_margin / length);
    o->at.x = from.x + free * (to.x - from.x);
    o->at.y = from.y + free * (to.y - from.y);
    throng_point3 n = {0, 0, 0};
    if (wall != UINT32_MAX) n = (throng_point3){-walls->along_y[wall], walls->along_x[wall], 0};
    double into = throng_dot3(o->velocity, n), side = throng_dot3(throng_difference3(before->at, o->at), n);
    if (side < 0) n = throng_scaled3(-1, n), into = -into;
    if (into < 0) o->velocity = throng_difference3(o->velocity, throng_scaled3((1 + bounce) * into, n));
}

/* Where on a straight way something's middle enters a box, as a part of that way; 1: it does not, or begins inside. */
static double enters(const throng_bodies *b, size_t part, throng_point3 from, throng_point3 to) {
    throng_matrix m = throng_part_rotation(b, part);
    throng_point3 at = throng_part_at(b, part), size = b->parts[part].size;
    throng_point3 begin = throng_unapply(&m, throng_difference3(from, at));
    throng_point3 way = throng_unapply(&m, throng_difference3(to, from));
    const double f[3] = {begin.x, begin.y, begin.z}, w[3] = {way.x, way.y, way.z};
    const double half[3] = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
    double in = -INFINITY, out = 1;
    for (int i = 0; i < 3; i++) {
        if (w[i] == 0 && fabs(f[i]) > half[i]) return 1;
        if (w[i] == 0) continue;
        double one = (-half[i] - f[i]) / w[i], other = (half[i] - f[i]) / w[i];
        in = fmax(in, fmin(one, other));
        out = fmin(out, fmax(one, other));
    }
    return in >= 0 && in <= out ? in : 1;
}

/* What is so fast that it gets farther than its half thickness in a step of the engine goes up to the first box in its
 * way, and into it by half of that: the engine finds them touching next, and turns it round. */
static void stop_at_boxes(const throng_bodies *b, size_t i) {
    throng_object_state *o = &b->objects[i];
    throng_point3 from = b->before[i].at, to = o->at, way = throng_difference3(to, from);
    double length = throng_length3(way), first = 1, least_half = b->bodies[i].least_half;
    if (length <= least_half || o->part_count > 1) return; /* the middle of several may be empty */
    uint32_t component = b->bodies[i].component;
    for (size_t p = 0; p < b->part_count; p++) {
        throng_point3 low = b->part_low[p], high = b->part_high[p];
        if (fmax(from.x, to.x) < low.x || fmin(from.x, to.x) > high.x || fmax(from.y, to.y) < low.y ||
            fmin(from.y, to.y) > high.y || fmax(from.z, to.z) < low.z || fmin(from.z, to.z) > high.z)
            continue;
        if (b->owner[p] == i || b->parts[p].kind != THRONG_PART_BOX) continue;
        if (component && b->bodies[b->owner[p]].component == component) continue;
        first = fmin(first, enters(b, p, from, to));
    }
    if (first < 1) o->at = throng_sum3(from, throng_scaled3(fmax(0, first - 0.5 * least_half / length), way));
}

/* A block that stands bears whatever presses on it. Where its bonds, or the solver, give way to that, it comes along
 * with who presses and is not shot away: that force was meant for something that does not yield. */
static void hold_back(throng_bodies *b, size_t i, double h) {
    throng_object_state *o = &b->objects[i];
    const throng_body *body = &b->bodies[i];
    const throng_motion *before = &b->before[i];
    if (!body->anchored || !(b->bodies[body->component - 1].press_speed > 0)) return;
    double most = fmax(b->bodies[body->component - 1].press_speed, throng_length3(before->velocity)) + gravity * h;
    double speed = throng_length3(o->velocity), spin = throng_length3(o->spin);
    double spins = fmax(most / body->reach, throng_length3(before->spin));
    if (speed <= most && spin <= spins) return;
    if (speed > most) o->velocity = throng_scaled3(most / speed, o->velocity);
    if (spin > spins) o->spin = throng_scaled3(spins / spin, o->spin);
    o->at = throng_sum3(before->at, throng_scaled3(h, o->velocity));
    o->turn = before->turn;
}

static void read_back(throng_bodies *b, size_t i, const throng_walls *walls, double h) {
    throng_object_state *o = &b->objects[i];
    throng_motion m;
    b->engine->tell(b->bodies[i].engine, &m);
    bool finite = throng_is_finite3(m.at) && throng_is_finite3(m.velocity) && throng_is_finite3(m.spin) &&
                  fabs(throng_orientation_square(m.turn) - 1) < 1e-6;
    if (!finite) {
        m = b->before[i];
        m.velocity = m.spin = (throng_point3){0, 0, 0};
        b->odd++;
    }
    o->at = m.at, o->turn = m.turn, o->velocity = m.velocity, o->spin = m.spin;
    hold_back(b, i, h);
    throng_body_bound(b, i);
    stop_at_boxes(b, i);
    throng_point from = {b->before[i].at.x, b->before[i].at.y}, to = {o->at.x, o->at.y};
    double moved = fmax(fabs(to.x - from.x), fabs(to.y - from.y));
    if (walls->count > 0 && walls->clear[throng_walls_cell(walls, from.x, from.y)] <= 2 * moved &&
        throng_walls_block(walls, from, to, 0))
        stop_at_wall(b, o, &b->before[i], walls);
    if (b->bodies[i].touched) {
        double spin = throng_length3(o->spin), loss = rolling_loss * spin + rolling_stop / b->bodies[i].reach;
        o->spin = throng_scaled3(fmax(0, 1 - loss * h / fmax(spin, 1e-9)), o->spin);
    }
    throng_body_settle(b, i);
}

/* Tells by the first of blocks glued together whether a bond of theirs breaks. */
static const uint32_t *break_bonds(throng_bodies *b) {
    uint32_t *breaking = b->waking;
    for (size_t i = 0; i < b->count && b->bond_count > 0; i++) breaking[i] = 0;
    size_t kept = 0;
    for (size_t k = 0; k < b->bond_count; k++) {
        const throng_bond *bond = &b->bonds[k];
        size_t one = throng_bodies_index(b, bond->one);
        if (b->objects[one].awake && b->engine->bond_load(bond->engine) > bond->strength) {
            breaking[b->bodies[one].component - 1] = 1;
            b->engine->unglue(b->state, bond->engine);
            b->glue_changed = true;
            b->broken++;
        } else {
            b->bonds[kept++] = *bond;
        }
    }
    b->bond_count = kept;
    return breaking;
}

/* Blocks whose bonds all hold stay where they are: the solver takes few turns, in which it tells how much the bonds
 * bear well enough, but leaves a wall as soft as rubber. */
static void stand_still(throng_bodies *b, const uint32_t *breaking) {
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        throng_object_state *o = &b->objects[i];
        if (!b->bodies[i].anchored || breaking[b->bodies[i].component - 1]) continue;
        o->at = b->before[i].at, o->turn = b->before[i].turn;
        o->velocity = o->spin = (throng_point3){0, 0, 0};
        throng_body_settle(b, i);
    }
}

/* ------------------------------------------------------------------ the step */

/* How fast those are who press on blocks that stand together is known to the first of these. What came loose in the
 * step of the engine before is not pressed any more. */
static void spread_pressure(throng_bodies *b) {
    for (size_t i = 0; i < b->count; i++) {
        throng_body *body = &b->bodies[i];
        if (!(body->press_speed > 0)) continue;
        if (body->anchored) {
            throng_body *first = &b->bodies[body->component - 1];
            first->press_speed = fmax(first->press_speed, body->press_speed);
        } else {
            body->force = body->torque = (throng_point3){0, 0, 0};
            body->press_speed = 0;
        }
    }
}

static void run(throng_bodies *b, const throng_walls *walls, double h) {
    if (b->glue_changed) throng_bodies_find_components(b);
    b->active_count = b->pair_count = 0;
    spread_pressure(b);
    for (size_t i = 0; i < b->count; i++) {
        if (b->objects[i].awake) b->active[b->active_count++] = (uint32_t)i;
    }
    spread_waking(b);
    for (size_t k = 0; k < b->active_count; k++) b->bodies[b->active[k]].fresh = false;
    place_awake(b);
    throng_pairs_sort(b);
    throng_pairs_find(b, false);
    wake_touched(b);

    double begin = throng_now_ms();
    touch_others(b);
    for (size_t k = 0; k < b->active_count; k++) {
        uint32_t i = b->active[k];
        const throng_object_state *o = &b->objects[i];
        const throng_body *body = &b->bodies[i];
        touch_ground(b, i);
        touch_walls(b, i, walls);
        throng_point3 force = body->dragged ? throng_sum3(body->force, drag_force(o, body)) : body->force;
        b->engine->push(body->engine, force, body->torque);
    }
    b->engine->step(b->state, h, &b->seed);
    b->engine_ms += throng_now_ms() - begin;

    for (size_t k = 0; k < b->active_count; k++) read_back(b, b->active[k], walls, h);
    stand_still(b, break_bonds(b));
    rest(b);
}

void throng_bodies_step(throng_bodies *b, const throng_walls *walls, double dt) {
    bool awake = false;
    for (size_t i = 0; i < b->count && !awake; i++) awake = b->objects[i].awake;
    if (!awake) return;
    size_t steps = steps_for(b, dt);
    for (size_t s = 0; s < steps; s++) run(b, walls, dt / (double)steps);
    for (size_t i = 0; i < b->count; i++) {
        b->bodies[i].force = b->bodies[i].torque = (throng_point3){0, 0, 0};
        b->bodies[i].press_speed = 0;
    }
    b->moved = true;
}
