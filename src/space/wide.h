/* wide.h: four doubles at once. The one place that knows the processor's vector instructions.
 *
 * A file that includes this and is built for AVX2 gets AVX2; any other gets the twin in plain C,
 * which gives the same bits: no operation here fuses, reorders or approximates, and minimum and
 * maximum choose the second value when the two compare equal or cannot be compared. Kernels are
 * therefore written once and built twice (x.c and x_avx2.c around the same x_kernel.h). */

#ifndef THRONG_WIDE_H
#define THRONG_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#else
#include <math.h>
#endif

enum { THRONG_WIDTH = 4 };

/* Whether this machine can run the files built for AVX2. */
static inline bool throng_wide_supported(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

#if defined(__AVX2__)

typedef __m256d wide;
typedef __m256d wide_mask; /* all ones where true */

static inline wide wide_all(double a) { return _mm256_set1_pd(a); }
static inline wide wide_of(double a, double b, double c, double d) { return _mm256_setr_pd(a, b, c, d); }
static inline wide wide_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void wide_store(double *p, wide a) { _mm256_storeu_pd(p, a); }

static inline wide wide_add(wide a, wide b) { return _mm256_add_pd(a, b); }
static inline wide wide_sub(wide a, wide b) { return _mm256_sub_pd(a, b); }
static inline wide wide_mul(wide a, wide b) { return _mm256_mul_pd(a, b); }
static inline wide wide_div(wide a, wide b) { return _mm256_div_pd(a, b); }
static inline wide wide_sqrt(wide a) { return _mm256_sqrt_pd(a); }
static inline wide wide_min(wide a, wide b) { return _mm256_min_pd(a, b); }
static inline wide wide_max(wide a, wide b) { return _mm256_max_pd(a, b); }

static inline wide_mask wide_less(wide a, wide b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline wide_mask wide_less_equal(wide a, wide b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
static inline wide_mask wide_and(wide_mask a, wide_mask b) { return _mm256_and_pd(a, b); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { return _mm256_or_pd(a, b); }
static inline wide_mask wide_and_not(wide_mask a, wide_mask b) { return _mm256_andnot_pd(b, a); }
static inline wide wide_select(wide_mask m, wide yes, wide no) { return _mm256_blendv_pd(no, yes, m); }
static inline wide wide_keep(wide_mask m, wide a) { return _mm256_and_pd(m, a); } /* a where true, else 0 */
static inline unsigned wide_bits(wide_mask m) { return (unsigned)_mm256_movemask_pd(m); }

/* True in the first `count` lanes; count may be negative or more than four. */
static inline wide_mask wide_first(int64_t count) {
    __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    return _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x(count), lane));
}

/* Reads only the lanes that are true; the others are 0. */
static inline wide wide_load_where(const double *p, wide_mask m) {
    return _mm256_maskload_pd(p, _mm256_castpd_si256(m));
}

#else

typedef struct wide {
    double lane[4];
} wide;
typedef struct wide_mask {
    int64_t lane[4]; /* -1 where true, else 0 */
} wide_mask;

#define WIDE_EACH(type, expression)                                    \
    type r_;                                                           \
    for (int lane = 0; lane < 4; lane++) r_.lane[lane] = (expression); \
    return r_

static inline wide wide_all(double a) { WIDE_EACH(wide, a); }
static inline wide wide_of(double a, double b, double c, double d) { return (wide){{a, b, c, d}}; }
static inline wide wide_load(const double *p) { WIDE_EACH(wide, p[lane]); }
static inline void wide_store(double *p, wide a) {
    for (int lane = 0; lane < 4; lane++) p[lane] = a.lane[lane];
}

static inline wide wide_add(wide a, wide b) { WIDE_EACH(wide, a.lane[lane] + b.lane[lane]); }
static inline wide wide_sub(wide a, wide b) { WIDE_EACH(wide, a.lane[lane] - b.lane[lane]); }
static inline wide wide_mul(wide a, wide b) { WIDE_EACH(wide, a.lane[lane] * b.lane[lane]); }
static inline wide wide_div(wide a, wide b) { WIDE_EACH(wide, a.lane[lane] / b.lane[lane]); }
static inline wide wide_sqrt(wide a) { WIDE_EACH(wide, sqrt(a.lane[lane])); }
static inline wide wide_min(wide a, wide b) {
    WIDE_EACH(wide, a.lane[lane] < b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}
static inline wide wide_max(wide a, wide b) {
    WIDE_EACH(wide, a.lane[lane] > b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}

static inline wide_mask wide_less(wide a, wide b) { WIDE_EACH(wide_mask, -(int64_t)(a.lane[lane] < b.lane[lane])); }
static inline wide_mask wide_less_equal(wide a, wide b) {
    WIDE_EACH(wide_mask, -(int64_t)(a.lane[lane] <= b.lane[lane]));
}
static inline wide_mask wide_and(wide_mask a, wide_mask b) { WIDE_EACH(wide_mask, a.lane[lane] & b.lane[lane]); }
static inline wide_mask wide_or(wide_mask a, wide_mask b) { WIDE_EACH(wide_mask, a.lane[lane] | b.lane[lane]); }
static inline wide_mask wide_and_not(wide_mask a, wide_mask b) { WIDE_EACH(wide_mask, a.lane[lane] & ~b.lane[lane]); }
static inline wide wide_select(wide_mask m, wide yes, wide no) {
    WIDE_EACH(wide, m.lane[lane] ? yes.lane[lane] : no.lane[lane]);
}
static inline wide wide_keep(wide_mask m, wide a) { WIDE_EACH(wide, m.lane[lane] ? a.lane[lane] : 0.0); }
static inline unsigned wide_bits(wide_mask m) {
    return (unsigned)((m.lane[0] & 1) | (m.lane[1] & 2) | (m.lane[2] & 4) | (m.lane[3] & 8));
}

static inline wide_mask wide_first(int64_t count) { WIDE_EACH(wide_mask, -(int64_t)(lane < count)); }
static inline wide wide_load_where(const double *p, wide_mask m) { WIDE_EACH(wide, m.lane[lane] ? p[lane] : 0.0); }

#undef WIDE_EACH

#endif

/* The items of a column that four indices name. */
static inline wide wide_gather(const double *column, const uint32_t *index) {
    return wide_of(column[index[0]], column[index[1]], column[index[2]], column[index[3]]);
}

/* Writes the true lanes of a, and the matching indices first, first + 1, ..., one after the other.
 * Four items are always written, so both arrays need room for them. Returns how many count. */
static inline unsigned wide_pack(double *values, uint32_t *indices, wide_mask m, wide a, uint32_t first) {
    unsigned bits = wide_bits(m);
#if defined(__AVX2__)
    /* per combination of true lanes: their halves, and their numbers, one after the other */
    static const int32_t halves[16][8] = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 0, 1, 0, 1, 0, 1}, {0, 1, 2, 3, 0, 1, 0, 1},
        {4, 5, 0, 1, 0, 1, 0, 1}, {0, 1, 4, 5, 0, 1, 0, 1}, {2, 3, 4, 5, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5, 0, 1},
        {6, 7, 0, 1, 0, 1, 0, 1}, {0, 1, 6, 7, 0, 1, 0, 1}, {2, 3, 6, 7, 0, 1, 0, 1}, {0, 1, 2, 3, 6, 7, 0, 1},
        {4, 5, 6, 7, 0, 1, 0, 1}, {0, 1, 4, 5, 6, 7, 0, 1}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
    static const int32_t lanes[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)halves[bits]);
    __m256 packed = _mm256_permutevar8x32_ps(_mm256_castpd_ps(a), order);
    _mm256_storeu_pd(values, _mm256_castps_pd(packed));
    __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)lanes[bits]);
    _mm_storeu_si128((__m128i *)(void *)indices, _mm_add_epi32(lane, _mm_set1_epi32((int)first)));
#else
    unsigned at = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        values[at] = a.lane[lane];
        indices[at] = first + lane;
        at += bits >> lane & 1;
        if (at > 3) break;
    }
#endif
    return (unsigned)__builtin_popcount(bits);
}

#endif
