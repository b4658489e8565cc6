/* The habit `squeeze`: bodies that give way in a press, whichever model moves them. */

#include "checkpoint_common.h"
#include "world/world.h"

static const double body = 0.2, squeeze = 0.3, dt = 0.05;

static throng_world *make(const char *text, int threads) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, threads);
}

/* Two people before two who stand, between walls so far apart; `more` are others. */
static throng_world *held_up(double width, const char *params, const char *more) {
    static char text[2000];
    snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"name\": \"squeeze\", \"duration\": 1000, \"dt\": %g, \"planner\": \"straight\", "
        "\"model\": {\"name\": \"orca\", \"params\": {\"squeeze\": %g%s}}, "
        "\"walkable_area\": [[0, 0], [20, 0], [20, %g], [0, %g]], \"goals\": {\"e\": {\"direction\": [1, 0]}}, "
        "\"agents\": [{\"at\": [5, 1], \"goal\": \"e\"}, {\"at\": [5, 2], \"goal\": \"e\", \"desired_speed\": 0}%s]}",
        dt, squeeze, params, width, width, more);
    return make(text, 1);
}

static void expect_close(double a, double b) {
    if (!(fabs(a - b) < 1e-9)) fail_msg("%.15g instead of %.15g", a, b);
}

static void hold(throng_world *world, int steps) {
    for (int k = 0; k < steps; k++) {
        world->agents.vx[0] = 0;
        run(world, 1);
        world->agents.x[0] = 5;
        world->agents.y[0] = 1;
    }
}

/* Within a second as narrow as it gets, within two as wide as it was; by body (1 - squeeze q). */
static void narrower_for_a_while(void **unused) {
    (void)unused;
    throng_world *world = held_up(10, "", "");
    hold(world, 10);
    expect_close(throng_world_view(world).radius[0], body * (1 - squeeze * 10 * dt));
    hold(world, 30);
    expect_close(throng_world_view(world).radius[0], body * (1 - squeeze));
    expect_close(throng_world_view(world).radius[1], body); /* it wishes nothing */
    run(world, 20);
    double q = 1 - 20 * dt / 2;
    expect_close(throng_world_view(world).radius[0], body * (1 - squeeze * q));
    run(world, 30);
    expect_close(throng_world_view(world).radius[0], body);
    expect_close(world->agents.body[0], body);
    throng_world_destroy(world);
}

/* In a corridor everybody keeps its place and its width; in the open, and beside one wall, nobody does. */
static double width_after(double width, const char *params, double walks) {
    throng_world *world = held_up(width, params, "");
    for (int k = 0; k < 30; k++) {
        world->agents.vx[0] = walks;
        run(world, 1);
        world->agents.x[0] = 5;
    }
    double radius = throng_world_view(world).radius[0];
    throng_world_destroy(world);
    return radius;
}

static void only_in_the_open(void **unused) {
    (void)unused;
    double narrow = body * (1 - squeeze);
    expect_close(width_after(5.2, "", 0), body);
    expect_close(width_after(5.4, "", 0), narrow);
    expect_close(width_after(2.5, ", \"press_width\": 2", 0), narrow);
    expect_close(width_after(10, "", 0.49 * 1.34), narrow);
    expect_close(width_after(10, "", 0.51 * 1.34), body);
}

/* Who is pressed leaves less way free before it starts, and looks to both sides. */
static void pressed_people_close_up(void **unused) {
    (void)unused;
    static const char pace[] = ", \"pace\": true, \"look_aside\": 1.5, \"symmetry\": 0";
    const double widths[] = {10, 3.9}, free = 0.5 * 1.34;
    for (int k = 0; k < 4; k++) {
        double ahead = k < 2 ? 0.5 : 0.6, wide = widths[k % 2];
        char more[200];
        snprintf(more, sizeof more, ", {\"at\": [%g, 1], \"goal\": \"e\", \"desired_speed\": 1e-12}", 5 + ahead);
        throng_world *world = held_up(wide, pace, more);
        hold(world, 30);
        throng_view v = throng_world_view(world);
        bool pressed = wide > 4;
        double gap = ahead - body - body * (pressed ? 1 - squeeze : 1), turn = pressed && k >= 2 ? -1.5 : 0;
        double share = !pressed && gap < 0.27 / 2 ? 0 : gap / free;
        if (turn != 0) share = 1;
        expect_close(hypot(v.wish_x[0], v.wish_y[0]), 1.34 * share);
        expect_close(v.wish_y[0], turn * v.wish_x[0]);
        throng_world_destroy(world);
    }
}

/* A random crowd: what somebody's radius is, from that of the step before, by looking at all. */
enum { COUNT = 120 };

static double next_radius(const throng_view *v, size_t i, double q) {
    double wanted = v->radius[i], gap = INFINITY, to = body * (1 - squeeze * q);
    if (to <= wanted) return to;
    for (size_t j = 0; j < v->count; j++)
        if (j != i) gap = fmin(gap, hypot(v->x[j] - v->x[i], v->y[j] - v->y[i]) - v->radius[i] - v->radius[j]);
    double walls = fmin(fmin(v->x[i], 12 - v->x[i]), fmin(v->y[i], 12 - v->y[i])) - v->radius[i];
    return fmin(to, v->radius[i] + 0.25 * fmax(0, fmin(gap, walls)));
}

static throng_world *crowd(const char *model, int threads) {
    static char text[2000];
    snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"name\": \"squeeze\", \"duration\": 1000, \"dt\": %g, "
        "\"model\": {\"name\": \"%s\", \"params\": {\"squeeze\": %g, \"pace\": true}}, \"walkable_area\": [[0, 0], "
        "[12, 0], [12, 12], [0, 12]], \"goals\": {\"m\": {\"point\": [6, 6], \"radius\": 0.3}}, \"agents\": "
        "[{\"in\": [[3, 3], [9, 3], [9, 9], [3, 9]], \"count\": %d, \"goal\": \"m\"}]}",
        dt, model, squeeze, COUNT);
    return make(text, threads);
}

static void as_the_oracle_says(void **unused) {
    (void)unused;
    throng_world *world = crowd("orca", 1);
    size_t grew = 0, shrank = 0, held = 0;
    const double *press = NULL;
    for (int step = 0; step < 150; step++) {
        throng_view v = throng_world_view(world);
        double radius[COUNT], x[COUNT], y[COUNT], before[COUNT];
        assert_int_equal(v.count, COUNT);
        for (size_t i = 0; i < COUNT; i++) radius[i] = v.radius[i], x[i] = v.x[i], y[i] = v.y[i];
        throng_view was = v;
        was.radius = radius, was.x = x, was.y = y;
        for (size_t i = 0; i < COUNT; i++) before[i] = press ? press[i] : 0;
        run(world, 1);
        for (size_t h = 0; h < world->habit_count; h++)
            if (world->habits[h].habit == &throng_habit_squeeze) press = world->habits[h].kept.items[0];
        v = throng_world_view(world);
        for (size_t i = 0; i < COUNT; i++) {
            bool up = fabs(press[i] - fmin(1, before[i] + dt)) < 1e-12,
                 down = fabs(press[i] - fmax(0, before[i] - dt / 2)) < 1e-12;
            assert_true(up || down);
            expect_close(v.radius[i], next_radius(&was, i, press[i]));
            grew += v.radius[i] > radius[i];
            shrank += v.radius[i] < radius[i];
            held += v.radius[i] == radius[i] && press[i] == 0 && v.radius[i] < body;
        }
    }
    print_message("%zu grew, %zu shrank, %zu had no room\n", grew, shrank, held);
    assert_true(grew > 100 && shrank > 1000);
    throng_world_destroy(world);
}

/* Who overlaps nobody does not begin to, with a model that promises that. */
static void nobody_grows_into_others(void **unused) {
    (void)unused;
    throng_world *world = crowd("implicit", 1);
    run(world, 100);
    throng_stats stats = throng_world_stats(world);
    assert_true(stats.nearest_gap_m > 0 && stats.agent_wall_max_m <= 0);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrower_for_a_while),     cmocka_unit_test(only_in_the_open),
        cmocka_unit_test(pressed_people_close_up),  cmocka_unit_test(as_the_oracle_says),
        cmocka_unit_test(nobody_grows_into_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
