/* sqlite_file.h: what writing and reading of .sqlite recordings share. */

#ifndef THRONG_SQLITE_FILE_H
#define THRONG_SQLITE_FILE_H

#include <sqlite3.h>

#include "record/record.h"

/* Opens a database by its path, taken as it is; `options` as in a file URI ("&immutable=1"). The
 * connection must be closed even when this fails. */
int throng_sqlite_connect(const char *path, int flags, const char *options, sqlite3 **database);

/* Why the last call failed, with the system's reason where there is one. */
void throng_sqlite_reason(sqlite3 *database, char *text, size_t size);

/* sqlite_objects.c: the things of a frame; false: see sqlite3_errmsg. */
bool throng_sqlite_write_objects(sqlite3 *database, const throng_record_frame *frame);
/* The database of a recording that is read. */
sqlite3 *throng_sqlite_database(const throng_recording *recording);

/* Whether a file with this ending stands beside the database and is not empty. */
bool throng_sqlite_has_side_file(const char *path, const char *ending);

#endif
