/* things.c: people and things in a step; see things.h.
 *
 * Somebody and a thing that touch, or would within the step if both went on as they do, exchange an impulse
 * (002 eq. 14, with the term of rotation that the printed one lacks):
 *
 *     J = -(1 + e) (v_a - v_c) . n / (n_xy^2 / m_a + 1 / m_o + (r x n) . I^-1 (r x n))
 *
 * with n from the thing to the person, v_c the thing's velocity at the point of contact, r from its centre of mass to
 * there. What is vertical of it the floor takes up under the person's feet. Contacts are taken in the order of things
 * and people, each with the velocities that those before it have left, so no energy can come from nothing. */

#include "world/things.h"

#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/walls.h"
#include "world/world.h"

static const double restitution = 0.2;   /* of people and things: 002 is silent; a body is soft */
static const double least_change = 1e-3; /* m/s: what a sleeping thing does not wake up for */
static const double push_most = 500;     /* N, of somebody who leans on a thing: people push with 300 to 700 */
static const double touch = 2e-3;        /* m: who is nearer leans on it */
static const double soft = 0.1;          /* m that a body gives in when it runs into something */
static const double shove_most = 1e5;    /* N, of one person after another on one thing */
static const double hand_speed = 1.5;    /* m/s */
enum { SAMPLES_MOST = 32 };

size_t throng_things_rows(const throng_things *things) {
    return things->bodies ? throng_bodies_guests_most(things->bodies) : 0;
}

/* ------------------------------------------------------------------ guests */

static void make_room(throng_world *world) {
    throng_things *t = &world->things;
    throng_columns *a = &world->agents;
    if (a->capacity < a->count + t->bodies->guest_count) throng_world_make_room(world);
    if (t->shove_capacity < t->bodies->guest_count) {
        t->shove_capacity = throng_bodies_guests_most(t->bodies);
        t->shove_x = throng_reallocate(t->shove_x, t->shove_capacity * sizeof *t->shove_x);
        t->shove_y = throng_reallocate(t->shove_y, t->shove_capacity * sizeof *t->shove_y);
    }
    if (t->scratch_capacity < t->bodies->count) {
        t->scratch_capacity = t->bodies->capacity;
        t->was = throng_reallocate(t->was, t->scratch_capacity * sizeof *t->was);
        t->stirred = throng_reallocate(t->stirred, t->scratch_capacity);
    }
    if (t->mark_capacity < t->bodies->part_count) {
        t->mark_capacity = t->bodies->part_capacity;
        t->marks = throng_reallocate(t->marks, t->mark_capacity);
        t->near_parts = throng_reallocate(t->near_parts, t->mark_capacity * sizeof *t->near_parts);
    }
}

static void write_velocity(throng_world *world, size_t guest) {
    const throng_bodies *b = world->things.bodies;
    const throng_guest *g = &b->guests[guest];
    const throng_object_state *o = &b->objects[g->body];
    throng_point3 v = throng_body_velocity_at(b, g->body, throng_sum3(o->at, g->offset));
    throng_columns *a = &world->agents;
    size_t row = a->count + guest;
    a->vx[row] = v.x;
    a->vy[row] = v.y;
    a->next_x[row] = a->x[row] + v.x * world->dt;
    a->next_y[row] = a->y[row] + v.y * world->dt;
}

void throng_world_seat_guests(throng_world *world) {
    throng_things *t = &world->things;
    throng_columns *a = &world->agents;
    t->guest_count = 0;
    if (!t->bodies || t->bodies->count == 0) return;
    if (t->bodies->glue_changed) throng_bodies_find_components(t->bodies); /* what stands bears blows otherwise */
    throng_bodies_find_guests(t->bodies);
    make_room(world);
    t->guest_count = t->bodies->guest_count;
    for (size_t g = 0; g < t->guest_count; g++) {
        const throng_guest *guest = &t->bodies->guests[g];
        size_t row = a->count + g;
        a->id[row] = 0;
        a->x[row] = guest->at.x;
        a->y[row] = guest->at.y;
        a->radius[row] = guest->radius;
        a->mass[row] = t->bodies->objects[guest->body].mass;
        a->group[row] = 0;
        a->profile[row] = a->acting[row] = (throng_profile)world->profile_count; /* nobody's */
        a->desired_speed[row] = a->max_speed[row] = a->limit_speed[row] = 0;
        a->wish_x[row] = a->wish_y[row] = a->push_x[row] = a->push_y[row] = 0;
        a->impulse_x[row] = a->impulse_y[row] = 0;
        write_velocity(world, g);
        t->shove_x[g] = t->shove_y[g] = 0;
    }
}

/* ------------------------------------------------------------------ who is near a part */

void throng_things_each_near(const throng_world *world, size_t part, double reach, throng_meet_function meet,
                             void *context) {
    const throng_near *near = world->near;
    const throng_bodies *b = world->things.bodies;
    throng_point3 low = b->part_low[part], high = b->part_high[part];
    reach += near->radius_max;
    int32_t left = throng_near_column(near, low.x - reach), right = throng_near_column(near, high.x + reach);
    int32_t top = throng_near_row(near, high.y + reach);
    for (int32_t r = throng_near_row(near, low.y - reach); r <= top; r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            if (near->row[k] >= world->agents.count) continue;
            if (near->x[k] < low.x - reach || near->x[k] > high.x + reach || near->y[k] < low.y - reach ||
                near->y[k] > high.y + reach)
                continue;
            meet(context, part, near->row[k]);
        }
    }
}

/* ------------------------------------------------------------------ impulses */

static throng_point velocity_of(const throng_columns *a, size_t row) {
    return (throng_point){a->vx[row] + a->impulse_x[row] / a->mass[row], a->vy[row] + a->impulse_y[row] / a->mass[row]};
}

/* When and where somebody and a part first touch within the step, if they go on as they do. */
static bool find_meeting(const throng_world *world, size_t part, size_t row, throng_meeting *out) {
    const throng_columns *a = &world->agents;
    const throng_bodies *b = world->things.bodies;
    size_t body = b->owner[part];
    throng_point3 moves = throng_scaled3(world->dt, b->objects[body].velocity);
    throng_point v = velocity_of(a, row), way = {v.x * world->dt, v.y * world->dt};
    throng_point3 apart = {way.x - moves.x, way.y - moves.y, -moves.z};
    double length = throng_length3(apart), stride = 0.5 * fmin(a->radius[row], b->bodies[body].least_half);
    size_t samples = (size_t)fmin(ceil(length / stride), SAMPLES_MOST);
    for (size_t s = 0; s <= samples; s++) {
        double t = samples ? (double)s / (double)samples : 0;
        throng_point3 shift = throng_scaled3(t, moves);
        throng_point at = {a->x[row] + t * way.x, a->y[row] + t * way.y};
        if (!throng_part_meets(b, part, shift, at, a->radius[row], 0, out)) continue;
        out->at = throng_difference3(out->at, shift);
        return true;
    }
    return false;
}

/* Whether somebody stands at a part, or was pushed back from there in the last step and comes again: the speed it has
 * towards it is only what it wants. */
static bool leans_on(const throng_world *world, size_t part, size_t row, const throng_meeting *m) {
    const throng_columns *a = &world->agents;
    throng_meeting now;
    return a->force_x[row] * m->n.x + a->force_y[row] * m->n.y > 0 ||
           throng_part_meets(world->things.bodies, part, (throng_point3){0, 0, 0}, (throng_point){a->x[row], a->y[row]},
                             a->radius[row], touch, &now);
}

/* The most that somebody gives to a part of its own doing in this step, N s, beside what it has given to others in that
 * direction: who leans on it pushes, no harder than people can; who runs up to what stands firm is stopped over the
 * depth that a body is soft. Not so where a model knows forces: there who is at a thing hands on those of the crowd. */
static double most_given(const throng_world *world, size_t part, size_t row, const throng_meeting *m, double own) {
    const throng_columns *a = &world->agents;
    const throng_bodies *b = world->things.bodies;
    if (world->profiles[a->profile[row]].model->takes_impulses) return INFINITY;
    double force = INFINITY, had = a->impulse_x[row] * m->n.x + a->impulse_y[row] * m->n.y;
    if (b->bodies[b->owner[part]].anchored) force = a->mass[row] * own * own / (2 * soft);
    if (leans_on(world, part, row, m)) force = push_most;
    return fmax(force * world->dt - had, 0);
}

static void exchange(throng_world *world, size_t part, size_t row, const throng_meeting *m) {
    throng_columns *a = &world->agents;
    throng_bodies *b = world->things.bodies;
    size_t body = b->owner[part];
    throng_point v = velocity_of(a, row);
    double own = v.x * m->n.x + v.y * m->n.y, its = throng_dot3(throng_body_velocity_at(b, body, m->at), m->n);
    if (own >= its) return;
    double level2 = m->n.x * m->n.x + m->n.y * m->n.y;
    /* A block of a wall that stands does not yield as a loose one would: its bonds have to bear the blow. */
    bool held = b->bodies[body].anchored;
    double yielding = level2 / a->mass[row] + (held ? 0 : throng_body_yielding(b, body, m->n, m->at));
    double impulse = (1 + restitution) * (its - own) / yielding;
    double given = fmin((1 + restitution) * fmax(-own, 0) / yielding, impulse); /* of that, of the person's own doing */
    impulse += fmin(most_given(world, part, row, m, own) - given, 0);
    if (!b->objects[body].awake && impulse / b->objects[body].mass < least_change) return;
    throng_world_add_impulse(world, row, (throng_point){impulse * m->n.x, impulse * m->n.y});
    if (held) {
        throng_body_press(b, body, throng_scaled3(-impulse / world->dt, m->n), m->at, (1 + restitution) * (its - own));
    } else {
        throng_body_hit(b, body, throng_scaled3(-impulse, m->n), m->at);
    }
}

static void meet(void *context, size_t part, size_t row) {
    throng_world *world = context;
    throng_meeting found;
    if (find_meeting(world, part, row, &found)) exchange(world, part, row, &found);
}

static double fastest_person(const throng_columns *a) {
    double most2 = 0;
    for (size_t i = 0; i < a->count; i++) most2 = fmax(most2, a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]);
    return sqrt(most2);
}

/* Finds the parts that somebody can come near in this step. Where people are few, they are asked and not the parts. */
static void find_near_parts(throng_world *world, double walks) {
    const double margin = 0.5; /* m, for what is thrown or hit within the step */
    throng_things *t = &world->things;
    throng_bodies *b = t->bodies;
    const throng_columns *a = &world->agents;
    bool few = a->count * 8 < b->part_count;
    memset(t->marks, few ? 0 : 1, b->part_count);
    if (few) {
        double flies = 0;
        for (size_t i = 0; i < b->count; i++)
            flies = fmax(flies, throng_dot3(b->objects[i].velocity, b->objects[i].velocity));
        double reach = walks + sqrt(flies) * world->dt + margin;
        throng_pairs_sort(b);
        for (size_t i = 0; i < a->count; i++) {
            double far = reach + a->radius[i];
            throng_pairs_mark(b, (throng_point){a->x[i] - far, a->y[i] - far},
                              (throng_point){a->x[i] + far, a->y[i] + far}, t->marks);
        }
    }
    t->near_count = 0;
    for (size_t p = 0; p < b->part_count; p++) {
        if (t->marks[p] && !b->objects[b->owner[p]].fixed) t->near_parts[t->near_count++] = (uint32_t)p;
    }
}

void throng_world_meet_things(throng_world *world) {
    throng_things *t = &world->things;
    throng_bodies *b = t->bodies;
    if (t->guest_count > 0) throng_near_mark_moved(world->grid, world->agents.count, t->guest_count);
    if (!b || b->count == 0 || world->agents.count == 0) return;
    double walks = fastest_person(&world->agents) * world->dt;
    find_near_parts(world, walks);
    for (size_t k = 0; k < t->near_count; k++) {
        size_t p = t->near_parts[k];
        double reach = walks + throng_length3(b->objects[b->owner[p]].velocity) * world->dt;
        if (b->part_low[p].z - reach <= THRONG_PERSON_HEIGHT) throng_things_each_near(world, p, reach, meet, world);
    }
    for (size_t g = 0; g < t->guest_count; g++) {
        if (b->objects[b->guests[g].body].awake) write_velocity(world, g);
    }
}

/* ------------------------------------------------------------------ the step */

static void take_shoves(throng_world *world) {
    throng_things *t = &world->things;
    throng_bodies *b = t->bodies;
    for (size_t g = 0; g < t->guest_count; g++) {
        throng_point3 force = {t->shove_x[g], t->shove_y[g], 0};
        double size = throng_length3(force);
        if (size == 0) continue;
        if (!(size <= shove_most)) {
            force = isfinite(size) ? throng_scaled3(shove_most / size, force) : (throng_point3){0, 0, 0};
            b->bounded++;
        }
        throng_body *body = &b->bodies[b->guests[g].body];
        /* Hands push nothing faster than they move. */
        const throng_object_state *o = &b->objects[b->guests[g].body];
        throng_point3 has = throng_sum3(o->velocity, throng_scaled3(world->dt / o->mass, body->force));
        double speed = throng_dot3(has, force) / throng_length3(force);
        double most = o->mass * fmax(0, hand_speed - speed) / world->dt;
        if (!body->anchored && most < throng_length3(force))
            force = throng_scaled3(most / throng_length3(force), force);
        throng_body_press(b, b->guests[g].body, force, throng_sum3(o->at, b->guests[g].offset), hand_speed);
    }
}

void throng_world_step_things(throng_world *world) {
    throng_things *t = &world->things;
    throng_bodies *b = t->bodies;
    if (!b || b->count == 0) return;
    take_shoves(world);
    for (size_t i = 0; i < b->count; i++) {
        const throng_object_state *o = &b->objects[i];
        t->was[i] = (throng_motion){o->at, o->turn, o->velocity, o->spin};
    }
    throng_bodies_step(b, world->walls, world->dt);
    throng_world_keep_people_out(world);
    world->stats.objects_bounded += b->bounded;
    world->stats.bonds_broken += b->broken;
    world->stats.oddities += b->odd;
    world->stats.engine_ms += b->engine_ms;
    b->bounded = b->broken = b->odd = 0;
    b->engine_ms = 0;
}

bool throng_world_is_thing_at(const throng_world *world, throng_point at, double radius) {
    const throng_bodies *b = world->things.bodies;
    throng_meeting m;
    for (size_t p = 0; b && p < b->part_count; p++) {
        if (!b->objects[b->owner[p]].fixed && throng_part_meets(b, p, (throng_point3){0, 0, 0}, at, radius, 0, &m))
            return true;
    }
    return false;
}
