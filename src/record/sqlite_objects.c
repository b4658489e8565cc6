/* sqlite_objects.c: things in .sqlite recordings: where each of them is in every frame, and once what it is made of.
 * The tables are there only in recordings of worlds with things. */

#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/sqlite_file.h"

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS x_objects(frame INTEGER NOT NULL, id INTEGER NOT NULL, x REAL NOT NULL, y REAL NOT "
    "NULL,"
    " z REAL NOT NULL, turn_w REAL NOT NULL, turn_x REAL NOT NULL, turn_y REAL NOT NULL, turn_z REAL NOT NULL);"
    "CREATE INDEX IF NOT EXISTS x_objects_idx ON x_objects(frame, id);"
    "CREATE TABLE IF NOT EXISTS x_object_parts(id INTEGER NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL,"
    " size_x REAL, size_y REAL, size_z REAL, x REAL, y REAL, z REAL, turn_w REAL, turn_x REAL, turn_y REAL, turn_z "
    "REAL,"
    " mass REAL, fixed INTEGER, name TEXT, PRIMARY KEY(id, part));";

/* ------------------------------------------------------------------ writing */

static void bind_turn(sqlite3_stmt *statement, int first, throng_orientation turn) {
    const double values[] = {turn.w, turn.x, turn.y, turn.z};
    for (int i = 0; i < 4; i++) sqlite3_bind_double(statement, first + i, values[i]);
}

static void bind_point(sqlite3_stmt *statement, int first, throng_point3 p) {
    sqlite3_bind_double(statement, first, p.x);
    sqlite3_bind_double(statement, first + 1, p.y);
    sqlite3_bind_double(statement, first + 2, p.z);
}

static bool run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    return sqlite3_reset(statement) == SQLITE_OK && result == SQLITE_DONE;
}

static bool add_part(sqlite3_stmt *add, const throng_record_part *p) {
    double edge = 2 * p->part.radius;
    bool ball = p->part.kind == THRONG_PART_BALL;
    sqlite3_bind_int64(add, 1, (sqlite3_int64)p->id);
    sqlite3_bind_int64(add, 2, p->number);
    sqlite3_bind_text(add, 3, ball ? "ball" : "box", -1, SQLITE_STATIC);
    bind_point(add, 4, ball ? (throng_point3){edge, edge, edge} : p->part.size);
    bind_point(add, 7, p->part.at);
    bind_turn(add, 10, p->part.turn);
    sqlite3_bind_double(add, 14, p->mass);
    sqlite3_bind_int64(add, 15, p->fixed);
    sqlite3_bind_text(add, 16, p->name, -1, SQLITE_TRANSIENT);
    return run(add);
}

static bool add_object(sqlite3_stmt *add, uint64_t frame, const throng_object_state *object) {
    sqlite3_bind_int64(add, 1, (sqlite3_int64)frame);
    sqlite3_bind_int64(add, 2, (sqlite3_int64)object->id);
    bind_point(add, 3, object->at);
    bind_turn(add, 6, object->turn);
    return run(add);
}

bool throng_sqlite_write_objects(sqlite3 *database, const throng_record_frame *frame) {
    if (frame->object_count == 0) return true;
    if (frame->part_count > 0 && sqlite3_exec(database, schema, NULL, NULL, NULL) != SQLITE_OK) return false;
    sqlite3_stmt *object = NULL, *part = NULL;
    sqlite3_prepare_v2(database, "INSERT INTO x_objects VALUES(?,?,?,?,?,?,?,?,?)", -1, &object, NULL);
    sqlite3_prepare_v2(database, "INSERT OR IGNORE INTO x_object_parts VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
                       &part, NULL);
    bool good = object && part;
    for (size_t i = 0; good && i < frame->part_count; i++) good = add_part(part, &frame->parts[i]);
    for (size_t i = 0; good && i < frame->object_count; i++)
        good = add_object(object, frame->number, &frame->objects[i]);
    sqlite3_finalize(object);
    sqlite3_finalize(part);
    return good;
}

/* ------------------------------------------------------------------ reading */

/* The numbers that a row begins with. */
static void numbers_in(sqlite3_stmt *query, double *values, int count) {
    for (int i = 0; i < count; i++) values[i] = sqlite3_column_double(query, i);
}

/* The parts of the thing added last. */
static void read_parts(throng_recording *recording, sqlite3_stmt *query, sqlite3_int64 id) {
    sqlite3_bind_int64(query, 1, id);
    while (sqlite3_step(query) == SQLITE_ROW) {
        double values[THRONG_PART_NUMBERS];
        numbers_in(query, values, THRONG_PART_NUMBERS);
        throng_recording_add_part(recording, values);
        const char *name = (const char *)sqlite3_column_text(query, THRONG_PART_NUMBERS);
        recording->objects[recording->object_count - 1].name = throng_recording_name(recording, name ? name : "");
    }
    sqlite3_reset(query);
}

bool throng_sqlite_read_objects(throng_recording *recording, size_t frame, throng_error *error) {
    (void)error;
    sqlite3 *database = throng_sqlite_database(recording);
    sqlite3_stmt *poses = NULL, *parts = NULL;
    sqlite3_prepare_v2(database,
                       "SELECT id, x, y, z, turn_w, turn_x, turn_y, turn_z FROM x_objects WHERE frame = ?1 ORDER BY id",
                       -1, &poses, NULL);
    sqlite3_prepare_v2(
        database,
        "SELECT id, part, kind = 'ball', fixed, mass, size_x, size_y, size_z, x, y, z, turn_w, turn_x, turn_y, turn_z,"
        " name FROM x_object_parts WHERE id = ?1 ORDER BY part",
        -1, &parts, NULL);
    if (poses && parts) sqlite3_bind_int64(poses, 1, (sqlite3_int64)frame);
    while (poses && parts && sqlite3_step(poses) == SQLITE_ROW) {
        double values[THRONG_OBJECT_NUMBERS];
        numbers_in(poses, values, THRONG_OBJECT_NUMBERS);
        if (throng_recording_add_object(recording, values))
            read_parts(recording, parts, sqlite3_column_int64(poses, 0));
    }
    sqlite3_finalize(poses);
    sqlite3_finalize(parts);
    return true;
}
