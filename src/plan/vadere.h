/* vadere.h: the parts of reading a Vadere scenario. */

#ifndef THRONG_VADERE_H
#define THRONG_VADERE_H

#include "plan/draft.h"

typedef struct throng_vadere {
    throng_draft *draft;
    throng_json *json;
    throng_report *report;
    throng_json_ref scenario, topography;
    bool failed;
} throng_vadere;

/* The ring of an element's "shape"; the caller releases its points. */
bool throng_vadere_shape(throng_vadere *v, throng_json_ref element, throng_ring *out);
throng_floor_shape *throng_vadere_add(throng_vadere *v, throng_json_ref element, throng_floor_kind kind,
                                      const char *name);
/* Calls a function for each item of a list of the topography. */
void throng_vadere_each(throng_vadere *v, const char *key, void (*take)(throng_vadere *v, throng_json_ref element));
/* "target-3" */
const char *throng_vadere_name(const throng_vadere *v, throng_json_ref element, const char *kind, char *out,
                               size_t size);

/* vadere_people.c: sources, pedestrians, and who they are. */
void throng_vadere_people(throng_vadere *v);
void throng_vadere_traits(const throng_vadere *v, throng_json_ref attributes, throng_floor_value *radius,
                          throng_floor_value *speed);

#endif
