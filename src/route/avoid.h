/* avoid.h: directions that do not lead into walls. */

#ifndef THRONG_AVOID_H
#define THRONG_AVOID_H

#include <throng/model.h>

/* How far ahead walls are minded, m: about what one walks in the step of a model. */
#define THRONG_LOOK_AHEAD 0.2

/* The direction nearest to the wanted one along which a body comes no nearer to a wall than its
 * radius within the look-ahead; one that is nearer already turns away. Where that is impossible,
 * in a place narrower than the body, it is not led nearer to a wall than it is. */
throng_point throng_avoid_walls(const throng_walls *walls, throng_point at, double radius, throng_point wanted);

/* The direction to the nearest walkable point; zero for a point that is walkable. */
throng_point throng_way_out(const throng_walls *walls, throng_point at);

#endif
