/* ndjson_write.c: recordings as TrajNet++'s ndjson: a JSON object on every line.
 *
 *     {"throng": {"version": "0.2.0", "fps": 10.0, "description": "...", "walls": [...], "marks": "...",
 *                 "geometry": "POLYGON (...)"}}
 *     {"scene": {"id": 0, "p": 1, "s": 0, "e": 200, "fps": 10.0, "tag": 0}}
 *     {"track": {"f": 0, "p": 1, "x": 13.2, "y": 5.85}}
 *
 * The first line is ours; TrajNet++ passes over it. The one scene is the whole recording, seen with the person who was
 * there first; its line is written over while the recording grows. */

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "record/span.h"
#include "record/text_write.h"

/* What stands between quotation marks; of what JSON does not bear there, line ends are kept, and the rest become
 * spaces. */
static void add_text(throng_string *out, const char *text, size_t length) {
    for (const char *c = text; c < text + length; c++) {
        char piece[3] = {*c, 0, 0};
        if ((unsigned char)*c < 0x20) piece[0] = ' ';
        if (*c == '"' || *c == '\\' || *c == '\n') memcpy(piece, (char[]){'\\', *c == '\n' ? 'n' : *c, 0}, 3);
        throng_string_add(out, piece);
    }
}

/* Always as long, whatever the numbers are. */
static void make_scene(const throng_text_file *file, char line[THRONG_SUMMARY_MOST]) {
    char fps[THRONG_DECIMAL_SIZE];
    throng_decimal_text(file->output.head.fps, fps);
    snprintf(line, THRONG_SUMMARY_MOST,
             "{\"scene\": {\"id\": 0, \"p\": %20llu, \"s\": %20llu, \"e\": %20llu, \"fps\": %s, \"tag\": 0}}\n",
             (unsigned long long)file->first_person, (unsigned long long)file->first_frame,
             (unsigned long long)file->last_frame, fps);
}

static void begin(throng_text_file *file, throng_string *out) {
    const throng_record_head *head = &file->output.head;
    const char *description = head->description ? head->description : "";
    const char *marks = head->geometry->marks ? head->geometry->marks : "";
    char fps[THRONG_DECIMAL_SIZE], scene[THRONG_SUMMARY_MOST];
    throng_decimal_text(head->fps, fps);
    throng_string_print(out, "{\"throng\": {\"version\": \"%s\", \"fps\": %s, \"description\": \"", throng_version(),
                        fps);
    add_text(out, description, strlen(description));
    throng_string_add(out, "\", \"walls\": [");
    throng_line_reader walls = throng_lines_in(head->geometry->walls);
    while (throng_next_line(&walls)) {
        throng_string_add(out, walls.number > 1 ? ", \"" : "\"");
        add_text(out, walls.line.at, throng_span_length(walls.line));
        throng_string_add(out, "\"");
    }
    throng_string_add(out, "], \"marks\": \"");
    add_text(out, marks, strlen(marks));
    throng_string_add(out, "\", \"quantities\": [");
    for (size_t i = 0; i < head->quantity_count; i++) {
        throng_string title = {0};
        const throng_quantity *q = &head->quantities[i];
        throng_string_print(&title, "%s [%s] %s", q->name, q->unit, q->help);
        throng_string_add(out, i ? ", \"" : "\"");
        add_text(out, title.text, title.length);
        throng_string_add(out, "\"");
        throng_release(title.text);
    }
    throng_string_add(out, "], \"geometry\": \"");
    throng_text_add_ground(file, out);
    throng_string_add(out, "\"}}\n");
    file->summary_at = out->length;
    make_scene(file, scene);
    throng_string_add(out, scene);
}

static char *put_row(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    const throng_record_head *head = &file->output.head;
    out = throng_put_whole(throng_put_text(out, "{\"track\": {\"f\": "), frame->number);
    out = throng_put_whole(throng_put_text(out, ", \"p\": "), frame->id[row]);
    out = throng_put_decimal(throng_put_text(out, ", \"x\": "), frame->x[row]);
    out = throng_put_decimal(throng_put_text(out, ", \"y\": "), frame->y[row]);
    for (size_t k = 0; k < head->quantity_count; k++) {
        out = throng_put_text(throng_put_text(out, ", \""), head->quantities[k].name);
        out = throng_put_exact(throng_put_text(out, "\": "), frame->values[k][row], "null");
    }
    return throng_put_text(out, "}}\n");
}

const throng_text_style throng_ndjson_text = {.begin = begin, .row = put_row, .summary = make_scene};
