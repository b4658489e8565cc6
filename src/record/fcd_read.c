/* fcd_read.c: reading SUMO's floating car data (fcd_write.c), anybody's or ours.
 *
 * Of the XML only tags and their attributes matter: timestep says the time, person who is where. A file
 * that has no person is read for its vehicles. The ids are any texts. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/rows.h"

typedef struct xml_tag {
    throng_span name, attributes;
    bool end;    /* </name> */
    bool empty;  /* <name/> */
    bool broken; /* another tag begins before this one ends */
    int line, column;
} xml_tag;

typedef struct xml_reader {
    const char *path;
    throng_span rest;
    const char *counted; /* lines are counted up to here */
    const char *line_start;
    int line;
} xml_reader;

/* Moves the count of lines on to a place. */
static void count_lines(xml_reader *reader, const char *to) {
    for (const char *c; (c = memchr(reader->counted, '\n', (size_t)(to - reader->counted)));) {
        reader->counted = reader->line_start = c + 1;
        reader->line++;
    }
    reader->counted = to;
}

/* Where what begins with `start` ends, if the text goes on with it; NULL when it does not, the end of the text when
 * nothing ends it. */
static const char *end_of(throng_span text, const char *start, const char *end) {
    if (throng_span_length(text) < strlen(start) || memcmp(text.at, start, strlen(start)) != 0) return NULL;
    const char *found = throng_span_find((throng_span){text.at + strlen(start), text.end}, end);
    return found ? found + strlen(end) : text.end;
}

/* The end of a tag: a > outside of quotation marks, or a <, which may not stand in a tag; NULL when the text ends
 * before it. */
static const char *tag_end(throng_span text) {
    char quote = 0;
    for (const char *c = text.at; c < text.end; c++) {
        if (*c == '<' && c > text.at) return c;
        if (quote ? *c == quote : *c == '"' || *c == '\'')
            quote = quote ? 0 : *c;
        else if (!quote && *c == '>')
            return c;
    }
    return NULL;
}

/* The next tag that is no comment, instruction or declaration; false at the end of the text, also when it ends within
 * a tag, as that of a killed writer may. */
static bool next_tag(xml_reader *reader, xml_tag *tag) {
    for (;;) {
        const char *open = memchr(reader->rest.at, '<', throng_span_length(reader->rest));
        if (!open) return false;
        reader->rest.at = open;
        const char *after = end_of(reader->rest, "<!--", "-->");
        if (!after) after = end_of(reader->rest, "<?", "?>");
        if (!after) after = end_of(reader->rest, "<![CDATA[", "]]>");
        if (!after) after = end_of(reader->rest, "<!", ">");
        if (!after) break;
        reader->rest.at = after;
    }
    const char *end = tag_end(reader->rest);
    if (!end) return false;
    count_lines(reader, reader->rest.at);
    *tag = (xml_tag){.line = reader->line, .column = (int)(reader->rest.at - reader->line_start) + 1};
    tag->broken = *end == '<';
    throng_span inside = {reader->rest.at + 1, end};
    reader->rest.at = end + 1;
    tag->end = inside.at < inside.end && *inside.at == '/';
    if (tag->end) inside.at++;
    tag->empty = inside.end > inside.at && inside.end[-1] == '/';
    if (tag->empty) inside.end--;
    for (tag->name = (throng_span){inside.at, inside.at}; tag->name.end < inside.end; tag->name.end++)
        if (throng_is_space(*tag->name.end) || *tag->name.end == '\n') break;
    tag->attributes = (throng_span){tag->name.end, inside.end};
    return true;
}

static const char *skip_space(const char *c, const char *end) {
    while (c < end && (throng_is_space(*c) || *c == '\n')) c++;
    return c;
}

/* The value of an attribute; an empty span when there is none of this name. */
static throng_span attribute(const xml_tag *tag, const char *name) {
    const char *c = tag->attributes.at, *end = tag->attributes.end;
    for (;;) {
        c = skip_space(c, end);
        throng_span key = {c, c};
        while (key.end < end && *key.end != '=' && !throng_is_space(*key.end) && *key.end != '\n') key.end++;
        c = skip_space(key.end, end);
        if (c == end || *c != '=') return (throng_span){end, end};
        c = skip_space(c + 1, end);
        if (c == end || (*c != '"' && *c != '\'')) return (throng_span){end, end};
        const char *close = memchr(c + 1, *c, (size_t)(end - c - 1));
        if (!close) return (throng_span){end, end};
        if (throng_span_length(key) == strlen(name) && memcmp(key.at, name, strlen(name)) == 0)
            return (throng_span){c + 1, close};
        c = close + 1;
    }
}

/* Turns the five entities of XML back into characters, in place. */
static size_t decode(char *text) {
    static const struct {
        const char *entity;
        char character;
    } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char *out = text;
    for (const char *c = text; *c;) {
        size_t length = 1;
        *out = *c;
        for (size_t k = 0; *c == '&' && k < sizeof known / sizeof *known; k++) {
            if (strncmp(c, known[k].entity, strlen(known[k].entity)) != 0) continue;
            length = strlen(known[k].entity);
            *out = known[k].character;
            break;
        }
        out++;
        c += length;
    }
    *out = 0;
    return (size_t)(out - text);
}

static bool refuse(const xml_reader *reader, const xml_tag *tag, throng_span found, const char *expected,
                   throng_error *error) {
    size_t length = throng_span_length(found) < 60 ? throng_span_length(found) : 60;
    return throng_refuse(error, tag->line, tag->column, "cannot read '%s': line %d: expected %s, found %s%.*s%s",
                         reader->path, tag->line, expected, length ? "'" : "nothing", (int)length, found.at,
                         length ? "'" : "");
}

static bool add_person(const xml_reader *reader, const xml_tag *tag, double time, throng_rows *rows,
                       throng_error *error) {
    throng_row row = {.time = time};
    throng_span id = attribute(tag, "id"), x = attribute(tag, "x"), y = attribute(tag, "y");
    if (!throng_span_length(id)) return refuse(reader, tag, id, "an id", error);
    if (!throng_span_number(x, &row.x)) return refuse(reader, tag, x, "a number as x", error);
    if (!throng_span_number(y, &row.y)) return refuse(reader, tag, y, "a number as y", error);
    char *name = throng_span_copy(id);
    row.id = throng_rows_id(rows, (throng_span){name, name + decode(name)});
    throng_release(name);
    *throng_rows_add(rows) = row;
    return true;
}

/* A file that is broken in its middle must not pass for one that ends there. */
static bool is_whole(const xml_reader *reader, const xml_tag *tag, bool inside, throng_error *error) {
    if (tag->broken) {
        throng_span found = {tag->name.at, tag->attributes.end};
        return refuse(reader, tag, found, "a tag that ends before the next one", error);
    }
    if (!throng_span_is(tag->name, "timestep") || tag->end == inside) return true;
    return refuse(reader, tag, tag->name, inside ? "the end of the timestep before" : "a timestep to end here", error);
}

/* Reads all tags of this name within time steps. */
static bool read_tags(xml_reader *reader, const char *wanted, throng_rows *rows, throng_error *error) {
    xml_tag tag;
    double time = 0;
    bool inside = false, export = false;
    while (next_tag(reader, &tag)) {
        if (!is_whole(reader, &tag, inside, error)) return false;
        if (throng_span_is(tag.name, "fcd-export")) export = true;
        if (throng_span_is(tag.name, "timestep")) {
            throng_span value = attribute(&tag, "time");
            if (!tag.end && !throng_span_number(value, &time))
                return refuse(reader, &tag, value, "a number of seconds as time", error);
            if (!tag.end) throng_rows_add_moment(rows, time);
            inside = !tag.end && !tag.empty;
        }
        if (inside && !tag.end && throng_span_is(tag.name, wanted) && !add_person(reader, &tag, time, rows, error))
            return false;
    }
    return export || throng_refuse_read(error, reader->path, "expected SUMO's floating car data, <fcd-export>");
}

THRONG_PARSED(fcd) {
    throng_rows *rows = recording->file;
    const char *const wanted[] = {"person", "vehicle"};
    bool good = true;
    for (int k = 0; good && k < 2 && rows->count == 0; k++) {
        rows->moment_count = 0;
        xml_reader reader = {recording->path, {text, text + size}, text, text, 1};
        good = read_tags(&reader, wanted[k], rows, error);
    }
    return good && throng_rows_from_times(recording, def->fps, error);
}
