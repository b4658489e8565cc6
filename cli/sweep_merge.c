/* sweep_merge.c: `throng sweep --merge`: the parts of a sweep that was run in several places. */

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"
#include "sweep_table.h"

static bool execute(sqlite3 *database, const char *sql) {
    return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static long long number_of(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    long long value = statement && sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
}

static bool attach(sqlite3 *database, const char *path) {
    struct stat found;
    if (stat(path, &found) != 0) {
        complain("no file %s", path);
        return false;
    }
    char *sql = sqlite3_mprintf("ATTACH %Q AS part", path);
    bool good = execute(database, sql);
    sqlite3_free(sql);
    const char *ours = "SELECT count(*) FROM part.sqlite_master WHERE name IN ('runs', 'figures', 'sweep')";
    if (good && number_of(database, ours) == 3) return true;
    complain("%s is not a table of throng sweep", path);
    return false;
}

/* The first part gives its form. */
static bool take_form(sqlite3 *database) {
    sqlite3_stmt *form = NULL;
    bool good = true;
    sqlite3_prepare_v2(database, "SELECT sql FROM part.sqlite_master WHERE name IN ('runs', 'figures', 'sweep')", -1,
                       &form, NULL);
    while (good && sqlite3_step(form) == SQLITE_ROW)
        good = execute(database, (const char *)sqlite3_column_text(form, 0));
    sqlite3_finalize(form);
    return good && execute(database, "INSERT INTO main.figures SELECT * FROM part.figures") &&
           execute(database, "INSERT INTO main.sweep SELECT * FROM part.sweep");
}

static bool is_same_sweep(sqlite3 *database) {
    return number_of(database,
                     "SELECT count(*) FROM main.sweep m JOIN part.sweep p ON m.key = p.key AND m.value = p.value "
                     "WHERE m.key IN ('scenario_hash', 'version', 'design', 'figures')") == 4 &&
           number_of(database,
                     "SELECT (SELECT sql FROM main.sqlite_master WHERE name = 'runs') = "
                     "(SELECT sql FROM part.sqlite_master WHERE name = 'runs')") == 1;
}

static bool take_rows(sqlite3 *database, const char *path) {
    long long differ = number_of(database,
                                 "SELECT count(*) FROM main.runs m JOIN part.runs p ON m.run = p.run "
                                 "WHERE m.digest <> p.digest");
    if (differ > 0)
        warn("%s: %lld runs that are there already ended in another state; the first ones stay", path, differ);
    return execute(database, "INSERT OR IGNORE INTO main.runs SELECT * FROM part.runs") &&
           execute(database,
                   "INSERT OR REPLACE INTO main.runs SELECT p.* FROM part.runs p JOIN main.runs m ON m.run = p.run "
                   "WHERE m.error IS NOT NULL AND p.error IS NULL");
}

static bool take_part(sqlite3 *database, const char *path, const char *into) {
    if (!attach(database, path)) return false;
    bool good = true;
    if (number_of(database, "SELECT count(*) FROM main.sqlite_master") == 0) good = take_form(database);
    if (good && !is_same_sweep(database)) {
        complain("%s is no part of the same sweep: another scenario, version, values, models or seeds", path);
        good = false;
    } else if (!good || !take_rows(database, path)) {
        complain("cannot write %s: %s", into, sqlite3_errmsg(database));
        good = false;
    }
    return execute(database, "DETACH part") && good;
}

sweep_table *sweep_table_merge(const char *path, const text_list *parts) {
    sqlite3 *database = NULL;
    struct stat found;
    bool there = stat(path, &found) == 0;
    bool good = sqlite3_open(path, &database) == SQLITE_OK && execute(database, "PRAGMA synchronous = NORMAL");
    if (!good) complain("cannot write %s: %s", path, sqlite3_errmsg(database));
    for (size_t i = 0; i < parts->count && good; i++) good = take_part(database, parts->items[i], path);
    if (good) return sweep_table_of(database, path);
    sqlite3_close(database);
    if (!there) unlink(path);
    return NULL;
}
