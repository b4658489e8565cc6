/* relax_kernel.h: relaxation and residual of the cells of one sheet, eight at a time. */

#include "base/wide_float.h"
#include "models/uic/uic.h"

/* What the links to the cells around give. */
static inline wide8 pull_of_links(const throng_uic_sheet *a, int at) {
    const int up = THRONG_UIC_STRIDE;
    wide8 west = wide8_mul(wide8_load(a->link_u + at), wide8_load(a->x + at - 1));
    wide8 east = wide8_mul(wide8_load(a->link_u + at + 1), wide8_load(a->x + at + 1));
    wide8 south = wide8_mul(wide8_load(a->link_v + at), wide8_load(a->x + at - up));
    wide8 north = wide8_mul(wide8_load(a->link_v + at + up), wide8_load(a->x + at + up));
    return wide8_add(wide8_add(west, east), wide8_add(south, north));
}

/* Cells of one colour. */
static void sweep_sheet(throng_uic_sheet *a, int colour, float relaxation, bool projected) {
    wide8_mask even = wide8_of_bits(0x55), odd = wide8_of_bits(0xAA);
    wide8 omega = wide8_all(relaxation), zero = wide8_all(0);
    for (int r = 0; r < THRONG_UIC_TILE; r++) {
        wide8_mask ours = (r + colour) & 1 ? odd : even;
        for (int c = 0; c < THRONG_UIC_TILE; c += 8) {
            int at = throng_uic_at(r, c);
            wide8 before = wide8_load(a->x + at), rest = wide8_sub(pull_of_links(a, at), wide8_load(a->b + at));
            wide8 x = wide8_mul(rest, wide8_load(a->inverse + at));
            x = wide8_add(before, wide8_mul(omega, wide8_sub(x, before)));
            x = projected ? wide8_max(x, zero) : wide8_mul(x, wide8_load(a->mask + at));
            wide8_store(a->x + at, wide8_select(ours, x, before));
        }
    }
}

/* Writes the residual; of the finest level also the mask. Returns how far x is from solving the problem. */
static float rest_of_sheet(throng_uic_sheet *a, bool projected) {
    wide8 zero = wide8_all(0), one = wide8_all(1), most = zero;
    wide8_mask pressed = wide8_of_bits(0);
    for (int r = 0; r < THRONG_UIC_TILE; r++) {
        for (int c = 0; c < THRONG_UIC_TILE; c += 8) {
            int at = throng_uic_at(r, c);
            wide8 x = wide8_load(a->x + at), pressure = wide8_mul(wide8_load(a->diagonal + at), x);
            wide8 z = wide8_add(wide8_sub(pressure, pull_of_links(a, at)), wide8_load(a->b + at));
            wide8 rest = wide8_sub(zero, z);
            if (!projected) {
                wide8_store(a->residual + at, wide8_mul(rest, wide8_load(a->mask + at)));
                continue;
            }
            wide8_mask free = wide8_less(zero, x);
            pressed = wide8_or(pressed, free);
            wide8_store(a->mask + at, wide8_keep(free, one));
            wide8_store(a->residual + at, wide8_keep(free, rest));
            /* either the cell is just full, or there is no pressure */
            wide8 wrong = wide8_min(pressure, z);
            wrong = wide8_max(wrong, wide8_sub(zero, wrong));
            most = wide8_max(most, wide8_keep(wide8_less(zero, wide8_load(a->inverse + at)), wrong));
        }
    }
    float lanes[8], largest = 0;
    wide8_store(lanes, most);
    for (int k = 0; k < 8; k++) largest = lanes[k] > largest ? lanes[k] : largest;
    a->calm = projected && largest == 0 && wide8_bits(pressed) == 0;
    return largest;
}
