/* text_write.h: writing text formats: a file that grows by whole frames.
 *
 * Rows are gathered in a buffer and moved to the file at a flush, whole frames together. A text that ends the file (a
 * closing tag) is written with each flush and written over by the next, so that the file is whole at any time. */

#ifndef THRONG_TEXT_WRITE_H
#define THRONG_TEXT_WRITE_H

#include "record/record.h"

typedef struct throng_text_file {
    throng_output output;
    const struct throng_text_style *style;
    char *buffer;           /* rows not in the file yet */
    size_t length;          /* of them */
    size_t whole;           /* length at the end of the last whole frame */
    uint64_t written;       /* size of the file without what ends it */
    uint64_t whole_written; /* size at the end of the last whole frame in it */
    uint64_t wkt_at;        /* where the ground is in the file; 0: nowhere */
    size_t wkt_length;
    uint64_t summary_at; /* likewise the summary */
    bool any;            /* somebody was recorded */
    throng_agent first_person;
    uint64_t first_frame, last_frame; /* with anybody in them */
    size_t person;                    /* of those known before, the next one in this frame */
} throng_text_file;

enum { THRONG_LINE_MOST = 8192, THRONG_SUMMARY_MOST = 200 };

/* Adds up to THRONG_LINE_MOST bytes about a frame, or one row of it, and returns their end. */
typedef char *throng_put_function(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out);

/* What tells one text format from another. All but `begin` and `row` may be NULL. */
typedef struct throng_text_style {
    void (*begin)(throng_text_file *file, throng_string *out); /* what stands before all frames */
    throng_put_function *before, *row, *after;                 /* of a frame, a person, a frame */
    const char *closing;                                       /* what ends the file */
    /* A text in the beginning about all that is in the file, always as long; written over at each flush. */
    void (*summary)(const throng_text_file *file, char text[THRONG_SUMMARY_MOST]);
} throng_text_style;

extern const throng_text_style throng_juelich_text, throng_csv_text, throng_eth_text, throng_ndjson_text,
    throng_fcd_text;

/* Adds the ground as WKT to the beginning. That of an open plane is written over as it grows. */
void throng_text_add_ground(throng_text_file *file, throng_string *out);

/* Numbers into a text, without a 0 at the end; they return its end. printf would take most of the time of a recording.
 */
char *throng_put_whole(char *out, uint64_t value);
char *throng_put_decimal(char *out, double value); /* six decimals: a micrometre; at most 330 bytes */
char *throng_put_text(char *out, const char *text);
/* The shortest text that reads back as the same number; this one for what is none. */
char *throng_put_exact(char *out, double value, const char *none);

#endif
