/* More people than any room could hold, as a start that allows overlaps may have them: how few others they mind, how
 * little work that is, and that nobody gets deeper into anybody. */

#include <stdlib.h>

#include "checkpoint_common.h"
#include "models/implicit/implicit.h"
#include "world/world.h"

enum { TEXT_LENGTH = 1024, MOST = 900 };

/* A square lattice, packed in a corner of a room. */
static throng_world *make(int side, double spacing) {
    char text[TEXT_LENGTH];
    snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"name\": \"packed\", \"model\": \"implicit\", \"allow_overlap\": true, \"duration\": 9,\n"
        "\"walkable_area\": [[0, 0], [20, 0], [20, 20], [0, 20]], \"profiles\": {\"p\": {\"radius\": 0.25}},\n"
        "\"goals\": {\"g\": {\"polygon\": [[18, 18], [20, 18], [20, 20], [18, 20]], \"exit\": true}},\n"
        "\"agents\": [{\"grid\": {\"origin\": [1, 1], \"spacing\": [%g, %g], \"columns\": %d, \"rows\": %d},\n"
        "\"profile\": \"p\", \"goal\": \"g\", \"desired_speed\": 1.2}]}",
        spacing, spacing, side, side);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    return world_from(&def, 1);
}

static const throng_implicit *model_of(const throng_world *world) { return world->teams[0].state; }

/* Bodies within a metre have f times the area there; a crowd of three halves of it is packed. */
static double freedom_by_hand(const throng_view *v, size_t i) {
    double sum = 0;
    for (size_t j = 0; j < v->count; j++) {
        if (hypot(v->x[j] - v->x[i], v->y[j] - v->y[i]) < 1) sum += 0.25 * 0.25;
    }
    return sum <= 1.5 ? 1 : fmax(0.01, pow(1.5 / sum, 2));
}

static void the_packed_mind_few(void **unused) {
    (void)unused;
    static const double spacings[] = {0.5, 0.19, 0.13, 0.08};
    static const double minded[] = {400, 50, 60, 130}; /* others each, at most */
    for (int k = 0; k < 4; k++) {
        throng_world *world = make(30, spacings[k]);
        throng_view v = throng_world_view(world);
        double freedom[MOST], mean = 0, lanes = 0;
        size_t packed = 0;
        for (size_t i = 0; i < v.count; i++) {
            freedom[i] = freedom_by_hand(&v, i);
            mean += freedom[i] / MOST;
            packed += freedom[i] < 1;
        }
        throng_world_step(world);
        const throng_implicit *m = model_of(world);
        const throng_implicit_walkers *w = &m->walkers;
        for (size_t n = 0; n < w->mine_count; n++) {
            uint32_t slot = w->mine[n], row = w->near->row[slot];
            assert_true(fabs(w->freedom[slot] - freedom[row]) < 1e-12);
            assert_true(fabs(w->cap[slot] - 3 * 1.2 * freedom[row]) < 1e-12);
            for (uint32_t q = m->solver.rows.begin[slot]; q < m->solver.rows.end[slot]; q++)
                lanes += __builtin_popcount(m->solver.rows.matter[q]);
        }
        double most = fmax(1, fmin(10, floor(100 * mean)));
        print_message("%g m: %zu packed, mean freedom %.3f, %.0f others each, %d iterations\n", spacings[k], packed,
                      mean, lanes / MOST, (int)m->counts.iterations);
        assert_int_equal(packed, w->packed);
        assert_int_equal(packed, m->packed);
        assert_int_equal(packed == 0, spacings[k] == 0.5);
        assert_true(lanes / MOST < minded[k]);
        if (packed > 0) assert_int_equal(m->counts.iterations, most);
        throng_world_destroy(world);
    }
}

/* How deep all pairs are together, and by how much any got deeper than `before`, which is updated. */
static double depths(const throng_world *world, float (*before)[MOST], double *rise) {
    throng_view v = throng_world_view(world);
    double sum = 0;
    for (size_t i = 0; i < v.count; i++) {
        for (size_t j = 0; j < i; j++) {
            double depth = fmax(0, 0.5 - hypot(v.x[i] - v.x[j], v.y[i] - v.y[j]));
            *rise = fmax(*rise, depth - (double)before[i][j]);
            before[i][j] = (float)depth;
            sum += depth;
        }
    }
    return sum;
}

static void nobody_gets_deeper(void **unused) {
    (void)unused;
    static float before[MOST][MOST];
    throng_world *world = make(30, 0.13);
    double rise = 0, first = depths(world, before, &rise), last = first;
    rise = 0;
    for (int step = 0; step < 10; step++) {
        throng_world_step(world);
        last = depths(world, before, &rise);
    }
    print_message("overlaps of %.0f m become %.0f m, none deeper by more than %.2g m in a step\n", first, last, rise);
    assert_true(rise < 1.001e-3); /* throng_effective_radius */
    assert_true(last < 0.93 * first);
    assert_int_equal(model_of(world)->counts.violations, 0);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_packed_mind_few), cmocka_unit_test(nobody_gets_deeper)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
