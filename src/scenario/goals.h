/* goals.h: what reading named goals and reading an entry's own goals have in common. */

#ifndef THRONG_GOALS_H
#define THRONG_GOALS_H

#include "scenario/scenario.h"

/* The keys that say what form a goal has; the first three may also be named. */
enum {
    THRONG_FORM_POLYGON,
    THRONG_FORM_POINT,
    THRONG_FORM_DIRECTION,
    THRONG_FORM_RANDOM_IN,
    THRONG_FORM_ANY,
    THRONG_FORM_CHOICE,
    THRONG_FORM_POINTS,
    THRONG_FORM_OFFSET,
    THRONG_FORM_X,
    THRONG_FORM_Y,
    THRONG_FORM_PERMUTE,
    THRONG_FORM_COUNT
};
extern const char *const throng_goal_forms[THRONG_FORM_COUNT];

/* Adds a goal to the scenario's list, which takes over its ring, members, queue and drawn wait. */
throng_goal throng_add_goal(throng_scenario *scenario, throng_goal_def def);
/* A goal without ring and members; equal ones are one, for each may cost a field of routes. */
throng_goal throng_intern_goal(throng_loading *loading, throng_goal_def def);

/* The value of "polygon", "point", "direction" or "random_in". */
bool throng_read_goal_place(throng_loading *loading, throng_json_ref node, int form, throng_goal_def *def);
/* "radius", "exit", "repeat" and what belongs to waiting beside it. */
bool throng_read_goal_extras(throng_loading *loading, throng_json_ref object, int form, throng_goal_def *def);

/* waits.c: "wait", "capacity" and "queue". */
bool throng_read_goal_wait(throng_loading *loading, throng_json_ref object, int form, throng_goal_def *def);
/* For a world, which destroys what it draws from. */
throng_drawing throng_copy_wait(const throng_drawing *wait);

#endif
