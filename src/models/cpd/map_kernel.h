/* map_kernel.h: drawing personal spaces into a tile, and adding up whose pixels are where.
 *
 * A shape is convex, so it has one run of pixels in a row. With the row dy above the person, the disc reaches to
 * +-sqrt(r^2 - dy^2) and the ellipse k t^2 + n^2 = r^2 (t along the heading, n across, k = (r/a)^2) to
 *
 *     x = [-B dy +- sqrt(A r^2 - k dy^2)] / A,    A = k hx^2 + hy^2,  B = hx hy (k - 1)
 *
 * The disc lies in the ellipse, and they meet where t = 0; so an end of the run is the ellipse's if that is ahead, else
 * the disc's. A pixel is in the shape if its middle is. */

#include <string.h>

#include "models/cpd/cpd.h"
#include "space/wide_keys.h"

/* The runs of pixels in eight rows, from the person's own pixel; empty ones end before they begin. */
typedef struct runs {
    int32_t first[8], last[8];
} runs;

WIDE8_INLINE void find_runs(const throng_cpd_body *b, int row, runs *out) {
    float hx = b->along_x, hy = b->along_y, k = b->squeeze, a = k * hx * hx + hy * hy;
    wide8 zero = wide8_all(0), half = wide8_all(0.5F), r2 = wide8_all(b->radius2);
    wide8 dy = wide8_add(wide8_of_whole(wide8_whole_add(wide8_lanes(), wide8_whole_all(row))), wide8_all(0.5F - b->y));
    wide8 dy2 = wide8_mul(dy, dy), rest = wide8_sub(r2, dy2), disc = wide8_sqrt(wide8_max(rest, zero));
    wide8 root2 = wide8_sub(wide8_all(a * b->radius2), wide8_mul(wide8_all(k), dy2));
    wide8 root = wide8_mul(wide8_sqrt(wide8_max(root2, zero)), wide8_all(1 / a));
    wide8 middle = wide8_mul(wide8_all(-hx * hy * (k - 1) / a), dy);
    wide8 low = wide8_sub(middle, root), high = wide8_add(middle, root), up = wide8_mul(dy, wide8_all(hy));
    wide8_mask low_behind = wide8_less(wide8_add(wide8_mul(low, wide8_all(hx)), up), zero);
    wide8_mask high_behind = wide8_less(wide8_add(wide8_mul(high, wide8_all(hx)), up), zero);
    wide8_mask no_disc = wide8_less(rest, zero);
    wide8_mask none = wide8_and(no_disc, wide8_or(wide8_less(root2, zero), wide8_or(low_behind, high_behind)));
    wide8 from = wide8_select(low_behind, wide8_sub(zero, disc), low);
    wide8 to = wide8_select(high_behind, disc, high), shift = wide8_sub(wide8_all(b->x), half);
    from = wide8_select(none, wide8_all(1), wide8_ceil(wide8_add(from, shift)));
    to = wide8_select(none, zero, wide8_floor(wide8_add(to, shift)));
    wide8_whole_store(out->first, wide8_to_whole(from));
    wide8_whole_store(out->last, wide8_to_whole(to));
}

/* The part of a run that lies in the tile. */
static inline void clip_run(const runs *r, int n, int column, int *first, int *last) {
    *first = r->first[n] + column > 0 ? r->first[n] + column : 0;
    *last = r->last[n] + column < THRONG_CPD_WIDTH ? r->last[n] + column : THRONG_CPD_WIDTH - 1;
}

/* The rows of a tile that a body may touch. */
static inline void clip_rows(const throng_cpd_body *b, int row, int *low, int *high) {
    int offset = row - b->row;
    *low = b->low + offset > 0 ? b->low + offset : 0;
    *high = b->high + offset < THRONG_CPD_HEIGHT ? b->high + offset : THRONG_CPD_HEIGHT - 1;
}

/* Where pixels (x, y) are hidden behind walls: beyond the wall's line, in a direction between its ends. */
WIDE8_INLINE wide8_mask find_hidden(const throng_cpd_sheet *sheet, wide8 x, float y) {
    wide8 zero = wide8_all(0);
    wide8_mask hidden = wide8_less(zero, zero);
    for (int n = 0; n < sheet->screen_count; n++) {
        const throng_cpd_screen *w = &sheet->screens[n];
        wide8 after_a = wide8_sub(wide8_all(w->ax * y), wide8_mul(wide8_all(w->ay), x));
        wide8 before_b = wide8_sub(wide8_mul(wide8_all(w->by), x), wide8_all(w->bx * y));
        float along_x = w->bx - w->ax, along_y = w->by - w->ay;
        wide8 left =
            wide8_sub(wide8_all(along_x * (y - w->ay)), wide8_mul(wide8_all(along_y), wide8_sub(x, wide8_all(w->ax))));
        wide8_mask seen =
            wide8_or(wide8_or(wide8_less(after_a, zero), wide8_less(before_b, zero)), wide8_less(zero, left));
        hidden = wide8_or(hidden, wide8_and_not(wide8_less(zero, wide8_all(1)), seen));
    }
    return hidden;
}

/* A run of pixels; `x` is where the pixels are from the person, if the run began at column 0. */
WIDE8_INLINE void draw_run(uint32_t *keys, int first, int last, wide8 x, float dy, wide8_whole number,
                           const throng_cpd_sheet *sheet, float lift, bool weighted, bool screened) {
    wide8 up = wide8_all(dy * dy), scale = wide8_all(sheet->scale);
    for (int c = first; c <= last; c += 8) {
        wide8 dx = wide8_add(x, wide8_all((float)c)), z = wide8_add(wide8_mul(dx, dx), up);
        if (weighted) z = wide8_add(wide8_sqrt(z), wide8_all(lift));
        wide8_whole key = wide8_whole_left(wide8_to_whole(wide8_mul(z, scale)), sheet->shift);
        wide8_mask beyond = wide8_whole_less(wide8_whole_all(last - c), wide8_lanes());
        if (screened) beyond = wide8_or(beyond, find_hidden(sheet, dx, dy));
        key = wide8_whole_or(wide8_whole_or(key, number), wide8_whole_of_mask(beyond));
        wide8_whole_store(keys + c, wide8_whole_least(key, wide8_whole_load(keys + c)));
    }
}

WIDE8_INLINE void draw_shape(throng_cpd_sheet *sheet, uint32_t number, bool weighted, bool screened) {
    const throng_cpd_body *b = sheet->who[number];
    int column = sheet->column[number], row = sheet->row[number], low, high;
    throng_cpd_sums *sums = &sheet->sums[number];
    int32_t all = 0, twice = 0, rows = 0;
    wide8_whole id = wide8_whole_all((int32_t)number);
    wide8 x = wide8_add(wide8_of_whole(wide8_lanes()), wide8_all(0.5F - b->x - (float)column));
    clip_rows(b, row, &low, &high);
    for (int r = low; r <= high; r += 8) {
        runs found;
        find_runs(b, r - row, &found);
        for (int n = 0; n < 8 && r + n <= high; n++) {
            int first, last;
            clip_run(&found, n, column, &first, &last);
            if (first > last) continue;
            int32_t count = last - first + 1;
            all += count;
            twice += count * (first + last - 2 * column);
            rows += count * (r + n - row);
            float dy = (float)(r + n - row) + (0.5F - b->y);
            draw_run(sheet->keys + (r + n) * THRONG_CPD_STRIDE, first, last, x, dy, id, sheet, b->lift, weighted,
                     screened);
        }
    }
    sums->all = all;
    sums->all_column = twice / 2;
    sums->all_row = rows;
    sheet->drawn += (uint64_t)all;
}

static void draw_body(throng_cpd_sheet *sheet, uint32_t number) {
    bool screened = sheet->screen_count > 0;
    if (sheet->weighted)
        draw_shape(sheet, number, true, screened);
    else if (screened)
        draw_shape(sheet, number, false, true);
    else
        draw_shape(sheet, number, false, false);
}

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

/* The pixels of a run that are somebody's own. What is farther behind than it looks counts all. */
WIDE8_INLINE void own_run(const uint32_t *keys, int first, int last, wide8_whole number, wide8_whole mask, wide8 t,
                          float step, float behind, int row, owned *sum) {
    for (int c = first; c <= last; c += 8) {
        unsigned in = last - c >= 7 ? 0xFF : (1U << (last - c + 1)) - 1;
        wide8_whole who = wide8_whole_and(wide8_whole_load(keys + c), mask);
        unsigned own = wide8_bits(wide8_whole_equal(who, number)) & in;
        wide8 ahead = wide8_add(t, wide8_all((float)c * step));
        unsigned dark = wide8_bits(wide8_less(ahead, wide8_all(behind))) & in, all = own | dark;
        int32_t count = __builtin_popcount(all);
        sum->area += __builtin_popcount(own);
        sum->own += count;
        sum->column += count * c + sum_of_bits(all);
        sum->row += count * row;
    }
}

static void own_pixels(throng_cpd_sheet *sheet, uint32_t number) {
    const throng_cpd_body *b = sheet->who[number];
    int column = sheet->column[number], row = sheet->row[number], low, high;
    throng_cpd_sums *sums = &sheet->sums[number];
    owned sum = {0};
    wide8_whole id = wide8_whole_all((int32_t)number), mask = wide8_whole_all((int32_t)((1U << sheet->shift) - 1));
    wide8 x = wide8_add(wide8_of_whole(wide8_lanes()), wide8_all(0.5F - b->x - (float)column));
    clip_rows(b, row, &low, &high);
    for (int r = low; r <= high; r += 8) {
        runs found;
        find_runs(b, r - row, &found);
        for (int n = 0; n < 8 && r + n <= high; n++) {
            int first, last;
            clip_run(&found, n, column, &first, &last);
            float dy = (float)(r + n - row) + (0.5F - b->y);
            wide8 t = wide8_add(wide8_mul(x, wide8_all(b->along_x)), wide8_all(dy * b->along_y));
            own_run(sheet->keys + (r + n) * THRONG_CPD_STRIDE, first, last, id, mask, t, b->along_x, b->behind,
                    r + n - row, &sum);
        }
    }
    sums->own = sum.own;
    sums->own_column = sum.column - sum.own * column;
    sums->own_row = sum.row;
    sums->area = sum.area;
}

/* How many pixels from here on are of the same person. */
WIDE8_INLINE int run_length(const uint32_t *keys, int left, uint32_t mask) {
    wide8_whole who = wide8_whole_all((int32_t)(*keys & mask)), all = wide8_whole_all((int32_t)mask);
    int length = 0;
    while (length < left) {
        unsigned other =
            wide8_bits(wide8_whole_equal(wide8_whole_and(wide8_whole_load(keys + length), all), who)) ^ 0xFF;
        if (other) {
            length += __builtin_ctz(other);
            break;
        }
        length += 8;
    }
    return length < left ? length : left;
}

/* Everybody's at once, of tiles in which everybody looks all around. Number 0 takes what is nobody's. */
static void share_out_pixels(throng_cpd_sheet *sheet) {
    uint32_t mask = (1U << sheet->shift) - 1;
    throng_cpd_sums *sums = sheet->sums;
    for (int r = 0; r < THRONG_CPD_HEIGHT; r++) {
        const uint32_t *keys = sheet->keys + r * THRONG_CPD_STRIDE;
        for (int c = 0; c < THRONG_CPD_WIDTH;) {
            uint32_t number = keys[c] & mask;
            int length = run_length(keys + c, THRONG_CPD_WIDTH - c, mask);
            throng_cpd_sums *sum = &sums[number == mask ? 0 : number];
            sum->own += length;
            sum->own_column += length * c + length * (length - 1) / 2;
            sum->own_row += length * r;
            c += length;
        }
    }
    for (size_t n = 1; n <= sheet->count; n++) {
        sums[n].area = sums[n].own;
        sums[n].own_column -= sums[n].own * sheet->column[n];
        sums[n].own_row -= sums[n].own * sheet->row[n];
    }
}

#define THRONG_CPD_KERNEL \
    { draw_body, own_pixels, share_out_pixels, block_pixels }
