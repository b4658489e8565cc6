/* measure.h: what `throng measure` finds out, shared by the files that find it and those that write it. */

#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include <stdio.h>
#include <throng/throng.h>

#include "gather.h"
#include "json.h"
#include "text.h"

/* An area or a line to measure at; points are owned. */
typedef struct measure_mark {
    char *name;
    throng_ring ring;
    throng_mark_kind kind;
    double radius; /* m, of a goal that is a disc */
} measure_mark;

typedef struct mark_list {
    measure_mark *items;
    size_t count;
} mark_list;

typedef struct area_figures {
    double size;           /* m2 */
    double *classic;       /* [frame] people per m2 */
    double *voronoi;       /* [frame] the same; NaN: not known */
    double *speed;         /* [frame] m/s, mean of those inside */
    double *voronoi_speed; /* [frame] m/s */
    throng_sample classic_all, voronoi_all, speed_all, voronoi_speed_all, nearest, acceleration;
    throng_point axis; /* along which people walk */
    throng_lane_figures lanes;
} area_figures;

typedef struct line_figures {
    double length; /* m */
    throng_crossing *crossings;
    throng_flow_figures flow;
    double *blocks;      /* people per s in blocks of block_frames, as PedPy has them */
    double *block_speed; /* m/s of those who passed */
    double *block_end;   /* s */
    size_t block_count;
    double *density, *speed, *line_flow; /* [frame] at the line; NaN: not known */
    throng_sample density_all, speed_all, line_flow_all;
} line_figures;

/* Those who get to a goal, and stand before that. */
typedef struct goal_figures {
    throng_sample waited; /* s, of people */
    double *queue;        /* [frame] people who stand and get there next */
    throng_sample queue_all;
} goal_figures;

/* A point of the fundamental diagram. */
typedef struct diagram_point {
    double time, density, speed, flow; /* s, 1/m2, m/s, 1/(m s) */
    throng_agent id;                   /* whose it is; 0: nobody's */
} diagram_point;

typedef struct diagram {
    const char *method, *where;
    diagram_point *points;
    size_t count;
} diagram;

enum { AREA_CLASSES = 6, PAIR_BINS = 30 };
extern const double
    measure_area_classes[AREA_CLASSES]; /* m2: the smallest personal area of each class, largest first */
extern const double measure_pair_bin;   /* m */

/* Everything. */
typedef struct measurement {
    const char *source;
    gathered gathered;
    throng_tracks *tracks; /* those gathered */
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
    bool planned;        /* place and period are those of a scenario that is not run */
    throng_period period;
    mark_list areas, lines, goals;
    /* [row] */
    double *vx, *vy, *v, *acceleration, *jerk, *pressure, *nearest, *cell, *in_area, *on_line;
    throng_summary run;
    throng_sample speed, person_speed, acceleration_all, jerk_all, pressure_all, nearest_all, density;
    bool radii_known;
    double *waited;                  /* s [person] that it stood; NaN: not known */
    size_t no_cell;                  /* positions without a Voronoi cell */
    double area_class[AREA_CLASSES]; /* part of positions with a cell in each class */
    double pairs[PAIR_BINS];         /* pair distribution */
    throng_collisions collisions;
    area_figures *area;
    line_figures *line;
    goal_figures *goal;
    diagram *diagrams;
    size_t diagram_count;
    bool mapped, maps_asked; /* there are maps; as data, too */
    throng_maps_def maps_def;
    throng_maps cell_maps, kernel_maps;
    double kernel_width; /* m */
    text_list warnings;
} measurement;

/* measure_marks.c. "NAME=x,y,x,y,..."; false after a complaint. */
bool measure_read_mark(mark_list *list, const char *option, const char *text, size_t least, size_t most);
void measure_sort_mark(measurement *m, const throng_mark *mark); /* areas, lines and goals to theirs */
void measure_marks_free(mark_list *list);

/* measure_figures.c: fills in all that follows from tracks, marks and choices; frees it. */
void measure_find(measurement *m);
void measure_free(measurement *m);

/* measure_diagram.c */
void measure_find_diagrams(measurement *m);
void measure_free_diagrams(measurement *m);
void measure_json_diagrams(json_writer *writer, const measurement *m);
void measure_csv_diagrams(const measurement *m, FILE *file);

/* measure_maps.c. Squares of a size, 0: as large as a picture wants them; Gaussians of a width. */
void measure_find_maps(measurement *m, double cell, double width);
void measure_free_maps(measurement *m);
void measure_json_maps(json_writer *writer, const measurement *m);
void measure_csv_maps(const measurement *m, FILE *file);
void measure_draw_map(const measurement *m, FILE *file, const char *title, const char *unit, const throng_maps *maps,
                      const double *values);

/* measure_write.c. False after a complaint. */
void measure_print(const measurement *m);
bool measure_write_json(const measurement *m, const char *path);
bool measure_write_csv(const measurement *m, const char *prefix);

/* measure_report.c */
bool measure_write_report(const measurement *m, const char *path);

#endif
