/* text_write.c: recordings as Juelich / PeTrack text, read by PedPy, JPSreport and any spreadsheet.
 *
 *     # framerate: 10.0 fps
 *     # description: corridor, throng 0.1.0
 *     # geometry: POLYGON ((...))
 *     # wall: LINESTRING (...)
 *     # mark: exit POLYGON ((...)) 0.0 main door
 *     # quantity: force [N] The sum of ...
 *     # id frame x/m y/m z/m force
 *     1	0	2.156900	2.659000	0	12.5
 *
 * PedPy takes the first number of the first line with "framerate", and the unit of the last line
 * that names one; so the frame rate comes first and the columns last, whatever the description says.
 * The geometry of an open plane is written over as it grows. */

#include <string.h>

#include "base/memory.h"
#include "record/text_lines.h"

typedef struct text_file {
    throng_lines lines;
    throng_lines_ground ground;
    size_t quantity_count;
} text_file;

/* One line of the header, without what would end it early. */
static void add_line(throng_string *header, const char *key, const char *value) {
    throng_string_add(header, "# ");
    throng_string_add(header, key);
    throng_string_add(header, ": ");
    size_t start = header->length;
    throng_string_add(header, value);
    for (char *c = header->text + start; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    throng_string_add(header, "\n");
}

static throng_string make_header(text_file *text, const throng_record_head *head) {
    throng_string header = {0};
    char fps[THRONG_DECIMAL_SIZE + 4];
    throng_decimal_text(head->fps, fps);
    strcat(fps, " fps");
    add_line(&header, "framerate", fps);
    add_line(&header, "description", head->description ? head->description : "");
    throng_string_add(&header, "# geometry: ");
    throng_lines_ground_begin(&text->ground, head, &header);
    throng_string_add(&header, "\n");
    for (size_t i = 0; i < head->geometry->wall_count; i++) add_line(&header, "wall", head->geometry->walls[i]);
    for (const char *line = head->geometry->marks ? head->geometry->marks : ""; *line; line += *line != 0) {
        size_t length = strcspn(line, "\n");
        char *mark = throng_copy_bytes(line, length + 1);
        mark[length] = 0;
        add_line(&header, "mark", mark);
        throng_release(mark);
        line += length;
    }
    for (size_t i = 0; i < head->quantity_count; i++) {
        throng_string about = {0};
        throng_string_add(&about, head->quantities[i].name);
        throng_string_add(&about, " [");
        throng_string_add(&about, head->quantities[i].unit);
        throng_string_add(&about, "] ");
        throng_string_add(&about, head->quantities[i].help);
        add_line(&header, "quantity", about.text);
        throng_release(about.text);
    }
    throng_string_add(&header, "# id frame x/m y/m z/m");
    for (size_t i = 0; i < head->quantity_count; i++) {
        throng_string_add(&header, " ");
        throng_string_add(&header, head->quantities[i].name);
    }
    throng_string_add(&header, "\n");
    return header;
}

static void destroy(text_file *text) {
    throng_release(text->ground.wkt);
    throng_release(text);
}

void *throng_text_create(const throng_record_head *head, throng_error *error) {
    text_file *text = throng_allocate(sizeof *text);
    text->quantity_count = head->quantity_count;
    throng_string header = make_header(text, head);
    bool made = throng_lines_create(&text->lines, head->path, &header, "", error);
    throng_release(header.text);
    if (made) return text;
    destroy(text);
    return NULL;
}

bool throng_text_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    text_file *text = file;
    char number[24];
    size_t number_length = (size_t)(throng_put_whole(number, frame->number) - number);
    for (size_t i = 0; i < frame->count; i++) {
        char *out = throng_lines_room(&text->lines, error);
        if (!out) return false;
        out = throng_put_whole(out, frame->id[i]);
        *out++ = '\t';
        memcpy(out, number, number_length);
        out += number_length;
        *out++ = '\t';
        out = throng_put_decimal(out, frame->x[i]);
        *out++ = '\t';
        out = throng_put_decimal(out, frame->y[i]);
        out = throng_put_text(out, "\t0");
        for (size_t k = 0; k < text->quantity_count; k++)
            out = throng_put_exact(throng_put_text(out, "\t"), frame->values[k][i], "nan");
        throng_lines_put(&text->lines, throng_put_text(out, "\n"));
    }
    throng_lines_end_frame(&text->lines);
    throng_lines_ground_frame(&text->ground, frame);
    return true;
}

bool throng_text_flush(void *file, throng_error *error) {
    text_file *text = file;
    return throng_lines_flush(&text->lines, error) && throng_lines_ground_flush(&text->ground, &text->lines, error);
}

bool throng_text_close(void *file, throng_record_end end, throng_error *error) {
    text_file *text = file;
    bool failed = end == THRONG_FAILED;
    bool flushed = failed || throng_text_flush(text, error);
    bool closed = throng_lines_close(&text->lines, !flushed || failed, flushed ? error : NULL);
    destroy(text);
    return flushed && closed;
}
