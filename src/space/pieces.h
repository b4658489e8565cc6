/* pieces.h: the outlines of obstacles and the walls they meet, cut where they meet, and put together
 * again without the parts that are covered. The insides of patch.c.
 *
 *     wall ------x------------x------      the wall between the crosses and the
 *                |  obstacle  |            part of the outline above it go
 *                +------------+
 *
 * Only what is near an obstacle is looked at. Corners are exactly those given wherever an outline
 * meets a wall with a corner of either. */

#ifndef THRONG_PIECES_H
#define THRONG_PIECES_H

#include "space/area.h"
#include "space/patch.h"

enum { THRONG_BASE = 0 }; /* the owner of the base's walls; patch i owns as 1 + i */

/* A straight part of a ring, with the walkable side on its left. */
typedef struct throng_side {
    throng_point a, b;
    uint32_t owner;
    uint32_t after; /* the next side of its ring */
    bool near;      /* it may meet somebody else's */
    uint32_t first_piece;
} throng_side;

/* Part of a side between two cuts. */
typedef struct throng_piece {
    throng_point a, b;
    uint32_t side;
    uint32_t next; /* the piece that goes on from b */
    bool kept;     /* people can walk on its left and not on its right */
    bool claimed;  /* it goes on from some piece */
    bool traced;
} throng_piece;

/* Where a side is cut. */
typedef struct throng_cut {
    double t; /* 0..1 along it */
    uint32_t side;
    throng_point at;
} throng_cut;

/* Where a piece begins. */
typedef struct throng_start {
    throng_point at;
    uint32_t piece;
} throng_start;

typedef struct throng_pieces {
    const throng_place *base;
    const throng_walls *base_walls;
    const throng_patch *patches;
    size_t patch_count;
    throng_ring *outlines; /* [patch] where they stand, solid on their right */
    throng_box *boxes;     /* [patch] */
    throng_box all;        /* of all patches */
    double near;           /* m: what is closer than this meets */
    throng_side *sides;    /* of the base first */
    size_t side_count, side_capacity;
    uint32_t *base_near; /* the base's sides that may meet an outline */
    size_t base_near_count, base_near_capacity;
    throng_cut *cuts;
    size_t cut_count, cut_capacity;
    throng_piece *pieces;
    size_t piece_count, piece_capacity;
    throng_start *starts; /* of the walls near an obstacle, in order of place */
    size_t start_count, start_capacity;
} throng_pieces;

/* pieces.c: collects the sides of all rings that an obstacle may meet; the others stay as they are. */
void throng_pieces_begin(throng_pieces *p, const throng_place *base, const throng_walls *base_walls,
                         const throng_patch *patches, size_t count);
void throng_pieces_clear(throng_pieces *p);
bool throng_pieces_touch(const throng_pieces *p, throng_box box); /* whether an obstacle may meet what is there */
void throng_pieces_cut(throng_pieces *p);
/* Where a straight line meets solid outlines and walls, added to p->cuts as those of side `line`. */
void throng_pieces_cut_line(throng_pieces *p, throng_point a, throng_point b, uint32_t line);
void throng_pieces_sort_cuts(throng_pieces *p);
/* Whether the middle of a thin wall's part lies where people can walk, off all walls. */
bool throng_pieces_is_free(const throng_pieces *p, throng_point middle);
/* Whether an obstacle that is not thin covers a point, or has it on its outline. */
bool throng_pieces_cover(const throng_pieces *p, size_t patch, throng_point at);
/* Decides which pieces are walls. */
void throng_pieces_sort_out(throng_pieces *p);

/* ring_trace.c: follows the pieces around. False when they do not close, which takes outlines that all but
 * coincide; then nothing was added. */
bool throng_pieces_trace(throng_pieces *p, throng_area *out);

#endif
