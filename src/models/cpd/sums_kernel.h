/* sums_kernel.h: an empty tile, and adding up whose pixels are where once it is drawn (map_kernel.h). */

#include "models/cpd/map_kernel.h"

/* --- an empty tile */

static void block_pixels(throng_cpd_sheet *sheet, const throng_cpd_tile *tile) {
    memset(sheet->keys, 0xFF, THRONG_CPD_HEIGHT * THRONG_CPD_STRIDE * sizeof *sheet->keys);
    if (!tile->walled) return;
    for (int r = 0; r < THRONG_CPD_HEIGHT; r++) {
        for (int word = 0; word < 2; word++) {
            uint32_t *keys = sheet->keys + r * THRONG_CPD_STRIDE + 64 * word;
            uint64_t bits = tile->blocked[r][word];
            for (int c = 0; bits; c += 8, bits >>= 8) {
                wide8_whole in = wide8_whole_of_mask(wide8_of_bits((unsigned)(bits & 0xFF) ^ 0xFF));
                wide8_whole_store(keys + c, in);
            }
        }
    }
}

/* --- whose pixels are where */

/* The sum of the numbers of the bits that are set. */
static inline int32_t sum_of_bits(unsigned bits) {
    return (int32_t)(__builtin_popcount(bits & 0xAA) + 2 * __builtin_popcount(bits & 0xCC) +
                     4 * __builtin_popcount(bits & 0xF0));
}

typedef struct owned {
    int32_t own, column, row, area;
} owned;

/* The pixels of a run that are somebody's own. What is farther behind or ahead than it looks counts all. */
WIDE8_INLINE void own_run(const uint32_t *keys, int first, int last, wide8_whole number, wide8_whole mask, wide8 t,
                          float step, const throng_cpd_body *b, int row, owned *sum) {
    for (int c = first; c <= last; c += 8) {
        unsigned in = last - c >= 7 ? 0xFF : (1U << (last - c + 1)) - 1;
        wide8_whole who = wide8_whole_and(wide8_whole_load(keys + c), mask);
        unsigned own = wide8_bits(wide8_whole_equal(who, number)) & in;
        wide8 ahead = wide8_add(t, wide8_all((float)c * step));
        wide8_mask unseen = wide8_or(wide8_less(ahead, wide8_all(b->behind)), wide8_less(wide8_all(b->beyond), ahead));
        unsigned all = own | (wide8_bits(unseen) & in);
        int32_t count = __builtin_popcount(all);
        sum->area += __builtin_popcount(own);
        sum->own += count;
        sum->column += count * c + sum_of_bits(all);
        sum->row += count * row;
    }
}

/* The pixels of a run that somebody has lost to others on the side it minds less. `side` is above 0 on that side. */
WIDE8_INLINE void lost_run(const uint32_t *keys, int first, int last, wide8_whole number, wide8_whole mask, wide8 t,
                           wide8 side, float side_step, const throng_cpd_body *b, int row, owned *sum) {
    wide8_whole wall = wide8_whole_all(0);
    for (int c = first; c <= last; c += 8) {
        unsigned in = last - c >= 7 ? 0xFF : (1U << (last - c + 1)) - 1;
        wide8_whole who = wide8_whole_and(wide8_whole_load(keys + c), mask);
        unsigned kept = wide8_bits(wide8_whole_equal(who, number)) | wide8_bits(wide8_whole_equal(who, wall));
        wide8 ahead = wide8_add(t, wide8_all((float)c * b->along_x));
        wide8 aside = wide8_add(side, wide8_all((float)c * side_step));
        wide8_mask unseen = wide8_or(wide8_less(ahead, wide8_all(b->behind)), wide8_less(wide8_all(b->beyond), ahead));
        unsigned lost = wide8_bits(wide8_less(wide8_all(0), aside)) & in & ~kept & ~wide8_bits(unseen);
        int32_t count = __builtin_popcount(lost);
        sum->own += count;
        sum->column += count * c + sum_of_bits(lost);
        sum->row += count * row;
    }
}

static void own_pixels(throng_cpd_sheet *sheet, uint32_t number) {
    figure f = figure_of(sheet, number);
    const throng_cpd_body *b = f.body;
    throng_cpd_sums *sums = &sheet->sums[number];
    owned sum = {0}, lost = {0};
    float right = b->spared > 0 ? 1 : -1;
    wide8_whole id = wide8_whole_all((int32_t)number), mask = wide8_whole_all((int32_t)((1U << sheet->shift) - 1));
    wide8 x = wide8_add(wide8_of_whole(wide8_lanes()), wide8_all(0.5F - b->x - (float)f.column));
    for (int r = f.low; r <= f.high; r += 8) {
        int32_t first[8], last[8];
        runs found = find_runs(&f, find_heights(&f, r));
        wide8_whole_store(first, found.first);
        wide8_whole_store(last, found.last);
        for (int n = 0; n < 8 && r + n <= f.high; n++) {
            float dy = (float)(r + n - f.row) + (0.5F - b->y);
            wide8 t = wide8_add(wide8_mul(x, wide8_all(b->along_x)), wide8_all(dy * b->along_y));
            const uint32_t *keys = sheet->keys + (r + n) * THRONG_CPD_STRIDE;
            own_run(keys, first[n], last[n], id, mask, t, b->along_x, b, r + n - f.row, &sum);
            if (b->spared == 0) continue;
            wide8 side =
                wide8_mul(wide8_sub(wide8_mul(x, wide8_all(b->along_y)), wide8_all(dy * b->along_x)), wide8_all(right));
            lost_run(keys, first[n], last[n], id, mask, t, side, right * b->along_y, b, r + n - f.row, &lost);
        }
    }
    if (b->spared != 0) {
        int32_t part = b->spared > 0 ? b->spared : -b->spared;
        sum.own = THRONG_CPD_LOSS * sum.own + part * lost.own;
        sum.column = THRONG_CPD_LOSS * sum.column + part * lost.column;
        sum.row = THRONG_CPD_LOSS * sum.row + part * lost.row;
    }
    sums->own = sum.own;
    sums->own_column = sum.column - sum.own * f.column;
    sums->own_row = sum.row;
    sums->area = sum.area;
}

/* How many pixels of so many eights of columns are somebody's, by column; and the sum of that over rows, row by row. */
WIDE8_INLINE wide8_whole count_columns(const uint32_t *keys, int rows, wide8_whole number, wide8_whole mask, int eights,
                                       wide8_whole *count) {
    wide8_whole below = wide8_whole_all(0);
    for (int k = 0; k < eights; k++) count[k] = below;
    for (int r = 0; r < rows; r++) {
        const uint32_t *row = keys + r * THRONG_CPD_STRIDE;
        for (int k = 0; k < eights; k++) {
            wide8_whole who = wide8_whole_and(wide8_whole_load(row + 8 * k), mask);
            count[k] = wide8_count(count[k], wide8_whole_equal(who, number));
            below = wide8_whole_add(below, count[k]);
        }
    }
    return below;
}

/* The same of somebody who looks all around: what is its own lies in its shape, so that need not be asked. */
static void own_around(throng_cpd_sheet *sheet, uint32_t number) {
    enum { EIGHTS = 4 };
    const throng_cpd_body *b = sheet->who[number];
    int column = sheet->column[number], row = sheet->row[number];
    int left = b->left + column - b->column, right = b->right + column - b->column;
    int low = b->low + row - b->row, high = b->high + row - b->row;
    left = left > 0 ? left : 0;
    right = right < THRONG_CPD_WIDTH ? right : THRONG_CPD_WIDTH - 1;
    low = low > 0 ? low : 0;
    high = high < THRONG_CPD_HEIGHT ? high : THRONG_CPD_HEIGHT - 1;
    if (right - left >= 8 * EIGHTS) {
        own_pixels(sheet, number);
        return;
    }
    wide8_whole id = wide8_whole_all((int32_t)number), mask = wide8_whole_all((int32_t)((1U << sheet->shift) - 1));
    wide8_whole count[EIGHTS], below, own = wide8_whole_all(0), across = own;
    const uint32_t *keys = sheet->keys + low * THRONG_CPD_STRIDE + left;
    int rows = high + 1 - low, eights = right - left < 24 ? 3 : EIGHTS;
    if (eights == 3)
        below = count_columns(keys, rows, id, mask, 3, count);
    else
        below = count_columns(keys, rows, id, mask, EIGHTS, count);
    for (int k = 0; k < eights; k++) {
        wide8_whole columns = wide8_whole_add(wide8_lanes(), wide8_whole_all(left + 8 * k - column));
        own = wide8_whole_add(own, count[k]);
        across = wide8_whole_add(across, wide8_whole_mul(count[k], columns));
    }
    throng_cpd_sums *sums = &sheet->sums[number];
    sums->area = sums->own = wide8_whole_sum(own);
    sums->own_column = wide8_whole_sum(across);
    /* row r from the low one is counted `rows - r` times in `below` */
    sums->own_row = sums->own * (low - row + rows) - wide8_whole_sum(below);
}

/* A bit for each of 64 pixels that is another's than the one before it. */
WIDE8_INLINE uint64_t find_changes(const uint32_t *keys, wide8_whole mask) {
    uint64_t changes = 0;
    for (int c = 0; c < 64; c += 8) {
        wide8_whole here = wide8_whole_and(wide8_whole_load(keys + c), mask);
        wide8_whole before = wide8_whole_and(wide8_whole_load(keys + c - 1), mask);
        changes |= (uint64_t)(wide8_bits(wide8_whole_equal(here, before)) ^ 0xFF) << c;
    }
    return changes;
}

/* A run of pixels of one person. Number 0 takes what is nobody's. */
static inline void add_run(throng_cpd_sums *sums, uint32_t number, uint32_t nobody, int first, int end, int row) {
    int32_t length = end - first;
    throng_cpd_sums *sum = &sums[number == nobody ? 0 : number];
    sum->own += length;
    sum->own_column += length * (first + end - 1); /* twice */
    sum->own_row += length * row;
}

/* Everybody's at once, of tiles in which everybody looks all around. */
static void share_out_pixels(throng_cpd_sheet *sheet) {
    uint32_t nobody = (1U << sheet->shift) - 1;
    wide8_whole mask = wide8_whole_all((int32_t)nobody);
    throng_cpd_sums *sums = sheet->sums;
    for (int r = 0; r < THRONG_CPD_HEIGHT; r++) {
        const uint32_t *keys = sheet->keys + r * THRONG_CPD_STRIDE;
        int first = 0;
        for (int half = 0; half < THRONG_CPD_WIDTH; half += 64) {
            uint64_t changes = find_changes(keys + half, mask);
            if (half == 0) changes &= ~(uint64_t)1;
            for (; changes; changes &= changes - 1) {
                int end = half + __builtin_ctzll(changes);
                add_run(sums, keys[first] & nobody, nobody, first, end, r);
                first = end;
            }
        }
        add_run(sums, keys[first] & nobody, nobody, first, THRONG_CPD_WIDTH, r);
    }
    for (size_t n = 1; n <= sheet->count; n++) {
        sums[n].area = sums[n].own;
        sums[n].own_column = sums[n].own_column / 2 - sums[n].own * sheet->column[n];
        sums[n].own_row -= sums[n].own * sheet->row[n];
    }
}
