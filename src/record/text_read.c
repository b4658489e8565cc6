/* text_read.c: reading Juelich / PeTrack text files the way PedPy does, and a little more.
 *
 * Lines before the first row that begin with # are the header: the frame rate is the first number on
 * the first line that has "framerate"; the unit is what the last line with "x/m", "in m", "x/cm" or
 * "in cm" says; "# geometry:" holds WKT, or the name of a .wkt file beside this one. Rows are id, frame,
 * x, y and whatever may follow, apart by any white space, in any order.
 *
 * ETH's obsmat.txt is such a text without a header, of other columns: frame, id, x, height, y and velocity,
 * in metres. It does not say its frame rate, but everybody was looked at every 0.4 s. */

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "record/rows.h"
#include "text/file.h"

/* How often the people of the ETH data were looked at, 1/s. */
static const double eth_rate = 2.5;

typedef struct text_reader {
    throng_recording *recording;
    throng_rows *rows;
    throng_line_reader lines;
    double metres; /* per unit */
    bool eth;
} text_reader;

/* What follows "# key:", without white space around it; an empty span when the line has another key. */
static throng_span value_of(throng_span line, const char *key) {
    static const throng_span none = {0};
    throng_span s = {line.at + 1, line.end};
    while (s.at < s.end && (*s.at == ' ' || *s.at == '\t')) s.at++;
    size_t length = strlen(key);
    if (throng_span_length(s) <= length || strncasecmp(s.at, key, length) != 0 || s.at[length] != ':') return none;
    s.at += length + 1;
    return throng_span_trim(s);
}

static double first_number(throng_span s) {
    for (const char *c = s.at; c < s.end; c++) {
        double value;
        if (throng_number_read(c, &value)) return value;
    }
    return 0;
}

/* WKT in the header or the text of the file it names; a name we can make nothing of is passed over. */
static void take_geometry(throng_recording *recording, throng_span value) {
    if (!throng_span_length(value) || recording->ground.wkt) return;
    char *text = throng_span_copy(value);
    size_t length = strlen(text);
    if (strchr(text, '(')) {
        recording->ground.wkt = text;
        return;
    }
    if (length >= 4 && strcasecmp(text + length - 4, ".wkt") == 0) {
        char *path = throng_path_beside(recording->path, text);
        recording->ground.wkt = throng_file_bytes(path, SIZE_MAX / 4, &length);
        throng_release(path);
    }
    throng_release(text);
}

static void read_header_line(text_reader *reader, throng_span line) {
    throng_recording *recording = reader->recording;
    const char *rate = throng_span_find(line, "framerate");
    if (rate && recording->info.fps == 0) recording->info.fps = first_number((throng_span){rate, line.end});
    take_geometry(recording, value_of(line, "geometry"));
    throng_span quantity = value_of(line, "quantity");
    if (throng_span_length(quantity)) throng_recording_take_title(recording, quantity);
    throng_span wall = value_of(line, "wall"), mark = value_of(line, "mark");
    if (throng_span_length(wall)) throng_string_print(&reader->rows->walls, "%.*s\n", THRONG_SPAN(wall));
    if (throng_span_length(mark)) throng_string_print(&reader->rows->marks, "%.*s\n", THRONG_SPAN(mark));
    if (throng_span_find(line, "x/m") || throng_span_find(line, "in m")) reader->metres = 1;
    if (throng_span_find(line, "x/cm") || throng_span_find(line, "in cm")) reader->metres = 0.01;
}

/* At the first row the header must have said, or the caller, what the numbers mean. */
static bool settle_units(text_reader *reader, const throng_recording_def *def, throng_error *error) {
    throng_recording *recording = reader->recording;
    if (!(recording->info.fps > 0)) recording->info.fps = def->fps;
    if (reader->metres == 0) reader->metres = def->metres_per_unit;
    if (reader->eth && reader->metres == 0) reader->metres = 1;
    if (!reader->eth && !(recording->info.fps > 0 && isfinite(recording->info.fps)))
        return throng_refuse(
            error, reader->lines.number, 1,
            "cannot read '%s': it does not say its frame rate; give it, or begin the file with a line such "
            "as \"# framerate: 16 fps\"",
            recording->path);
    if (!(reader->metres > 0 && isfinite(reader->metres)))
        return throng_refuse(error, reader->lines.number, 1,
                             "cannot read '%s': it does not say its unit; give it, or add a line such as \"# id frame "
                             "x/cm y/cm\" or \"# id frame x/m y/m\" before the first row",
                             recording->path);
    return true;
}

enum field { FIELD_ID, FIELD_FRAME, FIELD_X, FIELD_Y, FIELD_HEIGHT };

/* Division keeps "123 cm" the double nearest to 1.23. */
static double in_metres(double value, double metres) { return metres == 0.01 ? value / 100 : value * metres; }

static bool read_row(text_reader *reader, throng_error *error) {
    static const char *const expected[] = {"a whole number from 0 as id", "a whole number as frame", "a number as x",
                                           "a number as y", "a number as height"};
    static const enum field plain[] = {FIELD_ID, FIELD_FRAME, FIELD_X, FIELD_Y};
    static const enum field eth[] = {FIELD_FRAME, FIELD_ID, FIELD_X, FIELD_HEIGHT, FIELD_Y};
    throng_row row = {0};
    double numbers[FIELD_HEIGHT + 1];
    throng_span line = reader->lines.line;
    for (int k = 0; k < (reader->eth ? 5 : 4); k++) {
        enum field field = reader->eth ? eth[k] : plain[k];
        throng_span word = throng_next_word(&line);
        bool good = field == FIELD_ID      ? throng_span_whole(word, &row.id)
                    : field == FIELD_FRAME ? throng_rows_frame_number(reader->rows, word, &row.frame)
                                           : throng_span_number(word, &numbers[field]);
        if (!good) return throng_refuse_span(error, reader->recording->path, &reader->lines, word, expected[field]);
    }
    row.x = in_metres(numbers[FIELD_X], reader->metres);
    row.y = in_metres(numbers[FIELD_Y], reader->metres);
    *throng_rows_add(reader->rows) = row;
    size_t count = reader->recording->quantity_count;
    if (count == 0) return true;
    /* After the height, in the order of the header; what is no number is not known. */
    double *values = throng_rows_values(reader->rows, reader->recording), value;
    throng_next_word(&line);
    for (size_t k = 0; k < count; k++)
        if (throng_span_number(throng_next_word(&line), &value)) values[k] = value;
    return true;
}

static size_t count_words(throng_span line) {
    size_t count = 0;
    while (throng_span_length(throng_next_word(&line)) > 0) count++;
    return count;
}

static bool read_lines(text_reader *reader, const throng_recording_def *def, throng_error *error) {
    bool header = true;
    size_t columns = 0;
    while (throng_next_line(&reader->lines)) {
        throng_span line = reader->lines.line, rest = line, word = throng_next_word(&rest);
        if (!throng_span_length(word)) continue;
        if (*word.at == '#') {
            if (header) read_header_line(reader, (throng_span){word.at, line.end});
            continue;
        }
        if (header && !settle_units(reader, def, error)) return false;
        if (header) columns = count_words(line);
        header = false;
        /* The row that a killed writer was about to finish: not even its last column is there. */
        if (!reader->lines.whole && reader->rows->count > 0 && count_words(line) < columns) break;
        if (!read_row(reader, error)) return false;
    }
    return true;
}

static bool parse(throng_recording *recording, const char *text, size_t size, const throng_recording_def *def, bool eth,
                  throng_error *error) {
    text_reader reader = {recording, recording->file, throng_lines_of(text, size), 0, eth};
    if (eth) reader.rows->rate = eth_rate;
    return read_lines(&reader, def, error);
}

THRONG_PARSED(text) { return parse(recording, text, size, def, false, error); }
THRONG_PARSED(eth) { return parse(recording, text, size, def, true, error); }
