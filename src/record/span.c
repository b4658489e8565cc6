/* span.c: see span.h. */

#include "record/span.h"

#include <math.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"

throng_line_reader throng_lines_of(const char *text, size_t size) {
    throng_line_reader reader = {.rest = {text, text + size}};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) reader.rest.at += 3;
    return reader;
}

throng_line_reader throng_lines_in(const char *text) {
    return (throng_line_reader){.rest = throng_span_of(text ? text : "")};
}

bool throng_next_line(throng_line_reader *reader) {
    if (reader->rest.at >= reader->rest.end) return false;
    const char *newline = memchr(reader->rest.at, '\n', throng_span_length(reader->rest));
    reader->line = (throng_span){reader->rest.at, newline ? newline : reader->rest.end};
    reader->rest.at = newline ? newline + 1 : reader->rest.end;
    reader->whole = newline != NULL;
    reader->number++;
    return true;
}

throng_span throng_span_trim(throng_span s) {
    while (s.at < s.end && throng_is_space(*s.at)) s.at++;
    while (s.end > s.at && throng_is_space(s.end[-1])) s.end--;
    return s;
}

const char *throng_span_find(throng_span s, const char *word) {
    size_t length = strlen(word);
    for (const char *c = s.at; throng_span_length((throng_span){c, s.end}) >= length; c++)
        if (memcmp(c, word, length) == 0) return c;
    return NULL;
}

bool throng_span_is(throng_span s, const char *word) {
    return throng_span_length(s) == strlen(word) && strncasecmp(s.at, word, throng_span_length(s)) == 0;
}

char *throng_span_copy(throng_span s) {
    char *text = throng_allocate(throng_span_length(s) + 1);
    if (s.end > s.at) memcpy(text, s.at, throng_span_length(s));
    return text;
}

throng_span throng_next_word(throng_span *line) {
    while (line->at < line->end && throng_is_space(*line->at)) line->at++;
    throng_span word = {line->at, line->at};
    while (word.end < line->end && !throng_is_space(*word.end)) word.end++;
    line->at = word.end;
    return word;
}

/* The end of a field that may be quoted; a separator between quotation marks is part of it. */
static const char *field_end(throng_span line, char separator) {
    bool quoted = false;
    const char *c = line.at;
    for (; c < line.end && (quoted || *c != separator); c++)
        if (*c == '"') quoted = !quoted;
    return c;
}

bool throng_next_field(throng_span *line, char separator, throng_span *field) {
    if (!line->at) return false;
    if (separator == ' ') {
        *field = throng_next_word(line);
        return throng_span_length(*field) > 0;
    }
    const char *end = field_end(*line, separator);
    *field = throng_span_trim((throng_span){line->at, end});
    line->at = end < line->end ? end + 1 : NULL;
    if (throng_span_length(*field) >= 2 && *field->at == '"' && field->end[-1] == '"') {
        field->at++;
        field->end--;
    }
    return true;
}

bool throng_span_number(throng_span s, double *value) {
    return s.end > s.at && throng_number_read(s.at, value) == s.end && isfinite(*value);
}

bool throng_span_whole(throng_span s, uint64_t *value) {
    *value = 0;
    const char *c = s.at;
    for (; c < s.end && *c >= '0' && *c <= '9' && *value < UINT64_C(100000000000000000); c++)
        *value = *value * 10 + (uint64_t)(*c - '0');
    if (c == s.end && c > s.at) return true;
    double number;
    if (!throng_span_number(s, &number) || !(number >= 0 && number < 9e15) || number != floor(number)) return false;
    *value = (uint64_t)number;
    return true;
}

bool throng_refuse_span(throng_error *error, const char *path, throng_line_reader *lines, throng_span found,
                        const char *expected) {
    size_t length = throng_span_length(found) < 60 ? throng_span_length(found) : 60;
    bool missing = length == 0;
    const char *nothing = found.at && found.at < lines->line.end ? "nothing" : "the end of the line";
    int column = found.at && found.at >= lines->line.at ? (int)(found.at - lines->line.at) + 1 : 1;
    return throng_refuse(error, lines->number, column, "cannot read '%s': line %d: expected %s, found %s%.*s%s", path,
                         lines->number, expected, missing ? nothing : "'", (int)length, missing ? "" : found.at,
                         missing ? "" : "'");
}
