/* The habit `pace`: how fast people walk behind each other, whichever model moves them. */

#include "checkpoint_common.h"
#include "dice.h"
#include "world/world.h"

#define LINE     "\"throng\": 1, \"name\": \"pace\", \"duration\": 1000, \"planner\": \"straight\""
#define HEADINGS "\"e\": {\"direction\": [1, 0]}, \"w\": {\"direction\": [-1, 0]}, \"n\": {\"direction\": [0, 1]}"

static const double usual_speed = 1.34, time_gap = 0.5, start_gap = 0.27; /* as by default */

static throng_world *make(const char *text, int threads) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, threads);
}

/* The wish of the first person over its speed, with more people and params. */
static double share_of(const char *others, const char *params, const char *more) {
    char text[2000];
    snprintf(text, sizeof text,
             "{" LINE
             ", \"model\": {\"name\": \"orca\", \"params\": {\"pace\": true, \"symmetry\": 0%s}}%s, "
             "\"goals\": {" HEADINGS "}, \"agents\": [{\"at\": [0, 0], \"radius\": 0.15, \"goal\": \"e\"}, %s]}",
             params, more, others);
    throng_world *world = make(text, 1);
    run(world, 1);
    throng_view v = throng_world_view(world);
    double share = v.wish_x[0] / v.desired_speed[0];
    assert_true(v.wish_y[0] == 0);
    throng_world_destroy(world);
    return share;
}

static double behind(double x, double y, const char *goal, const char *params, const char *more) {
    char other[200];
    snprintf(other, sizeof other, "{\"at\": [%.17g, %.17g], \"radius\": 0.2, \"goal\": \"%s\", \"velocity\": [0.5, 0]}",
             x, y, goal);
    return share_of(other, params, more);
}

static void expect_close(double a, double b) {
    if (!(fabs(a - b) < 1e-12)) fail_msg("%.15g instead of %.15g", a, b);
}

/* (s - l) / D, where l are two radii and D what is walked in the time gap. */
static void follower_keeps_a_gap(void **unused) {
    (void)unused;
    double d = time_gap * usual_speed;
    expect_close(behind(0.8, 0, "e", "", ""), (0.8 - 0.35) / d);
    expect_close(behind(0.6, 0, "e", "", ""), (0.6 - 0.35) / d);
    expect_close(behind(0.35 + d, 0, "e", "", ""), 1);
    expect_close(behind(0.35 + start_gap / 2 - 1e-9, 0, "e", "", ""), 0);
    assert_true(behind(0.35 + start_gap / 2 + 1e-9, 0, "e", "", "") > 0.2);
    expect_close(behind(0.9, 0, "e", ", \"time_gap\": 1", ""), 0.55 / 1.34);
    expect_close(behind(0.9, 0, "e", ", \"body_length\": 2", ""), 0.2 / d);
    /* the speed of who is ahead, 0.5 m/s, in part */
    expect_close(behind(0.6, 0, "e", ", \"follow\": 0.4", ""), 0.6 * 0.25 / d + 0.4 * 0.5 / 1.34);
}

/* Who crosses counts half, who comes towards one, stands, is aside, behind, or behind a wall, not at all. */
static void not_all_are_in_the_way(void **unused) {
    (void)unused;
    double d = time_gap * usual_speed;
    expect_close(behind(0.55, 0, "n", "", ""), 0.2 / (d / 2));
    expect_close(behind(0.5, -0.1, "n", "", ""), fmin((hypot(0.5, 0.1) - 0.35) / (d / 2), 1));
    expect_close(behind(0.3, -0.35, "n", "", ""), 1); /* it gives way: it comes from behind */
    expect_close(behind(0.5, 0, "w", "", ""), 1);
    expect_close(share_of("{\"at\": [0.5, 0], \"radius\": 0.2}", "", ""), 1);
    expect_close(behind(-0.5, 0, "e", "", ""), 1);
    double width = 1.33 * 0.35;
    assert_true(behind(0.4, width - 1e-6, "e", "", "") < 1);
    expect_close(behind(0.4, width + 1e-6, "e", "", ""), 1);
    assert_true(behind(0.6, 0, "e", "", ", \"obstacles\": [{\"line\": [[0.3, 0.2], [0.3, 3]]}]") < 1);
    expect_close(behind(0.6, 0, "e", "", ", \"obstacles\": [{\"line\": [[0.3, -0.2], [0.3, 3]]}]"), 1);
}

/* A platoon that stands sets out: the wave runs back through it at 1 to 1.5 m/s. */
static void platoon_starts(void **unused) {
    (void)unused;
    enum { COUNT = 20 };
    char text[2000];
    snprintf(text, sizeof text,
             "{" LINE
             ", \"dt\": 0.02, \"model\": {\"name\": \"orca\", \"params\": {\"pace\": true, \"symmetry\": 0}}, "
             "\"goals\": {" HEADINGS
             "}, \"agents\": [{\"grid\": {\"origin\": [0, 0], \"columns\": %d, \"rows\": 1, "
             "\"spacing\": [0.4, 1]}, \"radius\": 0.15, \"goal\": \"e\"}]}",
             COUNT);
    throng_world *world = make(text, 1);
    double started[COUNT] = {0};
    for (int step = 0; step < 1500; step++) {
        run(world, 1);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < COUNT; i++)
            if (started[i] == 0 && v.vx[i] > 0.1) started[i] = v.time;
    }
    double wave = 0.4 * (COUNT - 6) / (started[0] - started[COUNT - 6]);
    print_message("the wave runs back at %.2f m/s\n", wave);
    assert_true(started[0] > 0 && wave > 1 && wave < 1.5);
    throng_world_destroy(world);
}

/* Held up where its way leads around a corner, somebody turns away from that to where it is free: by what tangent, and
 * how fast. */
static double turn_beside(const char *walls, double other_y, double look_aside, double *share) {
    char text[2000];
    snprintf(text, sizeof text,
             "{" LINE
             ", \"model\": {\"name\": \"orca\", \"params\": {\"pace\": true, \"symmetry\": 0, \"look_aside\": "
             "%g}}, \"obstacles\": [%s], \"goals\": {" HEADINGS
             "}, \"agents\": [{\"at\": [[0, 0], [0.5, %g]], "
             "\"radius\": 0.15, \"goal\": \"e\"}]}",
             look_aside, walls, other_y);
    throng_world *world = make(text, 1);
    run(world, 1);
    throng_view v = throng_world_view(world);
    double turn = v.wish_y[0] / v.wish_x[0];
    *share = hypot(v.wish_x[0], v.wish_y[0]) / v.desired_speed[0];
    throng_world_destroy(world);
    return turn;
}

static void opening_is_used(void **unused) {
    (void)unused;
    static const char post[] = "{\"line\": [[1, 0.2], [1, 3]]}", other_post[] = "{\"line\": [[1, -0.2], [1, -3]]}";
    static const char far_post[] = "{\"line\": [[3.1, 0.2], [3.1, 3]]}",
                      wide_post[] = "{\"line\": [[1, 0.41], [1, 3]]}";
    static const char corridor[] = "{\"line\": [[-9, 0.3], [9, 0.3]]}",
                      side[] = "{\"line\": [[-9, -0.2], [0.9, -0.2]]}";
    char both[200];
    double share, behind = (hypot(0.5, 0.1) - 0.3) / (time_gap * usual_speed);
    expect_close(turn_beside(post, 0.1, 1, &share), -1); /* half of it is not free */
    expect_close(share, 1);
    expect_close(turn_beside(post, 0.1, 2, &share), -1);
    expect_close(turn_beside(other_post, -0.1, 1, &share), 1);
    expect_close(turn_beside(post, 0, 1, &share), 0); /* neither is free */
    const char *const none[] = {far_post, wide_post, corridor};
    for (int k = 0; k < 3; k++) {
        expect_close(turn_beside(none[k], 0.1, 1, &share), 0);
        expect_close(share, behind);
    }
    expect_close(turn_beside(post, 0.1, 0, &share), 0);
    expect_close(share, behind);
    expect_close(turn_beside("{\"line\": [[-9, 0.3], [1, 0.3], [9, 2.1]]}", 0.1, 1, &share),
                 -1); /* a wall that bends */
    expect_close(turn_beside("{\"line\": [[-9, 0.3], [1, 0.3], [9, 0.9]]}", 0.1, 1, &share), 0);
    snprintf(both, sizeof both, "%s, %s", post, other_post); /* too narrow to choose a part of it */
    expect_close(turn_beside(both, 0.1, 1, &share), 0);
    snprintf(both, sizeof both, "%s, {\"line\": [[-9, -0.8], [0.9, -0.8]]}", post); /* this wall is far enough */
    expect_close(turn_beside(both, 0.1, 1, &share), -1);
    snprintf(both, sizeof both, "%s, %s", post, side); /* this one is in the way */
    expect_close(turn_beside(both, 0.1, 1, &share), 0);
}

/* --- a slow oracle */

static bool crosses(throng_point a, throng_point b, throng_point c, throng_point d) {
    double s = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    double t = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
    double u = (d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x);
    double v = (d.x - c.x) * (b.y - c.y) - (d.y - c.y) * (b.x - c.x);
    return s * t < 0 && u * v < 0;
}

static const throng_point wall[] = {{2, 1}, {2, 6}, {5, 4}, {7, 4}};

static bool sees(throng_point a, throng_point b) {
    return !crosses(a, b, wall[0], wall[1]) && !crosses(a, b, wall[2], wall[3]);
}

static double oracle(const throng_view *v, size_t i, double (*e)[2], double follow) {
    double d = time_gap * usual_speed, least = d;
    for (size_t j = 0; j < v->count; j++) {
        double x = v->x[j] - v->x[i], y = v->y[j] - v->y[i], s = hypot(x, y), radii = v->radius[i] + v->radius[j];
        double ahead = x * e[i][0] + y * e[i][1], aside = fabs(x * e[i][1] - y * e[i][0]);
        if (j == i || ahead <= 0 || aside > 1.33 * radii || ahead + x * e[j][0] + y * e[j][1] <= 0) continue;
        if (!sees((throng_point){v->x[i], v->y[i]}, (throng_point){v->x[j], v->y[j]})) continue;
        double c = (1 + e[i][0] * e[j][0] + e[i][1] * e[j][1]) / 2;
        double u = (v->vx[j] * e[i][0] + v->vy[j] * e[i][1]) / v->desired_speed[i];
        double way = (1 - follow) * fmax(0, s - radii) + follow * d * fmin(1, fmax(0, u));
        if (way < c * least) least = way / c;
    }
    return least < start_gap / 2 ? 0 : least / d;
}

static void as_the_oracle_says(void **unused) {
    (void)unused;
    enum { COUNT = 200 };
    dice d = {7};
    static char text[300 * COUNT];
    double e[COUNT][2];
    int braked = 0;
    for (int turn = 0; turn < 2; turn++) {
        int used = snprintf(text, sizeof text,
                            "{" LINE
                            ", \"allow_overlap\": true, \"model\": {\"name\": \"orca\", \"params\": "
                            "{\"pace\": true, \"symmetry\": 0, \"follow\": %g}}, \"obstacles\": [{\"line\": [[2, 1], "
                            "[2, 6]]}, {\"line\": [[5, 4], [7, 4]]}], \"agents\": [",
                            0.3 * turn);
        for (int i = 0; i < COUNT; i++) {
            double angle = dice_between(&d, 0, 6.28);
            e[i][0] = cos(angle), e[i][1] = sin(angle);
            used += snprintf(text + used, sizeof text - (size_t)used,
                             "%s{\"at\": [%.3f, %.3f], \"radius\": %.2f, \"velocity\": [%.2f, %.2f], \"goal\": "
                             "{\"direction\": [%.17g, %.17g]}}",
                             i ? ", " : "", dice_between(&d, 0, 9), dice_between(&d, 0, 9), dice_between(&d, 0.1, 0.3),
                             dice_between(&d, -1, 1), dice_between(&d, -1, 1), e[i][0], e[i][1]);
        }
        snprintf(text + used, sizeof text - (size_t)used, "]}");
        throng_world *world = make(text, 1);
        double wanted[COUNT];
        throng_view v = throng_world_view(world);
        assert_int_equal(v.count, COUNT);
        for (size_t i = 0; i < COUNT; i++) wanted[i] = oracle(&v, i, e, 0.3 * turn);
        run(world, 1);
        v = throng_world_view(world);
        for (size_t i = 0; i < COUNT; i++) {
            double share = (v.wish_x[i] * e[i][0] + v.wish_y[i] * e[i][1]) / v.desired_speed[i];
            if (!(fabs(share - wanted[i]) < 1e-9)) fail_msg("%zu: %.12g instead of %.12g", i, share, wanted[i]);
            braked += wanted[i] < 1;
        }
        throng_world_destroy(world);
    }
    print_message("%d of %d slow down\n", braked, 2 * COUNT);
    assert_true(braked > COUNT / 2 && braked < 2 * COUNT);
}

/* --- the same bits */

static const char door[] =
    "{\"throng\": 1, \"name\": \"door\", \"duration\": 1000, \"model\": {\"name\": \"%s\", \"params\": {\"pace\": "
    "true, "
    "\"follow\": 0.3, \"look_aside\": 1, \"squeeze\": 0.3}}, \"walkable_area\": [[0, 0], [6, 0], [6, 2.5], [9, 2.5], "
    "[9, 3.5], [6, 3.5], "
    "[6, 6], [0, 6]],\n"
    " \"goals\": {\"out\": {\"polygon\": [[8, 2.5], [9, 2.5], [9, 3.5], [8, 3.5]], \"exit\": true}},\n"
    " \"agents\": [{\"in\": [[0.3, 0.3], [5, 0.3], [5, 5.7], [0.3, 5.7]], \"count\": 60, \"radius\": 0.15, "
    "\"goal\": \"out\"}]}";

static void same_bits(void **unused) {
    (void)unused;
    static const char *const models[] = {"orca", "pbd", "cpd"};
    for (int m = 0; m < 3; m++) {
        char text[1000];
        snprintf(text, sizeof text, door, models[m]);
        throng_world *one = make(text, 1), *three = make(text, 3), *again = make(text, 2);
        run(one, 40), run(three, 40), run(again, 20);
        expect_same(one, three, models[m]);
        throng_checkpoint *checkpoint = throng_world_save(again, NULL);
        throng_world *later = make(text, 5);
        load(later, checkpoint);
        run(later, 20);
        expect_same(one, later, models[m]);
        throng_checkpoint_destroy(checkpoint);
        throng_world *all[] = {one, three, again, later};
        for (int k = 0; k < 4; k++) throng_world_destroy(all[k]);
    }
}

/* With a pace, cpd's own fundamental diagram is off, whatever it says. */
static void one_brake_is_enough(void **unused) {
    (void)unused;
    uint64_t digests[4];
    for (int k = 0; k < 4; k++) {
        char text[1000];
        snprintf(text, sizeof text, door, "cpd");
        const char *overrides[] = {
            k & 1 ? "model.params.fundamental_diagram=true" : "model.params.fundamental_diagram=false",
            k & 2 ? "model.params.pace=true" : "model.params.pace=false"};
        throng_scenario_def def = throng_default_scenario_def();
        def.text = text, def.overrides = overrides, def.override_count = 2;
        throng_world *world = world_from(&def, 1);
        run(world, 30);
        digests[k] = throng_world_digest(world);
        throng_world_destroy(world);
    }
    assert_true(digests[0] != digests[1] && digests[2] == digests[3] && digests[0] != digests[2]);
}

/* Whoever sees nobody takes no pace. */
static void refused_with_none(void **unused) {
    (void)unused;
    throng_world_def def = throng_default_world_def();
    throng_error error = {0};
    throng_world *world = throng_world_create(&def, &error);
    const throng_setting pace = {.name = "pace", .number = 1};
    assert_int_equal(throng_world_add_profile(world, "none", &pace, 1), 0);
    assert_non_null(strstr(throng_world_error(world)->text, "see nobody"));
    assert_true(throng_world_add_profile(world, "orca", &pace, 1) > 0);
    throng_world_destroy(world);
}

/* --- presets */

static uint64_t digest_with(const char *people, const char *traits) {
    char text[1000];
    snprintf(text, sizeof text,
             "{" LINE ", \"model\": \"orca\"%s, \"goals\": {" HEADINGS
             "}, \"agents\": [{\"in\": [[0, 0], [20, 0], [20, 20], [0, 20]], \"count\": 400, \"goal\": \"e\"%s}]}",
             people, traits);
    throng_world *world = make(text, 1);
    run(world, 10);
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    return digest;
}

/* "people" stand for traits that could be written out, and for less where an entry says otherwise. */
static void presets_are_traits(void **unused) {
    (void)unused;
    static const char lab[] =
        ", \"radius\": 0.15, \"desired_speed\": {\"normal\": [1.5, 0.2], \"min\": 1, \"max\": 2}, \"pace\": true, "
        "\"keep_right\": 0.3, \"look_aside\": 1.5, \"squeeze\": 0.133";
    assert_true(digest_with("", "") == digest_with(", \"people\": \"paper\"", ""));
    assert_true(digest_with("", lab) == digest_with(", \"people\": \"laboratory\"", ""));
    assert_true(digest_with("", lab) == digest_with(", \"people\": \"street\"", lab));
    assert_true(digest_with(", \"people\": \"street\"", "") != digest_with(", \"people\": \"laboratory\"", ""));
    /* the control walks as fast as they do, and sees nobody */
    uint64_t none = digest_with(", \"people\": \"laboratory\"", ", \"model\": \"none\"");
    assert_true(none == digest_with(", \"people\": \"laboratory\"", ", \"model\": \"none\", \"time_gap\": 2"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follower_keeps_a_gap),   cmocka_unit_test(opening_is_used),
        cmocka_unit_test(not_all_are_in_the_way), cmocka_unit_test(platoon_starts),
        cmocka_unit_test(as_the_oracle_says),     cmocka_unit_test(same_bits),
        cmocka_unit_test(one_brake_is_enough),    cmocka_unit_test(refused_with_none),
        cmocka_unit_test(presets_are_traits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
