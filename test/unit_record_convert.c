/* unit_record_convert.c: from one recording to another, and texts as others write them. */

#include "record_common.h"

#include <sys/wait.h>

static throng_recording *open_as(const char *path, const char *format, double fps, double metres) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    def.format = format;
    def.fps = fps;
    def.metres_per_unit = metres;
    throng_error error = {0};
    throng_recording *recording = throng_recording_open_with(&def, &error);
    if (!recording) fail_msg("%s", error.text);
    return recording;
}

static throng_convert_outcome convert(const char *from, const char *to) {
    throng_recording *recording = open_as(from, NULL, 0, 0);
    throng_convert_def def = throng_default_convert_def();
    throng_convert_outcome outcome;
    throng_error error = {0};
    def.path = to;
    if (!throng_recording_convert(recording, &def, &outcome, &error)) fail_msg("%s", error.text);
    throng_recording_close(recording);
    return outcome;
}

static int files_in_directory(void) {
    char command[300];
    snprintf(command, sizeof command, "exit $(ls '%s' | wc -l)", directory);
    return WEXITSTATUS(system(command));
}

/* Every format to every other: people, places and groups are what they were. */
static void every_format_becomes_every_other(void **state) {
    (void)state;
    static const char *const names[] = {"a.sqlite", "a.throng", "a.txt"};
    static const char *const copies[] = {"b.sqlite", "b.throng", "b.txt"};
    for (int k = 0; k < 9; k++) {
        const char *from = path_of(names[k / 3]), *to = path_of(copies[k % 3]);
        throng_record_head head = head_of(from, &room);
        throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, NULL);
        assert_non_null(writer);
        for (int f = 0; f < 70; f++) assert_true(put_made_up(writer, 30, f == 0, NULL));
        assert_true(throng_writer_close(writer, false, NULL));
        int before = files_in_directory();
        bool fresh = !exists(to);
        throng_convert_outcome outcome = convert(from, to);
        assert_int_equal(files_in_directory(), before + fresh);
        assert_int_equal(outcome.frame_count, 70);
        assert_int_equal(outcome.row_count, 70 * 30);
        assert_int_equal(outcome.frame_step, 1);
        expect_made_up(to, 30, 70, 0.51e-3);
        throng_recording *recording = open_as(to, NULL, 0, 0);
        assert_string_equal(throng_recording_info_of(recording).wkt, room.before);
        bool text = k / 3 == 2 || k % 3 == 2;
        throng_recording_agent agent = throng_recording_agent_at(recording, 1);
        assert_string_equal(agent.group, text ? "" : "odd");
        assert_near(agent.radius, text ? 0.2 : 0.25, 0);
        throng_place *place = throng_recording_place(recording, NULL);
        assert_int_equal(throng_place_line_count(place), 1);
        throng_place_destroy(place);
        throng_recording_close(recording);
        if (k % 3 == 0) expect_jupedsim_rules(to);
    }
}

static void directions_come_from_the_way_walked(void **state) {
    (void)state;
    write_text(path_of("way.txt"), "# framerate: 2\n# x/m\n1 0 0 0\n1 1 3 4\n1 2 3 4\n");
    convert(path_of("way.txt"), path_of("way.sqlite"));
    sqlite3 *db = connect_to(path_of("way.sqlite"), SQLITE_OPEN_READONLY);
    const char *directions = "SELECT group_concat(round(ori_x, 6) || ' ' || round(ori_y, 6)) FROM trajectory_data";
    assert_string_equal(ask(db, directions), "0.0 0.0,0.6 0.8,0.6 0.8");
    sqlite3_close(db);
}

static void expect_row(throng_recording *recording, size_t f, size_t row, throng_agent id, double x, double y) {
    throng_frame frame;
    assert_true(throng_recording_frame(recording, f, &frame, NULL));
    assert_true(row < frame.count);
    assert_int_equal(frame.id[row], id);
    assert_near(frame.x[row], x, 1e-12);
    assert_near(frame.y[row], y, 1e-12);
}

/* Headers as archives, PeTrack, jpscore and people have them. */
static void headers_of_others_are_understood(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double fps, unit, expected_fps, x;
    } cases[] = {
        {"# description: run 3\n# framerate: 25.00 fps\n# geometry: none.xml\n# id frame x/m y/m z/m\n1 0 1.5 2 1.7\n",
         0, 0, 25, 1.5},
        {"# PeTrack project: a.pet\n# framerate: 16\n# id frame x/cm y/cm z/cm\n1 0 150 200 170\n", 0, 0, 16, 1.5},
        {"#description: x\n#agents: 1\n#framerate: 8.00\n#geometry: g.xml\n#X,Y,Z: the agents coordinates (in "
         "metres)\n\n"
         "#ID\tFR\tX\tY\tZ\tA\tB\tANGLE\tCOLOR\n1\t0\t1.5\t2\t0\t0.2\t0.2\t90\t255\n",
         0, 0, 8, 1.5},
        {"1 0 150.0 200.0 170.0\n", 16, 0.01, 16, 1.5},
        {"\xEF\xBB\xBF# framerate: 12.5 fps\r\n# in cm\r\n1\t0\t150\t200\r\n", 0, 0, 12.5, 1.5},
        {"# name: a\n# citation: Somebody: People in mud, 2010, 1-4\n# framerate: 15\n# framestep: 6\n# ID frame x/m "
         "y/m\n"
         "1 0 1.5 2\n",
         0, 0, 15, 1.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_text(path_of("header.txt"), cases[k].text);
        throng_recording *recording = open_as(path_of("header.txt"), NULL, cases[k].fps, cases[k].unit);
        assert_near(throng_recording_info_of(recording).fps, cases[k].expected_fps, 0);
        expect_row(recording, 0, 0, 1, cases[k].x, 2);
        throng_recording_close(recording);
    }
}

/* Cameras that started before the clock: the first frame of all becomes frame 0. */
static void frames_before_0_are_moved(void **state) {
    (void)state;
    write_text(path_of("early.txt"), "# framerate: 16\n# x/m\n1 0 1 1\n1 1 2 1\n2 -12 5 5\n2 -11 6 5\n");
    throng_recording *recording = open_as(path_of("early.txt"), NULL, 0, 0);
    assert_int_equal(throng_recording_info_of(recording).frame_count, 14);
    expect_row(recording, 0, 0, 2, 5, 5);
    expect_row(recording, 1, 0, 2, 6, 5);
    expect_row(recording, 13, 0, 1, 2, 1);
    throng_recording_close(recording);
    throng_error error = {0};
    write_text(path_of("early.txt"), "# framerate: 16\n# x/m\n-1 0 1 1\n");
    assert_null(throng_recording_open(path_of("early.txt"), &error));
    assert_non_null(strstr(error.text, "as id, found '-1'"));
}

/* Frames 780, 786, 792 are every sixth of a video at 15 Hz. */
static void obsmat_is_read_and_its_steps_become_frames(void **state) {
    (void)state;
    const char *rows =
        "  7.8000000e+02   1.0000000e+00   8.4568443e+00   0.0000000e+00   3.5880664e+00   1.67e+00   0.0   1.7e-01\n"
        "  7.8600000e+02   1.0000000e+00   9.1256903e+00   0.0000000e+00   3.6576107e+00   1.67e+00   0.0   1.7e-01\n"
        "  7.9800000e+02   2.0000000e+00   1.0000000e+01   0.0000000e+00   5.0000000e+00   1.67e+00   0.0   1.7e-01\n";
    write_text(path_of("obsmat.txt"), rows);
    throng_recording *recording = open_as(path_of("obsmat.txt"), NULL, 0, 0);
    assert_near(throng_recording_info_of(recording).fps, 15, 0);
    expect_row(recording, 786, 0, 1, 9.1256903, 3.6576107);
    throng_recording_close(recording);
    throng_convert_outcome outcome = convert(path_of("obsmat.txt"), path_of("eth.txt"));
    assert_int_equal(outcome.frame_step, 6);
    assert_near(outcome.fps, 2.5, 0);
    assert_int_equal(outcome.frame_count, 134);
    recording = open_as(path_of("eth.txt"), NULL, 0, 0);
    expect_row(recording, 131, 0, 1, 9.12569, 3.657611);
    expect_row(recording, 133, 0, 2, 10, 5);
    throng_recording_close(recording);

    /* By name, under another one. */
    write_text(path_of("people.txt"), rows);
    recording = open_as(path_of("people.txt"), "eth", 30, 0);
    assert_near(throng_recording_info_of(recording).fps, 30, 0);
    throng_recording_close(recording);
}

static void a_person_is_in_a_frame_once(void **state) {
    (void)state;
    write_text(path_of("twice.txt"), "# framerate: 2\n# x/m\n1 0 1 1\n1 0 2 2\n2 0 3 3\n");
    throng_convert_outcome outcome = convert(path_of("twice.txt"), path_of("twice.throng"));
    assert_int_equal(outcome.repeated_count, 1);
    assert_int_equal(outcome.row_count, 2);
    throng_recording *recording = open_as(path_of("twice.throng"), NULL, 0, 0);
    expect_row(recording, 0, 0, 1, 1, 1);
    expect_row(recording, 0, 1, 2, 3, 3);
    throng_recording_close(recording);
}

static bool stop_at_3(void *context, size_t frame, size_t frame_count) {
    size_t *told = context;
    *told = frame;
    assert_int_equal(frame_count, 50);
    return frame < 3;
}

static void expect_refusal(const char *from, const char *to, const char *word) {
    throng_recording *recording = open_as(from, NULL, 0, 0);
    throng_convert_def def = throng_default_convert_def();
    throng_error error = {0};
    def.path = to;
    assert_false(throng_recording_convert(recording, &def, NULL, &error));
    if (!strstr(error.text, word)) fail_msg("expected '%s' in: %s", word, error.text);
    throng_recording_close(recording);
}

/* Stopped or refused, nothing is left behind and what was there stays. */
static void what_was_there_stays_until_all_is_written(void **state) {
    (void)state;
    char text[1000] = "# framerate: 2\n# x/m\n";
    for (int f = 0; f < 50; f++) sprintf(text + strlen(text), "1 %d 1 1\n", f);
    write_text(path_of("long.txt"), text);
    write_text(path_of("old.sqlite"), "old");
    int before = files_in_directory();
    throng_recording *recording = open_as(path_of("long.txt"), NULL, 0, 0);
    throng_convert_def def = throng_default_convert_def();
    throng_error error = {0};
    size_t told = 0;
    def.path = path_of("old.sqlite");
    def.progress = stop_at_3;
    def.context = &told;
    assert_false(throng_recording_convert(recording, &def, NULL, &error));
    assert_int_equal(told, 3);
    throng_recording_close(recording);
    char *old = read_text(path_of("old.sqlite"));
    assert_string_equal(old, "old");
    free(old);
    expect_refusal(path_of("long.txt"), path_of("long.txt"), "the recording to be converted");
    expect_refusal(path_of("long.txt"), "/no/such/directory/x.txt", "No such file or directory");
    expect_refusal(path_of("long.txt"), directory, "follows its ending");
    expect_refusal(path_of("long.txt"), path_of("x.dat"), "follows its ending");
    assert_int_equal(files_in_directory(), before);
    /* Two rows cannot make a million million frames. */
    write_text(path_of("far.txt"), "# framerate: 2\n# x/m\n1 0 1 1\n1 1 1 1\n1 1000000000000 2 2\n");
    expect_refusal(path_of("far.txt"), path_of("far.sqlite"), "numbered up to 1000000000000");
    assert_false(exists(path_of("far.sqlite")));
    assert_null(throng_recording_open_with(&(throng_recording_def){.path = "x.txt", .format = "word"}, &error));
    assert_non_null(strstr(error.text, "sqlite, txt, h5, throng"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_becomes_every_other),
        cmocka_unit_test(directions_come_from_the_way_walked),
        cmocka_unit_test(headers_of_others_are_understood),
        cmocka_unit_test(frames_before_0_are_moved),
        cmocka_unit_test(obsmat_is_read_and_its_steps_become_frames),
        cmocka_unit_test(a_person_is_in_a_frame_once),
        cmocka_unit_test(what_was_there_stays_until_all_is_written),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
