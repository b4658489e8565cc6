/* meet_kernel.h: which of eight people may meet walls; most do not. */

#include "models/uic/uic.h"
#include "space/wide_lookup.h"

/* The part of a cell that a coordinate lies in. */
static inline wide8 part_of(wide8 at, wide8 per_part) {
    wide8 part = wide8_min(wide8_max(wide8_mul(at, per_part), wide8_all(0)), wide8_all(THRONG_UIC_PARTS - 1));
    return wide8_of_whole(wide8_to_whole(part));
}

static unsigned meet_eight(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, const float *x,
                           const float *y) {
    wide8 per_part = wide8_all((float)(THRONG_UIC_FINE / s->cell));
    wide8 dx = wide8_load(s->shift_x + k), dy = wide8_load(s->shift_y + k);
    wide8 c = part_of(wide8_sub(wide8_load(x + k), dx), per_part);
    wide8 r = part_of(wide8_sub(wide8_load(y + k), dy), per_part);
    wide8_whole at = wide8_to_whole(wide8_add(wide8_mul(r, wide8_all(THRONG_UIC_PARTS)), c));
    wide8 clear = wide8_sub(wide8_lookup(tile->clear, at), wide8_all((float)s->radius_most));
    wide8 length2 = wide8_add(wide8_mul(dx, dx), wide8_mul(dy, dy));
    wide8_mask free = wide8_and(wide8_less(wide8_all(0), clear), wide8_less(length2, wide8_mul(clear, clear)));
    return ~wide8_bits(free) & 0xFFU;
}
