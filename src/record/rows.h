/* rows.h: recordings of formats that are read whole: a list of who was where in which frame, in any
 * order, then sorted. */

#ifndef THRONG_ROWS_H
#define THRONG_ROWS_H

#include "record/record.h"
#include "record/span.h"

typedef struct throng_row {
    union {
        uint64_t frame;
        double time; /* s, until throng_rows_from_times */
    };
    throng_agent id;
    double x, y;   /* m */
    size_t number; /* as it was read: its quantities are there in the list of values */
} throng_row;

/* frames[k] has the rows frames[k].first .. frames[k + 1].first - 1. */
typedef struct throng_frame_start {
    uint64_t number;
    size_t first;
} throng_frame_start;

typedef struct throng_rows {
    throng_row *rows;
    size_t count, capacity;
    double *values; /* [number * quantities + quantity] */
    size_t value_capacity;
    throng_frame_start *frames;
    size_t frame_count, frame_capacity;
    double *moments; /* s: times that are told even where nobody is there; may be none */
    size_t moment_count, moment_capacity;
    size_t listed;    /* frames that there are by those moments */
    uint64_t early;   /* frames that stand before frame 0: rows have them as what is left of 2^64 */
    throng_names ids; /* ids as texts, where the format has any: rows have their number */
    bool by_name;     /* not all of those are whole numbers */
} throng_rows;

/* The recording's rows, made when there are none yet. */
throng_rows *throng_rows_of(throng_recording *recording);
throng_row *throng_rows_add(throng_rows *rows); /* valid until the next one */
/* The quantities of a row just added, to be filled: NaN as yet. */
double *throng_rows_values(throng_rows *rows, const throng_recording *recording);
/* A frame number, which may be below 0. */
bool throng_rows_frame_number(throng_rows *rows, throng_span word, uint64_t *value);
/* What to put as the id of a person who is called so. */
throng_agent throng_rows_id(throng_rows *rows, throng_span text);

/* Tells a time, whether there are rows of it or not. */
void throng_rows_add_moment(throng_rows *rows, double time);

/* Turns times into frames. `fps` is asked for, or 0: found from the times themselves. Refused when they are not in
 * steps. Sets the recording's fps. */
bool throng_rows_from_times(throng_recording *recording, double fps, throng_error *error);
/* Sorts, and fills in what there is to know of the rows; refuses a file without any. Where ids are texts and all of
 * them are whole numbers, those are the ids; else everybody is numbered from 1 in the order they were seen, and keeps
 * the text as a name. */
bool throng_rows_finish(throng_recording *recording, throng_error *error);

/* Adds the quantity of a title, "force [N] what it is", of which the last part may be missing. False: it is none. */
bool throng_recording_take_title(throng_recording *recording, throng_span title);

/* The whole of the recording's file, to be released; NULL and an error when it cannot be read. */
char *throng_recording_text(const throng_recording *recording, size_t *size, throng_error *error);

#endif
