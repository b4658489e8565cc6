/* field.h: a flow field (navigation field, floor field), which knows from everywhere the way to one goal. */

#ifndef THRONG_FIELD_H
#define THRONG_FIELD_H

#include "route/ground.h"
#include "route/march.h"
#include "route/route.h"

/* What a field is made for: everybody of a certain size who goes to a goal. */
typedef struct throng_field_def {
    throng_goal goal;    /* 0: the target */
    throng_point target; /* somebody's own */
    size_t size;         /* of bodies; an index into ground->sizes */
} throng_field_def;

typedef struct throng_field {
    throng_field_def def;
    throng_wave wave; /* [node of the lattice] */
    uint64_t members; /* which members of a goal of several it leads to; see throng_goal_open_members */
} throng_field;

/* Scratch memory for making fields, one at a time; begins as all zero. */
typedef struct throng_field_maker {
    throng_march march;
    throng_field_origin *sources; /* at most one for each node */
    size_t source_count, source_capacity;
    uint32_t *source_at; /* [node] 1 + its source */
    uint8_t *tried;      /* [node] 1 + the last member looked for from there */
    uint32_t *looking;   /* nodes from which a member is still to be looked for */
    size_t looking_count, looking_capacity;
    size_t node_capacity;
} throng_field_maker;

void throng_field_maker_destroy(throng_field_maker *maker);

/* Memory of a field for the nodes of a lattice. */
void throng_field_create(throng_field *field, size_t node_count);
void throng_field_destroy(throng_field *field);
size_t throng_field_bytes(size_t node_count);

/* Fills the field as its def says. */
void throng_field_make(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field);

/* Brings up to date a field that was made before the ground changed at some nodes, or before members of
 * its goal closed or opened. It is then as if it had been made anew. */
void throng_field_mend(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field, const uint32_t *changed, size_t changed_count);

/* The way of a walker along a field. Returns false when no way leads from there. */
bool throng_field_follow(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                         const throng_walker *walker, throng_way *way);

/* Cells from the goal on from which the way leads there straight, if it can be seen. */
#define THRONG_STRAIGHT_FROM 5

/* People who are asked the way of together, each in some square of nodes, and the ways they are told. */
enum { THRONG_LED_TOGETHER = 64 };
enum { THRONG_LED, THRONG_LED_BESIDE_WALLS, THRONG_LED_ELSEWHERE };
typedef struct throng_led {
    size_t count;
    size_t square[THRONG_LED_TOGETHER + 3];                        /* the number of its low corner, */
    const throng_field_node *node[THRONG_LED_TOGETHER + 3];        /* which is this in its field */
    double u[THRONG_LED_TOGETHER + 3], v[THRONG_LED_TOGETHER + 3]; /* 0 .. 1 within it */
    double radius[THRONG_LED_TOGETHER + 3];                        /* m */
    double x[THRONG_LED_TOGETHER + 3], y[THRONG_LED_TOGETHER + 3]; /* the way's direction */
    double distance[THRONG_LED_TOGETHER + 3];                      /* m */
    /* THRONG_LED: so it is; BESIDE_WALLS: these are still to be avoided; ELSEWHERE: ask throng_field_follow. */
    uint8_t kind[THRONG_LED_TOGETHER + 3];
} throng_led;

/* Finds the ways; behind the last there are as many more as make a multiple of four. */
typedef void (*throng_lead)(const throng_ground *ground, throng_led *led);
extern const throng_lead throng_lead_plain;
extern const throng_lead throng_lead_avx2; /* only where throng_wide_supported() */

/* The direction of a way that is far from its goal, bent around the walls beside somebody. */
throng_point throng_field_avoid(const throng_ground *ground, size_t node, throng_point at, double radius,
                                throng_point direction);

/* How far it is to the goal from a point, in m; infinite when no way leads from there. */
double throng_field_length(const throng_field *field, const throng_ground *ground, throng_point at);

/* Whether a way leads from a point, as far as can be told at a glance. */
bool throng_field_knows(const throng_field *field, const throng_ground *ground, throng_point at);

#endif
