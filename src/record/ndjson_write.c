/* ndjson_write.c: recordings as TrajNet++'s ndjson: a JSON object on every line.
 *
 *     {"throng": {"version": "0.1.0", "fps": 10.0, "description": "...", "walls": [...], "marks": "...",
 *                 "geometry": "POLYGON (...)"}}
 *     {"scene": {"id": 0, "p": 1, "s": 0, "e": 200, "fps": 10.0, "tag": 0}}
 *     {"track": {"f": 0, "p": 1, "x": 13.2, "y": 5.85}}
 *
 * The first line is ours; TrajNet++ passes over it. The one scene is the whole recording, seen with the person who was
 * there first; its line is written over while the recording grows. */

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/text_lines.h"

enum { scene_size = 200 };

typedef struct ndjson_file {
    throng_lines lines;
    throng_lines_ground ground;
    const throng_quantity *quantities;
    size_t quantity_count;
    char fps[THRONG_DECIMAL_SIZE];
    off_t scene_at; /* where its line is in the file */
    throng_agent first_person;
    uint64_t first_frame, last_frame;
    bool any; /* somebody was recorded */
} ndjson_file;

/* A text between quotation marks; of what JSON does not bear in one, line ends are kept, and the rest become spaces. */
static void add_text(throng_string *out, const char *text) {
    throng_string_add(out, "\"");
    for (const char *c = text; *c; c++) {
        char piece[3] = {*c, 0, 0};
        if ((unsigned char)*c < 0x20) piece[0] = ' ';
        if (*c == '"' || *c == '\\' || *c == '\n') memcpy(piece, (char[]){'\\', *c == '\n' ? 'n' : *c, 0}, 3);
        throng_string_add(out, piece);
    }
    throng_string_add(out, "\"");
}

/* Always as long, whatever the numbers are. */
static void make_scene(const ndjson_file *ndjson, char line[scene_size]) {
    snprintf(line, scene_size,
             "{\"scene\": {\"id\": 0, \"p\": %20llu, \"s\": %20llu, \"e\": %20llu, \"fps\": %s, \"tag\": 0}}\n",
             (unsigned long long)ndjson->first_person, (unsigned long long)ndjson->first_frame,
             (unsigned long long)ndjson->last_frame, ndjson->fps);
}

static throng_string make_beginning(ndjson_file *ndjson, const throng_record_head *head) {
    throng_string out = {0};
    throng_string_add(&out, "{\"throng\": {\"version\": ");
    add_text(&out, throng_version());
    throng_string_add(&out, ", \"fps\": ");
    throng_decimal_text(head->fps, ndjson->fps);
    throng_string_add(&out, ndjson->fps);
    throng_string_add(&out, ", \"description\": ");
    add_text(&out, head->description ? head->description : "");
    throng_string_add(&out, ", \"walls\": [");
    for (size_t i = 0; i < head->geometry->wall_count; i++) {
        if (i) throng_string_add(&out, ", ");
        add_text(&out, head->geometry->walls[i]);
    }
    throng_string_add(&out, "], \"marks\": ");
    add_text(&out, head->geometry->marks ? head->geometry->marks : "");
    throng_string_add(&out, ", \"quantities\": [");
    for (size_t i = 0; i < head->quantity_count; i++) {
        throng_string title = {0};
        const char *const parts[] = {head->quantities[i].name, " [", head->quantities[i].unit, "] ",
                                     head->quantities[i].help};
        for (int k = 0; k < 5; k++) throng_string_add(&title, parts[k]);
        if (i) throng_string_add(&out, ", ");
        add_text(&out, title.text);
        throng_release(title.text);
    }
    throng_string_add(&out, "], \"geometry\": \"");
    throng_lines_ground_begin(&ndjson->ground, head, &out);
    throng_string_add(&out, "\"}}\n");
    ndjson->scene_at = (off_t)out.length;
    char scene[scene_size];
    make_scene(ndjson, scene);
    throng_string_add(&out, scene);
    return out;
}

void *throng_ndjson_create(const throng_record_head *head, throng_error *error) {
    ndjson_file *ndjson = throng_allocate(sizeof *ndjson);
    ndjson->quantities = head->quantities;
    ndjson->quantity_count = head->quantity_count;
    throng_string beginning = make_beginning(ndjson, head);
    bool made = throng_lines_create(&ndjson->lines, head->path, &beginning, "", error);
    throng_release(beginning.text);
    if (made) return ndjson;
    throng_release(ndjson->ground.wkt);
    throng_release(ndjson);
    return NULL;
}

bool throng_ndjson_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    ndjson_file *ndjson = file;
    for (size_t i = 0; i < frame->count; i++) {
        char *out = throng_lines_room(&ndjson->lines, error);
        if (!out) return false;
        out = throng_put_whole(throng_put_text(out, "{\"track\": {\"f\": "), frame->number);
        out = throng_put_whole(throng_put_text(out, ", \"p\": "), frame->id[i]);
        out = throng_put_decimal(throng_put_text(out, ", \"x\": "), frame->x[i]);
        out = throng_put_decimal(throng_put_text(out, ", \"y\": "), frame->y[i]);
        for (size_t k = 0; k < ndjson->quantity_count; k++) {
            out = throng_put_text(throng_put_text(out, ", \""), ndjson->quantities[k].name);
            out = throng_put_exact(throng_put_text(out, "\": "), frame->values[k][i], "null");
        }
        throng_lines_put(&ndjson->lines, throng_put_text(out, "}}\n"));
    }
    throng_lines_end_frame(&ndjson->lines);
    throng_lines_ground_frame(&ndjson->ground, frame);
    if (frame->count == 0) return true;
    if (!ndjson->any) {
        ndjson->first_person = frame->id[0];
        ndjson->first_frame = frame->number;
    }
    ndjson->any = true;
    ndjson->last_frame = frame->number;
    return true;
}

bool throng_ndjson_flush(void *file, throng_error *error) {
    ndjson_file *ndjson = file;
    char scene[scene_size];
    make_scene(ndjson, scene);
    return throng_lines_flush(&ndjson->lines, error) &&
           throng_lines_ground_flush(&ndjson->ground, &ndjson->lines, error) &&
           throng_lines_write_at(&ndjson->lines, scene, strlen(scene), ndjson->scene_at, error);
}

bool throng_ndjson_close(void *file, throng_record_end end, throng_error *error) {
    ndjson_file *ndjson = file;
    bool failed = end == THRONG_FAILED;
    bool flushed = failed || throng_ndjson_flush(ndjson, error);
    bool closed = throng_lines_close(&ndjson->lines, !flushed || failed, flushed ? error : NULL);
    throng_release(ndjson->ground.wkt);
    throng_release(ndjson);
    return flushed && closed;
}
