/* parts.h: cutting the plane into boxes with about as many people in each (recursive bisection). All of it is whole
 * numbers, so every part finds the same boxes. */

#ifndef THRONG_PARTS_H
#define THRONG_PARTS_H

#include <throng/throng.h>

/* People in a square of the plane, which begins at column * cell, row * cell. */
typedef struct throng_parts_square {
    int32_t column, row;
    uint32_t people;
} throng_parts_square;

/* Cuts a box along borders of squares; boxes of parts that are one too many hold nothing. Squares may be there several
 * times, and change their order. */
void throng_parts_cut(throng_parts_square *squares, size_t count, double cell, throng_box whole, throng_box *boxes,
                      size_t part_count);

static inline bool throng_part_holds(throng_box box, double x, double y) {
    return x >= box.low.x && x < box.high.x && y >= box.low.y && y < box.high.y;
}

#endif
