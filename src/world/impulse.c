/* impulse.c: what hits people. Impulses are collected in columns before the models decide, whoever they come from.
 * A model that takes impulses finds them there; everybody else's velocity changes by J / m. What has been taken shows
 * as a force over the step. */

#include <math.h>
#include <string.h>

#include "world/world.h"

static const double speed_most = 1000; /* m/s, the most that an impulse would add to somebody's speed */

/* Keeps an impulse within what somebody of that mass can bear in a computation. True when it was more. */
static bool bound_impulse(double mass, double *x, double *y) {
    double most = mass * speed_most, size = fmax(fabs(*x), fabs(*y));
    if (isfinite(size) && size <= 0.5 * most) return false; /* the usual case, without a root */
    double fx = isnan(*x) ? 0 : fmax(fmin(*x, 1e150), -1e150), fy = isnan(*y) ? 0 : fmax(fmin(*y, 1e150), -1e150);
    double length = sqrt(fx * fx + fy * fy), scale = length > most ? most / length : 1;
    bool more = scale < 1 || isnan(*x) || isnan(*y);
    *x = fx * scale;
    *y = fy * scale;
    return more;
}

void throng_world_add_impulse(throng_world *world, size_t row, throng_point impulse) {
    throng_columns *a = &world->agents;
    a->impulse_x[row] += impulse.x;
    a->impulse_y[row] += impulse.y;
    world->stats.impulses_bounded += bound_impulse(a->mass[row], &a->impulse_x[row], &a->impulse_y[row]);
    world->hit = true;
}

bool throng_world_push_agent(throng_world *world, throng_agent agent, throng_point impulse) {
    size_t row = throng_world_find_agent(world, agent);
    if (row == SIZE_MAX) return false;
    if (!isfinite(impulse.x) || !isfinite(impulse.y))
        return THRONG_REFUSE(world, "the impulse must be finite, not (%g, %g)", impulse.x, impulse.y);
    throng_world_add_impulse(world, row, impulse);
    return true;
}

/* Adds J / m to somebody's velocity, up to its maximal speed or the speed it has. */
static void change_velocity(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    double most = world->changes.zones.count > 0 ? a->limit_speed[row] : a->max_speed[row];
    double before = sqrt(a->vx[row] * a->vx[row] + a->vy[row] * a->vy[row]);
    double vx = a->vx[row] + a->impulse_x[row] / a->mass[row], vy = a->vy[row] + a->impulse_y[row] / a->mass[row];
    double speed = sqrt(vx * vx + vy * vy), limit = fmax(most, before);
    double scale = speed > limit ? limit / speed : 1;
    world->stats.impulses_bounded += scale < 1;
    a->vx[row] = vx * scale;
    a->vy[row] = vy * scale;
}

void throng_world_take_impulses(throng_world *world) {
    throng_columns *a = &world->agents;
    if (world->forces_shown) {
        double *forces[] = {a->force, a->force_x, a->force_y};
        for (size_t i = 0; i < 3; i++) memset(forces[i], 0, a->count * sizeof(double));
    }
    world->forces_shown = world->hit;
    for (size_t t = 0; t < world->team_count; t++) world->forces_shown |= world->teams[t].model->takes_impulses;
    if (world->forces_shown) throng_world_reset_loads(world);
    if (!world->hit) return;
    const throng_profile *profile = world->changes.zones.count > 0 ? a->acting : a->profile;
    for (size_t i = 0; i < a->count; i++) {
        double x = a->impulse_x[i], y = a->impulse_y[i];
        if (x == 0 && y == 0) continue;
        a->force[i] = sqrt(x * x + y * y) / world->dt;
        a->force_x[i] = x / world->dt;
        a->force_y[i] = y / world->dt;
        if (!world->profiles[profile[i]].model->takes_impulses) change_velocity(world, i);
    }
    throng_near_update_velocities(world->grid, a->vx, a->vy);
}

void throng_world_clear_impulses(throng_world *world) {
    throng_columns *a = &world->agents;
    if (world->forces_shown) throng_world_measure_loads(world);
    if (!world->hit) return;
    memset(a->impulse_x, 0, a->count * sizeof *a->impulse_x);
    memset(a->impulse_y, 0, a->count * sizeof *a->impulse_y);
    world->hit = false;
}
