/* ask.h: ask a world between two steps: who is near, what is in sight, where is room, which way leads there. A part of
 * throng.h, which includes it.
 *
 *     const throng_ask *ask = throng_world_ask(world);      once after each step, by one thread
 *     throng_agent who = throng_ask_nearest(ask, at, 5, me, NULL);      then as often as you like, by any threads
 *
 * Positions are sorted into cells, so that a question costs as much as there are people where it looks. Asking changes
 * nothing in the world. A question with a number that is not finite, or beyond 10^8 m, finds nothing. Where an axis
 * wraps, people are found across the seam. */

#include <throng/throng.h> /* before the guard: it includes this file where all it needs is there */

#ifndef THRONG_ASK_H
#define THRONG_ASK_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_ask throng_ask;

/* Makes a world ready to be asked, which costs nothing when it has not changed. Valid until the next step, until
 * people, walls or goals are added, removed or changed, or until the world is destroyed. */
THRONG_API const throng_ask *throng_world_ask(throng_world *world);

/* Whose middle is nearest to a point and at most `reach` (m, may be infinite) away, and how far; of two equally near
 * the one with the lower id. `except` (0: nobody) is not looked at; `distance` may be NULL. 0: there is nobody. */
THRONG_API throng_agent throng_ask_nearest(const throng_ask *ask, throng_point at, double reach, throng_agent except,
                                           double *distance);
/* Whose middles are within `reach` of a point, or in a polygon: how many there are, and up to `capacity` of them, in
 * order of id. Polygons do not reach across seams. */
THRONG_API size_t throng_ask_disc(const throng_ask *ask, throng_point at, double reach, throng_agent *out,
                                  size_t capacity);
THRONG_API size_t throng_ask_polygon(const throng_ask *ask, throng_ring ring, throng_agent *out, size_t capacity);

typedef enum throng_hit_kind { THRONG_HIT_NOTHING = 0, THRONG_HIT_WALL = 1, THRONG_HIT_PERSON = 2 } throng_hit_kind;

/* What a ray meets first. */
typedef struct throng_hit {
    throng_hit_kind kind;
    throng_point at;     /* m; the end of the ray when it meets nothing */
    double distance;     /* m from where it begins */
    throng_point normal; /* unit vector from what is met towards where the ray comes from */
    throng_agent agent;  /* 0: no person */
} throng_hit;

/* From a point to another, against walls and the bodies of people: `against` is THRONG_HIT_WALL, THRONG_HIT_PERSON or
 * both (1 + 2). Who it begins in is met at once, but for `except`. */
THRONG_API throng_hit throng_ask_ray(const throng_ask *ask, throng_point from, throng_point to, int against,
                                     throng_agent except);
/* Whether a disc would touch neither a wall nor anybody but `except` nor a thing. */
THRONG_API bool throng_ask_is_free(const throng_ask *ask, throng_point at, double radius, throng_agent except);
/* People per m^2 of floor within `reach` of a point: where walls are near, the share that is floor is found by some 200
 * points. NaN where there is no floor, or the reach is none. */
THRONG_API double throng_ask_density(const throng_ask *ask, throng_point at, double reach);

/* The shortest way of a body of a radius (m) from a point to another, as the corners of it from `from` to `to`: how
 * many there are, and up to `capacity` of them. Around a corner of a wall it has several. 0 when a point is in a wall,
 * the radius makes no sense, or no way leads there. Ways are found by one thread at a time, by a roadmap of their own,
 * whichever planner leads the people; the first one after walls have changed takes longer. */
THRONG_API size_t throng_ask_path(const throng_ask *ask, throng_point from, throng_point to, double radius,
                                  throng_point *out, size_t capacity);
/* The same to a goal that is open; of several to the nearest, none to a direction. */
THRONG_API size_t throng_ask_path_to_goal(const throng_ask *ask, throng_point from, throng_goal goal, double radius,
                                          throng_point *out, size_t capacity);
/* The length of that way, m: 0 at the goal, infinite when there is none, NaN when the question makes no sense. */
THRONG_API double throng_ask_distance(const throng_ask *ask, throng_point from, throng_goal goal, double radius);

#ifdef __cplusplus
}
#endif

#endif
