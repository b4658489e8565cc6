/* dice.h: random numbers for tests, the same on every machine. */

#ifndef THRONG_DICE_H
#define THRONG_DICE_H

#include <throng/model.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline double dice_between(dice *d, double low, double high) {
    d->state += 0x9E3779B97F4A7C15u;
    return low + (high - low) * ((double)(throng_mix(d->state) >> 11) * (1.0 / 9007199254740992.0));
}

#endif
