/* sqlite_read.c: reading JuPedSim trajectory databases, versions 1 to 3, ours or anybody's.
 *
 * A frame is found through the index on `frame`. A file without one is looked through once: when
 * its rows stand in order of frame, the row numbers at which frames begin do as well; when not, a
 * sorted copy is made in SQLite's temporary store. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "record/rows.h"
#include "record/sqlite_file.h"

typedef struct sqlite_reader {
    sqlite3 *database;
    sqlite3_stmt *rows; /* of one frame, by its number or by row numbers */
    struct {
        sqlite3_stmt *query; /* id and quantities of one frame; NULL: there are none */
        size_t first, count; /* which quantities */
        double missing;      /* what those have who are not listed */
    } values[3];
    bool indexed;
    throng_look look; /* at which row numbers frames begin, when not indexed */
} sqlite_reader;

static bool refuse(throng_recording *recording, throng_error *error) {
    sqlite_reader *reader = recording->file;
    char reason[300];
    throng_sqlite_reason(reader->database, reason, sizeof reason);
    return throng_refuse_read(error, recording->path, reason);
}

/* ------------------------------------------------------------------ connecting */

int throng_sqlite_connect(const char *path, int flags, const char *options, sqlite3 **database) {
    /* A plain name may be taken for a URI where SQLite was built so; a URI never for anything else. */
    throng_string uri = {0};
    throng_string_add(&uri, path[0] == '/' ? "file://" : "file:./");
    for (const char *c = path; *c; c++)
        throng_string_print(&uri, strchr("%?#", *c) ? "%%%02X" : "%c", (unsigned char)*c);
    throng_string_print(&uri, "?%s", options);
    int result = sqlite3_open_v2(uri.text, database, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    throng_release(uri.text);
    if (result == SQLITE_OK) sqlite3_extended_result_codes(*database, 1);
    return result;
}

void throng_sqlite_reason(sqlite3 *database, char *text, size_t size) {
    int code = sqlite3_errcode(database) & 0xFF;
    int system = sqlite3_system_errno(database);
    if (code == SQLITE_FULL)
        snprintf(text, size, "no space left on the disk");
    else if (system && (code == SQLITE_CANTOPEN || code == SQLITE_IOERR))
        snprintf(text, size, "%s (%s)", strerror(system), sqlite3_errmsg(database));
    else
        snprintf(text, size, "%s", sqlite3_errmsg(database));
}

/* Whether a file with this ending stands beside the database and is not empty. */
static bool has_side_file(const char *path, const char *ending) {
    throng_string name = {0};
    throng_string_print(&name, "%s%s", path, ending);
    struct stat file;
    bool has = stat(name.text, &file) == 0 && file.st_size > 0;
    throng_release(name.text);
    return has;
}

static bool connect_as(sqlite_reader *reader, const char *path, int flags, const char *options) {
    sqlite3_close(reader->database);
    reader->database = NULL;
    if (throng_sqlite_connect(path, flags, options, &reader->database) != SQLITE_OK) return false;
    sqlite3_busy_timeout(reader->database, 5000);
    return sqlite3_exec(reader->database, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL) == SQLITE_OK;
}

/* Reading changes nothing, if possible. What a killed writer left behind may have to be cleared up
 * first, and a file that says it has a log, in a directory where none can be made, is taken as it is. */
static bool connect(throng_recording *recording, throng_error *error) {
    sqlite_reader *reader = recording->file;
    const char *path = recording->path;
    if (connect_as(reader, path, SQLITE_OPEN_READONLY, "")) return true;
    int code = sqlite3_errcode(reader->database) & 0xFF;
    if (code == SQLITE_NOTADB) return throng_refuse_read(error, path, "it is not an SQLite database");
    if (code != SQLITE_READONLY && code != SQLITE_CANTOPEN) return refuse(recording, error);
    if (connect_as(reader, path, SQLITE_OPEN_READWRITE, "")) return true;
    if (has_side_file(path, "-wal") || has_side_file(path, "-journal"))
        return throng_refuse_read(error, path,
                                  "its writer was stopped and the rest is in a -wal or -journal file beside it, which "
                                  "needs a directory that can be written; copy both files to one");
    return connect_as(reader, path, SQLITE_OPEN_READONLY, "&immutable=1") || refuse(recording, error);
}

/* ------------------------------------------------------------------ what the file says of itself */

static sqlite3_stmt *prepare(throng_recording *recording, const char *sql) {
    sqlite_reader *reader = recording->file;
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(reader->database, sql, -1, &statement, NULL);
    return statement;
}

/* A value of a row as text; "" for none. */
static const char *text_in(sqlite3_stmt *query, int column) {
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? text : "";
}

/* The first value of a query as text, to be released; NULL when there is none. */
static char *ask_text(throng_recording *recording, const char *sql) {
    sqlite3_stmt *query = prepare(recording, sql);
    char *text = NULL;
    if (query && sqlite3_step(query) == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
        text = throng_copy_text((const char *)sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    return text;
}

/* The first value of a query as a whole number; -1 when there is none. */
static sqlite3_int64 ask_whole(throng_recording *recording, const char *sql) {
    sqlite3_stmt *query = prepare(recording, sql);
    sqlite3_int64 value = -1;
    if (query && sqlite3_step(query) == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
        value = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return value;
}

static bool read_keys(throng_recording *recording, throng_error *error) {
    if (ask_whole(recording, "SELECT count(*) FROM sqlite_master WHERE name IN ('trajectory_data', 'metadata')") < 2)
        return throng_refuse_read(error, recording->path,
                                  "it has no tables 'trajectory_data' and 'metadata', as JuPedSim's recordings have");
    sqlite3_int64 version = ask_whole(recording, "SELECT value FROM metadata WHERE key = 'version'");
    if (version > 3)
        return throng_refuse(error, 0, 0,
                             "cannot read '%s': it has version %lld of JuPedSim's format; 1 to 3 are known",
                             recording->path, (long long)version);
    char *fps = ask_text(recording, "SELECT value FROM metadata WHERE key = 'fps'");
    if (!fps || !throng_number_read(fps, &recording->info.fps)) recording->info.fps = 0;
    bool good = recording->info.fps > 0 && isfinite(recording->info.fps);
    if (!good)
        throng_refuse(error, 0, 0, "cannot read '%s': expected a number above 0 as fps in metadata, found '%.40s'",
                      recording->path, fps ? fps : "nothing");
    throng_release(fps);
    return good;
}

/* Thin walls: files of before 0.2 have them for all grounds alike. Marks: as ground.c writes them. */
static const char walls_sql[] = "SELECT wkt FROM x_walls WHERE geometry_hash = ?1",
                  all_walls_sql[] = "SELECT wkt FROM x_walls",
                  marks_sql[] =
                      "SELECT CASE WHEN kind = 'open' THEN kind ELSE iif(closed, 'closed ', '') || kind ||"
                      " ' ' || wkt || ' ' || radius || ' ' || name END FROM x_marks WHERE geometry_hash = ?1";

/* What a query tells of a ground, a line each; to be released. */
static char *lines_of(throng_recording *recording, const char *sql, const char *otherwise, sqlite3_int64 hash) {
    throng_string all = {0};
    sqlite3_stmt *query = prepare(recording, sql);
    if (query) sqlite3_bind_int64(query, 1, hash);
    if (!query) query = prepare(recording, otherwise);
    while (query && sqlite3_step(query) == SQLITE_ROW) {
        const char *text = text_in(query, 0);
        if (*text) throng_string_print(&all, "%s\n", text);
    }
    sqlite3_finalize(query);
    return all.text ? all.text : throng_copy_text("");
}

/* All grounds, which are the area at different times. Version 1 has one without a hash. */
static void read_geometry(throng_recording *recording) {
    sqlite3_stmt *query = prepare(recording, "SELECT hash, wkt FROM geometry ORDER BY rowid");
    if (!query) query = prepare(recording, "SELECT 0, wkt FROM geometry");
    while (query && sqlite3_step(query) == SQLITE_ROW) {
        sqlite3_int64 hash = sqlite3_column_int64(query, 0);
        throng_recording_add_ground(recording,
                                    (throng_recorded_ground){throng_copy_text(text_in(query, 1)),
                                                             lines_of(recording, walls_sql, all_walls_sql, hash),
                                                             lines_of(recording, marks_sql, "", hash), hash});
    }
    sqlite3_finalize(query);
    query = recording->ground_count > 1
                ? prepare(recording, "SELECT frame, geometry_hash FROM frame_data ORDER BY frame")
                : NULL;
    while (query && sqlite3_step(query) == SQLITE_ROW) {
        sqlite3_int64 frame = sqlite3_column_int64(query, 0);
        if (frame >= 0) throng_recording_change_to(recording, (size_t)frame, sqlite3_column_int64(query, 1));
    }
    sqlite3_finalize(query);
    if (recording->ground_count) throng_recording_join_grounds(recording);
}

/* ------------------------------------------------------------------ rows */

typedef struct row {
    sqlite3_int64 frame, id;
    double x, y;
} row;

/* A row of a query that begins with frame, id, pos_x, pos_y. */
static bool take_row(throng_recording *recording, sqlite3_stmt *query, row *out, throng_error *error) {
    static const char *const names[] = {"frame", "id", "pos_x", "pos_y"};
    out->frame = sqlite3_column_int64(query, 0);
    out->id = sqlite3_column_int64(query, 1);
    out->x = sqlite3_column_double(query, 2);
    out->y = sqlite3_column_double(query, 3);
    for (int i = 0; i < 4; i++) {
        int type = sqlite3_column_type(query, i);
        bool good = i < 2 ? type == SQLITE_INTEGER && sqlite3_column_int64(query, i) >= 0
                          : (type == SQLITE_FLOAT || type == SQLITE_INTEGER) && isfinite(i == 2 ? out->x : out->y);
        if (good) continue;
        const char *found = (const char *)sqlite3_column_text(query, i);
        return throng_refuse(
            error, 0, 0,
            "cannot read '%s': expected a %s as %s in trajectory_data (frame %lld, id %lld), found '%.40s'",
            recording->path, i < 2 ? "whole number from 0" : "number", names[i], (long long)out->frame,
            (long long)out->id, found ? found : "nothing");
    }
    return true;
}

/* Looks at every row once: how many, who, where, and in what order. */
static bool scan(throng_recording *recording, const char *table, bool *ordered, throng_error *error) {
    sqlite_reader *reader = recording->file;
    char sql[120];
    snprintf(sql, sizeof sql, "SELECT frame, id, pos_x, pos_y, rowid FROM %s ORDER BY rowid", table);
    sqlite3_stmt *query = prepare(recording, sql);
    if (!query) return refuse(recording, error);
    bool good = true;
    int result;
    row r;
    throng_look_release(&reader->look);
    *ordered = true;
    while ((result = sqlite3_step(query)) == SQLITE_ROW && (good = take_row(recording, query, &r, error)))
        *ordered &= throng_look_at(&reader->look, (uint64_t)r.frame, (throng_agent)r.id, r.x, r.y,
                                   (size_t)sqlite3_column_int64(query, 4));
    if (good && result != SQLITE_DONE) good = refuse(recording, error);
    sqlite3_finalize(query);
    throng_release(recording->agents);
    throng_look_end(&reader->look, recording, (size_t)INT64_MAX + 1);
    return good;
}

/* What our own writer noted spares looking at every row. */
static bool take_summary(throng_recording *recording) {
    sqlite3_int64 rows = ask_whole(recording, "SELECT value FROM metadata WHERE key = 'x_rows'");
    if (rows < 0 || rows != ask_whole(recording, "SELECT coalesce(max(rowid), 0) FROM trajectory_data")) return false;
    double corner[4] = {0};
    char *extent = ask_text(recording, "SELECT value FROM metadata WHERE key = 'x_extent'");
    const char *at = extent ? extent : "";
    for (int i = 0; at && rows && i < 4; i++) at = throng_number_read(at + strspn(at, " "), &corner[i]);
    bool good = at != NULL;
    throng_release(extent);
    if (!good) return false;

    recording->info.row_count = (size_t)rows;
    recording->info.bounds = (throng_box){{corner[0], corner[1]}, {corner[2], corner[3]}};
    recording->info.frame_count = (size_t)(ask_whole(recording, "SELECT max(frame) FROM trajectory_data") + 1);
    throng_id_set ids = {0};
    sqlite3_stmt *query = prepare(recording, "SELECT id FROM x_agents");
    while (query && sqlite3_step(query) == SQLITE_ROW)
        throng_id_set_add(&ids, (throng_agent)sqlite3_column_int64(query, 0));
    sqlite3_finalize(query);
    throng_recording_set_agents(recording, &ids);
    return true;
}

/* Makes the query for one frame, and whatever it needs to be quick. */
static bool prepare_frames(throng_recording *recording, throng_error *error) {
    sqlite_reader *reader = recording->file;
    reader->indexed = ask_whole(recording,
                                "SELECT 1 FROM pragma_index_list('trajectory_data') l, pragma_index_info(l.name) i"
                                " WHERE i.seqno = 0 AND i.name = 'frame'") == 1;
    bool ordered = true;
    const char *table = "trajectory_data";
    if (!reader->indexed || !take_summary(recording)) {
        if (!scan(recording, table, &ordered, error)) return false;
        if (!ordered && !reader->indexed) {
            table = "temp.x_sorted";
            const char *copy =
                "CREATE TEMP TABLE x_sorted AS SELECT frame, id, pos_x, pos_y FROM trajectory_data ORDER BY frame, id";
            if (sqlite3_exec(reader->database, copy, NULL, NULL, NULL) != SQLITE_OK) return refuse(recording, error);
            if (!scan(recording, table, &ordered, error)) return false;
        }
    }
    char sql[160];
    /* +id: sorted here, since the index of a damaged file may be in any order. */
    snprintf(sql, sizeof sql, "SELECT frame, id, pos_x, pos_y FROM %s WHERE %s ORDER BY +id", table,
             reader->indexed ? "frame = ?1" : "rowid BETWEEN ?1 AND ?2");
    reader->rows = prepare(recording, sql);
    if (!reader->rows) return refuse(recording, error);

    /* Frames without anybody count as well. */
    sqlite3_int64 listed = ask_whole(recording, "SELECT count(*) FROM frame_data");
    if (listed > 0 && (size_t)listed > recording->info.frame_count) recording->info.frame_count = (size_t)listed;
    return true;
}

/* The numbers that a row begins with. */
static void numbers_in(sqlite3_stmt *query, double *values, int count) {
    for (int i = 0; i < count; i++) values[i] = sqlite3_column_double(query, i);
}

static void read_agents(throng_recording *recording) {
    sqlite3_stmt *query = prepare(recording, "SELECT id, radius, desired_speed, mass, grp, model FROM x_agents");
    while (query && sqlite3_step(query) == SQLITE_ROW) {
        double numbers[4];
        numbers_in(query, numbers, 4);
        throng_recording_describe(recording, (throng_agent)sqlite3_column_int64(query, 0), numbers + 1,
                                  text_in(query, 4), text_in(query, 5));
    }
    sqlite3_finalize(query);

    query = prepare(recording, "SELECT id, name FROM x_names");
    while (query && sqlite3_step(query) == SQLITE_ROW) {
        throng_agent id = (throng_agent)sqlite3_column_int64(query, 0);
        throng_recording_agent *agent = throng_recording_find_agent(recording, id);
        if (agent) agent->name = throng_recording_name(recording, text_in(query, 1));
    }
    sqlite3_finalize(query);
}

/* Quantities as we write them. */
static void open_values(throng_recording *recording, sqlite_reader *reader) {
    throng_string sql = {0};
    throng_string_add(&sql, "SELECT id");
    sqlite3_stmt *query = prepare(recording, "SELECT name, unit, help FROM x_quantities ORDER BY rowid");
    while (query && sqlite3_step(query) == SQLITE_ROW) {
        const char *name = text_in(query, 0);
        if (throng_recording_add_quantity(recording, name, text_in(query, 1), text_in(query, 2)) == SIZE_MAX) continue;
        char *column = sqlite3_mprintf(", \"%w\"", name);
        throng_string_add(&sql, column ? column : "");
        sqlite3_free(column);
    }
    sqlite3_finalize(query);
    throng_string_add(&sql, " FROM x_values WHERE frame = ?1 ORDER BY +id");
    reader->values[0].count = recording->quantity_count;
    reader->values[0].missing = NAN;
    if (recording->quantity_count) reader->values[0].query = prepare(recording, sql.text);
    throng_release(sql.text);
}

/* Contact forces and personal spaces of files of before 0.2. */
static void open_earlier_values(throng_recording *recording, sqlite_reader *reader) {
    static const struct {
        const char *sql, *names[4], *units[4];
        double missing;
    } known[] = {{"SELECT id, force, force_x, force_y, pressure FROM x_forces WHERE frame = ?1 ORDER BY +id",
                  {"force", "net_force_x", "net_force_y", "pressure"},
                  {"N", "N", "N", "N/m"},
                  0},
                 {"SELECT id, area_m2, density FROM x_space WHERE frame = ?1 ORDER BY +id",
                  {"area", "density"},
                  {"m^2", "1/m^2"},
                  NAN}};
    for (int i = 0; i < 2; i++) {
        sqlite3_stmt *query = prepare(recording, known[i].sql);
        reader->values[1 + i].query = query;
        reader->values[1 + i].first = recording->quantity_count;
        reader->values[1 + i].missing = known[i].missing;
        for (int k = 0; query && k < 4 && known[i].names[k]; k++)
            reader->values[1 + i].count +=
                throng_recording_add_quantity(recording, known[i].names[k], known[i].units[k], "") != SIZE_MAX;
    }
}

static bool open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    (void)def;
    recording->file = throng_allocate(sizeof(sqlite_reader));
    if (!connect(recording, error) || !read_keys(recording, error)) return false;
    read_geometry(recording);
    if (!prepare_frames(recording, error)) return false;
    read_agents(recording);
    open_values(recording, recording->file);
    open_earlier_values(recording, recording->file);
    return true;
}

/* Quantities of the people just read, from rows of an id and these. */
static void read_values(throng_recording *recording, size_t group, size_t frame) {
    const sqlite_reader *reader = recording->file;
    sqlite3_stmt *query = reader->values[group].query;
    size_t k = 0, count = reader->values[group].count;
    double **columns = recording->values + reader->values[group].first;
    for (size_t q = 0; q < count; q++)
        for (size_t i = 0; i < recording->count; i++) columns[q][i] = reader->values[group].missing;
    if (!query) return;
    sqlite3_bind_int64(query, 1, (sqlite3_int64)frame);
    while (sqlite3_step(query) == SQLITE_ROW) {
        throng_agent id = (throng_agent)sqlite3_column_int64(query, 0);
        while (k < recording->count && recording->id[k] < id) k++;
        for (size_t q = 0; q < count && k < recording->count && recording->id[k] == id; q++)
            if (sqlite3_column_type(query, 1 + (int)q) != SQLITE_NULL)
                columns[q][k] = sqlite3_column_double(query, 1 + (int)q);
    }
    sqlite3_reset(query);
}

static bool read_frame(throng_recording *recording, size_t frame, throng_error *error) {
    sqlite_reader *reader = recording->file;
    recording->count = 0;
    sqlite3_bind_int64(reader->rows, 1, (sqlite3_int64)frame);
    if (!reader->indexed) {
        const struct throng_frame_start *found = throng_look_find(&reader->look, frame);
        if (!found) return true;
        sqlite3_bind_int64(reader->rows, 1, (sqlite3_int64)found->first);
        sqlite3_bind_int64(reader->rows, 2, (sqlite3_int64)(found[1].first - 1));
    }
    bool good = true;
    int result;
    while ((result = sqlite3_step(reader->rows)) == SQLITE_ROW) {
        row r;
        if (!(good = take_row(recording, reader->rows, &r, error))) break;
        throng_recording_reserve(recording, recording->count + 1);
        recording->id[recording->count] = (throng_agent)r.id;
        recording->x[recording->count] = r.x;
        recording->y[recording->count++] = r.y;
    }
    if (good && result != SQLITE_DONE) good = refuse(recording, error);
    sqlite3_reset(reader->rows);
    for (size_t group = 0; good && group < 3; group++) read_values(recording, group, frame);
    return good;
}

/* ------------------------------------------------------------------ things */

/* The parts of the thing added last. */
static void read_parts(throng_recording *recording, sqlite3_stmt *query, sqlite3_int64 id) {
    sqlite3_bind_int64(query, 1, id);
    while (sqlite3_step(query) == SQLITE_ROW) {
        double values[THRONG_PART_NUMBERS];
        numbers_in(query, values, THRONG_PART_NUMBERS);
        throng_recording_add_part(recording, values);
        recording->objects[recording->object_count - 1].name =
            throng_recording_name(recording, text_in(query, THRONG_PART_NUMBERS));
    }
    sqlite3_reset(query);
}

static bool read_objects(throng_recording *recording, size_t frame, throng_error *error) {
    (void)error;
    sqlite3_stmt *poses = prepare(
        recording, "SELECT id, x, y, z, turn_w, turn_x, turn_y, turn_z FROM x_objects WHERE frame = ?1 ORDER BY id");
    sqlite3_stmt *parts = prepare(
        recording,
        "SELECT id, part, kind = 'ball', fixed, mass, size_x, size_y, size_z, x, y, z, turn_w, turn_x, turn_y, turn_z,"
        " name FROM x_object_parts WHERE id = ?1 ORDER BY part");
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

static void release(throng_recording *recording) {
    sqlite_reader *reader = recording->file;
    if (!reader) return;
    sqlite3_finalize(reader->rows);
    for (int k = 0; k < 3; k++) sqlite3_finalize(reader->values[k].query);
    sqlite3_close(reader->database);
    throng_look_release(&reader->look);
    throng_release(reader);
}

const throng_record_reader throng_sqlite_reader = {
    .open = open, .read = read_frame, .release = release, .read_objects = read_objects};
