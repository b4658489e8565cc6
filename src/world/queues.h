/* queues.h: waiting at goals (service points), and the lines that form in front of those that serve only so many at a
 * time.
 *
 *     ║ (a)          a is served at a slot, the goal's own point;
 *     ║    b c d e   b to e wait on spots of their own, f has come near and joins at the end
 *     ║           f
 *
 * A line begins at the goal and runs back the way people come from. It keeps its shape as long as
 * anybody stands in it; people move up along its spots. Numbers are given by joining, and whoever has
 * joined first is called up first; only when somebody is stuck on its way along the line does it
 * change numbers with one who stands between it and its place. */

#ifndef THRONG_QUEUES_H
#define THRONG_QUEUES_H

#include "base/archive.h"

/* Somebody who has joined and is not yet done. */
typedef struct throng_queue_member {
    throng_agent id;
    uint64_t slot; /* 1 + the slot it was called to; 0: waits in the line */
    double stuck;  /* s for which it has not come nearer to where it should stand */
} throng_queue_member;

/* A place to be served at. */
typedef struct throng_queue_slot {
    throng_point at;
    throng_agent holder; /* called to it, served there, or just getting out of the way; 0: free */
    double left;         /* s, when the holder's wait was over; negative before */
} throng_queue_slot;

typedef struct throng_queue {
    throng_goal goal;
    uint32_t capacity; /* served at a time */
    double mean_wait;  /* s */
    throng_box bounds; /* scratch of leave: of anchor and line */
    size_t waiting;    /* scratch of leave: members who are not called yet */

    /* What decides how it goes on. */
    uint64_t laid;              /* 1: anchor, direction and spots hold, because somebody is there */
    throng_point anchor, along; /* where the line begins, and the unit direction in which it leaves */
    double radius;              /* m, the largest of those who joined */
    throng_queue_member *members;
    size_t member_count, member_capacity;
    throng_queue_slot *slots;
    size_t slot_count, slot_capacity;
    throng_point *spots; /* of the line, from its head */
    size_t spot_count, spot_capacity;
} throng_queue;

/* queues.c */

/* Lets people join, move up and be served; part of leave. */
void throng_queues_update(throng_world *world);
/* Adds the queue of a goal that needs one; part of adding the goal. */
void throng_queues_add(throng_world *world, throng_goal goal);
/* Whose wait is over leaves the goal it was served at. */
void throng_queues_release(throng_world *world, size_t row);
void throng_queues_archive(throng_world *world, throng_archive *archive); /* after the columns */
void throng_queues_destroy(throng_world *world);
/* How long somebody waits who begins to wait now, s. */
double throng_goal_wait(const throng_world *world, throng_goal goal, throng_agent who);

/* Whether somebody is within reach of a point and nothing stands in between. */
bool throng_queue_is_near(const throng_world *world, size_t row, throng_point to, double reach);

/* serve.c */

/* Slots become free when whoever was served there is out of the way. */
void throng_queue_free_slots(const throng_world *world, throng_queue *queue);
/* Calls up whoever is next, sends everybody to its place, begins the waits of those who are there. */
void throng_queue_serve(throng_world *world, throng_queue *queue);

/* lines.c: where they stand. */

/* Begins a line for somebody who comes. */
void throng_line_lay(const throng_world *world, throng_queue *queue, throng_point from);
/* Makes sure that there are so many spots, the last ones for somebody who comes from a point. */
void throng_line_extend(const throng_world *world, throng_queue *queue, size_t count, throng_point from);
/* Adds a slot. */
void throng_line_add_slot(const throng_world *world, throng_queue *queue);
/* From spot to spot, m. */
double throng_line_spacing(const throng_queue *queue);

#endif
