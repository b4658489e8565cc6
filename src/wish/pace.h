/* pace.h: what the two builds of the habit `pace` share. */

#ifndef THRONG_PACE_H
#define THRONG_PACE_H

#include "wish/wish.h"

typedef struct throng_pace_params {
    double pace, time_gap, body_length, body_width, follow, start_gap, look_aside;
} throng_pace_params;

/* Somebody who looks ahead. */
typedef struct throng_outlook {
    const throng_pace_params *params;
    throng_point at;
    double e_x, e_y, speed; /* unit, and m/s: its wish */
    double radius;          /* m */
    double free;            /* m, the free way that nobody slows down for: D */
    bool aside;             /* it looks for a free way: whoever is there is in the way, wherever it wants to go */
} throng_outlook;

/* The way left to somebody, up to D. m */
double throng_pace_way_avx2(const throng_wishing *wishing, const throng_outlook *me);

#endif
