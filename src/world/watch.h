/* watch.h: noting what happens in a step (events for the caller); <throng/throng.h> says what. */

#ifndef THRONG_WATCH_H
#define THRONG_WATCH_H

#include <throng/throng.h>

/* Where somebody on its way was when it last got on. */
typedef struct throng_standing {
    throng_agent agent;
    throng_point at;
    double since; /* s */
    bool told;    /* that it is stuck */
} throng_standing;

typedef struct throng_watch {
    int kinds;
    throng_happening *happenings;
    size_t count, capacity;
    throng_standing *standing, *before; /* in order of id; the other one is scratch */
    size_t standing_count, standing_capacity, before_capacity;
} throng_watch;

void throng_watch_clear(throng_watch *watch);
void throng_watch_sort(throng_watch *watch); /* at the end of a step */

void throng_world_note_reached(throng_world *world, size_t row, throng_goal goal);
void throng_world_note_struck(throng_world *world); /* before impulses are taken */
void throng_world_note_moves(throng_world *world);  /* after everybody has moved, before anybody leaves */

#endif
