/* objects.h: things. Rigid objects that move only when pushed, thrown or hit: boxes, balls, what is made of several of
 * them, and walls of blocks that break. They live in three dimensions, stand on the floor (z = 0) and collide with each
 * other and with the walls of the place. People are 1.8 m high to them: who is hit gets an impulse, and gives it back.
 * All models see objects below that height as discs that do not yield. Objects need a build with rigid bodies. A part
 * of throng.h, which includes it. */

#include <throng/throng.h> /* before the guard: it includes this file where all it needs is there */

#ifndef THRONG_OBJECTS_H
#define THRONG_OBJECTS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t throng_object; /* never reused; 0 is nothing */

/* A unit quaternion: how something is turned. */
typedef struct throng_orientation {
    double w, x, y, z;
} throng_orientation;

typedef enum throng_part_kind { THRONG_PART_BOX, THRONG_PART_BALL } throng_part_kind;

typedef struct throng_part {
    throng_part_kind kind;
    throng_point3 size;      /* BOX: its edges, m */
    double radius;           /* BALL: m */
    throng_point3 at;        /* its middle, m from the object's */
    throng_orientation turn; /* against the object; all zero: not turned */
} throng_part;

typedef struct throng_object_def {
    const char *id;           /* "" is fine; a name is used once */
    const throng_part *parts; /* 1 to 64; their mass goes by their volume */
    size_t part_count;
    throng_point3 at;             /* m, where the parts' origin is */
    double yaw;                   /* degrees, turned counter-clockwise about the vertical */
    double mass;                  /* kg, 0.001 to 10^5; default 10 */
    throng_point3 velocity, spin; /* m/s up to 50, rad/s up to 50; default at rest */
    /* Never moves. Objects meet it; people do not, so give the place an obstacle of the same outline. */
    bool fixed;
    double friction; /* on the floor, on walls and with others, of which the smaller counts: 0 to 10; default 0.6 */
} throng_object_def;

/* Blocks glued to each other, and the lowest to the floor. A bond breaks when it has to bear more than its force. */
typedef struct throng_block_wall_def {
    const char *id;        /* of all its blocks; "" is fine */
    throng_point from, to; /* m, its ends in plan */
    double height;         /* m */
    double thickness;      /* m; default 0.2 */
    size_t columns, rows;  /* of blocks; up to 4096 in all */
    double block_mass;     /* kg; default 8 */
    double break_force;    /* N; default 1500 */
} throng_block_wall_def;

THRONG_API bool throng_has_objects(void); /* this build has rigid bodies */
THRONG_API throng_object_def throng_default_object_def(void);
THRONG_API throng_block_wall_def throng_default_block_wall_def(void);
/* 0 when a number makes no sense, it would stand in a wall, in somebody, in another object or below the floor, an axis
 * of the world wraps, there are 20000 parts already, or the build has no rigid bodies. */
THRONG_API throng_object throng_world_add_object(throng_world *world, const throng_object_def *def);
/* The first of its blocks, row by row from the floor; the others have the ids after it. 0 as above. */
THRONG_API throng_object throng_world_add_block_wall(throng_world *world, const throng_block_wall_def *def);
/* These return false when there is no such object, or a number is not finite. What a fixed one is told is ignored.
 * No object gets faster than 50 m/s, or spins faster than 50 rad/s: more is cut and counted in throng_stats. */
THRONG_API bool throng_world_remove_object(throng_world *world, throng_object object);
/* From now on it moves with this velocity (m/s) and spin (rad/s). */
THRONG_API bool throng_world_throw_object(throng_world *world, throng_object object, throng_point3 velocity,
                                          throng_point3 spin);
/* Hits it with an impulse (N s) at a point (m). */
THRONG_API bool throng_world_push_object(throng_world *world, throng_object object, throng_point3 impulse,
                                         throng_point3 at);
/* Pulls its centre of mass to a point, as if held by a hand, until it is released; to within 10^8 m of the origin. */
THRONG_API bool throng_world_drag_object(throng_world *world, throng_object object, throng_point3 to);
THRONG_API bool throng_world_release_object(throng_world *world, throng_object object);
/* The object of a name, the first when blocks share it, or 0. */
THRONG_API throng_object throng_world_object_named(const throng_world *world, const char *id);

/* An object as it is now. */
typedef struct throng_object_state {
    throng_object id;
    throng_point3 at;             /* m, its centre of mass */
    throng_orientation turn;      /* since it was made with all its parts unturned */
    throng_point3 velocity, spin; /* m/s, rad/s */
    double mass;                  /* kg */
    const char *name;             /* "" is fine */
    uint32_t first_part, part_count;
    bool fixed, awake; /* what lies still sleeps until something touches it */
} throng_object_state;

/* All objects in order of id; valid until the next step, or until one is added or removed. */
typedef struct throng_objects {
    size_t count;
    const throng_object_state *objects;
    const throng_part *parts; /* places and turns are from the centre of mass */
    size_t bond_count;        /* bonds between blocks that hold */
} throng_objects;

THRONG_API throng_objects throng_world_objects(const throng_world *world);

#ifdef __cplusplus
}
#endif

#endif
