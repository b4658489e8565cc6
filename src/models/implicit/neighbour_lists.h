/* neighbour_lists.h: who may matter to whom in a step (neighbour_lists.c), with room by workspace.c.
 *
 * Slots are looked at four at a time, in quads: the slots 4 n .. 4 n + 3. An own walker's row are the quads with
 * anybody who may matter to it in this step, ascending. A pair of own walkers is in the rows of both, and is judged
 * alike in both: whatever decides is the same, to the last bit, seen from either side. */

#ifndef THRONG_IMPLICIT_NEIGHBOUR_LISTS_H
#define THRONG_IMPLICIT_NEIGHBOUR_LISTS_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct throng_implicit_rows {
    uint32_t *begin, *end; /* [slot] of an own walker, into the arrays below */
    uint32_t *middle;      /* [slot] its own quad, or where it would be */
    uint32_t *quad;        /* n << 8 | which are hidden by walls << 4 | which of the four may matter */
    uint8_t *matter;       /* which can matter while nobody's velocity leaves its trust region: far ones << 4 | close
                              ones, which may come as near as the repulsion reaches */
    bool whole;            /* they have also those with lower slots who cannot come close: only sweeps ask */
    size_t capacity;
    atomic_size_t used;
    atomic_size_t longest; /* row */
} throng_implicit_rows;

enum { THRONG_QUAD_BITS = 24, THRONG_LANES = 15 };

/* The slot that the lowest of some lanes of a quad stands for. */
static inline uint32_t throng_implicit_slot(uint32_t quad, unsigned lanes) {
    return (quad >> 8 << 2) + (uint32_t)__builtin_ctz(lanes);
}

/* The first quad of a row, from q on, in which somebody can matter, or somebody close, or else the row's end. Few do,
 * so eight are looked at at once; there is always room to read on. */
enum { THRONG_ANYBODY = 0xFF, THRONG_CLOSE = 0xF, THRONG_FAR = 0xF0 };
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");
static inline uint32_t throng_implicit_next(const throng_implicit_rows *r, uint32_t slot, uint32_t q, int whom) {
    uint32_t end = r->end[slot];
    for (; q < end; q += 8) {
        uint64_t eight;
        memcpy(&eight, r->matter + q, sizeof eight);
        eight &= (uint64_t)whom * 0x0101010101010101;
        if (eight == 0) continue;
        q += (uint32_t)__builtin_ctzll(eight) >> 3;
        return q < end ? q : end;
    }
    return end;
}

/* Which of the 32 quads of a row from q on have somebody close (THRONG_CLOSE) or far (THRONG_FAR) who can matter, as
 * bits. */
static inline uint32_t throng_implicit_quads(const throng_implicit_rows *r, uint32_t slot, uint32_t q, int whom) {
    const uint64_t ones = 0x0101010101010101, low = 0x7F * ones;
    uint32_t bits = 0, count = r->end[slot] - q;
    for (unsigned n = 0; n < 32 && n < count; n += 8) {
        uint64_t eight;
        memcpy(&eight, r->matter + q + n, sizeof eight);
        eight &= (uint64_t)whom * ones;
        eight = (((eight & low) + low) | eight) >> 7 & ones; /* 1 in every byte that was not 0 */
        bits |= (uint32_t)(eight * 0x0102040810204080 >> 56) << n;
    }
    return count < 32 ? bits & ((1u << count) - 1) : bits;
}

#endif
