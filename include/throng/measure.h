/* measure.h: figures of a crowd over time, for charts: how many are inside and have left, how many pass a line, how
 * fast and how dense it is. Of a world that runs and of recordings alike. A part of throng.h, which includes it. */

#ifndef THRONG_MEASURE_H
#define THRONG_MEASURE_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_measure throng_measure;

typedef struct throng_measure_def {
    const throng_mark *marks; /* of these, THRONG_MARK_LINE are measured at; the first 32 */
    size_t mark_count;
    double window;        /* s that flows are averaged over; default 4 */
    double kernel_radius; /* m of the density's kernel; default 1.5 */
} throng_measure_def;

THRONG_API throng_measure_def throng_default_measure_def(void);
/* NULL when a number makes no sense. */
THRONG_API throng_measure *throng_measure_create(const throng_measure_def *def, throng_error *error);
THRONG_API void throng_measure_destroy(throng_measure *measure);

/* Takes a moment, the next one after those before: count, id, x, y, radius, time, and by_id where rows are not in order
 * of id; vx and vy may be NULL, and then follow from where people were before. A moment that is not later than the last
 * one begins everything anew. */
THRONG_API void throng_measure_add(throng_measure *measure, const throng_view *people);

/* What the last moment came to. */
typedef struct throng_figures {
    double time;          /* s */
    size_t inside;        /* people */
    size_t left;          /* people who were there before, and are not now */
    double mean_speed;    /* m/s; NaN when nobody is there, or it is not known yet */
    double density_max;   /* people per m2, at the person where it is largest */
    throng_point densest; /* m, where that is */
    size_t overlaps;      /* pairs of bodies that overlap by more than 1 mm */
} throng_figures;

THRONG_API throng_figures throng_measure_figures(const throng_measure *measure);

/* What was measured at a line. */
typedef struct throng_line_figures {
    const char *name;
    uint64_t passed; /* people since the start, everybody once as long as it is there, whichever way it walks */
    double flow;     /* people per s over the window, or since the start when that is shorter */
} throng_line_figures;

THRONG_API size_t throng_measure_line_count(const throng_measure *measure);
THRONG_API throng_line_figures throng_measure_line(const throng_measure *measure, size_t index);

#ifdef __cplusplus
}
#endif

#endif
