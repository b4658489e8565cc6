/* text_lines.c: see text_lines.h. */

#include "record/text_lines.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { buffer_size = 8 << 20, closing_most = 100, rectangle_width = 13 };

bool throng_lines_write_at(throng_lines *lines, const char *bytes, size_t count, off_t at, throng_error *error) {
    while (count > 0) {
        ssize_t done = pwrite(lines->file, bytes, count, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return throng_refuse_write(error, lines->target.path, strerror(done < 0 ? errno : ENOSPC));
        bytes += done;
        count -= (size_t)done;
        at += done;
    }
    return true;
}

/* Cuts the file after its last whole frame. Should that fail as well, the reason is the one already told. */
static void cut(throng_lines *lines) {
    size_t length = strlen(lines->closing);
    if (ftruncate(lines->file, lines->whole_written) == 0 && length > 0)
        throng_lines_write_at(lines, lines->closing, length, lines->whole_written, NULL);
}

/* Moves the whole frames of the buffer to the file, or, when one frame alone fills it, what there is
 * of that. When this fails, the file is cut after its last whole frame. */
static bool write_buffer(throng_lines *lines, throng_error *error) {
    size_t count = lines->whole ? lines->whole : lines->length, ending = strlen(lines->closing);
    if (count == 0) return true;
    char after[closing_most];
    memcpy(after, lines->buffer + count, ending);
    memcpy(lines->buffer + count, lines->closing, ending);
    bool done = throng_lines_write_at(lines, lines->buffer, count + ending, lines->written, error);
    memcpy(lines->buffer + count, after, ending);
    if (!done) {
        cut(lines);
        return false;
    }
    lines->written += (off_t)count;
    if (lines->whole) lines->whole_written = lines->written;
    memmove(lines->buffer, lines->buffer + count, lines->length - count);
    lines->length -= count;
    lines->whole = 0;
    return true;
}

void throng_lines_release(throng_lines *lines) {
    if (lines->file >= 0) close(lines->file);
    lines->file = -1;
    throng_target_release(&lines->target);
    throng_release(lines->buffer);
    lines->buffer = NULL;
}

bool throng_lines_create(throng_lines *lines, const char *path, const throng_string *beginning, const char *closing,
                         throng_error *error) {
    *lines = (throng_lines){.closing = closing, .buffer = throng_reallocate(NULL, buffer_size + closing_most)};
    lines->file = throng_target_create(&lines->target, path, error);
    lines->written = lines->whole_written = (off_t)beginning->length;
    if (lines->file >= 0 && throng_lines_write_at(lines, beginning->text, beginning->length, 0, error) &&
        throng_lines_write_at(lines, closing, strlen(closing), lines->written, error) &&
        throng_target_replace(&lines->target, error))
        return true;
    throng_lines_release(lines);
    return false;
}

char *throng_lines_room(throng_lines *lines, throng_error *error) {
    if (lines->length + THRONG_LINE_MOST > buffer_size && !write_buffer(lines, error)) return NULL;
    return lines->buffer + lines->length;
}

void throng_lines_put(throng_lines *lines, const char *end) { lines->length = (size_t)(end - lines->buffer); }

void throng_lines_end_frame(throng_lines *lines) { lines->whole = lines->length; }

bool throng_lines_flush(throng_lines *lines, throng_error *error) { return write_buffer(lines, error); }

bool throng_lines_close(throng_lines *lines, bool failed, throng_error *error) {
    bool done = failed || throng_lines_flush(lines, error);
    int closed = close(lines->file);
    lines->file = -1;
    if (done && !failed && closed != 0) done = throng_refuse_write(error, lines->target.path, strerror(errno));
    throng_lines_release(lines);
    return done;
}

/* ------------------------------------------------------------------ the ground */

void throng_lines_ground_begin(throng_lines_ground *ground, const throng_record_head *head, throng_string *beginning) {
    ground->geometry = head->geometry;
    ground->reach = head->reach;
    ground->wkt = throng_allocate(throng_record_geometry_wkt_size(head->geometry));
    throng_record_geometry_wkt(head->geometry, head->reach, rectangle_width, ground->wkt);
    for (char *c = ground->wkt; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    ground->length = strlen(ground->wkt);
    ground->at = (off_t)beginning->length;
    throng_string_add(beginning, ground->wkt);
}

void throng_lines_ground_frame(throng_lines_ground *ground, const throng_record_frame *frame) {
    throng_box reach = throng_box_join(ground->reach, frame->reach);
    if (memcmp(&reach, &ground->reach, sizeof reach) != 0) ground->grown = true;
    ground->reach = reach;
}

bool throng_lines_ground_flush(throng_lines_ground *ground, throng_lines *lines, throng_error *error) {
    if (!ground->geometry->open || !ground->grown) return true;
    throng_record_geometry_wkt(ground->geometry, ground->reach, rectangle_width, ground->wkt);
    ground->grown = false;
    /* Numbers too wide for their place: the rectangle stays as it was. */
    if (strlen(ground->wkt) != ground->length) return true;
    return throng_lines_write_at(lines, ground->wkt, ground->length, ground->at, error);
}

/* ------------------------------------------------------------------ numbers */

char *throng_put_whole(char *out, uint64_t value) {
    char digits[20];
    int count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) *out++ = digits[--count];
    return out;
}

char *throng_put_decimal(char *out, double value) {
    if (!(fabs(value) < 1e9)) return out + sprintf(out, "%.6f", value);
    int64_t micro = llround(value * 1e6);
    if (micro < 0) *out++ = '-';
    uint64_t magnitude = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;
    out = throng_put_whole(out, magnitude / 1000000);
    uint64_t fraction = magnitude % 1000000;
    *out++ = '.';
    for (int i = 5; i >= 0; i--, fraction /= 10) out[i] = (char)('0' + fraction % 10);
    return out + 6;
}

char *throng_put_exact(char *out, double value, const char *none) {
    if (!isfinite(value)) return throng_put_text(out, none);
    char text[THRONG_DECIMAL_SIZE];
    throng_decimal_text(value, text);
    return throng_put_text(out, text);
}

char *throng_put_text(char *out, const char *text) {
    size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}
