/* Habits that change wishes, the same for every model: turning by a hair. */

#include "checkpoint_common.h"
#include "world/world.h"

/* Two exactly face to face. */
static const char meeting[] =
    "{\"throng\": 1, \"name\": \"meeting\", \"dt\": 0.05, \"duration\": 60, \"planner\": \"straight\",\n"
    " \"goals\": {\"right\": {\"point\": [6, 0], \"exit\": true}, \"left\": {\"point\": [-6, 0], \"exit\": true}},\n"
    " \"agents\": [{\"at\": [-1.5, 0], \"goal\": \"right\"}, {\"at\": [1.5, 0], \"goal\": \"left\"}]}";

static throng_world *make(const char *scene, const char *model, const char *change) {
    char named[40];
    snprintf(named, sizeof named, "model=\"%s\"", model);
    const char *overrides[] = {named, change};
    throng_scenario_def def = throng_default_scenario_def();
    def.text = scene;
    def.overrides = overrides, def.override_count = change ? 2 : 1;
    return world_from(&def, 1);
}

/* When the last one has arrived, s. */
static double time_to_arrive(throng_world *world, double end) {
    while (throng_world_view(world).count > 0 && throng_world_time(world) < end) throng_world_step(world);
    double time = throng_world_view(world).count > 0 ? INFINITY : throng_world_time(world);
    throng_world_destroy(world);
    return time;
}

static void face_to_face(void **unused) {
    (void)unused;
    static const char *const models[] = {"orca", "orca-forces", "powerlaw", "pbd", "implicit"};
    for (int k = 0; k < 5; k++) {
        double usual = time_to_arrive(make(meeting, models[k], NULL), 60);
        double straight = time_to_arrive(make(meeting, models[k], "model.params.symmetry=0"), 20);
        print_message("%s: %.1f s, %.1f s without\n", models[k], usual, straight);
        assert_true(usual < 20);
        /* pbd and implicit pass on the right in the end */
        assert_true(k > 2 ? straight > usual - 1 : straight == INFINITY);
    }
}

/* Everybody by an angle of its own, up to what is said, and the same in all steps. */
static void turned_by_an_angle(void **unused) {
    (void)unused;
    static const char walk[] =
        "{\"throng\": 1, \"name\": \"walk\", \"dt\": 0.1, \"duration\": 60, \"planner\": \"straight\", \"goals\": "
        "{\"on\": {\"direction\": [1, 0]}}, \"agents\": [{\"grid\": {\"origin\": [0, 0], \"spacing\": [2, 2], "
        "\"rows\": "
        "20, "
        "\"columns\": 20}, \"goal\": \"on\"}]}";
    enum { COUNT = 400 };
    throng_world *world = make(walk, "none", "model.params.symmetry=0.1");
    double angle[COUNT], sum = 0, most = 0;
    for (int step = 0; step < 30; step++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        assert_int_equal(v.count, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            double turn = atan2(v.wish_y[i], v.wish_x[i]);
            if (step == 0) angle[v.id[i] - 1] = turn;
            assert_true(fabs(turn - angle[v.id[i] - 1]) < 1e-12);
            assert_true(fabs(hypot(v.wish_x[i], v.wish_y[i]) - v.desired_speed[i]) < 1e-12);
        }
    }
    for (int i = 0; i < COUNT; i++) sum += angle[i], most = fmax(most, fabs(angle[i]));
    assert_true(most > 0.09 && most < 0.1 && fabs(sum) < 0.01 * COUNT);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(face_to_face),
        cmocka_unit_test(turned_by_an_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
