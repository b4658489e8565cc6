/* jupedsim.h: the parts of reading a JuPedSim scenario. */

#ifndef THRONG_JUPEDSIM_H
#define THRONG_JUPEDSIM_H

#include "plan/draft.h"

typedef struct throng_jupedsim {
    throng_draft *draft;
    throng_json *json;
    throng_report *report;
    bool failed;
} throng_jupedsim;

/* The "coordinates" of an element; the caller releases the points. */
bool throng_jupedsim_ring(throng_jupedsim *j, throng_json_ref element, throng_ring *out);
/* Calls a function with the key of each element of a section. */
void throng_jupedsim_each(throng_jupedsim *j, const char *section,
                          void (*take)(throng_jupedsim *j, throng_json_ref key));
/* A value whose distribution is named by a key beside it; a alone when there is none. */
throng_floor_value throng_jupedsim_value(throng_jupedsim *j, throng_json_ref object, const char *distribution, double a,
                                         double b);

/* jupedsim_people.c: "distributions" and their journeys. */
void throng_jupedsim_people(throng_jupedsim *j);

#endif
