/* place.h: the insides of a place (walkable geometry), made once, at load time. */

#ifndef THRONG_PLACE_H
#define THRONG_PLACE_H

#include <throng/throng.h>

/* Rings have the walkable side on their left and do not repeat their first point. */
struct throng_place {
    bool open;          /* no walkable area: the whole plane but the obstacles */
    throng_ring *rings; /* borders and holes */
    size_t ring_count;
    throng_ring *lines; /* thin walls, open chains */
    size_t line_count;
    throng_point *points; /* owns the points of all rings and lines */
    size_t point_count;
    size_t part_count;        /* separate pieces of the walkable area; 0 when open */
    char *wkt;                /* NULL: written when it is asked for */
    throng_box bounds;        /* of everything above; zero when there is nothing */
    throng_place_def *source; /* what it was made from; NULL: it was made of another one */
};

/* No coordinate of a place is larger than this, in m. */
#define THRONG_FARTHEST 1e8

/* Why a shape was refused, and where. */
typedef struct throng_fault {
    char text[240]; /* "ring crosses itself", ... without the coordinates */
    throng_point at;
    bool has_place;
    bool plain; /* beyond repair: edges cross by more than the tolerance, or there is no area */
} throng_fault;

/* Whether points form a simple polygon with an area; duplicate consecutive points and a repeated
 * last point are allowed. Loads of 10^6 points take seconds at most. */
bool throng_ring_is_simple(const throng_point *points, size_t count, throng_fault *fault);

/* Point in polygon by the even-odd rule; points of the border may fall either way. */
bool throng_ring_contains(throng_ring ring, double x, double y);

/* The point of the ring's inside (border included) nearest to a point: the point itself when inside. */
throng_point throng_ring_nearest(throng_ring ring, double x, double y);
/* The nearest point of its border, from outside as from inside; of no points, the point itself. */
throng_point throng_ring_border_nearest(throng_ring ring, double x, double y);

/* With points of its own, which the caller releases. */
throng_ring throng_copy_ring(throng_ring ring);

/* Positive when the ring turns counter-clockwise. m^2 */
double throng_ring_area(throng_ring ring);

/* Copies the points of a ring without those that repeat the one before (nearer than 1 nm) or, in a
 * closed ring, the first. Returns how many are left; `repeated` is the first one left out, a closing
 * point not counted, and `repeated_count` how many there were. */
size_t throng_ring_tidy(const throng_point *points, size_t count, bool closed, throng_point *out,
                        throng_point *repeated, size_t *repeated_count);

/* Whether all corners lie in one line. */
bool throng_ring_is_flat(throng_ring ring);

/* Whether a ring that is not simple touches itself without crossing; the fault says where it does. The
 * ring has no corner twice in a row. */
bool throng_ring_only_touches(throng_ring ring, throng_fault *fault);

throng_place *throng_place_copy(const throng_place *place);
/* Takes the outermost border away, so that the plane is open. */
void throng_place_drop_border(throng_place *place);

/* source.c: a definition with all that it points to. */
throng_place_def *throng_place_def_copy(const throng_place_def *def);
void throng_place_def_destroy(throng_place_def *def);
/* Adds an obstacle behind the others, or takes away all from the count-th on. */
void throng_place_def_add(throng_place_def *def, const throng_obstacle *obstacle);
void throng_place_def_cut(throng_place_def *def, size_t count);
/* The outline of an obstacle that a place was made with: the corners of the polygon, discs made
 * polygons, or the points of the thin wall; nothing when it consists of several rings, because it
 * touches itself. The caller releases the points. */
throng_ring throng_obstacle_outline(const throng_obstacle *obstacle);

/* Something found while making a place. */
typedef struct throng_place_note {
    throng_severity severity; /* THRONG_WARNING: repaired; THRONG_ERROR: refused */
    size_t item;              /* index of the obstacle concerned, or THRONG_WALKABLE_AREA */
    int line, column;         /* in the WKT text, from 1; 0: it has no place there */
    char text[240];           /* without the item, with coordinates: "ring crosses itself at (5, 5)" */
    throng_point at;          /* m; only when it has_place */
    bool has_place;
} throng_place_note;

#define THRONG_WALKABLE_AREA SIZE_MAX

typedef struct throng_place_notes {
    throng_place_note *notes;
    size_t count, capacity;
} throng_place_notes;

void throng_place_notes_clear(throng_place_notes *notes);

/* throng_place_create that also tells all it repaired and, when it refuses, every fault it found;
 * the error is the first of them. Start with zeroed notes; clear them afterwards. */
throng_place *throng_place_build(const throng_place_def *def, throng_place_notes *notes, throng_error *error);

#endif
