/* unit_record_sqlite.c: writing .sqlite recordings, at the level of the file format. */

#include "record_common.h"

static const throng_file_format *format(void) { return throng_file_format_to_write("x.sqlite", NULL, NULL); }

static void *create(const char *path, const throng_record_geometry *geometry) {
    throng_error error = {0};
    throng_record_head head = head_of(path, geometry);
    void *file = format()->writer->create(&head, &error);
    if (!file) fail_msg("%s", error.text);
    return file;
}

/* A frame with the columns given. */
typedef struct made_frame {
    throng_agent id[4];
    double x[4], y[4], ori_x[4], ori_y[4];
    throng_recording_agent newcomers[4];
    throng_record_frame frame;
} made_frame;

static void write_frame(void *file, uint64_t number, size_t count, double x) {
    made_frame m = {0};
    m.frame = (throng_record_frame){.number = number,
                                    .count = count,
                                    .id = m.id,
                                    .x = m.x,
                                    .y = m.y,
                                    .ori_x = m.ori_x,
                                    .ori_y = m.ori_y,
                                    .newcomers = m.newcomers};
    if (number == 0) m.frame.newcomer_count = count;
    fill(&m.frame);
    for (size_t i = 0; i < count; i++) {
        m.x[i] += x;
        m.frame.reach = m.frame.extent = throng_box_with(m.frame.extent, m.x[i], m.y[i]);
    }
    throng_error error = {0};
    if (!format()->writer->frame(file, &m.frame, &error)) fail_msg("%s", error.text);
}

static void close_file(void *file) {
    throng_error error = {0};
    if (!format()->writer->close(file, THRONG_COMPLETE, &error)) fail_msg("%s", error.text);
}

static void a_closed_file_keeps_the_rules(void **state) {
    (void)state;
    const char *path = path_of("rules.sqlite");
    void *file = create(path, &room);
    write_frame(file, 0, 3, 0);
    write_frame(file, 1, 0, 0);
    write_frame(file, 2, 2, 0);
    close_file(file);
    expect_jupedsim_rules(path);
    assert_false(exists(path_of("rules.sqlite-wal")));
    assert_false(exists(path_of("rules.sqlite-shm")));

    sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
    assert_string_equal(ask(db, "PRAGMA journal_mode"), "delete");
    assert_string_equal(ask(db, "PRAGMA integrity_check"), "ok");
    assert_int_equal(ask_number(db, "SELECT count(*) FROM frame_data"), 3);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM trajectory_data"), 5);
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'fps'"), "10.0");
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'xmax'"), "10.0");
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'x_status'"), "complete");
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'x_seed'"), "7");
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'x_dt'"), "0.1");
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'x_description'"), "a test");
    assert_string_equal(ask(db, "SELECT wkt FROM geometry"), room.before);
    assert_string_equal(ask(db, "SELECT wkt FROM x_walls"), room.walls);
    assert_string_equal(ask(db, "SELECT group_concat(name || ' ' || type) FROM pragma_table_info('x_agents')"),
                        "id INTEGER,radius REAL,desired_speed REAL,mass REAL,grp TEXT,model TEXT");
    assert_string_equal(
        ask(db, "SELECT id || radius || desired_speed || mass || grp || model FROM x_agents WHERE id = 2"),
        "20.251.370.0oddnone");
    assert_string_equal(ask(db, "SELECT name FROM sqlite_master WHERE type = 'index' AND name = 'frame_id_idx'"),
                        "frame_id_idx");
    sqlite3_close(db);
}

static void positions_keep_every_bit(void **state) {
    (void)state;
    const char *path = path_of("bits.sqlite");
    void *file = create(path, &room);
    for (uint64_t f = 0; f < 20; f++) write_frame(file, f, 4, 0);
    close_file(file);
    expect_made_up(path, 4, 20, 0);
}

static void an_open_plane_grows(void **state) {
    (void)state;
    const char *path = path_of("plane.sqlite");
    void *file = create(path, &plane);
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
    /* Before anybody is there: the obstacle and 5 m around it. */
    assert_string_equal(ask(db, "SELECT wkt FROM geometry"),
                        "POLYGON ((-4.000 -4.000, 7.000 -4.000, 7.000 7.000, -4.000 7.000, -4.000 -4.000),"
                        " (1 1, 1 2, 2 2, 2 1, 1 1))");
    write_frame(file, 0, 1, 0);
    write_frame(file, 1, 1, 40);
    assert_true(format()->writer->flush(file, NULL));
    double xmax = 5 + 40 + made_x(0, 1);
    assert_near(atof(ask(db, "SELECT value FROM metadata WHERE key = 'xmax'")), xmax, 1e-9);
    sqlite3_close(db);
    write_frame(file, 2, 1, -100);
    close_file(file);
    expect_jupedsim_rules(path);
    db = connect_to(path, SQLITE_OPEN_READONLY);
    assert_near(atof(ask(db, "SELECT value FROM metadata WHERE key = 'xmax'")), xmax, 1e-9);
    assert_near(atof(ask(db, "SELECT value FROM metadata WHERE key = 'xmin'")), made_x(0, 2) - 105, 1e-9);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM geometry"), 1);
    sqlite3_close(db);
}

static void frames_can_be_read_while_it_is_written(void **state) {
    (void)state;
    const char *path = path_of("live.sqlite");
    void *file = create(path, &room);
    write_frame(file, 0, 4, 0);
    assert_true(format()->writer->flush(file, NULL));
    write_frame(file, 1, 4, 0);
    expect_jupedsim_rules(path);
    throng_recording *recording = throng_recording_open(path, NULL);
    assert_non_null(recording);
    assert_int_equal(throng_recording_info_of(recording).frame_count, 1);
    assert_true(format()->writer->flush(file, NULL));
    throng_recording_close(recording);
    expect_made_up(path, 4, 2, 0);
    close_file(file);
}

/* A reader that is in the middle of the file must not make the run fail. */
static void a_reader_does_not_disturb_the_close(void **state) {
    (void)state;
    const char *path = path_of("watched.sqlite");
    void *file = create(path, &room);
    write_frame(file, 0, 4, 0);
    assert_true(format()->writer->flush(file, NULL));
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
    run_sql(db, "BEGIN");
    assert_int_equal(ask_number(db, "SELECT count(*) FROM trajectory_data"), 4);
    write_frame(file, 1, 4, 0);
    close_file(file);
    sqlite3_close(db);
    expect_jupedsim_rules(path);
    expect_made_up(path, 4, 2, 0);
}

static int file_count(void) {
    char command[200];
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", directory);
    FILE *list = popen(command, "r");
    int count = -1;
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

static void expect_refusal(const char *path, const char *word) {
    throng_error error = {0};
    throng_record_head head = head_of(path, &room);
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, &error);
    assert_null(writer);
    if (!strstr(error.text, word) || !strstr(error.text, path)) fail_msg("expected '%s' in: %s", word, error.text);
}

static void what_cannot_be_written_is_refused(void **state) {
    (void)state;
    expect_refusal("/no/such/directory/x.sqlite", "No such file or directory");
    expect_refusal("/no/such/directory/x.txt", "No such file or directory");
    expect_refusal("/proc/x.sqlite", "cannot write");
    expect_refusal("recording.dat", ".sqlite (JuPedSim), .txt");
    expect_refusal("recording", ".sqlite (JuPedSim), .txt");
    expect_refusal("dir.txt/recording", "follows its ending");
    expect_refusal("/no/such/directory/x.throng", "No such file or directory");
    int before = file_count();
    assert_int_equal(mkdir(path_of("d.sqlite"), 0700), 0);
    assert_int_equal(mkdir(path_of("d.txt"), 0700), 0);
    expect_refusal(path_of("d.sqlite"), "it is a directory");
    expect_refusal(path_of("d.txt"), "it is a directory");
    assert_int_equal(file_count(), before + 2);
}

/* A log left by a killed run must not flow into a new recording of the same name. */
static void an_older_file_is_replaced(void **state) {
    (void)state;
    const char *path = path_of("again.sqlite");
    void *file = create(path, &room);
    for (uint64_t f = 0; f < 9; f++) write_frame(file, f, 4, 0);
    assert_true(format()->writer->flush(file, NULL));
    char command[700];
    snprintf(command, sizeof command, "cp '%s' '%s/old' && cp '%s-wal' '%s/old-wal'", path, directory, path, directory);
    assert_int_equal(system(command), 0);
    close_file(file);
    snprintf(command, sizeof command, "mv '%s/old' '%s' && mv '%s/old-wal' '%s-wal'", directory, path, directory, path);
    assert_int_equal(system(command), 0);
    expect_made_up(path, 4, 9, 0);
    snprintf(command, sizeof command, "touch '%s-journal'", path);
    assert_int_equal(system(command), 0);

    file = create(path, &room);
    write_frame(file, 0, 2, 0);
    close_file(file);
    expect_made_up(path, 2, 1, 0);
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM frame_data"), 1);
    sqlite3_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_file_keeps_the_rules),
        cmocka_unit_test(positions_keep_every_bit),
        cmocka_unit_test(an_open_plane_grows),
        cmocka_unit_test(frames_can_be_read_while_it_is_written),
        cmocka_unit_test(a_reader_does_not_disturb_the_close),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(an_older_file_is_replaced),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
