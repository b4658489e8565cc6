/* What `throng verify` measures of runs, on made-up trajectories whose figures are known; how runs and seeds become
 * verdicts; and that the tables of cases and criteria belong together. */

#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "verify_measures.h"
#include "verify_run.h"

enum { FRAMES = 400, PEOPLE = 20 };
static double x[FRAMES * PEOPLE], y[FRAMES * PEOPLE];
static throng_place *place;
static throng_world *world;

/* A corridor 40 x 2 m with lines at 5 and 25 m and areas of 4, 2 and 20 m2. */
static int make_corridor(void **state) {
    (void)state;
    const throng_point floor[] = {{0, 0}, {40, 0}, {40, 2}, {0, 2}};
    const throng_point in[] = {{5, 0}, {5, 2}}, out[] = {{25, 0}, {25, 2}};
    const throng_point a[] = {{10, 0}, {12, 0}, {12, 2}, {10, 2}}, b[] = {{20, 0}, {21, 0}, {21, 2}, {20, 2}};
    const throng_point c[] = {{15, 0}, {25, 0}, {25, 2}, {15, 2}};
    const throng_mark marks[] = {{.kind = THRONG_MARK_LINE, .name = "in", .ring = {in, 2}},
                                 {.kind = THRONG_MARK_LINE, .name = "out", .ring = {out, 2}},
                                 {.kind = THRONG_MARK_AREA, .name = "a", .ring = {a, 4}},
                                 {.kind = THRONG_MARK_AREA, .name = "b", .ring = {b, 4}},
                                 {.kind = THRONG_MARK_AREA, .name = "c", .ring = {c, 4}}};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){floor, 4};
    place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    world = throng_world_create(&def, NULL);
    for (size_t i = 0; i < 5; i++) assert_true(throng_world_add_mark(world, &marks[i]));
    return 0;
}

static int end_corridor(void **state) {
    (void)state;
    throng_world_destroy(world);
    throng_place_destroy(place);
    return 0;
}

/* Everybody in a row, `gap` m apart, at a speed; ten frames a second. */
static verify_run row_of(size_t people, double gap, double speed) {
    for (size_t f = 0; f < FRAMES; f++)
        for (size_t p = 0; p < people; p++) {
            x[f * people + p] = 4.03 - gap * (double)p + speed * 0.1 * (double)f;
            y[f * people + p] = 1;
        }
    verify_run run;
    verify_run_of_tracks(&run, world, 10, FRAMES, people, x, y);
    return run;
}

static void lines(void **state) {
    (void)state;
    verify_run run = row_of(10, 0.5, 1);
    for (size_t p = 0; p < 10; p++) run.desired_speed[p] = p ? 1 : 1.25;
    assert_near(measure_time_between(&run, "in>out"), 20, 1e-9);
    assert_near(measure_first_time(&run, "in"), 0.97, 1e-9);
    assert_near(measure_last_time(&run, "out"), 20.97 + 4.5, 1e-9);
    assert_near(measure_earlier(&run, "in>out"), 20, 1e-9);
    assert_near(measure_count(&run, "in"), 10, 0);
    assert_near(measure_count_more(&run, "in>out"), 0, 0);
    assert_near(measure_flow_through(&run, "in"), 2, 1e-9); /* one every 0.5 s */
    assert_near(measure_flow(&run, "in"), 1, 1e-9);         /* through 2 m */
    assert_near(measure_flow_80(&run, "out"), 1, 1e-9);
    assert_near(measure_flow_all(&run, "in"), 10 / (0.97 + 4.5) / 2, 1e-9);
    assert_near(measure_least_door(&run, "in"), 1, 1e-9);
    assert_near(measure_balance(&run, ""), 1, 0);
    assert_near(measure_speed_error(&run, "in>out"), 0.2, 1e-9); /* 1 of 1.25 */
    assert_near(measure_speed_mean(&run, "in>out"), 1, 1e-9);
    assert_near(measure_speed_sd(&run, "in>out"), 0, 1e-9);
    assert_true(isnan(measure_count(&run, "nowhere")) && isnan(measure_flow(&run, "nowhere")));
    verify_run_free(&run);

    /* A frame on the line to within rounding, on either side of it; and who only touches it. */
    const double over[3][3] = {{4.9, 5 + 1e-12, 5.1}, {4.9, 5 - 1e-12, 5.1}, {4.9, 5 - 1e-7, 4.9}},
                 middle[] = {1, 1, 1};
    for (size_t k = 0; k < 3; k++) {
        verify_run_of_tracks(&run, world, 10, 3, 1, over[k], middle);
        assert_near(measure_count(&run, "in"), k < 2, 0);
        if (k < 2) assert_near(measure_first_time(&run, "in"), 0.1, 1e-9);
        verify_run_free(&run);
    }
    run = row_of(10, 4, 1); /* the last comes as far as 8 m */
    assert_true(isnan(measure_last_time(&run, "out")));
    assert_near(measure_count_more(&run, "in>out"), 5, 0);
    assert_near(measure_balance(&run, ""), 2, 0);
    verify_run_free(&run);
}

/* Two rows side by side, everybody 0.8 m from the next, at 1 m/s; `turned`: the second comes the other way. */
static verify_run two_rows(bool turned) {
    for (size_t f = 0; f < FRAMES; f++)
        for (size_t p = 0; p < PEOPLE; p++) {
            double way = 0.1 * (double)f + 0.8 * (double)(p / 2);
            x[f * PEOPLE + p] = turned && p % 2 ? 44 - way : way - 4;
            y[f * PEOPLE + p] = p % 2 ? 1.5 : 0.5;
        }
    verify_run run;
    verify_run_of_tracks(&run, world, 10, FRAMES, PEOPLE, x, y);
    return run;
}

/* Figures that experiments with real people are known for, of rows whose figures are known. */
static void experiments(void **state) {
    (void)state;
    verify_run run = two_rows(false);
    /* In the rows' middle everybody has 0.8 m x 1 m; at their ends more. */
    assert_near(measure_steady_density(&run, "b"), 1.25, 0.1);
    assert_near(measure_steady_speed(&run, "b"), 1, 1e-9);
    assert_near(measure_steady_flow(&run, "b"), measure_steady_density(&run, "b"), 1e-9);
    assert_near(measure_speed_gap(&run, "b>one way"),
                1 - verify_real_speed("one way", measure_steady_density(&run, "b")), 1e-9);
    assert_near(measure_stopped(&run, "b"), 0, 0);
    assert_near(measure_standing(&run, ""), 0, 0);
    assert_near(measure_door_flow(&run, "in"), 2.5, 0.2); /* two every 0.8 s */
    assert_near(measure_before_door(&run, "b>out"), 0.8, 1e-9);
    assert_near(measure_bands(&run, "c>x"), 1, 0);
    assert_true(isnan(measure_steady_speed(&run, "nowhere")) && isnan(measure_door_flow(&run, "nowhere")));
    verify_run_free(&run);
    run = two_rows(true); /* rows are 1 m apart: a strip of 0.4 m has one of them */
    assert_near(measure_bands(&run, "c>x"), 1, 0);
    verify_run_free(&run);
    for (size_t i = 0; i < FRAMES * PEOPLE; i++) y[i] = 0.5 + 0.1 * (y[i] > 1); /* both in one strip */
    verify_run_of_tracks(&run, world, 10, FRAMES, PEOPLE, x, y);
    assert_true(measure_bands(&run, "c>x") < 0.4);
    verify_run_free(&run);
    run = row_of(10, 0.5, 0.04);
    assert_near(measure_standing(&run, ""), 1, 0);
    verify_run_free(&run);
    assert_near(verify_real_speed("one way", 0.1), 1.39, 1e-12);
    assert_near(verify_real_speed("both ways", 1.0), 1.195, 1e-12);
    assert_near(verify_real_speed("ring", 9), 0.21, 1e-12);
    assert_true(isnan(verify_real_speed("stairs", 1)));
}

/* Where a place wraps, speeds are those of the way across the seam. */
static void across_the_seam(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.period = (throng_period){.x = true, .low = {0, 0}, .high = {40, 0}};
    throng_world *ring = throng_world_create(&def, NULL);
    const throng_point all[] = {{0, 0}, {40, 0}, {40, 2}, {0, 2}};
    const throng_mark mark = {.kind = THRONG_MARK_AREA, .name = "all", .ring = {all, 4}};
    assert_true(throng_world_add_mark(ring, &mark));
    for (size_t f = 0; f < FRAMES; f++)
        for (size_t p = 0; p < PEOPLE; p++) {
            x[f * PEOPLE + p] = fmod(0.01 + 0.1 * (double)f + 2 * (double)p, 40);
            y[f * PEOPLE + p] = 1;
        }
    verify_run run;
    verify_run_of_tracks(&run, ring, 10, FRAMES, PEOPLE, x, y);
    assert_near(measure_steady_speed(&run, "all"), 1, 1e-9);
    assert_near(measure_steady_density(&run, "all"), 0.25, 0.01);
    assert_near(measure_bands(&run, "all>x"), 1, 0);
    verify_run_free(&run);
    throng_world_destroy(ring);
}

static void areas(void **state) {
    (void)state;
    verify_run run = row_of(10, 0.5, 1);
    assert_near(measure_area_seconds(&run, "a"), 20, 0.5); /* ten people for 2 s */
    assert_near(measure_area_seconds(&run, "b"), 10, 0.5);
    assert_near(measure_area_positions(&run, "a"), 200, 5);
    assert_near(measure_area_speed(&run, "b"), 1, 1e-9);
    assert_near(measure_peak_more(&run, "a>b"), 4 / 4. - 2 / 2., 1e-9);
    assert_near(measure_queue_density(&run, "a>in"), 0, 1e-9); /* nobody is as far when they cross */
    assert_near(measure_capacity(&run, "b"), 10 / 80., 1e-9);
    assert_near(measure_areas_apart(&run, ""), 0, 1e-9);
    double weidmann = 1.34 * (1 - exp(-1.913 * (80 / 10. - 1 / 5.4)));
    assert_near(measure_weidmann_error(&run, "b"), fabs(1 / weidmann - 1), 1e-9);
    verify_run_free(&run);
    run = row_of(2, 10, 0.5); /* two on 26 m, real people at that density walk at 0.96 to 1.48 m/s */
    assert_near(measure_in_percentiles(&run, "a>26"), 0, 0);
    verify_run_free(&run);
    double low, high;
    verify_percentiles(0.4989, &low, &high);
    assert_near(low, 0.7083, 1e-4);
    assert_near(high, 1.3887, 1e-4);
    verify_percentiles(9, &low, &high);
    assert_near(low, 0.0157, 1e-4);
}

static void people(void **state) {
    (void)state;
    verify_run run = row_of(2, 3, 0.5);
    assert_near(measure_outside(&run, ""), 0, 0);
    assert_near(measure_sideways(&run, ""), 0, 0);
    assert_near(measure_distance(&run, ""), 3, 1e-9);
    assert_near(measure_shift(&run, "2"), 0.5 * 39.9, 1e-9);
    assert_near(measure_last_speed(&run, ""), 0.5, 1e-9);
    assert_near(measure_farthest_x(&run, ""), 4.03 + 19.95, 1e-9);
    assert_near(measure_backward(&run, ""), 0, 0);
    assert_near(measure_beyond_x(&run, "20.99"), 60, 0);
    verify_run_free(&run);
    for (size_t f = 0; f < 100; f++) { /* into the wall, 1 mm being no wall, and back */
        x[f] = 5 - 0.01 * (double)f;
        y[f] = f == 50 ? -0.0005 : f == 55 ? -0.002 : f > 60 ? -0.01 * (double)(f - 60) : 1;
    }
    verify_run_of_tracks(&run, world, 10, 100, 1, x, y);
    assert_near(measure_outside(&run, ""), 40, 0);
    assert_near(measure_sideways(&run, ""), 1.39, 1e-9);
    assert_true(isnan(measure_backward(&run, ""))); /* not ten seconds */
    verify_run_free(&run);
}

/* From one room to the other, and not by the door. */
static void through_a_wall(void **state) {
    (void)state;
    const throng_point floor[] = {{0, 0}, {40, 0}, {40, 2}, {0, 2}},
                       thin[] = {{20, 0}, {20.1, 0}, {20.1, 1.5}, {20, 1.5}};
    throng_obstacle wall = {.kind = THRONG_POLYGON, .ring = {thin, 4}};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){floor, 4};
    place_def.obstacles = &wall;
    place_def.obstacle_count = 1;
    throng_place *rooms = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = rooms;
    throng_world *other = throng_world_create(&def, NULL);
    const double by_door[] = {19.9, 20.2, 20.3}, heights[2][3] = {{1.8, 1.8, 1}, {1, 1, 1}};
    for (size_t k = 0; k < 2; k++) {
        verify_run run;
        verify_run_of_tracks(&run, other, 10, 3, 1, by_door, heights[k]);
        assert_near(measure_outside(&run, ""), (double)k, 0);
        verify_run_free(&run);
    }
    throng_world_destroy(other);
    throng_place_destroy(rooms);
}

/* Speeds are means from 10 s on, and from 60 s on in single file; a person walks faster every 5 s. */
static void settled(void **state) {
    (void)state;
    const double fps = 2;
    double at = 10.01, sums[2] = {0, 0};
    size_t counts[2] = {0, 0};
    for (size_t f = 0; f < 240; f++) {
        double speed = 0.0005 * floor((double)f / fps / 5);
        x[f] = at;
        y[f] = 1;
        at += speed / fps;
    }
    verify_run run;
    verify_run_of_tracks(&run, world, fps, 240, 1, x, y);
    for (size_t f = 0; f < 240; f++)
        for (size_t k = 0; k < 2; k++)
            if ((double)f >= (k ? 60 : 10) * fps) sums[k] += run.vx[f], counts[k]++;
    assert_near(measure_area_speed(&run, "a"), sums[0] / (double)counts[0], 1e-9);
    assert_near(measure_single_file_speed(&run, "a"), sums[1] / (double)counts[1], 1e-9);
    verify_run_free(&run);
}

static double lasted, frames_a_second, people_left;

static void look(void *context, const verify_run *run) {
    (void)context;
    frames_a_second = run->view.fps;
    lasted = (double)(run->view.frame_count - 1) / run->view.fps;
    people_left = measure_left_inside(run, "");
}

/* Who is behind a person that stands in a narrow corridor stands, too; the run ends after a minute of that. */
static void who_is_stuck(void **state) {
    (void)state;
    static const verify_case of = {
        .name = "juelich/05-blocked-narrow", .tests = "", .changes = "duration=%g", .values = {600}};
    char *fault;
    assert_true(verify_make_run(&(verify_task){&of, 0, "orca", 1, NULL, NULL}, &fault, look, NULL));
    assert_null(fault);
    assert_near(frames_a_second, 10, 1e-9);
    assert_true(lasted > 60 && lasted < 90);
    assert_near(people_left, 2, 0);
    static const verify_case wrong = {.name = "vadere/thin-wall", .tests = "", .changes = "dt=%g", .values = {-1}};
    assert_false(verify_make_run(&(verify_task){&wrong, 0, "orca", 1, NULL, NULL}, &fault, look, NULL));
    assert_non_null(fault);
    free(fault);
}

/* Three go round a point; at frame 50 two change places. */
static void order(void **state) {
    (void)state;
    for (size_t f = 0; f < 100; f++)
        for (size_t p = 0; p < 3; p++) {
            double place_of = f >= 50 && p ? (double)(3 - p) : (double)p, angle = 0.1 * (double)f + 2 * place_of;
            x[f * 3 + p] = 20 + cos(angle);
            y[f * 3 + p] = 1 + 0.5 * sin(angle);
        }
    verify_run run;
    verify_run_of_tracks(&run, world, 10, 100, 3, x, y);
    assert_near(measure_overtakings(&run, "20,1"), 50, 0);
    verify_run_free(&run);
}

/* People start at 10, 20, ... s; one of them 0.3 s late, and one is moved before. */
static void starts(void **state) {
    (void)state;
    for (size_t f = 0; f < FRAMES; f++)
        for (size_t p = 0; p < 3; p++) {
            double begin = 10 * (double)(p + 1) + (p == 1 ? 0.3 : 0), time = 0.1 * (double)f;
            x[f * 3 + p] = 5 * (double)p + fmax(0, time - begin) + (p == 2 && f > 5 ? 0.008 : 0);
            y[f * 3 + p] = 1;
        }
    verify_run run;
    verify_run_of_tracks(&run, world, 10, FRAMES, 3, x, y);
    assert_near(measure_start_error(&run, ""), 0.4, 0.01); /* seen a frame later */
    assert_near(measure_start_drift(&run, ""), 0.008, 1e-9);
    assert_true(measure_start_ks(&run, "uniform 0 30") > 0.3);
    assert_true(measure_start_ks(&run, "uniform 50 100") < 0.01);
    assert_near(measure_start_overlaps(&run, ""), 0, 0);
    verify_run_free(&run);
}

/* Against values of tables. */
static void statistics(void **state) {
    (void)state;
    assert_near(verify_gamma_part(0.5, 0.5), 0.6826894921, 1e-9);
    assert_near(verify_gamma_part(3, 10), 1 - exp(-10.) * (1 + 10 + 50), 1e-12);
    assert_near(verify_chi2_p(16.919, 9), 0.05, 1e-5);
    assert_near(verify_chi2_p(3.325, 9), 0.95, 1e-4);
    double a[1000], b[1000];
    for (int i = 0; i < 1000; i++) a[i] = i, b[i] = i + 0.5;
    assert_near(verify_ks_p(a, 1000, b, 1000), 1, 1e-6);
    for (int i = 0; i < 1000; i++) b[i] = i + 60; /* 0.06 apart: about 5.3 % */
    assert_near(verify_ks_p(a, 1000, b, 1000), 0.053, 0.004);
}

static void folds(void **state) {
    (void)state;
    const double values[] = {4, 2, 7}, gap[] = {4, NAN, 7};
    const struct {
        verify_fold fold;
        double result;
    } table[] = {{FOLD_MOST, 7},        {FOLD_LEAST, 2},     {FOLD_MEAN, 13 / 3.}, {FOLD_SUM, 13},      {FOLD_RATIO, 2},
                 {FOLD_LEAST_RISE, -2}, {FOLD_MOST_RISE, 5}, {FOLD_SPREAD, 5},     {FOLD_RMS, sqrt(23)}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_near(verify_folded(table[i].fold, values, 3), table[i].result, 1e-12);
        assert_true(isnan(verify_folded(table[i].fold, gap, 3)));
    }
}

static verify_row judged(verify_judge judge, verify_bound bound, double *values, size_t seeds) {
    static const verify_case no_case = {.name = "made up", .tests = ""};
    static double folded[8];
    static verify_criterion criterion;
    criterion = (verify_criterion){.fold = FOLD_MOST, .judge = judge};
    verify_row row = {.of = &no_case, .criterion = &criterion, .bound = bound, .runs = 1, .seeds = seeds};
    row.values = values;
    row.folded = folded;
    verify_judge_row(&row);
    return row;
}

static void verdicts(void **state) {
    (void)state;
    double values[] = {1, 2, 6}, one_missing[] = {1, NAN, 2};
    verify_bound up_to_5 = {-INFINITY, 5, false, false}, below_1 = {-INFINITY, 1, true, false};
    verify_row row = judged(JUDGE_EACH, up_to_5, values, 3);
    assert_int_equal(row.verdict, VERDICT_FAILS);
    assert_int_equal(row.held, 2);
    assert_near(row.figure, 3, 1e-12);
    assert_near(row.least, 1, 0);
    assert_near(row.most, 6, 0);
    char *text = verify_verdict_text(&row);
    assert_string_equal(text, "FAILS (2 of 3 seeds hold)");
    free(text);
    row = judged(JUDGE_MEAN, up_to_5, one_missing, 3);
    text = verify_verdict_text(&row);
    assert_string_equal(text, "FAILS (could not be measured in 1 of 3 seeds)");
    free(text);
    assert_int_equal(judged(JUDGE_MEAN, up_to_5, values, 3).verdict, VERDICT_HOLDS);
    assert_near(judged(JUDGE_MEDIAN, up_to_5, values, 3).figure, 2, 0);
    assert_int_equal(judged(JUDGE_EACH, below_1, values, 1).verdict, VERDICT_FAILS);
    assert_int_equal(judged(JUDGE_EACH, up_to_5, one_missing, 3).verdict, VERDICT_FAILS);
    assert_int_equal(judged(JUDGE_MEAN, (verify_bound){.none = true}, values, 3).verdict, VERDICT_TOLD);
}

static void bounds(void **state) {
    (void)state;
    const char *const texts[] = {"26 .. 34", "= 0", ">= 1", "> 0", "<= 0.05", "< 4"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        verify_bound bound;
        assert_true(verify_read_bound(texts[i], &bound));
        char *text = verify_bound_text(&bound);
        assert_string_equal(text, texts[i]);
        free(text);
    }
    verify_bound tight;
    assert_true(verify_read_bound("26..34.5", &tight) && tight.low == 26 && tight.high == 34.5);
    assert_true(verify_read_bound("<=2", &tight) && tight.high == 2 && !tight.open);
    const char *const wrong[] = {"", "5", "4..3", "=> 2", "<=", "> nan", "1..2x", "<< 3", "between 1 and 2"};
    verify_bound bound;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) assert_false(verify_read_bound(wrong[i], &bound));
}

static void turning(void **state) {
    (void)state;
    char *text = verify_turned("{\"at\": [2, 0], \"ring\": [[1, 1],[0,3]], \"one\": [5]}", 90);
    assert_string_equal(text,
                        "{\"at\": [0.000000000, 2.000000000], \"ring\": [[-1.000000000, 1.000000000],"
                        "[-3.000000000, 0.000000000]], \"one\": [5]}");
    free(text);
}

/* Every criterion has its case, every case something that is asked, and scenarios that are there. */
static void look_at(verify_book book) {
    for (size_t i = 0; i < book.criterion_count; i++) {
        bool found = false;
        for (size_t c = 0; c < book.case_count; c++) found = found || !strcmp(book.cases[c].name, book.criteria[i].of);
        if (!found) fail_msg("no case '%s'", book.criteria[i].of);
    }
    for (size_t c = 0; c < book.case_count; c++) {
        const verify_case *of = &book.cases[c];
        size_t asked = of->usual != 0, known = 0;
        for (size_t i = 0; i < book.criterion_count; i++) asked += !strcmp(of->name, book.criteria[i].of);
        for (size_t s = 0; s < book.suite_count; s++) known += verify_is_of(of->tests, book.suites[s][0]);
        if (!asked || !known || !of->seeds) fail_msg("%s: nothing is asked, or by nobody, or never", of->name);
        for (size_t run = 0; run < verify_run_count(of); run++) {
            throng_report *report = throng_report_create();
            verify_task task = {of, run, "orca", 1, NULL, NULL};
            throng_scenario *scenario = verify_scenario(&task, report);
            if (!scenario) fail_msg("%s: %s", of->name, throng_report_message(report, 0).text);
            throng_scenario_destroy(scenario);
            throng_report_destroy(report);
        }
    }
}

static void tables(void **state) {
    (void)state;
    look_at(verify_guidelines());
    look_at(verify_experiments());
    verify_book book = verify_guidelines();
    assert_int_equal(verify_run_count(&book.cases[1]), 7); /* speeds */
    assert_true(verify_is_of("rimea 6; iso 4", "iso") && !verify_is_of("rimea 6; iso 4", "imo"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),           cmocka_unit_test(areas),        cmocka_unit_test(experiments),
        cmocka_unit_test(across_the_seam), cmocka_unit_test(people),       cmocka_unit_test(through_a_wall),
        cmocka_unit_test(settled),         cmocka_unit_test(who_is_stuck), cmocka_unit_test(order),
        cmocka_unit_test(starts),          cmocka_unit_test(statistics),   cmocka_unit_test(folds),
        cmocka_unit_test(verdicts),        cmocka_unit_test(bounds),       cmocka_unit_test(turning),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, make_corridor, end_corridor);
}
