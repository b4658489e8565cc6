/* social_force.c: the model `social-force`: people are driven by their wish and pushed by others and by walls.
 *
 *     a = (v0 e0 - v) / tau + (sum_j f_j + sum_w f_w) / m
 *     f_j = (A w exp((l - d) / B) + k g) n + kappa g ((v_j - v).t) t       l = r + r_j, d distance, g = max(0, l - d)
 *     f_w = (A exp((r - d) / B) + k g) n - kappa_w g (v.t) t               n away from j or the wall, t left of n
 *     w = lambda + (1 - lambda) (1 + cos) / 2                              angle between the way one goes and that to j
 *
 * D. Helbing, I. Farkas, T. Vicsek: Simulating dynamical features of escape panic. Nature 407, 487-490, 2000; w: D.
 * Helbing, I. Farkas, P. Molnar, T. Vicsek: Simulation of pedestrian crowds in normal and evacuation situations.
 * Pedestrian and Evacuation Dynamics, 21-58, 2002. */

#include <stddef.h>

#include "models/look.h"
#include "models/models.h"

typedef struct force_params {
    throng_look_params look;
    double relaxation_time, strength, wall_strength, range, stiffness, friction, wall_friction, isotropy;
} force_params;

#define FIELD(name)  offsetof(force_params, name)
#define HELBING_2000 "Helbing, Farkas, Vicsek 2000"

static const throng_param params[] = {
    {"relaxation_time", "s", "How fast the velocity returns to the wish: tau.", THRONG_PARAM_NUMBER, 0.01, 0.5, 100,
     NULL, HELBING_2000, FIELD(relaxation_time)},
    {"strength", "N", "Repulsion of others who touch: A.", THRONG_PARAM_NUMBER, 0, 2000, 1e6, NULL, HELBING_2000,
     FIELD(strength)},
    {"wall_strength", "N", "The same of walls.", THRONG_PARAM_NUMBER, 0, 2000, 1e6, NULL, HELBING_2000,
     FIELD(wall_strength)},
    {"range", "m", "Way in which it drops to 1/e: B.", THRONG_PARAM_NUMBER, 0.001, 0.08, 10, NULL, HELBING_2000,
     FIELD(range)},
    {"stiffness", "kg/s^2", "Of bodies that are pressed: k.", THRONG_PARAM_NUMBER, 0, 1.2e5, 1e7, NULL, HELBING_2000,
     FIELD(stiffness)},
    {"friction", "kg/(m s)", "Of bodies that slide along each other: kappa.", THRONG_PARAM_NUMBER, 0, 2.4e5, 1e7, NULL,
     HELBING_2000, FIELD(friction)},
    {"wall_friction", "kg/(m s)", "The same along walls; JuPedSim 1.4 has it with the other sign.", THRONG_PARAM_NUMBER,
     -1e7, 2.4e5, 1e7, NULL, HELBING_2000, FIELD(wall_friction)},
    {"isotropy", "", "Share of the repulsion of who is behind: lambda. 1: as of who is ahead.", THRONG_PARAM_NUMBER, 0,
     1, 1, NULL, "Helbing, Farkas, Vicsek 2000: 1. Helbing et al. 2002: less", FIELD(isotropy)},
    THRONG_LOOK_DIST(force_params, 2.5, "JuPedSim 1.4"),
    THRONG_LOOK_SUBSTEP(force_params, 0.01, "JuPedSim 1.4: its step"),
    THRONG_LOOK_WALL_RULE(force_params),
};

static const throng_habit_default habits[] = {{"symmetry", 1e-4, "as orca"}};

/* What a body or wall does to somebody: `slip` is its velocity with regard to one's own, m/s. N */
static throng_point push(const force_params *p, const throng_other *other, double radii, double strength,
                         double friction, throng_point slip) {
    throng_point n = throng_times(-1 / other->distance, other->way), t = {-n.y, n.x};
    double depth = fmax(0, radii - other->distance);
    double along = strength * throng_look_decay((radii - other->distance) / p->range) + p->stiffness * depth;
    return throng_plus(throng_times(along, n), throng_times(friction * depth * throng_dot(slip, t), t));
}

static throng_point force_on(const throng_step *step, uint32_t slot, throng_point v, throng_point wish,
                             const force_params *p) {
    const throng_near *near = step->near;
    throng_point at = {near->x[slot], near->y[slot]}, sum = {0, 0};
    throng_point e = throng_unit(throng_dot(v, v) > 0 ? v : wish);
    throng_other other, walls[THRONG_LOOK_WALLS];
    double reach = p->look.neighbour_dist, r = near->radius[slot];
    for (throng_look l = throng_look_around(near, slot, reach); throng_look_next(&l, &other);) {
        throng_point slip = {near->vx[other.slot] - v.x, near->vy[other.slot] - v.y};
        double ahead = 0.5 * (1 + throng_dot(e, other.way) / other.distance);
        double strength = p->strength * (p->isotropy + (1 - p->isotropy) * ahead);
        sum = throng_plus(sum, push(p, &other, r + near->radius[other.slot], strength, p->friction, slip));
    }
    size_t count = throng_look_walls(step->walls, at, reach, (throng_wall_rule)p->look.walls, walls);
    for (size_t k = 0; k < count; k++) {
        throng_point slip = {-v.x, -v.y};
        sum = throng_plus(sum, push(p, &walls[k], r, p->wall_strength, p->wall_friction, slip));
    }
    return sum;
}

static void decide(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_substep *part = context;
    const throng_step *step = part->step;
    for (size_t k = begin; k < end; k++) {
        uint32_t slot = step->mine[k], row = step->near->row[slot];
        const force_params *p = step->params[step->people.profile[row]];
        throng_point v = {step->near->vx[slot], step->near->vy[slot]};
        throng_point wish = {step->people.wish_x[row], step->people.wish_y[row]};
        throng_point f = throng_times(1 / step->people.mass[row], force_on(step, slot, v, wish, p));
        double ax = (wish.x - v.x) / p->relaxation_time + f.x + step->people.push_x[row];
        double ay = (wish.y - v.y) / p->relaxation_time + f.y + step->people.push_y[row];
        throng_substep_go(part, slot, v.x + ax * step->dt, v.y + ay * step->dt);
    }
}

static bool prepare(void *state, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    throng_divided_prepare(state, setup, "social-force", throng_look_substep(setup->common));
    return true;
}

static void step_all(void *state, const throng_step *step) {
    throng_divided_step(state, step, throng_look_substep(step->common), decide, NULL);
}

const throng_model throng_model_social_force = {
    .name = "social-force",
    .title = "Social force model: driven by the wish, pushed by others and walls",
    .citation =
        "D. Helbing, I. Farkas, T. Vicsek: Simulating dynamical features of escape panic. Nature 407, 487-490, 2000.",
    .default_dt = 0.01,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(force_params),
    .step = step_all,
    .create = throng_look_create,
    .destroy = throng_look_destroy,
    .prepare = prepare,
    .reach = throng_look_reach,
    .habits = habits,
    .habit_count = sizeof habits / sizeof *habits,
    .common = throng_look_common,
    .divides = true,
};
