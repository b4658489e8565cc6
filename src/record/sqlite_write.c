/* sqlite_write.c: recordings as JuPedSim's trajectory database, version 2, read by PedPy, JuPedSim
 * and its visualiser. What is ours besides stands in tables and keys that begin with x_, which
 * those readers pass over.
 *
 * While a run goes on, the database keeps a write-ahead log: what a killed process had committed is
 * there for the next reader, and readers need not wait. A clean close folds the log back into the
 * one file. The index is kept from the start: on 5 million rows that took 0.85 us a row, and 1.05 with
 * the index made at the end; and a killed recording has it as well. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "record/span.h"
#include "record/sqlite_file.h"

/* Rows per INSERT: half the cost of one by one; more brings no more. */
enum { batch = 50 };

/* So few rows between two flushes leave time to fold the log into the file at each of them, so that
 * the file alone, without its log, is nearly up to date. */
enum { quiet_rows = 50000 };

enum statement {
    ADD_ROWS, /* `batch` at once */
    ADD_ROW,
    ADD_FRAME,
    ADD_AGENT,
    ADD_NAME,
    ADD_GEOMETRY,
    SET_GEOMETRY,
    ADD_WALL,
    ADD_MARK,
    SET_KEY,
    ADD_QUANTITY, /* from here on there may be none to record */
    ADD_VALUES,
    ADD_WALL_FORCE,
    ADD_OBJECT,
    ADD_PART,
    STATEMENT_COUNT
};

typedef struct sqlite_writer {
    throng_output output;
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    sqlite3_int64 geometry_hash;
    throng_box bounds; /* of all grounds so far */
    throng_box extent; /* of all positions so far */
    bool pending;      /* a transaction is open */
    uint64_t row_count, committed_rows;
} sqlite_writer;

/* Version 3 has no directions. */
static const char *const rows_schema[] = {
    "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
    " pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);",
    "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
    " pos_y REAL NOT NULL);"};
static const char schema[] =
    "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE UNIQUE INDEX geometry_hash on geometry( hash);"
    "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);"
    "CREATE TABLE x_agents(id INTEGER PRIMARY KEY, radius REAL, desired_speed REAL, mass REAL, grp TEXT, model TEXT);"
    "CREATE TABLE x_walls(wkt TEXT NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE TABLE x_marks(kind TEXT NOT NULL, name TEXT NOT NULL, closed INTEGER NOT NULL, radius REAL NOT NULL,"
    " wkt TEXT NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE TABLE x_names(id INTEGER PRIMARY KEY, name TEXT NOT NULL);";

/* Where each thing is in every frame, and once what it is made of; made when there is one. */
static const char objects_schema[] =
    "CREATE TABLE IF NOT EXISTS x_objects(frame INTEGER NOT NULL, id INTEGER NOT NULL, x REAL NOT NULL, y REAL NOT "
    "NULL,"
    " z REAL NOT NULL, turn_w REAL NOT NULL, turn_x REAL NOT NULL, turn_y REAL NOT NULL, turn_z REAL NOT NULL);"
    "CREATE INDEX IF NOT EXISTS x_objects_idx ON x_objects(frame, id);"
    "CREATE TABLE IF NOT EXISTS x_object_parts(id INTEGER NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL,"
    " size_x REAL, size_y REAL, size_z REAL, x REAL, y REAL, z REAL, turn_w REAL, turn_x REAL, turn_y REAL, turn_z "
    "REAL,"
    " mass REAL, fixed INTEGER, name TEXT, PRIMARY KEY(id, part));";

static const char wall_forces_schema[] =
    "CREATE TABLE x_wall_forces(frame INTEGER NOT NULL, x1 REAL, y1 REAL, x2 REAL, y2 REAL, force REAL);"
    "CREATE INDEX x_wall_forces_idx ON x_wall_forces(frame);";

static bool refuse(sqlite_writer *writer, throng_error *error) {
    char reason[300];
    throng_sqlite_reason(writer->database, reason, sizeof reason);
    return throng_refuse_write(error, writer->output.target.path, reason);
}

static bool execute(sqlite_writer *writer, const char *sql, throng_error *error) {
    return sqlite3_exec(writer->database, sql, NULL, NULL, NULL) == SQLITE_OK || refuse(writer, error);
}

static bool prepare(sqlite_writer *writer, enum statement which, const char *sql, throng_error *error) {
    return writer->statements[which] ||
           sqlite3_prepare_v3(writer->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &writer->statements[which], NULL) ==
               SQLITE_OK ||
           refuse(writer, error);
}

/* Runs a statement that gives no rows, after its values are bound. */
static bool run(sqlite_writer *writer, enum statement which, throng_error *error) {
    sqlite3_stmt *statement = writer->statements[which];
    bool done = sqlite3_step(statement) == SQLITE_DONE || refuse(writer, error);
    sqlite3_reset(statement);
    return done;
}

/* The same with these values: for each letter a whole number (i, int64_t), a number (d) or a text (t). */
static bool put(sqlite_writer *writer, enum statement which, throng_error *error, const char *kinds, ...) {
    sqlite3_stmt *statement = writer->statements[which];
    va_list values;
    va_start(values, kinds);
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i] == 'i')
            sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        else if (kinds[i] == 'd')
            sqlite3_bind_double(statement, i + 1, va_arg(values, double));
        else
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
    }
    va_end(values);
    return run(writer, which, error);
}

/* ------------------------------------------------------------------ keys and geometry */

static bool set_text(sqlite_writer *writer, const char *key, const char *value, throng_error *error) {
    return put(writer, SET_KEY, error, "tt", key, value);
}

static bool set_number(sqlite_writer *writer, const char *key, double value, throng_error *error) {
    char text[THRONG_DECIMAL_SIZE];
    throng_decimal_text(value, text);
    return set_text(writer, key, text, error);
}

static bool set_whole(sqlite_writer *writer, const char *key, uint64_t value, throng_error *error) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return set_text(writer, key, text, error);
}

/* The area as it is known now, and its bounds. */
static bool write_geometry(sqlite_writer *writer, throng_error *error) {
    throng_output *output = &writer->output;
    throng_output_wkt(output, 0);
    writer->bounds = throng_box_join(writer->bounds, throng_record_geometry_bounds(output->geometry, output->reach));
    throng_box bounds = writer->bounds;
    return put(writer, SET_GEOMETRY, error, "ti", output->wkt, writer->geometry_hash) &&
           set_number(writer, "xmin", bounds.low.x, error) && set_number(writer, "xmax", bounds.high.x, error) &&
           set_number(writer, "ymin", bounds.low.y, error) && set_number(writer, "ymax", bounds.high.y, error);
}

/* How many rows there are and where, so that our own reader need not look at all of them. */
static bool write_summary(sqlite_writer *writer, throng_error *error) {
    if (!set_whole(writer, "x_rows", writer->row_count, error)) return false;
    if (throng_box_is_empty(writer->extent)) return true;
    const double corners[] = {writer->extent.low.x, writer->extent.low.y, writer->extent.high.x, writer->extent.high.y};
    char text[4 * THRONG_DECIMAL_SIZE + 4] = "";
    for (int i = 0; i < 4; i++) {
        if (i) strcat(text, " ");
        throng_decimal_text(corners[i], text + strlen(text));
    }
    return set_text(writer, "x_extent", text, error);
}

/* A ground with its thin walls and marks. One that was there before keeps its row. */
static bool add_ground(sqlite_writer *writer, throng_error *error) {
    throng_output *output = &writer->output;
    throng_output_wkt(output, 0);
    writer->geometry_hash = throng_record_geometry_hash(output->geometry, output->wkt);
    if (!put(writer, ADD_GEOMETRY, error, "it", writer->geometry_hash, output->wkt)) return false;
    if (sqlite3_changes(writer->database) == 0) return write_geometry(writer, error);
    bool done = write_geometry(writer, error);
    throng_line_reader lines = throng_lines_in(output->geometry->walls);
    while (done && throng_next_line(&lines)) {
        char *wall = throng_span_copy(lines.line);
        done = put(writer, ADD_WALL, error, "ti", wall, writer->geometry_hash);
        throng_release(wall);
    }
    if (throng_marks_say_open(output->geometry->marks))
        done = done && put(writer, ADD_MARK, error, "ttidti", "open", "", (int64_t)0, 0.0, "", writer->geometry_hash);
    for (lines = throng_lines_in(output->geometry->marks); done && throng_next_line(&lines);) {
        throng_mark_line mark;
        if (!throng_mark_line_read(lines.line.at, &mark)) continue;
        done = put(writer, ADD_MARK, error, "ttidti", mark.kind, mark.name, (int64_t)mark.closed, mark.radius, mark.wkt,
                   writer->geometry_hash);
        throng_mark_line_release(&mark);
    }
    return done;
}

/* ------------------------------------------------------------------ creating */

/* "INSERT INTO table VALUES(?,?,...)" of so many values in so many rows, which share the first when there are more. */
static bool prepare_insert(sqlite_writer *writer, enum statement which, const char *into, size_t values, int rows,
                           throng_error *error) {
    throng_string sql = {0};
    throng_string_print(&sql, "INSERT %s VALUES", into);
    for (int row = 0; row < rows; row++) {
        throng_string_add(&sql, row ? ",(?1" : "(?1");
        for (size_t i = 1; i < values; i++) throng_string_add(&sql, ",?");
        throng_string_add(&sql, ")");
    }
    bool done = prepare(writer, which, sql.text, error);
    throng_release(sql.text);
    return done;
}

static bool is_third(const sqlite_writer *writer) { return writer->output.head.sqlite_version == 3; }

static bool prepare_statements(sqlite_writer *writer, throng_error *error) {
    static const struct {
        enum statement which;
        const char *into;
        size_t values;
    } plain[] = {{ADD_FRAME, "INTO frame_data", 2},
                 {ADD_AGENT, "OR IGNORE INTO x_agents", 6},
                 {ADD_NAME, "OR IGNORE INTO x_names", 2},
                 {ADD_GEOMETRY, "OR IGNORE INTO geometry", 2},
                 {ADD_WALL, "INTO x_walls", 2},
                 {ADD_MARK, "INTO x_marks", 6},
                 {SET_KEY, "OR REPLACE INTO metadata", 2},
                 {ADD_WALL_FORCE, "INTO x_wall_forces", 6},
                 {ADD_QUANTITY, "INTO x_quantities", 3}};
    const throng_record_head *head = &writer->output.head;
    size_t values = is_third(writer) ? 4 : 6;
    bool done = prepare_insert(writer, ADD_ROWS, "INTO trajectory_data", values, batch, error) &&
                prepare_insert(writer, ADD_ROW, "INTO trajectory_data", values, 1, error) &&
                prepare(writer, SET_GEOMETRY, "UPDATE geometry SET wkt = ?1 WHERE hash = ?2", error);
    for (size_t i = 0; done && i < sizeof plain / sizeof *plain; i++) {
        bool wanted = plain[i].which == ADD_WALL_FORCE ? head->wall_forces
                      : plain[i].which == ADD_QUANTITY ? head->quantity_count > 0
                                                       : true;
        done = !wanted || prepare_insert(writer, plain[i].which, plain[i].into, plain[i].values, 1, error);
    }
    return done && (head->quantity_count == 0 ||
                    prepare_insert(writer, ADD_VALUES, "INTO x_values", 2 + head->quantity_count, 1, error));
}

static bool disconnect(sqlite_writer *writer) {
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        sqlite3_finalize(writer->statements[i]);
        writer->statements[i] = NULL;
    }
    bool closed = sqlite3_close(writer->database) == SQLITE_OK;
    writer->database = NULL;
    return closed;
}

static bool connect(sqlite_writer *writer, const char *path, throng_error *error) {
    if (throng_sqlite_connect(path, SQLITE_OPEN_READWRITE, "", &writer->database) != SQLITE_OK)
        return refuse(writer, error);
    return sqlite3_busy_timeout(writer->database, 10000) == SQLITE_OK || refuse(writer, error);
}

/* A table with a column for each quantity, and one that says what they are. */
static bool make_values(sqlite_writer *writer, throng_error *error) {
    const throng_record_head *head = &writer->output.head;
    if (head->quantity_count == 0) return true;
    throng_string table = {0};
    throng_string_add(&table,
                      "CREATE TABLE x_quantities(name TEXT PRIMARY KEY, unit TEXT NOT NULL, help TEXT NOT NULL);"
                      "CREATE TABLE x_values(frame INTEGER NOT NULL, id INTEGER NOT NULL");
    for (size_t i = 0; i < head->quantity_count; i++) {
        char *column = sqlite3_mprintf(", \"%w\" REAL", head->quantities[i].name);
        throng_string_add(&table, column);
        sqlite3_free(column);
    }
    throng_string_add(&table, "); CREATE INDEX x_values_idx ON x_values(frame, id);");
    bool done = execute(writer, table.text, error);
    throng_release(table.text);
    return done;
}

static bool describe_values(sqlite_writer *writer, throng_error *error) {
    const throng_record_head *head = &writer->output.head;
    bool done = true;
    for (size_t i = 0; done && i < head->quantity_count; i++)
        done = put(writer, ADD_QUANTITY, error, "ttt", head->quantities[i].name, head->quantities[i].unit,
                   head->quantities[i].help);
    return done;
}

/* Everything but the frames, into the file in the making. */
static bool write_head(sqlite_writer *writer, throng_error *error) {
    const throng_record_head *head = &writer->output.head;
    if (!connect(writer, writer->output.target.part, error)) return false;
    char tool[60];
    snprintf(tool, sizeof tool, "throng %s", throng_version());
    bool done = execute(writer, "PRAGMA synchronous=OFF; BEGIN", error) &&
                execute(writer, rows_schema[is_third(writer)], error) && execute(writer, schema, error) &&
                (!head->wall_forces || execute(writer, wall_forces_schema, error)) && make_values(writer, error) &&
                prepare_statements(writer, error) && describe_values(writer, error) &&
                set_whole(writer, "version", is_third(writer) ? 3 : 2, error) &&
                set_number(writer, "fps", head->fps, error) && set_text(writer, "x_tool", tool, error) &&
                set_text(writer, "x_description", head->description ? head->description : "", error) &&
                set_whole(writer, "x_seed", head->seed, error) && set_number(writer, "x_dt", head->dt, error) &&
                set_text(writer, "x_status", "running", error) && add_ground(writer, error) &&
                write_summary(writer, error) && execute(writer, "COMMIT", error);
    return disconnect(writer) && done;
}

/* What a killed run left beside a file of this name would be taken for part of the new one. */
static void clear_beside(const char *path) {
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        throng_string name = {0};
        throng_string_print(&name, "%s%s", path, endings[i]);
        unlink(name.text);
        throng_release(name.text);
    }
}

static void destroy(sqlite_writer *writer) {
    disconnect(writer);
    throng_output_close(&writer->output, false, NULL);
    throng_release(writer);
}

/* Where the disk does not bear a write-ahead log, SQLite stays with its rollback journal: slower to
 * share with readers, as safe. The log is folded into the file every 32 MB; at SQLite's own 4 MB the
 * waits for the disk halve the speed. */
static bool start_log(sqlite_writer *writer, throng_error *error) {
    static const char settings[] =
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000; PRAGMA wal_autocheckpoint=8000";
    return connect(writer, writer->output.target.path, error) && execute(writer, settings, error) &&
           prepare_statements(writer, error);
}

static void *create(const throng_record_head *head, throng_error *error) {
    sqlite_writer *writer = throng_allocate(sizeof *writer);
    writer->extent = throng_box_empty();
    writer->bounds = throng_box_empty();
    if (!throng_output_create(&writer->output, head, error) || !write_head(writer, error)) {
        destroy(writer);
        return NULL;
    }
    clear_beside(head->path);
    if (throng_target_replace(&writer->output.target, error)) {
        if (start_log(writer, error)) return writer;
        disconnect(writer);
        unlink(head->path);
        clear_beside(head->path);
    }
    destroy(writer);
    return NULL;
}

/* ------------------------------------------------------------------ frames */

static void bind_row(sqlite3_stmt *statement, int first, const throng_record_frame *frame, size_t row, bool third) {
    sqlite3_bind_int64(statement, first, (sqlite3_int64)frame->id[row]);
    sqlite3_bind_double(statement, first + 1, frame->x[row]);
    sqlite3_bind_double(statement, first + 2, frame->y[row]);
    if (third) return;
    sqlite3_bind_double(statement, first + 3, frame->ori_x[row]);
    sqlite3_bind_double(statement, first + 4, frame->ori_y[row]);
}

static bool write_rows(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    sqlite3_stmt **statements = writer->statements;
    sqlite3_bind_int64(statements[ADD_ROWS], 1, (sqlite3_int64)frame->number);
    sqlite3_bind_int64(statements[ADD_ROW], 1, (sqlite3_int64)frame->number);
    size_t row = 0;
    bool third = is_third(writer);
    int values = third ? 3 : 5; /* besides the frame */
    for (; row + batch <= frame->count; row += batch) {
        for (int k = 0; k < batch; k++) bind_row(statements[ADD_ROWS], 2 + k * values, frame, row + (size_t)k, third);
        if (!run(writer, ADD_ROWS, error)) return false;
    }
    for (; row < frame->count; row++) {
        bind_row(statements[ADD_ROW], 2, frame, row, third);
        if (!run(writer, ADD_ROW, error)) return false;
    }
    writer->row_count += frame->count;
    return true;
}

static bool write_newcomers(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    bool done = true;
    for (size_t i = 0; done && i < frame->newcomer_count; i++) {
        const throng_recording_agent *agent = &frame->newcomers[i];
        done = put(writer, ADD_AGENT, error, "idddtt", (int64_t)agent->id, agent->radius, agent->desired_speed,
                   agent->mass, agent->group, agent->model) &&
               (!*agent->name || put(writer, ADD_NAME, error, "it", (int64_t)agent->id, agent->name));
    }
    return done;
}

/* Of those of whom anything is known; what is not is NULL. */
static bool write_values(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    size_t quantity_count = writer->output.head.quantity_count;
    for (size_t i = 0; i < frame->count && quantity_count; i++) {
        sqlite3_stmt *add = writer->statements[ADD_VALUES];
        bool known = false;
        for (size_t k = 0; k < quantity_count; k++) {
            known |= !isnan(frame->values[k][i]);
            sqlite3_bind_double(add, 3 + (int)k, frame->values[k][i]);
        }
        sqlite3_bind_int64(add, 1, (sqlite3_int64)frame->number);
        sqlite3_bind_int64(add, 2, (sqlite3_int64)frame->id[i]);
        if (known && !run(writer, ADD_VALUES, error)) return false;
    }
    return true;
}

static bool write_wall_forces(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    bool done = true;
    for (size_t w = 0; done && w < frame->wall_count; w++) {
        const throng_wall_load *load = &frame->walls[w];
        done = put(writer, ADD_WALL_FORCE, error, "iddddd", (int64_t)frame->number, load->from.x, load->from.y,
                   load->to.x, load->to.y, load->force);
    }
    return done;
}

static bool write_objects(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    if (frame->object_count == 0) return true;
    bool done = (frame->part_count == 0 || execute(writer, objects_schema, error)) &&
                prepare_insert(writer, ADD_OBJECT, "INTO x_objects", 9, 1, error) &&
                prepare_insert(writer, ADD_PART, "OR IGNORE INTO x_object_parts", 16, 1, error);
    for (size_t i = 0; done && i < frame->part_count; i++) {
        const double *v = frame->parts[i].numbers;
        done = put(writer, ADD_PART, error, "iitdddddddddddit", (int64_t)v[0], (int64_t)v[1],
                   v[2] != 0 ? "ball" : "box", v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[4],
                   (int64_t)v[3], frame->parts[i].name);
    }
    for (size_t i = 0; done && i < frame->object_count; i++) {
        const double *v = frame->objects[i];
        done = put(writer, ADD_OBJECT, error, "iiddddddd", (int64_t)frame->number, (int64_t)v[0], v[1], v[2], v[3],
                   v[4], v[5], v[6], v[7]);
    }
    return done;
}

static bool write_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    sqlite_writer *writer = file;
    if (!writer->pending && !execute(writer, "BEGIN", error)) return false;
    writer->pending = true;
    throng_output_reach(&writer->output, frame);
    writer->extent = throng_box_join(writer->extent, frame->extent);
    return put(writer, ADD_FRAME, error, "ii", (int64_t)frame->number, writer->geometry_hash) &&
           write_newcomers(writer, frame, error) && write_rows(writer, frame, error) &&
           write_values(writer, frame, error) && write_wall_forces(writer, frame, error) &&
           write_objects(writer, frame, error);
}

static bool flush(void *file, throng_error *error) {
    sqlite_writer *writer = file;
    if (!writer->pending) return true;
    if (writer->output.grown && !write_geometry(writer, error)) return false;
    if (!write_summary(writer, error) || !execute(writer, "COMMIT", error)) return false;
    writer->pending = false;
    /* When this fails nothing is lost; a full disk is reported by the next commit. */
    if (writer->row_count - writer->committed_rows < quiet_rows) sqlite3_wal_checkpoint(writer->database, NULL);
    writer->committed_rows = writer->row_count;
    return true;
}

static bool change_ground(void *file, const throng_record_geometry *geometry, uint64_t frame, throng_error *error) {
    (void)frame;
    sqlite_writer *writer = file;
    if (!flush(writer, error)) return false;
    throng_output_change_ground(&writer->output, geometry);
    writer->pending = true;
    return execute(writer, "BEGIN", error) && add_ground(writer, error);
}

/* Folds the log into the file, so that it stands alone and opens on a disk that cannot be written. A
 * reader that has the file open just now keeps us from it; nothing is lost then. */
static bool end_log(sqlite_writer *writer, throng_error *error) {
    sqlite3_busy_timeout(writer->database, 1000);
    int result = sqlite3_exec(writer->database, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL) & 0xFF;
    return result == SQLITE_OK || result == SQLITE_BUSY || result == SQLITE_LOCKED || refuse(writer, error);
}

static bool close_file(void *file, throng_record_end end, throng_error *error) {
    sqlite_writer *writer = file;
    bool done = end != THRONG_FAILED;
    const char *status = end == THRONG_INTERRUPTED ? "interrupted" : "complete";
    if (!done) {
        if (!sqlite3_get_autocommit(writer->database)) execute(writer, "ROLLBACK", NULL);
        end_log(writer, NULL);
    } else {
        done = flush(writer, error) && set_text(writer, "x_status", status, error) && end_log(writer, error);
    }
    destroy(writer);
    return done;
}

const throng_record_writer throng_sqlite_writer = {.create = create,
                                                   .frame = write_frame,
                                                   .flush = flush,
                                                   .close = close_file,
                                                   .change_ground = change_ground,
                                                   .clear_beside = clear_beside};
