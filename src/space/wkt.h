/* wkt.h: polygons as well-known text (OGC 06-103r4, section 7), both ways. */

#ifndef THRONG_WKT_H
#define THRONG_WKT_H

#include <throng/throng.h>

#include "base/memory.h"

typedef struct throng_wkt_ring {
    size_t first, count; /* its points, the closing one left out */
    size_t polygon;      /* the polygon it belongs to, whose first ring is the border */
    size_t offset;       /* of its opening parenthesis in the text */
} throng_wkt_ring;

/* What a text says. Each array is owned. */
typedef struct throng_wkt {
    throng_point *points;
    size_t point_count, point_capacity;
    throng_wkt_ring *rings;
    size_t ring_count, ring_capacity;
    size_t polygon_count;
    bool multi; /* a MULTIPOLYGON, whose polygons must not overlap */
} throng_wkt;

/* Reads a POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION of these; further coordinates (Z, M) are left
 * out. False and an error with line and column when the text is anything else. */
bool throng_wkt_read(const char *text, throng_wkt *wkt, throng_error *error);
void throng_wkt_clear(throng_wkt *wkt);

/* Moves a line and column, both counted from 1, from one place in a text on to another. */
void throng_wkt_advance(const char *from, const char *to, int *line, int *column);

/* "(x y, x y, ...)"; a closed one ends with its first point again. */
void throng_wkt_add_points(throng_string *out, throng_ring ring, bool closed);

/* Rings as text: each ring that turns counter-clockwise begins a polygon, those that follow are its
 * holes. Several polygons become a GEOMETRYCOLLECTION, none "". The caller releases it. */
char *throng_wkt_write(const throng_ring *rings, size_t count);

#endif
