/* halo.h: the insides of a world that is one part of several (<throng/halo.h>).
 *
 * While a step needs them, ghosts stand in the rows behind the world's own people and are counted in `agents.count`;
 * how many they are is `ghost_count`. They are led and make their wishes like everybody, as others look at those, and
 * are in nobody's `mine`. From the move on they are gone. */

#ifndef THRONG_WORLD_HALO_H
#define THRONG_WORLD_HALO_H

#include <throng/halo.h>

typedef struct throng_halo throng_halo;
struct throng_overlap;

/* What a step calls, where world->halo is there, in this order. */
/* Those in the way of sources: gives this part's own, and gets those of all others. */
throng_packet throng_halo_bystanders(throng_world *world, throng_packet own);
/* Of the newcomers from a row on, only those who stand in its box stay. */
void throng_halo_keep_own(throng_world *world, size_t first);
void throng_halo_meet(throng_world *world);      /* hands people over, and has the ghosts come */
void throng_halo_dismiss(throng_world *world);   /* ghosts are not counted any more */
void throng_halo_call_back(throng_world *world); /* they are where they have moved to, and counted again */
void throng_halo_forget(throng_world *world);    /* their rows are empty */
/* What other parts have written in columns about their people; of a throng_step, whose halo is the world. */
void throng_halo_follow(void *world, double *const *columns, size_t count);
/* Adds up what was found of overlap in all parts. */
void throng_halo_add_overlap(throng_world *world, struct throng_overlap *found);
/* Adds up figures, and makes the ways ready that anybody of any part needs: of this part, the first `count` of
 * world->walkers. Returns the number of one of those whom no way leads to its goal, or SIZE_MAX. */
size_t throng_halo_report(throng_world *world, size_t count);

uint64_t throng_halo_digest(throng_world *world);    /* of all parts, which ask at once */
bool throng_halo_is_spread(const throng_halo *halo); /* it is not gathered */
void throng_halo_destroy(throng_halo *halo);

#endif
