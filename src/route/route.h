/* route.h: which way to walk (path planning, the tactical level). A planner answers for every agent, every step: the
 * direction of the way to its goal and how long that way is. */

#ifndef THRONG_ROUTE_H
#define THRONG_ROUTE_H

#include <throng/model.h>

#include "base/archive.h"

/* A goal as the world keeps it; index 0 of the table is nowhere. */
typedef struct throng_goal_entry {
    throng_goal_def def; /* owns name, ring.points and any */
    throng_box bounds;   /* of the ring or the point */
    bool closed;         /* nobody gets there until it opens: one of several is not chosen */
    bool waits;          /* people who get there stay for a while */
    bool lost_told;      /* that walls which changed cut somebody off has been told */
    uint32_t queue;      /* 1 + the world's queue in front of it; 0: none */
    bool any_queues;     /* one of several: some have a queue, so that the world chooses */
} throng_goal_entry;

typedef struct throng_zones throng_zones; /* where people walk slower or faster */

typedef struct throng_route_def {
    const char *planner; /* "straight", "flow-field", "roadmap"; NULL: decided at the first prepare */
    double cell;         /* m; 0: chosen from the place */
    const throng_place *place;
    const throng_walls *walls;
    throng_crew *crew;
    double congestion;         /* how much a crowd ahead counts: 0 not at all, 1 as long as it holds one up */
    double memory;             /* bytes for what is kept of ways beyond what is in use; 0: 256 MB */
    const throng_zones *zones; /* looked at whenever ground is laid; NULL: none */
} throng_route_def;

/* What a planner remembers of somebody; all zero for a newcomer, and for one sent elsewhere. */
typedef struct throng_trail {
    throng_point next;   /* m, walked to now */
    double beyond;       /* m from there to the goal */
    uint32_t corner;     /* the planner's number for `next` */
    uint32_t planned;    /* 1 + the step it was chosen in */
    throng_point around; /* m: the corner that one walks around from `next` on, or an end of the goal's border */
    throng_point after;  /* m: where one goes on to from there, or the other end */
} throng_trail;

/* Somebody who has to get somewhere. */
typedef struct throng_walker {
    throng_point at;
    throng_goal goal;
    throng_point target; /* for THRONG_GOAL_OWN and THRONG_GOAL_ROAM */
    double radius;
    throng_trail *trail; /* its own, written by throng_route_way; NULL: nothing is remembered */
    double speed;        /* m/s it likes to walk at; 0: not known */
} throng_walker;

/* Everybody at the start of a step, as columns by row. */
typedef struct throng_route_crowd {
    throng_view people;
    double dt;           /* s */
    throng_trail *trail; /* each one's own, written by throng_route_lead; NULL: nothing is remembered */
    bool wraps;          /* an axis does: ways may lead across a seam */
    bool simd;           /* what is built for AVX2 may be used */
} throng_route_crowd;

/* The way from where one asked. */
typedef struct throng_way {
    throng_point direction; /* unit vector; zero at the goal */
    double distance;        /* m still to walk; infinite for a direction goal */
    bool unknown;           /* the planner was not made ready for this walker: it is led straight */
} throng_way;

typedef struct throng_route throng_route;

/* The planners there are, by name; NULL after the last. */
const char *throng_planner_name(size_t index);

/* NULL when there is no such planner. */
throng_route *throng_route_create(const throng_route_def *def);
void throng_route_destroy(throng_route *route);
const char *throng_route_planner(const throng_route *route); /* "" before the first prepare */

/* Makes ready whatever the walkers need (a field per goal), besides what was made ready before. Returns
 * the index of the first walker who cannot reach its goal, or SIZE_MAX. Such walkers are led straight.
 *
 * With flow fields this means: a disc of the walker's radius fits through on no way to the goal; one
 * just as wide as a passage fits. Exact for passages wider than sqrt(2) cells, and the cell is chosen
 * so that all passages of use are, unless that takes more than 8 million of them. Of a goal with more
 * than 8 sizes of people, some may be led through gaps that only slightly smaller ones fit through.
 * Straight never looks at walls and never fails. */
size_t throng_route_prepare(throng_route *route, const throng_goal_entry *goals, const throng_walker *walkers,
                            size_t count);

/* Tells the planner, once a step and before ways are asked for, how things stand now. */
void throng_route_update(throng_route *route, const throng_goal_entry *goals, const throng_route_crowd *crowd);

/* The ways of all who walk, from row `begin` on, where the planner finds those of many quicker than one by one;
 * throng_route_way is to be asked for the others, whose distance is negative. */
void throng_route_lead(const throng_route *route, const throng_goal_entry *goals, const throng_route_crowd *crowd,
                       size_t begin, size_t end, throng_way *ways);

/* Walls have come, gone or moved, all within a box, or goals have closed or opened (an empty change of
 * walls: low above high). Ways that are not concerned stay as they are; the others are made anew when
 * they are next prepared. The place and the walls are those from now on. */
void throng_route_change(throng_route *route, const throng_place *place, const throng_walls *walls, throng_box where);

/* The place and the walls are others, and all ways are forgotten: throng_route_archive is to bring them back. */
void throng_route_forget(throng_route *route, const throng_place *place, const throng_walls *walls);

/* Keeps or brings back what a planner remembers beyond walls, goals and trails, so that ways after a
 * restart are the same to the last bit. */
void throng_route_archive(throng_route *route, const throng_goal_entry *goals, throng_archive *archive);

/* A narrow place. */
typedef struct throng_passage {
    throng_point at; /* its middle */
    double width;    /* m */
} throng_passage;

/* Passages that bodies of a radius do not fit through and that would spare them a long way, the widest
 * first. Returns how many were stored. Whatever the planner is. */
size_t throng_route_passages(throng_route *route, double radius, throng_passage *out, size_t capacity);

/* For a walker who cannot get to its goal: the narrowest place on the widest way there. False when no
 * way leads there for anybody, however thin. */
bool throng_route_obstruction(throng_route *route, const throng_goal_entry *goals, const throng_walker *walker,
                              throng_passage *out);

/* How many corners stick out, if a roadmap was asked for and is too much work for so many: a flow field is used
 * instead. Else 0. */
size_t throng_route_corners_too_many(const throng_route *route);

bool throng_route_is_crowded(const throng_route *route); /* crowds ahead count */

/* Whether the cell is larger than what was asked for, because the place is too large or the goals are too many for
 * that; then what it is, in m. */
bool throng_route_is_coarse(const throng_route *route, double *cell);

/* The way of one walker. Writes only its trail; any thread may ask. */
throng_way throng_route_way(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker);

/* Whether a goal is closed; one of several when all of them are. */
bool throng_goal_is_closed(const throng_goal_entry *goals, throng_goal goal);

/* Whether a walker is at its goal, open or closed; of several goals at one that is not closed. */
bool throng_goal_reached(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker);

#endif
