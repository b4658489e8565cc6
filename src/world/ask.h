/* ask.h: the insides of questions to a world; <throng/ask.h> says what they are. */

#ifndef THRONG_WORLD_ASK_H
#define THRONG_WORLD_ASK_H

#include "base/crew.h"
#include "route/route.h"
#include "space/near.h"

struct throng_ask {
    const throng_world *world;
    throng_near_grid *grid;
    const throng_near *near; /* everybody; NULL: people have changed since it was made */

    /* Ways (ask_ways.c). */
    throng_crew *crew;        /* of one, whose door lets in one asker at a time */
    throng_route *route;      /* NULL: nobody has asked yet, or walls or goals have changed since */
    throng_goal_entry *goals; /* the world's, and after them a point that the asker names; owned, not what is in them */
    size_t goal_count;        /* of the world */
    uint64_t place_version, closed;
};

void throng_ask_destroy(throng_ask *ask);
/* ask_ways.c: forgets ways that are not to be had any more, before questions are asked; and all. */
void throng_ask_check_ways(throng_ask *ask);
void throng_ask_forget_ways(throng_ask *ask);

#endif
