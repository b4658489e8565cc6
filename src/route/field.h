/* field.h: a flow field, which knows from everywhere the way to one goal. */

#ifndef THRONG_FIELD_H
#define THRONG_FIELD_H

#include "route/ground.h"
#include "route/march.h"
#include "route/route.h"

/* What a field is made for: everybody of a certain size who goes to a goal. */
typedef struct throng_field_def {
    throng_goal goal;
    throng_point target; /* for goals that are each person's own */
    double radius;       /* m, of the widest body: walls are kept at that distance where there is room */
    size_t gap_count;    /* so many of the narrowest gaps are closed for them */
} throng_field_def;

typedef struct throng_field {
    throng_field_def def;
    throng_node *nodes; /* [node of the lattice] */
} throng_field;

/* Scratch memory for making fields, one at a time. */
typedef struct throng_field_maker {
    throng_march march;
    uint8_t *open; /* [node] the lattice's, with gaps closed */
} throng_field_maker;

void throng_field_maker_create(throng_field_maker *maker, const throng_lattice *lattice);
void throng_field_maker_destroy(throng_field_maker *maker);

/* Fills field->nodes, which has room for the lattice, as field->def says. */
void throng_field_make(throng_field_maker *maker, const throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field);

/* The way of a walker along a field. Returns false when no way leads from there. */
bool throng_field_follow(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                         const throng_walker *walker, throng_way *way);

/* Whether a way leads from a point, as far as can be told at a glance. */
bool throng_field_knows(const throng_field *field, const throng_ground *ground, throng_point at);

#endif
