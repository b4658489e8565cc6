/* Figures of a whole run against closed forms: pairs, walls, goals, times to collision, pressure, and the table of all
 * of them. */

#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "dice.h"

enum { MOST = 400, ROWS = 200000 };
static throng_agent id[MOST];
static double x[MOST], y[MOST], radius[MOST], out[ROWS], vx[ROWS], vy[ROWS];
static uint32_t goal[ROWS];

static throng_tracks *make(double fps, const char *wkt, int threads) {
    throng_tracks_def def = throng_default_tracks_def();
    throng_place_def place = throng_default_place_def();
    place.walkable_wkt = wkt;
    throng_place *made = wkt ? throng_place_create(&place, NULL) : NULL;
    def.fps = fps;
    def.place = made;
    def.threads = threads;
    throng_tracks *tracks = throng_tracks_create(&def, NULL);
    throng_place_destroy(made);
    for (size_t i = 0; i < MOST; i++) id[i] = i + 1, radius[i] = 0.25;
    return tracks;
}

/* x = t^3: the jerk is 6, of a backward difference, too. */
static void a_cube_has_a_constant_jerk(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, NULL, 1);
    for (int f = 0; f < 30; f++) {
        double t = 0.1 * f;
        x[0] = t * t * t, y[0] = 2 * t * t;
        throng_tracks_add(tracks, 1, id, x, y);
    }
    throng_measure_jerks(tracks, 3, out);
    for (int f = 0; f < 30; f++) {
        assert_true(isnan(out[f]) == (f < 9));
        if (f >= 9) assert_near(out[f], 6, 1e-6);
    }
    throng_tracks_destroy(tracks);
}

/* A lattice of discs: 2 n (n - 1) neighbours overlap by what is said; one large disc overlaps far away, too. */
static void overlaps_are_counted(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        throng_tracks *tracks = make(10, NULL, threads);
        for (int f = 0; f < 100; f++) {
            for (int i = 0; i < 100; i++) x[i] = 0.45 * (i % 10), y[i] = 0.45 * (i / 10);
            x[100] = 10, y[100] = 2;
            throng_tracks_add(tracks, 101, id, x, y);
        }
        throng_overlap_figures f = throng_measure_overlaps(tracks, radius, 10, 19);
        assert_int_equal(f.pairs, 10 * 2 * 10 * 9);
        assert_near(f.deepest, 0.05, 1e-12);
        radius[100] = 5.8; /* reaches the last column, 5.95 m away */
        f = throng_measure_overlaps(tracks, radius, 0, 0);
        int reached = 0;
        for (int i = 0; i < 100; i++) reached += hypot(x[i] - 10, y[i] - 2) < 6.05 - 1e-3;
        assert_true(reached > 1);
        assert_int_equal(f.pairs, 180 + reached);
        for (int i = 0; i < 101; i++) radius[i] = 0.2254; /* by less than 1 mm: none */
        assert_int_equal(throng_measure_overlaps(tracks, radius, 0, SIZE_MAX).pairs, 0);
        throng_tracks_destroy(tracks);
    }
}

static void ways_through_walls_are_counted(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, "POLYGON ((0 0, 10 0, 10 4, 0 4, 0 0), (4 1, 6 1, 6 3, 4 3, 4 1))", 1);
    for (int f = 0; f < 5; f++) {
        x[0] = 3.5 + 0.8 * f, y[0] = 2;   /* into the pillar in frame 1, out of it in frame 4 */
        x[1] = 3.5 + 0.8 * f, y[1] = 0.5; /* past it */
        x[2] = f < 2 ? 1 : 9, y[2] = 2;   /* from one side to the other at once */
        throng_tracks_add(tracks, 3, id, x, y);
    }
    throng_wall_figures f = throng_measure_walls(tracks, 0, 4);
    assert_int_equal(f.crossings, 3);
    assert_int_equal(f.outside, 3);
    assert_int_equal(throng_measure_walls(tracks, 0, 1).crossings, 1);
    throng_tracks_destroy(tracks);
}

/* Two streams with opposite velocities in the same place: the variance is v^2; one stream: none. */
static void pressure_is_density_times_variance(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, NULL, 2);
    for (int i = 0; i < 400; i++) x[i] = 0.5 * (i % 20), y[i] = 0.5 * (i / 20);
    throng_tracks_add(tracks, 400, id, x, y);
    for (int i = 0; i < 400; i++) vx[i] = (i % 20 + i / 20) % 2 ? 1.5 : -1.5, vy[i] = 0.3;
    throng_measure_pressures(tracks, vx, vy, out);
    assert_near(out[210], 4 * 1.5 * 1.5, 0.01 * 9); /* 4 people per m2 */
    for (int i = 0; i < 400; i++) vx[i] = 1.5;
    throng_measure_pressures(tracks, vx, vy, out);
    assert_near(out[210], 0, 1e-9);
    vx[210] = NAN;
    throng_measure_pressures(tracks, vx, vy, out);
    assert_true(isnan(out[210]));
    throng_tracks_destroy(tracks);
}

/* People thrown at random have no structure: g = 1. Those who keep 1 m apart have none below it. */
static void pairs_have_a_distribution(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, NULL, 2), *apart = make(10, NULL, 2);
    dice die = {7};
    for (int f = 0; f < 400; f++) {
        for (int i = 0; i < 60; i++) x[i] = dice_between(&die, 0, 12), y[i] = dice_between(&die, 0, 12);
        throng_tracks_add(tracks, 60, id, x, y);
        double ox = dice_between(&die, 0, 1.2), oy = dice_between(&die, 0, 1.2);
        for (int i = 0; i < 100; i++) x[i] = ox + 1.2 * (i % 10), y[i] = oy + 1.2 * (i / 10);
        throng_tracks_add(apart, 100, id, x, y);
    }
    throng_measure_pair_distribution(tracks, 0, SIZE_MAX, 0.5, 10, out);
    for (int k = 0; k < 10; k++) assert_near(out[k], 1, 0.06);
    throng_measure_pair_distribution(apart, 0, SIZE_MAX, 0.25, 10, out);
    for (int k = 0; k < 4; k++) assert_near(out[k], 0, 1e-12);
    assert_true(out[4] > 3); /* 1.2 m */
    throng_tracks_destroy(tracks);
    throng_tracks_destroy(apart);
}

/* Who gets to which goal next; who gets to none. */
static void goals_are_found(void **state) {
    (void)state;
    const throng_point square[] = {{5, -1}, {6, -1}, {6, 1}, {5, 1}}, middle[] = {{10, 0}}, line[] = {{2, 3}, {2, 5}};
    throng_mark marks[] = {{.kind = THRONG_MARK_GOAL, .ring = {square, 4}},
                           {.kind = THRONG_MARK_ZONE, .ring = {square, 4}},
                           {.kind = THRONG_MARK_EXIT, .ring = {middle, 1}, .radius = 0.5},
                           {.kind = THRONG_MARK_GOAL, .ring = {line, 2}}};
    throng_tracks *tracks = make(10, NULL, 1);
    for (int f = 0; f <= 90; f++) {
        x[0] = 0.1 * f, y[0] = 0;      /* through the square to 9, on the rim of the disc */
        x[1] = 0.02 * f, y[1] = 4;     /* to the line */
        x[2] = -0.1 * f - 5, y[2] = 0; /* away */
        throng_tracks_add(tracks, 3, id, x, y);
    }
    throng_measure_goals(tracks, marks, 4, goal);
    for (int f = 0; f <= 90; f++) {
        assert_int_equal(goal[3 * f], f <= 65 ? 0 : 2);
        assert_int_equal(goal[3 * f + 1], 3);
        assert_true(goal[3 * f + 2] == UINT32_MAX);
    }
    throng_tracks_destroy(tracks);
}

/* The law is found again in counts that follow it. */
static void the_power_law_is_fitted(void **state) {
    (void)state;
    throng_collisions c = {0};
    for (int b = 0; b < THRONG_COLLISION_BINS; b++) {
        double tau = 0.05 + 0.1 * b;
        c.scrambled[b] = 1e5 * (1 + b);
        c.observed[b] = c.scrambled[b] * exp(-1.3 * pow(tau, -1.85));
    }
    throng_fit_collisions(&c);
    assert_near(c.exponent, 1.85, 1e-9);
    assert_near(c.scale, 1.3, 1e-6);
    assert_near(c.exponent_log, 1.85, 1e-6);
    assert_near(c.energy[10], 1.3 * pow(1.05, -1.85), 1e-9);
    for (int b = 0; b < THRONG_COLLISION_BINS; b++)
        c.observed[b] = c.scrambled[b] * exp(-0.5 * pow(0.05 + 0.1 * b, -6));
    throng_fit_collisions(&c);
    assert_true(isnan(c.exponent) && isnan(c.scale)); /* steeper than any that is looked for */
    memset(&c, 0, sizeof c);
    throng_fit_collisions(&c);
    assert_true(isnan(c.exponent) && isnan(c.exponent_log) && isnan(c.energy[3]));
}

/* Two people who meet head on: tau falls by 0.4 s every 0.4 s. Tracks that know nothing of each other have no energy.
 */
static void times_to_collision(void **state) {
    (void)state;
    throng_tracks *two = make(10, NULL, 1);
    for (int f = 0; f <= 24; f++) {
        x[0] = 0.1 * f, y[0] = 0, x[1] = 6.25 - 0.1 * f, y[1] = 0; /* 6.05 - 2 t until they touch, at 2 m/s */
        throng_tracks_add(two, 2, id, x, y);
    }
    throng_collisions c = {0};
    throng_measure_collisions(two, 0.1, 0, SIZE_MAX, &c);
    assert_near(c.pairs, 7, 0);
    for (int b = 0; b < THRONG_COLLISION_BINS; b++) {
        bool hit = b >= 6 && b <= 30 && (b - 6) % 4 == 0;
        assert_near(c.observed[b], hit ? 1 : 0, 0);
    }
    throng_measure_collisions(two, 0.1, 0, SIZE_MAX, &c); /* adds */
    assert_near(c.pairs, 14, 0);
    throng_tracks_destroy(two);

    throng_tracks *many = make(10, NULL, 1);
    dice die = {3};
    double ax[60], ay[60], sx[60], sy[60];
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 60; i++) {
            double angle = dice_between(&die, 0, 6.28318);
            ax[i] = dice_between(&die, 0, 15), ay[i] = dice_between(&die, 0, 15);
            sx[i] = cos(angle), sy[i] = sin(angle);
            id[i] = (throng_agent)(60 * round + i + 1);
        }
        for (int f = 0; f < 20; f++) {
            for (int i = 0; i < 60; i++) x[i] = ax[i] + 0.1 * f * sx[i], y[i] = ay[i] + 0.1 * f * sy[i];
            throng_tracks_add(many, 60, id, x, y);
        }
    }
    memset(&c, 0, sizeof c);
    throng_measure_collisions(many, 0.1, 0, SIZE_MAX, &c);
    throng_fit_collisions(&c);
    double observed = 0, scrambled = 0;
    for (int b = 0; b < THRONG_COLLISION_BINS; b++) observed += c.observed[b], scrambled += c.scrambled[b];
    assert_true(observed > 2000);
    assert_near(observed / scrambled, 1, 0.06);
    throng_tracks_destroy(many);
}

/* Ten people a metre apart walk 1 m/s for 20 s along a wall and go, one a second; one of them stands for 5 s. */
static void a_run_in_short(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, "POLYGON ((-20 0, 40 0, 40 2, -20 2, -20 0))", 1);
    double force[ROWS];
    for (int f = 0; f <= 300; f++) {
        size_t n = 0;
        for (int i = 0; i < 10; i++) {
            double t = 0.1 * f;
            if (t > 20 + i + 1e-9) continue;
            double stood = i == 9 ? fmin(fmax(t - 10, 0), 5) : 0;
            id[n] = (throng_agent)i + 1, x[n] = t - stood - i, y[n++] = 1;
        }
        throng_tracks_add(tracks, n, id, x, y);
    }
    size_t rows = throng_tracks_look(tracks).row_count;
    for (size_t i = 0; i < rows; i++) force[i] = i < 30 ? 3000 : 10;
    throng_summary_def def = throng_default_summary_def();
    def.radius = radius;
    def.force = force;
    throng_summary f = throng_measure_summary(tracks, &def);
    assert_near(f.people, 10, 0);
    assert_near(f.left, 10, 0);
    assert_near(f.egress_last, 29.1, 1e-9);
    assert_near(f.egress_p95, 29.1, 1e-9);
    assert_near(f.egress_mean, 20.1 + 4.5, 1e-9);
    assert_near(f.speed_mean, 1 - 5 / 24.5 / 10, 0.01);
    assert_near(f.waited_mean, 0.5, 0.05);
    assert_near(f.way_mean, 24.5 - 0.5, 1e-6);
    assert_near(f.way_efficiency, 1, 1e-9);
    assert_near(f.reversals, 0, 0);
    assert_near(f.nearest_p50, 1, 1e-6);
    assert_near(f.overlaps, 0, 0);
    assert_near(f.wall_crossings, 0, 0);
    assert_near(f.density_max, 1 / 1.825, 0.02); /* 1 m of the twelve corners of the cut-off */
    assert_near(f.force_max, 3000, 0);
    assert_near(f.load_time, 3, 1e-9);
    for (size_t k = 0; k < throng_summary_count(); k++) {
        throng_summary_line about = throng_summary_about(k);
        assert_true(*about.name && *about.about);
        if (!strcmp(about.name, "way_mean")) assert_near(throng_summary_value(&f, k), f.way_mean, 0);
    }
    assert_int_equal(throng_summary_count() * sizeof(double), sizeof f);

    def.last = 150; /* nobody has left, nobody is known to: what cannot be known is not */
    def.radius = def.force = NULL;
    f = throng_measure_summary(tracks, &def);
    assert_true(isnan(f.overlaps) && isnan(f.force_max) && isnan(f.load_time));
    throng_tracks_destroy(tracks);

    throng_tracks *none = make(10, NULL, 1);
    def = throng_default_summary_def();
    f = throng_measure_summary(none, &def);
    assert_near(f.people, 0, 0);
    assert_true(isnan(f.speed_mean) && isnan(f.egress_last) && isnan(f.density_mean) && isnan(f.wall_crossings));
    throng_tracks_destroy(none);
}

/* Somebody at 0.5 m/s walks, at 0.2 m/s stands; who turns back at 0.5 m/s is counted, who jitters at 0.05 m/s is not.
 * People in cells of 0.16 m2 are in danger, of 0.36 m2 are not. */
static void thresholds(void **state) {
    (void)state;
    throng_summary_def def = throng_default_summary_def();
    for (int slow = 0; slow < 2; slow++) {
        throng_tracks *tracks = make(10, NULL, 1);
        for (int f = 0; f < 600; f++) {
            double t = 0.1 * f, speed = slow ? 0.2 : 0.5, phase = fmod(t, 20);
            x[0] = speed * (phase < 10 ? phase : 20 - phase), y[0] = 0; /* back every 10 s: five times in 60 s */
            x[1] = 5 + (slow ? 0.05 : 0) * (fmod(t, 2) < 1 ? fmod(t, 1) : 1 - fmod(t, 1)), y[1] = 5;
            throng_tracks_add(tracks, 2, id, x, y);
        }
        throng_summary f = throng_measure_summary(tracks, &def);
        assert_near(f.standing, slow ? 1 : 0.51, 0.01);
        assert_near(f.reversals, 5, 0.2);
        throng_tracks_destroy(tracks);
    }
    for (int dense = 0; dense < 2; dense++) {
        double step = dense ? 0.4 : 0.6, size = 10 * step;
        char wkt[120];
        snprintf(wkt, sizeof wkt, "POLYGON ((0 0, %g 0, %g %g, 0 %g, 0 0))", size, size, size, size);
        throng_tracks *tracks = make(10, wkt, 1);
        for (int i = 0; i < 100; i++) x[i] = step * (i % 10 + 0.5), y[i] = step * ((double)(i / 10) + 0.5);
        throng_tracks_add(tracks, 100, id, x, y);
        throng_summary f = throng_measure_summary(tracks, &def);
        assert_near(f.area_crushed, dense, 0);
        assert_near(f.density_max, 1 / (step * step), 1e-9);
        throng_tracks_destroy(tracks);
    }
}

/* One a second through a line. */
static void flow_of_a_row(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, NULL, 1);
    for (int f = 0; f <= 600; f++) {
        for (int i = 0; i < 50; i++) x[i] = 0.1 * f - i - 0.55, y[i] = 0;
        throng_tracks_add(tracks, 50, id, x, y);
    }
    const throng_point door[] = {{0, -1}, {0, 1}};
    throng_flow_figures f = throng_measure_flow(tracks, (throng_ring){door, 2}, false, 0, SIZE_MAX, NULL);
    assert_int_equal(f.count, 50);
    assert_int_equal(f.forward, 50);
    assert_near(f.first, 0.55, 1e-9);
    assert_near(f.last, 49.55, 1e-9);
    assert_near(f.mean, 25.05, 1e-9);
    assert_near(f.p95, 47.55, 1e-9);
    assert_near(f.flow, 1, 1e-9);
    assert_near(f.gap_mean, 1, 1e-9);
    f = throng_measure_flow(tracks, (throng_ring){door, 2}, false, 100, 199, NULL);
    assert_int_equal(f.count, 10);
    f = throng_measure_flow(tracks, (throng_ring){door, 2}, false, 1000, 2000, NULL);
    assert_true(f.count == 0 && isnan(f.flow) && isnan(f.first));
    throng_tracks_destroy(tracks);
}

/* A lattice in a box: every square has the density of the lattice, or, of squares half outside, half of it. A Gaussian
 * has its density, and all of it adds up to one person. */
static void maps_of_a_lattice(void **state) {
    (void)state;
    enum { COLUMNS = 12, LINES = 7, SQUARES = COLUMNS * LINES };
    double density[SQUARES], speed[SQUARES], flow[SQUARES], covered[SQUARES], again[SQUARES];
    throng_maps maps = {density, speed, flow, covered};
    throng_maps_def def = throng_default_maps_def();
    def.low = (throng_point){-0.25, -0.25};
    def.columns = COLUMNS, def.rows = LINES;
    for (int threads = 1; threads <= 3; threads += 2) {
        throng_tracks *tracks = make(10, "POLYGON ((0 0, 5 0, 5 3, 0 3, 0 0))", threads);
        for (int f = 0; f < 20; f++) {
            for (int i = 0; i < 60; i++) x[i] = 0.25 + 0.5 * (i % 10), y[i] = 0.25 + 0.5 * (i / 10);
            throng_tracks_add(tracks, 60, id, x, y);
        }
        for (int i = 0; i < 1200; i++)
            out[i] = i % 10 < 5 ? 1 : NAN; /* the left half walks, of the others it is not known */
        def.speed = out;
        def.gaussian = 0;
        throng_measure_maps(tracks, &def, &maps);
        for (int s = 0; s < SQUARES; s++) {
            int c = s % COLUMNS, r = s / COLUMNS;
            double in = (c == 0 || c == 10 ? 0.5 : c == 11 ? 0 : 1) * (r == 0 || r == 6 ? 0.5 : 1);
            assert_near(density[s], 4 * in, 1e-9);
            assert_near(covered[s], in, 1e-9);
            if (c <= 5)
                assert_near(speed[s], 1, 1e-9);
            else
                assert_true(isnan(speed[s]) && isnan(flow[s]));
            if (c < 5) assert_near(flow[s], 4 * in, 1e-9);
            if (threads == 1) again[s] = density[s];
        }
        assert_memory_equal(again, density, sizeof again);
        def.first = 100; /* no such frames */
        throng_measure_maps(tracks, &def, &maps);
        assert_true(isnan(density[0]));
        def.first = 0;
        throng_tracks_destroy(tracks);
    }
    throng_tracks *one = make(10, NULL, 1);
    x[0] = 2.9, y[0] = 1.4;
    throng_tracks_add(one, 1, id, x, y);
    out[0] = 1.5;
    def.gaussian = 0.8;
    throng_measure_maps(one, &def, &maps);
    double sum = 0, sigma = 0.8 / (2 * sqrt(2 * log(2)));
    for (int s = 0; s < SQUARES; s++) {
        double dx = 0.5 * (s % COLUMNS) - 2.9, dy = 0.5 * (s / COLUMNS) - 1.4;
        assert_near(density[s], exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)) / (6.283185307179586 * sigma * sigma),
                    1e-7);
        sum += 0.25 * density[s];
        if (density[s] > 1e-3) assert_near(speed[s], 1.5, 1e-9);
    }
    assert_near(sum, 1, 0.02);
    throng_tracks_destroy(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_a_constant_jerk),
        cmocka_unit_test(overlaps_are_counted),
        cmocka_unit_test(ways_through_walls_are_counted),
        cmocka_unit_test(pressure_is_density_times_variance),
        cmocka_unit_test(pairs_have_a_distribution),
        cmocka_unit_test(goals_are_found),
        cmocka_unit_test(the_power_law_is_fitted),
        cmocka_unit_test(times_to_collision),
        cmocka_unit_test(a_run_in_short),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(flow_of_a_row),
        cmocka_unit_test(maps_of_a_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
