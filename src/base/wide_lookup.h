/* wide_lookup.h: more for eight floats at once (wide_float.h): looking up items of an array, and inverse roots. */

#ifndef THRONG_WIDE_LOOKUP_H
#define THRONG_WIDE_LOOKUP_H

#include "base/wide_float.h"

/* The items of an array that eight numbers name. */
static inline wide8 wide8_lookup(const float *items, wide8_whole number) {
#if defined(__AVX2__)
    return _mm256_i32gather_ps(items, number, 4);
#else
    wide8 r;
    for (int lane = 0; lane < 8; lane++) r.lane[lane] = items[number.lane[lane]];
    return r;
#endif
}

/* The same, and the items behind them; sooner done than looking for these apart. */
static inline void wide8_lookup_pairs(const float *items, wide8_whole number, wide8 *first, wide8 *second) {
#if defined(__AVX2__)
    int32_t at[8];
    _mm256_storeu_si256((__m256i *)(void *)at, number);
#define WIDE8_TWO(n, m) \
    _mm_loadh_pi(_mm_castsi128_ps(_mm_loadu_si64(items + at[n])), (const __m64 *)(const void *)(items + at[m]))
#define WIDE8_FOUR(k) \
    _mm256_insertf128_ps(_mm256_castps128_ps256(WIDE8_TWO(k, (k) + 1)), WIDE8_TWO((k) + 4, (k) + 5), 1)
    __m256 p = WIDE8_FOUR(0), q = WIDE8_FOUR(2);
#undef WIDE8_FOUR
#undef WIDE8_TWO
    *first = _mm256_shuffle_ps(p, q, 0x88);
    *second = _mm256_shuffle_ps(p, q, 0xDD);
#else
    for (int lane = 0; lane < 8; lane++) {
        first->lane[lane] = items[number.lane[lane]];
        second->lane[lane] = items[number.lane[lane] + 1];
    }
#endif
}

/* Four doubles and four more, rounded to float. */
static inline wide8 wide8_of_halves(wide low, wide high) {
#if defined(__AVX2__)
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1);
#else
    wide8 r;
    wide_store_float(r.lane, low);
    wide_store_float(r.lane + 4, high);
    return r;
#endif
}

/* Floats as the whole numbers that have the same bits, and back. */
static inline wide8_whole wide8_to_bits(wide8 a) {
#if defined(__AVX2__)
    return _mm256_castps_si256(a);
#else
    wide8_whole r;
    memcpy(&r, &a, sizeof r);
    return r;
#endif
}
static inline wide8 wide8_from_bits(wide8_whole a) {
#if defined(__AVX2__)
    return _mm256_castsi256_ps(a);
#else
    wide8 r;
    memcpy(&r, &a, sizeof r);
    return r;
#endif
}

/* Reads only some of eight, and 0 for the others: somebody else may be writing them. */
static inline wide8 wide8_load_where(const float *p, wide8_mask where) {
#if defined(__AVX2__)
    return _mm256_maskload_ps(p, _mm256_castps_si256(where));
#else
    unsigned bits = wide8_bits(where);
    wide8 r;
    for (int lane = 0; lane < 8; lane++) r.lane[lane] = bits >> lane & 1 ? p[lane] : 0;
    return r;
#endif
}

/* Writes only the first `count` of the eight. */
static inline void wide8_store_first(float *p, wide8 a, uint32_t count) {
    if (count >= 8) {
        wide8_store(p, a);
        return;
    }
    float lanes[8];
    wide8_store(lanes, a);
    for (uint32_t k = 0; k < count; k++) p[k] = lanes[k];
}

/* Four floats at once, in registers every machine has that has any. */
#if defined(__x86_64__)
#include <xmmintrin.h>
typedef __m128 wide4;
static inline wide4 wide4_all(float a) { return _mm_set1_ps(a); }
static inline wide4 wide4_of(float a, float b, float c, float d) { return _mm_setr_ps(a, b, c, d); }
static inline wide4 wide4_load(const float *p) { return _mm_loadu_ps(p); }
static inline void wide4_store(float *p, wide4 a) { _mm_storeu_ps(p, a); }
static inline wide4 wide4_add(wide4 a, wide4 b) { return _mm_add_ps(a, b); }
static inline wide4 wide4_mul(wide4 a, wide4 b) { return _mm_mul_ps(a, b); }
#else
typedef struct wide4 {
    float lane[4];
} wide4;
static inline wide4 wide4_all(float a) { return (wide4){{a, a, a, a}}; }
static inline wide4 wide4_of(float a, float b, float c, float d) { return (wide4){{a, b, c, d}}; }
static inline wide4 wide4_load(const float *p) { return (wide4){{p[0], p[1], p[2], p[3]}}; }
static inline void wide4_store(float *p, wide4 a) {
    for (int k = 0; k < 4; k++) p[k] = a.lane[k];
}
static inline wide4 wide4_add(wide4 a, wide4 b) {
    for (int k = 0; k < 4; k++) a.lane[k] += b.lane[k];
    return a;
}
static inline wide4 wide4_mul(wide4 a, wide4 b) {
    for (int k = 0; k < 4; k++) a.lane[k] *= b.lane[k];
    return a;
}
#endif

/* A first guess of 1 / sqrt(a) from the bits of a (Lomont 2003), good to 3.5 %. */
static inline wide8 wide8_guess_inverse_root(wide8 a) {
#if defined(__AVX2__)
    __m256i half = _mm256_srli_epi32(_mm256_castps_si256(a), 1);
    return _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x5f375a86), half));
#else
    wide8 r;
    for (int lane = 0; lane < 8; lane++) {
        uint32_t bits;
        memcpy(&bits, &a.lane[lane], sizeof bits);
        bits = 0x5f375a86U - (bits >> 1);
        memcpy(&r.lane[lane], &bits, sizeof bits);
    }
    return r;
#endif
}

/* 1 / sqrt(a) with a relative error below 5e-6, for normal a > 0; finite for 0. Cheaper than a root and a division. */
static inline wide8 wide8_inverse_root(wide8 a) {
    wide8 half = wide8_mul(a, wide8_all(0.5F)), y = wide8_guess_inverse_root(a);
    for (int k = 0; k < 2; k++) y = wide8_mul(y, wide8_sub(wide8_all(1.5F), wide8_mul(wide8_mul(half, y), y)));
    return y;
}

/* The same with an error below 7e-4: one step of Newton, with constants that spread the error evenly (Walczyk et al.
 * 2018). */
static inline wide8 wide8_rough_inverse_root(wide8 a) {
#if defined(__AVX2__)
    __m256i half = _mm256_srli_epi32(_mm256_castps_si256(a), 1);
    wide8 y = _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x5f1ffff9), half));
#else
    wide8 y;
    for (int lane = 0; lane < 8; lane++) {
        uint32_t bits;
        memcpy(&bits, &a.lane[lane], sizeof bits);
        bits = 0x5f1ffff9U - (bits >> 1);
        memcpy(&y.lane[lane], &bits, sizeof bits);
    }
#endif
    wide8 rest = wide8_sub(wide8_all(2.38924456F), wide8_mul(wide8_mul(a, y), y));
    return wide8_mul(wide8_mul(wide8_all(0.703952253F), y), rest);
}

#endif
