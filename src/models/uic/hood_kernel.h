/* hood_kernel.h (neighbourhood): the people of a tile and those in the bins around it, side by side and as seen from
 * the tile: row after row of bins, so that whoever is near somebody is in a few pieces of that line. Behind each row
 * stand some who are near nobody, so that pieces may be taken a few too long. */

#ifndef THRONG_UIC_HOOD_KERNEL_H
#define THRONG_UIC_HOOD_KERNEL_H

#include "base/wide_lookup.h"
#include "models/uic/uic.h"

enum { HOOD_STEP = 4 }; /* people that are looked at together */
enum { BINS_ACROSS_MOST = THRONG_UIC_TILE * THRONG_UIC_BINS_MOST };

/* A row of bins, with the bins beside it. */
typedef struct hood_row {
    const uint32_t *start; /* [bin] of the tile: place in the line of its first; and one more */
    uint32_t shift;        /* from there to places in the hood, modulo 2^32 */
    uint32_t begin, end;   /* in the hood, of all */
    uint32_t stirred;      /* bit c + 1: the last sweep moved somebody in column c of cells, -1 <= c <= 16 */
} hood_row;

typedef struct hood {
    throng_uic_hood *people;
    int across;       /* bins of a tile */
    unsigned bins;    /* of a cell */
    unsigned inverse; /* of that, times 2^16 */
    bool stirred;     /* anywhere */
    int look;         /* bins and rows of them around the tile that belong to it */
    hood_row rows[BINS_ACROSS_MOST + 2 * THRONG_UIC_BINS_MOST]; /* [row + look] */
} hood;

static const uint32_t nobody[BINS_ACROSS_MOST + 1] = {0};

/* The bit for the column of cells that a bin lies in, -bins <= bin < across + bins. */
static inline unsigned bit_of_bin(const hood *h, int bin) { return ((unsigned)bin + h->bins) * h->inverse >> 16; }

/* Those from one place in the line to another, in a tile that lies (offset_x, offset_y) away. Returns where the next
 * ones go; up to eight more are written. */
WIDE8_INLINE uint32_t copy_run(const throng_uic *s, const throng_uic_hood *to, bool alike, uint32_t at, uint32_t begin,
                               uint32_t end, float offset_x, float offset_y) {
    wide8 right = wide8_all(offset_x), up = wide8_all(offset_y);
    for (uint32_t k = begin; k < end; k += 8, at += 8) {
        wide8_store(to->x + at, wide8_add(wide8_load(s->x + k), right));
        wide8_store(to->y + at, wide8_add(wide8_load(s->y + k), up));
        if (alike) continue;
        wide8_store(to->half + at, wide8_load(s->half + k));
        wide8_store(to->give + at, wide8_load(s->give + k));
    }
    return at - (uint32_t)(-(int32_t)(end - begin) & 7);
}

/* The rows of bins of the three tiles from around[0] on, from one to another, which are `row` here. */
WIDE8_INLINE uint32_t copy_rows(const throng_uic *s, hood *h, bool alike, const uint32_t *around, int first, int last,
                                int row, uint32_t at, float up) {
    size_t across = (size_t)h->across, stride = across * across + 2, none = s->tile_count;
    float side = (float)(THRONG_UIC_TILE * s->cell);
    for (int r = first; r <= last; r++, row++) {
        const uint32_t *start = s->bin_start + (size_t)r * across;
        hood_row *to = &h->rows[row + h->look];
        to->begin = at;
        if (around[0] != none) {
            const uint32_t *bin = start + around[0] * stride + across - h->look;
            at = copy_run(s, h->people, alike, at, bin[0], bin[h->look], -side, up);
        }
        to->start = around[1] != none ? start + around[1] * stride : nobody;
        to->shift = at - to->start[0];
        at = copy_run(s, h->people, alike, at, to->start[0], to->start[across], 0, up);
        if (around[2] != none) {
            const uint32_t *bin = start + around[2] * stride;
            at = copy_run(s, h->people, alike, at, bin[0], bin[h->look], side, up);
        }
        to->end = at;
        for (int k = 0; k < HOOD_STEP; k++, at++) {
            h->people->x[at] = -1e18F;
            h->people->y[at] = h->people->half[at] = h->people->give[at] = 0;
        }
    }
    return at;
}

/* Where the last sweep moved anybody. */
static inline void see_stirred(const throng_uic *s, hood *h, const uint32_t *around, int first, int last, int row) {
    size_t across = (size_t)h->across, none = s->tile_count;
    for (int r = first; r <= last; r++, row++) {
        const uint16_t *stirred = s->stirred[0] + r;
        unsigned bits = around[1] != none ? (unsigned)stirred[around[1] * across] << 1 : 0;
        if (around[0] != none) bits |= stirred[around[0] * across] >> (THRONG_UIC_TILE - 1);
        if (around[2] != none) bits |= (stirred[around[2] * across] & 1U) << (THRONG_UIC_TILE + 1);
        h->rows[row + h->look].stirred = bits;
        h->stirred |= bits != 0;
    }
}

static inline void begin_hood(const throng_uic *s, hood *h, size_t position) {
    const uint32_t *around = s->levels[0].sheets[position].around;
    h->bins = (unsigned)s->bins;
    h->inverse = (1U << 16) / h->bins + 1;
    h->across = s->bins * THRONG_UIC_TILE;
    h->look = throng_uic_tile_at(s, position)->look;
    h->stirred = !s->settled;
    if (!s->settled) return;
    see_stirred(s, h, around, h->across - h->look, h->across - 1, -h->look);
    see_stirred(s, h, around + 3, 0, h->across - 1, 0);
    see_stirred(s, h, around + 6, 0, h->look - 1, h->across);
}

WIDE8_INLINE void fill_hood(const throng_uic *s, hood *h, bool alike, size_t position) {
    const uint32_t *around = s->levels[0].sheets[position].around;
    float side = (float)(THRONG_UIC_TILE * s->cell);
    uint32_t at = copy_rows(s, h, alike, around, h->across - h->look, h->across - 1, -h->look, 0, -side);
    at = copy_rows(s, h, alike, around + 3, 0, h->across - 1, 0, at, 0);
    copy_rows(s, h, alike, around + 6, 0, h->look - 1, h->across, at, side);
}

/* The places of those in the bins from `left` to `right` of a row. */
static inline uint32_t hood_from(const hood_row *row, int left) {
    return left < 0 ? row->begin : row->start[left] + row->shift;
}
static inline uint32_t hood_to(const hood_row *row, int right, int across) {
    return right >= across ? row->end : row->start[right + 1] + row->shift;
}

#endif
