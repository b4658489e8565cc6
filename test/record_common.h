/* record_common.h: what the tests of recordings share: a directory of their own, made-up frames, a
 * made-up geometry, and the rules by which PedPy and JuPedSim read a trajectory database. */

#ifndef RECORD_COMMON_H
#define RECORD_COMMON_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>
#include <sys/stat.h>

#include "record/record.h"
#include "testing.h"

#define MAYBE __attribute__((unused))

static char directory[100]; /* a fresh one, removed at the end */

MAYBE static int make_directory(void **state) {
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/throng-record-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

MAYBE static int remove_directory(void **state) {
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

/* The path of a file in the directory; four of them can be in use at once. */
MAYBE static const char *path_of(const char *name) {
    static char paths[4][300];
    static int next;
    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", directory, name);
    return paths[next];
}

MAYBE static bool exists(const char *path) { return access(path, F_OK) == 0; }

MAYBE static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

MAYBE static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = 0;
    fclose(file);
    return text;
}

/* A room of 10 m by 5 m with one thin wall. */
MAYBE static const throng_record_geometry room = {.before = "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))",
                                                  .after = "",
                                                  .bounds = {{0, 0}, {10, 5}},
                                                  .has_bounds = true,
                                                  .walls = "LINESTRING (1.0 1.0, 2.0 1.0)"};
/* An open plane with a square obstacle. */
MAYBE static const throng_record_geometry plane = {.open = true,
                                                   .before = "POLYGON (",
                                                   .after = ", (1 1, 1 2, 2 2, 2 1, 1 1))",
                                                   .bounds = {{1, 1}, {2, 2}},
                                                   .has_bounds = true};

MAYBE static throng_record_head head_of(const char *path, const throng_record_geometry *geometry) {
    return (throng_record_head){.path = path,
                                .fps = 10,
                                .description = "a test",
                                .dt = 0.1,
                                .seed = 7,
                                .geometry = geometry,
                                .reach = throng_box_empty()};
}

/* Where made-up person i is in frame f. */
MAYBE static double made_x(size_t i, uint64_t f) { return 0.1 + 0.013 * (double)i + 0.1 * (double)f / 3; }
MAYBE static double made_y(size_t i, uint64_t f) { return 0.2 + 1e-3 * (double)(i % 1000) - 1e-5 * (double)f; }

/* Ids 1 .. count walk east at 1 m/s; all of them are new in frame 0. */
MAYBE static void fill(throng_record_frame *frame) {
    frame->extent = throng_box_empty();
    for (size_t i = 0; i < frame->count; i++) {
        frame->id[i] = i + 1;
        frame->x[i] = made_x(i, frame->number);
        frame->y[i] = made_y(i, frame->number);
        if (frame->ori_x) {
            frame->ori_x[i] = 1;
            frame->ori_y[i] = 0;
        }
        frame->extent = throng_box_with(frame->extent, frame->x[i], frame->y[i]);
    }
    frame->reach = frame->extent;
    for (size_t i = 0; i < frame->newcomer_count; i++)
        frame->newcomers[i] = (throng_recording_agent){.id = i + 1,
                                                       .radius = 0.25,
                                                       .desired_speed = 1.3,
                                                       .mass = 70,
                                                       .group = i % 2 ? "odd" : "even",
                                                       .model = "none",
                                                       .name = ""};
}

MAYBE static bool put_made_up(throng_writer *writer, size_t count, bool first, throng_error *error) {
    throng_record_frame *frame = throng_writer_take(writer, count, first ? count : 0);
    fill(frame);
    return throng_writer_put(writer, frame, error);
}

/* Whether frame f of a recording holds exactly the made-up people, to within `margin`. */
MAYBE static void expect_made_up_frame(throng_recording *recording, size_t f, size_t count, double margin) {
    throng_error error = {0};
    throng_frame frame;
    if (!throng_recording_frame(recording, f, &frame, &error)) fail_msg("%s", error.text);
    assert_int_equal(frame.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(frame.id[i], i + 1);
        assert_near(frame.x[i], made_x(i, f), margin);
        assert_near(frame.y[i], made_y(i, f), margin);
    }
}

/* Whether a recording has at least `frames`, and all of those (or, for whole, all it has) are right. */
MAYBE static void expect_made_up_until(const char *path, size_t count, size_t frames, double margin, bool whole) {
    throng_error error = {0};
    throng_recording *recording = throng_recording_open(path, &error);
    if (!recording) fail_msg("%s", error.text);
    throng_recording_info info = throng_recording_info_of(recording);
    assert_true(info.frame_count >= frames);
    assert_int_equal(info.agent_count, count);
    if (whole) frames = info.frame_count;
    for (size_t f = 0; f < frames; f += 1 + frames / 50) expect_made_up_frame(recording, f, count, margin);
    expect_made_up_frame(recording, frames - 1, count, margin);
    throng_recording_close(recording);
}

MAYBE static void expect_made_up(const char *path, size_t count, size_t frames_at_least, double margin) {
    expect_made_up_until(path, count, frames_at_least, margin, true);
}

/* ------------------------------------------------------------------ databases */

MAYBE static sqlite3 *connect_to(const char *path, int flags) {
    sqlite3 *database;
    int result = sqlite3_open_v2(path, &database, flags, NULL);
    if (result != SQLITE_OK) fail_msg("%s: %s", path, sqlite3_errmsg(database));
    return database;
}

MAYBE static void run_sql(sqlite3 *database, const char *sql) {
    char *message = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s: %s", sql, message);
}

/* The first value of a query, as text, "" for none; good until the next call. */
MAYBE static const char *ask(sqlite3 *database, const char *sql) {
    static char answer[1000];
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(database, sql, -1, &query, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    answer[0] = 0;
    int result = sqlite3_step(query);
    if (result == SQLITE_ROW && sqlite3_column_text(query, 0))
        snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(query, 0));
    else if (result != SQLITE_DONE && result != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_finalize(query);
    return answer;
}

MAYBE static long long ask_number(sqlite3 *database, const char *sql) { return atoll(ask(database, sql)); }

/* The rules of PedPy 1.5 and JuPedSim 1.1 to 1.4 for a database of version 2, read as they do: without
 * the right to write. */
MAYBE static void expect_jupedsim_rules(const char *path) {
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
    assert_true(ask_number(db, "SELECT count(*) FROM (SELECT frame, id, pos_x AS x, pos_y AS y FROM trajectory_data)") >
                0);
    assert_true(atof(ask(db, "SELECT value FROM metadata WHERE key = 'fps'")) > 0);
    assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'version'"), "2");
    assert_int_equal(ask_number(db,
                                "SELECT count(*) FROM geometry WHERE wkt NOT LIKE 'POLYGON%'"
                                " AND wkt NOT LIKE 'GEOMETRYCOLLECTION%' AND wkt NOT LIKE 'MULTIPOLYGON%'"),
                     0);
    assert_true(ask_number(db, "SELECT count(*) FROM geometry") >= 1);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM metadata WHERE key IN ('xmin', 'xmax', 'ymin', 'ymax')"), 4);
    assert_int_equal(ask_number(db,
                                "SELECT count(*) FROM metadata WHERE key IN ('xmin', 'xmax', 'ymin', 'ymax')"
                                " AND value NOT GLOB '*[0-9].[0-9]*'"),
                     0);

    /* Frames count from 0 without a gap, and those of the rows are among them. */
    long long frames = ask_number(db, "SELECT count(*) FROM frame_data");
    assert_int_equal(ask_number(db, "SELECT min(frame) FROM frame_data"), 0);
    assert_int_equal(ask_number(db, "SELECT max(frame) FROM frame_data"), frames - 1);
    assert_int_equal(ask_number(db, "SELECT count(DISTINCT frame) FROM frame_data"), frames);
    assert_true(ask_number(db, "SELECT max(frame) FROM trajectory_data") < frames);
    assert_int_equal(ask_number(db,
                                "SELECT count(*) FROM trajectory_data WHERE typeof(frame) != 'integer' OR"
                                " typeof(id) != 'integer' OR typeof(pos_x) != 'real' OR typeof(pos_y) != 'real'"),
                     0);
    assert_int_equal(ask_number(db,
                                "SELECT count(*) FROM frame_data WHERE geometry_hash NOT IN"
                                " (SELECT hash FROM geometry)"),
                     0);
    assert_string_equal(ask(db, "SELECT frame FROM trajectory_data GROUP BY frame, id HAVING count(*) > 1"), "");
    assert_string_equal(ask(db, "SELECT group_concat(name || ' ' || type) FROM pragma_table_info('trajectory_data')"),
                        "frame INTEGER,id INTEGER,pos_x REAL,pos_y REAL,ori_x REAL,ori_y REAL");
    /* Everybody in the rows is known. */
    assert_int_equal(ask_number(db,
                                "SELECT count(*) FROM (SELECT DISTINCT id FROM trajectory_data) WHERE id NOT IN"
                                " (SELECT id FROM x_agents)"),
                     0);
    sqlite3_close(db);
}

/* ------------------------------------------------------------------ small disks */

/* A disk of some kilobytes in memory at directory/name; false where mounting is not allowed. */
MAYBE static bool mount_small_disk(const char *name, int kilobytes) {
    char command[300];
    if (mkdir(path_of(name), 0700) != 0) return false;
    snprintf(command, sizeof command, "mount -t tmpfs -o size=%dk tmpfs '%s/%s' 2>/dev/null", kilobytes, directory,
             name);
    if (system(command) == 0) return true;
    print_message("skipped: mounting a small disk is not allowed here\n");
    return false;
}

MAYBE static void unmount_small_disk(const char *name) {
    char command[300];
    snprintf(command, sizeof command, "umount '%s/%s'", directory, name);
    assert_int_equal(system(command), 0);
}

#endif
