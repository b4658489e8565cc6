/* unit_cpd_space.c: personal spaces as results: told, recorded, kept. */

#include "record_common.h"

#include "dice.h"
#include "model_world.h"

enum { PEOPLE = 80, STEPS = 25, CLASSES = 6 };

static const double quarter_turn = 1.5707963267948966;

static throng_agent add(throng_world *world, throng_profile profile, throng_goal goal, throng_point at,
                        throng_point target) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.radius = 0.2;
    agent.journey = &goal;
    agent.journey_count = goal ? 1 : 0;
    return throng_world_add_agent(world, &agent);
}

static void want_space(const throng_world *world) {
    want(world, "area");
    want(world, "density");
}

/* Area and density of everybody in order of id; 0 of whom none is known. */
static void tell_space(const throng_world *world, double *area, double *density) {
    size_t count = throng_world_view(world).count;
    want_space(world);
    quantity_values(world, "area", area);
    quantity_values(world, "density", density);
    for (size_t i = 0; i < count; i++) {
        if (isnan(area[i])) area[i] = 0;
        if (isnan(density[i])) density[i] = 0;
    }
}

/* Somebody alone, two who share, somebody of another model, and somebody who has just come. */
static void told(void **unused) {
    (void)unused;
    /* smoothed over what is one's own */
    const throng_setting still[] = {{.name = "noise", .number = 0},
                                    {.name = "front", .number = 0},
                                    {.name = "pixel", .number = 0.02},
                                    {.name = "smoothing", .number = 0.2}};
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, still, 4, {0}};
    throng_profile profile;
    throng_world *world = make_model_world("cpd", &o, &profile);
    double area[5], density[5];
    add(world, profile, 0, (throng_point){0, 0}, (throng_point){0, 0});
    add(world, 0, 0, (throng_point){50, 0}, (throng_point){50, 0});
    add(world, profile, 0, (throng_point){20, 0}, (throng_point){20, 0});
    add(world, profile, 0, (throng_point){20.9, 0}, (throng_point){20.9, 0});
    tell_space(world, area, density);
    for (int k = 0; k < 4; k++) assert_true(area[k] == 0 && density[k] == 0);
    throng_world_step(world);
    add(world, profile, 0, (throng_point){70, 0}, (throng_point){70, 0});
    tell_space(world, area, density);
    double whole = 2 * quarter_turn * 0.81, r = 0.9, half = 0.45;
    /* a disc without what lies beyond a line half a metre or so from its middle */
    double beyond = r * r * acos(half / r) - half * sqrt(r * r - half * half);
    assert_near(area[0], whole, 0.02);
    assert_near(density[0], 1 / whole, 0.01);
    assert_true(area[1] == 0 && density[1] == 0);
    assert_near(area[2], whole - beyond, 0.02);
    assert_near(area[3], whole - beyond, 0.02);
    assert_near(density[3], 1 / (whole - beyond), 0.01);
    assert_true(area[4] == 0 && density[4] == 0);
    throng_world_destroy(world);
}

static int class_of(double area) {
    static const double from[] = {2.3, 0.9, 0.5, 0.3, 0.2};
    int k = 0;
    while (k < CLASSES - 1 && area < from[k]) k++;
    return k;
}

/* A crowd of some 3 people on a square metre in the middle, thinner around it, on its way out; some are of another
 * model. */
static throng_world *make_crowd(void) {
    options o = {NULL, 0.1, 2, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_model_world("cpd", &o, &profile);
    throng_goal goal = add_own_goal(world, true);
    dice d = {4};
    for (int k = 0; k < PEOPLE; k++) {
        double far = 4 * dice_between(&d, 0, 1), angle = dice_between(&d, 0, 4 * quarter_turn);
        throng_point at = {far * cos(angle), far * sin(angle)}, to = {5 * cos(angle), 5 * sin(angle)};
        add(world, k % 10 == 9 ? 0 : profile, goal, at, to);
    }
    return world;
}

/* What is in the table is what the world said at that frame, and the view adds it up. */
static void recorded(void **unused) {
    (void)unused;
    throng_world *world = make_crowd();
    throng_recorder_def def = throng_default_recorder_def();
    throng_error error = {0};
    const char *const names[] = {"area", "density"};
    def.quantities = names;
    def.quantity_count = 2;
    def.path = path_of("no.xml");
    assert_null(throng_recorder_create(&def, world, &error));
    assert_non_null(strstr(error.text, "cannot record area"));
    def.path = path_of("space.sqlite");
    throng_recorder *recorder = throng_recorder_create(&def, world, &error);
    if (!recorder) fail_msg("%s", error.text);
    static double area[PEOPLE], density[PEOPLE], said[STEPS + 1][PEOPLE + 1][2];
    static int frames_in[PEOPLE + 1][CLASSES], total[CLASSES];
    size_t rows = 0;
    for (int k = 0; k <= STEPS; k++) {
        if (k > 0) throng_world_step(world);
        assert_true(throng_recorder_frame(recorder, world, &error));
        tell_space(world, area, density);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) {
            said[k][v.id[i]][0] = area[i];
            said[k][v.id[i]][1] = density[i];
            if (density[i] == 0) continue;
            rows++;
            frames_in[v.id[i]][class_of(area[i])]++;
            total[class_of(area[i])]++;
        }
    }
    assert_true(throng_world_view(world).count < PEOPLE); /* some have left */
    for (int c = 0; c < 4; c++) assert_true(total[c] > 0);
    assert_true(throng_recorder_close(recorder, &error));
    throng_world_destroy(world);

    sqlite3 *db = connect_to(path_of("space.sqlite"), SQLITE_OPEN_READONLY);
    sqlite3_stmt *query;
    assert_int_equal(ask_number(db, "SELECT count(*) FROM x_values"), rows);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM x_values WHERE frame = 0"), 0);
    sqlite3_prepare_v2(db, "SELECT frame, id, area, density FROM x_values", -1, &query, NULL);
    while (sqlite3_step(query) == SQLITE_ROW) {
        const double *expected = said[sqlite3_column_int(query, 0)][sqlite3_column_int(query, 1)];
        assert_near(sqlite3_column_double(query, 2), expected[0], 0);
        assert_near(sqlite3_column_double(query, 3), expected[1], 0);
    }
    sqlite3_finalize(query);
    throng_recording *recording = throng_recording_open(path_of("space.sqlite"), &error);
    for (size_t k = 0; k <= STEPS; k++) {
        throng_frame frame;
        assert_true(throng_recording_frame(recording, k, &frame, &error));
        for (size_t i = 0; i < frame.count; i++) {
            for (int q = 0; q < 2; q++) {
                double expected = said[k][frame.id[i]][q];
                if (expected > 0) assert_near(frame.values[q][i], expected, 0);
                if (!(expected > 0)) assert_true(isnan(frame.values[q][i]));
            }
        }
    }
    throng_recording_close(recording);
    /* The query of docs/formats.md. */
    sqlite3_prepare_v2(db,
                       "SELECT id, sum(area >= 2.3) / f.fps, sum(area >= 0.9 AND area < 2.3) / f.fps,"
                       " sum(area >= 0.5 AND area < 0.9) / f.fps, sum(area >= 0.3 AND area < 0.5) / f.fps,"
                       " sum(area >= 0.2 AND area < 0.3) / f.fps, sum(area < 0.2) / f.fps FROM x_values,"
                       " (SELECT CAST(value AS REAL) AS fps FROM metadata WHERE key = 'fps') f GROUP BY id",
                       -1, &query, NULL);
    int people = 0;
    for (; sqlite3_step(query) == SQLITE_ROW; people++) {
        const int *expected = frames_in[sqlite3_column_int(query, 0)];
        for (int c = 0; c < CLASSES; c++) assert_near(sqlite3_column_double(query, 1 + c), 0.1 * expected[c], 1e-9);
    }
    assert_int_equal(people, PEOPLE - PEOPLE / 10);
    sqlite3_finalize(query);
    sqlite3_close(db);
    expect_jupedsim_rules(path_of("space.sqlite"));
}

/* Without being asked there is nothing of it in the file. */
static void not_asked(void **unused) {
    (void)unused;
    throng_world *world = make_crowd();
    throng_recorder_def def = throng_default_recorder_def();
    def.path = path_of("plain.sqlite");
    throng_recorder *recorder = throng_recorder_create(&def, world, NULL);
    throng_world_step(world);
    assert_true(throng_recorder_frame(recorder, world, NULL));
    assert_true(throng_recorder_close(recorder, NULL));
    throng_world_destroy(world);
    sqlite3 *db = connect_to(path_of("plain.sqlite"), SQLITE_OPEN_READONLY);
    assert_int_equal(
        ask_number(db, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'x_values%' OR name = 'x_quantities'"), 0);
    sqlite3_close(db);
    throng_recording *recording = throng_recording_open(path_of("plain.sqlite"), NULL);
    throng_frame frame;
    assert_true(throng_recording_frame(recording, 0, &frame, NULL));
    assert_int_equal(throng_recording_quantity_count(recording), 0);
    throng_recording_close(recording);
}

/* A checkpoint keeps them: the first frame of a run that goes on has them too. */
static void kept(void **unused) {
    (void)unused;
    throng_world *world = make_crowd();
    double area[2][PEOPLE], density[2][PEOPLE];
    want_space(world);
    for (int k = 0; k < 8; k++) throng_world_step(world);
    throng_checkpoint *checkpoint = throng_world_save(world, NULL);
    size_t count = throng_world_view(world).count;
    tell_space(world, area[0], density[0]);
    for (int k = 0; k < 8; k++) throng_world_step(world);
    assert_true(throng_world_load(world, checkpoint, NULL));
    tell_space(world, area[1], density[1]);
    assert_memory_equal(area[0], area[1], count * sizeof(double));
    assert_memory_equal(density[0], density[1], count * sizeof(double));
    throng_checkpoint_destroy(checkpoint);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(told), cmocka_unit_test(recorded), cmocka_unit_test(not_asked),
                                       cmocka_unit_test(kept)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
