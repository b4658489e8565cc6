/* sweep_table.h: the results of a sweep: one table in an SQLite file, a row for each run. */

#ifndef CLI_SWEEP_TABLE_H
#define CLI_SWEEP_TABLE_H

#include "study.h"

typedef struct sweep_table sweep_table;

/* Makes the file, or opens it where it holds results of the same sweep; NULL path: in memory. `anew` throws older
 * results away. NULL after a complaint: it cannot be written, holds something else or another sweep. */
sweep_table *sweep_table_open(const char *path, const study *s, bool anew);
/* Which of so many runs are there, [count]; to be freed. */
bool *sweep_table_runs(sweep_table *table, size_t count, bool failed_too);
/* Written now and then and by sweep_table_keep; what was kept survives the end of this process, however it ends. */
void sweep_table_add(sweep_table *table, const study *s, size_t run, const trial *done, const double *values);
bool sweep_table_keep_now_and_then(sweep_table *table); /* false after a complaint */
bool sweep_table_keep(sweep_table *table);              /* false after a complaint */
/* Rows in order of run, those without a value empty. False after a complaint. */
bool sweep_table_write_csv(sweep_table *table, const char *path);
/* How many rows there are, how many have an error, how many runs the sweep has; the first error, to be freed, or NULL.
 */
typedef struct sweep_count {
    size_t rows, failed, all;
    char *first_error;
} sweep_count;
sweep_count sweep_table_count(sweep_table *table);
bool sweep_table_close(sweep_table *table); /* false after a complaint */

/* sweep_merge.c: a table of the rows of several files, which must be parts of the same sweep; of two rows of a run the
 * one without an error is kept. NULL after a complaint. */
sweep_table *sweep_table_merge(const char *path, const text_list *parts);

/* For sweep_merge.c. */
struct sqlite3;
sweep_table *sweep_table_of(struct sqlite3 *database, const char *path);
struct sqlite3 *sweep_table_database(sweep_table *table);

#endif
