/* sweep_table.c: see sweep_table.h. The file has the tables `runs` (results), `figures` (names and units of its
 * columns) and `sweep` (what was swept, to be compared with when it goes on). */

#include "sweep_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"
#include "newfile.h"
#include "progress.h"

static const double keep_every_s = 0.5;

struct sweep_table {
    sqlite3 *database;
    char *path; /* for messages */
    sqlite3_stmt *insert;
    bool dirty, failed; /* not kept yet; complained about */
    double kept_s;      /* clock; 0: not yet */
};

/* ------------------------------------------------------------------ SQL */

static bool complain_of(sweep_table *t) {
    if (!t->failed) complain("cannot write %s: %s", t->path, sqlite3_errmsg(t->database));
    t->failed = true;
    return false;
}

static bool execute(sweep_table *t, const char *sql) {
    return sqlite3_exec(t->database, sql, NULL, NULL, NULL) == SQLITE_OK || complain_of(t);
}

/* The first value of the first row, to be freed; NULL: there is none. */
static char *value_of(sweep_table *t, const char *sql) {
    sqlite3_stmt *statement = NULL;
    char *value = NULL;
    sqlite3_prepare_v2(t->database, sql, -1, &statement, NULL);
    if (statement && sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
        value = text_format("%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return value;
}

static size_t count_of(sweep_table *t, const char *sql) {
    char *value = value_of(t, sql);
    size_t count = value ? (size_t)strtoull(value, NULL, 10) : 0;
    free(value);
    return count;
}

/* Text with a format, by SQLite's own printf, which quotes names and texts; frees what it is added to. */
static char *joined(char *before, char *more) {
    char *both = sqlite3_mprintf("%z%z", before, more);
    return both;
}

static char *create_runs(const study *s) {
    char *sql = sqlite3_mprintf("CREATE TABLE runs (run INTEGER PRIMARY KEY, model TEXT");
    for (size_t i = 0; i < s->design.axis_count; i++)
        sql = joined(sql, sqlite3_mprintf(", \"%w\"", s->design.axes[i].key));
    sql = joined(sql, sqlite3_mprintf(", seed INTEGER, version TEXT, digest TEXT, error TEXT"));
    for (size_t i = 0; i < s->name_count; i++) sql = joined(sql, sqlite3_mprintf(", \"%w\" REAL", s->names[i].name));
    return joined(sql, sqlite3_mprintf(")"));
}

/* ------------------------------------------------------------------ what was swept */

/* Rows of the table `sweep`; values to be freed. */
typedef struct fact {
    const char *key;
    char *value;
} fact;

enum { FACTS = 6 };

static void facts_of(const study *s, fact facts[FACTS]) {
    facts[0] = (fact){"scenario", text_format("%s", s->path)};
    facts[1] = (fact){"scenario_hash", text_format("%016" PRIx64, s->hash)};
    facts[2] = (fact){"version", text_format("%s", throng_version())};
    facts[3] = (fact){"design", design_text(&s->design)};
    facts[4] = (fact){"figures", text_format("%s", s->options->few ? "few" : "all")};
    facts[5] = (fact){"runs", text_format("%zu", s->design.run_count)};
}

static bool create_tables(sweep_table *t, const study *s) {
    char *sql = create_runs(s);
    bool good = execute(t, "BEGIN") && execute(t, sql) &&
                execute(t, "CREATE TABLE figures (name TEXT PRIMARY KEY, unit TEXT, is_time INTEGER)") &&
                execute(t, "CREATE TABLE sweep (key TEXT PRIMARY KEY, value TEXT)");
    sqlite3_free(sql);
    for (size_t i = 0; i < s->name_count && good; i++) {
        sql = sqlite3_mprintf("INSERT INTO figures VALUES (%Q, %Q, %d)", s->names[i].name, s->names[i].unit,
                              s->names[i].is_time);
        good = execute(t, sql);
        sqlite3_free(sql);
    }
    fact facts[FACTS];
    facts_of(s, facts);
    for (size_t i = 0; i < FACTS; i++) {
        sql = sqlite3_mprintf("INSERT INTO sweep VALUES (%Q, %Q)", facts[i].key, facts[i].value);
        good = good && execute(t, sql);
        sqlite3_free(sql);
        free(facts[i].value);
    }
    return good && execute(t, "COMMIT");
}

/* Whether the file holds this sweep; says what differs. */
static bool is_same_sweep(sweep_table *t, const study *s) {
    static const char *const differs[FACTS] = {NULL,
                                               "of another scenario, or it has changed",
                                               "of another version of throng",
                                               "with other values, models or seeds",
                                               "with other figures",
                                               NULL};
    fact facts[FACTS];
    facts_of(s, facts);
    const char *why = NULL;
    for (size_t i = 0; i < FACTS; i++) {
        char *sql = sqlite3_mprintf("SELECT value FROM sweep WHERE key = %Q", facts[i].key);
        char *there = value_of(t, sql);
        if (!why && differs[i] && (!there || strcmp(there, facts[i].value))) why = differs[i];
        sqlite3_free(sql);
        free(there);
        free(facts[i].value);
    }
    char *wanted = create_runs(s), *there = value_of(t, "SELECT sql FROM sqlite_master WHERE name = 'runs'");
    if (!why && (!there || strcmp(there, wanted))) why = "with other figures";
    sqlite3_free(wanted);
    free(there);
    if (why) complain("%s holds a sweep %s; write somewhere else, or begin anew with --anew", t->path, why);
    return !why;
}

/* ------------------------------------------------------------------ opening */

sweep_table *sweep_table_of(sqlite3 *database, const char *path) {
    sweep_table *t = resize(NULL, sizeof *t);
    *t = (sweep_table){.database = database, .path = text_format("%s", path)};
    return t;
}

sqlite3 *sweep_table_database(sweep_table *t) { return t->database; }

static bool is_ours(sweep_table *t) {
    return count_of(t, "SELECT count(*) FROM sqlite_master WHERE name IN ('runs', 'figures', 'sweep')") == 3;
}

static bool begin(sweep_table *t, const study *s, bool there, bool anew) {
    if (there && !is_ours(t)) {
        complain("%s is there and holds something else than a sweep; write somewhere else", t->path);
        return false;
    }
    if (!execute(t, "PRAGMA synchronous = NORMAL")) return false;
    if (there && anew && !execute(t, "BEGIN; DROP TABLE runs; DROP TABLE figures; DROP TABLE sweep; COMMIT"))
        return false;
    return there && !anew ? is_same_sweep(t, s) : create_tables(t, s);
}

static bool prepare_insert(sweep_table *t, const study *s) {
    size_t columns = 6 + s->design.axis_count + s->name_count;
    char *sql = sqlite3_mprintf("INSERT OR REPLACE INTO runs VALUES (?");
    for (size_t i = 1; i < columns; i++) sql = joined(sql, sqlite3_mprintf(",?"));
    sql = joined(sql, sqlite3_mprintf(")"));
    bool good = sqlite3_prepare_v2(t->database, sql, -1, &t->insert, NULL) == SQLITE_OK || complain_of(t);
    sqlite3_free(sql);
    return good;
}

sweep_table *sweep_table_open(const char *path, const study *s, bool anew) {
    struct stat found;
    bool there = path && stat(path, &found) == 0 && found.st_size > 0;
    sqlite3 *database = NULL;
    int status = sqlite3_open(path ? path : ":memory:", &database);
    sweep_table *t = sweep_table_of(database, path ? path : "the table");
    bool good = status == SQLITE_OK || complain_of(t);
    sqlite3_busy_timeout(database, 2000);
    good = good && begin(t, s, there, anew) && prepare_insert(t, s) && execute(t, "BEGIN IMMEDIATE");
    if (good) return t;
    sweep_table_close(t);
    return NULL;
}

bool sweep_table_close(sweep_table *t) {
    bool good = !t->dirty || sweep_table_keep(t);
    sqlite3_finalize(t->insert);
    sqlite3_close(t->database);
    free(t->path);
    free(t);
    return good;
}

/* ------------------------------------------------------------------ rows */

bool *sweep_table_runs(sweep_table *t, size_t count, bool failed_too) {
    bool *there = resize(NULL, count * sizeof *there);
    memset(there, 0, count * sizeof *there);
    sqlite3_stmt *row = NULL;
    sqlite3_prepare_v2(t->database, "SELECT run FROM runs WHERE error IS NULL OR ?", -1, &row, NULL);
    sqlite3_bind_int(row, 1, failed_too);
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        sqlite3_int64 run = sqlite3_column_int64(row, 0);
        if (run >= 0 && (size_t)run < count) there[run] = true;
    }
    sqlite3_finalize(row);
    return there;
}

/* A number where the text is one. */
static void bind_value(sqlite3_stmt *insert, int column, const char *text) {
    double number;
    uint64_t whole;
    if (read_whole(text, &whole) && whole <= INT64_MAX)
        sqlite3_bind_int64(insert, column, (int64_t)whole);
    else if (read_number(text, &number))
        sqlite3_bind_double(insert, column, number);
    else
        sqlite3_bind_text(insert, column, text, -1, SQLITE_TRANSIENT);
}

void sweep_table_add(sweep_table *t, const study *s, size_t run, const trial *done, const double *values) {
    design_run set = design_run_at(&s->design, run);
    sqlite3_stmt *insert = t->insert;
    char digest[20], seed[24];
    int column = 1;
    sqlite3_reset(insert);
    sqlite3_clear_bindings(insert);
    sqlite3_bind_int64(insert, column++, (int64_t)run);
    sqlite3_bind_text(insert, column++, set.model ? set.model : s->model, -1, SQLITE_TRANSIENT);
    for (size_t i = 0; i < s->design.axis_count; i++) bind_value(insert, column++, set.values[i]);
    snprintf(seed, sizeof seed, "%" PRIu64, done->seed);
    if (!done->error || set.seed) bind_value(insert, column, done->error ? set.seed : seed);
    column++;
    sqlite3_bind_text(insert, column++, throng_version(), -1, SQLITE_STATIC);
    snprintf(digest, sizeof digest, "%016" PRIx64, done->digest);
    if (!done->error) sqlite3_bind_text(insert, column, digest, -1, SQLITE_TRANSIENT);
    column++;
    if (done->error) sqlite3_bind_text(insert, column, done->error, -1, SQLITE_TRANSIENT);
    column++;
    for (size_t i = 0; i < s->name_count; i++, column++)
        if (isfinite(values[i])) sqlite3_bind_double(insert, column, values[i]);
    if (sqlite3_step(insert) != SQLITE_DONE) complain_of(t);
    sqlite3_reset(insert);
    t->dirty = true;
    free(set.values);
}

bool sweep_table_keep(sweep_table *t) {
    if (t->dirty && !t->failed) execute(t, "COMMIT; BEGIN IMMEDIATE");
    t->dirty = false;
    t->kept_s = clock_s();
    return !t->failed;
}

bool sweep_table_keep_now_and_then(sweep_table *t) {
    if (t->dirty && clock_s() - t->kept_s > keep_every_s) sweep_table_keep(t);
    return !t->failed;
}

sweep_count sweep_table_count(sweep_table *t) {
    sweep_count c = {.rows = count_of(t, "SELECT count(*) FROM runs"),
                     .failed = count_of(t, "SELECT count(*) FROM runs WHERE error IS NOT NULL"),
                     .all = count_of(t, "SELECT value FROM sweep WHERE key = 'runs'")};
    c.first_error =
        value_of(t, "SELECT 'run ' || run || ': ' || error FROM runs WHERE error IS NOT NULL ORDER BY run LIMIT 1");
    return c;
}
