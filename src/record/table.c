/* table.c: see table.h. */

#include "record/table.h"

#include <stdio.h>
#include <strings.h>

#include "base/report.h"

/* Vadere ends the names of columns with the number of what made them. */
static throng_span without_tail(throng_span name) {
    for (const char *c = name.at; throng_span_length((throng_span){c, name.end}) > 4; c++)
        if (strncasecmp(c, "-PID", 4) == 0) return (throng_span){name.at, c};
    return name;
}

static bool is_called(const throng_table_column *column, throng_span name) {
    for (size_t i = 0; i < THRONG_TABLE_NAMES && column->names[i]; i++)
        if (throng_span_is(name, column->names[i])) return true;
    return false;
}

bool throng_table_name_columns(throng_table *table, throng_span names, throng_error *error) {
    throng_span rest = names, name;
    for (size_t k = 0; k < table->column_count; k++) table->at[k] = -1;
    table->field_count = 0;
    for (; throng_next_field(&rest, table->separator, &name); table->field_count++)
        for (size_t k = 0; k < table->column_count; k++)
            if (table->at[k] < 0 && is_called(&table->columns[k], without_tail(name)))
                table->at[k] = table->field_count;
    for (size_t k = 0; k < table->column_count; k++) {
        if (table->at[k] >= 0 || table->columns[k].optional) continue;
        char expected[120];
        snprintf(expected, sizeof expected, "a line that names the columns, one of them '%s'",
                 table->columns[k].names[0]);
        return throng_refuse_span(error, table->path, &table->lines, throng_span_trim(names), expected);
    }
    return true;
}

int throng_table_split(throng_table *table) {
    throng_span rest = table->lines.line, field;
    for (size_t k = 0; k < table->column_count; k++) table->fields[k] = (throng_span){rest.end, rest.end};
    int count = 0;
    for (; throng_next_field(&rest, table->separator, &field); count++)
        for (size_t k = 0; k < table->column_count; k++)
            if (table->at[k] == count) table->fields[k] = field;
    return count;
}

bool throng_table_next(throng_table *table, char comment) {
    while (throng_next_line(&table->lines)) {
        throng_span line = throng_span_trim(table->lines.line);
        if (!throng_span_length(line) || *line.at == comment) continue;
        int count = throng_table_split(table);
        return table->lines.whole || count >= table->field_count;
    }
    return false;
}

bool throng_table_refuse(const throng_table *table, size_t column, throng_error *error) {
    throng_line_reader lines = table->lines;
    return throng_refuse_span(error, table->path, &lines, table->fields[column], table->columns[column].expected);
}
