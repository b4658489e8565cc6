/* planner.h: the insides of routing (path planning). A planner is one `const struct` of functions; route.c lists
 * them all and is the only file that knows the list. */

#ifndef THRONG_PLANNER_H
#define THRONG_PLANNER_H

#include "route/ground.h"
#include "route/lattice.h"
#include "route/route.h"

typedef struct throng_planner {
    const char *name; /* as users write it */
    void *(*create)(const throng_route_def *def);
    void (*destroy)(void *state);
    /* As throng_route_prepare and throng_route_way. */
    size_t (*prepare)(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count);
    throng_way (*way)(const void *state, const throng_goal_entry *goals, const throng_walker *walker);
    /* As throng_route_lead; NULL: it leads nobody. */
    void (*lead)(const void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd, size_t begin,
                 size_t end, throng_way *ways);
    /* As throng_route_update, throng_route_change and throng_route_archive; NULL: nothing to do. */
    void (*update)(void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd);
    void (*change)(void *state, const throng_place *place, const throng_walls *walls, throng_box where);
    void (*archive)(void *state, const throng_goal_entry *goals, throng_archive *archive);
    /* The ground it has laid, if any; NULL: it lays none. */
    throng_ground *(*ground)(void *state);
} throng_planner;

extern const throng_planner throng_straight;
extern const throng_planner throng_flow_field;
extern const throng_planner throng_roadmap;

/* Which of several goals are to be had, as a number that tells such sets apart. */
uint64_t throng_goal_open_members(const throng_goal_entry *goals, throng_goal goal);
/* Whether one of several goals is not to be had, while another is. */
bool throng_goal_is_shut(const throng_goal_entry *goals, const throng_goal_def *several, size_t member);

/* The straight way to the nearest point of a goal, whatever stands in between. A way to an area goes
 * on a little beyond its border, so that who stops at its end is really inside. */
throng_way throng_straight_way(const throng_goal_entry *goals, const throng_walker *walker);

throng_way throng_straight_to(throng_point from, throng_point to);

/* Whether that way is clear for a body of the walker's radius, up to where the goal counts as
 * reached. A direction is always clear. A lattice, if there is one, makes it faster. */
bool throng_straight_is_clear(const throng_walls *walls, const throng_lattice *lattice, const throng_goal_entry *goals,
                              const throng_walker *walker);

/* --- narrow places (passages.c) */

/* Lists passages that a body of some radius does not fit through, 0.2 m or wider, for want of which it
 * has to walk more than 10 m around, or cannot get to the other side at all. So the gaps among furniture
 * are not among them. The widest come first, of several close together only one. Returns how many were
 * stored, at most `capacity`. The ground is one laid for that radius. */
size_t throng_passages_find(throng_ground *ground, double radius, throng_passage *out, size_t capacity);

/* For a walker who cannot get to its goal: the narrowest place on the widest way there. False when no
 * way leads there for anybody. */
bool throng_passages_on_way(throng_ground *ground, const throng_goal_entry *goals, const throng_walker *walker,
                            throng_passage *out);

/* --- directions that do not lead into walls (avoid.c) */

/* How far ahead walls are minded, m: about what one walks in the step of a model. */
#define THRONG_LOOK_AHEAD 0.2

/* The direction nearest to the wanted one along which a body comes no nearer to a wall than its
 * radius within the look-ahead; one that is nearer already turns away. Where that is impossible,
 * in a place narrower than the body, it is not led nearer to a wall than it is. */
throng_point throng_avoid_walls(const throng_walls *walls, throng_point at, double radius, throng_point wanted);

/* The direction to the nearest walkable point; zero for a point that is walkable. */
throng_point throng_way_out(const throng_walls *walls, throng_point at);

/* The straight way, but not into walls; and for those no way leads from, straight or out of the wall they are in. Where
 * their way is not known, asking for it may help. */
throng_way throng_way_along_walls(const throng_walls *walls, const throng_goal_entry *goals,
                                  const throng_walker *walker);
throng_way throng_way_lost(const throng_walls *walls, const throng_goal_entry *goals, const throng_walker *walker,
                           bool unknown);

/* Whether people have targets of their own. */
static inline bool throng_goal_is_own(throng_goal_kind kind) {
    return kind == THRONG_GOAL_OWN || kind == THRONG_GOAL_ROAM;
}

#endif
