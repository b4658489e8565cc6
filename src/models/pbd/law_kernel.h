/* law_kernel.h: the parameters of eight people side by side, and what more than one kernel needs. */

#ifndef THRONG_PBD_LAW_KERNEL_H
#define THRONG_PBD_LAW_KERNEL_H

#include <stddef.h>

#include "models/pbd/pbd.h"

static inline float law_at(const throng_pbd *s, uint32_t slot, size_t offset) {
    return *(const float *)(const void *)((const char *)&s->laws[s->law[slot]] + offset);
}

static inline wide8 each_law(const throng_pbd *s, uint32_t first, size_t offset) {
    if (s->one_law) return wide8_all(law_at(s, first, offset));
    float value[8];
    for (uint32_t lane = 0; lane < 8; lane++) value[lane] = law_at(s, first + lane, offset);
    return wide8_load(value);
}

/* A parameter of those from slot `first` on. */
#define EACH_LAW(first, name) each_law(s, (first), offsetof(throng_pbd_law, name))

/* Shortens vectors to the most they may be. */
static inline void limit(wide8 *x, wide8 *y, wide8 most) {
    wide8 length2 = wide8_add(wide8_mul(*x, *x), wide8_mul(*y, *y));
    wide8_mask longer = wide8_less(wide8_mul(most, most), length2);
    if (!wide8_bits(longer)) return;
    const wide8 one = wide8_all(1.0F);
    wide8 scale = wide8_select(longer, wide8_div(most, wide8_sqrt(wide8_select(longer, length2, one))), one);
    *x = wide8_mul(*x, scale);
    *y = wide8_mul(*y, scale);
}

#endif
