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

/* The runs of pixels in eight rows of a tile; empty ones end before they begin. */
typedef struct runs {
    wide8_whole first, last;
} runs;

/* Somebody in a tile: its own pixel, and the rows that its shape may touch. */
typedef struct figure {
    const throng_cpd_body *body;
    int column, row, low, high;
} figure;

static inline figure figure_of(const throng_cpd_sheet *sheet, uint32_t number) {
    figure f = {sheet->who[number], sheet->column[number], sheet->row[number], 0, 0};
    int offset = f.row - f.body->row, low = f.body->low + offset, high = f.body->high + offset;
    f.low = low > 0 ? low : 0;
    f.high = high < THRONG_CPD_HEIGHT ? high : THRONG_CPD_HEIGHT - 1;
    return f;
}

WIDE8_INLINE runs find_runs(const figure *f, int row) {
    const throng_cpd_body *b = f->body;
    float hx = b->along_x, hy = b->along_y, k = b->squeeze, a = k * hx * hx + hy * hy;
    wide8 zero = wide8_all(0), half = wide8_all(0.5F), r2 = wide8_all(b->radius2);
    wide8 dy = wide8_add(wide8_of_whole(wide8_whole_add(wide8_lanes(), wide8_whole_all(row - f->row))),
                         wide8_all(0.5F - b->y));
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
    wide8_whole column = wide8_whole_all(f->column), border = wide8_whole_all(THRONG_CPD_WIDTH - 1);
    runs found = {wide8_whole_max(wide8_whole_add(wide8_to_whole(from), column), wide8_whole_all(0)),
                  wide8_whole_min(wide8_whole_add(wide8_to_whole(to), column), border)};
    return found;
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

/* What does not change while somebody is drawn: the compiler has to assume that pixels written change what is in
 * memory. */
typedef struct pen {
    const throng_cpd_sheet *sheet;
    wide8_whole number;
    wide8 scale, lift;
    int shift;
} pen;

/* Eight pixels; `out` is all ones where they are not to be drawn. */
WIDE8_INLINE void draw_eight(const pen *p, uint32_t *keys, wide8 x, float dy, wide8_whole out, bool weighted,
                             bool screened) {
    wide8 z = wide8_add(wide8_mul(x, x), wide8_all(dy * dy));
    if (weighted) z = wide8_add(wide8_sqrt(z), p->lift);
    if (screened) out = wide8_whole_or(out, wide8_whole_of_mask(find_hidden(p->sheet, x, dy)));
    wide8_whole key = wide8_whole_left(wide8_to_whole(wide8_mul(z, p->scale)), p->shift);
    key = wide8_whole_or(wide8_whole_or(key, p->number), out);
    wide8_whole_store(keys, wide8_whole_least(key, wide8_whole_load(keys)));
}

/* The sums over a shape, of the rows from `row` on. */
WIDE8_INLINE void sum_runs(const runs *r, const figure *f, int row, wide8_whole sums[3]) {
    wide8_whole one = wide8_whole_all(1), rows = wide8_whole_add(wide8_lanes(), wide8_whole_all(row - f->row));
    wide8_whole count = wide8_whole_max(wide8_whole_add(wide8_whole_sub(r->last, r->first), one), wide8_whole_all(0));
    count = wide8_whole_and(count, wide8_whole_of_mask(wide8_first(f->high + 1 - row)));
    wide8_whole twice = wide8_whole_sub(wide8_whole_add(r->first, r->last), wide8_whole_all(2 * f->column));
    sums[0] = wide8_whole_add(sums[0], count);
    sums[1] = wide8_whole_add(sums[1], wide8_whole_mul(count, twice));
    sums[2] = wide8_whole_add(sums[2], wide8_whole_mul(count, rows));
}

WIDE8_INLINE void draw_shape(throng_cpd_sheet *sheet, uint32_t number, bool weighted, bool screened) {
    figure f = figure_of(sheet, number);
    const throng_cpd_body *b = f.body;
    pen p = {sheet, wide8_whole_all((int32_t)number), wide8_all(sheet->scale), wide8_all(b->lift), sheet->shift};
    wide8_whole none = wide8_whole_all(0), sums[3] = {none, none, none};
    wide8 x = wide8_add(wide8_of_whole(wide8_lanes()), wide8_all(0.5F - b->x - (float)f.column)), eight = wide8_all(8);
    float up = 0.5F - b->y - (float)f.row;
    uint32_t *pixels = sheet->keys;
    for (int r = f.low; r <= f.high; r += 8) {
        int32_t first[8], last[8];
        runs found = find_runs(&f, r);
        sum_runs(&found, &f, r, sums);
        wide8_whole_store(first, found.first);
        wide8_whole_store(last, found.last);
        int count = f.high + 1 - r < 8 ? f.high + 1 - r : 8;
        for (int n = 0; n < count; n++) {
            int c = first[n], end = last[n];
            uint32_t *keys = pixels + (r + n) * THRONG_CPD_STRIDE;
            float dy = (float)(r + n) + up;
            wide8 dx = wide8_add(x, wide8_all((float)c));
            for (; c + 7 <= end; c += 8, dx = wide8_add(dx, eight))
                draw_eight(&p, keys + c, dx, dy, none, weighted, screened);
            if (c <= end) draw_eight(&p, keys + c, dx, dy, wide8_whole_from(end - c + 1), weighted, screened);
        }
    }
    throng_cpd_sums *out = &sheet->sums[number];
    out->all = wide8_whole_sum(sums[0]);
    out->all_column = wide8_whole_sum(sums[1]) / 2;
    out->all_row = wide8_whole_sum(sums[2]);
    sheet->drawn += (uint64_t)out->all;
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
        runs found = find_runs(&f, r);
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

#define THRONG_CPD_KERNEL \
    { draw_body, own_pixels, share_out_pixels, block_pixels }
