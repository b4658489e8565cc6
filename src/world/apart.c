/* apart.c: people whose model promises that they never touch anybody or anything (`keeps_apart`).
 *
 * The promise is the model's as long as the world moves nothing into them:
 *
 *   - an obstacle under way goes on only as far as it stays clear of them over the whole step;
 *   - they see it coming, and wish to be out of its way (wish/make_way.c);
 *   - what comes back, and who appears, leaves them a little room. */

#include <math.h>

#include "base/vector.h"
#include "world/obstacle_gap.h"
#include "world/world.h"

static const double room = 0.01; /* m left around them: far more than rounding, too little to see */

bool throng_world_keeps_apart(const throng_world *world, throng_profile profile) {
    return world->profiles[profile].model->keeps_apart;
}

double throng_world_room_around(const throng_world *world, throng_profile profile) {
    return throng_world_keeps_apart(world, profile) ? room : 0;
}

bool throng_movable_is_occupied(const throng_world *world, const throng_movable *m, throng_point *who) {
    const throng_columns *a = &world->agents;
    throng_box box = throng_movable_box(m);
    for (size_t i = 0; i < a->count; i++) {
        throng_point at = {a->x[i], a->y[i]};
        double reach = a->radius[i] + throng_world_room_around(world, a->profile[i]);
        if (!throng_box_is_within(box, at, reach)) continue;
        if (throng_movable_gap(m, throng_minus(at, m->offset)).distance >= reach) continue;
        *who = at;
        return true;
    }
    return false;
}

/* --- obstacles under way */

/* The least room between somebody and an obstacle over the step, both going straight. m */
static double least_room(const throng_world *world, const throng_movable *m, throng_point share, size_t row) {
    const throng_columns *a = &world->agents;
    throng_point from = throng_minus((throng_point){a->x[row], a->y[row]}, m->offset);
    throng_point to = throng_minus((throng_point){a->next_x[row], a->next_y[row]}, throng_plus(m->offset, share));
    return throng_movable_distance(m, from, to) - a->radius[row];
}

/* Whether somebody keeps its room although the obstacle goes on; who stands nearer than that has come
 * there by itself. */
static bool is_spared(const throng_world *world, const throng_movable *m, throng_point share, size_t row) {
    double left = least_room(world, m, share, row);
    return left >= room || left >= least_room(world, m, (throng_point){0, 0}, row);
}

double throng_world_free_part(const throng_world *world, const throng_movable *m, throng_point share,
                              double longest_move, throng_point *stopped_by) {
    const throng_columns *a = &world->agents;
    throng_box box = throng_movable_box(m);
    box = throng_box_join(box, (throng_box){throng_plus(box.low, share), throng_plus(box.high, share)});
    double part = 1;
    for (size_t i = 0; i < a->count && part > 0; i++) {
        throng_point at = {a->x[i], a->y[i]};
        if (!throng_world_keeps_apart(world, a->profile[i])) continue;
        if (!throng_box_is_within(box, at, a->radius[i] + longest_move + room)) continue;
        while (part > 0 && !is_spared(world, m, throng_times(part, share), i)) {
            part = part > 1.0 / 64 ? part / 2 : 0;
            *stopped_by = at;
        }
    }
    return part;
}

bool throng_world_next_coming(const throng_world *world, size_t row, double reach, size_t *next, throng_coming *out) {
    const throng_columns *a = &world->agents;
    const throng_changes *c = &world->changes;
    if (!throng_world_keeps_apart(world, a->profile[row])) return false;
    throng_point at = {a->x[row], a->y[row]};
    while (*next < c->movable_count) {
        const throng_movable *m = &c->movables[(*next)++];
        if (!throng_movable_is_under_way(m)) continue;
        if (!throng_box_is_within(throng_movable_box(m), at, a->radius[row] + reach)) continue;
        throng_obstacle_gap gap = throng_movable_gap(m, throng_minus(at, m->offset));
        *out = (throng_coming){gap.distance - a->radius[row], gap.away, m->velocity};
        return true;
    }
    return false;
}
