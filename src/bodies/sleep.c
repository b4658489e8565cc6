/* sleep.c: things (rigid bodies) that lie still sleep and cost nothing, until something that moves touches them. Blocks
 * glued together sleep and wake together. */

#include "bodies/bodies.h"

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

void throng_bodies_spread_waking(throng_bodies *b) {
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

void throng_bodies_rest(throng_bodies *b) {
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
