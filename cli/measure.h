/* measure.h: what `throng measure` finds out, shared by the files that find it and those that write it. */

#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include <throng/throng.h>

#include "text.h"

/* An area or a line to measure at; points are owned. */
typedef struct measure_mark {
    char *name;
    throng_ring ring;
} measure_mark;

typedef struct mark_list {
    measure_mark *items;
    size_t count;
} mark_list;

/* A sample of numbers; NaN where there are none. */
typedef struct sample_figures {
    size_t count;
    double mean, sd, min, p5, p25, p50, p75, p95, max;
} sample_figures;

typedef struct area_figures {
    double size;           /* m2 */
    double *classic;       /* [frame] people per m2 */
    double *voronoi;       /* [frame] the same; NaN: not known */
    double *speed;         /* [frame] m/s, mean of those inside */
    double *voronoi_speed; /* [frame] m/s */
    sample_figures classic_all, voronoi_all, speed_all, voronoi_speed_all, nearest, acceleration;
    throng_point axis; /* along which people walk */
    throng_lane_figures lanes;
} area_figures;

typedef struct line_figures {
    double length; /* m */
    throng_crossing *crossings;
    size_t count, forward;
    double flow;             /* people per s, from the 10th to the 90th percent of them; NaN: too few */
    double gap_mean, gap_sd; /* s, of the same people */
    double *blocks;          /* people per s in blocks of block_frames, as PedPy has them */
    double *block_speed;     /* m/s of those who passed */
    size_t block_count;
    double egress_p95, egress_mean;      /* s after the start; first and last are those of crossings */
    double *density, *speed, *line_flow; /* [frame] at the line; NaN: not known */
    sample_figures density_all, speed_all, line_flow_all;
} line_figures;

/* Everything. */
typedef struct measurement {
    const char *source;
    throng_tracks *tracks;
    throng_tracks_view view;
    size_t frame_step;  /* frames of the file that became one */
    size_t first, last; /* frames that figures are of */
    size_t step;        /* frames before and after, for velocities */
    throng_border border;
    size_t block_frames;
    bool last_way;       /* of people who cross a line several times the last way counts, not the first */
    double cut_off;      /* m; 0: none */
    double axis;         /* degrees; NaN: found */
    bool walled;         /* the plane is bounded */
    throng_place *place; /* may be NULL */
    double *radius;      /* [person] m; NaN: not known */
    mark_list areas, lines;
    /* [row] */
    double *vx, *vy, *v, *acceleration, *nearest, *cell, *in_area, *on_line;
    sample_figures speed, person_speed, acceleration_all, nearest_all, density;
    double standing;                       /* part of samples slower than 0.3 m/s */
    size_t reversals;                      /* how often somebody turned back */
    double reversals_per_minute;           /* of a person's walking */
    size_t left;                           /* people who were gone before the end */
    double left_last, left_p95, left_mean; /* s; NaN: not all (95 %) have left */
    bool radii_known;
    size_t overlaps;        /* pairs and frames with bodies that overlap by more than 1 mm */
    double overlap_deepest; /* m */
    size_t no_cell;         /* positions without a Voronoi cell */
    area_figures *area;
    line_figures *line;
    text_list warnings;
} measurement;

/* measure_marks.c. "NAME=x,y,x,y,..."; false after a complaint. */
bool measure_read_mark(mark_list *list, const char *option, const char *text, size_t least, size_t most);
void measure_add_mark(mark_list *list, const throng_mark *mark);
void measure_marks_free(mark_list *list);

/* measure_figures.c: fills in all that follows from tracks, marks and choices; frees it. */
void measure_find(measurement *m);
void measure_free(measurement *m);
sample_figures measure_sample(const double *values, size_t count); /* those that are numbers */

/* measure_write.c. False after a complaint. */
void measure_print(const measurement *m);
bool measure_write_json(const measurement *m, const char *path);
bool measure_write_csv(const measurement *m, const char *prefix);

/* measure_report.c */
bool measure_write_report(const measurement *m, const char *path);

#endif
