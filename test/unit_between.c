/* Seams of models: in counterflow and at a door of 1.2 m nobody whose model promises no overlap is overlapped, and who
 * is beside its own kind keeps from it what it keeps alone. */

#include <math.h>

#include "checkpoint_common.h"
#include "world/world.h"

static const char *const counterflow =
    "{\"throng\": 1, \"name\": \"counterflow\", \"dt\": 0.1, \"duration\": 40, \"seed\": %d,\n"
    " \"walkable_area\": [[0, 0], [24, 0], [24, 4], [0, 4]],\n"
    " \"goals\": {\"a\": {\"polygon\": [[23, 0], [24, 0], [24, 4], [23, 4]], \"exit\": true},\n"
    "   \"b\": {\"polygon\": [[0, 0], [1, 0], [1, 4], [0, 4]], \"exit\": true}},\n"
    " \"profiles\": {\"a\": {\"radius\": 0.2, \"model\": \"%s\"}, \"b\": {\"radius\": 0.2, \"model\": \"%s\"}},\n"
    " \"agents\": [{\"in\": [[3, 0.4], [10, 0.4], [10, 3.6], [3, 3.6]], \"count\": 25, \"profile\": \"a\", \"goal\": "
    "\"a\"},\n"
    "  {\"in\": [[14, 0.4], [21, 0.4], [21, 3.6], [14, 3.6]], \"count\": 25, \"profile\": \"b\", \"goal\": \"b\"}]}";

static const char *const door =
    "{\"throng\": 1, \"name\": \"door\", \"dt\": 0.1, \"duration\": 40, \"seed\": %d,\n"
    " \"walkable_area\": [[0, -4], [8, -4], [8, -0.6], [8.4, -0.6], [8.4, -4], [13, -4], [13, 4], [8.4, 4], [8.4, "
    "0.6],\n"
    "   [8, 0.6], [8, 4], [0, 4]],\n"
    " \"goals\": {\"out\": {\"polygon\": [[11, -4], [13, -4], [13, 4], [11, 4]], \"exit\": true}},\n"
    " \"profiles\": {\"a\": {\"radius\": 0.2, \"model\": \"%s\"}, \"b\": {\"radius\": 0.2, \"model\": \"%s\"}},\n"
    " \"agents\": [{\"in\": [[3, -3.5], [7.4, -3.5], [7.4, 0], [3, 0]], \"count\": 30, \"profile\": \"a\", \"goal\": "
    "\"out\"},\n"
    "  {\"in\": [[3, 0], [7.4, 0], [7.4, 3.5], [3, 3.5]], \"count\": 30, \"profile\": \"b\", \"goal\": \"out\"}]}";

static throng_world *make(const char *scene, int seed, const char *one, const char *other, int threads) {
    char text[2048];
    snprintf(text, sizeof text, scene, seed, one, other);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, threads);
}

static const throng_model *model_of(const throng_world *world, size_t row) {
    return world->profiles[world->agents.profile[row]].model;
}

/* The deepest overlaps, as parts of the sum of radii. */
typedef struct depths {
    double promised; /* of somebody whose model promises none with somebody else's */
    double own[3];   /* of two of uic, pbd, implicit */
} depths;

static const char *const solid[3] = {"uic", "pbd", "implicit"};

static void measure(const throng_world *world, depths *d) {
    const throng_columns *a = &world->agents;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const throng_model *one = model_of(world, i), *two = model_of(world, j);
            double deep = 1 - hypot(a->x[i] - a->x[j], a->y[i] - a->y[j]) / (a->radius[i] + a->radius[j]);
            for (int k = 0; k < 3; k++) {
                bool first = strcmp(one->name, solid[k]) == 0, second = strcmp(two->name, solid[k]) == 0;
                if (first && second)
                    d->own[k] = fmax(d->own[k], deep);
                else if (first || second)
                    d->promised = fmax(d->promised, deep);
            }
        }
    }
}

static const char *const pairs[][2] = {{"uic", "orca"},        {"uic", "pbd"},       {"uic", "implicit"},
                                       {"pbd", "orca-forces"}, {"cpd", "pbd"},       {"powerlaw", "uic"},
                                       {"pbd", "implicit"},    {"implicit", "orca"}, {"implicit", "cpd"}};

/* The bound of 5 % between models is the one asked for; what is kept here is exact. Alone uic's people overlap by 10 %.
 */
static void nobody_is_overlapped(void **unused) {
    (void)unused;
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        for (int k = 0; k < 2; k++) {
            throng_world *world = make(k ? door : counterflow, 3, pairs[p][0], pairs[p][1], 1);
            depths d = {0, {0, 0, 0}};
            for (int step = 0; step < 220; step++) {
                throng_world_step(world);
                measure(world, &d);
            }
            print_message("%s beside %s: %g; own %g %g %g; %zu left\n", pairs[p][0], pairs[p][1], d.promised, d.own[0],
                          d.own[1], d.own[2], world->agents.count);
            assert_true(d.promised < 1e-6);
            assert_true(d.own[0] < 0.1 + 1e-6 && d.own[1] < 1e-3 && d.own[2] < 1e-6);
            throng_world_destroy(world);
        }
    }
}

static void threads_do_not_matter(void **unused) {
    (void)unused;
    throng_world *one = make(door, 5, "uic", "orca-forces", 1), *many = make(door, 5, "uic", "orca-forces", 5);
    run(one, 80);
    run(many, 80);
    expect_same(one, many, "threads");
    throng_world_destroy(one);
    throng_world_destroy(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_overlapped),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
