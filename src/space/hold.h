/* hold.h: people who would come too near to each other in a step are held back, so that none does.
 *
 * Two whose centres are d apart at the start of a step, n the unit vector between them, end it at least `apart` from
 * each other if each comes no nearer along n than (d - apart) / 2. To stay fulfils that towards everybody. So the two
 * of a pair that would be too near keep to it, towards all their neighbours; then whoever would be too near to them;
 * and so on until nobody is. What one may do follows from where people were, not from what others do, so no order
 * matters. Two who were too near at the start come no nearer. */

#ifndef THRONG_HOLD_H
#define THRONG_HOLD_H

#include "space/near_list.h"

typedef struct throng_hold {
    throng_crew *crew;
    const throng_near *near;        /* where people are at the start */
    const throng_near_lists *lists; /* all who can be too near at the end */
    throng_point *to;               /* [slot] m, where they will be: read and written */
    /* How far apart (m) two have to stay, no farther than their radii; 0: nothing is asked of them. */
    double (*apart)(const void *context, uint32_t me, uint32_t other);
    /* Whether nothing but people is in somebody's way. */
    bool (*is_clear)(const void *context, uint32_t me, throng_point way);
    const void *context;
    bool *is_held;        /* [slot] false at first for all but those in the list */
    uint32_t *held;       /* [slot] those who are, as they are found ... */
    size_t count;         /* so many; at first those who are too near to somebody */
    const uint32_t *some; /* of a round */
} throng_hold;

/* Whether two will be too near to each other, nearer than they were. */
bool throng_hold_is_too_near(const throng_hold *hold, uint32_t me, uint32_t other);
/* Whether a way of somebody with a radius (m) leads no deeper into walls than it is, and through none. */
bool throng_hold_is_clear_of_walls(const throng_walls *walls, throng_point from, throng_point way, double radius);
/* Where there are images they are led by those whose images they are. */
void throng_hold_follow(const throng_near *near, throng_point *to);
void throng_hold_back(throng_hold *hold);

#endif
