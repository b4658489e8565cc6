/* Strangers do not matter: six people far away, whoever they are, do not change one bit of anybody else's run. */

#include <stdlib.h>

#include "checkpoint_common.h"

enum { STEPS = 300, TEXT_LENGTH = 8192 };

typedef struct scenery {
    const char *name, *text;
    uint64_t people; /* ids 1 to this are those who are compared */
} scenery;

/* %s: the model, then more entries of "agents", then the rest of the scenario. */
static const scenery scenes[] = {
    {"door",
     "{\"throng\": 1, \"name\": \"door\", \"duration\": 1000, \"seed\": 5, \"planner\": \"roadmap\",\n"
     " \"model\": %s, \"obstacles\": [{\"line\": [[0, 0], [0, 8], [9, 8], [9, 4.6]]}, {\"line\": [[9, 3.4], [9, 0], "
     "[0, 0]]}],\n"
     " \"goals\": {\"out\": {\"polygon\": [[14, 0], [16, 0], [16, 8], [14, 8]], \"exit\": true},\n"
     "   \"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
     " \"agents\": [{\"in\": [[0.3, 0.3], [8.7, 0.3], [8.7, 7.7], [0.3, 7.7]], \"count\": 80, \"goal\": \"out\"}%s]%s}",
     80},
    {"circle",
     "{\"throng\": 1, \"name\": \"circle\", \"duration\": 1000, \"seed\": 5, \"model\": %s,\n"
     " \"goals\": {\"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
     " \"agents\": [{\"ring\": {\"centre\": [0, 0], \"radius\": 8, \"count\": 60}, \"goal\": \"antipode\"}%s]%s}",
     60},
    {"counterflow",
     "{\"throng\": 1, \"name\": \"counterflow\", \"duration\": 1000, \"seed\": 5, \"planner\": \"straight\",\n"
     " \"model\": %s, \"obstacles\": [{\"line\": [[-30, 0], [30, 0]]}, {\"line\": [[-30, 5], [30, 5]]}],\n"
     " \"goals\": {\"east\": {\"polygon\": [[28, 0], [30, 0], [30, 5], [28, 5]], \"exit\": true},\n"
     "   \"west\": {\"polygon\": [[-30, 0], [-28, 0], [-28, 5], [-30, 5]], \"exit\": true},\n"
     "   \"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
     " \"agents\": [{\"in\": [[-10, 0.3], [-1, 0.3], [-1, 4.7], [-10, 4.7]], \"count\": 50, \"goal\": \"east\"},\n"
     "  {\"in\": [[1, 0.3], [10, 0.3], [10, 4.7], [1, 4.7]], \"count\": 50, \"goal\": \"west\"}%s]%s}",
     100},
    {"seam",
     "{\"throng\": 1, \"name\": \"seam\", \"duration\": 1000, \"seed\": 5, \"planner\": \"straight\", \"periodic\": "
     "{\"x\": [0, "
     "600]},\n"
     " \"model\": %s, \"obstacles\": [{\"line\": [[0, 0], [600, 0]]}, {\"line\": [[0, 5], [600, 5]]}],\n"
     " \"goals\": {\"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
     " \"agents\": [{\"in\": [[0.3, 0.3], [6, 0.3], [6, 4.7], [0.3, 4.7]], \"count\": 30, \"goal\": {\"direction\": "
     "[-1, 0]}},\n"
     "  {\"in\": [[594, 0.3], [599.7, 0.3], [599.7, 4.7], [594, 4.7]], \"count\": 30, \"goal\": {\"direction\": [1, "
     "0]}}%s]%s}",
     60},
};

enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

/* Who they are: of the same model but larger and faster, of the same model with other parameters, of another model; or
 * larger and come from a source, or among things that fall. */
typedef enum stranger { LARGER, OTHERWISE, FOREIGN, ARRIVING, AMONG_THINGS, KIN_COUNT } stranger;

static const char *const things =
    ", \"objects\": [{\"box\": [0.5, 1, 1], \"at\": [302.5, 211.9, 0.7], \"mass\": 6}, {\"ball\": 0.4, \"at\": [304, "
    "214, 2], "
    "\"mass\": 9}]";

typedef struct case_of {
    const char *model, *others; /* the strangers' parameters, which concern the model as a whole where some do */
    const char *foreign;        /* another model */
    const char *habits;         /* of all; NULL: as usual */
} case_of;

static const case_of cases[] = {
    {"none", "{}", "orca", NULL},
    {"orca", "{\"neighbour_dist\": 15, \"max_neighbours\": 30}", "powerlaw", NULL},
    {"orca", "{\"neighbour_dist\": 15, \"keep_right\": 0, \"symmetry\": 0.1}", "cpd",
     "\"yielding\": 2, \"sidestep\": 3, \"keep_right\": 2"},
    {"orca", "{\"time_gap\": 3, \"body_width\": 3, \"follow\": 0.1}", "cpd",
     "\"pace\": true, \"follow\": 0.3, \"look_aside\": 1, \"squeeze\": 0.3, \"press_width\": 2"},
    {"powerlaw", "{\"neighbour_dist\": 20, \"tau0\": 9}", "pbd", NULL},
    {"social-force", "{\"neighbour_dist\": 9, \"substep\": 0.02, \"isotropy\": 0.1}", "powerlaw", NULL},
    {"collision-free-speed", "{\"neighbour_dist\": 9, \"substep\": 0.02, \"headway_time\": 3}", "orca", NULL},
    {"cpd", "{\"space\": 2, \"pixel\": 0.2}", "uic", NULL},
    {"implicit", "{\"neighbour_dist\": 15, \"tau0\": 6, \"tolerance\": 0.001, \"hidden\": \"avoided\"}", "orca", NULL},
    {"pbd",
     "{\"iterations\": 9, \"stability_iterations\": 3, \"substep\": 0.005, \"reach\": 20, \"cohesion\": \"printed\", "
     "\"expansion\": 1.5}",
     "uic", NULL},
    {"uic", "{\"cell\": 1, \"d_sep\": 2, \"tolerance\": 0.1, \"sweeps\": 5}", "implicit", NULL},
    {"orca-forces", "{\"neighbour_dist\": 15, \"reach\": 0.5, \"push_out\": 3}", "orca", NULL},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* The entry of the strangers. */
static void describe(char *text, const case_of *c, stranger kin) {
    const char *model = kin == FOREIGN ? c->foreign : c->model;
    const char *params = kin == OTHERWISE ? c->others : "{}";
    const char *where =
        kin == ARRIVING
            ? "\"in\": [[303, 211], [307, 211], [307, 215], [303, 215]], \"rate\": 2, \"count\": 6"
            : "\"grid\": {\"origin\": [303.3, 211.1], \"spacing\": [1.3, 1.3], \"columns\": 3, \"rows\": 2}";
    snprintf(text, 1024,
             "%s, \"radius\": {\"uniform\": [0.31, 0.62]}, \"desired_speed\": 2.3, \"model\": \"%s\", \"params\": %s, "
             "\"goal\": \"far\"",
             where, model, params);
}

static throng_world *make(const scenery *scene, const char *model, const char *agents, const char *rest) {
    char text[TEXT_LENGTH];
    snprintf(text, sizeof text, scene->text, model, agents, rest);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, 2);
}

/* Whether the people of a scene, from the first id on, are the same in both worlds, to the last bit. */
static bool are_same(const throng_world *a, const throng_world *b, uint64_t first, uint64_t people) {
    throng_view v = throng_world_view(a), w = throng_world_view(b);
    size_t i = 0, k = 0;
    while (i < v.count && v.id[i] < first) i++;
    while (k < w.count && w.id[k] < first) k++;
    for (; i < v.count && v.id[i] <= people; i++, k++) {
        if (k >= w.count || v.id[i] != w.id[k]) return false;
        const double *columns[][2] = {{v.x, w.x}, {v.y, w.y}, {v.vx, w.vx}, {v.vy, w.vy}};
        for (size_t c = 0; c < 4; c++) {
            if (memcmp(&columns[c][0][i], &columns[c][1][k], sizeof(double)) != 0) return false;
        }
    }
    return k == w.count || w.id[k] > people;
}

static int step_both(throng_world *a, throng_world *b, uint64_t first, uint64_t people, int steps) {
    for (int i = 0; i < steps; i++) {
        run(a, 1);
        run(b, 1);
        if (!are_same(a, b, first, people)) return i;
    }
    return -1;
}

static bool stay_same(const scenery *scene, const case_of *c, stranger kin) {
    if (kin == AMONG_THINGS && strstr(scene->text, "periodic")) return true; /* where an axis wraps there are none */
    char model[128], who[1024], agents[1100] = "", rest[1100] = "";
    snprintf(model, sizeof model, "{\"name\": \"%s\", \"params\": {%s}}", c->model, c->habits ? c->habits : "");
    describe(who, c, kin);
    if (kin == ARRIVING)
        snprintf(rest, sizeof rest, ", \"sources\": [{%s}]", who);
    else
        snprintf(agents, sizeof agents, ",\n{%s}", who);
    if (kin == AMONG_THINGS) snprintf(rest, sizeof rest, "%s", things);
    throng_world *alone = make(scene, model, "", ""), *strangers = make(scene, model, agents, rest);
    int at = step_both(alone, strangers, 1, scene->people, STEPS);
    assert_int_equal(throng_world_view(strangers).count, throng_world_view(alone).count + 6);
    if (at >= 0) print_message("%s, %s, strangers %d: differs in step %d\n", c->model, scene->name, (int)kin, at);
    throng_world_destroy(alone);
    throng_world_destroy(strangers);
    return at < 0;
}

static void check_case(void **state) {
    const case_of *c = *state;
    bool same = true;
    for (size_t s = 0; s < SCENE_COUNT; s++) {
        for (int kin = 0; kin < KIN_COUNT; kin++) same = stay_same(&scenes[s], c, kin) && same;
    }
    assert_true(same);
}

/* --- what concerns all people of a model alike is that of its first profile, whoever is there */

/* Person 1, far away, is of the first profile, and leaves at once or not; 30 others are of another profile. */
static throng_world *with_first(const char *model, const char *params, const char *goal) {
    char text[TEXT_LENGTH];
    snprintf(text, sizeof text,
             "{\"throng\": 1, \"name\": \"first\", \"duration\": 1000, \"seed\": 5, \"model\": \"%s\",\n"
             " \"goals\": {\"here\": {\"polygon\": [[300, 200], [304, 200], [304, 204], [300, 204]], \"exit\": true},\n"
             "  \"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
             " \"agents\": [{\"at\": [[302, 199]], \"goal\": \"%s\", \"params\": %s},\n"
             "  {\"ring\": {\"centre\": [0, 0], \"radius\": 4, \"count\": 30}, \"goal\": \"antipode\"}]}",
             model, goal, params);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, 2);
}

static void test_first_profile_holds(void **state) {
    (void)state;
    throng_world *leaves = with_first("cpd", "{\"smoothing\": 1.5, \"substep\": 0.02}", "here");
    throng_world *stays = with_first("cpd", "{\"smoothing\": 1.5, \"substep\": 0.02}", "far");
    throng_world *other = with_first("cpd", "{}", "far");
    assert_int_equal(step_both(leaves, stays, 2, 31, STEPS), -1);
    assert_int_equal(throng_world_view(leaves).count + 1, throng_world_view(stays).count);
    assert_int_not_equal(step_both(stays, other, 2, 31, 1), -1);
    throng_world_destroy(leaves);
    throng_world_destroy(stays);
    throng_world_destroy(other);
}

/* A second profile that differs in it is told, once, and which one holds; one that differs in what is one's own is not.
 */
static void test_profiles_that_differ_are_told(void **state) {
    (void)state;
    const char *second[] = {"{\"smoothing\": 1.5}", "{\"space\": 2}"};
    for (size_t k = 0; k < 2; k++) {
        throng_world *world = with_first("cpd", second[k], "far");
        run(world, 3);
        const throng_report *report = throng_world_report(world);
        size_t told = 0;
        for (size_t i = 0; i < throng_report_count(report); i++) {
            const char *text = throng_report_message(report, i).text;
            told += strstr(text, "differ in 'smoothing'") && strstr(text, ": 1.5 holds");
        }
        assert_int_equal(told, k == 0);
        throng_world_destroy(world);
    }
}

/* --- from 8192 people on rows are put in order of place, every 64 steps */

/* Two crowds of 4,095 through each other, and `strangers` far away. */
static throng_world *large_crowd(const char *model, int strangers) {
    char text[TEXT_LENGTH];
    snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"name\": \"large\", \"duration\": 1000, \"seed\": 5, \"dt\": 0.05, \"model\": \"%s\",\n"
        " \"goals\": {\"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
        " \"agents\": [{\"grid\": {\"origin\": [-64, 0], \"spacing\": [1, 1], \"columns\": 63, \"rows\": 65}, "
        "\"desired_speed\": {\"uniform\": [1, 1.6]}, \"goal\": {\"direction\": [1, 0]}},\n"
        "  {\"grid\": {\"origin\": [0, 0.4], \"spacing\": [1, 1], \"columns\": 63, \"rows\": 65}, "
        "\"desired_speed\": {\"uniform\": [1, 1.6]}, \"goal\": {\"direction\": [-1, 0.1]}},\n"
        "  {\"grid\": {\"origin\": [303.3, 211.1], \"spacing\": [1.3, 1.3], \"columns\": %d, \"rows\": 1}, \"goal\": "
        "\"far\"}]}",
        model, strangers);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, 2);
}

static void test_order_of_rows_does_not_matter(void **state) {
    (void)state;
    static const char *const models[] = {"none", "orca", "powerlaw", "pbd", "uic", "orca-forces"};
    bool same = true;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        throng_world *few = large_crowd(models[m], 1), *many = large_crowd(models[m], 6);
        int at = step_both(few, many, 1, 8190, 70);
        if (at >= 0) print_message("%s: differs in step %d\n", models[m], at);
        same = same && at < 0;
        throng_world_destroy(few);
        throng_world_destroy(many);
    }
    assert_true(same);
}

int main(void) {
    struct CMUnitTest tests[CASE_COUNT + 3];
    tests[CASE_COUNT + 2] = (struct CMUnitTest)cmocka_unit_test(test_order_of_rows_does_not_matter);
    tests[CASE_COUNT] = (struct CMUnitTest)cmocka_unit_test(test_first_profile_holds);
    tests[CASE_COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(test_profiles_that_differ_are_told);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){
            .name = cases[i].model, .test_func = check_case, .initial_state = (void *)(uintptr_t)&cases[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
