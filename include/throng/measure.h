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
    const throng_mark *marks; /* of these, lines and areas are measured at; the first 32 of each */
    size_t mark_count;
    double window;        /* s that flows are averaged over; default 4 */
    double kernel_radius; /* m of the density's kernel; default 1.5 */
    throng_period period; /* who jumps by about a period walks on; default: none */
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
    uint64_t passed; /* people since the start, everybody once (a turn) as long as it is there, whichever way */
    double flow;     /* people per s over the window, or since the start when that is shorter */
} throng_line_figures;

THRONG_API size_t throng_measure_line_count(const throng_measure *measure);
THRONG_API throng_line_figures throng_measure_line(const throng_measure *measure, size_t index);

/* What was measured in an area at the last moment. */
typedef struct throng_area_figures {
    const char *name;
    size_t inside;     /* people */
    double density;    /* people per m2 */
    double mean_speed; /* m/s; NaN when nobody is there, or it is not known yet */
} throng_area_figures;

THRONG_API size_t throng_measure_area_count(const throng_measure *measure);
THRONG_API throng_area_figures throng_measure_area(const throng_measure *measure, size_t index);

/* ------------------------------------------------------------------ whole recordings */

/* Everybody's positions, frame by frame, ours or anybody's. What follows measures them as PedPy does (docs/formats.md
 * tells where it does not); a figure that is not known is NaN. */
typedef struct throng_tracks throng_tracks;

typedef struct throng_tracks_def {
    double fps;                /* frames a second */
    const throng_place *place; /* where people can walk; default NULL: an open plane; not kept */
    int threads;               /* default 0: one per core; changes no result */
    throng_period period;      /* who jumps by about a period walks on; default: none */
} throng_tracks_def;

/* Rows are positions, in order of frame, then id. A piece is a person's rows in frames one after the other: who is
 * away for a frame and comes back begins another one. */
typedef struct throng_tracks_view {
    double fps;
    size_t frame_count, row_count, person_count, piece_count;
    size_t turn_count;          /* times that somebody walks out at one end of an endless place and in at the other */
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
/* NULL when the rate or the period makes no sense. */
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
/* |x(f) - 3 x(f - step) + 3 x(f - 2 step) - x(f - 3 step)| / (step / fps)^3. m/s^3, [row] */
THRONG_API void throng_measure_jerks(throng_tracks *tracks, size_t step, double *out);
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

/* In order of time; there is room for person_count + turn_count in `out`: in an endless place everybody crosses a line
 * once a turn. Who ends within 10 um of the line has not crossed it. */
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

/* Maps on a grid of squares, means over frames. Squares begin at `low`, row by row. */
typedef struct throng_maps_def {
    throng_point low; /* m */
    double cell;      /* m; default 0.5 */
    size_t columns, rows;
    size_t first, last;  /* frames; default all: 0 and SIZE_MAX */
    const double *speed; /* m/s [row]; default NULL: density alone */
    double cut_off;      /* m, of Voronoi cells; default 0: none */
    double gaussian;     /* m: instead of cells everybody is a Gaussian of this full width at half maximum; default 0 */
} throng_maps_def;

/* [rows * columns]; NaN: nobody was ever there. */
typedef struct throng_maps {
    double *density; /* people per m^2 */
    double *speed;   /* m/s of those there */
    double *flow;    /* people per m and s: density times speed */
    double *covered; /* part of the square that cells cover; of Gaussians the density again */
} throng_maps;

THRONG_API throng_maps_def throng_default_maps_def(void);
THRONG_API void throng_measure_maps(throng_tracks *tracks, const throng_maps_def *def, throng_maps *out);

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
    double half_period; /* m: how far aside people are most opposed in direction; NaN where they are not */
} throng_lane_figures;

THRONG_API throng_lane_figures throng_measure_lanes(throng_tracks *tracks, const throng_lanes_def *def);

/* ------------------------------------------------------------------ pairs of people, and people and walls */

/* Pressure of the crowd at everybody: density times variance of velocity, both weighted by exp(-d^2 / R^2) / (pi R^2)
 * with R = 1 m (Helbing, Johansson, Al-Abideen 2007, who found turbulence from 0.02 on). 1/s^2, [row] */
THRONG_API void throng_measure_pressures(throng_tracks *tracks, const double *vx, const double *vy, double *out);

typedef struct throng_overlap_figures {
    size_t pairs;   /* that overlap by more than 1 mm, pairs times frames */
    double deepest; /* m */
} throng_overlap_figures;

/* Bodies are discs of these radii, m [person]. */
THRONG_API throng_overlap_figures throng_measure_overlaps(throng_tracks *tracks, const double *radius, size_t first,
                                                          size_t last);

typedef struct throng_wall_figures {
    size_t crossings; /* ways between two frames that go through a wall */
    size_t outside;   /* positions where nobody can walk */
} throng_wall_figures;

THRONG_API throng_wall_figures throng_measure_walls(throng_tracks *tracks, size_t first, size_t last);

/* Pair distribution: how often two people of a frame are [k, k + 1) * bin apart, over how often two positions of any
 * frames are; NaN where they never are. [bin_count] */
THRONG_API void throng_measure_pair_distribution(throng_tracks *tracks, size_t first, size_t last, double bin,
                                                 size_t bin_count, double *out);

enum { THRONG_COLLISION_BINS = 50 };

/* Times to collision of pairs who walk straight on, in tenths of a second, and the energy that follows from them
 * (Karamouzas, Skinner, Guy 2014). Start with all zero. */
typedef struct throng_collisions {
    double pairs;                            /* of two people at one moment */
    double observed[THRONG_COLLISION_BINS];  /* of them so many would touch after k / 10 .. (k + 1) / 10 s */
    double scrambled[THRONG_COLLISION_BINS]; /* as many pairs of different moments */
    /* throng_fit_collisions: E = -ln(observed / scrambled) = scale * tau^-exponent; NaN: too few */
    double energy[THRONG_COLLISION_BINS];
    double exponent, scale; /* by maximum likelihood from 0.3 to 3 s */
    double exponent_log;    /* by a straight line through logarithms from 0.4 to 2 s */
} throng_collisions;

/* Adds the pairs of a recording: tracks at 2.5 Hz, smoothed, people as discs of a radius (m; 0.1 reproduces the paper);
 * of large crowds as many pairs as can be looked at. */
THRONG_API void throng_measure_collisions(throng_tracks *tracks, double radius, size_t first, size_t last,
                                          throng_collisions *sums);
THRONG_API void throng_fit_collisions(throng_collisions *sums);

/* The goal that everybody gets to next, [row] an index of marks, of which goals and exits count; UINT32_MAX: none. Who
 * comes within 0.5 m of it gets there. */
THRONG_API void throng_measure_goals(throng_tracks *tracks, const throng_mark *marks, size_t count, uint32_t *out);

/* ------------------------------------------------------------------ all figures of a run */

/* Numbers in short, those that are NaN left out; quantiles with straight lines between order statistics. NaN: none. */
typedef struct throng_sample {
    size_t count;
    double mean, sd, min, p5, p25, p50, p75, p95, max;
} throng_sample;

THRONG_API throng_sample throng_sample_of(const double *values, size_t count);

typedef struct throng_summary_def {
    size_t first, last;   /* frames; default all: 0 and SIZE_MAX */
    size_t step;          /* frames before and after, for velocities; default 0: 0.3 s */
    throng_border border; /* default THRONG_BORDER_EXCLUDE */
    double cut_off;       /* m, of Voronoi cells; default 1; 0: none */
    const double *cell;   /* m^2 [row], areas of these cells where they are known already, NaN where neither they nor
                             pressures are wanted; default NULL */
    const double *radius; /* m [person]; default NULL: not known */
    const double *force;  /* N [row], sum of the sizes of contact forces; default NULL: not known */
    throng_collisions *collisions; /* where they are told in full, of discs of 0.1 m; default NULL */
    double load_limit; /* N/m, contact force over circumference; default 1600 (Helbing, Farkas, Vicsek 2000) */
} throng_summary_def;

THRONG_API throng_summary_def throng_default_summary_def(void);

/* Every figure is a number; NaN: not known. throng_summary_line tells units and meanings. */
typedef struct throng_summary {
    double people, left, egress_last, egress_p95, egress_mean;
    double speed_mean, speed_sd, standing, waited_mean;
    double way_mean, way_efficiency, reversals, acceleration_mean, acceleration_p95, jerk_mean, jerk_p95;
    double density_mean, density_p95, density_max, area_p5, area_crushed, nearest_min, nearest_p5, nearest_p50;
    double pressure_p95, pressure_max, overlaps, overlap_part, overlap_deepest, wall_crossings, outside;
    double collision_exponent, collision_scale, collision_energy;
    double force_max, force_mean, load_time;
} throng_summary;

THRONG_API throng_summary throng_measure_summary(throng_tracks *tracks, const throng_summary_def *def);

/* All of them one after the other, for tables. */
typedef struct throng_summary_line {
    const char *name, *unit, *about;
} throng_summary_line;

THRONG_API size_t throng_summary_count(void);
THRONG_API throng_summary_line throng_summary_about(size_t index);
THRONG_API double throng_summary_value(const throng_summary *figures, size_t index);

/* What passes a line, everybody once, or once a turn; see throng_measure_crossings. */
typedef struct throng_flow_figures {
    size_t count, forward;
    double first, last, p95, mean; /* s after the start */
    double flow;                   /* people per s from the 10th to the 90th percent of them; NaN: too few */
    double gap_mean, gap_sd;       /* s between two of these people */
} throng_flow_figures;

/* Crossings that end in these frames; `crossings` has room for all people, or is NULL. */
THRONG_API throng_flow_figures throng_measure_flow(throng_tracks *tracks, throng_ring line, bool last_way, size_t first,
                                                   size_t last, throng_crossing *crossings);

#ifdef __cplusplus
}
#endif

#endif
