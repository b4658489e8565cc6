/* collision_free_speed.c: the model `collision-free-speed`: a direction from repulsion, and a speed from the way that
 * is free in it (headway).
 *
 *     e = (e0 + sum_j R_j + sum_w R_w) / N       e0  direction of the wish, v0 its length, N: e has length 1
 *     R_j = -a exp((l - s) / D) e_j              s   distance of j, l = r + r_j, e_j direction to it; walls: l = r
 *     v = min(v0, max(0, (s - l) / T)) e         of the j nearest of those ahead: e.e_j >= 0, |e x e_j| s <= l
 *
 * A. Tordeux, M. Chraibi, A. Seyfried: Collision-free speed model for pedestrian dynamics. Traffic and Granular Flow
 * '15, 225-232, 2016. Walls, and that nobody sees through them, are as in JuPedSim, the authors' program. */

#include <stddef.h>

#include "models/look.h"
#include "models/models.h"

typedef struct speed_params {
    throng_look_params look;
    double headway_time, repulsion, range, wall_repulsion, wall_range;
} speed_params;

#define FIELD(name) offsetof(speed_params, name)

static const throng_param params[] = {
    {"headway_time", "s", "Time gap T: free way ahead over speed. JuPedSim's time_gap.", THRONG_PARAM_NUMBER, 0.05, 1,
     10, NULL, "Tordeux et al. 2016", FIELD(headway_time)},
    {"repulsion", "", "How much others turn one away: a.", THRONG_PARAM_NUMBER, 0, 8, 100, NULL, "JuPedSim 1.4",
     FIELD(repulsion)},
    {"range", "m", "Within which distance others do: D.", THRONG_PARAM_NUMBER, 0.001, 0.1, 10, NULL, "JuPedSim 1.4",
     FIELD(range)},
    {"wall_repulsion", "", "How much walls turn one away.", THRONG_PARAM_NUMBER, 0, 5, 100, NULL, "JuPedSim 1.4",
     FIELD(wall_repulsion)},
    {"wall_range", "m", "Within which distance walls do.", THRONG_PARAM_NUMBER, 0.001, 0.02, 10, NULL, "JuPedSim 1.4",
     FIELD(wall_range)},
    THRONG_LOOK_DIST(speed_params, 3, "JuPedSim 1.4"),
    THRONG_LOOK_SUBSTEP(speed_params, 0.01, "JuPedSim 1.4: its step"),
    THRONG_LOOK_WALL_RULE(speed_params),
};

static const throng_habit_default habits[] = {{"pace", 0, "off: it has a headway of its own"},
                                              {"symmetry", 1e-4, "as orca"}};

static throng_point push_away(const throng_other *other, double radii, double strength, double range) {
    double size = strength * throng_look_decay((radii - other->distance) / range);
    return throng_times(-size / other->distance, other->way);
}

static throng_point direction(const throng_step *step, uint32_t slot, throng_point ahead, const speed_params *p) {
    const throng_near *near = step->near;
    throng_point at = {near->x[slot], near->y[slot]}, sum = ahead;
    throng_other other, walls[THRONG_LOOK_WALLS];
    double reach = p->look.neighbour_dist, r = near->radius[slot];
    for (throng_look l = throng_look_around(near, slot, reach); throng_look_next(&l, &other);) {
        if (!throng_look_sees(step->walls, at, &other)) continue;
        sum = throng_plus(sum, push_away(&other, r + near->radius[other.slot], p->repulsion, p->range));
    }
    size_t count = throng_look_walls(step->walls, at, reach, (throng_wall_rule)p->look.walls, walls);
    for (size_t k = 0; k < count; k++)
        sum = throng_plus(sum, push_away(&walls[k], r, p->wall_repulsion, p->wall_range));
    throng_point e = throng_unit(sum);
    return e.x != 0 || e.y != 0 ? e : ahead;
}

/* The free way ahead, m. */
static double spacing(const throng_step *step, uint32_t slot, throng_point e, const speed_params *p) {
    const throng_near *near = step->near;
    throng_point at = {near->x[slot], near->y[slot]};
    throng_other other;
    double least = INFINITY;
    for (throng_look l = throng_look_around(near, slot, p->look.neighbour_dist); throng_look_next(&l, &other);) {
        double radii = near->radius[slot] + near->radius[other.slot], free = other.distance - radii;
        if (free >= least || throng_dot(e, other.way) < 0 || fabs(throng_cross(e, other.way)) > radii) continue;
        if (throng_look_sees(step->walls, at, &other)) least = free;
    }
    return least;
}

static void decide(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_substep *part = context;
    const throng_step *step = part->step;
    for (size_t k = begin; k < end; k++) {
        uint32_t slot = step->mine[k], row = step->near->row[slot];
        const speed_params *p = step->params[step->people.profile[row]];
        throng_point wish = {step->people.wish_x[row], step->people.wish_y[row]}, e = {0, 0};
        double speed = throng_length(wish);
        if (speed > 0) {
            e = direction(step, slot, throng_unit(wish), p);
            speed = fmin(speed, fmax(0, spacing(step, slot, e, p) / p->headway_time));
        }
        throng_substep_go(part, slot, e.x * speed + step->people.push_x[row] * step->dt,
                          e.y * speed + step->people.push_y[row] * step->dt);
    }
}

static bool prepare(void *state, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    throng_divided_prepare(state, setup, "collision-free-speed", throng_look_substep(setup->common));
    return true;
}

static void step_all(void *state, const throng_step *step) {
    throng_divided_step(state, step, throng_look_substep(step->common), decide, NULL);
}

const throng_model throng_model_collision_free_speed = {
    .name = "collision-free-speed",
    .title = "Collision-free speed model: a speed from the free way ahead",
    .citation =
        "A. Tordeux, M. Chraibi, A. Seyfried: Collision-free speed model for pedestrian dynamics. Traffic and Granular "
        "Flow '15, 225-232, 2016.",
    .default_dt = 0.01,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(speed_params),
    .step = step_all,
    .create = throng_look_create,
    .destroy = throng_look_destroy,
    .prepare = prepare,
    .reach = throng_look_reach,
    .habits = habits,
    .habit_count = sizeof habits / sizeof *habits,
    .common = throng_look_common,
    .divides = true,
    .own_headway = true,
};
