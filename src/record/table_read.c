/* table_read.c: reading tables of positions whose first line names the columns.
 *
 *     frame,id,pos_x,pos_y                          JuPedSim's examples
 *     time,pedID,posX,posY                          crowd:it
 *     "t","id","name","active","x","y","z", ...     Pathfinder, with a second line of units
 *     $PEDESTRIAN:NO;SIMSEC;COORDCENTX;COORDCENTY   Viswalk
 *
 * With times the frame rate follows from them; with frames it must be told. */

#include <math.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/rows.h"
#include "record/table.h"

enum { COLUMN_ID, COLUMN_X, COLUMN_Y, COLUMN_FRAME, COLUMN_TIME, COLUMN_COUNT };

static const throng_table_column columns[COLUMN_COUNT] = {
    {{"id", "pedID", "agent_id", "ped_id", "NO"}, "an id", false},
    {{"x", "pos_x", "posX", "COORDCENTX"}, "a number as x", false},
    {{"y", "pos_y", "posY", "COORDCENTY"}, "a number as y", false},
    {{"frame", "frame_id", "fr"}, "a whole number as frame", true},
    {{"t", "time", "timestamp", "SIMSEC"}, "a number of seconds as time", true},
};

static char separator_of(throng_span line) {
    const char candidates[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof candidates; i++)
        if (memchr(line.at, candidates[i], throng_span_length(line))) return candidates[i];
    return ' ';
}

/* Metres of a unit that may stand under the name of a column; 0 when it is none. */
static double metres_of(throng_span unit) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"ft", 0.3048}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (throng_span_is(unit, units[i].name)) return units[i].metres;
    return 0;
}

/* Columns called "force [N]" are quantities. */
static void name_quantities(throng_table *table, throng_recording *recording, throng_span names) {
    throng_span name;
    for (int k = 0; throng_next_field(&names, table->separator, &name); k++)
        if (throng_recording_take_title(recording, name)) table->quantity_at[recording->quantity_count - 1] = k;
}

static void read_quantities(throng_table *table, throng_rows *rows, const throng_recording *recording) {
    throng_span rest = table->lines.line, field;
    double *values = throng_rows_values(rows, recording), value;
    for (int k = 0; throng_next_field(&rest, table->separator, &field); k++)
        for (size_t q = 0; q < recording->quantity_count; q++)
            if (table->quantity_at[q] == k && throng_span_number(field, &value)) values[q] = value;
}

static bool read_row(throng_table *table, throng_rows *rows, double metres, throng_error *error) {
    throng_row row = {0};
    bool timed = table->at[COLUMN_TIME] >= 0;
    if (!throng_span_length(table->fields[COLUMN_ID])) return throng_table_refuse(table, COLUMN_ID, error);
    if (timed && !throng_span_number(table->fields[COLUMN_TIME], &row.time))
        return throng_table_refuse(table, COLUMN_TIME, error);
    if (!timed && !throng_rows_frame_number(rows, table->fields[COLUMN_FRAME], &row.frame))
        return throng_table_refuse(table, COLUMN_FRAME, error);
    if (!throng_span_number(table->fields[COLUMN_X], &row.x)) return throng_table_refuse(table, COLUMN_X, error);
    if (!throng_span_number(table->fields[COLUMN_Y], &row.y)) return throng_table_refuse(table, COLUMN_Y, error);
    row.id = throng_rows_id(rows, table->fields[COLUMN_ID]);
    row.x *= metres;
    row.y *= metres;
    *throng_rows_add(rows) = row;
    return true;
}

/* All rows after the line that names the columns. */
static bool read_rows(throng_table *table, throng_recording *recording, const throng_recording_def *def, char comment,
                      throng_error *error) {
    throng_rows *rows = throng_rows_of(recording);
    double metres = def->metres_per_unit > 0 ? def->metres_per_unit : 1;
    bool timed = table->at[COLUMN_TIME] >= 0;
    if (!timed && table->at[COLUMN_FRAME] < 0)
        return throng_refuse(error, table->lines.number, 1,
                             "cannot read '%s': line %d: expected a column 'frame' or 'time'", table->path,
                             table->lines.number);
    if (!timed && !(def->fps > 0))
        return throng_refuse(error, table->lines.number, 1,
                             "cannot read '%s': it does not say its frame rate; give it (--fps)", table->path);
    for (bool first = true; throng_table_next(table, comment); first = false) {
        double unit = first ? metres_of(table->fields[COLUMN_X]) : 0;
        if (unit > 0)
            metres = unit;
        else if (!read_row(table, rows, metres, error))
            return false;
        if (unit == 0 && recording->quantity_count) read_quantities(table, rows, recording);
    }
    if (timed && !throng_rows_from_times(recording, def->fps, error)) return false;
    if (!timed) recording->info.fps = def->fps;
    return throng_rows_finish(recording, error);
}

static bool open_csv(throng_table *table, throng_recording *recording, const throng_recording_def *def,
                     throng_error *error) {
    while (throng_next_line(&table->lines)) {
        throng_span line = throng_span_trim(table->lines.line);
        if (!throng_span_length(line) || *line.at == '#') continue;
        table->separator = separator_of(line);
        name_quantities(table, recording, line);
        return throng_table_name_columns(table, line, error) && read_rows(table, recording, def, '#', error);
    }
    return throng_refuse_read(error, recording->path, "there is nothing in it");
}

/* The table of people comes after others, which begin with a $ and their name. */
static bool open_viswalk(throng_table *table, throng_recording *recording, const throng_recording_def *def,
                         throng_error *error) {
    static const char mark[] = "$PEDESTRIAN:";
    table->separator = ';';
    while (throng_next_line(&table->lines)) {
        const char *at = throng_span_find(table->lines.line, mark);
        if (!at) continue;
        throng_span names = {at + sizeof mark - 1, table->lines.line.end};
        return throng_table_name_columns(table, names, error) && read_rows(table, recording, def, '*', error);
    }
    return throng_refuse_read(error, recording->path,
                              "expected a line that begins with $PEDESTRIAN: and names columns");
}

typedef bool open_function(throng_table *, throng_recording *, const throng_recording_def *, throng_error *);

static bool open_with(open_function *open, throng_recording *recording, const throng_recording_def *def,
                      throng_error *error) {
    size_t size;
    char *text = throng_recording_text(recording, &size, error);
    if (!text) return false;
    throng_table table = {.path = recording->path,
                          .lines = throng_lines_of(text, size),
                          .columns = columns,
                          .column_count = COLUMN_COUNT};
    bool good = open(&table, recording, def, error);
    throng_release(text);
    return good;
}

bool throng_csv_open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    return open_with(open_csv, recording, def, error);
}

bool throng_viswalk_open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    return open_with(open_viswalk, recording, def, error);
}
