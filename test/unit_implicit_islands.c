/* Strangers do not matter to `implicit`: six people far away, larger and faster, with other parameters or of another
 * model, before or after all others in the grid, do not change one bit of anybody else's run, in a room, on a plane or
 * where the world wraps, with either solver, in short steps and long ones, with any number of threads. */

#include <stdlib.h>

#include "checkpoint_common.h"
#include "models/implicit/implicit.h"
#include "world/world.h"

enum { STEPS = 60, TEXT_LENGTH = 4096 };

/* %s: the walls and more entries of "agents". Two groups meet, and a pair walks by itself. */
static const char scene[] =
    "{\"throng\": 1, \"name\": \"strangers\", \"duration\": 1000, \"planner\": \"straight\", \"seed\": 4, %s\n"
    " \"model\": {\"name\": \"implicit\"},\n"
    " \"goals\": {\"west\": {\"polygon\": [[0, 0], [1, 0], [1, 6], [0, 6]], \"exit\": true},\n"
    "   \"east\": {\"polygon\": [[23, 0], [24, 0], [24, 6], [23, 6]], \"exit\": true},\n"
    "   \"away\": {\"polygon\": [[0, 60], [1, 60], [1, 61], [0, 61]]},\n"
    "   \"far\": {\"polygon\": [[330, 210], [331, 210], [331, 220], [330, 220]]}},\n"
    " \"agents\": [{\"in\": [[2, 0.5], [9, 0.5], [9, 5.5], [2, 5.5]], \"count\": 45, \"goal\": \"east\"},\n"
    "   {\"in\": [[14, 0.5], [22, 0.5], [22, 5.5], [14, 5.5]], \"count\": 45, \"goal\": \"west\"},\n"
    "   {\"in\": [[0, 40], [3, 40], [3, 42], [0, 42]], \"count\": 3, \"goal\": \"away\"}%s]}";

static const char walls[] =
    "\"obstacles\": [{\"line\": [[0, 0], [24, 0]]}, {\"line\": [[0, 6], [24, 6]]}, {\"line\": [[12, 2], [12, 4]]}],";
static const char seam[] = "\"periodic\": {\"x\": [0, 24]},";
/* Before everybody else in the order of places or after them, and who they are. */
#define STRANGERS(at, more)                                                        \
    ", {\"grid\": {\"origin\": " at                                                \
    ", \"spacing\": [7.5, 7.5], \"columns\": 3, \"rows\": 2}, \"goal\": \"far\", " \
    "\"desired_speed\": 2.3, \"radius\": " more "}"
static const char *const strangers[] = {
    "",
    STRANGERS("[303.3, 211.1]", "{\"uniform\": [0.31, 0.6]}"),
    STRANGERS("[-303.3, -411.1]", "{\"uniform\": [0.31, 0.6]}"),
    STRANGERS("[-303.3, -411.1]", "0.5, \"params\": {\"tau0\": 6, \"neighbour_dist\": 15, \"max_iterations\": 3}"),
    STRANGERS("[-303.3, -411.1]", "0.5, \"model\": \"orca\""),
    STRANGERS("[3.5, -411.1]", "3.4"),
};
enum { KINDS = 5 }; /* of them, where nothing wraps */

static throng_world *make(const char *place, int kind, int threads, const char *const *overrides, size_t count) {
    char text[TEXT_LENGTH];
    snprintf(text, sizeof text, scene, place, strangers[kind]);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    def.overrides = overrides, def.override_count = count;
    return world_from(&def, threads);
}

/* Everybody of `a`, by id, is in `b`, to the last bit. */
static void expect_unmoved(const throng_world *a, const throng_world *b, const char *what, int step) {
    throng_view one = throng_world_view(a), other = throng_world_view(b);
    for (size_t i = 0; i < one.count; i++) {
        size_t j = 0;
        while (j < other.count && other.id[j] != one.id[i]) j++;
        assert_true(j < other.count);
        bool same =
            one.x[i] == other.x[j] && one.y[i] == other.y[j] && one.vx[i] == other.vx[j] && one.vy[i] == other.vy[j];
        if (!same) fail_msg("%s, step %d: person %llu", what, step, (unsigned long long)one.id[i]);
    }
}

static void strangers_change_nothing(void **unused) {
    (void)unused;
    static const char *const settings[][2] = {{"dt=0.1", "model.params.solver=\"newton\""},
                                              {"dt=0.4", "model.params.solver=\"newton\""},
                                              {"dt=0.1", "model.params.solver=\"lbfgs\""},
                                              {"dt=0.4", "model.params.solver=\"lbfgs\""}};
    for (int n = 0; n < 8; n++) {
        const char *const *how = settings[n / 2], *place = n % 2 ? walls : "";
        throng_world *worlds[KINDS];
        for (int k = 0; k < KINDS; k++) worlds[k] = make(place, k, k + 1, how, 2);
        for (int step = 0; step < STEPS; step++) {
            for (int k = 0; k < KINDS; k++) throng_world_step(worlds[k]);
            for (int k = 1; k < KINDS; k++) expect_unmoved(worlds[0], worlds[k], how[0], step);
        }
        for (int k = 0; k < KINDS; k++) throng_world_destroy(worlds[k]);
    }
}

/* Who sees others across a seam may go as far as its own size allows, whoever else is as large. */
static void strangers_across_a_seam(void **unused) {
    (void)unused;
    const char *dt[] = {"dt=1"};
    throng_world *alone = make(seam, 0, 1, dt, 1), *joined = make(seam, 5, 3, dt, 1);
    for (int step = 0; step < STEPS; step++) {
        throng_world_step(alone);
        throng_world_step(joined);
        expect_unmoved(alone, joined, "seam", step);
    }
    throng_world_destroy(alone);
    throng_world_destroy(joined);
}

/* The two groups, the pair and the strangers: there are three islands at least, of which the first is large. */
static void there_are_islands(void **unused) {
    (void)unused;
    throng_world *world = make(walls, 1, 2, NULL, 0);
    throng_world_step(world);
    const throng_implicit_islands *islands = &((const throng_implicit *)world->teams[0].state)->islands;
    assert_in_range(islands->found, 3, 4);
    assert_true(islands->begin[1] - islands->begin[0] > THRONG_IMPLICIT_SMALL);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(strangers_change_nothing),
                                       cmocka_unit_test(strangers_across_a_seam), cmocka_unit_test(there_are_islands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
