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

#endif
