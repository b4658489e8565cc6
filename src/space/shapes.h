/* shapes.h: the shapes a place (walkable geometry) is made from, read and checked one by one. */

#ifndef THRONG_SHAPES_H
#define THRONG_SHAPES_H

#include "base/report.h"
#include "space/place.h"

typedef enum throng_plan_role {
    THRONG_PLAN_BORDER,   /* of a polygon of the walkable area */
    THRONG_PLAN_HOLE,     /* in such a polygon */
    THRONG_PLAN_OBSTACLE, /* a polygon or a disc */
    THRONG_PLAN_COURTYARD /* left free between obstacles that were joined */
} throng_plan_role;

typedef struct throng_plan_ring {
    throng_plan_role role;
    size_t item;         /* index of the obstacle, or THRONG_WALKABLE_AREA */
    size_t polygon;      /* of the walkable area, from 0 */
    size_t hole;         /* its number in the polygon, from 1 */
    size_t first, count; /* its points */
    int line, column;    /* in the WKT text; 0 when it does not come from one */
    bool exact;          /* made by ourselves: nothing to mend */
    bool touching;       /* it touches itself, without crossing itself */
} throng_plan_ring;

/* Rings are counter-clockwise or clockwise as they were given, with no corner twice in a row. */
typedef struct throng_plan {
    bool open;          /* no walkable area */
    bool multi;         /* of a MULTIPOLYGON */
    throng_ring *rings; /* as geometry: rings[r] are the points of shapes[r] */
    throng_plan_ring *shapes;
    size_t ring_count, ring_capacity;
    throng_ring *lines; /* thin walls */
    throng_plan_ring *line_shapes;
    size_t line_count, line_capacity;
    size_t polygon_count; /* of the walkable area */
    throng_point *points;
    size_t point_count, point_capacity;
} throng_plan;

/* Reads the definition. False when a shape is wrong in itself, other than by meeting itself, which
 * throng_plan_check looks for; all faults are in the notes. */
bool throng_plan_read(throng_plan *plan, const throng_place_def *def, throng_place_notes *notes);
struct throng_area;
/* An area as a plan, its rings mended. Whether there was anything to mend. */
bool throng_plan_of_area(throng_plan *plan, const struct throng_area *area, throng_place_notes *notes);
/* Adds the thin walls of another plan. */
void throng_plan_take_lines(throng_plan *plan, const throng_plan *from);
/* Whether no ring crosses itself; those that touch themselves are marked. */
bool throng_plan_check(throng_plan *plan, throng_place_notes *notes);
void throng_plan_clear(throng_plan *plan);

/* Gives a ring other points. */
void throng_plan_replace(throng_plan *plan, size_t ring, throng_ring points);
/* A ring in words: "hole 2", "obstacle 3". */
void throng_plan_ring_words(const throng_plan *plan, const throng_plan_ring *ring, char *out, size_t size);

/* Adds a note about a ring of the plan, or about an item when ring is NULL. */
void throng_plan_note(const throng_plan *plan, const throng_plan_ring *ring, throng_place_notes *notes,
                      throng_severity severity, size_t item, const char *format, ...) THRONG_PRINTF(6, 7);
/* The same with a place, which the text should name; of the walkable area when ring is NULL. */
void throng_plan_tell(const throng_plan *plan, const throng_plan_ring *ring, throng_place_notes *notes,
                      throng_severity severity, throng_point at, const char *format, ...) THRONG_PRINTF(6, 7);

#endif
