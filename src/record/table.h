/* table.h: texts with a line that names their columns, in any order and among others. */

#ifndef THRONG_TABLE_H
#define THRONG_TABLE_H

#include "record/span.h"

enum { THRONG_TABLE_COLUMNS = 8, THRONG_TABLE_NAMES = 8 };

/* A column that is looked for. */
typedef struct throng_table_column {
    const char *names[THRONG_TABLE_NAMES]; /* what it may be called, ended by NULL; the case does not matter */
    const char *expected;                  /* "a number as x" */
    bool optional;
} throng_table_column;

typedef struct throng_table {
    const char *path;
    throng_line_reader lines;
    char separator; /* ' ' is any white space */
    const throng_table_column *columns;
    size_t column_count;
    int at[THRONG_TABLE_COLUMNS];             /* which field of a line it is, from 0; -1: none */
    throng_span fields[THRONG_TABLE_COLUMNS]; /* of the line read last; empty where it has none */
    int field_count;                          /* of the line that names the columns */
    int quantity_at[THRONG_QUANTITIES_MOST];  /* which field a quantity of the recording is */
} throng_table;

/* Takes the line read last, or this part of it, as the one that names the columns; what follows " -" or "-PID" in a
 * name does not matter. False and an error when one is missing. */
bool throng_table_name_columns(throng_table *table, throng_span names, throng_error *error);
/* Fills the fields from the line read last; the number of fields it has. */
int throng_table_split(throng_table *table);
/* Reads the next line that is neither blank nor begins with this character. False at the end, and at a last line that a
 * killed writer did not finish. */
bool throng_table_next(throng_table *table, char comment);
/* Refuses a field of the line read last. */
bool throng_table_refuse(const throng_table *table, size_t column, throng_error *error);

#endif
