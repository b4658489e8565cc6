/* table_read.c: reading tables whose first line names the columns, in any order and among others.
 *
 *     frame,id,pos_x,pos_y                          JuPedSim's examples
 *     time,pedID,posX,posY                          crowd:it
 *     "t","id","name","active","x","y","z", ...     Pathfinder, with a second line of units
 *     $PEDESTRIAN:NO;SIMSEC;COORDCENTX;COORDCENTY   Viswalk
 *
 *     timeStep pedestrianId x y targetId            Vadere up to 1.4, in steps of 0.4 s
 *
 * With times the frame rate follows from them; with frames it must be told.
 *
 *     #IDXCOL=2,DATACOL=6,SEP=' '                   Vadere
 *     pedestrianId simTime endTime-PID1 startX-PID1 startY-PID1 endX-PID1 endY-PID1 targetId-PID2
 *     1 0.0 0.42 3.1 2.0 3.7 2.1 2
 *
 * has footsteps, each from a place and time to another. Between the two ends of a step people are taken to move evenly,
 * and to stand between two steps. Frames are as many a second as asked for, else ten. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/rows.h"

enum { columns_most = 8, names_most = 8 };

/* A column that is looked for. */
typedef struct column {
    const char *names[names_most]; /* what it may be called, ended by NULL; the case does not matter */
    const char *expected;          /* "a number as x" */
    bool optional;
} column;

typedef struct table {
    const char *path;
    throng_line_reader lines;
    char separator; /* ' ' is any white space */
    const column *columns;
    size_t column_count;
    int at[columns_most];                    /* which field of a line it is, from 0; -1: none */
    throng_span fields[columns_most];        /* of the line read last; empty where it has none */
    int field_count;                         /* of the line that names the columns */
    bool in_steps;                           /* frames are Vadere's steps */
    int quantity_at[THRONG_QUANTITIES_MOST]; /* which field a quantity of the recording is */
} table;

/* Vadere ends the names of columns with the number of what made them. */
static throng_span without_tail(throng_span name) {
    for (const char *c = name.at; throng_span_length((throng_span){c, name.end}) > 4; c++)
        if (strncasecmp(c, "-PID", 4) == 0) return (throng_span){name.at, c};
    return name;
}

static bool is_called(const column *c, throng_span name) {
    for (size_t i = 0; i < names_most && c->names[i]; i++)
        if (throng_span_is(name, c->names[i])) return true;
    return false;
}

/* Takes the line read last, or this part of it, as the one that names the columns. False and an error when one is
 * missing. */
static bool name_columns(table *t, throng_span names, throng_error *error) {
    throng_span rest = names, name;
    for (size_t k = 0; k < t->column_count; k++) t->at[k] = -1;
    t->field_count = 0;
    for (; throng_next_field(&rest, t->separator, &name); t->field_count++)
        for (size_t k = 0; k < t->column_count; k++)
            if (t->at[k] < 0 && is_called(&t->columns[k], without_tail(name))) t->at[k] = t->field_count;
    for (size_t k = 0; k < t->column_count; k++) {
        if (t->at[k] >= 0 || t->columns[k].optional) continue;
        char expected[120];
        snprintf(expected, sizeof expected, "a line that names the columns, one of them '%s'", t->columns[k].names[0]);
        return throng_refuse_span(error, t->path, &t->lines, throng_span_trim(names), expected);
    }
    return true;
}

/* Fills the fields from the line read last; the number of fields it has. */
static int split(table *t) {
    throng_span rest = t->lines.line, field;
    for (size_t k = 0; k < t->column_count; k++) t->fields[k] = (throng_span){rest.end, rest.end};
    int count = 0;
    for (; throng_next_field(&rest, t->separator, &field); count++)
        for (size_t k = 0; k < t->column_count; k++)
            if (t->at[k] == count) t->fields[k] = field;
    return count;
}

/* Reads the next line that is neither blank nor begins with this character. False at the end, and at a last line that a
 * killed writer did not finish. */
static bool next_row(table *t, char comment) {
    while (throng_next_line(&t->lines)) {
        throng_span line = throng_span_trim(t->lines.line);
        if (!throng_span_length(line) || *line.at == comment) continue;
        int count = split(t);
        return t->lines.whole || count >= t->field_count;
    }
    return false;
}

/* Refuses a field of the line read last. */
static bool refuse(const table *t, size_t which, throng_error *error) {
    throng_line_reader lines = t->lines;
    return throng_refuse_span(error, t->path, &lines, t->fields[which], t->columns[which].expected);
}

/* ------------------------------------------------------------------ positions */

enum { COLUMN_ID, COLUMN_X, COLUMN_Y, COLUMN_FRAME, COLUMN_TIME, COLUMN_COUNT };

static const column position_columns[COLUMN_COUNT] = {
    {{"id", "pedID", "agent_id", "ped_id", "NO", "pedestrianId"}, "an id", false},
    {{"x", "pos_x", "posX", "COORDCENTX"}, "a number as x", false},
    {{"y", "pos_y", "posY", "COORDCENTY"}, "a number as y", false},
    {{"frame", "frame_id", "fr", "timeStep"}, "a whole number as frame", true},
    {{"t", "time", "timestamp", "SIMSEC"}, "a number of seconds as time", true},
};

/* Steps a second of the old files of Vadere, which say none: its simTimeStepLength is 0.4 s unless changed. */
static const double vadere_rate = 2.5;

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
static void name_quantities(table *t, throng_recording *recording, throng_span names) {
    throng_span name;
    for (int k = 0; throng_next_field(&names, t->separator, &name); k++)
        if (throng_recording_take_title(recording, name)) t->quantity_at[recording->quantity_count - 1] = k;
}

static void read_quantities(table *t, throng_rows *rows, const throng_recording *recording) {
    throng_span rest = t->lines.line, field;
    double *values = throng_rows_values(rows, recording), value;
    for (int k = 0; throng_next_field(&rest, t->separator, &field); k++)
        for (size_t q = 0; q < recording->quantity_count; q++)
            if (t->quantity_at[q] == k && throng_span_number(field, &value)) values[q] = value;
}

static bool read_row(table *t, throng_rows *rows, double metres, throng_error *error) {
    throng_row row = {0};
    bool timed = t->at[COLUMN_TIME] >= 0;
    if (!throng_span_length(t->fields[COLUMN_ID])) return refuse(t, COLUMN_ID, error);
    if (timed && !throng_span_number(t->fields[COLUMN_TIME], &row.time)) return refuse(t, COLUMN_TIME, error);
    if (!timed && !throng_rows_frame_number(rows, t->fields[COLUMN_FRAME], &row.frame))
        return refuse(t, COLUMN_FRAME, error);
    if (!throng_span_number(t->fields[COLUMN_X], &row.x)) return refuse(t, COLUMN_X, error);
    if (!throng_span_number(t->fields[COLUMN_Y], &row.y)) return refuse(t, COLUMN_Y, error);
    row.id = throng_rows_id(rows, t->fields[COLUMN_ID]);
    row.x *= metres;
    row.y *= metres;
    *throng_rows_add(rows) = row;
    return true;
}

/* All rows after the line that names the columns. */
static bool read_rows(table *t, throng_recording *recording, const throng_recording_def *def, char comment,
                      throng_error *error) {
    throng_rows *rows = recording->file;
    double metres = def->metres_per_unit > 0 ? def->metres_per_unit : 1;
    double fps = def->fps > 0 ? def->fps : t->in_steps ? vadere_rate : 0;
    bool timed = t->at[COLUMN_TIME] >= 0;
    if (!timed && t->at[COLUMN_FRAME] < 0)
        return throng_refuse(error, t->lines.number, 1,
                             "cannot read '%s': line %d: expected a column 'frame' or 'time'", t->path,
                             t->lines.number);
    if (!timed && !(fps > 0))
        return throng_refuse(error, t->lines.number, 1,
                             "cannot read '%s': it does not say its frame rate; give it (--fps)", t->path);
    for (bool first = true; next_row(t, comment); first = false) {
        double unit = first ? metres_of(t->fields[COLUMN_X]) : 0;
        if (unit > 0)
            metres = unit;
        else if (!read_row(t, rows, metres, error))
            return false;
        if (unit == 0 && recording->quantity_count) read_quantities(t, rows, recording);
    }
    if (timed && !throng_rows_from_times(recording, def->fps, error)) return false;
    if (!timed) recording->info.fps = fps;
    return true;
}

static table table_of(const throng_recording *recording, const char *text, size_t size, const column *columns,
                      size_t count, char separator) {
    return (table){.path = recording->path,
                   .lines = throng_lines_of(text, size),
                   .columns = columns,
                   .column_count = count,
                   .separator = separator};
}

/* Goes on to the first line with anything in it; an error when there is none. */
static bool find_names(table *t, throng_span *names, throng_error *error) {
    while (throng_next_line(&t->lines)) {
        *names = throng_span_trim(t->lines.line);
        if (throng_span_length(*names) && *names->at != '#') return true;
    }
    return throng_refuse_read(error, t->path, "there is nothing in it");
}

THRONG_PARSED(csv) {
    table t = table_of(recording, text, size, position_columns, COLUMN_COUNT, ',');
    throng_span names;
    if (!find_names(&t, &names, error)) return false;
    t.separator = separator_of(names);
    t.in_steps = throng_span_find(names, "timeStep") != NULL;
    name_quantities(&t, recording, names);
    return name_columns(&t, names, error) && read_rows(&t, recording, def, '#', error);
}

/* The table of people comes after others, which begin with a $ and their name. */
THRONG_PARSED(viswalk) {
    static const char mark[] = "$PEDESTRIAN:";
    table t = table_of(recording, text, size, position_columns, COLUMN_COUNT, ';');
    while (throng_next_line(&t.lines)) {
        const char *at = throng_span_find(t.lines.line, mark);
        if (!at) continue;
        throng_span names = {at + sizeof mark - 1, t.lines.line.end};
        return name_columns(&t, names, error) && read_rows(&t, recording, def, '*', error);
    }
    return throng_refuse_read(error, recording->path,
                              "expected a line that begins with $PEDESTRIAN: and names columns");
}

/* ------------------------------------------------------------------ footsteps */

static const double usual_rate = 10;
static const double row_most = 1e9; /* more would be a mistake in the times */

enum { STEP_ID, STEP_START, STEP_END, STEP_FROM_X, STEP_FROM_Y, STEP_TO_X, STEP_TO_Y, STEP_COUNT };

static const column step_columns[STEP_COUNT] = {
    {{"pedestrianId"}, "a whole number from 0 as pedestrianId", false},
    {{"simTime"}, "a number of seconds as simTime", false},
    {{"endTime"}, "a number of seconds as endTime", false},
    {{"startX"}, "a number as startX", false},
    {{"startY"}, "a number as startY", false},
    {{"endX"}, "a number as endX", false},
    {{"endY"}, "a number as endY", false},
};

typedef struct footstep {
    throng_agent id;
    double values[STEP_COUNT]; /* s and m, by column */
} footstep;

typedef struct footsteps {
    footstep *items;
    size_t count, capacity;
} footsteps;

static bool read_footsteps(table *t, footsteps *steps, throng_error *error) {
    while (next_row(t, '#')) {
        footstep step;
        if (!throng_span_whole(t->fields[STEP_ID], &step.id)) return refuse(t, STEP_ID, error);
        for (size_t k = STEP_START; k < STEP_COUNT; k++)
            if (!throng_span_number(t->fields[k], &step.values[k])) return refuse(t, k, error);
        if (step.values[STEP_END] < step.values[STEP_START])
            return throng_refuse(error, t->lines.number, 1,
                                 "cannot read '%s': line %d: the step ends at %g s, before it begins at %g s", t->path,
                                 t->lines.number, step.values[STEP_END], step.values[STEP_START]);
        THRONG_GROW(steps->items, steps->capacity, steps->count + 1);
        steps->items[steps->count++] = step;
    }
    return true;
}

static int compare_footsteps(const void *a, const void *b) {
    const footstep *first = a, *second = b;
    if (first->id != second->id) return first->id < second->id ? -1 : 1;
    double p = first->values[STEP_START], q = second->values[STEP_START];
    return p < q ? -1 : p > q;
}

static double between(double a, double b, double part) { return a + (b - a) * part; }

/* The frames from the start of a step up to the next one of the same person, or when it is the last to its end. */
static void add_rows(throng_rows *rows, const footstep *step, const footstep *next, double fps, double *frame) {
    const double *v = step->values;
    double end = next ? next->values[STEP_START] : v[STEP_END], length = v[STEP_END] - v[STEP_START];
    if (*frame < ceil(v[STEP_START] * fps)) *frame = ceil(v[STEP_START] * fps);
    for (; next ? *frame / fps < end : *frame / fps <= end; (*frame)++) {
        double part = length > 0 ? (*frame / fps - v[STEP_START]) / length : 1;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        *throng_rows_add(rows) = (throng_row){.frame = (uint64_t)*frame,
                                              .id = step->id,
                                              .x = between(v[STEP_FROM_X], v[STEP_TO_X], part),
                                              .y = between(v[STEP_FROM_Y], v[STEP_TO_Y], part)};
    }
}

static bool walk(throng_recording *recording, footsteps *steps, double fps, throng_error *error) {
    double rows = 0;
    for (size_t i = 0; i < steps->count; i++) {
        bool last = i + 1 == steps->count || steps->items[i + 1].id != steps->items[i].id;
        double start = steps->items[i].values[STEP_START];
        double end = last ? steps->items[i].values[STEP_END] : steps->items[i + 1].values[STEP_START];
        rows += (end - start) * fps + 1;
        if (start >= 0 && rows < row_most && end * fps < 1e15) continue;
        return throng_refuse(error, 0, 0, "cannot read '%s': steps from %g s to %g s make no recording",
                             recording->path, start, end);
    }
    double frame = 0;
    for (size_t i = 0; i < steps->count; i++) {
        bool first = i == 0 || steps->items[i - 1].id != steps->items[i].id;
        bool last = i + 1 == steps->count || steps->items[i + 1].id != steps->items[i].id;
        if (first) frame = 0;
        add_rows(recording->file, &steps->items[i], last ? NULL : &steps->items[i + 1], fps, &frame);
    }
    recording->info.fps = fps;
    return true;
}

THRONG_PARSED(vadere) {
    table t = table_of(recording, text, size, step_columns, STEP_COUNT, ' ');
    throng_span names;
    footsteps steps = {0};
    if (!find_names(&t, &names, error) || !name_columns(&t, names, error)) return false;
    bool good = read_footsteps(&t, &steps, error);
    if (good && steps.count) qsort(steps.items, steps.count, sizeof *steps.items, compare_footsteps);
    good = good && walk(recording, &steps, def->fps > 0 ? def->fps : usual_rate, error);
    throng_release(steps.items);
    return good;
}
