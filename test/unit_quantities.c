/* unit_quantities.c: what is shown of everybody, by name: from a made-up model, which no other file names, to files of
 * all formats and back, to the last bit. */

#include <math.h>

#include "model_world.h"
#include "models/models.h"
#include "record_common.h"

/* ---- a model that shows something made up */

typedef struct made_up {
    double zest;
    float lean[2];
} made_up;

static const throng_column made_up_columns[] = {{"made_up", sizeof(made_up), false}};
static const throng_shown made_up_shown[] = {
    {{"zest", "zest/m", "How much zest it has, in \"zest\".", 1}, 0, offsetof(made_up, zest), sizeof(double), true},
    {{"lean", "", "Which way it leans.", 2}, 0, offsetof(made_up, lean), sizeof(float), false},
};

static double zest_of(throng_agent id, uint64_t step) { return 1e9 / 3 * (double)id - 1e-7 * (double)step; }

static void stand_with_zest(void *state, const throng_step *step) {
    throng_model_none.step(state, step);
    made_up *items = step->columns[0];
    for (size_t k = 0; k < step->mine_count; k++) {
        uint32_t row = step->near->row[step->mine[k]];
        throng_agent id = step->people.id[row];
        items[row] = (made_up){zest_of(id, step->people.step), {0.1f * (float)id, -1}};
    }
}

static throng_model model;

/* Four people of it, and one of none. */
static throng_world *make_zesty(void) {
    options o = {.dt = 0.1, .threads = 1};
    throng_profile profile;
    throng_world *world = make_model_world("none", &o, &profile);
    model = throng_model_none;
    model.name = "made-up";
    model.step = stand_with_zest;
    model.columns = made_up_columns;
    model.column_count = 1;
    model.shown = made_up_shown;
    model.shown_count = 2;
    world->profiles[profile].model = &model;
    for (int i = 0; i < 5; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){3 * i, 1};
        agent.profile = i == 2 ? 0 : profile;
        assert_true(throng_world_add_agent(world, &agent) > 0);
    }
    assert_true(throng_world_prepare(world, NULL));
    want(world, "zest");
    want(world, "lean");
    return world;
}

static void are_listed(void **unused) {
    (void)unused;
    throng_world *world = make_zesty();
    size_t zest = throng_world_quantity_named(world, "zest"), lean = throng_world_quantity_named(world, "lean");
    assert_true(zest != SIZE_MAX && lean == zest + 1);
    assert_int_equal(throng_world_quantity_count(world), lean + 4);
    assert_int_equal(throng_world_quantity_named(world, "held_for"), lean + 3); /* of the habit */
    assert_string_equal(throng_world_quantity(world, zest).unit, "zest/m");
    assert_int_equal(throng_world_quantity(world, lean).components, 2);
    assert_true(throng_world_quantity_named(world, "nothing") == SIZE_MAX);
    double values[5];
    throng_world_quantity_values(world, zest, 0, values);
    for (int i = 0; i < 5; i++) assert_true(isnan(values[i])); /* nobody has been through a step */
    throng_world_quantity_values(world, lean, 0, values);
    for (int i = 0; i < 5; i++) assert_true(i == 2 ? isnan(values[i]) : values[i] == 0);
    uint64_t digest = throng_world_digest(world);
    throng_world_step(world);
    assert_true(digest != throng_world_digest(world));
    throng_world_quantity_values(world, lean, 1, values);
    for (int i = 0; i < 5; i++) assert_true(i == 2 ? isnan(values[i]) : values[i] == -1);
    throng_world_destroy(world);
}

/* ---- files */

enum { FRAMES = 120 };

static void expect_values(const char *path, double fps) {
    throng_error error = {0};
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    def.fps = fps;
    throng_recording *recording = throng_recording_open_with(&def, &error);
    if (!recording) fail_msg("%s", error.text);
    static const char *const names[] = {"zest", "lean_x", "lean_y", "speed"};
    assert_int_equal(throng_recording_quantity_count(recording), 4);
    for (size_t q = 0; q < 4; q++) assert_string_equal(throng_recording_quantity(recording, q).name, names[q]);
    assert_string_equal(throng_recording_quantity(recording, 0).unit, "zest/m");
    static const size_t order[] = {7, 0, FRAMES - 1, 60, 61, 49, 50};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        throng_frame frame;
        if (!throng_recording_frame(recording, order[k], &frame, &error)) fail_msg("%s", error.text);
        assert_int_equal(frame.count, 5);
        for (size_t i = 0; i < 5; i++) {
            bool none = i == 2;
            if (none || order[k] == 0) {
                assert_true(isnan(frame.values[0][i]));
            } else {
                assert_true(frame.values[0][i] == zest_of(frame.id[i], order[k] - 1));
                assert_true(frame.values[1][i] == (double)(0.1f * (float)frame.id[i]));
                assert_true(frame.values[2][i] == -1);
            }
            assert_true(frame.values[3][i] == 0);
        }
    }
    throng_recording_close(recording);
}

static throng_recorder *start(throng_world *world, const char *path, throng_error *error) {
    static const char *const names[] = {"zest", "lean", "speed", "lean"};
    throng_recorder_def def = throng_default_recorder_def();
    def.path = path;
    def.quantities = names;
    def.quantity_count = 4;
    return throng_recorder_create(&def, world, error);
}

static const char *const formats[] = {"a.sqlite", "a.h5", "a.throng", "a.txt", "a.ndjson", "a.csv"};
enum { FORMATS = sizeof formats / sizeof *formats };

static void round_trips(void **unused) {
    (void)unused;
    throng_world *world = make_zesty();
    throng_error error = {0};
    throng_recorder *recorders[FORMATS];
    for (int f = 0; f < FORMATS; f++) {
        recorders[f] = start(world, path_of(formats[f]), &error);
        if (!recorders[f]) fail_msg("%s", error.text);
    }
    for (int k = 0; k < FRAMES; k++) {
        if (k > 0) throng_world_step(world);
        for (int f = 0; f < FORMATS; f++) assert_true(throng_recorder_frame(recorders[f], world, &error));
    }
    for (int f = 0; f < FORMATS; f++) {
        assert_true(throng_recorder_close(recorders[f], &error));
        expect_values(path_of(formats[f]), f == FORMATS - 1 ? 10 : 0);
    }
    expect_jupedsim_rules(path_of("a.sqlite"));
    throng_world_destroy(world);
}

/* From each format to the next. */
static void are_converted(void **unused) {
    (void)unused;
    throng_error error = {0};
    for (int f = 0; f < FORMATS; f++) {
        throng_recording_def def = throng_default_recording_def();
        def.path = path_of(formats[f]);
        def.fps = f == FORMATS - 1 ? 10 : 0;
        throng_recording *recording = throng_recording_open_with(&def, &error);
        assert_non_null(recording);
        throng_convert_def to = throng_default_convert_def();
        throng_convert_outcome outcome;
        char name[40];
        snprintf(name, sizeof name, "b%s", formats[(f + 1) % FORMATS] + 1);
        to.path = path_of(name);
        assert_true(throng_recording_convert(recording, &to, &outcome, &error));
        assert_false(outcome.quantities_lost);
        expect_values(path_of(name), f == FORMATS - 2 ? 10 : 0);
        to.path = path_of("c.xml");
        assert_true(throng_recording_convert(recording, &to, &outcome, &error));
        assert_true(outcome.quantities_lost);
        throng_recording_close(recording);
    }
}

static void are_refused(void **unused) {
    (void)unused;
    throng_world *world = make_zesty();
    throng_error error = {0};
    assert_null(start(world, path_of("a.xml"), &error));
    assert_non_null(strstr(error.text, "cannot record zest"));
    assert_non_null(strstr(error.text, ".sqlite, .h5, .throng"));
    const char *const nothing = "nothing";
    throng_recorder_def def = throng_default_recorder_def();
    def.path = path_of("d.sqlite");
    def.quantities = &nothing;
    def.quantity_count = 1;
    assert_null(throng_recorder_create(&def, world, &error));
    assert_non_null(strstr(error.text, "pressure, zest, lean, pressed, held_back, held_for, wall_force"));
    throng_world_destroy(world);
}

/* ---- of `uic`: how dense a crowd is in which everybody has a square of its own, and the pressure, if that is too
 * little */

enum { ACROSS = 24, MIDDLE = ACROSS / 2 * (ACROSS + 1) };

static void stand_in_squares(double side, bool asked, double *density, double *pressure) {
    options o = {.dt = 0.05, .threads = 1};
    throng_profile profile;
    throng_world *world = make_model_world("uic", &o, &profile);
    for (int i = 0; i <= ACROSS * ACROSS; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){side * (i % ACROSS), side * (i / ACROSS)};
        if (i == ACROSS * ACROSS) agent.at = (throng_point){-60, 0}; /* alone */
        agent.profile = profile;
        assert_true(throng_world_add_agent(world, &agent) > 0);
    }
    size_t quantities[] = {throng_world_quantity_named(world, "density"),
                           throng_world_quantity_named(world, "grid_pressure")};
    assert_true(quantities[0] != SIZE_MAX && quantities[1] == quantities[0] + 1);
    if (!asked) throng_world_step(world);
    throng_world_quantity_values(world, quantities[1], 0, pressure);
    assert_true(isnan(pressure[0]));
    for (int k = 0; k < 2; k++) throng_world_want_quantity(world, quantities[k]);
    if (asked) throng_world_step(world);
    throng_world_quantity_values(world, quantities[0], 0, density);
    throng_world_quantity_values(world, quantities[1], 0, pressure);
    throng_world_destroy(world);
}

static void grid_is_shown(void **unused) {
    (void)unused;
    double density[ACROSS * ACROSS + 1], pressure[ACROSS * ACROSS + 1];
    stand_in_squares(0.8, true, density, pressure);
    assert_in_range((uint64_t)(1000 * density[MIDDLE]), 1450, 1680); /* 1 / 0.64 m^2 */
    assert_true(pressure[MIDDLE] == 0 && pressure[ACROSS * ACROSS] == 0);
    assert_in_range((uint64_t)(1000 * density[ACROSS * ACROSS]), 20, 133); /* at most one in a cell of 2.75 m */
    stand_in_squares(0.5, true, density, pressure);                        /* 4; a cell is full with 2.08 */
    assert_in_range((uint64_t)(1000 * density[MIDDLE]), 3800, 4200);
    assert_true(pressure[MIDDLE] > 0.1 && pressure[ACROSS * ACROSS] == 0);
    stand_in_squares(0.5, false, density, pressure); /* asked for after the step: nothing was written */
    assert_true(isnan(density[MIDDLE]) && pressure[MIDDLE] == 0);
}

/* Files of before 0.2 have their forces and spaces in tables of their own. */
static void earlier_files_are_read(void **unused) {
    (void)unused;
    throng_error error = {0};
    throng_record_head head = head_of(path_of("old.sqlite"), &room);
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, &error);
    assert_true(put_made_up(writer, 2, true, &error));
    assert_true(throng_writer_close(writer, false, &error));
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path_of("old.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE x_forces(frame, id, force, force_x, force_y, pressure);"
                                  "INSERT INTO x_forces VALUES(0, 2, 5.5, 3.0, 4.0, 7.0);"
                                  "CREATE TABLE x_space(frame, id, area_m2, density);"
                                  "INSERT INTO x_space VALUES(0, 1, 0.5, 2.0);",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    throng_recording *recording = throng_recording_open(path_of("old.sqlite"), &error);
    throng_frame frame;
    assert_true(throng_recording_frame(recording, 0, &frame, &error));
    assert_int_equal(throng_recording_quantity_count(recording), 6);
    assert_string_equal(throng_recording_quantity(recording, 2).name, "net_force_y");
    assert_true(frame.values[0][0] == 0 && frame.values[0][1] == 5.5 && frame.values[2][1] == 4);
    assert_true(frame.values[4][0] == 0.5 && frame.values[5][0] == 2 && isnan(frame.values[4][1]));
    throng_recording_close(recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_listed),  cmocka_unit_test(round_trips),   cmocka_unit_test(are_converted),
        cmocka_unit_test(are_refused), cmocka_unit_test(grid_is_shown), cmocka_unit_test(earlier_files_are_read),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
