/* sketch.h: filling a sketch while a scenario is loaded. A sketch that is NULL takes nothing. */

#ifndef THRONG_SKETCH_H
#define THRONG_SKETCH_H

#include "scenario/scenario.h"

void throng_sketch_add(throng_sketch *sketch, throng_sketch_kind kind, throng_ring ring, double radius);
void throng_sketch_place(throng_sketch *sketch, const throng_place_def *def);
void throng_sketch_goals(throng_sketch *sketch, const throng_goal_def *goals, size_t count);
void throng_sketch_person(throng_sketch *sketch, throng_point at, double radius);

#endif
