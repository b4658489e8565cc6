/* text_lines.h: writing text formats: a file that grows by whole frames.
 *
 * Rows are gathered in a buffer and moved to the file at a flush, whole frames together. A text that ends the file (a
 * closing tag) is written with each flush and written over by the next, so that the file is whole at any time. */

#ifndef THRONG_TEXT_LINES_H
#define THRONG_TEXT_LINES_H

#include <sys/types.h>

#include "record/record.h"

typedef struct throng_lines {
    throng_target target;
    int file;            /* -1: none */
    const char *closing; /* what ends the file; "" for nothing */
    char *buffer;        /* rows not in the file yet */
    size_t length;       /* of them */
    size_t whole;        /* length at the end of the last whole frame */
    off_t written;       /* size of the file without `closing` */
    off_t whole_written; /* size at the end of the last whole frame in it */
} throng_lines;

enum { THRONG_LINE_MOST = 8192 }; /* bytes that can be asked for at once */

/* Makes the file with this beginning; false and an error, and nothing is left, when that is not possible. */
bool throng_lines_create(throng_lines *lines, const char *path, const throng_string *beginning, const char *closing,
                         throng_error *error);
/* Where up to THRONG_LINE_MOST bytes can be put; NULL and an error when the file cannot be written. */
char *throng_lines_room(throng_lines *lines, throng_error *error);
void throng_lines_put(throng_lines *lines, const char *end); /* what was put there ends here */
void throng_lines_end_frame(throng_lines *lines);
bool throng_lines_flush(throng_lines *lines, throng_error *error);
/* Writes over bytes that are in the file already. */
bool throng_lines_write_at(throng_lines *lines, const char *bytes, size_t count, off_t at, throng_error *error);
/* Flushes unless writing has failed, and closes. */
bool throng_lines_close(throng_lines *lines, bool failed, throng_error *error);
void throng_lines_release(throng_lines *lines);

/* The ground as WKT in the beginning of a text. That of an open plane is written over as it grows. */
typedef struct throng_lines_ground {
    const throng_record_geometry *geometry;
    throng_box reach; /* of everything so far */
    bool grown;       /* what is in the file is too small */
    char *wkt;        /* room for it */
    size_t length;    /* in the file */
    off_t at;         /* where it is in the file */
} throng_lines_ground;

/* Adds the WKT to the beginning of the file. */
void throng_lines_ground_begin(throng_lines_ground *ground, const throng_record_head *head, throng_string *beginning);
void throng_lines_ground_frame(throng_lines_ground *ground, const throng_record_frame *frame);
bool throng_lines_ground_flush(throng_lines_ground *ground, throng_lines *lines, throng_error *error);

/* Numbers into a text, without a 0 at the end; they return its end. printf would take most of the time of a recording.
 */
char *throng_put_whole(char *out, uint64_t value);
char *throng_put_decimal(char *out, double value); /* six decimals: a micrometre; at most 330 bytes */
char *throng_put_text(char *out, const char *text);
/* The shortest text that reads back as the same number; this one for what is none. */
char *throng_put_exact(char *out, double value, const char *none);

#endif
