/* text_write.c: recordings as Juelich / PeTrack text, read by PedPy, JPSreport and any spreadsheet.
 *
 *     # framerate: 10.0 fps
 *     # description: corridor, throng 0.1.0
 *     # geometry: POLYGON ((...))
 *     # wall: LINESTRING (...)
 *     # id frame x/m y/m z/m
 *     1	0	2.156900	2.659000	0
 *
 * PedPy takes the first number of the first line with "framerate", and the unit of the last line
 * that names one; so the frame rate comes first and the columns last, whatever the description says.
 * The geometry of an open plane is written over as it grows. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "world/memory.h"

/* A row is at most: two whole numbers of 20 digits, two decimals as of add_decimal, tabs and z. */
enum { buffer_size = 8 << 20, row_size = 2 * 21 + 2 * 330 + 4, rectangle_width = 13 };

typedef struct text_file {
    throng_target target;
    int file;
    const throng_record_geometry *geometry;
    throng_box reach;    /* of everything so far */
    bool grown;          /* the geometry in the file is too small */
    char *wkt;           /* room for it */
    size_t wkt_length;   /* in the file */
    off_t wkt_at;        /* where it is in the file */
    char *buffer;        /* rows not in the file yet */
    size_t length;       /* of them */
    size_t whole;        /* length at the end of the last whole frame */
    off_t written;       /* size of the file */
    off_t whole_written; /* size at the end of the last whole frame in it */
} text_file;

static bool write_at(text_file *text, const char *bytes, size_t count, off_t at, throng_error *error) {
    while (count > 0) {
        ssize_t done = pwrite(text->file, bytes, count, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return throng_refuse_write(error, text->target.path, strerror(done < 0 ? errno : ENOSPC));
        bytes += done;
        count -= (size_t)done;
        at += done;
    }
    return true;
}

/* Moves the whole frames of the buffer to the file, or, when one frame alone fills it, what there is
 * of that. When this fails, the file is cut after its last whole frame. */
static bool write_buffer(text_file *text, throng_error *error) {
    size_t count = text->whole ? text->whole : text->length;
    if (!write_at(text, text->buffer, count, text->written, error)) {
        /* Should the cut fail as well, the reason is the one already told. */
        int cut = ftruncate(text->file, text->whole_written);
        (void)cut;
        return false;
    }
    text->written += (off_t)count;
    if (text->whole) text->whole_written = text->written;
    memmove(text->buffer, text->buffer + count, text->length - count);
    text->length -= count;
    text->whole = 0;
    return true;
}

static char *add_whole(char *out, uint64_t value) {
    char digits[20];
    int count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) *out++ = digits[--count];
    return out;
}

/* Six decimals: a micrometre. printf would take most of the time of a recording. */
static char *add_decimal(char *out, double value) {
    if (!(fabs(value) < 1e9)) return out + sprintf(out, "%.6f", value);
    int64_t micro = llround(value * 1e6);
    if (micro < 0) *out++ = '-';
    uint64_t magnitude = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;
    out = add_whole(out, magnitude / 1000000);
    uint64_t fraction = magnitude % 1000000;
    *out++ = '.';
    for (int i = 5; i >= 0; i--, fraction /= 10) out[i] = (char)('0' + fraction % 10);
    return out + 6;
}

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

static bool write_header(text_file *text, const throng_record_head *head, throng_error *error) {
    throng_string header = {0};
    char fps[THRONG_DECIMAL_SIZE + 4];
    throng_decimal_text(head->fps, fps);
    strcat(fps, " fps");
    add_line(&header, "framerate", fps);
    add_line(&header, "description", head->description ? head->description : "");
    throng_record_geometry_wkt(head->geometry, head->reach, rectangle_width, text->wkt);
    text->wkt_length = strlen(text->wkt);
    add_line(&header, "geometry", text->wkt);
    text->wkt_at = (off_t)(header.length - text->wkt_length - 1);
    for (size_t i = 0; i < head->geometry->wall_count; i++) add_line(&header, "wall", head->geometry->walls[i]);
    throng_string_add(&header, "# id frame x/m y/m z/m\n");

    bool done = write_at(text, header.text, header.length, 0, error);
    text->written = text->whole_written = (off_t)header.length;
    throng_release(header.text);
    return done;
}

static void destroy(text_file *text) {
    if (text->file >= 0) close(text->file);
    throng_target_release(&text->target);
    throng_release(text->wkt);
    throng_release(text->buffer);
    throng_release(text);
}

void *throng_text_create(const throng_record_head *head, throng_error *error) {
    text_file *text = throng_allocate(sizeof *text);
    text->geometry = head->geometry;
    text->reach = head->reach;
    text->wkt = throng_allocate(throng_record_geometry_wkt_size(head->geometry));
    text->buffer = throng_reallocate(NULL, buffer_size);
    text->file = throng_target_create(&text->target, head->path, error);
    if (text->file >= 0 && write_header(text, head, error) && throng_target_replace(&text->target, error)) return text;
    destroy(text);
    return NULL;
}

bool throng_text_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    text_file *text = file;
    char number[24];
    size_t number_length = (size_t)(add_whole(number, frame->number) - number);
    for (size_t i = 0; i < frame->count; i++) {
        if (text->length + row_size > buffer_size && !write_buffer(text, error)) return false;
        char *start = text->buffer + text->length, *out = add_whole(start, frame->id[i]);
        *out++ = '\t';
        memcpy(out, number, number_length);
        out += number_length;
        *out++ = '\t';
        out = add_decimal(out, frame->x[i]);
        *out++ = '\t';
        out = add_decimal(out, frame->y[i]);
        memcpy(out, "\t0\n", 3);
        text->length += (size_t)(out + 3 - start);
    }
    text->whole = text->length;

    throng_box reach = throng_box_join(text->reach, frame->reach);
    if (memcmp(&reach, &text->reach, sizeof reach) != 0) text->grown = true;
    text->reach = reach;
    return true;
}

bool throng_text_flush(void *file, throng_error *error) {
    text_file *text = file;
    if (!write_buffer(text, error)) return false;
    if (!text->geometry->open || !text->grown) return true;
    throng_record_geometry_wkt(text->geometry, text->reach, rectangle_width, text->wkt);
    text->grown = false;
    /* Numbers too wide for their place: the rectangle stays as it was. */
    if (strlen(text->wkt) != text->wkt_length) return true;
    return write_at(text, text->wkt, text->wkt_length, text->wkt_at, error);
}

bool throng_text_close(void *file, bool failed, throng_error *error) {
    text_file *text = file;
    bool done = failed || throng_text_flush(text, error);
    int closed = close(text->file);
    text->file = -1;
    if (done && !failed && closed != 0) done = throng_refuse_write(error, text->target.path, strerror(errno));
    destroy(text);
    return done;
}
