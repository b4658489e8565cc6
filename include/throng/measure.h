/* measure.h: figures of a crowd over time, for charts: how many are inside and have left, how many pass a line, how
 * fast and how dense it is. Of a world that runs and of recordings alike; and of a whole recording what the field
 * measures of trajectories. A part of throng.h, which includes it. */

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

/* ------------------------------------------------------------------ whole recordings */

/* Everybody's positions, frame by frame, ours or anybody's. What follows measures them as PedPy does (docs/formats.md
 * tells where it does not); a figure that is not known is NaN. */
typedef struct throng_tracks throng_tracks;

typedef struct throng_tracks_def {
    double fps;                /* frames a second */
    const throng_place *place; /* where people can walk; default NULL: an open plane; not kept */
    int threads;               /* default 0: one per core; changes no result */
} throng_tracks_def;

/* Rows are positions, in order of frame, then id. A piece is a person's rows in frames one after the other: who is
 * away for a frame and comes back begins another one. */
typedef struct throng_tracks_view {
    double fps;
    size_t frame_count, row_count, person_count, piece_count;
    const size_t *start;        /* [frame_count + 1] rows of a frame */
    const throng_agent *id;     /* [row] */
    const double *x, *y;        /* [row] m */
    const uint32_t *frame;      /* [row] */
    const uint32_t *person;     /* [row] 0 .. person_count - 1, in order of id */
    const size_t *piece_start;  /* [piece_count + 1] into `along`; by person, then time */
    const uint32_t *along;      /* [row_count] rows of a piece in order of time */
    const throng_agent *people; /* [person_count] */
} throng_tracks_view;

THRONG_API throng_tracks_def throng_default_tracks_def(void);
/* NULL when the rate makes no sense. */
THRONG_API throng_tracks *throng_tracks_create(const throng_tracks_def *def, throng_error *error);
THRONG_API void throng_tracks_destroy(throng_tracks *tracks);
/* Adds the next frame; ids ascend. Whoever has a position that is not finite, or is there twice, is left out. */
THRONG_API void throng_tracks_add(throng_tracks *tracks, size_t count, const throng_agent *id, const double *x,
                                  const double *y);
/* All that was added; valid until more is. */
THRONG_API throng_tracks_view throng_tracks_look(throng_tracks *tracks);

/* What to do where there are less than `step` frames to the end of a piece: leave it out, take as many as there are on
 * both sides, or only the other side. */
typedef enum throng_border { THRONG_BORDER_EXCLUDE, THRONG_BORDER_ADAPTIVE, THRONG_BORDER_SINGLE } throng_border;
/* Velocities from `step` frames before to `step` frames after. m/s, [row] */
THRONG_API void throng_measure_velocities(throng_tracks *tracks, size_t step, throng_border border, double *vx,
                                          double *vy);
/* |x(f) - 2 x(f - step) + x(f - 2 step)| / (step / fps)^2 at frame f. m/s^2, [row] */
THRONG_API void throng_measure_accelerations(throng_tracks *tracks, size_t step, double *out);
/* Distance to the nearest other person of the frame. m, [row] */
THRONG_API void throng_measure_nearest(throng_tracks *tracks, double *out);
/* Whether somebody is inside a polygon, not on its border. [row] */
THRONG_API void throng_measure_inside(throng_tracks *tracks, throng_ring polygon, bool *out);

/* A person's first way across a line, or the last one, for people who dither on it. */
typedef struct throng_crossing {
    uint32_t row; /* at its end */
    double time;  /* s, where the straight way between two frames meets the line */
    bool forward; /* to the right of the line, seen from its first point to its last */
} throng_crossing;

/* In order of time; there is room for all people in `out`. Who ends within 10 um of the line has not crossed it. */
THRONG_API size_t throng_measure_crossings(throng_tracks *tracks, throng_ring line, bool last, throng_crossing *out);

/* Voronoi cells: what is nearer to a person than to anybody else, cut at the walls: the part where the person is. */
typedef struct throng_cells_def {
    double cut_off;           /* m: no farther than this; default 0: as far as the walls */
    int cut_off_corners;      /* of the polygon in a circle that stands for it; default 12 */
    const throng_ring *areas; /* whose shares are wanted: polygons */
    size_t area_count;
    const throng_ring *lines;
    size_t line_count;
} throng_cells_def;

THRONG_API throng_cells_def throng_default_cells_def(void);
/* The area of every cell in m^2 [row], NaN where nothing bounds it or nobody can walk there; how much of it is in
 * each area, m^2 [area * row_count + row]; and how much of each line is in it, m [line * row_count + row]. */
THRONG_API void throng_measure_cells(throng_tracks *tracks, const throng_cells_def *def, double *area, double *in_area,
                                     double *on_line);

/* Lanes of people who walk to and fro along an axis, inside a polygon, from frame to frame `every` frames. */
typedef struct throng_lanes_def {
    const bool *inside; /* [row] */
    throng_point axis;  /* unit vector; people belong to one of two ways by where they end up */
    double low, high;   /* m: lateral extent, along (-axis.y, axis.x) */
    size_t first, last; /* frames */
    size_t every;
} throng_lanes_def;

typedef struct throng_lane_figures {
    size_t frames;         /* with at least four people of known direction */
    double order;          /* mean of ((same - other) / (same + other))^2 within 0.4 m (Nowak & Schadschneider 2012) */
    double order_shuffled; /* what is expected of the same people with directions shuffled */
    double order_reduced;  /* (order - shuffled) / (1 - shuffled) */
    double band_index;     /* mean of |n1 - n2| / (n1 + n2) over bands of 0.3 m every 0.1 m */
    double strip_index;    /* mean of ((n1 - n2) / (n1 + n2))^2 over strips of 0.4 m with two people or more (Yamori) */
    double strip_shuffled;
} throng_lane_figures;

THRONG_API throng_lane_figures throng_measure_lanes(throng_tracks *tracks, const throng_lanes_def *def);

#ifdef __cplusplus
}
#endif

#endif
