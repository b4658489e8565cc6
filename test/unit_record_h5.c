/* unit_record_h5.c: recordings in HDF5: ours, and those of others, which h5py has written (fuzz/corpus/h5). */

#include "record/h5_source.h"
#include "record_common.h"

/* More rows than one node of the tree of chunks holds: 64 chunks of 4096. */
static void many_rows_are_found_again(void **state) {
    (void)state;
    const char *path = path_of("many.h5");
    throng_record_head head = head_of(path, &room);
    throng_error error = {0};
    throng_writer *writer = throng_writer_create(&head, NULL, 8 << 20, &error);
    if (!writer) fail_msg("%s", error.text);
    for (int f = 0; f < 70; f++) assert_true(put_made_up(writer, 5000, f == 0, &error));
    if (!throng_writer_close(writer, false, &error)) fail_msg("%s", error.text);
    expect_made_up(path, 5000, 70, 0);

    throng_recording *recording = throng_recording_open(path, &error);
    throng_recording_info info = throng_recording_info_of(recording);
    assert_int_equal(info.row_count, 350000);
    assert_string_equal(info.wkt, room.before);
    throng_recording_agent agent = throng_recording_agent_at(recording, 4321);
    assert_string_equal(agent.group, "odd");
    assert_string_equal(agent.model, "none");
    assert_near(agent.radius, 0.25, 0);
    throng_place *place = throng_recording_place(recording, NULL);
    assert_int_equal(throng_place_line_count(place), 1);
    throng_place_destroy(place);
    throng_recording_close(recording);
}

/* What the layout of the archive asks for, looked at with our own eyes into the bytes. */
static void the_layout_is_the_archives(void **state) {
    (void)state;
    const char *path = path_of("layout.h5");
    throng_record_head head = head_of(path, &room);
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, NULL);
    assert_true(put_made_up(writer, 3, true, NULL));
    assert_true(throng_writer_close(writer, true, NULL));

    throng_h5_source source;
    throng_h5_object root = {0}, object = {0};
    throng_h5_rows rows;
    assert_true(throng_h5_source_open(&source, path));
    assert_true(throng_h5_object_read(&source, source.root, &root));
    char *text = throng_h5_attribute_text(&source, &root, "file_version");
    assert_string_equal(text, "1.0.0");
    throng_release(text);
    text = throng_h5_attribute_text(&source, &root, "x_status");
    assert_string_equal(text, "interrupted");
    throng_release(text);
    assert_true(throng_h5_object_read(&source, throng_h5_child(&source, &root, "trajectory"), &object));
    assert_true(throng_h5_rows_open(&source, &object, &rows));
    static const char *const names[] = {"id", "frame", "x", "y", "z"};
    assert_int_equal(rows.type.whole.size, 40);
    assert_int_equal(rows.type.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(rows.type.members[i].name, names[i]);
        assert_int_equal(rows.type.members[i].offset, 8 * i);
        assert_int_equal(rows.type.members[i].type.class, i < 2 ? THRONG_H5_WHOLE : THRONG_H5_FLOAT);
    }
    double fps;
    assert_true(throng_h5_attribute_number(&source, &object, "fps", &fps));
    assert_near(fps, 10, 0);
    assert_int_equal(throng_h5_child(&source, &root, "geometry"), THRONG_H5_NOWHERE);
    throng_h5_rows_release(&rows);
    throng_h5_object_release(&object);
    throng_h5_object_release(&root);
    throng_h5_source_close(&source);
}

static void files_of_others_are_read(void **state) {
    (void)state;
    static const char *const names[] = {"archive", "odd-types", "latest", "checksums", "jupedsim", "fixed-text"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[100];
        throng_error error = {0};
        snprintf(path, sizeof path, "fuzz/corpus/h5/%s.h5", names[k]);
        throng_recording *recording = throng_recording_open(path, &error);
        if (!recording) fail_msg("%s: %s", names[k], error.text);
        throng_recording_info info = throng_recording_info_of(recording);
        assert_near(info.fps, 16, 0);
        assert_int_equal(info.frame_count, 8);
        assert_int_equal(info.agent_count, 3);
        assert_int_equal(info.row_count, 24);
        assert_non_null(strstr(info.wkt, "POLYGON ((0 0, 10 0, 10 5"));
        throng_frame frame;
        if (!throng_recording_frame(recording, 5, &frame, &error)) fail_msg("%s", error.text);
        assert_int_equal(frame.count, 3);
        assert_int_equal(frame.id[2], 3);
        assert_near(frame.x[2], 2.625, 0);
        assert_near(frame.y[2], 2.5, 0);
        throng_recording_close(recording);
    }
}

static void broken_files_are_refused(void **state) {
    (void)state;
    char *good = read_text("fuzz/corpus/h5/archive.h5");
    throng_error error = {0};
    write_text(path_of("no.h5"), "This is a text.");
    assert_null(throng_recording_open(path_of("no.h5"), &error));
    assert_non_null(strstr(error.text, "not an HDF5 file"));
    FILE *file = fopen(path_of("cut.h5"), "wb");
    assert_int_equal(fwrite(good, 1, 900, file), 900);
    fclose(file);
    assert_null(throng_recording_open(path_of("cut.h5"), &error));
    assert_non_null(strstr(error.text, "cut.h5"));
    free(good);
}

/* A wall that moves away in frame 3 and comes back in frame 6, in every format that has a place for it. */
static const throng_record_geometry wide = {.before = "POLYGON ((0 0, 10 0, 10 7, 0 7, 0 0))",
                                            .after = "",
                                            .bounds = {{0, 0}, {10, 7}},
                                            .has_bounds = true,
                                            .walls = "LINESTRING (1.0 1.0, 9.0 1.0)",
                                            .joined = "POLYGON ((0 0, 10 0, 10 7, 0 7, 0 0))"};

static void expect_grounds(const char *path) {
    throng_error error = {0};
    throng_recording *recording = throng_recording_open(path, &error);
    if (!recording) fail_msg("%s", error.text);
    for (size_t f = 0; f < 9; f++) {
        throng_place *place = throng_recording_place_at(recording, f, &error);
        if (!place) fail_msg("%s: %s", path, error.text);
        bool is_wide = f >= 3 && f < 6;
        assert_near(throng_place_bounds(place).high.y, is_wide ? 7 : 5, 0);
        assert_near(throng_place_line(place, 0).points[1].x, is_wide ? 9 : 2, 0);
        throng_place_destroy(place);
    }
    assert_int_equal(throng_recording_place_version(recording, 8), 2);
    throng_place *all = throng_recording_place(recording, &error);
    assert_non_null(all);
    assert_int_equal(throng_place_ring_count(all), 1);
    assert_near(throng_place_bounds(all).high.y, 7, 0);
    throng_place_destroy(all);
    throng_recording_close(recording);
}

static void a_ground_may_change(void **state) {
    (void)state;
    static const char *const names[] = {"change.sqlite", "change.throng", "change.h5"};
    for (int k = 0; k < 3; k++) {
        const char *path = path_of(names[k]);
        throng_record_head head = head_of(path, &room);
        throng_error error = {0};
        throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, &error);
        for (int f = 0; f < 9; f++) {
            if (f == 3) assert_true(throng_writer_change_ground(writer, &wide, &error));
            if (f == 6) assert_true(throng_writer_change_ground(writer, &room, &error));
            assert_true(put_made_up(writer, 4, f == 0, &error));
        }
        if (!throng_writer_close(writer, false, &error)) fail_msg("%s", error.text);
        expect_made_up(path, 4, 9, 0.51e-3);
        expect_grounds(path);

        throng_recording *recording = throng_recording_open(path, &error);
        throng_convert_def def = throng_default_convert_def();
        throng_convert_outcome outcome;
        def.path = path_of(names[(k + 1) % 3]);
        if (!throng_recording_convert(recording, &def, &outcome, &error)) fail_msg("%s", error.text);
        assert_false(outcome.ground_fixed);
        expect_grounds(def.path);
        def.path = path_of("change.txt");
        if (!throng_recording_convert(recording, &def, &outcome, &error)) fail_msg("%s", error.text);
        assert_true(outcome.ground_fixed);
        throng_recording_close(recording);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_rows_are_found_again), cmocka_unit_test(the_layout_is_the_archives),
        cmocka_unit_test(files_of_others_are_read),  cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(a_ground_may_change),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
