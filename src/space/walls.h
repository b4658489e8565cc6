/* walls.h: making the walls of a place; model.h says what they are and how to ask them. */

#ifndef THRONG_WALLS_H
#define THRONG_WALLS_H

#include <throng/model.h>

throng_walls *throng_walls_create(const throng_place *place);
void throng_walls_destroy(throng_walls *walls);

/* Distance from a point to the nearest wall, at most `reach`; negative on the wrong side of it. */
double throng_walls_depth(const throng_walls *walls, double x, double y, double reach);

#endif
