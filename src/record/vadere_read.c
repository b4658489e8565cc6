/* vadere_read.c: reading Vadere's .traj: footsteps, each from a place and time to another.
 *
 *     #IDXCOL=2,DATACOL=6,SEP=' '
 *     pedestrianId simTime endTime-PID1 startX-PID1 startY-PID1 endX-PID1 endY-PID1 targetId-PID2
 *     1 0.0 0.42 3.1 2.0 3.7 2.1 2
 *
 * Between the two ends of a step people are taken to move evenly, and to stand between two steps. Frames
 * are as many a second as asked for, else ten. */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/rows.h"
#include "record/table.h"

static const double usual_rate = 10;
static const double row_most = 1e9; /* more would be a mistake in the times */

enum { COLUMN_ID, COLUMN_START, COLUMN_END, COLUMN_FROM_X, COLUMN_FROM_Y, COLUMN_TO_X, COLUMN_TO_Y, COLUMN_COUNT };

static const throng_table_column columns[COLUMN_COUNT] = {
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
    double values[COLUMN_COUNT]; /* s and m, by column */
} footstep;

typedef struct footsteps {
    footstep *items;
    size_t count, capacity;
} footsteps;

static bool read_footsteps(throng_table *table, footsteps *steps, throng_error *error) {
    while (throng_table_next(table, '#')) {
        footstep step;
        if (!throng_span_whole(table->fields[COLUMN_ID], &step.id)) return throng_table_refuse(table, COLUMN_ID, error);
        for (size_t k = COLUMN_START; k < COLUMN_COUNT; k++)
            if (!throng_span_number(table->fields[k], &step.values[k])) return throng_table_refuse(table, k, error);
        if (step.values[COLUMN_END] < step.values[COLUMN_START])
            return throng_refuse(error, table->lines.number, 1,
                                 "cannot read '%s': line %d: the step ends at %g s, before it begins at %g s",
                                 table->path, table->lines.number, step.values[COLUMN_END], step.values[COLUMN_START]);
        THRONG_GROW(steps->items, steps->capacity, steps->count + 1);
        steps->items[steps->count++] = step;
    }
    return true;
}

static int compare_footsteps(const void *a, const void *b) {
    const footstep *first = a, *second = b;
    if (first->id != second->id) return first->id < second->id ? -1 : 1;
    double p = first->values[COLUMN_START], q = second->values[COLUMN_START];
    return p < q ? -1 : p > q;
}

static double between(double a, double b, double part) { return a + (b - a) * part; }

/* The frames from the start of a step up to the next one of the same person, or when it is the last to its end. */
static void add_rows(throng_rows *rows, const footstep *step, const footstep *next, double fps, double *frame) {
    const double *v = step->values;
    double end = next ? next->values[COLUMN_START] : v[COLUMN_END], length = v[COLUMN_END] - v[COLUMN_START];
    if (*frame < ceil(v[COLUMN_START] * fps)) *frame = ceil(v[COLUMN_START] * fps);
    for (; next ? *frame / fps < end : *frame / fps <= end; (*frame)++) {
        double part = length > 0 ? (*frame / fps - v[COLUMN_START]) / length : 1;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        *throng_rows_add(rows) = (throng_row){.frame = (uint64_t)*frame,
                                              .id = step->id,
                                              .x = between(v[COLUMN_FROM_X], v[COLUMN_TO_X], part),
                                              .y = between(v[COLUMN_FROM_Y], v[COLUMN_TO_Y], part)};
    }
}

static bool walk(throng_recording *recording, footsteps *steps, double fps, throng_error *error) {
    double rows = 0;
    for (size_t i = 0; i < steps->count; i++) {
        bool last = i + 1 == steps->count || steps->items[i + 1].id != steps->items[i].id;
        double start = steps->items[i].values[COLUMN_START];
        double end = last ? steps->items[i].values[COLUMN_END] : steps->items[i + 1].values[COLUMN_START];
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
        add_rows(throng_rows_of(recording), &steps->items[i], last ? NULL : &steps->items[i + 1], fps, &frame);
    }
    recording->info.fps = fps;
    return throng_rows_finish(recording, error);
}

static bool open_table(throng_table *table, throng_recording *recording, double fps, throng_error *error) {
    bool named = false;
    while (!named && throng_next_line(&table->lines)) {
        throng_span line = throng_span_trim(table->lines.line);
        if (!throng_span_length(line) || *line.at == '#') continue;
        if (!throng_table_name_columns(table, line, error)) return false;
        named = true;
    }
    if (!named) return throng_refuse_read(error, recording->path, "there is nothing in it");
    footsteps steps = {0};
    bool good = read_footsteps(table, &steps, error);
    if (good && steps.count) qsort(steps.items, steps.count, sizeof *steps.items, compare_footsteps);
    good = good && walk(recording, &steps, fps, error);
    throng_release(steps.items);
    return good;
}

bool throng_vadere_open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    throng_rows_of(recording);
    size_t size;
    char *text = throng_recording_text(recording, &size, error);
    if (!text) return false;
    throng_table table = {.path = recording->path,
                          .lines = throng_lines_of(text, size),
                          .separator = ' ',
                          .columns = columns,
                          .column_count = COLUMN_COUNT};
    bool good = open_table(&table, recording, def->fps > 0 ? def->fps : usual_rate, error);
    throng_release(text);
    return good;
}
