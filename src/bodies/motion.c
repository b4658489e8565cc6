/* motion.c: where things (rigid bodies) and their parts are, and what a blow does to them. */

#include "bodies/bodies.h"

throng_point3 throng_part_at(const throng_bodies *b, size_t part) {
    uint32_t owner = b->owner[part];
    return throng_sum3(b->objects[owner].at, throng_apply(&b->bodies[owner].rotation, b->parts[part].at));
}

throng_matrix throng_part_rotation(const throng_bodies *b, size_t part) {
    throng_matrix own = throng_rotation(b->parts[part].turn);
    return throng_product(&b->bodies[b->owner[part]].rotation, &own);
}

/* Half the edges of the upright box around a part. */
static throng_point3 half_box(const throng_bodies *b, size_t part) {
    const throng_part *p = &b->parts[part];
    if (p->kind == THRONG_PART_BALL) return (throng_point3){p->radius, p->radius, p->radius};
    throng_matrix m = throng_part_rotation(b, part);
    double half[3];
    for (int i = 0; i < 3; i++) {
        half[i] = 0.5 * (fabs(m.at[3 * i]) * p->size.x + fabs(m.at[3 * i + 1]) * p->size.y +
                         fabs(m.at[3 * i + 2]) * p->size.z);
    }
    return (throng_point3){half[0], half[1], half[2]};
}

void throng_body_settle(throng_bodies *b, size_t index) {
    const throng_object_state *object = &b->objects[index];
    throng_body *body = &b->bodies[index];
    b->sorted = false;
    body->rotation = throng_rotation(object->turn);
    body->low = (throng_point3){INFINITY, INFINITY, INFINITY};
    body->high = throng_scaled3(-1, body->low);
    for (uint32_t p = object->first_part; p < object->first_part + object->part_count; p++) {
        throng_point3 at = throng_part_at(b, p), half = half_box(b, p);
        throng_point3 low = throng_difference3(at, half), high = throng_sum3(at, half);
        b->part_low[p] = low;
        b->part_high[p] = high;
        body->low = (throng_point3){fmin(body->low.x, low.x), fmin(body->low.y, low.y), fmin(body->low.z, low.z)};
        body->high =
            (throng_point3){fmax(body->high.x, high.x), fmax(body->high.y, high.y), fmax(body->high.z, high.z)};
    }
}

double throng_bodies_fixed_top(const throng_bodies *b, throng_point at) {
    double top = 0;
    for (size_t i = 0; i < b->count && b->fixed_count > 0; i++) {
        const throng_object_state *o = &b->objects[i];
        const throng_body *body = &b->bodies[i];
        if (!o->fixed || at.x < body->low.x || at.x > body->high.x || at.y < body->low.y || at.y > body->high.y)
            continue;
        throng_meeting m;
        for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
            /* A needle where it stands. */
            if (throng_part_meets(b, p, (throng_point3){0, 0, -b->part_low[p].z}, at, 1e-6, 0, &m))
                top = fmax(top, b->part_high[p].z);
        }
    }
    return top;
}

/* ------------------------------------------------------------------ being hit */

void throng_body_wake(throng_bodies *b, size_t index) {
    if (b->objects[index].fixed) return;
    b->objects[index].awake = true;
    b->bodies[index].quiet = 0;
}

static bool cut(throng_point3 *v, double most) {
    double length = throng_length3(*v);
    if (length <= most) return false;
    *v = isfinite(length) ? throng_scaled3(most / length, *v) : (throng_point3){0, 0, 0};
    return true;
}

void throng_body_bound(throng_bodies *b, size_t index) {
    bool fast = cut(&b->objects[index].velocity, THRONG_OBJECT_SPEED_MOST),
         spins = cut(&b->objects[index].spin, THRONG_OBJECT_SPIN_MOST);
    b->bounded += fast || spins;
}

/* The inverse of the inertia as it is turned now, by a vector. */
static throng_point3 spun_by(const throng_body *body, throng_point3 v) {
    return throng_apply(&body->rotation, throng_apply(&body->inverse_inertia, throng_unapply(&body->rotation, v)));
}

void throng_body_hit(throng_bodies *b, size_t index, throng_point3 impulse, throng_point3 at) {
    throng_object_state *object = &b->objects[index];
    if (object->fixed) return;
    throng_point3 arm = throng_difference3(at, object->at);
    object->velocity = throng_sum3(object->velocity, throng_scaled3(1 / object->mass, impulse));
    object->spin = throng_sum3(object->spin, spun_by(&b->bodies[index], throng_cross3(arm, impulse)));
    throng_body_bound(b, index);
    throng_body_wake(b, index);
}

void throng_body_press(throng_bodies *b, size_t index, throng_point3 force, throng_point3 at, double speed) {
    throng_body *body = &b->bodies[index];
    if (b->objects[index].fixed) return;
    if (body->anchored) body->press_speed = fmax(body->press_speed, speed);
    body->force = throng_sum3(body->force, force);
    body->torque = throng_sum3(body->torque, throng_cross3(throng_difference3(at, b->objects[index].at), force));
    throng_body_wake(b, index);
}

double throng_body_yielding(const throng_bodies *b, size_t index, throng_point3 n, throng_point3 at) {
    const throng_object_state *object = &b->objects[index];
    throng_point3 turning = throng_cross3(throng_difference3(at, object->at), n);
    return 1 / object->mass + throng_dot3(turning, spun_by(&b->bodies[index], turning));
}

throng_point3 throng_body_velocity_at(const throng_bodies *b, size_t index, throng_point3 at) {
    const throng_object_state *object = &b->objects[index];
    return throng_sum3(object->velocity, throng_cross3(object->spin, throng_difference3(at, object->at)));
}
