/* weights_kernel.h: adding up whose pixels are where, of somebody whose pixels have weights (sums_kernel.h).
 *
 * A weight map lies over the space of its owner and turns and grows with it: the first row is farthest ahead, the last
 * farthest behind, the first column left; its middle is where the person stands. With t ahead and n to the right of it,
 *
 *     row    = (1 - t / a) rows / 2 - 1/2      a: length of the front; behind the person, t < 0, the radius r
 *     column = (1 + n / r) columns / 2 - 1/2
 *
 * and weights in between are interpolated. The middle c of what is one's own and the middle uc of the whole are both
 * weighted, from the same whole numbers; so somebody alone feels no force. */

#include <math.h>

#include "base/wide_lookup.h"
#include "models/cpd/sums_kernel.h"

/* A weight map as it lies over somebody. */
typedef struct overlay {
    const throng_cpd_weights *map;
    float ahead, behind, aside; /* rows for each pixel ahead, and behind; columns for each pixel to the right */
    float parts;                /* that a weight of 1 is */
} overlay;

static inline overlay overlay_of(const throng_cpd_sheet *sheet, const throng_cpd_body *b) {
    const throng_cpd_weights *map = sheet->weights;
    float rows = 0.5F * (float)map->rows, columns = 0.5F * (float)map->columns;
    float r = sqrtf(b->radius2), a = sqrtf(b->reach2);
    /* so that sums over the shape stay below 2^31: of 4/3 reach^3 columns, most */
    bool fine = b->reach2 <= THRONG_CPD_FINE * THRONG_CPD_FINE;
    return (overlay){map, rows / a, rows / r, columns / r, fine ? 32768 : 512};
}

/* The weights of eight pixels, in parts. */
WIDE8_INLINE wide8_whole find_weights(const overlay *o, wide8 ahead, wide8 right) {
    wide8 zero = wide8_all(0), half = wide8_all(0.5F);
    wide8_mask back = wide8_less(ahead, zero);
    wide8 along = wide8_mul(ahead, wide8_select(back, wide8_all(o->behind), wide8_all(o->ahead)));
    wide8 row = wide8_sub(wide8_all(0.5F * (float)o->map->rows - 0.5F), along);
    wide8 column = wide8_add(wide8_all(0.5F * (float)o->map->columns - 0.5F), wide8_mul(right, wide8_all(o->aside)));
    row = wide8_min(wide8_max(row, zero), wide8_all((float)(o->map->rows - 1)));
    column = wide8_min(wide8_max(column, zero), wide8_all((float)(o->map->columns - 1)));
    wide8_whole r = wide8_to_whole(row), c = wide8_to_whole(column), stride = wide8_whole_all(o->map->columns + 1);
    wide8 down = wide8_sub(row, wide8_of_whole(r)), across = wide8_sub(column, wide8_of_whole(c));
    wide8_whole at = wide8_whole_add(wide8_whole_mul(r, stride), c), below = wide8_whole_add(at, stride);
    const float *w = o->map->weight;
    wide8 here = wide8_lookup(w, at), there = wide8_lookup(w, below);
    here = wide8_add(here, wide8_mul(across, wide8_sub(wide8_lookup(w + 1, at), here)));
    there = wide8_add(there, wide8_mul(across, wide8_sub(wide8_lookup(w + 1, below), there)));
    wide8 weight = wide8_add(here, wide8_mul(down, wide8_sub(there, here)));
    return wide8_to_whole(wide8_add(wide8_mul(weight, wide8_all(o->parts)), half));
}

/* Sums of weights: of all pixels, of those one owns, and of those one has lost and minds less. */
typedef struct weighed {
    wide8_whole sum, column, row;
} weighed;

WIDE8_INLINE void add_weighed(weighed *to, wide8_whole weight, wide8_whole columns, int row) {
    to->sum = wide8_whole_add(to->sum, weight);
    to->column = wide8_whole_add(to->column, wide8_whole_mul(weight, columns));
    to->row = wide8_whole_add(to->row, wide8_whole_mul(weight, wide8_whole_all(row)));
}

typedef struct weighed_sums {
    weighed all, own, lost;
    int32_t area;
} weighed_sums;

/* A row of a shape: the pixels from first to last. */
WIDE8_INLINE void weigh_row(const throng_cpd_sheet *sheet, const figure *f, const overlay *o, uint32_t number, int row,
                            int first, int last, weighed_sums *sums) {
    const throng_cpd_body *b = f->body;
    const uint32_t *keys = sheet->keys + row * THRONG_CPD_STRIDE;
    wide8_whole id = wide8_whole_all((int32_t)number), mask = wide8_whole_all((int32_t)((1U << sheet->shift) - 1));
    float dy = (float)(row - f->row) + (0.5F - b->y);
    for (int c = first; c <= last; c += 8) {
        wide8_whole columns = wide8_whole_add(wide8_lanes(), wide8_whole_all(c - f->column));
        wide8 x = wide8_add(wide8_of_whole(columns), wide8_all(0.5F - b->x));
        wide8 ahead = wide8_add(wide8_mul(x, wide8_all(b->along_x)), wide8_all(dy * b->along_y));
        wide8 right = wide8_sub(wide8_mul(x, wide8_all(b->along_y)), wide8_all(dy * b->along_x));
        wide8_mask in = wide8_first(last + 1 - c);
        wide8_whole weight = wide8_whole_and(find_weights(o, ahead, right), wide8_whole_of_mask(in));
        wide8_whole who = wide8_whole_and(wide8_whole_load(keys + c), mask);
        wide8_mask own = wide8_whole_equal(who, id);
        wide8_mask unseen = wide8_or(wide8_less(ahead, wide8_all(b->behind)), wide8_less(wide8_all(b->beyond), ahead));
        wide8_mask kept = wide8_or(own, unseen);
        sums->area += __builtin_popcount(wide8_bits(wide8_and(own, in)));
        add_weighed(&sums->all, weight, columns, row - f->row);
        add_weighed(&sums->own, wide8_whole_and(weight, wide8_whole_of_mask(kept)), columns, row - f->row);
        if (b->spared == 0) continue;
        wide8 side = b->spared > 0 ? right : wide8_sub(wide8_all(0), right);
        wide8_mask wall = wide8_whole_equal(who, wide8_whole_all(0));
        wide8_mask lost = wide8_and_not(wide8_less(wide8_all(0), side), wide8_or(kept, wall));
        add_weighed(&sums->lost, wide8_whole_and(weight, wide8_whole_of_mask(lost)), columns, row - f->row);
    }
}

/* What is one's own, with its part of what is lost. */
static inline int32_t with_part(wide8_whole own, wide8_whole lost, int part) {
    return wide8_whole_sum(own) + (int32_t)((int64_t)part * wide8_whole_sum(lost) / THRONG_CPD_LOSS);
}

static void own_weighted(throng_cpd_sheet *sheet, uint32_t number) {
    figure f = figure_of(sheet, number);
    overlay o = overlay_of(sheet, f.body);
    wide8_whole zero = wide8_whole_all(0);
    weighed none = {zero, zero, zero};
    weighed_sums sums = {none, none, none, 0};
    for (int r = f.low; r <= f.high; r += 8) {
        int32_t first[8], last[8];
        runs found = find_runs(&f, find_heights(&f, r));
        wide8_whole_store(first, found.first);
        wide8_whole_store(last, found.last);
        for (int n = 0; n < 8 && r + n <= f.high; n++)
            weigh_row(sheet, &f, &o, number, r + n, first[n], last[n], &sums);
    }
    int part = f.body->spared < 0 ? -f.body->spared : f.body->spared;
    throng_cpd_sums *out = &sheet->sums[number];
    *out = (throng_cpd_sums){.all = wide8_whole_sum(sums.all.sum),
                             .all_column = wide8_whole_sum(sums.all.column),
                             .all_row = wide8_whole_sum(sums.all.row),
                             .own = with_part(sums.own.sum, sums.lost.sum, part),
                             .own_column = with_part(sums.own.column, sums.lost.column, part),
                             .own_row = with_part(sums.own.row, sums.lost.row, part),
                             .area = sums.area,
                             .whole = out->whole};
}
