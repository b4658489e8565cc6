/* ahead.h: how long it takes to get to a goal with others ahead, to choose the quickest of several.
 *
 *     goal |== k0 ====== jam ========| o  o     o        o = on the way, sorted by how far they have to go
 *          0                         L
 *
 * Whoever goes to a goal arrives after those ahead. Where they are held up, the flow J they still make is what
 * the narrowest place passes, so N of them take N / J, however densely they stand and even while they
 * still close up. Where nobody is held up, J is taken to be what other jams pass per metre of width, times
 * the width of the narrowest place on the way: that of the wave of the goal's field. */

#ifndef THRONG_AHEAD_H
#define THRONG_AHEAD_H

#include "route/field.h"

enum { THRONG_AHEAD_BINS = 128 };

/* Those on their way to a goal, by how far they have to go: at the last look. */
typedef struct throng_ahead_line {
    float people[THRONG_AHEAD_BINS]; /* [bin] */
    float made[THRONG_AHEAD_BINS];   /* [bin] m/s, of all of them, along their ways */
    float wanted[THRONG_AHEAD_BINS]; /* [bin] m/s */
    float width[THRONG_AHEAD_BINS];  /* [bin] m, of the narrowest place from there to the goal */
    float area[THRONG_AHEAD_BINS];   /* [bin] m^2, of all places as far away */
    float flow;                      /* 1/s, of the jam nearest to the goal; 0: there is none */
    uint32_t first;                  /* [bin] where it begins */
    uint32_t jammed;                 /* looks since it is there */
    uint32_t measured;               /* 1: the widths are known */
} throng_ahead_line;

typedef struct throng_ahead {
    throng_ahead_line *lines; /* [goal] */
    size_t count, capacity;
    double per_metre;      /* 1/(m s): the flow of jams; 0: not known yet */
    double bodies, speeds; /* m^2, m/s: sums of squared widths and desired speeds, in a look */
} throng_ahead;

void throng_ahead_clear(throng_ahead *ahead);

/* Makes room for goals. */
void throng_ahead_ready(throng_ahead *ahead, size_t goal_count);

/* The walls have changed: widths are to be measured again. */
void throng_ahead_forget_widths(throng_ahead *ahead);
void throng_ahead_measure(throng_ahead *ahead, throng_goal goal, const throng_field *field,
                          const throng_ground *ground);

/* A look at everybody: begin, add all who are on the way to goals, end. */
void throng_ahead_begin(throng_ahead *ahead);
void throng_ahead_add(throng_ahead *ahead, throng_goal goal, double length, double made, double wanted, double radius);
void throng_ahead_end(throng_ahead *ahead);

/* How long it takes to a goal, in s, for who has so far to go and walks at such a speed. */
double throng_ahead_time(const throng_ahead *ahead, throng_goal goal, double length, double speed);

void throng_ahead_archive(throng_ahead *ahead, throng_archive *archive);

#endif
