/* unit_record_read.c: reading trajectory databases, ours and others'. */

#include "record_common.h"

#include "space/place.h"

#define ROWS                                                                                                          \
    "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT " \
    "NULL"
#define META  "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
#define INDEX "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);"
#define GROUND                                                                                                    \
    "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL); CREATE TABLE frame_data(frame INTEGER NOT " \
    "NULL, geometry_hash INTEGER NOT NULL);"

/* Two people; frame 1 has the second alone. */
#define ORDERED                                                    \
    "INSERT INTO trajectory_data(frame, id, pos_x, pos_y) VALUES " \
    "(0,1,1.5,2.5),(0,2,3,4),(1,2,3.5,4),(3,1,7,8),(3,2,4,4);"
#define MIXED                                                      \
    "INSERT INTO trajectory_data(frame, id, pos_x, pos_y) VALUES " \
    "(3,2,4,4),(0,2,3,4),(1,2,3.5,4),(3,1,7,8),(0,1,1.5,2.5);"

static const char *make(const char *name, const char *sql) {
    const char *path = path_of(name);
    unlink(path);
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    run_sql(db, sql);
    sqlite3_close(db);
    return path;
}

static void expect_two_people(const char *path, size_t frame_count) {
    throng_error error = {0};
    throng_recording *recording = throng_recording_open(path, &error);
    if (!recording) fail_msg("%s", error.text);
    throng_recording_info info = throng_recording_info_of(recording);
    assert_int_equal(info.frame_count, frame_count);
    assert_int_equal(info.agent_count, 2);
    assert_int_equal(info.row_count, 5);
    assert_near(info.fps, 12.5, 0);
    assert_near(info.bounds.low.x, 1.5, 0);
    assert_near(info.bounds.high.y, 8, 0);
    assert_int_equal(throng_recording_agent_at(recording, 1).id, 2);
    assert_near(throng_recording_agent_at(recording, 1).radius, 0.2, 0);
    const double x[4][2] = {{1.5, 3}, {3.5, 0}, {0, 0}, {7, 4}};
    const size_t counts[] = {2, 1, 0, 2}, order[] = {3, 0, 2, 1, 0, 3};
    for (size_t k = 0; k < 6; k++) {
        throng_frame frame;
        assert_true(throng_recording_frame(recording, order[k], &frame, &error));
        assert_int_equal(frame.count, counts[order[k]]);
        for (size_t i = 0; i < frame.count; i++) assert_near(frame.x[i], x[order[k]][i], 0);
        if (frame.count == 2) assert_true(frame.id[0] == 1 && frame.id[1] == 2);
    }
    throng_frame frame;
    assert_false(throng_recording_frame(recording, frame_count, &frame, &error));
    assert_non_null(strstr(error.text, "no frame"));
    throng_recording_close(recording);
}

static void versions_1_to_3_are_read(void **state) {
    (void)state;
    const char *v1 = ROWS ", ori_x REAL, ori_y REAL);" INDEX META
                          "CREATE TABLE geometry(wkt TEXT NOT NULL);"
                          "INSERT INTO metadata VALUES ('version','1'),('fps','12.5'); INSERT INTO geometry VALUES "
                          "('POLYGON ((0 0, 9 0, 9 9, 0 0))');" ORDERED;
    expect_two_people(make("v1.sqlite", v1), 4);
    const char *v2 = ROWS ", ori_x REAL, ori_y REAL);" INDEX META GROUND
                          "INSERT INTO metadata VALUES ('version','2'),('fps','12.5');"
                          "INSERT INTO frame_data VALUES (0,5),(1,5),(2,5),(3,5),(4,5),(5,5);" MIXED;
    expect_two_people(make("v2.sqlite", v2), 6);
    const char *v3 = ROWS ");" INDEX META GROUND "INSERT INTO metadata VALUES ('version',3),('fps',12.5);" ORDERED;
    expect_two_people(make("v3.sqlite", v3), 4);
}

static void no_index_is_needed(void **state) {
    (void)state;
    const char *keys = META "INSERT INTO metadata VALUES ('version','2'),('fps','12.5');";
    char sql[2000];
    snprintf(sql, sizeof sql, "%s);%s%s", ROWS, keys, ORDERED);
    expect_two_people(make("ordered.sqlite", sql), 4);
    snprintf(sql, sizeof sql, "%s);%s%s", ROWS, keys, MIXED);
    expect_two_people(make("mixed.sqlite", sql), 4);
    /* Our own files are read from their summary; one that others have added to is not. */
    snprintf(sql, sizeof sql,
             "%s);%s%s%s INSERT INTO metadata VALUES ('x_rows','4'),('x_extent','0 0 1 1'); CREATE TABLE x_agents(id "
             "INTEGER PRIMARY KEY);",
             ROWS, INDEX, keys, MIXED);
    expect_two_people(make("stale.sqlite", sql), 4);
}

static void several_geometries_are_one_area(void **state) {
    (void)state;
    const char *path = make("g.sqlite", ROWS ");" META GROUND
                                             "INSERT INTO metadata VALUES ('version','2'),('fps','1');"
                                             "INSERT INTO geometry VALUES (1,'POLYGON ((0 0, 9 0, 9 9, 0 "
                                             "0))'),(2,'POLYGON ((0 0, 5 0, 5 9, 0 0))');" ORDERED);
    throng_recording *recording = throng_recording_open(path, NULL);
    assert_non_null(recording);
    assert_string_equal(throng_recording_info_of(recording).wkt,
                        "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 0)), POLYGON ((0 0, 5 0, 5 9, 0 0)))");
    throng_recording_close(recording);
}

static void who_and_where_come_back(void **state) {
    (void)state;
    const char *names[] = {"who.sqlite", "who.throng", "who.txt"};
    for (int k = 0; k < 3; k++) {
        throng_record_head head = head_of(path_of(names[k]), &room);
        throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, NULL);
        assert_non_null(writer);
        assert_true(put_made_up(writer, 2, true, NULL));
        assert_true(throng_writer_close(writer, false, NULL));
        throng_recording *recording = throng_recording_open(path_of(names[k]), NULL);
        assert_non_null(recording);
        assert_string_equal(throng_recording_info_of(recording).wkt, room.before);
        throng_recording_agent agent = throng_recording_agent_at(recording, 1);
        assert_int_equal(agent.id, 2);
        assert_near(agent.radius, k == 2 ? 0.2 : 0.25, 0);
        assert_string_equal(agent.group, k == 2 ? "" : "odd");
        assert_string_equal(agent.model, k == 2 ? "" : "none");
        throng_error error = {0};
        throng_place *place = throng_recording_place(recording, &error);
        if (!place) fail_msg("%s", error.text);
        assert_false(throng_place_is_open(place));
        assert_int_equal(throng_place_line_count(place), 1);
        throng_place_destroy(place);
        throng_recording_close(recording);
    }
}

static void faults_are_named(void **state) {
    (void)state;
    const struct {
        const char *sql, *word;
    } cases[] = {
        {"CREATE TABLE other(x)", "no tables"},
        {ROWS ");" META ORDERED, "fps"},
        {ROWS ");" META "INSERT INTO metadata VALUES ('fps','fast');" ORDERED, "found 'fast'"},
        {ROWS ");" META "INSERT INTO metadata VALUES ('fps','-1');" ORDERED, "found '-1'"},
        {ROWS ");" META "INSERT INTO metadata VALUES ('version','9'),('fps','1');" ORDERED, "version 9"},
        {ROWS ");" META "INSERT INTO metadata VALUES ('fps','1'); INSERT INTO trajectory_data VALUES (0,1,'east',0);",
         "found 'east'"},
        {ROWS ");" META "INSERT INTO metadata VALUES ('fps','1'); INSERT INTO trajectory_data VALUES (0,1,1e999,0);",
         "pos_x"},
        {ROWS ");" META "INSERT INTO metadata VALUES ('fps','1'); INSERT INTO trajectory_data VALUES (-1,1,0,0);",
         "found '-1'"},
        {"CREATE TABLE trajectory_data(frame, person);" META "INSERT INTO metadata VALUES ('fps','1');",
         "no such column"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = make("fault.sqlite", cases[k].sql);
        throng_error error = {0};
        assert_null(throng_recording_open(path, &error));
        if (!strstr(error.text, cases[k].word) || !strstr(error.text, path)) fail_msg("case %zu: %s", k, error.text);
    }
    throng_error error = {0};
    write_text(path_of("text.sqlite"), "this is not a database, but it is long enough to be looked at");
    assert_null(throng_recording_open(path_of("text.sqlite"), &error));
    assert_non_null(strstr(error.text, "not an SQLite database"));
    write_text(path_of("empty.sqlite"), "");
    assert_null(throng_recording_open(path_of("empty.sqlite"), &error));
    assert_null(throng_recording_open(path_of("absent.sqlite"), &error));
    assert_non_null(strstr(error.text, "No such file"));
}

/* Names that SQLite might take for something else. */
static void odd_names_work(void **state) {
    (void)state;
    const char *names[] = {"50% of?it#1.sqlite", "file:x.sqlite", "a b'c\".sqlite"};
    char here[300];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(directory), 0);
    for (int k = 0; k < 3; k++) {
        throng_record_head head = head_of(names[k], &room);
        throng_error error = {0};
        throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, &error);
        if (!writer) fail_msg("%s", error.text);
        assert_true(put_made_up(writer, 2, true, NULL));
        assert_true(throng_writer_close(writer, false, NULL));
        assert_true(exists(path_of(names[k])));
        expect_made_up(names[k], 2, 1, 0);
    }
    assert_int_equal(chdir(here), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_1_to_3_are_read),
        cmocka_unit_test(no_index_is_needed),
        cmocka_unit_test(several_geometries_are_one_area),
        cmocka_unit_test(who_and_where_come_back),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(odd_names_work),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
