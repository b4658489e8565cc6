/* bodies.h: the things (rigid bodies) of a world: what they are, where they are, and how they move when people, walls,
 * the floor and other things meet them. Metres, seconds, kilograms; z up from the floor. */

#ifndef THRONG_BODIES_H
#define THRONG_BODIES_H

#include <throng/model.h>

#include "base/archive.h"
#include "bodies/engine.h"

#define THRONG_PERSON_HEIGHT     1.8  /* m: what is above is in nobody's way */
#define THRONG_HAND_HEIGHT       1.0  /* m, where people push */
#define THRONG_OBJECT_SPEED_MOST 50.0 /* m/s */
#define THRONG_OBJECT_SPIN_MOST  50.0 /* rad/s */

enum {
    THRONG_PARTS_MOST = 20000,
    THRONG_PARTS_EACH = 64,
    THRONG_GUESTS_EACH = 8 /* discs that stand for a part, at most */
};

/* One thing, beside what throng_object_state tells of it. */
typedef struct throng_body {
    throng_engine_body *engine;
    throng_motion start;           /* where it was when it was added: bonds hold it as it was then */
    throng_matrix inertia;         /* kg m^2, about the centre of mass, as it was made */
    throng_matrix inverse_inertia; /* 1 / (kg m^2) */
    double reach;                  /* m from the centre of mass to its farthest point */
    double least_half;             /* m: the thinnest part's half */
    double friction;
    uint32_t quiet;     /* steps of the engine it has hardly moved */
    uint32_t component; /* blocks glued together have the same; 0: it has no bond */
    bool anchored;      /* its component is glued to the floor */
    bool dragged;
    bool touched;                /* in the step of the engine under way */
    bool fresh;                  /* has just been woken by something that touches it */
    throng_point3 drag_to;       /* m */
    throng_point3 force, torque; /* N, N m: over the step under way */
    double press_speed;          /* m/s, of those who press on a block that stands; 0: nobody does */

    /* Follow from where it is. */
    throng_matrix rotation;
    throng_point3 low, high; /* m, the box around it */
} throng_body;

/* A bond between two blocks, or one and the floor. */
typedef struct throng_bond {
    throng_object one, other; /* other is 0: the floor */
    double strength;          /* N */
    throng_engine_bond *engine;
} throng_bond;

/* A disc that stands for a thing, or a piece of one, among people. */
typedef struct throng_guest {
    throng_point at;      /* m */
    double radius;        /* m */
    throng_point3 offset; /* m from the thing's centre of mass to where it is pushed */
    uint32_t body;
} throng_guest;

/* Two parts whose boxes meet; the first is awake. */
typedef struct throng_pair {
    uint32_t one, other;
} throng_pair;

/* Parts by the cells their boxes cover in plan; those that cover very many are in a list of their own. */
typedef struct throng_pair_grid {
    double origin_x, origin_y, cell;
    int32_t columns, rows;
    uint32_t *start, *item;
    size_t start_capacity, item_capacity;
    uint32_t *wide;
    size_t wide_count, wide_capacity;
} throng_pair_grid;

typedef struct throng_bodies {
    const throng_engine *engine;
    void *state;   /* the engine's */
    uint32_t seed; /* the engine's order of work */
    throng_object last_id;

    throng_object_state *objects; /* in order of id */
    throng_body *bodies;          /* [object] */
    size_t count, capacity, body_capacity;
    throng_part *parts; /* object by object */
    uint32_t *owner;    /* [part] its object */
    size_t part_count, part_capacity, owner_capacity;
    throng_bond *bonds;
    size_t bond_count, bond_capacity;

    size_t fixed_count; /* of things that never move */
    bool glue_changed;  /* components must be found anew */
    bool moved;         /* guests must be found anew */
    throng_guest *guests;
    size_t guest_count, guest_capacity;
    uint32_t *guest_table; /* scratch: guests by where they are */
    size_t guest_table_size;

    /* Scratch of a step. */
    throng_pair_grid grid;
    throng_pair *pairs;
    size_t pair_count, pair_capacity;
    throng_point3 *part_low, *part_high; /* [part] m */
    uint32_t *waking;
    uint32_t *active; /* the things that are awake */
    size_t active_count;
    bool sorted; /* `grid` has everything where it is */
    size_t scratch_parts, scratch_objects;
    throng_motion *before; /* [object] */

    /* What happened, for throng_stats. */
    uint64_t bounded, broken, odd;
    double engine_ms;
} throng_bodies;

/* bodies.c */
throng_bodies *throng_bodies_create(int iterations); /* NULL: this build has no engine */
void throng_bodies_destroy(throng_bodies *bodies);
/* Whether the numbers of a definition make sense; false and an error. */
bool throng_bodies_check(const throng_bodies *bodies, const throng_object_def *def, throng_error *error);
/* Adds a thing whose numbers have been checked; its index. */
size_t throng_bodies_add(throng_bodies *bodies, const throng_object_def *def);
void throng_bodies_remove(throng_bodies *bodies, size_t index);
size_t throng_bodies_index(const throng_bodies *bodies, throng_object id); /* SIZE_MAX: none such */
void throng_bodies_glue(throng_bodies *bodies, size_t one, size_t other /* SIZE_MAX: the floor */, double strength);
/* A thing that a thing stands in deeper than contact, or SIZE_MAX. */
size_t throng_bodies_overlapping(throng_bodies *bodies, size_t index);
/* Has the engine know where it is, how it moves and whether it is awake. */
void throng_body_place(throng_bodies *bodies, size_t index);
void throng_bodies_archive(throng_bodies *bodies, throng_archive *archive);
uint64_t throng_bodies_hash(const throng_bodies *bodies, uint64_t hash);

/* motion.c */
/* What follows from where it is. */
void throng_body_settle(throng_bodies *bodies, size_t index);
void throng_body_wake(throng_bodies *bodies, size_t index);
/* Keeps velocity and spin within what things may have. */
void throng_body_bound(throng_bodies *bodies, size_t index);
/* Where a part is: its middle, and how it is turned. */
throng_point3 throng_part_at(const throng_bodies *bodies, size_t part);
throng_matrix throng_part_rotation(const throng_bodies *bodies, size_t part);
/* Changes velocity and spin by an impulse (N s) at a point. */
void throng_body_hit(throng_bodies *bodies, size_t index, throng_point3 impulse, throng_point3 at);
/* Presses on it with a force (N) at a point over the next step. A block that stands, and gives way to that, gets about
 * as fast as those who press (m/s). */
void throng_body_press(throng_bodies *bodies, size_t index, throng_point3 force, throng_point3 at, double speed);
/* How much an impulse of 1 N s along n at a point changes the velocity along n of that point, 1 / kg. */
double throng_body_yielding(const throng_bodies *bodies, size_t index, throng_point3 n, throng_point3 at);
throng_point3 throng_body_velocity_at(const throng_bodies *bodies, size_t index, throng_point3 at);
/* The height of the highest fixed part above a point in plan; 0: there is none. m */
double throng_bodies_fixed_top(const throng_bodies *bodies, throng_point at);

/* run.c: who is glued to whom. */
void throng_bodies_find_components(throng_bodies *bodies);

/* pairs.c: which parts may touch, by the boxes around them. */
void throng_pairs_sort(throng_bodies *bodies); /* unless nothing has moved since */
/* Marks (1) the parts whose boxes meet a rectangle in plan, of which some may be told for nothing. */
void throng_pairs_mark(const throng_bodies *bodies, throng_point low, throng_point high, uint8_t *marks);
/* Adds the pairs of parts that are awake with all others, each once; or those of fresh ones alone, but for the
 * pairs with others that are awake. */
void throng_pairs_find(throng_bodies *bodies, bool fresh);

/* run.c: moves everything by dt. */
void throng_bodies_step(throng_bodies *bodies, const throng_walls *walls, double dt);

/* guests.c: finds the discs people see. */
void throng_bodies_find_guests(throng_bodies *bodies);
size_t throng_bodies_guests_most(const throng_bodies *bodies);

/* meet.c: a person, a cylinder that stands on the floor, and a part. */
typedef struct throng_meeting {
    double depth;     /* m they stand in each other; negative: apart by at least that, or so */
    throng_point3 n;  /* from the thing to the person, of unit length; level unless it comes from above */
    throng_point3 at; /* m, where they touch */
} throng_meeting;

/* Outline of a part in plan, as far as it is below the height of people. */
typedef struct throng_outline {
    size_t count; /* 0: it is all above */
    throng_point points[24];
} throng_outline;

/* False when they are apart by more than `margin`. `shift` is where the part is, from where it stands now. */
bool throng_part_meets(const throng_bodies *bodies, size_t part, throng_point3 shift, throng_point person,
                       double radius, double margin, throng_meeting *out);
throng_outline throng_part_outline(const throng_bodies *bodies, size_t part, throng_point3 shift);

#endif
