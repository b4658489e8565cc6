/* dxf.h: the parts of reading a DXF drawing (AutoCAD's exchange format, as text).
 *
 *     text ──dxf_text.c──► entities, by block ──dxf.c──► paths in metres, by layer ──dxf_layers.c──► shapes
 *                                                              └──dxf_chains.c: open ones joined──┘ */

#ifndef THRONG_DXF_H
#define THRONG_DXF_H

#include "base/names.h"
#include "plan/plan.h"

/* A corner of a path; the bulge makes an arc of the way to the next corner: the tangent of a quarter of its
 * angle, positive to the left. */
typedef struct throng_dxf_vertex {
    double x, y, bulge;
} throng_dxf_vertex;

typedef enum throng_dxf_type {
    THRONG_DXF_PATH,    /* LINE, LWPOLYLINE, POLYLINE */
    THRONG_DXF_CIRCLE,  /* x, y, radius */
    THRONG_DXF_ARC,     /* the same from angle[0] to angle[1], degrees, turning left */
    THRONG_DXF_ELLIPSE, /* around x, y; radius: the other semi-axis, as a part of the given one */
    THRONG_DXF_INSERT,  /* a block at x, y */
    THRONG_DXF_OTHER    /* something we do not read */
} throng_dxf_type;

typedef struct throng_dxf_entity {
    throng_dxf_type type;
    int line; /* in the file */
    char layer[64];
    char name[64]; /* of the block of an INSERT, or the type of OTHER */
    bool closed, mirrored;
    bool hidden;         /* drawn on a sheet of paper beside the model, or invisible */
    size_t first, count; /* its vertices */
    double x, y, radius, angle[2];
    double axis_x, axis_y;             /* a semi-axis of an ELLIPSE, from its centre */
    double width;                      /* of the pen along a path */
    double scale_x, scale_y, rotation; /* of an INSERT, degrees */
    double columns, rows, spacing_x, spacing_y;
} throng_dxf_entity;

typedef struct throng_dxf_block {
    char name[64];
    double x, y;         /* base point */
    size_t first, count; /* its entities */
} throng_dxf_block;

typedef struct throng_dxf {
    throng_dxf_vertex *vertices;
    size_t vertex_count, vertex_capacity;
    throng_dxf_entity *entities; /* block by block; those of the drawing itself are the first block */
    size_t entity_count, entity_capacity;
    throng_dxf_block *blocks;
    size_t block_count, block_capacity;
    throng_names hidden; /* layers that are off or frozen */
    int units;           /* $INSUNITS; 0: it does not say */
} throng_dxf;

/* Reads the text; false and an error with its line when it is no such text. */
bool throng_dxf_parse(throng_dxf *dxf, const char *bytes, size_t length, throng_report *report);
void throng_dxf_clear(throng_dxf *dxf);

/* ------------------------------------------------------------------ layers */

/* Something drawn on a layer, in metres. */
typedef struct throng_dxf_path {
    throng_point *points; /* owned; a closed path does not repeat the first */
    size_t count;
    bool closed;
    bool disc; /* points[0] and a radius */
    double radius;
    int line;
} throng_dxf_path;

typedef struct throng_dxf_layer {
    char name[64];
    bool known, hidden;
    bool thin; /* walls as drawn: nothing on it is solid or joined */
    throng_floor_kind kind;
    size_t drawn; /* entities on it */
    throng_dxf_path *paths;
    size_t count, capacity;
} throng_dxf_layer;

/* What a layer holds by its name: jps-walkablearea*, jps-obstacles*, ..., with or without jps-. */
bool throng_dxf_layer_kind(const char *name, throng_floor_kind *kind);
/* Whether a name is that of walls where buildings are drawn ("A-WALL-EXTR", "Waende"). */
bool throng_dxf_is_wall(const char *name);
/* A drawing no layer of which says what it holds: those of walls, else all of them, become thin walls on a floor that
 * reaches a little beyond them. False when there is nothing to take. */
bool throng_dxf_take_walls(throng_floor_plan *plan, throng_dxf_layer *layers, size_t count, throng_report *report);
/* Adds the shapes of a layer to the plan, and says what it left out. */
bool throng_dxf_add_layer(throng_floor_plan *plan, throng_dxf_layer *layer, throng_report *report);
/* Joins open paths that meet end to end, and closes those that come back. */
void throng_dxf_join(throng_dxf_layer *layer);

#define THRONG_DXF_JOINT 1e-3 /* m: ends so near to each other meet */

#endif
