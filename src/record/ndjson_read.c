/* ndjson_read.c: reading TrajNet++'s ndjson (ndjson_write.c), anybody's or ours.
 *
 * The rate of a scene is how often people were looked at, while its frames are often numbered as in the
 * video, every tenth: frames a second are the rate times that step. Our own first line has the frames
 * a second themselves. Rows with a prediction_number are forecasts, and left out. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/rows.h"

enum { nesting_most = 32 };

typedef struct ndjson_reader {
    throng_recording *recording;
    throng_rows *rows;
    throng_line_reader lines;
    throng_span rest; /* of the line */
    throng_error *error;
} ndjson_reader;

static bool refuse(ndjson_reader *reader, throng_span found, const char *expected) {
    return throng_refuse_span(reader->error, reader->recording->path, &reader->lines, found, expected);
}

static bool refuse_here(ndjson_reader *reader, const char *expected) {
    throng_span s = reader->rest;
    if (throng_span_length(s) > 20) s.end = s.at + 20;
    return refuse(reader, throng_span_trim(s), expected);
}

static void skip_space(ndjson_reader *reader) {
    while (reader->rest.at < reader->rest.end && throng_is_space(*reader->rest.at)) reader->rest.at++;
}

/* Takes this character, if it comes next. */
static bool take(ndjson_reader *reader, char c) {
    skip_space(reader);
    if (reader->rest.at == reader->rest.end || *reader->rest.at != c) return false;
    reader->rest.at++;
    return true;
}

/* A text between quotation marks, as it is written. */
static bool take_text(ndjson_reader *reader, throng_span *text) {
    if (!take(reader, '"')) return refuse_here(reader, "a text in quotation marks");
    const char *c = reader->rest.at;
    while (c < reader->rest.end && *c != '"') c += *c == '\\' && c + 1 < reader->rest.end ? 2 : 1;
    if (c >= reader->rest.end) return refuse_here(reader, "a closing quotation mark");
    *text = (throng_span){reader->rest.at, c};
    reader->rest.at = c + 1;
    return true;
}

/* A number, true, false or null, as it is written. */
static throng_span take_bare(ndjson_reader *reader) {
    skip_space(reader);
    throng_span s = {reader->rest.at, reader->rest.at};
    while (s.end < reader->rest.end && !strchr(",}] \t\r", *s.end)) s.end++;
    reader->rest.at = s.end;
    return s;
}

/* Passes over a value of any kind. */
static bool skip_value(ndjson_reader *reader) {
    int depth = 0;
    do {
        skip_space(reader);
        if (reader->rest.at == reader->rest.end) return refuse_here(reader, "a value");
        char c = *reader->rest.at;
        throng_span text;
        if (c == '"') {
            if (!take_text(reader, &text)) return false;
        } else if (c == '{' || c == '[') {
            if (++depth > nesting_most) return refuse_here(reader, "fewer brackets in each other");
            reader->rest.at++;
        } else if (c == '}' || c == ']') {
            if (depth-- == 0) return refuse_here(reader, "a value");
            reader->rest.at++;
        } else if (depth > 0 && (c == ',' || c == ':')) {
            reader->rest.at++;
        } else if (throng_span_length(take_bare(reader)) == 0)
            return refuse_here(reader, "a value");
    } while (depth > 0);
    return true;
}

/* What is done with a value, which comes next. */
typedef bool value_function(ndjson_reader *reader, throng_span key, void *context);

static bool read_object(ndjson_reader *reader, value_function *value, void *context) {
    if (!take(reader, '{')) return refuse_here(reader, "'{'");
    if (take(reader, '}')) return true;
    do {
        throng_span key = {0};
        if (!take_text(reader, &key)) return false;
        if (!take(reader, ':')) return refuse_here(reader, "':'");
        if (!value(reader, key, context)) return false;
    } while (take(reader, ','));
    return take(reader, '}') || refuse_here(reader, "',' or '}'");
}

typedef struct track {
    throng_span f, p, x, y;
    throng_span values[THRONG_QUANTITIES_MOST]; /* of quantities */
    bool forecast;
} track;

static bool read_track_value(ndjson_reader *reader, throng_span key, void *context) {
    track *t = context;
    throng_span *known[] = {&t->f, &t->p, &t->x, &t->y};
    for (int k = 0; k < 4; k++) {
        if (throng_span_length(key) != 1 || *key.at != "fpxy"[k]) continue;
        *known[k] = take_bare(reader);
        return true;
    }
    for (size_t q = 0; q < reader->recording->quantity_count; q++) {
        if (!throng_span_is(key, reader->recording->quantities[q].name)) continue;
        t->values[q] = take_bare(reader);
        return true;
    }
    if (!throng_span_is(key, "prediction_number")) return skip_value(reader);
    t->forecast = !throng_span_is(take_bare(reader), "null");
    return true;
}

static bool read_track(ndjson_reader *reader) {
    track t = {0};
    throng_row row = {0};
    throng_span start = {reader->rest.at, reader->rest.at};
    t.f = t.p = t.x = t.y = start;
    if (!read_object(reader, read_track_value, &t)) return false;
    if (t.forecast) return true;
    if (!throng_rows_frame_number(reader->rows, t.f, &row.frame)) return refuse(reader, t.f, "a whole number as f");
    if (!throng_span_whole(t.p, &row.id)) return refuse(reader, t.p, "a whole number from 0 as p");
    if (!throng_span_number(t.x, &row.x)) return refuse(reader, t.x, "a number as x");
    if (!throng_span_number(t.y, &row.y)) return refuse(reader, t.y, "a number as y");
    *throng_rows_add(reader->rows) = row;
    size_t count = reader->recording->quantity_count;
    double *values = count ? throng_rows_values(reader->rows, reader->recording) : NULL, value;
    for (size_t q = 0; q < count; q++)
        if (t.values[q].at && throng_span_number(t.values[q], &value)) values[q] = value;
    return true;
}

static bool read_rate(ndjson_reader *reader, double *rate) {
    throng_span word = take_bare(reader);
    double value;
    if (throng_span_is(word, "null")) return true;
    if (!throng_span_number(word, &value) || !(value > 0)) return refuse(reader, word, "a number above 0 as fps");
    *rate = value;
    return true;
}

static bool read_scene_value(ndjson_reader *reader, throng_span key, void *context) {
    (void)context;
    return throng_span_is(key, "fps") ? read_rate(reader, &reader->rows->rate) : skip_value(reader);
}

/* Texts of thin walls, or of the titles of quantities, which come before all rows. */
static bool read_texts(ndjson_reader *reader, bool walls) {
    if (!take(reader, '[')) return refuse_here(reader, "'['");
    if (take(reader, ']')) return true;
    do {
        throng_span item;
        if (!take_text(reader, &item)) return false;
        if (!walls && reader->rows->count == 0) throng_recording_take_title(reader->recording, item);
        if (walls) throng_string_print(&reader->rows->walls, "%.*s\n", THRONG_SPAN(item));
    } while (take(reader, ','));
    return take(reader, ']') || refuse_here(reader, "',' or ']'");
}

/* The text that is meant, to be released: what a backslash stands before is that character, and n the end of a line. */
static char *plain_copy(throng_span text) {
    char *copy = throng_span_copy(text), *out = copy;
    for (const char *c = copy; *c; c++) {
        bool escaped = *c == '\\' && c[1];
        if (escaped) c++;
        *out++ = escaped && *c == 'n' ? '\n' : *c;
    }
    *out = 0;
    return copy;
}

static bool read_own_value(ndjson_reader *reader, throng_span key, void *context) {
    (void)context;
    throng_recording *recording = reader->recording;
    throng_span text;
    if (throng_span_is(key, "fps")) return read_rate(reader, &recording->info.fps);
    if (throng_span_is(key, "walls")) return read_texts(reader, true);
    if (throng_span_is(key, "quantities")) return read_texts(reader, false);
    bool marks = throng_span_is(key, "marks");
    if (!marks && !throng_span_is(key, "geometry")) return skip_value(reader);
    if (!take_text(reader, &text)) return false;
    char **out = marks ? &recording->ground.marks : &recording->ground.wkt;
    throng_release(*out);
    *out = plain_copy(text);
    return true;
}

static bool read_line_value(ndjson_reader *reader, throng_span key, void *context) {
    (void)context;
    if (throng_span_is(key, "track")) return read_track(reader);
    if (throng_span_is(key, "scene")) return read_object(reader, read_scene_value, NULL);
    if (throng_span_is(key, "throng")) return read_object(reader, read_own_value, NULL);
    return skip_value(reader);
}

static bool read_lines(ndjson_reader *reader) {
    while (throng_next_line(&reader->lines)) {
        reader->rest = throng_span_trim(reader->lines.line);
        if (!throng_span_length(reader->rest)) continue;
        /* The row that a killed writer was about to finish. */
        if (!reader->lines.whole && reader->rows->count > 0 && reader->rest.end[-1] != '}') break;
        if (!read_object(reader, read_line_value, NULL)) return false;
        skip_space(reader);
        if (reader->rest.at < reader->rest.end) return refuse_here(reader, "the end of the line");
    }
    return true;
}

THRONG_PARSED(ndjson) {
    ndjson_reader reader = {
        .recording = recording, .rows = recording->file, .lines = throng_lines_of(text, size), .error = error};
    if (!read_lines(&reader)) return false;
    if (def->fps > 0) recording->info.fps = def->fps;
    return true;
}
