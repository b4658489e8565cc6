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

/* What is learnt by looking at every row of a file once. frames[k] has the rows frames[k].first .. frames[k + 1].first
 * - 1; there is one more after the last. */
typedef struct throng_look {
    struct throng_frame_start {
        uint64_t number;
        size_t first;
    } * frames;
    size_t frame_count, frame_capacity, row_count;
    uint64_t last_frame; /* the highest number */
    throng_id_set ids;
    throng_box bounds;
} throng_look;

/* Takes in a row; false when its frame comes before that of another row, and so cannot be found. */
bool throng_look_at(throng_look *look, uint64_t frame, throng_agent id, double x, double y, size_t row);
/* Tells the recording how many there are of what, and where; `end` is the row after the last. */
void throng_look_end(throng_look *look, throng_recording *recording, size_t end);
/* Which frames have anybody in them: every n-th, where a video was annotated in steps. */
void throng_look_for_step(const throng_look *look, throng_recording *recording);
/* The frame of a number, or NULL when nobody is in it. */
const struct throng_frame_start *throng_look_find(const throng_look *look, size_t frame);
void throng_look_release(throng_look *look);

typedef struct throng_rows {
    throng_row *rows;
    size_t count, capacity;
    double *values; /* [number * quantities + quantity] */
    size_t value_capacity;
    throng_look look;
    double rate;     /* people were looked at so often a second, where frames a second are not known; else 0 */
    double *moments; /* s: times that are told even where nobody is there; may be none */
    size_t moment_count, moment_capacity;
    size_t listed;              /* frames that there are by those moments */
    uint64_t early;             /* frames that stand before frame 0: rows have them as what is left of 2^64 */
    throng_names ids;           /* ids as texts, where the format has any: rows have their number */
    bool by_name;               /* not all of those are whole numbers */
    throng_string walls, marks; /* of the ground, a line each */
} throng_rows;

throng_row *throng_rows_add(throng_rows *rows); /* valid until the next one */
/* The quantities of a row just added, to be filled: NaN as yet. */
double *throng_rows_values(throng_rows *rows, const throng_recording *recording);
/* A frame number, which may be below 0. */
bool throng_rows_frame_number(throng_rows *rows, throng_span word, uint64_t *value);
/* What to put as the id of a person who is called so. */
throng_agent throng_rows_id(throng_rows *rows, throng_span text);

/* Tells a time, whether there are rows of it or not. */
void throng_rows_add_moment(throng_rows *rows, double time);

/* Turns times into frames. `fps` is asked for, or 0: found from the times themselves. When they are not in steps,
 * positions between them are interpolated. Sets the recording's fps. */
bool throng_rows_from_times(throng_recording *recording, double fps, throng_error *error);
/* Sorts, and fills in what there is to know of the rows; refuses a file without any. Where ids are texts and all of
 * them are whole numbers, those are the ids; else everybody is numbered from 1 in the order they were seen, and keeps
 * the text as a name. */
bool throng_rows_finish(throng_recording *recording, throng_error *error);

/* Adds the quantity of a title, "force [N] what it is", of which the last part may be missing. False: it is none. */
bool throng_recording_take_title(throng_recording *recording, throng_span title);

/* How the texts of formats are read (parse of throng_file_format). */
#define THRONG_PARSED(format)                                                              \
    bool throng_parse_##format(throng_recording *recording, const char *text, size_t size, \
                               const throng_recording_def *def, throng_error *error)
THRONG_PARSED(text);
THRONG_PARSED(eth);
THRONG_PARSED(csv);
THRONG_PARSED(ndjson);
THRONG_PARSED(fcd);
THRONG_PARSED(viswalk);
THRONG_PARSED(vadere);

#endif
