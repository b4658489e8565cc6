/* What is measured of trajectories, against closed forms on made-up ones and, for Voronoi cells, an oracle that cuts a
 * cell at everybody's bisector and counts points of a fine grid among walls. */

#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "dice.h"

enum { MOST = 4000 };
static throng_agent id[MOST];
static double x[MOST], y[MOST], area[MOST * 40], other[MOST * 40], vx[MOST * 40], vy[MOST * 40];
static double in_area[MOST * 40], on_line[MOST * 40];
static bool inside[MOST * 40];

static throng_tracks *make(double fps, const throng_place *place, int threads) {
    throng_tracks_def def = throng_default_tracks_def();
    def.fps = fps;
    def.place = place;
    def.threads = threads;
    throng_tracks *tracks = throng_tracks_create(&def, NULL);
    assert_non_null(tracks);
    for (size_t i = 0; i < MOST; i++) id[i] = i + 1;
    return tracks;
}

static throng_place *place_of(const char *wkt) {
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = wkt;
    throng_place *place = throng_place_create(&def, NULL);
    assert_non_null(place);
    return place;
}

/* A lattice in a box that fits it: everybody has the same square, an area counts whole squares, a line its length. */
static void a_lattice_has_equal_cells(void **state) {
    (void)state;
    throng_place *place = place_of("POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))");
    throng_tracks *tracks = make(10, place, 1);
    for (int i = 0; i < 200; i++) x[i] = 0.25 + 0.5 * (i % 20), y[i] = 0.25 + 0.5 * (i / 20);
    throng_tracks_add(tracks, 200, id, x, y);
    const throng_point square[] = {{1, 1}, {3, 1}, {3, 2.25}, {1, 2.25}}, across[] = {{4.1, 0}, {4.1, 5}};
    throng_ring rings[] = {{square, 4}, {across, 2}};
    throng_cells_def def = throng_default_cells_def();
    def.areas = rings, def.area_count = 1, def.lines = rings + 1, def.line_count = 1;
    throng_measure_cells(tracks, &def, area, in_area, on_line);
    double shared = 0, length = 0;
    for (int i = 0; i < 200; i++) {
        assert_near(area[i], 0.25, 1e-12);
        shared += in_area[i] / area[i], length += on_line[i];
    }
    assert_near(shared, 2 * 1.25 / 0.25, 1e-9);
    assert_near(length, 5, 1e-9);
    throng_measure_nearest(tracks, other);
    for (int i = 0; i < 200; i++) assert_near(other[i], 0.5, 1e-12);
    def.cut_off = 0.1; /* smaller than the squares: twelve corners in a circle */
    throng_measure_cells(tracks, &def, area, in_area, on_line);
    for (int i = 0; i < 200; i++) assert_near(area[i], 6 * 0.01 * sin(3.141592653589793 / 6), 1e-12);
    throng_tracks_destroy(tracks);
    throng_place_destroy(place);
}

/* Without walls only those in the middle have a cell. */
static void an_open_plane_bounds_nothing(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, NULL, 1);
    for (int i = 0; i < 25; i++) x[i] = i % 5, y[i] = i / 5;
    throng_tracks_add(tracks, 25, id, x, y);
    throng_tracks_add(tracks, 1, id, x, y);
    throng_tracks_add(tracks, 0, id, x, y);
    throng_cells_def def = throng_default_cells_def();
    throng_measure_cells(tracks, &def, area, NULL, NULL);
    for (int i = 0; i < 25; i++) {
        bool border = i % 5 == 0 || i % 5 == 4 || i / 5 == 0 || i / 5 == 4;
        if (border)
            assert_true(isnan(area[i]));
        else
            assert_near(area[i], 1, 1e-9);
    }
    throng_measure_nearest(tracks, other);
    assert_true(isnan(area[25]) && isnan(other[25])); /* alone */
    throng_tracks_destroy(tracks);
}

static const char room_with_pillars[] =
    "POLYGON ((0 0, 12 0, 12 6, 8 6, 8 3, 6 3, 6 6, 0 6, 0 0), (3 1, 3 5, 3.2 5, 3.2 1, 3 1), (9 1, 9.5 2, 10 1, 9 1))";

/* The cell by counting points: nearest to nobody else, and joined to the person through points of the cell. */
static double count_points(const throng_place *place, size_t n, size_t who, double step) {
    enum { SIDE = 260 };
    static uint8_t mark[SIDE][SIDE];
    static int stack[SIDE * SIDE];
    memset(mark, 0, sizeof mark);
    double low_x = x[who] - SIDE / 2 * step, low_y = y[who] - SIDE / 2 * step;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double px = low_x + i * step, py = low_y + j * step, mine = hypot(px - x[who], py - y[who]);
            bool good = mine < SIDE / 2 * step;
            for (size_t k = 0; good && k < n; k++) good = k == who || hypot(px - x[k], py - y[k]) >= mine;
            for (size_t r = 0; good && r < throng_place_ring_count(place); r++) {
                throng_ring ring = throng_place_ring(place, r);
                bool in = false;
                for (size_t k = 0, m = ring.count - 1; k < ring.count; m = k++) {
                    throng_point a = ring.points[k], b = ring.points[m];
                    if ((a.y > py) != (b.y > py) && px < (b.x - a.x) * (py - a.y) / (b.y - a.y) + a.x) in = !in;
                }
                good = in == (r == 0);
            }
            mark[j][i] = good;
        }
    int top = 0, found = 0;
    stack[top++] = SIDE / 2 * SIDE + SIDE / 2;
    while (top > 0) {
        int at = stack[--top], j = at / SIDE, i = at % SIDE;
        if (j < 0 || i <= 0 || j >= SIDE || i >= SIDE - 1 || mark[j][i] != 1) continue;
        mark[j][i] = 2;
        found++;
        stack[top++] = at + 1, stack[top++] = at - 1;
        if (j + 1 < SIDE) stack[top++] = at + SIDE;
        if (j > 0) stack[top++] = at - SIDE;
    }
    return found * step * step;
}

static void cells_are_those_of_the_oracle(void **state) {
    (void)state;
    throng_place *place = place_of(room_with_pillars);
    dice die = {11};
    throng_tracks *tracks = make(10, place, 1);
    size_t n = 0;
    while (n < 60) {
        x[n] = dice_between(&die, 0.1, 11.9), y[n] = dice_between(&die, 0.1, 5.9);
        bool wall = (x[n] > 5.9 && x[n] < 8.1 && y[n] > 2.9) ||
                    (x[n] > 2.9 && x[n] < 3.3 && y[n] > 0.9 && y[n] < 5.1) || (x[n] > 8.8 && x[n] < 10.2 && y[n] < 2.2);
        if (!wall) n++;
    }
    throng_tracks_add(tracks, n, id, x, y);
    throng_cells_def def = throng_default_cells_def();
    throng_measure_cells(tracks, &def, area, NULL, NULL);
    for (size_t i = 0; i < n; i++) assert_near(area[i], count_points(place, n, i, 0.02), 0.04 + 0.03 * area[i]);
    throng_tracks_destroy(tracks);
    throng_place_destroy(place);
}

/* All that can be walked on belongs to somebody, in a place whose parts everybody's cell is joined to. */
static void cells_fill_a_convex_room(void **state) {
    (void)state;
    throng_place *place = place_of("POLYGON ((0 0, 10 -1, 12 4, 6 7, -1 5, 0 0))");
    dice die = {5};
    throng_tracks *tracks = make(10, place, 2);
    size_t n[30], rows = 0;
    for (size_t f = 0; f < 30; f++) {
        n[f] = f == 0 ? 1 : f * f;
        for (size_t i = 0; i < n[f]; i++) x[i] = dice_between(&die, 0.5, 9.5), y[i] = dice_between(&die, 0.1, 4.8);
        throng_tracks_add(tracks, n[f], id, x, y);
    }
    throng_cells_def def = throng_default_cells_def();
    throng_measure_cells(tracks, &def, area, NULL, NULL);
    for (size_t f = 0; f < 30; f++) {
        double sum = 0;
        for (size_t i = 0; i < n[f]; i++) sum += area[rows++];
        assert_near(sum, 74.5, 1e-8);
    }
    throng_tracks_destroy(tracks);
    throng_place_destroy(place);
}

/* A wall across a room parts those on both sides, however near they are, and one with a gap lets a cell through. */
static void walls_part_people(void **state) {
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        const throng_point wall[] = {{5, 0}, {5, gap ? 3.0 : 4.0}}, room[] = {{0, 0}, {10, 0}, {10, 4}, {0, 4}};
        throng_obstacle obstacle = {.kind = THRONG_LINE, .ring = {wall, 2}};
        throng_place_def def = throng_default_place_def();
        def.walkable = (throng_ring){room, 4};
        def.obstacles = &obstacle;
        def.obstacle_count = 1;
        throng_place *place = throng_place_create(&def, NULL);
        throng_tracks *tracks = make(10, place, 1);
        x[0] = 4.5, y[0] = 2;
        throng_tracks_add(tracks, 1, id, x, y);
        throng_cells_def cells = throng_default_cells_def();
        throng_measure_cells(tracks, &cells, area, NULL, NULL);
        assert_near(area[0], gap ? 40 : 20, 1e-8);
        throng_tracks_destroy(tracks);
        throng_place_destroy(place);
    }
}

/* A line between two corners that walls run on from, as at a door: nobody has more of it than there is. */
static void a_line_between_corners_is_shared_once(void **state) {
    (void)state;
    throng_place *place =
        place_of("POLYGON ((-3 0, -0.4 0, -0.25 -0.15, -0.25 -1, 0.25 -1, 0.25 -0.15, 0.4 0, 3 0, 3 4, -3 4, -3 0))");
    throng_tracks *tracks = make(10, place, 1);
    dice die = {9};
    for (int f = 0; f < 200; f++) {
        for (int i = 0; i < 15; i++) x[i] = dice_between(&die, -1.5, 1.5), y[i] = dice_between(&die, 0.05, 2);
        throng_tracks_add(tracks, 15, id, x, y);
    }
    const throng_point door[] = {{0.4, 0}, {-0.4, 0}};
    throng_ring ring = {door, 2};
    throng_cells_def def = throng_default_cells_def();
    def.lines = &ring, def.line_count = 1;
    throng_measure_cells(tracks, &def, area, NULL, on_line);
    for (int f = 0; f < 200; f++) {
        double sum = 0;
        for (int i = 0; i < 15; i++) sum += on_line[15 * f + i];
        assert_near(sum, 0.8, 1e-6);
    }
    throng_tracks_destroy(tracks);
    throng_place_destroy(place);
}

/* Turned and moved, with the walls, all is as before; and for any number of threads to the last bit. */
static void figures_do_not_depend_on_the_frame(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        double c = turned ? cos(0.7) : 1, s = turned ? sin(0.7) : 0, by = turned ? 1000 : 0;
        const throng_point room[] = {{0, 0}, {12, 0}, {12, 6}, {8, 6}, {8, 3}, {6, 3}, {6, 6}, {0, 6}};
        throng_point points[8];
        for (int i = 0; i < 8; i++)
            points[i] = (throng_point){c * room[i].x - s * room[i].y + by, s * room[i].x + c * room[i].y - by};
        throng_place_def def = throng_default_place_def();
        def.walkable = (throng_ring){points, 8};
        throng_place *place = throng_place_create(&def, NULL);
        for (int threads = 1; threads <= 3; threads += 2) {
            throng_tracks *tracks = make(10, place, threads);
            dice die = {3};
            for (int f = 0; f < 40; f++) {
                for (int i = 0; i < 50; i++) {
                    double px = dice_between(&die, 0.1, 11.9), py = dice_between(&die, 0.1, 2.9);
                    x[i] = c * px - s * py + by, y[i] = s * px + c * py - by;
                }
                throng_tracks_add(tracks, 50, id, x, y);
            }
            throng_cells_def cells = throng_default_cells_def();
            throng_measure_cells(tracks, &cells, turned || threads > 1 ? other : area, NULL, NULL);
            throng_tracks_destroy(tracks);
            if (!turned && threads > 1) assert_memory_equal(area, other, 2000 * sizeof *area);
        }
        throng_place_destroy(place);
    }
    for (int i = 0; i < 2000; i++) assert_near(other[i], area[i], 1e-8 * (1 + area[i]));
}

/* A disc that turns: speed omega r over short steps, acceleration omega^2 r. */
static void a_rotating_disc(void **state) {
    (void)state;
    const double omega = 0.5;
    throng_tracks *tracks = make(100, NULL, 1);
    for (int f = 0; f < 60; f++) {
        for (int i = 0; i < 20; i++) x[i] = 0.2 * i * cos(omega * f / 100), y[i] = 0.2 * i * sin(omega * f / 100);
        throng_tracks_add(tracks, 20, id, x, y);
    }
    throng_measure_velocities(tracks, 5, THRONG_BORDER_EXCLUDE, vx, vy);
    throng_measure_accelerations(tracks, 5, other);
    for (int f = 0; f < 60; f++) {
        for (int i = 0; i < 20; i++) {
            int row = 20 * f + i;
            assert_true(isnan(vx[row]) == (f < 5 || f > 54));
            assert_true(isnan(other[row]) == (f < 10));
            if (!isnan(vx[row])) assert_near(hypot(vx[row], vy[row]), omega * 0.2 * i, 1e-3);
            if (!isnan(other[row])) assert_near(other[row], omega * omega * 0.2 * i, 1e-3);
        }
    }
    throng_measure_velocities(tracks, 5, THRONG_BORDER_ADAPTIVE, vx, vy);
    assert_true(isnan(vx[1]) && !isnan(vx[20 + 1]) && isnan(vx[20 * 59 + 1]));
    throng_measure_velocities(tracks, 5, THRONG_BORDER_SINGLE, vx, vy);
    for (int row = 0; row < 1200; row++) assert_near(hypot(vx[row], vy[row]), omega * 0.2 * (row % 20), 2e-3);
    throng_tracks_destroy(tracks);
}

/* One a second through a line at 1 m/s; times between frames; who ends on it has not crossed yet; who comes back after
 * a gap counts once, and nobody crosses in a gap. */
static void crossings_are_counted_once(void **state) {
    (void)state;
    throng_tracks *tracks = make(10, NULL, 1);
    for (int f = 0; f <= 100; f++) {
        for (int i = 0; i < 10; i++) x[i] = 0.1 * f - i - 0.55, y[i] = 0;
        x[10] = f < 50 ? -1 : f == 50 ? 0 : f % 2 ? 1 : -1, y[10] = 0.5; /* stands on the line at 50, then to and fro */
        x[11] = f < 40 ? -1 : 1, y[11] = 0.7;
        throng_tracks_add(tracks, f == 40 ? 11 : 12, id, x, y); /* the last one is away when it would cross */
    }
    const throng_point door[] = {{0, -1}, {0, 1}};
    throng_crossing crossed[12];
    throng_tracks_view v = throng_tracks_look(tracks);
    assert_int_equal(v.person_count, 12);
    assert_int_equal(v.piece_count, 13);
    assert_int_equal(throng_measure_crossings(tracks, (throng_ring){door, 2}, false, crossed), 11);
    for (int i = 0, k = 0; i < 11; i++) {
        if (v.id[crossed[i].row] == 11) {
            assert_near(crossed[i].time, 5, 1e-9);
            continue;
        }
        assert_near(crossed[i].time, 0.55 + k++, 1e-9);
        assert_true(crossed[i].forward);
    }
    assert_int_equal(throng_measure_crossings(tracks, (throng_ring){door, 2}, true, crossed), 11);
    assert_int_equal(v.id[crossed[10].row], 11); /* its last way across, backwards */
    assert_near(crossed[10].time, 9.95, 1e-9);
    assert_false(crossed[10].forward);
    const throng_point square[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    throng_measure_inside(tracks, (throng_ring){square, 4}, inside);
    assert_false(inside[10]); /* on the border */
    assert_true(inside[0]);
    throng_tracks_destroy(tracks);
}

/* Two walk around a corridor of 10 m at 1 m/s, one each way, for 32 s: nobody is ever faster, a line is crossed once a
 * turn, wherever it is, and the two are of different ways. */
static void an_endless_corridor(void **state) {
    (void)state;
    throng_tracks_def def = throng_default_tracks_def();
    def.fps = 10;
    def.period = (throng_period){.x = true, .low = {-5, 0}, .high = {5, 0}};
    throng_tracks *tracks = throng_tracks_create(&def, NULL);
    for (int f = 0; f <= 320; f++) {
        for (int i = 0; i < 4; i++)
            x[i] = fmod(5.04 + (i % 2 ? 40 - 0.1 * f : 0.1 * f), 10) - 5, y[i] = 0.1 + i % 2 + 0.05 * i;
        throng_tracks_add(tracks, 4, id, x, y);
    }
    throng_tracks_view v = throng_tracks_look(tracks);
    assert_int_equal(v.person_count, 4);
    assert_int_equal(v.piece_count, 4);
    assert_int_equal(v.turn_count, 4 * 3);
    throng_measure_velocities(tracks, 3, THRONG_BORDER_SINGLE, vx, vy);
    throng_measure_accelerations(tracks, 3, area);
    for (size_t row = 0; row < v.row_count; row++) {
        assert_near(vx[row], v.id[row] % 2 ? 1 : -1, 1e-9);
        if (v.frame[row] >= 6) assert_near(area[row], 0, 1e-9);
        inside[row] = true;
    }
    throng_crossing crossed[4 + 12];
    const double lines[] = {0, 3, -5, 5, -4.99, 4.99};
    for (size_t k = 0; k < 6; k++) {
        const throng_point across[] = {{lines[k], 0}, {lines[k], 2}};
        size_t count = throng_measure_crossings(tracks, (throng_ring){across, 2}, false, crossed);
        double first = fmod(lines[k] + 9.96, 10), back = fmod(10.04 - lines[k], 10);
        size_t expected = 2 * (size_t)(1 + floor((32 - first) / 10)) + 2 * (size_t)(1 + floor((32 - back) / 10));
        assert_int_equal(count, expected);
        for (size_t i = 0; i < count; i++)
            if (v.id[crossed[i].row] == 1) assert_near(fmod(crossed[i].time - first + 1e-9, 10), 0, 1e-6);
    }
    throng_lanes_def lanes = {inside, {1, 0}, 0, 2, 0, 320, 1};
    throng_lane_figures f = throng_measure_lanes(tracks, &lanes);
    assert_near(f.strip_index, 1, 1e-12);
    assert_near(f.strip_shuffled, 1. / 3, 1e-12); /* two of four, of two ways */
    throng_tracks_destroy(tracks);
}

/* Two lanes are in perfect order; people who alternate are in none. */
static void lanes_have_an_order(void **state) {
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        throng_tracks *tracks = make(1, NULL, 1);
        for (int f = 0; f < 5; f++) {
            for (int i = 0; i < 40; i++) {
                int way = mixed ? i % 2 : i >= 20;
                x[i] = 0.3 * (i % 20) + (way ? 0.1 : -0.1) * f, y[i] = i >= 20 ? 2.5 : 0.5;
            }
            throng_tracks_add(tracks, 40, id, x, y);
        }
        for (size_t i = 0; i < 200; i++) inside[i] = true;
        throng_lanes_def def = {inside, {1, 0}, 0, 3, 0, 4, 1};
        throng_lane_figures f = throng_measure_lanes(tracks, &def);
        assert_int_equal(f.frames, 5);
        assert_near(f.order, mixed ? 0 : 1, 1e-12);
        assert_near(f.band_index, mixed ? 0 : 1, 1e-12);
        assert_near(f.strip_index, mixed ? 0 : 1, 1e-12);
        assert_near(f.strip_shuffled, 20.0 / (39 * 20), 1e-12); /* (n - k) / ((n - 1) k) */
        assert_near(f.order_reduced, mixed ? -1 / 38.0 : 1, 1e-9);
        if (mixed)
            assert_true(isnan(f.half_period));
        else
            assert_near(f.half_period, 2, 1e-9);
        throng_tracks_destroy(tracks);
    }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    throng_tracks_def def = throng_default_tracks_def();
    throng_error error = {0};
    assert_null(throng_tracks_create(&def, &error));
    assert_non_null(strstr(error.text, "frame rate"));
    def.fps = 10;
    def.period = (throng_period){.x = true, .low = {5, 0}, .high = {5, 0}};
    assert_null(throng_tracks_create(&def, &error));
    throng_tracks *tracks = make(10, NULL, 1);
    assert_int_equal(throng_tracks_look(tracks).person_count, 0);
    x[0] = NAN, y[0] = 0, x[1] = 1, y[1] = 1;
    id[2] = 2;
    throng_tracks_add(tracks, 3, id, x, y); /* one nowhere, one twice */
    assert_int_equal(throng_tracks_look(tracks).row_count, 1);
    throng_tracks_destroy(tracks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_has_equal_cells),
        cmocka_unit_test(an_open_plane_bounds_nothing),
        cmocka_unit_test(cells_are_those_of_the_oracle),
        cmocka_unit_test(cells_fill_a_convex_room),
        cmocka_unit_test(walls_part_people),
        cmocka_unit_test(a_line_between_corners_is_shared_once),
        cmocka_unit_test(figures_do_not_depend_on_the_frame),
        cmocka_unit_test(a_rotating_disc),
        cmocka_unit_test(crossings_are_counted_once),
        cmocka_unit_test(an_endless_corridor),
        cmocka_unit_test(lanes_have_an_order),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
