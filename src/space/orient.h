/* orient.h: which way three points turn, decided exactly, so that a ring that only just touches is
 * never taken for one that crosses, near the origin or 5 km away from it. */

#ifndef THRONG_ORIENT_H
#define THRONG_ORIENT_H

#include <throng/throng.h>

/* 1 when a, b, c turn left (counter-clockwise), -1 when they turn right, 0 when they lie on one line. */
int throng_turn(throng_point a, throng_point b, throng_point c);

#endif
