/* wide_items.h: more for four doubles at once (wide.h): whole numbers of 32 bits, from small items in memory. */

#ifndef THRONG_WIDE_ITEMS_H
#define THRONG_WIDE_ITEMS_H

#include <string.h>

#include "base/wide.h"

#if defined(__AVX2__)

typedef __m128i wide_whole; /* four int32_t */

/* Sixteen bytes from each of four places, as numbers: column[c] has the c-th of each place. */
static inline void wide_whole_load_columns(const void *const from[4], wide_whole column[4]) {
    __m128i a = _mm_loadu_si128((const __m128i *)from[0]), b = _mm_loadu_si128((const __m128i *)from[1]);
    __m128i c = _mm_loadu_si128((const __m128i *)from[2]), d = _mm_loadu_si128((const __m128i *)from[3]);
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
    __m128i ab2 = _mm_unpackhi_epi32(a, b), cd2 = _mm_unpackhi_epi32(c, d);
    column[0] = _mm_unpacklo_epi64(ab, cd);
    column[1] = _mm_unpackhi_epi64(ab, cd);
    column[2] = _mm_unpacklo_epi64(ab2, cd2);
    column[3] = _mm_unpackhi_epi64(ab2, cd2);
}

/* The floats that these are the bits of. */
static inline wide wide_of_float_bits(wide_whole a) { return _mm256_cvtps_pd(_mm_castsi128_ps(a)); }

/* Their n-th bytes, as numbers from -128 to 127, or from 0 to 255. */
static inline wide wide_of_signed_byte(wide_whole a, int n) {
    return _mm256_cvtepi32_pd(_mm_srai_epi32(_mm_sll_epi32(a, _mm_cvtsi32_si128(24 - 8 * n)), 24));
}
static inline wide wide_of_byte(wide_whole a, int n) {
    return _mm256_cvtepi32_pd(_mm_srli_epi32(_mm_sll_epi32(a, _mm_cvtsi32_si128(24 - 8 * n)), 24));
}

/* Bits: where the n-th bytes of the two are the same. */
static inline unsigned wide_same_byte(wide_whole a, wide_whole b, int n) {
    __m128i differ = _mm_and_si128(_mm_xor_si128(a, b), _mm_sll_epi32(_mm_set1_epi32(255), _mm_cvtsi32_si128(8 * n)));
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(differ, _mm_setzero_si128())));
}

#else

typedef struct wide_whole {
    uint32_t lane[4];
} wide_whole;

static inline void wide_whole_load_columns(const void *const from[4], wide_whole column[4]) {
    for (int lane = 0; lane < 4; lane++) {
        uint32_t items[4];
        memcpy(items, from[lane], sizeof items);
        for (int c = 0; c < 4; c++) column[c].lane[lane] = items[c];
    }
}
static inline wide wide_of_float_bits(wide_whole a) {
    float value[4];
    memcpy(value, a.lane, sizeof value);
    return wide_of((double)value[0], (double)value[1], (double)value[2], (double)value[3]);
}
static inline uint32_t wide_byte_of(wide_whole a, int n, int lane) { return a.lane[lane] >> 8 * n & 255; }
static inline wide wide_of_signed_byte(wide_whole a, int n) {
    double value[4];
    for (int lane = 0; lane < 4; lane++) value[lane] = (int8_t)wide_byte_of(a, n, lane);
    return wide_load(value);
}
static inline wide wide_of_byte(wide_whole a, int n) {
    double value[4];
    for (int lane = 0; lane < 4; lane++) value[lane] = wide_byte_of(a, n, lane);
    return wide_load(value);
}
static inline unsigned wide_same_byte(wide_whole a, wide_whole b, int n) {
    unsigned bits = 0;
    for (int lane = 0; lane < 4; lane++)
        bits |= (unsigned)(wide_byte_of(a, n, lane) == wide_byte_of(b, n, lane)) << lane;
    return bits;
}

#endif

#endif
