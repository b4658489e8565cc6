/* sqlite_file.c: see sqlite_file.h. */

#include "record/sqlite_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

int throng_sqlite_connect(const char *path, int flags, const char *options, sqlite3 **database) {
    /* A plain name may be taken for a URI where SQLite was built so; a URI never for anything else. */
    throng_string uri = {0};
    throng_string_add(&uri, path[0] == '/' ? "file://" : "file:./");
    for (const char *c = path; *c; c++) {
        char piece[4] = {*c, 0};
        if (strchr("%?#", *c)) snprintf(piece, sizeof piece, "%%%02X", (unsigned char)*c);
        throng_string_add(&uri, piece);
    }
    throng_string_add(&uri, "?");
    throng_string_add(&uri, options);
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

bool throng_sqlite_has_side_file(const char *path, const char *ending) {
    throng_string name = {0};
    throng_string_add(&name, path);
    throng_string_add(&name, ending);
    struct stat file;
    bool has = stat(name.text, &file) == 0 && file.st_size > 0;
    throng_release(name.text);
    return has;
}
