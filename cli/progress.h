/* progress.h: the line on a terminal that shows how far a run is. */

#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress_line {
    bool shown;         /* stderr is a terminal, and the user wants it */
    bool on_screen;     /* a line stands there now */
    double begin, end;  /* s of simulated time */
    double begun_s;     /* clock */
    double next_draw_s; /* clock */
} progress_line;

/* Seconds of a clock that only runs forward. */
double clock_s(void);

/* Says that a scene is being prepared, until something else is said. */
void progress_prepare(bool wanted);
void progress_begin(progress_line *progress, bool wanted, double begin, double end);
/* Redraws when it is time to. */
void progress_update(progress_line *progress, double time, size_t people);
/* The same for work that is counted, begun with 0 and the whole as begin and end: "37 of 210 runs". */
void progress_count(progress_line *progress, size_t done, const char *what);
/* Leaves the terminal clean. */
void progress_clear(progress_line *progress);

#endif
