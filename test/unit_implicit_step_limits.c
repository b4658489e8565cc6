/* How far steps of `implicit` go, and lists that are made anew only for some. */

#include "model_params.h"
#include "testing.h"
/* after cmocka */
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "base/crew.h"
#include "dice.h"
#include "models/implicit/implicit.h"
#include "models/models.h"
#include "space/near.h"
#include "space/walls.h"

enum { PEOPLE = 150, COLUMNS = 16 };

/* People in an open place at the beginning of a step. */
typedef struct crowd {
    throng_step step;
    throng_near_grid *grid;
    throng_crew *crew;
    throng_implicit_params params;
    const void *params_of[1];
    double column[COLUMNS][PEOPLE];
    throng_agent id[PEOPLE];
    uint32_t slots[PEOPLE];
    throng_profile profile[PEOPLE];
    throng_implicit *model;
} crowd;

enum { X, Y, VX, VY, WISH_X, WISH_Y, RADIUS, SPEED, MOST, NOTHING, NEXT_X, NEXT_Y, NEXT_VX, NEXT_VY };

static const throng_walls none;

static void begin(crowd *c, size_t count, bool simd) {
    for (size_t k = 0; k < count; k++) {
        c->id[k] = k + 1;
        c->slots[k] = (uint32_t)k;
        c->column[RADIUS][k] = 0.25;
        c->column[SPEED][k] = 1.3;
        c->column[MOST][k] = 2;
    }
    c->crew = throng_crew_create(1);
    c->grid = throng_near_create();
    throng_near_reserve(c->grid, count);
    fill_params(&throng_model_implicit, &c->params, NULL, 0);
    c->params_of[0] = &c->params;
    throng_near_input in = {.people = {.count = count,
                                       .x = c->column[X],
                                       .y = c->column[Y],
                                       .vx = c->column[VX],
                                       .vy = c->column[VY],
                                       .radius = c->column[RADIUS]}};
    c->step = (throng_step){.dt = 0.1,
                            .seed = 1,
                            .people.count = count,
                            .people.id = c->id,
                            .crew = c->crew,
                            .simd = simd,
                            .people.x = c->column[X],
                            .people.y = c->column[Y],
                            .people.vx = c->column[VX],
                            .people.vy = c->column[VY],
                            .people.wish_x = c->column[WISH_X],
                            .people.wish_y = c->column[WISH_Y],
                            .people.radius = c->column[RADIUS],
                            .people.desired_speed = c->column[SPEED],
                            .people.max_speed = c->column[MOST],
                            .people.push_x = c->column[NOTHING],
                            .people.push_y = c->column[NOTHING],
                            .people.mass = c->column[NOTHING],
                            .next_x = c->column[NEXT_X],
                            .next_y = c->column[NEXT_Y],
                            .next_vx = c->column[NEXT_VX],
                            .next_vy = c->column[NEXT_VY],
                            .people.profile = c->profile,
                            .params = c->params_of,
                            .common = &c->params,
                            .near = throng_near_build(c->grid, c->crew, &in),
                            .walls = &none,
                            .mine = c->slots,
                            .people.by_id = c->slots,
                            .mine_count = count};
    c->model = throng_model_implicit.create();
    throng_implicit_begin(c->model, &c->step);
}

static void end(crowd *c) {
    throng_model_implicit.destroy(c->model);
    throng_near_destroy(c->grid);
    throng_crew_destroy(c->crew);
}

/* On a lattice, so that nobody overlaps, and in all directions. */
static void scatter(crowd *c, dice *d) {
    memset(c, 0, sizeof *c);
    for (size_t k = 0; k < PEOPLE; k++) {
        c->column[X][k] = (double)(k % 15) * 0.9 + dice_between(d, -0.15, 0.15);
        c->column[Y][k] = (double)(k / 15) * 0.9 + dice_between(d, -0.15, 0.15);
        c->column[VX][k] = dice_between(d, -1, 1);
        c->column[VY][k] = dice_between(d, -1, 1);
        c->column[WISH_X][k] = dice_between(d, -1, 1);
        c->column[WISH_Y][k] = dice_between(d, -1, 1);
    }
}

/* Lists of those who have changed much, made again: at velocities that are trusted nothing is left out. */
static void what_is_left_out_is_nothing(void **unused) {
    (void)unused;
    static crowd c;
    dice d = {7};
    size_t finite = 0;
    for (int round = 0; round < 40; round++) {
        scatter(&c, &d);
        begin(&c, PEOPLE, round % 2);
        throng_implicit_solver *s = &c.model->solver;
        assert_true(throng_implicit_make_feasible(s) < INFINITY);
        for (int again = 0; again < 3; again++) {
            for (size_t k = 0; k < PEOPLE; k++) {
                s->motion.dirty[k] = dice_between(&d, 0, 1) < 0.1;
                if (!s->motion.dirty[k]) continue;
                s->motion.vx[k] += dice_between(&d, -0.2, 0.2);
                s->motion.vy[k] += dice_between(&d, -0.2, 0.2);
                s->motion.trust[k] = dice_between(&d, 0.05, 0.3);
            }
            throng_implicit_list_dirty(s);
        }
        double vx[PEOPLE], vy[PEOPLE], slope_x[PEOPLE], slope_y[PEOPLE];
        for (size_t k = 0; k < PEOPLE; k++) {
            double turn = dice_between(&d, 0, 6.283185307179586), much = 0.999 * s->motion.trust[k];
            vx[k] = s->motion.ref_x[k] + much * cos(turn);
            vy[k] = s->motion.ref_y[k] + much * sin(turn);
        }
        double listed = throng_implicit_evaluate(s, vx, vy, 1);
        memcpy(slope_x, s->slopes.gx, sizeof slope_x);
        memcpy(slope_y, s->slopes.gy, sizeof slope_y);
        for (size_t k = 0; k < PEOPLE; k++) s->motion.trust[k] = s->walkers->cap[k];
        throng_implicit_list_around(s, true);
        double all = throng_implicit_evaluate(s, vx, vy, 1);
        if (all < INFINITY) {
            finite++;
            assert_near(listed, all, 1e-9 * all);
            for (size_t k = 0; k < PEOPLE; k++) {
                assert_near(slope_x[k], s->slopes.gx[k], 1e-7 * (1 + fabs(s->slopes.gx[k])));
                assert_near(slope_y[k], s->slopes.gy[k], 1e-7 * (1 + fabs(s->slopes.gy[k])));
            }
        }
        assert_true((listed < INFINITY) == (all < INFINITY));
        end(&c);
    }
    print_message("%zu of 40 finite\n", finite);
    assert_true(finite > 10);
}

static size_t slot_of(const crowd *c, size_t row) { return c->step.near->slot[row]; }

/* Two walk side by side, and a step would let them meet: they take a part of it, and a third one all of its own. */
static void who_comes_to_approach_holds_up_nobody_else(void **unused) {
    (void)unused;
    for (int simd = 0; simd < 2; simd++) {
        static crowd c;
        memset(&c, 0, sizeof c);
        const double at[3][2] = {{0, 0}, {0, 0.6}, {5, 0}};
        for (size_t k = 0; k < 3; k++) {
            c.column[X][k] = at[k][0];
            c.column[Y][k] = at[k][1];
            c.column[VX][k] = c.column[WISH_X][k] = 1;
        }
        begin(&c, 3, simd);
        throng_implicit_solver *s = &c.model->solver;
        size_t low = slot_of(&c, 0), high = slot_of(&c, 1), alone = slot_of(&c, 2);
        assert_true(throng_implicit_make_feasible(s) < INFINITY);
        const double push = 0.2; /* m/s: in a step they come by 4 cm nearer, of 10 */
        s->search.step_x[low] = s->search.step_x[high] = s->search.step_x[alone] = 0;
        s->search.step_y[low] = push, s->search.step_y[high] = -push, s->search.step_y[alone] = push;
        s->slopes.gx[low] = s->slopes.gx[high] = s->slopes.gx[alone] = 0;
        s->slopes.gy[low] = -1, s->slopes.gy[high] = 1, s->slopes.gy[alone] = -1;
        throng_implicit_limit_step(s);
        assert_true(s->search.step_y[alone] == push);
        assert_true(s->search.step_y[low] > 0 && s->search.step_y[low] < 0.6 * push);
        assert_true(s->search.step_y[low] == -s->search.step_y[high]);
        double before = s->kernel->pair_term(&s->walkers->law, 0, 0.6, 0.5, 0, 2 * push, THRONG_TTC, 0).energy;
        double after = s->kernel
                           ->pair_term(&s->walkers->law, 0, 0.6, 0.5, 0, s->search.step_y[low] - s->search.step_y[high],
                                       THRONG_TTC, 0)
                           .energy;
        print_message("step %.3f of %.1f m/s, costs %.3f instead of %.3f\n", s->search.step_y[low], push, after,
                      before);
        assert_true(after < 0.2 && before > 1); /* the two are promised 0.4, and may lose a quarter of it */
        end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_is_nothing),
        cmocka_unit_test(who_comes_to_approach_holds_up_nobody_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
