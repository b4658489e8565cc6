/* things.h: how people and things meet in a step.
 *
 *     seat guests -> near -> meet -> models -> step things -> move
 *
 * Guests are discs that stand for things among people: rows behind the last person, made anew in every step. */

#ifndef THRONG_THINGS_H
#define THRONG_THINGS_H

#include "bodies/bodies.h"

/* What a world keeps about its things. */
typedef struct throng_things {
    int iterations;            /* of the engine's solver */
    throng_bodies *bodies;     /* NULL before the first thing */
    size_t guest_count;        /* in this step */
    double *shove_x, *shove_y; /* [guest] N, what people give it in this step */
    size_t shove_capacity;
    uint8_t *marks;       /* [part] scratch: it may be near somebody */
    uint32_t *near_parts; /* those that are, in this step */
    size_t near_count, mark_capacity;
    throng_motion *was; /* [object] scratch: where it was at the start of the step */
    uint8_t *stirred;   /* [object] scratch of keep_out: the pass in which it last gave way; 0: it has not */
    size_t scratch_capacity;
} throng_things;

/* Writes the rows of guests. */
void throng_world_seat_guests(throng_world *world);
/* Impulses between people and things that touch now or will within the step. */
void throng_world_meet_things(throng_world *world);
/* Moves things, pushed by people, and keeps people out of them where they will be next. */
void throng_world_step_things(throng_world *world);
void throng_world_keep_people_out(throng_world *world);
/* People whose discs may come within `reach` (m) of the box around a part; `meet` is told of each, in order of the
 * cells of near and of people within. */
typedef void (*throng_meet_function)(void *context, size_t part, size_t row);
void throng_things_each_near(const throng_world *world, size_t part, double reach, throng_meet_function meet,
                             void *context);
/* Whether a thing covers a spot where somebody of a radius would stand. */
bool throng_world_is_thing_at(const throng_world *world, throng_point at, double radius);
void throng_world_archive_things(throng_world *world, throng_archive *archive);
void throng_things_clear(throng_things *things);
/* Rows that guests may need. */
size_t throng_things_rows(const throng_things *things);
bool throng_world_check_throw(throng_world *world, const char *id, throng_point3 velocity, throng_point3 spin);

#endif
