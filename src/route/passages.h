/* passages.h: places too narrow for people that would be of use to them. */

#ifndef THRONG_PASSAGES_H
#define THRONG_PASSAGES_H

#include "route/ground.h"

/* Lists passages that a body of some radius does not fit through, 0.2 m or wider, for want of which it
 * has to walk more than 10 m around, or cannot get to the other side at all. So the gaps among furniture
 * are not among them. The widest come first, of several close together only one. Returns how many were
 * stored, at most `capacity`. The ground is one laid for that radius. */
size_t throng_passages_find(throng_ground *ground, double radius, throng_passage *out, size_t capacity);

/* For a walker who cannot get to its goal: the narrowest place on the widest way there. False when no
 * way leads there for anybody. */
bool throng_passages_on_way(throng_ground *ground, const throng_goal_entry *goals, const throng_walker *walker,
                            throng_passage *out);

#endif
