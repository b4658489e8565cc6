/* rows.c: see rows.h. */

#include "record/rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "text/file.h"

throng_row *throng_rows_add(throng_rows *rows) {
    THRONG_GROW(rows->rows, rows->capacity, rows->count + 1);
    return &rows->rows[rows->count++];
}

double *throng_rows_values(throng_rows *rows, const throng_recording *recording) {
    size_t count = recording->quantity_count, number = rows->count - 1;
    THRONG_GROW(rows->values, rows->value_capacity, (number + 1) * count);
    rows->rows[number].number = number;
    for (size_t i = 0; i < count; i++) rows->values[number * count + i] = NAN;
    return rows->values + number * count;
}

void throng_rows_add_moment(throng_rows *rows, double time) {
    THRONG_GROW(rows->moments, rows->moment_capacity, rows->moment_count + 1);
    rows->moments[rows->moment_count++] = time;
}

bool throng_rows_frame_number(throng_rows *rows, throng_span word, uint64_t *value) {
    bool negative = throng_span_length(word) > 1 && *word.at == '-';
    if (negative) word.at++;
    if (!throng_span_whole(word, value) || (negative && *value > INT32_MAX)) return false;
    if (negative && *value > rows->early) rows->early = *value;
    if (negative) *value = 0 - *value;
    return true;
}

throng_agent throng_rows_id(throng_rows *rows, throng_span text) {
    char *name = throng_span_copy(text);
    throng_agent number = throng_names_add(&rows->ids, name);
    throng_release(name);
    return number;
}

bool throng_recording_take_title(throng_recording *recording, throng_span title) {
    const char *open = throng_span_find(title, " ["), *close = throng_span_find(title, "]");
    if (!open || !close || close < open || open == title.at) return false;
    char *name = throng_span_copy((throng_span){title.at, open}),
         *unit = throng_span_copy((throng_span){open + 2, close});
    char *help = throng_span_copy(throng_span_trim((throng_span){close + 1, title.end}));
    bool added = throng_recording_add_quantity(recording, name, unit, help) != SIZE_MAX;
    THRONG_RELEASE(name, unit, help);
    return added;
}

/* The whole number that a text is, written the way we would write it: 007 and 7 are two. */
static bool plain_number(const char *text, uint64_t *value) {
    size_t length = strlen(text);
    if (length > 1 && text[0] == '0') return false;
    return length <= 18 && strspn(text, "0123456789") == length && throng_span_whole(throng_span_of(text), value);
}

static void settle_ids(throng_rows *rows) {
    if (rows->ids.count == 0) return;
    throng_agent *numbers = throng_allocate(rows->ids.count * sizeof *numbers);
    for (size_t i = 0; i < rows->ids.count; i++)
        if (!plain_number(rows->ids.names[i], &numbers[i])) rows->by_name = true;
    for (size_t i = 0; i < rows->count; i++) {
        throng_row *row = &rows->rows[i];
        row->id = rows->by_name ? row->id + 1 : numbers[row->id];
    }
    throng_release(numbers);
}

static void name_people(throng_recording *recording, throng_rows *rows) {
    for (size_t i = 0; rows->by_name && i < rows->ids.count; i++) {
        throng_recording_agent *agent = throng_recording_find_agent(recording, i + 1);
        if (agent) agent->name = throng_recording_name(recording, rows->ids.names[i]);
    }
    throng_names_clear(&rows->ids);
}

static bool precedes(const throng_row *a, const throng_row *b) {
    return a->frame != b->frame ? a->frame < b->frame : a->id < b->id;
}

/* The end of the run of rows in order that starts at `first`. */
static size_t run_end(const throng_row *rows, size_t first, size_t count) {
    size_t end = first + 1;
    while (end < count && !precedes(&rows[end], &rows[end - 1])) end++;
    return end;
}

static void merge(const throng_row *a, const throng_row *a_end, const throng_row *b, const throng_row *b_end,
                  throng_row *out) {
    while (a < a_end && b < b_end) *out++ = precedes(b, a) ? *b++ : *a++;
    if (a < a_end) memcpy(out, a, (size_t)(a_end - a) * sizeof *a);
    if (b < b_end) memcpy(out, b, (size_t)(b_end - b) * sizeof *b);
}

/* Merges runs that are in order already until one is left: nothing to do for a file in order of
 * frames, few passes for the usual one that has person after person. */
static void sort_rows(throng_rows *rows) {
    size_t count = rows->count;
    if (run_end(rows->rows, 0, count) >= count) return;
    throng_row *from = rows->rows, *to = throng_reallocate(NULL, count * sizeof *to);
    for (size_t runs = 2; runs > 1;) {
        runs = 0;
        for (size_t first = 0; first < count; runs++) {
            size_t middle = run_end(from, first, count);
            size_t end = middle < count ? run_end(from, middle, count) : count;
            merge(from + first, from + middle, from + middle, from + end, to + first);
            first = end;
        }
        throng_row *swap = from;
        from = to;
        to = swap;
    }
    throng_release(to);
    rows->rows = from;
    rows->capacity = count;
}

bool throng_look_at(throng_look *look, uint64_t frame, throng_agent id, double x, double y, size_t row) {
    if (look->row_count++ == 0) look->bounds = throng_box_empty();
    throng_id_set_add(&look->ids, id);
    look->bounds = throng_box_with(look->bounds, x, y);
    if (look->frame_count && frame < look->last_frame) return false;
    if (look->frame_count == 0 || frame > look->last_frame) {
        THRONG_GROW(look->frames, look->frame_capacity, look->frame_count + 2);
        look->frames[look->frame_count++] = (struct throng_frame_start){frame, row};
    }
    look->last_frame = frame;
    return true;
}

void throng_look_end(throng_look *look, throng_recording *recording, size_t end) {
    if (look->frame_count) look->frames[look->frame_count].first = end;
    throng_recording_set_agents(recording, &look->ids);
    recording->info.row_count = look->row_count;
    recording->info.frame_count = look->frame_count ? (size_t)look->last_frame + 1 : 0;
    if (look->row_count) recording->info.bounds = look->bounds;
}

void throng_look_for_step(const throng_look *look, throng_recording *recording) {
    uint64_t step = 0;
    for (size_t i = 1; i < look->frame_count; i++) {
        uint64_t a = look->frames[i].number - look->frames[i - 1].number;
        while (a) {
            uint64_t rest = step % a;
            step = a;
            a = rest;
        }
    }
    recording->frame_step = step ? (size_t)step : 1;
    if (look->frame_count) recording->frame_phase = (size_t)look->frames[0].number % recording->frame_step;
}

static int compare_frames(const void *a, const void *b) {
    const struct throng_frame_start *first = a, *second = b;
    return first->number < second->number ? -1 : first->number > second->number;
}

const struct throng_frame_start *throng_look_find(const throng_look *look, size_t frame) {
    struct throng_frame_start key = {.number = frame};
    return look->frame_count ? bsearch(&key, look->frames, look->frame_count, sizeof key, compare_frames) : NULL;
}

void throng_look_release(throng_look *look) {
    THRONG_RELEASE(look->ids.slots, look->frames);
    *look = (throng_look){0};
}

bool throng_rows_finish(throng_recording *recording, throng_error *error) {
    throng_rows *rows = recording->file;
    throng_recording_info *info = &recording->info;
    if (rows->count == 0) return throng_refuse_read(error, recording->path, "there is no row in it");
    settle_ids(rows);
    /* The first of the frames before 0 becomes frame 0. */
    for (size_t i = 0; i < rows->count; i++) rows->rows[i].frame += rows->early;
    sort_rows(rows);
    for (size_t i = 0; i < rows->count; i++) {
        const throng_row *row = &rows->rows[i];
        throng_look_at(&rows->look, row->frame, row->id, row->x, row->y, i);
    }
    throng_look_end(&rows->look, recording, rows->count);
    throng_look_for_step(&rows->look, recording);
    /* Where empty frames are told of, none is left out. */
    if (rows->listed) {
        recording->frame_step = 1;
        recording->frame_phase = 0;
    }
    if (rows->listed > info->frame_count) info->frame_count = rows->listed;
    name_people(recording, rows);
    if (rows->walls.text) recording->ground.walls = rows->walls.text;
    if (rows->marks.text) recording->ground.marks = rows->marks.text;
    rows->walls = rows->marks = (throng_string){0};
    if (!(info->fps > 0)) info->fps = rows->rate * (double)recording->frame_step;
    return true;
}

static bool open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    size_t size;
    recording->file = throng_allocate(sizeof(throng_rows));
    char *text = throng_file_bytes(recording->path, SIZE_MAX / 4, &size);
    if (!text && errno == EBADMSG)
        return throng_refuse_read(error, recording->path, "it is packed (gzip), and damaged or cut off");
    if (!text) return throng_refuse_read(error, recording->path, strerror(errno));
    bool good = recording->format->parse(recording, text, size, def, error);
    throng_release(text);
    if (!good || !throng_rows_finish(recording, error)) return false;
    if (recording->info.fps > 0 && isfinite(recording->info.fps)) return true;
    return throng_refuse_read(error, recording->path, "no scene in it says its frame rate (\"fps\"); give it (--fps)");
}

static bool read(throng_recording *recording, size_t frame, throng_error *error) {
    (void)error;
    throng_rows *rows = recording->file;
    recording->count = 0;
    const struct throng_frame_start *found = throng_look_find(&rows->look, frame);
    if (!found) return true;
    size_t count = found[1].first - found->first;
    throng_recording_reserve(recording, count);
    for (size_t i = 0; i < count; i++) {
        const throng_row *row = &rows->rows[found->first + i];
        recording->id[i] = row->id;
        recording->x[i] = row->x;
        recording->y[i] = row->y;
        for (size_t q = 0; q < recording->quantity_count; q++)
            recording->values[q][i] = rows->values[row->number * recording->quantity_count + q];
    }
    recording->count = count;
    return true;
}

static void release(throng_recording *recording) {
    throng_rows *rows = recording->file;
    if (!rows) return;
    throng_names_clear(&rows->ids);
    throng_look_release(&rows->look);
    THRONG_RELEASE(rows->rows, rows->values, rows->moments, rows->walls.text, rows->marks.text, rows);
}

const throng_record_reader throng_rows_reader = {.open = open, .read = read, .release = release};
