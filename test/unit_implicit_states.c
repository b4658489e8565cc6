/* What `implicit`'s solver of choice makes of random states, mild ones and such as no run would come to: gaps of
 * millimetres, velocities that lead into others and walls, and outside forces. It never stalls, and ends no higher than
 * the solver of the paper does from standing still.
 *
 *     build/test/unit_implicit_states [STATES]       so many of each of twelve kinds; 834 make 10,000, in an hour or so
 */

#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "dice.h"
#include "models/implicit/implicit.h"
#include "models/models.h"
#include "space/near.h"
#include "space/walls.h"

enum { MOST = 60 };
static int states = 4;
static const double steep = 0.01; /* m/s^2: less is worth less than a millimetre per second */

typedef struct state {
    throng_step step;
    throng_implicit_params params;
    const void *params_of[1];
    double x[MOST], y[MOST], vx[MOST], vy[MOST], wish_x[MOST], wish_y[MOST], push_x[MOST], push_y[MOST], radius[MOST],
        speed[MOST], top[MOST], mass[MOST], next[4][MOST];
    throng_agent id[MOST];
    uint32_t slots[MOST], by_id[MOST];
    throng_profile profile[MOST];
    float kept[2 * MOST];
    void *columns[2];
    throng_near_grid *grid;
    throng_walls *walls;
    throng_place *place;
    throng_implicit *model;
    throng_crew *crew;
} state;

static bool is_free(const state *s, size_t count, double x, double y, double r) {
    for (size_t k = 0; k < count; k++) {
        if (hypot(x - s->x[k], y - s->y[k]) < r + s->radius[k]) return false;
    }
    return true;
}

/* People in a square of half so many metres; returns how many. */
static size_t put_people(state *s, dice *d, double half, bool harsh) {
    double gap = harsh ? pow(10, dice_between(d, -3, -1)) : 0.06, fast = harsh ? 2.5 : 0.4;
    size_t n = 0, many = (size_t)dice_between(d, 2, MOST);
    for (int tries = 0; tries < 4000 && n < many; tries++) {
        double r = harsh ? dice_between(d, 0.15, 0.4) : 0.25, room = half - r - gap;
        double x = dice_between(d, -room, room), y = dice_between(d, -room, room);
        if (!is_free(s, n, x, y, r + gap)) continue;
        double to = dice_between(d, 0, 6.283185307179586), is = dice_between(d, 0, 6.283185307179586);
        double v = dice_between(d, 0, fast);
        s->x[n] = x, s->y[n] = y, s->radius[n] = r, s->speed[n] = harsh ? dice_between(d, 0.5, 2) : 1.3;
        s->top[n] = 2 * s->speed[n], s->mass[n] = 80;
        s->vx[n] = v * cos(is), s->vy[n] = v * sin(is);
        s->wish_x[n] = s->speed[n] * cos(to), s->wish_y[n] = s->speed[n] * sin(to);
        if (harsh) s->push_x[n] = dice_between(d, -3, 3), s->push_y[n] = dice_between(d, -3, 3);
        s->id[n] = n + 1, s->slots[n] = s->by_id[n] = (uint32_t)n;
        n++;
    }
    return n;
}

static state *make_state(uint64_t seed, double dt, bool harsh, bool walled) {
    dice d = {seed * 7919 + harsh * 104729u + walled * 31u};
    state *s = calloc(1, sizeof *s);
    double half = dice_between(&d, 1.5, 4);
    size_t n = put_people(s, &d, half, harsh);
    s->columns[0] = s->kept, s->columns[1] = s->kept + MOST, s->params_of[0] = &s->params;
    s->crew = throng_crew_create(1);
    const throng_view people = {.count = n,
                                .id = s->id,
                                .x = s->x,
                                .y = s->y,
                                .vx = s->vx,
                                .vy = s->vy,
                                .wish_x = s->wish_x,
                                .wish_y = s->wish_y,
                                .push_x = s->push_x,
                                .push_y = s->push_y,
                                .radius = s->radius,
                                .desired_speed = s->speed,
                                .max_speed = s->top,
                                .mass = s->mass,
                                .profile = s->profile,
                                .by_id = s->by_id};
    s->step = (throng_step){.people = people,
                            .dt = dt,
                            .seed = 1,
                            .crew = s->crew,
                            .simd = true,
                            .columns = s->columns,
                            .params = s->params_of,
                            .common = &s->params,
                            .mine = s->slots,
                            .mine_count = n,
                            .next_x = s->next[0],
                            .next_y = s->next[1],
                            .next_vx = s->next[2],
                            .next_vy = s->next[3]};
    throng_point corners[4] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    throng_place_def def = throng_default_place_def();
    if (walled) def.walkable = (throng_ring){corners, 4};
    s->place = throng_place_create(&def, NULL);
    s->step.walls = s->walls = throng_walls_create(s->place);
    s->grid = throng_near_create();
    throng_near_reserve(s->grid, n);
    s->step.near = throng_near_build(s->grid, s->crew, &(throng_near_input){.people = people});
    s->model = throng_model_implicit.create();
    return s;
}

static void release(state *s) {
    throng_model_implicit.destroy(s->model);
    throng_near_destroy(s->grid);
    throng_walls_destroy(s->walls);
    throng_place_destroy(s->place);
    throng_crew_destroy(s->crew);
    free(s);
}

/* Solves, and lists all pairs around the answer. Returns the objective there. */
static double solve(state *f, int solver, double tolerance, double iterations) {
    throng_implicit *model = f->model;
    throng_implicit_solver *s = &model->solver;
    for (size_t i = 0; i < throng_model_implicit.param_count; i++) {
        const throng_param *param = &throng_model_implicit.params[i];
        *(double *)(void *)((char *)&f->params + param->offset) = param->fallback;
    }
    f->params.solver = solver, f->params.tolerance = tolerance, f->params.max_iterations = iterations;
    model->cache.count = 0; /* lists of the solve before do not serve */
    memset(f->kept, 0, sizeof f->kept);
    throng_implicit_begin(model, &f->step);
    throng_implicit_solve(&model->islands, s, &f->params);
    throng_implicit_unite(&model->islands, s);
    throng_implicit_look_at(s, model->walkers.mine, model->walkers.mine_count);
    return throng_implicit_trust_wholly(s);
}

/* Whether somebody could do better alone with a slightly different velocity. Walls act by the most threatening part of
 * each, so the least of the objective may lie where two are equal and the slope jumps. */
static bool can_be_improved(throng_implicit_solver *s, uint32_t slot, double value) {
    double x = s->motion.vx[slot], y = s->motion.vy[slot];
    bool better = false;
    for (int k = 0; k < 96 && !better; k++) {
        double h = pow(10, -3 - k / 32), turn = k % 32 * 6.283185307179586 / 32;
        s->motion.vx[slot] = x + h * cos(turn), s->motion.vy[slot] = y + h * sin(turn);
        better = throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 0) < value - steep * h;
    }
    s->motion.vx[slot] = x, s->motion.vy[slot] = y;
    return better;
}

/* Whether the solver has ended where there is a way down. */
static bool is_stalled(throng_implicit_solver *s, double value, double *slope) {
    double gx[MOST], gy[MOST];
    bool stalled = false;
    *slope = throng_implicit_residual(s);
    if (*slope < steep) return false;
    for (size_t k = 0; k < s->active.count; k++) {
        gx[k] = s->slopes.gx[s->active.who[k]], gy[k] = s->slopes.gy[s->active.who[k]];
    }
    for (size_t k = 0; k < s->active.count; k++) {
        if (hypot(gx[k], gy[k]) >= steep) stalled = stalled || can_be_improved(s, s->active.who[k], value);
    }
    return stalled;
}

typedef struct tally {
    int stalled, edges;       /* states that end so, and between two parts of a wall */
    double strictly, as_rule; /* sums of how much the objective is above the other's, as a part of it */
} tally;

static void try_state(state *s, tally *t) {
    double strict = solve(s, THRONG_IMPLICIT_NEWTON, 1e-8, 1000), slope;
    bool stalled = is_stalled(&s->model->solver, strict, &slope);
    t->stalled += stalled;
    t->edges += !stalled && slope >= steep;
    double other = solve(s, THRONG_IMPLICIT_LBFGS, 1e-9, 5000);
    t->strictly += (strict - other) / fabs(other);
    double rule = solve(s, THRONG_IMPLICIT_NEWTON, 5e-3, 40);
    other = solve(s, THRONG_IMPLICIT_LBFGS, 1e-5, 100);
    t->as_rule += (rule - other) / fabs(other);
}

static void goes_all_the_way(void **unused) {
    (void)unused;
    static const double dts[] = {0.1, 0.4, 1};
    for (int k = 0; k < 3; k++) {
        tally all = {0};
        for (int kind = 0; kind < 4; kind++) {
            tally t = {0};
            for (int n = 0; n < states; n++) {
                state *s = make_state((uint64_t)n + 1, dts[k], kind / 2, kind % 2);
                try_state(s, &t);
                release(s);
            }
            print_message(
                "dt %g, %s, %s: above lbfgs %+.5f to the end, %+.5f as a rule; stalled %d, at edges %d of %d\n", dts[k],
                kind / 2 ? "harsh" : "mild", kind % 2 ? "walls" : "open", t.strictly / states, t.as_rule / states,
                t.stalled, t.edges, states);
            assert_int_equal(t.stalled, 0);
            assert_true(kind % 2 || t.edges == 0);
            all.strictly += t.strictly, all.as_rule += t.as_rule;
        }
        assert_true(all.strictly <= 1e-3 * 4 * states);
        assert_true(all.as_rule <= 0);
    }
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_all_the_way)};
    if (count > 1) states = atoi(words[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
