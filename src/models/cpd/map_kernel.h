/* map_kernel.h: drawing personal spaces into a tile.
 *
 * A shape is convex, so it has one run of pixels in a row. With the row dy above the person, the disc reaches to
 * +-sqrt(r^2 - dy^2) and the ellipse k t^2 + n^2 = r^2 (t along the heading, n across, k = (r/a)^2) to
 *
 *     x = [-B dy +- sqrt(A r^2 - k dy^2)] / A,    A = k hx^2 + hy^2,  B = hx hy (k - 1)
 *
 * The disc lies in the ellipse, and they meet where t = 0; so an end of the run is the ellipse's if that is ahead, else
 * the disc's. A pixel is in the shape if its middle is.
 *
 * The square of a distance is dx^2 + dy^2, and keys can be added: what a column makes of one is found once for all
 * rows, what a row makes of one once for the row. So eight pixels take one sum and one comparison. The rows of a batch
 * of eight are as long as the longest of them, since going on to the next row sooner or later by chance costs more. */

#include <string.h>

#include "base/wide_keys.h"
#include "models/cpd/cpd.h"

/* The runs of pixels in eight rows of a tile; empty ones end before they begin. */
typedef struct runs {
    wide8_whole first, last;
} runs;

/* Somebody in a tile: its own pixel, the rows that its shape may touch, and what all runs have in common. */
typedef struct figure {
    const throng_cpd_body *body;
    int column, row, low, high;
    float root_all, root_dy, inverse, slope; /* A r^2, k, 1 / A, -B / A */
} figure;

static inline figure figure_of(const throng_cpd_sheet *sheet, uint32_t number) {
    const throng_cpd_body *b = sheet->who[number];
    figure f = {.body = b, .column = sheet->column[number], .row = sheet->row[number]};
    int offset = f.row - b->row, low = b->low + offset, high = b->high + offset;
    f.low = low > 0 ? low : 0;
    f.high = high < THRONG_CPD_HEIGHT ? high : THRONG_CPD_HEIGHT - 1;
    float hx = b->along_x, hy = b->along_y, k = b->squeeze, a = k * hx * hx + hy * hy;
    f.root_all = a * b->radius2;
    f.inverse = b->inverse;
    f.slope = -hx * hy * (k - 1) * f.inverse;
    return f;
}

/* How far above somebody the middles of pixels in rows are. */
WIDE8_INLINE wide8 find_heights(const figure *f, int row) {
    return wide8_add(wide8_of_whole(wide8_whole_add(wide8_lanes(), wide8_whole_all(row - f->row))),
                     wide8_all(0.5F - f->body->y));
}

WIDE8_INLINE runs find_runs(const figure *f, wide8 dy) {
    const throng_cpd_body *b = f->body;
    wide8 zero = wide8_all(0), dy2 = wide8_mul(dy, dy), hx = wide8_all(b->along_x);
    wide8 rest = wide8_sub(wide8_all(b->radius2), dy2), disc = wide8_sqrt(wide8_max(rest, zero));
    wide8 root2 = wide8_sub(wide8_all(f->root_all), wide8_mul(wide8_all(b->squeeze), dy2));
    wide8 root = wide8_mul(wide8_sqrt(wide8_max(root2, zero)), wide8_all(f->inverse));
    wide8 middle = wide8_mul(wide8_all(f->slope), dy), up = wide8_mul(dy, wide8_all(b->along_y));
    wide8 low = wide8_sub(middle, root), high = wide8_add(middle, root);
    wide8_mask low_behind = wide8_less(wide8_add(wide8_mul(low, hx), up), zero);
    wide8_mask high_behind = wide8_less(wide8_add(wide8_mul(high, hx), up), zero);
    wide8_mask no_disc = wide8_less(rest, zero);
    wide8_mask none = wide8_and(no_disc, wide8_or(wide8_less(root2, zero), wide8_or(low_behind, high_behind)));
    wide8 from = wide8_select(low_behind, wide8_sub(zero, disc), low);
    wide8 to = wide8_select(high_behind, disc, high), shift = wide8_all(b->x - 0.5F);
    from = wide8_select(none, wide8_all(1), wide8_ceil(wide8_add(from, shift)));
    to = wide8_select(none, zero, wide8_floor(wide8_add(to, shift)));
    wide8_whole column = wide8_whole_all(f->column), border = wide8_whole_all(THRONG_CPD_WIDTH - 1);
    runs found = {wide8_whole_max(wide8_whole_add(wide8_to_whole(from), column), wide8_whole_all(0)),
                  wide8_whole_min(wide8_whole_add(wide8_to_whole(to), column), border)};
    return found;
}

/* --- drawing */

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

/* How somebody is drawn: squares of distances add up, or some weigh more than others, or walls hide pixels from it. */
typedef enum style { STYLE_PLAIN, STYLE_SCREENED, STYLE_WEIGHTED } style;

/* What does not change while somebody is drawn. */
typedef struct pen {
    const throng_cpd_sheet *sheet;
    uint32_t number;
    int column;
    float within, lift; /* from it to the middle of its own pixel; added to distances */
} pen;

/* The rows of a shape as they are drawn; there is room for what eight at a time write beyond the last. */
typedef struct stripes {
    int32_t first[THRONG_CPD_HEIGHT + 8], length[THRONG_CPD_HEIGHT + 8]; /* of runs; one less than it is, -1: nothing */
    uint32_t up[THRONG_CPD_HEIGHT + 8];                                  /* what they make of a key */
    float dy[THRONG_CPD_HEIGHT + 8];
    int count, most; /* rows; eights of pixels in the longest run, at least three */
    uint64_t longer; /* a bit for each row with a run of more than two of them: one after the other, as it is convex */
} stripes;

/* The part of a square that goes into a key. */
WIDE8_INLINE wide8_whole key_of(const throng_cpd_sheet *sheet, wide8 z) {
    return wide8_whole_left(wide8_to_whole(wide8_mul(z, wide8_all(sheet->scale))), sheet->shift);
}

/* Keys by their distance itself, with what the weight adds. */
WIDE8_INLINE wide8_whole weigh(const pen *p, wide8 x, float dy) {
    wide8 z = wide8_sqrt(wide8_add(wide8_mul(x, x), wide8_all(dy * dy)));
    return wide8_whole_or(key_of(p->sheet, wide8_add(z, wide8_all(p->lift))), wide8_whole_all((int32_t)p->number));
}

/* How far right of somebody the middles of pixels are. */
WIDE8_INLINE wide8 find_columns(const pen *p, int column) {
    return wide8_add(wide8_of_whole(wide8_whole_add(wide8_lanes(), wide8_whole_all(column - p->column))),
                     wide8_all(p->within));
}

/* Of the rows from one to another, the eights of pixels from `begin` up to `end`. */
WIDE8_INLINE void draw_rows(const pen *p, uint32_t *pixels, const stripes *of, int from, int to, int begin, int end,
                            style how) {
    const uint32_t *across = p->sheet->across;
    wide8_whole lanes = wide8_lanes();
    for (int n = from; n < to; n++) {
        int first = of->first[n];
        uint32_t *keys = pixels + n * THRONG_CPD_STRIDE + first;
        wide8_whole up = wide8_whole_all((int32_t)of->up[n]), length = wide8_whole_all(of->length[n]);
        for (int k = 8 * begin; k < 8 * end; k += 8) {
            wide8_whole here = wide8_whole_add(lanes, wide8_whole_all(k));
            wide8_whole out = wide8_whole_of_mask(wide8_whole_less(length, here)), key;
            if (how != STYLE_PLAIN && of->length[n] < k) break;
            if (how == STYLE_WEIGHTED)
                key = weigh(p, find_columns(p, first + k), of->dy[n]);
            else
                key = wide8_whole_add(wide8_whole_load(across + first + k), up);
            if (how != STYLE_PLAIN)
                out = wide8_whole_or(out,
                                     wide8_whole_of_mask(find_hidden(p->sheet, find_columns(p, first + k), of->dy[n])));
            wide8_whole_store(keys + k, wide8_whole_least(wide8_whole_or(key, out), wide8_whole_load(keys + k)));
        }
    }
}

/* Two eights of all rows; those in the middle are longer, most by one, some by two. */
WIDE8_INLINE void draw_all_rows(const pen *p, uint32_t *pixels, const stripes *of, style how) {
    if (how != STYLE_PLAIN) {
        draw_rows(p, pixels, of, 0, of->count, 0, of->most, how);
        return;
    }
    draw_rows(p, pixels, of, 0, of->count, 0, 2, how);
    if (of->longer == 0) return;
    int from = __builtin_ctzll(of->longer), to = 64 - __builtin_clzll(of->longer);
    if (of->most == 3)
        draw_rows(p, pixels, of, from, to, 2, 3, how);
    else
        draw_rows(p, pixels, of, from, to, 2, of->most, how);
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

/* What columns make of keys, with the number of whose they are; of those that a shape may touch. */
WIDE8_INLINE void lay_across(throng_cpd_sheet *sheet, const figure *f, uint32_t number) {
    const throng_cpd_body *b = f->body;
    int offset = f->column - b->column, left = b->left + offset, right = b->right + offset;
    wide8 within = wide8_all(0.5F - b->x);
    if (left < 0) left = 0;
    if (right >= THRONG_CPD_WIDTH) right = THRONG_CPD_WIDTH - 1;
    for (int c = left; c <= right; c += 8) {
        wide8 dx = wide8_add(wide8_of_whole(wide8_whole_add(wide8_lanes(), wide8_whole_all(c - f->column))), within);
        wide8_whole key = wide8_whole_or(key_of(sheet, wide8_mul(dx, dx)), wide8_whole_all((int32_t)number));
        wide8_whole_store(sheet->across + c, key);
    }
}

/* The rows of a shape, and the sums over it. */
WIDE8_INLINE void lay_rows(throng_cpd_sheet *sheet, const figure *f, stripes *of, throng_cpd_sums *out, style how) {
    wide8_whole none = wide8_whole_all(0), sums[3] = {none, none, none}, longest = wide8_whole_all(-1);
    int32_t all[4];
    of->count = f->high + 1 - f->low;
    of->longer = 0;
    for (int n = 0; n < of->count; n += 8) {
        wide8 dy = find_heights(f, f->low + n);
        runs found = find_runs(f, dy);
        wide8_whole length = wide8_whole_max(wide8_whole_sub(found.last, found.first), wide8_whole_all(-1));
        /* an empty run may begin beyond the tile */
        wide8_whole_store(of->first + n, wide8_whole_min(found.first, wide8_whole_all(THRONG_CPD_WIDTH - 1)));
        wide8_whole_store(of->length + n, length);
        wide8_whole_store(of->up + n, key_of(sheet, wide8_mul(dy, dy)));
        if (how != STYLE_PLAIN) wide8_store(of->dy + n, dy);
        longest = wide8_whole_max(longest, length);
        of->longer |= (uint64_t)wide8_bits(wide8_whole_less(wide8_whole_all(15), length)) << n;
        sum_runs(&found, f, f->low + n, sums);
    }
    if (of->count < 64) of->longer &= ((uint64_t)1 << of->count) - 1;
    bool long_ones = wide8_bits(wide8_whole_less(wide8_whole_all(23), longest)) != 0;
    of->most = long_ones ? (wide8_whole_greatest(longest) + 8) / 8 : 3;
    wide8_whole_sums(sums[0], sums[1], sums[2], all);
    *out = (throng_cpd_sums){.all = all[0], .all_column = all[1] / 2, .all_row = all[2], .whole = all[0]};
}

WIDE8_INLINE void draw_shape(throng_cpd_sheet *sheet, uint32_t number, style how) {
    figure f = figure_of(sheet, number);
    pen p = {sheet, number, f.column, 0.5F - f.body->x, f.body->lift};
    stripes of;
    if (how != STYLE_WEIGHTED) lay_across(sheet, &f, number); /* first: it has to be in memory when rows are drawn */
    lay_rows(sheet, &f, &of, &sheet->sums[number], how);
    draw_all_rows(&p, sheet->keys + f.low * THRONG_CPD_STRIDE, &of, how);
    sheet->drawn += (uint64_t)sheet->sums[number].all;
}

static void draw_body(throng_cpd_sheet *sheet, uint32_t number) {
    if (sheet->weighted)
        draw_shape(sheet, number, STYLE_WEIGHTED);
    else if (sheet->screen_count > 0)
        draw_shape(sheet, number, STYLE_SCREENED);
    else
        draw_shape(sheet, number, STYLE_PLAIN);
}
