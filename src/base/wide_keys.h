/* wide_keys.h: more for eight whole numbers at once (wide_float.h): bits, the least of two as unsigned numbers, and
 * rounding up and down. */

#ifndef THRONG_WIDE_KEYS_H
#define THRONG_WIDE_KEYS_H

#include "base/wide_float.h"

#if defined(__AVX2__)

static inline wide8 wide8_floor(wide8 a) { return _mm256_floor_ps(a); }
static inline wide8 wide8_ceil(wide8 a) { return _mm256_ceil_ps(a); }
static inline wide8_whole wide8_whole_or(wide8_whole a, wide8_whole b) { return _mm256_or_si256(a, b); }
static inline wide8_whole wide8_whole_and(wide8_whole a, wide8_whole b) { return _mm256_and_si256(a, b); }
static inline wide8_whole wide8_whole_left(wide8_whole a, int bits) {
    return _mm256_sll_epi32(a, _mm_cvtsi32_si128(bits));
}
static inline wide8_whole wide8_whole_least(wide8_whole a, wide8_whole b) { return _mm256_min_epu32(a, b); }
static inline wide8_whole wide8_whole_of_mask(wide8_mask m) { return _mm256_castps_si256(m); }
static inline wide8_whole wide8_whole_mul(wide8_whole a, wide8_whole b) { return _mm256_mullo_epi32(a, b); }
static inline wide8_whole wide8_whole_min(wide8_whole a, wide8_whole b) { return _mm256_min_epi32(a, b); }
static inline wide8_whole wide8_whole_max(wide8_whole a, wide8_whole b) { return _mm256_max_epi32(a, b); }
static inline int32_t wide8_whole_sum(wide8_whole a) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}
/* The sums of three, in order; the fourth number is nothing. */
static inline void wide8_whole_sums(wide8_whole a, wide8_whole b, wide8_whole c, int32_t out[4]) {
    __m256i pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, c));
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
    _mm_storeu_si128((__m128i *)out, sums);
}
static inline int32_t wide8_whole_greatest(wide8_whole a) {
    __m128i four = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    __m128i two = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

#else

#include <math.h>

static inline wide8 wide8_floor(wide8 a) { WIDE8_EACH(wide8, floorf(a.lane[lane])); }
static inline wide8 wide8_ceil(wide8 a) { WIDE8_EACH(wide8, ceilf(a.lane[lane])); }
static inline wide8_whole wide8_whole_or(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, a.lane[lane] | b.lane[lane]);
}
static inline wide8_whole wide8_whole_and(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, a.lane[lane] & b.lane[lane]);
}
static inline wide8_whole wide8_whole_left(wide8_whole a, int bits) {
    WIDE8_EACH(wide8_whole, (int32_t)((uint32_t)a.lane[lane] << bits));
}
static inline wide8_whole wide8_whole_least(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, (uint32_t)a.lane[lane] < (uint32_t)b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}
static inline wide8_whole wide8_whole_of_mask(wide8_mask m) { WIDE8_EACH(wide8_whole, m.lane[lane]); }
static inline wide8_whole wide8_whole_mul(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, (int32_t)((uint32_t)a.lane[lane] * (uint32_t)b.lane[lane]));
}
static inline wide8_whole wide8_whole_min(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, a.lane[lane] < b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}
static inline wide8_whole wide8_whole_max(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, a.lane[lane] > b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}
static inline int32_t wide8_whole_sum(wide8_whole a) {
    int32_t sum = 0;
    for (int lane = 0; lane < 8; lane++) sum += a.lane[lane];
    return sum;
}
static inline void wide8_whole_sums(wide8_whole a, wide8_whole b, wide8_whole c, int32_t out[4]) {
    out[0] = wide8_whole_sum(a);
    out[1] = wide8_whole_sum(b);
    out[2] = out[3] = wide8_whole_sum(c);
}
static inline int32_t wide8_whole_greatest(wide8_whole a) {
    int32_t most = a.lane[0];
    for (int lane = 1; lane < 8; lane++) most = a.lane[lane] > most ? a.lane[lane] : most;
    return most;
}

#endif

/* 0 1 2 3 4 5 6 7 */
static inline wide8_whole wide8_lanes(void) {
    static const int32_t lanes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    return wide8_whole_load(lanes);
}

#endif
