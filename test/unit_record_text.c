/* unit_record_text.c: writing and reading Juelich text files. */

#include "base/number.h"
#include "record_common.h"

static void write_recording(const char *path, const throng_record_geometry *geometry, const char *description,
                            size_t count, int frames) {
    throng_error error = {0};
    throng_record_head head = head_of(path, geometry);
    head.fps = 16.5;
    head.description = description;
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, &error);
    if (!writer) fail_msg("%s", error.text);
    for (int f = 0; f < frames; f++) assert_true(put_made_up(writer, count, f == 0, &error));
    if (!throng_writer_close(writer, false, &error)) fail_msg("%s", error.text);
}

/* PedPy: of the leading lines with #, the first number of a line with "framerate", and the last unit. */
static void read_as_pedpy(const char *text, double *fps, double *unit) {
    *fps = *unit = 0;
    while (*text == '#') {
        char line[2000];
        size_t length = strcspn(text, "\n");
        assert_true(length < sizeof line);
        memcpy(line, text, length);
        line[length] = 0;
        text += length + 1;
        if (strstr(line, "x/m") || strstr(line, "in m")) *unit = 1;
        if (strstr(line, "x/cm") || strstr(line, "in cm")) *unit = 0.01;
        bool rate = strstr(line, "framerate") != NULL;
        for (char *word = strtok(line, " \t"); rate && word && *fps == 0; word = strtok(NULL, " \t")) {
            char *end;
            double value = strtod(word, &end);
            if (!*end) *fps = value;
        }
    }
}

static void a_file_is_what_pedpy_expects(void **state) {
    (void)state;
    const char *path = path_of("plain.txt");
    write_recording(path, &room, "corridor", 2, 2);
    char *text = read_text(path);
    assert_string_equal(text,
                        "# framerate: 16.5 fps\n"
                        "# description: corridor\n"
                        "# geometry: POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))\n"
                        "# wall: LINESTRING (1.0 1.0, 2.0 1.0)\n"
                        "# id frame x/m y/m z/m\n"
                        "1\t0\t0.100000\t0.200000\t0\n"
                        "2\t0\t0.113000\t0.201000\t0\n"
                        "1\t1\t0.133333\t0.199990\t0\n"
                        "2\t1\t0.146333\t0.200990\t0\n");
    free(text);
}

static void a_description_cannot_mislead(void **state) {
    (void)state;
    const char *path = path_of("misleading.txt");
    write_recording(path, &room, "all in cm\n1 1 1 1\nframerate 99 in cm, x/cm", 2, 2);
    char *text = read_text(path);
    double fps, unit;
    read_as_pedpy(text, &fps, &unit);
    free(text);
    assert_near(fps, 16.5, 0);
    assert_near(unit, 1, 0);
    throng_recording *recording = throng_recording_open(path, NULL);
    assert_non_null(recording);
    assert_near(throng_recording_info_of(recording).fps, 16.5, 0);
    assert_int_equal(throng_recording_info_of(recording).row_count, 4);
    throng_recording_close(recording);
}

/* Each frame is larger than the buffer of the writer. */
static void large_frames_are_whole(void **state) {
    (void)state;
    write_recording(path_of("large.txt"), &room, "", 300000, 3);
    expect_made_up(path_of("large.txt"), 300000, 3, 0.51e-6);
}

static void an_open_plane_has_its_rectangle(void **state) {
    (void)state;
    write_recording(path_of("plane.txt"), &plane, "", 100, 300);
    throng_recording *recording = throng_recording_open(path_of("plane.txt"), NULL);
    assert_non_null(recording);
    throng_recording_info info = throng_recording_info_of(recording);
    double low_x, low_y, high_x, high_y, again;
    assert_int_equal(
        sscanf(info.wkt, "POLYGON ((%lf %lf, %lf %lf, %lf %lf,", &low_x, &low_y, &high_x, &again, &again, &high_y), 6);
    assert_near(low_x, made_x(0, 0) - 5, 1e-3);
    assert_near(high_x, made_x(99, 299) + 5, 1e-3);
    assert_near(low_y, made_y(0, 299) - 5, 1e-3);
    assert_near(high_y, 2 + 5, 1e-3);
    assert_non_null(strstr(info.wkt, "), (1 1, 1 2, 2 2, 2 1, 1 1))"));
    throng_recording_close(recording);
}

/* ------------------------------------------------------------------ reading others' files */

typedef struct text_case {
    const char *text;
    double fps, metres_per_unit; /* given by the caller */
    double expected_fps, x, y;   /* of person 7 in frame 3 */
} text_case;

static void others_files_are_read(void **state) {
    (void)state;
    const text_case cases[] = {
        {"# framerate: 25.00\n# id frame x/m y/m\n7 3 1.5 -2.5\n", 0, 0, 25, 1.5, -2.5},
        {"# framerate: 25\n# id frame x/cm y/cm z/cm\n7\t3\t123\t-45.6\t170\n", 0, 0, 25, 1.23, -0.456},
        {"\xEF\xBB\xBF# framerate: 8 fps\r\n# in cm\r\n  7   3  100 50 \r\n", 0, 0, 8, 1, 0.5},
        {"7 3 100 50\n", 16, 0.01, 16, 1, 0.5},
        {"7 3 1 2", 16, 1, 16, 1, 2},
        {"# framerate: 25\n7 3 1 2\n", 16, 1, 25, 1, 2},
        {"#description: x\n#framerate: 8.00\n#geometry: file.xml\n#X,Y,Z: the agents coordinates (in metres)\n\n"
         "#ID\tFR\tX\tY\tZ\tA\tB\tANGLE\tCOLOR\n7\t3\t1\t2\t0\t0.2\t0.2\t90\t255\n",
         0, 0, 8, 1, 2},
        {"# framerate: 10\n# x/m\n# 8 3 9 9\n7 3 1e0 +.2E+1\n# later\n\n8 3 5 5\n", 0, 0, 10, 1, 2},
        {"# framerate: 10\n# x/m\n7.0 3.000 1.000000000000000000000000 2\n", 0, 0, 10, 1, 2},
        {"# framerate: 10\n# x/m\n7 3 1 2 0\n8 3 5.1", 0, 0, 10, 1, 2},
        {"# framerate: 10\n# x/m\n9 5 0 0\n7 2 0 0\n7 3 1 2\n8 3 0 0\n1 3 0 0\n", 0, 0, 10, 1, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const text_case *c = &cases[k];
        write_text(path_of("other.txt"), c->text);
        throng_recording_def def = throng_default_recording_def();
        def.path = path_of("other.txt");
        def.fps = c->fps;
        def.metres_per_unit = c->metres_per_unit;
        throng_error error = {0};
        throng_recording *recording = throng_recording_open_with(&def, &error);
        if (!recording) fail_msg("case %zu: %s", k, error.text);
        assert_near(throng_recording_info_of(recording).fps, c->expected_fps, 0);
        throng_frame frame;
        assert_true(throng_recording_frame(recording, 3, &frame, &error));
        size_t row = 0;
        while (row < frame.count && frame.id[row] != 7) row++;
        if (row == frame.count || frame.x[row] != c->x || frame.y[row] != c->y) fail_msg("case %zu", k);
        for (size_t i = 1; i < frame.count; i++) assert_true(frame.id[i - 1] < frame.id[i]);
        assert_true(throng_recording_frame(recording, 1, &frame, &error));
        assert_int_equal(frame.count, 0);
        throng_recording_close(recording);
    }
}

typedef struct error_case {
    const char *text;
    int line, column;
    const char *word;
} error_case;

static void errors_say_where(void **state) {
    (void)state;
    const error_case cases[] = {
        {"1 2 3 4\n", 1, 1, "frame rate"},
        {"# framerate: 16\n1 2 3 4\n", 2, 1, "unit"},
        {"# framerate: 16\n# x/m\n1 2 3\n", 3, 6, "a number as y, found the end of the line"},
        {"# framerate: 16\n# x/m\n1 2 3 4\n1 3 nan 4\n", 4, 5, "a number as x, found 'nan'"},
        {"# framerate: 16\n# x/m\n1 2 3 4\n1 3 1e999 4\n", 4, 5, "'1e999'"},
        {"# framerate: 16\n# x/m\n1 2.5 3 4\n", 3, 3, "a whole number as frame, found '2.5'"},
        {"# framerate: 16\n# x/m\n-1 2 3 4\n", 3, 1, "a whole number from 0 as id, found '-1'"},
        {"# framerate: 16\n# x/m\nid frame x y\n", 3, 1, "found 'id'"},
        {"# framerate: 16\n# x/m\n1,2,3,4\n", 3, 1, "found '1,2,3,4'"},
        {"# framerate: 16\n# x/m\n", 0, 0, "no row"},
        {"# framerate: 16\n# x/m\n1 2 3 4 5\n1 3 5\n", 4, 6, "end of the line"},
        {"# framerate: 16\n# x/m\n1 3 5", 3, 6, "end of the line"},
        {"", 0, 0, "no row"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_text(path_of("bad.txt"), cases[k].text);
        throng_error error = {0};
        assert_null(throng_recording_open(path_of("bad.txt"), &error));
        if (error.line != cases[k].line || error.column != cases[k].column || !strstr(error.text, cases[k].word) ||
            !strstr(error.text, "bad.txt"))
            fail_msg("case %zu: %d:%d: %s", k, error.line, error.column, error.text);
    }
    throng_error error = {0};
    assert_null(throng_recording_open(path_of("absent.txt"), &error));
    assert_non_null(strstr(error.text, "No such file"));
    assert_null(throng_recording_open(directory, &error));
    assert_null(throng_recording_open(path_of("x.dat"), &error));
    assert_non_null(strstr(error.text, ".txt"));
}

static void geometry_may_be_a_file(void **state) {
    (void)state;
    write_text(path_of("corridor.wkt"), "POLYGON ((0 0, 1 0, 1 1, 0 0))");
    write_text(path_of("g.txt"), "# framerate: 1\n# geometry: corridor.wkt\n# x/m\n1 0 0.5 0.2\n");
    throng_recording *recording = throng_recording_open(path_of("g.txt"), NULL);
    assert_non_null(recording);
    assert_string_equal(throng_recording_info_of(recording).wkt, "POLYGON ((0 0, 1 0, 1 1, 0 0))");
    throng_recording_close(recording);
    write_text(path_of("g.txt"), "# framerate: 1\n# geometry: absent.wkt\n# x/m\n1 0 0.5 0.2\n");
    recording = throng_recording_open(path_of("g.txt"), NULL);
    assert_non_null(recording);
    assert_string_equal(throng_recording_info_of(recording).wkt, "");
    throng_recording_close(recording);
}

static void numbers_have_a_point(void **state) {
    (void)state;
    const struct {
        double value;
        const char *text;
    } written[] = {{25, "25.0"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {-1e300, "-1e+300"}, {100, "100.0"}};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        char text[THRONG_DECIMAL_SIZE];
        throng_decimal_text(written[k].value, text);
        assert_string_equal(text, written[k].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_what_pedpy_expects), cmocka_unit_test(a_description_cannot_mislead),
        cmocka_unit_test(large_frames_are_whole),       cmocka_unit_test(an_open_plane_has_its_rectangle),
        cmocka_unit_test(others_files_are_read),        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(geometry_may_be_a_file),       cmocka_unit_test(numbers_have_a_point),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
