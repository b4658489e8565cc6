/* sqlite_write.c: recordings as JuPedSim's trajectory database, version 2, read by PedPy, JuPedSim
 * and its visualiser. What is ours besides stands in tables and keys that begin with x_, which
 * those readers pass over.
 *
 * While a run goes on, the database keeps a write-ahead log: what a killed process had committed is
 * there for the next reader, and readers need not wait. A clean close folds the log back into the
 * one file. The index is kept from the start: on 5 million rows that took 0.85 us a row, and 1.05 with
 * the index made at the end; and a killed recording has it as well. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/record.h"
#include "record/sqlite_file.h"

/* Rows per INSERT: half the cost of one by one; more brings no more. */
enum { batch = 50 };

/* So few rows between two flushes leave time to fold the log into the file at each of them, so that
 * the file alone, without its log, is nearly up to date. */
enum { quiet_rows = 50000 };

typedef struct sqlite_writer {
    throng_target target;
    int version; /* of JuPedSim's format */
    sqlite3 *database;
    sqlite3_stmt *add_rows, *add_row, *add_frame, *add_agent, *add_name, *set_geometry, *set_key;
    sqlite3_stmt *add_values, *add_wall_force; /* NULL: there are none to record */
    const throng_quantity *quantities;
    size_t quantity_count;
    bool wall_forces;
    const throng_record_geometry *geometry;
    char *wkt; /* room for it */
    sqlite3_int64 geometry_hash;
    throng_box bounds; /* of all grounds so far */
    throng_box reach;  /* of everything so far */
    throng_box extent; /* of all positions so far */
    bool grown;        /* the geometry in the file is too small */
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

static const char wall_forces_schema[] =
    "CREATE TABLE x_wall_forces(frame INTEGER NOT NULL, x1 REAL, y1 REAL, x2 REAL, y2 REAL, force REAL);"
    "CREATE INDEX x_wall_forces_idx ON x_wall_forces(frame);";

static bool refuse(sqlite_writer *writer, throng_error *error) {
    char reason[300];
    throng_sqlite_reason(writer->database, reason, sizeof reason);
    return throng_refuse_write(error, writer->target.path, reason);
}

static bool execute(sqlite_writer *writer, const char *sql, throng_error *error) {
    return sqlite3_exec(writer->database, sql, NULL, NULL, NULL) == SQLITE_OK || refuse(writer, error);
}

static bool prepare(sqlite_writer *writer, const char *sql, sqlite3_stmt **statement, throng_error *error) {
    return sqlite3_prepare_v3(writer->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK ||
           refuse(writer, error);
}

/* Runs a statement that gives no rows, after its values are bound. */
static bool run(sqlite_writer *writer, sqlite3_stmt *statement, throng_error *error) {
    bool done = sqlite3_step(statement) == SQLITE_DONE || refuse(writer, error);
    sqlite3_reset(statement);
    return done;
}

/* ------------------------------------------------------------------ keys and geometry */

static bool set_text(sqlite_writer *writer, const char *key, const char *value, throng_error *error) {
    sqlite3_bind_text(writer->set_key, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(writer->set_key, 2, value, -1, SQLITE_TRANSIENT);
    return run(writer, writer->set_key, error);
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
    throng_record_geometry_wkt(writer->geometry, writer->reach, 0, writer->wkt);
    writer->bounds = throng_box_join(writer->bounds, throng_record_geometry_bounds(writer->geometry, writer->reach));
    throng_box bounds = writer->bounds;
    sqlite3_bind_text(writer->set_geometry, 1, writer->wkt, -1, SQLITE_STATIC);
    sqlite3_bind_int64(writer->set_geometry, 2, writer->geometry_hash);
    writer->grown = false;
    return run(writer, writer->set_geometry, error) && set_number(writer, "xmin", bounds.low.x, error) &&
           set_number(writer, "xmax", bounds.high.x, error) && set_number(writer, "ymin", bounds.low.y, error) &&
           set_number(writer, "ymax", bounds.high.y, error);
}

/* How many rows there are and where, so that our own reader need not look at all of them. */
static bool write_summary(sqlite_writer *writer, throng_error *error) {
    if (!set_whole(writer, "x_rows", writer->row_count, error)) return false;
    if (throng_box_is_empty(writer->extent)) return true;
    const double corners[] = {writer->extent.low.x, writer->extent.low.y, writer->extent.high.x, writer->extent.high.y};
    char text[4 * THRONG_DECIMAL_SIZE + 4] = "";
    for (int i = 0; i < 4; i++) {
        char number[THRONG_DECIMAL_SIZE];
        throng_decimal_text(corners[i], number);
        if (i) strcat(text, " ");
        strcat(text, number);
    }
    return set_text(writer, "x_extent", text, error);
}

/* ------------------------------------------------------------------ creating */

static bool prepare_statements(sqlite_writer *writer, throng_error *error) {
    throng_string row = {0}, rows = {0};
    const char *values = writer->version == 3 ? "(?1,?,?,?)" : "(?1,?,?,?,?,?)";
    throng_string_add(&row, "INSERT INTO trajectory_data VALUES");
    throng_string_add(&rows, row.text);
    throng_string_add(&row, values);
    for (int i = 0; i < batch; i++) {
        if (i) throng_string_add(&rows, ",");
        throng_string_add(&rows, values);
    }
    bool done = prepare(writer, rows.text, &writer->add_rows, error) &&
                prepare(writer, row.text, &writer->add_row, error) &&
                prepare(writer, "INSERT INTO frame_data VALUES(?,?)", &writer->add_frame, error) &&
                prepare(writer, "INSERT OR IGNORE INTO x_agents VALUES(?,?,?,?,?,?)", &writer->add_agent, error) &&
                prepare(writer, "INSERT OR IGNORE INTO x_names VALUES(?,?)", &writer->add_name, error) &&
                prepare(writer, "UPDATE geometry SET wkt = ?1 WHERE hash = ?2", &writer->set_geometry, error) &&
                prepare(writer, "INSERT OR REPLACE INTO metadata VALUES(?,?)", &writer->set_key, error);
    throng_release(row.text);
    throng_release(rows.text);
    throng_string values_sql = {0};
    throng_string_add(&values_sql, "INSERT INTO x_values VALUES(?,?");
    for (size_t i = 0; i < writer->quantity_count; i++) throng_string_add(&values_sql, ",?");
    throng_string_add(&values_sql, ")");
    if (done && writer->quantity_count) done = prepare(writer, values_sql.text, &writer->add_values, error);
    throng_release(values_sql.text);
    if (!done || !writer->wall_forces) return done;
    return prepare(writer, "INSERT INTO x_wall_forces VALUES(?,?,?,?,?,?)", &writer->add_wall_force, error);
}

static bool disconnect(sqlite_writer *writer) {
    sqlite3_stmt **statements[] = {&writer->add_rows,  &writer->add_row,    &writer->add_frame,
                                   &writer->add_agent, &writer->add_name,   &writer->set_geometry,
                                   &writer->set_key,   &writer->add_values, &writer->add_wall_force};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        sqlite3_finalize(*statements[i]);
        *statements[i] = NULL;
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

static bool write_walls(sqlite_writer *writer, throng_error *error) {
    sqlite3_stmt *add;
    if (!prepare(writer, "INSERT INTO x_walls VALUES(?1, ?2)", &add, error)) return false;
    bool done = true;
    for (size_t i = 0; done && i < writer->geometry->wall_count; i++) {
        sqlite3_bind_text(add, 1, writer->geometry->walls[i], -1, SQLITE_STATIC);
        sqlite3_bind_int64(add, 2, writer->geometry_hash);
        done = run(writer, add, error);
    }
    sqlite3_finalize(add);
    return done;
}

static bool write_mark(sqlite_writer *writer, sqlite3_stmt *add, const throng_mark_line *mark, throng_error *error) {
    sqlite3_bind_text(add, 1, mark->kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(add, 2, mark->name ? mark->name : "", -1, SQLITE_STATIC);
    sqlite3_bind_int(add, 3, mark->closed);
    sqlite3_bind_double(add, 4, mark->radius);
    sqlite3_bind_text(add, 5, mark->wkt ? mark->wkt : "", -1, SQLITE_STATIC);
    sqlite3_bind_int64(add, 6, writer->geometry_hash);
    return run(writer, add, error);
}

static bool write_marks(sqlite_writer *writer, throng_error *error) {
    sqlite3_stmt *add;
    const char *marks = writer->geometry->marks ? writer->geometry->marks : "";
    if (!prepare(writer, "INSERT INTO x_marks VALUES(?,?,?,?,?,?)", &add, error)) return false;
    throng_mark_line mark = {.kind = "open"};
    bool done = !throng_marks_say_open(marks) || write_mark(writer, add, &mark, error);
    for (const char *line = marks; done && *line; line += strcspn(line, "\n"), line += *line != 0) {
        if (!throng_mark_line_read(line, &mark)) continue;
        done = write_mark(writer, add, &mark, error);
        throng_mark_line_release(&mark);
    }
    sqlite3_finalize(add);
    return done;
}

/* A table with a column for each quantity, and one that says what they are. */
static bool make_values(sqlite_writer *writer, throng_error *error) {
    if (writer->quantity_count == 0) return true;
    sqlite3_stmt *add = NULL;
    throng_string table = {0};
    throng_string_add(&table,
                      "CREATE TABLE x_quantities(name TEXT PRIMARY KEY, unit TEXT NOT NULL, help TEXT NOT NULL);"
                      "CREATE TABLE x_values(frame INTEGER NOT NULL, id INTEGER NOT NULL");
    for (size_t i = 0; i < writer->quantity_count; i++) {
        char *column = sqlite3_mprintf(", \"%w\" REAL", writer->quantities[i].name);
        throng_string_add(&table, column);
        sqlite3_free(column);
    }
    throng_string_add(&table, "); CREATE INDEX x_values_idx ON x_values(frame, id);");
    bool done =
        execute(writer, table.text, error) && prepare(writer, "INSERT INTO x_quantities VALUES(?,?,?)", &add, error);
    throng_release(table.text);
    for (size_t i = 0; done && i < writer->quantity_count; i++) {
        const throng_quantity *q = &writer->quantities[i];
        const char *const texts[] = {q->name, q->unit, q->help};
        for (int k = 0; k < 3; k++) sqlite3_bind_text(add, k + 1, texts[k], -1, SQLITE_STATIC);
        done = run(writer, add, error);
    }
    sqlite3_finalize(add);
    return done;
}

/* Everything but the frames, into the file in the making. */
static bool write_head(sqlite_writer *writer, const throng_record_head *head, throng_error *error) {
    if (!connect(writer, writer->target.part, error)) return false;
    char first[80], tool[60];
    throng_record_geometry_wkt(writer->geometry, writer->reach, 0, writer->wkt);
    writer->geometry_hash = throng_record_geometry_hash(writer->geometry, writer->wkt);
    snprintf(first, sizeof first, "INSERT INTO geometry VALUES(%lld, '')", (long long)writer->geometry_hash);
    snprintf(tool, sizeof tool, "throng %s", throng_version());
    bool done = execute(writer, "PRAGMA synchronous=OFF; BEGIN", error) &&
                execute(writer, rows_schema[writer->version == 3], error) && execute(writer, schema, error) &&
                (!writer->wall_forces || execute(writer, wall_forces_schema, error)) && make_values(writer, error) &&
                execute(writer, first, error) && prepare_statements(writer, error) &&
                set_whole(writer, "version", (uint64_t)writer->version, error) &&
                set_number(writer, "fps", head->fps, error) && set_text(writer, "x_tool", tool, error) &&
                set_text(writer, "x_description", head->description ? head->description : "", error) &&
                set_whole(writer, "x_seed", head->seed, error) && set_number(writer, "x_dt", head->dt, error) &&
                set_text(writer, "x_status", "running", error) && write_geometry(writer, error) &&
                write_walls(writer, error) && write_marks(writer, error) && write_summary(writer, error) &&
                execute(writer, "COMMIT", error);
    return disconnect(writer) && done;
}

/* What a killed run left beside a file of this name would be taken for part of the new one. */
void throng_sqlite_clear_beside(const char *path) {
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        throng_string name = {0};
        throng_string_add(&name, path);
        throng_string_add(&name, endings[i]);
        unlink(name.text);
        throng_release(name.text);
    }
}

static void destroy(sqlite_writer *writer) {
    disconnect(writer);
    throng_target_release(&writer->target);
    throng_release(writer->wkt);
    throng_release(writer);
}

/* Where the disk does not bear a write-ahead log, SQLite stays with its rollback journal: slower to
 * share with readers, as safe. The log is folded into the file every 32 MB; at SQLite's own 4 MB the
 * waits for the disk halve the speed. */
static bool start_log(sqlite_writer *writer, throng_error *error) {
    static const char settings[] =
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000; PRAGMA wal_autocheckpoint=8000";
    return connect(writer, writer->target.path, error) && execute(writer, settings, error) &&
           prepare_statements(writer, error);
}

void *throng_sqlite_create(const throng_record_head *head, throng_error *error) {
    sqlite_writer *writer = throng_allocate(sizeof *writer);
    writer->version = head->sqlite_version == 3 ? 3 : 2;
    writer->quantities = head->quantities;
    writer->quantity_count = head->quantity_count;
    writer->wall_forces = head->wall_forces;
    writer->geometry = head->geometry;
    writer->reach = head->reach;
    writer->extent = throng_box_empty();
    writer->bounds = throng_box_empty();
    writer->wkt = throng_allocate(throng_record_geometry_wkt_size(head->geometry));
    int file = throng_target_create(&writer->target, head->path, error);
    if (file >= 0) close(file);
    if (file < 0 || !write_head(writer, head, error)) {
        destroy(writer);
        return NULL;
    }
    throng_sqlite_clear_beside(head->path);
    if (throng_target_replace(&writer->target, error)) {
        if (start_log(writer, error)) return writer;
        disconnect(writer);
        unlink(head->path);
        throng_sqlite_clear_beside(head->path);
    }
    destroy(writer);
    return NULL;
}

/* ------------------------------------------------------------------ frames */

static void bind_row(sqlite3_stmt *statement, int first, const throng_record_frame *frame, size_t row, int version) {
    sqlite3_bind_int64(statement, first, (sqlite3_int64)frame->id[row]);
    sqlite3_bind_double(statement, first + 1, frame->x[row]);
    sqlite3_bind_double(statement, first + 2, frame->y[row]);
    if (version == 3) return;
    sqlite3_bind_double(statement, first + 3, frame->ori_x[row]);
    sqlite3_bind_double(statement, first + 4, frame->ori_y[row]);
}

static bool write_rows(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    sqlite3_bind_int64(writer->add_rows, 1, (sqlite3_int64)frame->number);
    sqlite3_bind_int64(writer->add_row, 1, (sqlite3_int64)frame->number);
    size_t row = 0;
    int values = writer->version == 3 ? 3 : 5; /* besides the frame */
    for (; row + batch <= frame->count; row += batch) {
        for (int k = 0; k < batch; k++)
            bind_row(writer->add_rows, 2 + k * values, frame, row + (size_t)k, writer->version);
        if (!run(writer, writer->add_rows, error)) return false;
    }
    for (; row < frame->count; row++) {
        bind_row(writer->add_row, 2, frame, row, writer->version);
        if (!run(writer, writer->add_row, error)) return false;
    }
    writer->row_count += frame->count;
    return true;
}

static bool write_newcomers(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    for (size_t i = 0; i < frame->newcomer_count; i++) {
        const throng_recording_agent *agent = &frame->newcomers[i];
        sqlite3_bind_int64(writer->add_agent, 1, (sqlite3_int64)agent->id);
        sqlite3_bind_double(writer->add_agent, 2, agent->radius);
        sqlite3_bind_double(writer->add_agent, 3, agent->desired_speed);
        sqlite3_bind_double(writer->add_agent, 4, agent->mass);
        sqlite3_bind_text(writer->add_agent, 5, agent->group, -1, SQLITE_STATIC);
        sqlite3_bind_text(writer->add_agent, 6, agent->model, -1, SQLITE_STATIC);
        if (!run(writer, writer->add_agent, error)) return false;
        if (!*agent->name) continue;
        sqlite3_bind_int64(writer->add_name, 1, (sqlite3_int64)agent->id);
        sqlite3_bind_text(writer->add_name, 2, agent->name, -1, SQLITE_STATIC);
        if (!run(writer, writer->add_name, error)) return false;
    }
    return true;
}

/* Of those of whom anything is known; what is not is NULL. */
static bool write_values(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    for (size_t i = 0; i < frame->count && writer->quantity_count; i++) {
        bool known = false;
        for (size_t k = 0; k < writer->quantity_count; k++) {
            known |= !isnan(frame->values[k][i]);
            sqlite3_bind_double(writer->add_values, 3 + (int)k, frame->values[k][i]);
        }
        sqlite3_bind_int64(writer->add_values, 1, (sqlite3_int64)frame->number);
        sqlite3_bind_int64(writer->add_values, 2, (sqlite3_int64)frame->id[i]);
        if (known && !run(writer, writer->add_values, error)) return false;
    }
    return true;
}

static bool write_wall_forces(sqlite_writer *writer, const throng_record_frame *frame, throng_error *error) {
    for (size_t w = 0; w < frame->wall_count; w++) {
        const throng_wall_load *load = &frame->walls[w];
        const double values[] = {load->from.x, load->from.y, load->to.x, load->to.y, load->force};
        sqlite3_bind_int64(writer->add_wall_force, 1, (sqlite3_int64)frame->number);
        for (int k = 0; k < 5; k++) sqlite3_bind_double(writer->add_wall_force, 2 + k, values[k]);
        if (!run(writer, writer->add_wall_force, error)) return false;
    }
    return true;
}

bool throng_sqlite_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    sqlite_writer *writer = file;
    if (!writer->pending && !execute(writer, "BEGIN", error)) return false;
    writer->pending = true;
    sqlite3_bind_int64(writer->add_frame, 1, (sqlite3_int64)frame->number);
    sqlite3_bind_int64(writer->add_frame, 2, writer->geometry_hash);
    if (!run(writer, writer->add_frame, error)) return false;
    if (!write_newcomers(writer, frame, error) || !write_rows(writer, frame, error)) return false;
    if (!write_values(writer, frame, error) || !write_wall_forces(writer, frame, error)) return false;
    if (!throng_sqlite_write_objects(writer->database, frame)) return refuse(writer, error);

    throng_box reach = throng_box_join(writer->reach, frame->reach);
    if (writer->geometry->open && memcmp(&reach, &writer->reach, sizeof reach) != 0) writer->grown = true;
    writer->reach = reach;
    writer->extent = throng_box_join(writer->extent, frame->extent);
    return true;
}

/* A ground that was there before keeps its row. */
static bool add_ground(sqlite_writer *writer, bool *known, throng_error *error) {
    sqlite3_stmt *add;
    if (!prepare(writer, "INSERT OR IGNORE INTO geometry VALUES(?1, ?2)", &add, error)) return false;
    sqlite3_bind_int64(add, 1, writer->geometry_hash);
    sqlite3_bind_text(add, 2, writer->wkt, -1, SQLITE_STATIC);
    bool done = run(writer, add, error);
    *known = sqlite3_changes(writer->database) == 0;
    sqlite3_finalize(add);
    return done;
}

bool throng_sqlite_change_ground(void *file, const throng_record_geometry *geometry, uint64_t frame,
                                 throng_error *error) {
    (void)frame;
    sqlite_writer *writer = file;
    if (!throng_sqlite_flush(writer, error)) return false;
    writer->geometry = geometry;
    throng_release(writer->wkt);
    writer->wkt = throng_allocate(throng_record_geometry_wkt_size(geometry));
    throng_record_geometry_wkt(geometry, writer->reach, 0, writer->wkt);
    writer->geometry_hash = throng_record_geometry_hash(geometry, writer->wkt);
    writer->pending = true;
    bool known;
    return execute(writer, "BEGIN", error) && add_ground(writer, &known, error) &&
           (known || (write_walls(writer, error) && write_marks(writer, error))) && write_geometry(writer, error);
}

bool throng_sqlite_flush(void *file, throng_error *error) {
    sqlite_writer *writer = file;
    if (!writer->pending) return true;
    if (writer->grown && !write_geometry(writer, error)) return false;
    if (!write_summary(writer, error) || !execute(writer, "COMMIT", error)) return false;
    writer->pending = false;
    /* When this fails nothing is lost; a full disk is reported by the next commit. */
    if (writer->row_count - writer->committed_rows < quiet_rows) sqlite3_wal_checkpoint(writer->database, NULL);
    writer->committed_rows = writer->row_count;
    return true;
}

/* Folds the log into the file, so that it stands alone and opens on a disk that cannot be written. A
 * reader that has the file open just now keeps us from it; nothing is lost then. */
static bool end_log(sqlite_writer *writer, throng_error *error) {
    sqlite3_busy_timeout(writer->database, 1000);
    int result = sqlite3_exec(writer->database, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL) & 0xFF;
    return result == SQLITE_OK || result == SQLITE_BUSY || result == SQLITE_LOCKED || refuse(writer, error);
}

bool throng_sqlite_close(void *file, throng_record_end end, throng_error *error) {
    sqlite_writer *writer = file;
    bool done = end != THRONG_FAILED;
    const char *status = end == THRONG_INTERRUPTED ? "interrupted" : "complete";
    if (!done) {
        if (!sqlite3_get_autocommit(writer->database)) execute(writer, "ROLLBACK", NULL);
        end_log(writer, NULL);
    } else {
        done =
            throng_sqlite_flush(writer, error) && set_text(writer, "x_status", status, error) && end_log(writer, error);
    }
    destroy(writer);
    return done;
}
