/* plan.h: floor plans (walkable geometry) made elsewhere, read into one form.
 *
 *     file ──(by its ending)──► reader ──► shapes ──finish──► named, checked shapes
 *
 * A shape is something drawn: floor, an obstacle, an exit, a goal on the way, a zone, a place where people
 * start. It remembers where it stands in its file. Metres, y up. */

#ifndef THRONG_FLOOR_PLAN_H
#define THRONG_FLOOR_PLAN_H

#include <throng/throng.h>

typedef enum throng_floor_kind {
    THRONG_FLOOR_WALKABLE,
    THRONG_FLOOR_OBSTACLE,
    THRONG_FLOOR_EXIT, /* a goal where people leave */
    THRONG_FLOOR_GOAL, /* a goal where they stay or go on from */
    THRONG_FLOOR_ZONE,
    THRONG_FLOOR_SPAWN,
    THRONG_FLOOR_KIND_COUNT
} throng_floor_kind;

typedef enum throng_floor_form {
    THRONG_FLOOR_AREA, /* a polygon: its border, then its holes */
    THRONG_FLOOR_LINE, /* a chain of points */
    THRONG_FLOOR_DISC  /* a point and a radius */
} throng_floor_form;

typedef struct throng_floor_ring {
    throng_ring ring; /* owns its points; a closed one does not repeat the first */
    int line, column; /* in the file; 0: it has no such place */
} throng_floor_ring;

/* A number, or the distribution it is drawn from. */
typedef struct throng_floor_value {
    const char *distribution; /* "normal", "gamma", ... as scenario files call it; "": the number a; NULL: not said */
    double a, b;
    double low, high; /* "min" and "max"; both 0: none */
} throng_floor_value;

typedef struct throng_floor_shape {
    throng_floor_kind kind;
    throng_floor_form form;
    char *name; /* "": none */
    throng_floor_ring *rings;
    size_t ring_count, ring_capacity;
    throng_point centre;     /* of a disc */
    double radius;           /* of a disc, m; 0: not said */
    throng_floor_value wait; /* at a goal, s; only in scenarios of others */
    double speed_factor;     /* of a zone */
    double count;            /* of a spawn, people; 0: not said */
    double density;          /* of a spawn, people per square metre; 0: not said */
    char *goal;              /* of a spawn; "": not said */
    int line, column;        /* in the file; 0: it has no such place */
} throng_floor_shape;

typedef struct throng_floor_plan {
    throng_floor_shape *shapes;
    size_t count, capacity;
    bool apart; /* the walkable polygons must not overlap, as in a MULTIPOLYGON */
} throng_floor_plan;

/* A colour of a picture and the goal it stands for. */
typedef struct throng_floor_colour {
    unsigned rgb; /* 0xRRGGBB */
    const char *name;
} throng_floor_colour;

/* What a file does not say itself. */
typedef struct throng_floor_options {
    double metres_per_pixel; /* 0: not given */
    double threshold;        /* of brightness, 0 to 1: darker is wall */
    const throng_floor_colour *colours;
    size_t colour_count; /* 0: hues have names of their own */
} throng_floor_options;

throng_floor_options throng_floor_default_options(void);

typedef bool throng_floor_reader(throng_floor_plan *plan, const char *bytes, size_t length,
                                 const throng_floor_options *options, throng_report *report);

/* A format, chosen by the ending of a file. */
typedef struct throng_floor_format {
    const char *ending; /* ".wkt" */
    throng_floor_reader *read;
} throng_floor_format;

extern const throng_floor_format throng_floor_formats[]; /* ended by a NULL ending */

/* The format of a file by its ending; NULL: none we know. */
const throng_floor_format *throng_floor_format_of(const char *path);
/* ".wkt, .geojson, ..." */
const char *throng_floor_endings(char *buffer, size_t size);

/* Reads the bytes of a file, which end with a 0 that does not count. False, and the plan is empty, when an error was
 * added to the report. Lines and columns of the messages are those of the file. */
bool throng_floor_read(throng_floor_plan *plan, const throng_floor_format *format, const char *bytes, size_t length,
                       const throng_floor_options *options, throng_report *report);
void throng_floor_clear(throng_floor_plan *plan);

/* The walkable polygons as well-known text with one ring on each line: line k is the k-th ring of the
 * plan's walkable shapes. NULL when there is none. The caller releases it. */
char *throng_floor_wkt(const throng_floor_plan *plan);
/* That ring; NULL when there is no such line. */
const throng_floor_ring *throng_floor_walkable_ring(const throng_floor_plan *plan, int line);

/* The exit or goal of a name; NULL: none. */
const throng_floor_shape *throng_floor_goal(const throng_floor_plan *plan, const char *name);

/* "exit", "spawn", ...: what GeoJSON calls it. */
extern const char *const throng_floor_kind_names[THRONG_FLOOR_KIND_COUNT];

/* ------------------------------------------------------------------ for readers */

/* The new shape lives at this address until the next one is added. */
throng_floor_shape *throng_floor_add(throng_floor_plan *plan, throng_floor_kind kind, throng_floor_form form,
                                     const char *name, int line, int column);
/* Copies points; a closing point is left out of areas. */
void throng_floor_add_ring(throng_floor_shape *shape, const throng_point *points, size_t count, int line, int column);
/* What all formats have in common: names, values and rings that make sense. */
bool throng_floor_finish(throng_floor_plan *plan, throng_report *report);

throng_floor_reader throng_floor_read_wkt, throng_floor_read_geojson, throng_floor_read_dxf, throng_floor_read_png;

#endif
