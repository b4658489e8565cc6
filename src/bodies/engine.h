/* engine.h: what the room asks of a rigid-body engine. Everything that decides how things go on is kept on our
 * side and given to the engine anew in each step, so that a restarted run cannot differ: the engine holds shapes,
 * masses and bonds, and the contacts of the step under way.
 *
 *     place what is awake -> touch what may touch -> step -> tell where everything is now */

#ifndef THRONG_ENGINE_H
#define THRONG_ENGINE_H

#include "base/vector3.h"

typedef struct throng_engine_body throng_engine_body;
typedef struct throng_engine_bond throng_engine_bond;

typedef struct throng_motion {
    throng_point3 at;             /* m, the centre of mass */
    throng_orientation turn;      /* of unit length */
    throng_point3 velocity, spin; /* m/s, rad/s */
} throng_motion;

typedef struct throng_engine_shape {
    const throng_part *parts; /* places from the centre of mass; turns of unit length */
    size_t part_count;
    double mass;           /* kg */
    throng_matrix inertia; /* kg m^2, about the centre of mass */
    double friction;       /* of two that touch the smaller counts */
    bool fixed;
} throng_engine_shape;

/* A wall of the place near something: from one point to another, its solid side on the right. */
typedef struct throng_engine_wall {
    throng_point from, to;
    throng_point along;      /* unit direction */
    bool from_open, to_open; /* its ends stick out and may be run into */
} throng_engine_wall;

typedef struct throng_engine {
    void *(*create)(int iterations);
    void (*destroy)(void *engine);
    throng_engine_body *(*add)(void *engine, const throng_engine_shape *shape, const throng_motion *motion);
    void (*remove)(void *engine, throng_engine_body *body);
    /* Bonds two bodies, or one and the floor (NULL), as they are placed now. */
    throng_engine_bond *(*glue)(void *engine, throng_engine_body *one, throng_engine_body *other);
    void (*unglue)(void *engine, throng_engine_bond *bond);
    double (*bond_load)(const throng_engine_bond *bond); /* N, in the last step */

    void (*place)(throng_engine_body *body, const throng_motion *motion);
    void (*wake)(throng_engine_body *body, bool awake);
    void (*push)(throng_engine_body *body, throng_point3 force, throng_point3 torque); /* N, N m: over the next step */

    /* The contacts of a part with a part of another body, a wall, the floor, for the next step; how many. A body
     * that is asleep, or fixed, holds but is not moved. */
    int (*touch)(void *engine, throng_engine_body *one, size_t part, throng_engine_body *other, size_t other_part);
    int (*touch_wall)(void *engine, throng_engine_body *body, size_t part, const throng_engine_wall *wall);
    int (*touch_floor)(void *engine, throng_engine_body *body, size_t part);
    /* How deep two parts stand in each other, m; 0: they do not. */
    double (*depth)(void *engine, throng_engine_body *one, size_t part, throng_engine_body *other, size_t other_part);

    /* Moves what is awake by h seconds and forgets the contacts; the seed is of the solver's order. */
    void (*step)(void *engine, double h, uint32_t *seed);
    void (*tell)(const throng_engine_body *body, throng_motion *motion);
} throng_engine;

/* The engine of this build; NULL when it has none. */
const throng_engine *throng_the_engine(void);

#endif
