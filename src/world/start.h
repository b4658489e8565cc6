/* start.h: what making a world from a scenario asks of it beyond throng.h. */

#ifndef THRONG_START_H
#define THRONG_START_H

#include <throng/throng.h>

/* Somebody who cannot make its journey. */
typedef struct throng_lost {
    throng_goal goal;    /* no way leads there; 0: nobody is lost */
    throng_point at;     /* where somebody starts who has it as a goal */
    throng_point target; /* its own, if it has one */
    double radius;       /* m; 0 when it is lost only later on its journey */
} throng_lost;

/* The first of the agents in rows first .. first + count - 1 who cannot make its journey. Ask after
 * throng_world_prepare, which says only whether there is anybody. */
throng_lost throng_world_find_lost(throng_world *world, size_t first, size_t count);

/* The same of the people a source will bring, as far as was looked. */
throng_lost throng_world_lost_of_source(const throng_world *world, throng_source source);

/* Why somebody cannot get to its goal: what is the narrowest place on the widest way there, if there is
 * any way. */
void throng_world_describe_lost(throng_world *world, throng_lost lost, char *out, size_t size);

/* Gives an agent the velocity it desires: along its way, at its desired speed. */
void throng_world_set_moving(throng_world *world, size_t row);

#endif
