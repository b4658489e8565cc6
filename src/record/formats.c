/* formats.c: the file formats of recordings, and which one a path asks for. */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/rows.h"
#include "record/text_write.h"
#include "text/gunzip.h"

/* Texts. */
#define READ_TEXT(format)   .reader = &throng_rows_reader, .parse = throng_parse_##format
#define TEXT(style, format) .writer = &throng_text_writer, .text = &throng_##style##_text, READ_TEXT(format)

static const throng_file_format formats[] = {
    {.name = "sqlite",
     .ending = ".sqlite",
     .title = "JuPedSim",
     .writer = &throng_sqlite_writer,
     .reader = &throng_sqlite_reader,
     .columns = THRONG_DIRECTIONS,
     .keeps_quantities = true,
     .keeps_wall_forces = true},
    {.name = "txt", .ending = ".txt", .title = "Juelich text", TEXT(juelich, text), .keeps_quantities = true},
    {.name = "h5",
     .ending = ".h5",
     .title = "Pedestrian Dynamics Data Archive",
     .writer = &throng_h5_writer,
     .reader = &throng_h5_reader,
     .joins_grounds = true,
     .keeps_quantities = true},
    {.name = "throng",
     .ending = ".throng",
     .title = "compact",
     .writer = &throng_compact_writer,
     .reader = &throng_compact_reader,
     .keeps_quantities = true},
    {.name = "ndjson", .ending = ".ndjson", .title = "TrajNet++", TEXT(ndjson, ndjson), .keeps_quantities = true},
    {.name = "fcd",
     .ending = ".xml",
     .title = "SUMO FCD",
     TEXT(fcd, fcd),
     .columns = THRONG_SPEEDS,
     .loses_ground = true},
    {.name = "csv",
     .ending = ".csv",
     .title = "frame,id,pos_x,pos_y",
     TEXT(csv, csv),
     .keeps_quantities = true,
     .loses_ground = true,
     .loses_rate = true},
    {.name = "eth",
     .title = "ETH obsmat",
     TEXT(eth, eth),
     .columns = THRONG_SPEEDS,
     .loses_ground = true,
     .loses_rate = true},
    {.name = "viswalk", .ending = ".pp", .title = "Viswalk", READ_TEXT(viswalk)},
    {.name = "vadere", .ending = ".traj", .title = "Vadere", READ_TEXT(vadere)},
};

enum { format_count = sizeof formats / sizeof *formats };

static const throng_file_format *format_named(const char *name) {
    for (size_t i = 0; i < format_count; i++)
        if (strcasecmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

static const char *name_in(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The name that the ETH data has everywhere. */
static bool is_obsmat(const char *path) {
    const char *file = name_in(path);
    size_t length = strlen(file);
    return strncasecmp(file, "obsmat", 6) == 0 && length >= 10 && strcasecmp(file + length - 4, ".txt") == 0;
}

static const throng_file_format *format_of_ending(const char *path) {
    if (is_obsmat(path)) return format_named("eth");
    const char *ending = strrchr(name_in(path), '.');
    for (size_t i = 0; ending && i < format_count; i++)
        if (formats[i].ending && strcasecmp(ending, formats[i].ending) == 0) return &formats[i];
    return NULL;
}

/* Refuses a path whose ending says nothing, or a format of this name. */
static void refuse_format(const char *path, const char *name, bool writing, throng_error *error) {
    char known[300] = "";
    for (size_t i = 0; i < format_count; i++) {
        if (writing && !formats[i].writer) continue;
        size_t used = strlen(known);
        if (name)
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", formats[i].name);
        else if (formats[i].ending)
            snprintf(known + used, sizeof known - used, "%s%s (%s)", used ? ", " : "", formats[i].ending,
                     formats[i].title);
    }
    if (name)
        throng_refuse(error, 0, 0, "expected one of %s as the format of '%s', found '%.40s'", known, path, name);
    else
        throng_refuse(error, 0, 0, "'%s': the format of a recording follows its ending; known are %s", path, known);
}

const throng_file_format *throng_file_format_to_write(const char *path, const char *name, throng_error *error) {
    const throng_file_format *format = name ? format_named(name) : format_of_ending(path);
    if (format && format->writer) return format;
    refuse_format(path, name, true, error);
    return NULL;
}

/* A row of eight numbers whose heights are 0 is ETH's. */
static bool is_eth_row(throng_span line) {
    for (int k = 0; k < 8; k++) {
        throng_span word = throng_next_word(&line);
        double value;
        if (!throng_span_number(word, &value) || ((k == 3 || k == 6) && value != 0)) return false;
    }
    return !throng_span_length(throng_next_word(&line));
}

static bool has(throng_span line, const char *word) { return throng_span_find(line, word) != NULL; }

/* The format that the first line which is no comment tells; NULL when it tells none. */
static const char *format_of_text(throng_line_reader lines) {
    while (throng_next_line(&lines)) {
        throng_span line = throng_span_trim(lines.line);
        if (!throng_span_length(line)) continue;
        if (*line.at == '#' && has(line, "framerate")) return "txt";
        if (*line.at == '#') continue;
        if (*line.at == '<') return "fcd";
        if (*line.at == '{') return "ndjson";
        if (*line.at == '$') return "viswalk";
        if (has(line, "pedestrianId") && has(line, "simTime")) return "vadere";
        if (is_eth_row(line)) return "eth";
        bool letters = (*line.at >= 'a' && *line.at <= 'z') || (*line.at >= 'A' && *line.at <= 'Z') || *line.at == '"';
        return letters ? "csv" : "txt";
    }
    return NULL;
}

static const char *format_of_bytes(const char *bytes, size_t size) {
    static const struct {
        const char *start;
        size_t length;
        const char *format;
    } known[] = {{"SQLite format 3", 16, "sqlite"}, {"\x89THRONG\n", 8, "throng"}, {"\x89HDF\r\n\x1a\n", 8, "h5"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size >= known[i].length && memcmp(bytes, known[i].start, known[i].length) == 0) return known[i].format;
    return memchr(bytes, 0, size) ? NULL : format_of_text(throng_lines_of(bytes, size));
}

/* The beginning of what packed bytes hold, in their place; how many. */
static size_t unpack_start(char *bytes, size_t size, size_t most) {
    bool whole;
    size_t count = 0;
    char *start = throng_gunzip(bytes, size, most, &count, &whole);
    if (count > most) count = most;
    if (start) memcpy(bytes, start, count);
    throng_release(start);
    return count;
}

const throng_file_format *throng_file_format_to_read(const char *path, const char *name, throng_error *error) {
    const throng_file_format *format = name ? format_named(name) : format_of_ending(path);
    bool sure = format && (name || format->reader != &throng_rows_reader || is_obsmat(path));
    if (sure) return format;
    char bytes[4097];
    FILE *file = name ? NULL : fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file) fclose(file);
    bool packed = throng_is_gzip(bytes, size);
    if (packed) size = unpack_start(bytes, size, sizeof bytes - 1);
    bytes[size] = 0;
    const char *told = size ? format_of_bytes(bytes, size) : NULL;
    if (told) format = format_named(told);
    if (format && packed && format->reader != &throng_rows_reader) {
        throng_refuse(error, 0, 0, "'%s' is a packed .%s file: unpack it first (gunzip)", path, format->name);
        return NULL;
    }
    if (!format) refuse_format(path, name, false, error);
    return format;
}
