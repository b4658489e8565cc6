/* unit_record_world.c: from a world to a file and back, through the public interface alone. */

#include "record_common.h"

static throng_place *make_place(const char *wkt, const throng_obstacle *obstacles, size_t count) {
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = wkt;
    def.obstacles = obstacles;
    def.obstacle_count = count;
    throng_error error = {0};
    throng_place *place = throng_place_create(&def, &error);
    if (!place) fail_msg("%s", error.text);
    return place;
}

static throng_world *make_world(const throng_place *place) {
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.model = "none";
    def.dt = 0.1;
    def.seed = 42;
    def.threads = 1;
    def.planner = "straight";
    throng_error error = {0};
    throng_world *world = throng_world_create(&def, &error);
    if (!world) fail_msg("%s", error.text);
    return world;
}

static throng_agent add(throng_world *world, double x, double y, throng_group group, throng_goal goal,
                        throng_point target) {
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){x, y};
    def.group = group;
    def.journey = &goal;
    def.journey_count = goal ? 1 : 0;
    def.target = target;
    def.radius = 0.25;
    throng_agent agent = throng_world_add_agent(world, &def);
    if (!agent) fail_msg("%s", throng_world_error(world)->text);
    return agent;
}

static throng_recorder *start(const char *path, const throng_world *world) {
    throng_recorder_def def = throng_default_recorder_def();
    def.path = path;
    def.fps = 10;
    def.description = "two groups";
    throng_error error = {0};
    throng_recorder *recorder = throng_recorder_create(&def, world, &error);
    if (!recorder) fail_msg("%s", error.text);
    return recorder;
}

static void finish(throng_recorder *recorder) {
    throng_error error = {0};
    if (!throng_recorder_close(recorder, &error)) fail_msg("%s", error.text);
}

/* People come and go; several files are written at once; every frame is the world as it was. */
static void a_run_comes_back(void **state) {
    (void)state;
    const throng_point wall[] = {{2, 8}, {4, 8}};
    const throng_obstacle line = {.kind = THRONG_LINE, .ring = {wall, 2}};
    throng_place *place = make_place("POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))", &line, 1);
    throng_world *world = make_world(place);
    throng_group first = throng_world_add_group(world, "first"), late = throng_world_add_group(world, "late");
    throng_goal_def out = throng_default_goal_def();
    out.kind = THRONG_GOAL_POINT;
    out.point = (throng_point){18, 5};
    out.exit = true;
    throng_goal goal = throng_world_add_goal(world, &out);
    for (int i = 0; i < 5; i++) add(world, 15.5 - i, 5, first, goal, (throng_point){0});

    static const char *const names[] = {"run.sqlite", "run.throng", "run.txt"};
    static const double margins[] = {0, 0.51e-3, 0.51e-6};
    throng_recorder *all[3];
    for (int k = 0; k < 3; k++) all[k] = start(path_of(names[k]), world);
    enum { frames = 60 };
    static size_t counts[frames];
    static double x[frames][8];
    for (size_t f = 0; f < frames; f++) {
        if (f == 20) add(world, 1, 5, late, goal, (throng_point){0});
        throng_view view = throng_world_view(world);
        counts[f] = view.count;
        for (size_t i = 0; i < view.count; i++) x[f][i] = view.x[i];
        for (int k = 0; k < 3; k++) assert_true(throng_recorder_frame(all[k], world, NULL));
        throng_world_step(world);
    }
    for (int k = 0; k < 3; k++) finish(all[k]);
    assert_true(counts[0] == 5 && counts[frames - 1] < 5);

    expect_jupedsim_rules(path_of("run.sqlite"));
    for (int k = 0; k < 3; k++) {
        throng_error error = {0};
        throng_recording *recording = throng_recording_open(path_of(names[k]), &error);
        if (!recording) fail_msg("%s", error.text);
        throng_recording_info info = throng_recording_info_of(recording);
        assert_int_equal(info.agent_count, 6);
        assert_true(info.frame_count == frames || (k == 2 && counts[frames - 1] == 0));
        for (size_t f = 0; f < info.frame_count; f++) {
            throng_frame frame;
            assert_true(throng_recording_frame(recording, f, &frame, &error));
            assert_int_equal(frame.count, counts[f]);
            for (size_t i = 0; i < frame.count; i++) assert_near(frame.x[i], x[f][i], margins[k]);
        }
        if (k < 2) {
            throng_recording_agent agent = throng_recording_agent_at(recording, 5);
            assert_string_equal(agent.group, "late");
            assert_string_equal(agent.model, "none");
            assert_near(agent.radius, 0.25, 0);
        }
        throng_place *again = throng_recording_place(recording, &error);
        if (!again) fail_msg("%s", error.text);
        assert_string_equal(throng_place_wkt(again), throng_place_wkt(place));
        assert_int_equal(throng_place_line_count(again), 1);
        assert_near(throng_place_line(again, 0).points[1].x, 4, 0);
        throng_place_destroy(again);
        throng_recording_close(recording);
    }
    throng_world_destroy(world);
    throng_place_destroy(place);
}

/* What wraps is kept by every format that has a place for marks, and by what is made of it. */
static void an_endless_place_stays_so(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.model = "none";
    def.period = (throng_period){.x = true, .y = true, .low = {-1.5, 2}, .high = {38.25, 50}};
    throng_world *world = throng_world_create(&def, NULL);
    add(world, 1, 5, 0, 0, (throng_point){0});
    static const char *const names[] = {"wraps.sqlite", "wraps.throng", "wraps.h5", "wraps.txt", "again.sqlite"};
    for (int k = 0; k < 5; k++) {
        throng_error error = {0};
        if (k < 4) {
            throng_recorder *recorder = start(path_of(names[k]), world);
            assert_true(throng_recorder_frame(recorder, world, NULL));
            finish(recorder);
        }
        throng_recording *recording = throng_recording_open(path_of(names[k]), &error);
        if (!recording) fail_msg("%s", error.text);
        throng_period p = throng_recording_period(recording);
        assert_true(p.x && p.y && p.low.x == -1.5 && p.high.x == 38.25 && p.low.y == 2 && p.high.y == 50);
        throng_convert_def convert = throng_default_convert_def();
        throng_convert_outcome outcome;
        convert.path = path_of("again.sqlite");
        if (k == 3) assert_true(throng_recording_convert(recording, &convert, &outcome, &error));
        throng_recording_close(recording);
    }
    throng_world_destroy(world);
}

/* The rectangle holds where people are, where they were, where they go, and 5 m more. */
static void an_open_plane_is_bounded(void **state) {
    (void)state;
    throng_world *world = make_world(NULL);
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_POINT;
    def.point = (throng_point){-100, 3};
    throng_world_add_goal(world, &def);
    def.kind = THRONG_GOAL_OWN;
    throng_goal own = throng_world_add_goal(world, &def);
    add(world, 0, 0, 0, own, (throng_point){70, 80});
    throng_recorder *recorder = start(path_of("open.sqlite"), world);
    sqlite3 *db = connect_to(path_of("open.sqlite"), SQLITE_OPEN_READONLY);
    assert_string_equal(ask(db, "SELECT wkt FROM geometry"),
                        "POLYGON ((-105.000 -5.000, 75.000 -5.000, 75.000 85.000, -105.000 85.000, -105.000 -5.000))");
    sqlite3_close(db);
    assert_true(throng_recorder_frame(recorder, world, NULL));
    add(world, 300, 0, 0, own, (throng_point){0, -60});
    throng_world_step(world);
    assert_true(throng_recorder_frame(recorder, world, NULL));
    finish(recorder);
    db = connect_to(path_of("open.sqlite"), SQLITE_OPEN_READONLY);
    assert_near(atof(ask(db, "SELECT value FROM metadata WHERE key = 'ymin'")), -65, 1e-9);
    assert_near(atof(ask(db, "SELECT value FROM metadata WHERE key = 'xmax'")), 305, 0.5);
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'x_seed'"), "42");
    sqlite3_close(db);
    throng_world_destroy(world);
}

/* The text of a geometry, where `expected` tells it, and that it reads back as the same walls. */
static void expect_geometry(const throng_place *place, const char *expected) {
    throng_record_geometry *geometry = throng_record_geometry_create(place);
    char *wkt = calloc(1, throng_record_geometry_wkt_size(geometry));
    throng_record_geometry_wkt(geometry, (throng_box){{0, 0}, {10, 10}}, 0, wkt);
    if (expected) assert_string_equal(wkt, expected);

    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = wkt;
    throng_error error = {0};
    throng_place *again = throng_place_create(&def, &error);
    if (!again) fail_msg("%s: %s", wkt, error.text);
    assert_int_equal(throng_place_ring_count(again), throng_place_ring_count(place) + throng_place_is_open(place));
    throng_place_destroy(again);
    free(wkt);
    throng_record_geometry_destroy(geometry);
}

/* Obstacles of an open plane are holes of the rectangle; one that closes in a yard splits it. */
static void obstacles_of_an_open_plane_are_kept(void **state) {
    (void)state;
    const throng_point block[] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
    const throng_obstacle one = {.kind = THRONG_POLYGON, .ring = {block, 4}};
    throng_place *place = make_place(NULL, &one, 1);
    throng_ring ring = throng_place_ring(place, 0);
    char expected[600];
    int length = snprintf(expected, sizeof expected,
                          "POLYGON ((-5.000 -5.000, 15.000 -5.000, 15.000 15.000, -5.000 15.000, -5.000 -5.000), (");
    for (size_t i = 0; i <= 4; i++)
        length += snprintf(expected + length, sizeof expected - (size_t)length, "%s%g %g", i ? ", " : "",
                           ring.points[i % 4].x, ring.points[i % 4].y);
    snprintf(expected + length, sizeof expected - (size_t)length, "))");
    expect_geometry(place, expected);
    throng_place_destroy(place);

    /* Four bars around a yard with a pillar in it. */
    const throng_point bars[5][4] = {{{0, 0}, {6, 0}, {6, 1}, {0, 1}},
                                     {{0, 5}, {6, 5}, {6, 6}, {0, 6}},
                                     {{0, 0}, {1, 0}, {1, 6}, {0, 6}},
                                     {{5, 0}, {6, 0}, {6, 6}, {5, 6}},
                                     {{2, 2}, {3, 2}, {3, 3}, {2, 3}}};
    throng_obstacle obstacles[5];
    for (int i = 0; i < 5; i++) obstacles[i] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {bars[i], 4}};
    place = make_place(NULL, obstacles, 5);
    assert_int_equal(throng_place_ring_count(place), 3);
    throng_record_geometry *geometry = throng_record_geometry_create(place);
    assert_string_equal(geometry->before, "GEOMETRYCOLLECTION (POLYGON (");
    throng_record_geometry_destroy(geometry);
    expect_geometry(place, NULL);
    throng_place_destroy(place);
}

static void a_split_area_is_a_collection(void **state) {
    (void)state;
    const throng_point bar[] = {{4, -1}, {5, -1}, {5, 11}, {4, 11}};
    const throng_obstacle wall = {.kind = THRONG_POLYGON, .ring = {bar, 4}};
    throng_place *place = make_place("POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))", &wall, 1);
    assert_int_equal(strncmp(throng_place_wkt(place), "GEOMETRYCOLLECTION", 18), 0);
    expect_geometry(place, throng_place_wkt(place));
    throng_place_destroy(place);
}

static void bad_definitions_are_refused(void **state) {
    (void)state;
    throng_world *world = make_world(NULL);
    throng_recorder_def def = throng_default_recorder_def();
    throng_error error = {0};
    assert_null(throng_recorder_create(&def, world, &error));
    assert_non_null(strstr(error.text, "path"));
    def.path = path_of("rate.sqlite");
    def.fps = 0;
    assert_null(throng_recorder_create(&def, world, &error));
    assert_non_null(strstr(error.text, "rate.sqlite"));
    def.fps = NAN;
    assert_null(throng_recorder_create(&def, world, &error));
    assert_false(exists(path_of("rate.sqlite")));
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_comes_back),
        cmocka_unit_test(an_endless_place_stays_so),
        cmocka_unit_test(an_open_plane_is_bounded),
        cmocka_unit_test(obstacles_of_an_open_plane_are_kept),
        cmocka_unit_test(a_split_area_is_a_collection),
        cmocka_unit_test(bad_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
