/* Figures of a crowd over time: N(t), flow, speed, density, overlaps, against what can be counted by hand. */

#include "testing.h"

#include <math.h>
#include <string.h>
#include <throng/throng.h>

enum { MOST = 4000 };
static throng_agent id[MOST];
static double x[MOST], y[MOST], radius[MOST];

static throng_view view_of(size_t count, double time) {
    return (throng_view){.count = count, .id = id, .x = x, .y = y, .radius = radius, .time = time};
}

static throng_measure *make(const throng_mark *marks, size_t count) {
    throng_measure_def def = throng_default_measure_def();
    def.marks = marks;
    def.mark_count = count;
    throng_measure *measure = throng_measure_create(&def, NULL);
    assert_non_null(measure);
    return measure;
}

/* A row of people 1 m apart who walk at 1 m/s through a line: one a second passes it. */
static void a_row_passes_a_line(void **state) {
    (void)state;
    const throng_point door[] = {{10, -1}, {10, 1}}, aside[] = {{10, 2}, {10, 3}};
    throng_mark marks[] = {{.kind = THRONG_MARK_LINE, .name = "door", .ring = {door, 2}},
                           {.kind = THRONG_MARK_AREA, .name = "no line", .ring = {door, 2}},
                           {.kind = THRONG_MARK_LINE, .name = "aside", .ring = {aside, 2}}};
    throng_measure *measure = make(marks, 3);
    assert_int_equal(throng_measure_line_count(measure), 2);
    for (int step = 0; step <= 100; step++) {
        double time = 0.1 * step;
        for (size_t i = 0; i < 20; i++) id[i] = i + 1, x[i] = 9.55 - (double)i + time, y[i] = 0, radius[i] = 0.2;
        throng_view view = view_of(20, time);
        throng_measure_add(measure, &view);
        throng_figures f = throng_measure_figures(measure);
        if (step > 0) assert_near(f.mean_speed, 1, 1e-9);
        throng_line_figures door_now = throng_measure_line(measure, 0);
        assert_int_equal(door_now.passed, (int)floor(time + 0.55 + 1e-9));
        if (time >= 4) assert_near(door_now.flow, 1, 0.26);
        assert_int_equal(throng_measure_line(measure, 1).passed, 0);
    }
    assert_near(throng_measure_line(measure, 0).flow, 1, 1e-9); /* four in the last 4 s */
    assert_string_equal(throng_measure_line(measure, 0).name, "door");
    throng_measure_destroy(measure);
}

/* Around a corridor of 10 m: once a turn, and no faster at its end. */
static void an_endless_corridor_counts_turns(void **state) {
    (void)state;
    const throng_point door[] = {{0, -1}, {0, 1}}, end[] = {{9.98, -1}, {9.98, 1}};
    throng_mark marks[] = {{.kind = THRONG_MARK_LINE, .name = "", .ring = {door, 2}},
                           {.kind = THRONG_MARK_LINE, .name = "end", .ring = {end, 2}}};
    throng_measure_def def = throng_default_measure_def();
    def.marks = marks;
    def.mark_count = 2;
    def.period = (throng_period){.x = true, .low = {0, 0}, .high = {10, 0}};
    throng_measure *measure = throng_measure_create(&def, NULL);
    for (int step = 0; step <= 350; step++) {
        id[0] = 1, x[0] = fmod(0.05 + 0.1 * step, 10), y[0] = 0, radius[0] = 0.2;
        throng_view view = view_of(1, 0.1 * step);
        throng_measure_add(measure, &view);
        if (step > 0) assert_near(throng_measure_figures(measure).mean_speed, 1, 1e-9);
    }
    for (size_t k = 0; k < 2; k++) assert_int_equal(throng_measure_line(measure, k).passed, 3);
    throng_measure_destroy(measure);
}

/* Who dithers on a line counts once. */
static void everybody_counts_once(void **state) {
    (void)state;
    const throng_point door[] = {{0, -1}, {0, 0}, {0, 1}};
    throng_mark mark = {.kind = THRONG_MARK_LINE, .name = "", .ring = {door, 3}};
    throng_measure *measure = make(&mark, 1);
    for (int step = 0; step < 50; step++) {
        id[0] = 7, x[0] = step % 2 ? 0.3 : -0.3, y[0] = 0, radius[0] = 0.2; /* through the middle point */
        throng_view view = view_of(1, step);
        throng_measure_add(measure, &view);
    }
    assert_int_equal(throng_measure_line(measure, 0).passed, 1);
    throng_view again = view_of(1, 0); /* from the start */
    throng_measure_add(measure, &again);
    assert_int_equal(throng_measure_line(measure, 0).passed, 0);
    throng_measure_destroy(measure);
}

static void those_who_left_are_counted(void **state) {
    (void)state;
    throng_measure *measure = make(NULL, 0);
    for (size_t i = 0; i < 10; i++) id[i] = 3 * i + 1, x[i] = (double)i, y[i] = 0, radius[i] = 0.2;
    throng_view view = view_of(10, 0);
    throng_measure_add(measure, &view);
    memmove(id + 2, id + 5, 5 * sizeof *id); /* three leave, one comes */
    id[7] = 100;
    view = view_of(8, 1);
    throng_measure_add(measure, &view);
    throng_figures f = throng_measure_figures(measure);
    assert_int_equal(f.inside, 8);
    assert_int_equal(f.left, 3);
    view = view_of(0, 2);
    throng_measure_add(measure, &view);
    f = throng_measure_figures(measure);
    assert_int_equal(f.left, 11);
    assert_true(isnan(f.mean_speed) && f.density_max == 0);
    throng_measure_destroy(measure);
}

/* In the middle of a wide lattice the estimate is the density of the lattice. */
static void density_of_a_lattice(void **state) {
    (void)state;
    throng_measure *measure = make(NULL, 0);
    static const double spacings[] = {0.4, 0.5, 0.7};
    for (size_t s = 0; s < 3; s++) {
        for (size_t i = 0; i < 3600; i++) {
            id[i] = i + 1;
            x[i] = spacings[s] * (double)(i % 60) - 7;
            y[i] = spacings[s] * (double)(i / 60) + 1000;
            radius[i] = 0.19;
        }
        throng_view view = view_of(3600, (double)s);
        throng_measure_add(measure, &view);
        throng_figures f = throng_measure_figures(measure);
        double expected = 1 / (spacings[s] * spacings[s]);
        assert_near(f.density_max, expected, 0.04 * expected);
        assert_int_equal(f.overlaps, 0);
    }
    /* One person alone: 3 / (pi h^2) of the kernel. */
    throng_view view = view_of(1, 9);
    throng_measure_add(measure, &view);
    assert_near(throng_measure_figures(measure).density_max, 3 / (3.141592653589793 * 1.5 * 1.5), 1e-12);
    throng_measure_destroy(measure);
}

static void overlaps_are_those_of_all_pairs(void **state) {
    (void)state;
    throng_measure *measure = make(NULL, 0);
    uint64_t dice = 12345;
    for (size_t i = 0; i < 2000; i++) {
        double *values[] = {&x[i], &y[i], &radius[i]};
        for (int k = 0; k < 3; k++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            *values[k] = (double)(dice >> 11) / 9007199254740992.0;
        }
        id[i] = i + 1, x[i] = 60 * x[i], y[i] = 40 * y[i], radius[i] = 0.1 + 0.3 * radius[i];
    }
    radius[17] = 3; /* wider than a cell would be */
    size_t expected = 0;
    for (size_t i = 0; i < 2000; i++)
        for (size_t k = i + 1; k < 2000; k++)
            expected += hypot(x[i] - x[k], y[i] - y[k]) < radius[i] + radius[k] - 0.001;
    throng_view view = view_of(2000, 0);
    throng_measure_add(measure, &view);
    assert_true(expected > 50);
    assert_int_equal(throng_measure_figures(measure).overlaps, expected);
    throng_measure_destroy(measure);
}

/* Of a world in any order of rows, as of the same in order of id. */
static void a_world_is_measured(void **state) {
    (void)state;
    throng_scenario_def def = throng_default_scenario_def();
    def.path = "demo/bottleneck";
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    assert_non_null(world);
    throng_mark marks[16];
    size_t count = throng_world_mark_count(world) < 16 ? throng_world_mark_count(world) : 16;
    for (size_t i = 0; i < count; i++) marks[i] = throng_world_mark(world, i);
    throng_measure *measure = make(marks, count);
    for (int i = 0; i < 800; i++) {
        throng_world_step(world);
        throng_view view = throng_world_raw_view(world);
        if (i % 4 == 0) throng_measure_add(measure, &view);
    }
    throng_figures f = throng_measure_figures(measure);
    throng_stats stats = throng_world_stats(world);
    throng_line_figures door = throng_measure_line(measure, 0);
    assert_string_equal(door.name, "door");
    assert_true(door.passed >= f.left && door.passed < f.left + 40);
    assert_near((double)f.left, (double)(stats.initial - throng_world_raw_view(world).count), 3);
    assert_true(door.flow > 0.5 && door.flow < 8);
    assert_true(f.density_max > 2 && f.density_max < 9);
    assert_true(f.densest.x > 12 && f.densest.x < 21);
    throng_measure_destroy(measure);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}

static void bad_numbers_are_refused(void **state) {
    (void)state;
    throng_error error = {0};
    throng_measure_def def = throng_default_measure_def();
    def.window = 0;
    assert_null(throng_measure_create(&def, &error));
    assert_non_null(strstr(error.text, "window"));
    def = throng_default_measure_def();
    def.kernel_radius = NAN;
    assert_null(throng_measure_create(&def, &error));
    throng_measure_destroy(NULL);
}

/* A row of people 1 m apart at 1.5 m/s: 4 of them in an area of 8 m2; nobody in another one; and N(t) goes on counting
 * when the times of those who passed long ago are forgotten. */
static void areas_are_looked_into(void **state) {
    (void)state;
    const throng_point here[] = {{0, -1}, {4, -1}, {4, 1}, {0, 1}}, there[] = {{0, 5}, {4, 5}, {4, 6}};
    const throng_point door[] = {{2, -1}, {2, 1}};
    throng_mark marks[] = {{.kind = THRONG_MARK_AREA, .name = "here", .ring = {here, 4}},
                           {.kind = THRONG_MARK_AREA, .name = "there", .ring = {there, 3}},
                           {.kind = THRONG_MARK_LINE, .name = "door", .ring = {door, 2}}};
    throng_measure *measure = make(marks, 3);
    assert_int_equal(throng_measure_area_count(measure), 2);
    for (int step = 0; step <= 6000; step++) {
        double time = 0.1 * step, shift = fmod(1.5 * time, 1);
        uint64_t gone = (uint64_t)floor(1.5 * time + 1e-9);
        for (size_t i = 0; i < 6; i++) {
            id[i] = 1000000 - gone + i, x[i] = -0.55 + (double)i + shift, y[i] = 0, radius[i] = 0.2;
            if (shift > 1 - 1e-9) x[i] -= 1;
        }
        throng_view view = view_of(6, time);
        throng_measure_add(measure, &view);
        throng_area_figures f = throng_measure_area(measure, 0);
        assert_int_equal(f.inside, 4);
        assert_near(f.density, 0.5, 1e-12);
        if (step > 0) assert_near(f.mean_speed, 1.5, 1e-6);
        f = throng_measure_area(measure, 1);
        assert_true(f.inside == 0 && f.density == 0 && isnan(f.mean_speed));
    }
    assert_string_equal(throng_measure_area(measure, 1).name, "there");
    assert_int_equal(throng_measure_line(measure, 0).passed, 900);
    assert_near(throng_measure_line(measure, 0).flow, 1.5, 1e-9);
    throng_measure_destroy(measure);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_are_looked_into),
        cmocka_unit_test(a_row_passes_a_line),
        cmocka_unit_test(an_endless_corridor_counts_turns),
        cmocka_unit_test(everybody_counts_once),
        cmocka_unit_test(those_who_left_are_counted),
        cmocka_unit_test(density_of_a_lattice),
        cmocka_unit_test(overlaps_are_those_of_all_pairs),
        cmocka_unit_test(a_world_is_measured),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
