/* ranks.h: a run that several processes make together, started by mpirun. Rank 0 alone writes and speaks. */

#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "loaded.h"

/* Called before anything is read. False after a complaint. */
bool ranks_begin(void);
bool ranks_are_several(void);
bool ranks_is_first(void); /* rank 0, or alone */
/* Whether all say so; everybody is to ask at once. */
bool ranks_agree(bool good);
/* Threads of each when nobody has said how many. */
void ranks_share_cores(scenario_options *options);
/* Divides the people among the ranks. False after a complaint. */
bool ranks_divide(throng_world *world);
/* Ends all ranks, after a complaint, when they do not make one run any more. */
void ranks_hold(const throng_world *world);
void ranks_end(void);

#endif
