/* text_read.c: reading Juelich / PeTrack text files the way PedPy does, and a little more.
 *
 * Lines before the first row that begin with # are the header: the frame rate is the first number on
 * the first line that has "framerate"; the unit is what the last line with "x/m", "in m", "x/cm" or
 * "in cm" says; "# geometry:" holds WKT, or the name of a .wkt file beside this one. Rows are id, frame,
 * x, y and whatever may follow, apart by any white space, in any order.
 *
 * ETH's obsmat.txt is such a text without a header, of other columns: frame, id, x, height, y and velocity,
 * in metres. It does not say its frame rate, but everybody was looked at every 0.4 s. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "record/record.h"
#include "space/number.h"
#include "world/memory.h"
#include "world/report.h"

typedef struct text_row {
    uint64_t frame;
    throng_agent id;
    double x, y; /* m */
} text_row;

/* All rows, sorted by frame and id; frames[k] has the rows frames[k].first .. frames[k + 1].first - 1. */
typedef struct text_reader {
    text_row *rows;
    size_t row_count, row_capacity;
    struct text_frame {
        uint64_t number;
        size_t first;
    } * frames;
    size_t frame_count, frame_capacity;
    double metres;  /* per unit */
    uint64_t early; /* frames that stand before frame 0 */
    bool eth;
} text_reader;

/* How often the people of the ETH data were looked at, 1/s. */
static const double eth_rate = 2.5;

/* A piece of a text; there is a 0 byte somewhere after it. */
typedef struct span {
    const char *at, *end;
} span;

/* ------------------------------------------------------------------ the header */

static size_t length_of(span s) { return (size_t)(s.end - s.at); }

/* Where `word` stands in the span, or NULL. */
static const char *find(span s, const char *word) {
    size_t length = strlen(word);
    for (const char *c = s.at; c + length <= s.end; c++)
        if (memcmp(c, word, length) == 0) return c;
    return NULL;
}

/* What follows "# key:", without white space around it; an empty span when the line has another key. */
static span value_of(span line, const char *key) {
    static const span none = {0};
    span s = {line.at + 1, line.end};
    while (s.at < s.end && (*s.at == ' ' || *s.at == '\t')) s.at++;
    size_t length = strlen(key);
    if (length_of(s) <= length || strncasecmp(s.at, key, length) != 0 || s.at[length] != ':') return none;
    s.at += length + 1;
    while (s.at < s.end && strchr(" \t\r", *s.at)) s.at++;
    while (s.end > s.at && strchr(" \t\r", s.end[-1])) s.end--;
    return s;
}

static double first_number(span s) {
    for (const char *c = s.at; c < s.end; c++) {
        double value;
        if (throng_number_read(c, &value)) return value;
    }
    return 0;
}

static char *copy_span(span s) {
    char *text = throng_allocate(length_of(s) + 1);
    if (length_of(s)) memcpy(text, s.at, length_of(s));
    return text;
}

/* The whole of a file, to be released, with a 0 after its end; NULL and errno when it cannot be read. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    size_t capacity = 0, count;
    *size = 0;
    do {
        THRONG_GROW(text, capacity, *size + ((size_t)1 << 20));
        count = fread(text + *size, 1, capacity - *size - 1, file);
        *size += count;
    } while (count > 0);
    int fault = ferror(file) ? errno : 0;
    fclose(file);
    text[*size] = 0;
    if (!fault) return text;
    throng_release(text);
    errno = fault;
    return NULL;
}

/* WKT in the header or the text of the file it names; a name we can make nothing of is passed over. */
static void take_geometry(throng_recording *recording, span value) {
    if (!length_of(value) || recording->wkt) return;
    if (find(value, "(")) {
        recording->wkt = copy_span(value);
        return;
    }
    if (length_of(value) < 4 || strncasecmp(value.end - 4, ".wkt", 4) != 0) return;
    char *name = copy_span(value);
    const char *slash = strrchr(recording->path, '/');
    throng_string path = {0};
    if (slash && name[0] != '/') {
        char *directory = copy_span((span){recording->path, slash + 1});
        throng_string_add(&path, directory);
        throng_release(directory);
    }
    throng_string_add(&path, name);
    size_t size;
    recording->wkt = read_file(path.text, &size);
    throng_release(path.text);
    throng_release(name);
}

static void read_header_line(throng_recording *recording, text_reader *reader, span line) {
    const char *rate = find(line, "framerate");
    if (rate && recording->info.fps == 0) recording->info.fps = first_number((span){rate, line.end});
    take_geometry(recording, value_of(line, "geometry"));
    span wall = value_of(line, "wall");
    if (length_of(wall)) {
        char *text = copy_span(wall);
        throng_recording_add_wall(recording, text);
        throng_release(text);
    }
    if (find(line, "x/m") || find(line, "in m")) reader->metres = 1;
    if (find(line, "x/cm") || find(line, "in cm")) reader->metres = 0.01;
}

/* ------------------------------------------------------------------ rows */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

static span next_word(span *line) {
    while (line->at < line->end && is_space(*line->at)) line->at++;
    span word = {line->at, line->at};
    while (word.end < line->end && !is_space(*word.end)) word.end++;
    line->at = word.end;
    return word;
}

static bool read_number(span word, double *value) {
    return length_of(word) > 0 && throng_number_read(word.at, value) == word.end && isfinite(*value);
}

/* A whole number from 0; "12.0" is one, too. */
static bool read_whole(span word, uint64_t *value) {
    *value = 0;
    const char *c = word.at;
    for (; c < word.end && *c >= '0' && *c <= '9' && *value < UINT64_C(100000000000000000); c++)
        *value = *value * 10 + (uint64_t)(*c - '0');
    if (c == word.end && c > word.at) return true;
    double number;
    if (!read_number(word, &number) || !(number >= 0 && number < 9e15) || number != floor(number)) return false;
    *value = (uint64_t)number;
    return true;
}

/* A frame may be numbered below 0: it is kept as what is left of 2^64 until all are known. */
static bool read_frame_number(span word, text_reader *reader, uint64_t *value) {
    bool negative = length_of(word) > 1 && *word.at == '-';
    if (negative) word.at++;
    if (!read_whole(word, value) || (negative && *value > INT32_MAX)) return false;
    if (negative && *value > reader->early) reader->early = *value;
    if (negative) *value = 0 - *value;
    return true;
}

enum field { FIELD_ID, FIELD_FRAME, FIELD_X, FIELD_Y, FIELD_HEIGHT };

static bool read_row(const char *path, text_row *row, text_reader *reader, span line, int number, throng_error *error) {
    static const char *const expected[] = {"a whole number from 0 as id", "a whole number as frame", "a number as x",
                                           "a number as y", "a number as height"};
    static const enum field plain[] = {FIELD_ID, FIELD_FRAME, FIELD_X, FIELD_Y};
    static const enum field eth[] = {FIELD_FRAME, FIELD_ID, FIELD_X, FIELD_HEIGHT, FIELD_Y};
    const char *start = line.at;
    double height;
    for (int k = 0; k < (reader->eth ? 5 : 4); k++) {
        enum field i = reader->eth ? eth[k] : plain[k];
        span word = next_word(&line);
        bool good = i == FIELD_ID      ? read_whole(word, &row->id)
                    : i == FIELD_FRAME ? read_frame_number(word, reader, &row->frame)
                                       : read_number(word, i == FIELD_X   ? &row->x
                                                           : i == FIELD_Y ? &row->y
                                                                          : &height);
        if (good) continue;
        bool missing = length_of(word) == 0;
        return throng_refuse(error, number, (int)(word.at - start) + 1,
                             "cannot read '%s': line %d: expected %s, found %s%.*s%s", path, number, expected[i],
                             missing ? "the end of the line" : "'", (int)(length_of(word) < 60 ? length_of(word) : 60),
                             word.at, missing ? "" : "'");
    }
    /* Division keeps "123 cm" the double nearest to 1.23. */
    double metres = reader->metres;
    if (metres != 1) {
        row->x = metres == 0.01 ? row->x / 100 : row->x * metres;
        row->y = metres == 0.01 ? row->y / 100 : row->y * metres;
    }
    return true;
}

static size_t count_words(span line) {
    size_t count = 0;
    while (length_of(next_word(&line)) > 0) count++;
    return count;
}

/* At the first row the header must have said, or the caller, what the numbers mean. */
static bool settle_units(throng_recording *recording, text_reader *reader, const throng_recording_def *def, int line,
                         throng_error *error) {
    if (!(recording->info.fps > 0)) recording->info.fps = def->fps;
    if (reader->metres == 0) reader->metres = def->metres_per_unit;
    if (reader->eth && reader->metres == 0) reader->metres = 1;
    if (!reader->eth && !(recording->info.fps > 0 && isfinite(recording->info.fps)))
        return throng_refuse(
            error, line, 1,
            "cannot read '%s': it does not say its frame rate; give it, or begin the file with a line such "
            "as \"# framerate: 16 fps\"",
            recording->path);
    if (!(reader->metres > 0 && isfinite(reader->metres)))
        return throng_refuse(error, line, 1,
                             "cannot read '%s': it does not say its unit; give it, or add a line such as \"# id frame "
                             "x/cm y/cm\" or \"# id frame x/m y/m\" before the first row",
                             recording->path);
    return true;
}

static bool read_lines(throng_recording *recording, text_reader *reader, span text, const throng_recording_def *def,
                       throng_error *error) {
    bool header = true;
    int number = 0;
    size_t columns = 0;
    if (length_of(text) >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0) text.at += 3;
    while (text.at < text.end) {
        const char *newline = memchr(text.at, '\n', length_of(text));
        span line = {text.at, newline ? newline : text.end};
        text.at = newline ? newline + 1 : text.end;
        number++;
        span rest = line;
        span word = next_word(&rest);
        if (!length_of(word)) continue;
        if (*word.at == '#') {
            if (header) read_header_line(recording, reader, (span){word.at, line.end});
            continue;
        }
        if (header && !settle_units(recording, reader, def, number, error)) return false;
        if (header) columns = count_words(line);
        header = false;
        /* The row that a killed writer was about to finish: not even its last column is there. */
        if (!newline && reader->row_count > 0 && count_words(line) < columns) break;
        THRONG_GROW(reader->rows, reader->row_capacity, reader->row_count + 1);
        if (!read_row(recording->path, &reader->rows[reader->row_count], reader, line, number, error)) return false;
        reader->row_count++;
    }
    if (reader->row_count == 0) return throng_refuse_read(error, recording->path, "there is no row in it");
    return true;
}

/* ------------------------------------------------------------------ order */

static bool precedes(const text_row *a, const text_row *b) {
    return a->frame != b->frame ? a->frame < b->frame : a->id < b->id;
}

/* The end of the run of rows in order that starts at `first`. */
static size_t run_end(const text_row *rows, size_t first, size_t count) {
    size_t end = first + 1;
    while (end < count && !precedes(&rows[end], &rows[end - 1])) end++;
    return end;
}

static void merge(const text_row *a, const text_row *a_end, const text_row *b, const text_row *b_end, text_row *out) {
    while (a < a_end && b < b_end) *out++ = precedes(b, a) ? *b++ : *a++;
    if (a < a_end) memcpy(out, a, (size_t)(a_end - a) * sizeof *a);
    if (b < b_end) memcpy(out, b, (size_t)(b_end - b) * sizeof *b);
}

/* Merges runs that are in order already until one is left: nothing to do for a file in order of
 * frames, few passes for the usual one that has person after person. */
static void sort_rows(text_reader *reader) {
    size_t count = reader->row_count;
    if (run_end(reader->rows, 0, count) >= count) return;
    text_row *from = reader->rows, *to = throng_reallocate(NULL, count * sizeof *to);
    for (size_t runs = 2; runs > 1;) {
        runs = 0;
        for (size_t first = 0; first < count; runs++) {
            size_t middle = run_end(from, first, count);
            size_t end = middle < count ? run_end(from, middle, count) : count;
            merge(from + first, from + middle, from + middle, from + end, to + first);
            first = end;
        }
        text_row *swap = from;
        from = to;
        to = swap;
    }
    throng_release(to);
    reader->rows = from;
    reader->row_capacity = count;
}

/* The index of frames, who there is, and where. */
static void look_at_rows(throng_recording *recording, text_reader *reader) {
    throng_id_set ids = {0};
    throng_box bounds = throng_box_empty();
    for (size_t i = 0; i < reader->row_count; i++) {
        const text_row *row = &reader->rows[i];
        if (i == 0 || row->frame != reader->rows[i - 1].frame) {
            THRONG_GROW(reader->frames, reader->frame_capacity, reader->frame_count + 2);
            reader->frames[reader->frame_count].number = row->frame;
            reader->frames[reader->frame_count++].first = i;
        }
        throng_id_set_add(&ids, row->id);
        bounds = throng_box_with(bounds, row->x, row->y);
    }
    reader->frames[reader->frame_count].first = reader->row_count;
    throng_recording_set_agents(recording, &ids);
    recording->info.bounds = bounds;
    recording->info.row_count = reader->row_count;
    recording->info.frame_count = (size_t)reader->frames[reader->frame_count - 1].number + 1;
}

/* Which frames have anybody in them: every n-th, where a video was annotated in steps. */
static void find_step(throng_recording *recording, const text_reader *reader) {
    uint64_t step = 0;
    for (size_t i = 1; i < reader->frame_count; i++) {
        uint64_t a = reader->frames[i].number - reader->frames[i - 1].number;
        while (a) {
            uint64_t rest = step % a;
            step = a;
            a = rest;
        }
    }
    recording->frame_step = step ? (size_t)step : 1;
    recording->frame_phase = (size_t)reader->frames[0].number % recording->frame_step;
}

static bool open_text(throng_recording *recording, const throng_recording_def *def, bool eth, throng_error *error) {
    text_reader *reader = throng_allocate(sizeof *reader);
    reader->eth = eth;
    recording->file = reader;
    size_t size;
    char *text = read_file(recording->path, &size);
    if (!text) return throng_refuse_read(error, recording->path, strerror(errno));
    bool good = read_lines(recording, reader, (span){text, text + size}, def, error);
    throng_release(text);
    if (!good) return false;
    /* The first of the frames before 0 becomes frame 0. */
    for (size_t i = 0; i < reader->row_count; i++) reader->rows[i].frame += reader->early;
    sort_rows(reader);
    look_at_rows(recording, reader);
    find_step(recording, reader);
    if (eth && recording->info.fps == 0) recording->info.fps = eth_rate * (double)recording->frame_step;
    return true;
}

bool throng_text_open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    return open_text(recording, def, false, error);
}

bool throng_eth_open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    return open_text(recording, def, true, error);
}

static int compare_frames(const void *a, const void *b) {
    uint64_t first = ((const struct text_frame *)a)->number, second = ((const struct text_frame *)b)->number;
    return first < second ? -1 : first > second;
}

bool throng_text_read(throng_recording *recording, size_t frame, throng_error *error) {
    (void)error;
    text_reader *reader = recording->file;
    recording->count = 0;
    struct text_frame key = {.number = frame};
    struct text_frame *found = bsearch(&key, reader->frames, reader->frame_count, sizeof key, compare_frames);
    if (!found) return true;
    size_t count = found[1].first - found->first;
    throng_recording_reserve(recording, count);
    for (size_t i = 0; i < count; i++) {
        recording->id[i] = reader->rows[found->first + i].id;
        recording->x[i] = reader->rows[found->first + i].x;
        recording->y[i] = reader->rows[found->first + i].y;
    }
    recording->count = count;
    return true;
}

void throng_text_release(throng_recording *recording) {
    text_reader *reader = recording->file;
    if (!reader) return;
    throng_release(reader->rows);
    throng_release(reader->frames);
    throng_release(reader);
}
