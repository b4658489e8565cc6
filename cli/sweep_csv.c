/* sweep_csv.c: the table of a sweep as CSV (RFC 4180). */

#include <sqlite3.h>
#include <stdio.h>

#include "messages.h"
#include "newfile.h"
#include "sweep_table.h"

static void put_value(FILE *file, sqlite3_stmt *row, int column) {
    char text[40];
    switch (sqlite3_column_type(row, column)) {
        case SQLITE_NULL:
            break;
        case SQLITE_FLOAT:
            number_text(text, sqlite3_column_double(row, column));
            fputs(text, file);
            break;
        default:
            csv_text(file, (const char *)sqlite3_column_text(row, column));
    }
}

bool sweep_table_write_csv(sweep_table *table, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    sqlite3_stmt *row = NULL;
    sqlite3_prepare_v2(sweep_table_database(table), "SELECT * FROM runs ORDER BY run", -1, &row, NULL);
    int columns = sqlite3_column_count(row), status;
    for (int i = 0; i < columns; i++) {
        if (i) fputc(',', new.file);
        csv_text(new.file, sqlite3_column_name(row, i));
    }
    fputs("\n", new.file);
    while ((status = sqlite3_step(row)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            if (i) fputc(',', new.file);
            put_value(new.file, row, i);
        }
        fputs("\n", new.file);
    }
    sqlite3_finalize(row);
    if (status == SQLITE_DONE) return newfile_finish(&new);
    complain("cannot read the table: %s", sqlite3_errmsg(sweep_table_database(table)));
    newfile_discard(&new);
    return false;
}
