/* wide.h: four doubles at once (SIMD). The one place that knows the processor's vector instructions.
 *
 * A file that includes this and is built for AVX2 gets AVX2, and in a WebAssembly module that has them
 * its vectors of two doubles; any other gets the twin in plain C, which gives the same bits: no
 * operation here fuses, reorders or approximates, and minimum and maximum choose the second value when
 * the two compare equal or cannot be compared. Kernels are therefore written once and built twice (x.c
 * and x_avx2.c around the same x_kernel.h). */

#ifndef THRONG_WIDE_H
#define THRONG_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#else
#include <math.h>
#include <string.h>
#endif
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
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
static inline wide_mask wide_not(wide_mask a) { return _mm256_xor_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))); }
#if defined(__GNUC__) && !defined(__clang__)
/* Written out, because gcc takes a mask for a number to be compared with 0 before each blend. */
static inline wide wide_select(wide_mask m, wide yes, wide no) {
    wide r;
    __asm__("vblendvpd %3, %2, %1, %0" : "=x"(r) : "x"(no), "xm"(yes), "x"(m));
    return r;
}
#else
static inline wide wide_select(wide_mask m, wide yes, wide no) { return _mm256_blendv_pd(no, yes, m); }
#endif
static inline wide wide_keep(wide_mask m, wide a) { return _mm256_and_pd(m, a); } /* a where true, else 0 */
static inline unsigned wide_bits(wide_mask m) { return (unsigned)_mm256_movemask_pd(m); }

/* True in the first `count` lanes; count may be negative or more than four. */
static inline wide_mask wide_first(int64_t count) {
    __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    return _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x(count), lane));
}

/* True in the lanes whose bits are set. */
static inline wide_mask wide_where(unsigned bits) {
    __m256i lane = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((int64_t)bits), lane), lane));
}

/* Reads only the lanes that are true; the others are 0. */
static inline wide wide_load_where(const double *p, wide_mask m) {
    return _mm256_maskload_pd(p, _mm256_castpd_si256(m));
}

/* 2^k for whole numbers k from -1022 to 1023: k + 1023 becomes the bits of the exponent. */
static inline wide wide_power_of_two(wide k) {
    __m256d biased = _mm256_add_pd(k, _mm256_set1_pd(0x1.8p52 + 1023));
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(biased), 52));
}

/* For positive normal numbers m 2^e: 1 <= m < 2, and e. */
static inline wide wide_mantissa(wide a, wide *exponent) {
    __m256i bits = _mm256_castpd_si256(a), one = _mm256_set1_epi64x(0x3FF0000000000000);
    __m256i shifted = _mm256_or_si256(_mm256_srli_epi64(bits, 52), _mm256_set1_epi64x(0x4330000000000000));
    *exponent = _mm256_sub_pd(_mm256_castsi256_pd(shifted), _mm256_set1_pd(0x1p52 + 1023));
    return _mm256_castsi256_pd(_mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi64x(0x000FFFFFFFFFFFFF)), one));
}

#else

/* Both at once: a module's vectors, and numbers one by one. */
typedef union wide {
    double lane[4];
#if defined(__wasm_simd128__)
    v128_t half[2];
#endif
} wide;
typedef union wide_mask {
    int64_t lane[4]; /* -1 where true, else 0 */
#if defined(__wasm_simd128__)
    v128_t half[2];
#endif
} wide_mask;

#define WIDE_EACH(type, expression)                                    \
    type r_;                                                           \
    for (int lane = 0; lane < 4; lane++) r_.lane[lane] = (expression); \
    return r_

static inline double wide_double_of_bits(uint64_t bits) {
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}
static inline uint64_t wide_bits_of_double(double a) {
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
static inline wide wide_of(double a, double b, double c, double d) { return (wide){{a, b, c, d}}; }

#if defined(__wasm_simd128__)

#define WIDE_HALVES(type, expression)                                  \
    type r_;                                                           \
    for (int half = 0; half < 2; half++) r_.half[half] = (expression); \
    return r_

static inline wide wide_all(double a) { WIDE_HALVES(wide, wasm_f64x2_splat(a)); }
static inline wide wide_load(const double *p) { WIDE_HALVES(wide, wasm_v128_load(p + 2 * half)); }
static inline void wide_store(double *p, wide a) {
    for (int half = 0; half < 2; half++) wasm_v128_store(p + 2 * half, a.half[half]);
}
static inline wide wide_add(wide a, wide b) { WIDE_HALVES(wide, wasm_f64x2_add(a.half[half], b.half[half])); }
static inline wide wide_sub(wide a, wide b) { WIDE_HALVES(wide, wasm_f64x2_sub(a.half[half], b.half[half])); }
static inline wide wide_mul(wide a, wide b) { WIDE_HALVES(wide, wasm_f64x2_mul(a.half[half], b.half[half])); }
static inline wide wide_div(wide a, wide b) { WIDE_HALVES(wide, wasm_f64x2_div(a.half[half], b.half[half])); }
static inline wide wide_sqrt(wide a) { WIDE_HALVES(wide, wasm_f64x2_sqrt(a.half[half])); }
static inline wide wide_min(wide a, wide b) { WIDE_HALVES(wide, wasm_f64x2_pmin(b.half[half], a.half[half])); }
static inline wide wide_max(wide a, wide b) { WIDE_HALVES(wide, wasm_f64x2_pmax(b.half[half], a.half[half])); }
static inline wide_mask wide_less(wide a, wide b) { WIDE_HALVES(wide_mask, wasm_f64x2_lt(a.half[half], b.half[half])); }
static inline wide_mask wide_less_equal(wide a, wide b) {
    WIDE_HALVES(wide_mask, wasm_f64x2_le(a.half[half], b.half[half]));
}
static inline wide_mask wide_and(wide_mask a, wide_mask b) {
    WIDE_HALVES(wide_mask, wasm_v128_and(a.half[half], b.half[half]));
}
static inline wide_mask wide_or(wide_mask a, wide_mask b) {
    WIDE_HALVES(wide_mask, wasm_v128_or(a.half[half], b.half[half]));
}
static inline wide_mask wide_and_not(wide_mask a, wide_mask b) {
    WIDE_HALVES(wide_mask, wasm_v128_andnot(a.half[half], b.half[half]));
}
static inline wide_mask wide_not(wide_mask a) { WIDE_HALVES(wide_mask, wasm_v128_not(a.half[half])); }
static inline wide wide_select(wide_mask m, wide yes, wide no) {
    WIDE_HALVES(wide, wasm_v128_bitselect(yes.half[half], no.half[half], m.half[half]));
}
static inline wide wide_keep(wide_mask m, wide a) { WIDE_HALVES(wide, wasm_v128_and(m.half[half], a.half[half])); }
static inline unsigned wide_bits(wide_mask m) {
    return wasm_i64x2_bitmask(m.half[0]) | (unsigned)wasm_i64x2_bitmask(m.half[1]) << 2;
}
static inline wide wide_power_of_two(wide k) {
    const v128_t bias = wasm_f64x2_splat(0x1.8p52 + 1023);
    WIDE_HALVES(wide, wasm_i64x2_shl(wasm_f64x2_add(k.half[half], bias), 52));
}

#else

static inline wide wide_all(double a) { WIDE_EACH(wide, a); }
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
static inline wide_mask wide_not(wide_mask a) { WIDE_EACH(wide_mask, ~a.lane[lane]); }
static inline wide wide_select(wide_mask m, wide yes, wide no) {
    WIDE_EACH(wide, m.lane[lane] ? yes.lane[lane] : no.lane[lane]);
}
static inline wide wide_keep(wide_mask m, wide a) { WIDE_EACH(wide, m.lane[lane] ? a.lane[lane] : 0.0); }
static inline unsigned wide_bits(wide_mask m) {
    return (unsigned)((m.lane[0] & 1) | (m.lane[1] & 2) | (m.lane[2] & 4) | (m.lane[3] & 8));
}
static inline wide wide_power_of_two(wide k) {
    WIDE_EACH(wide, wide_double_of_bits((uint64_t)((int64_t)k.lane[lane] + 1023) << 52));
}

#endif

static inline wide_mask wide_first(int64_t count) { WIDE_EACH(wide_mask, -(int64_t)(lane < count)); }
static inline wide_mask wide_where(unsigned bits) { WIDE_EACH(wide_mask, -(int64_t)(bits >> lane & 1)); }
static inline wide wide_load_where(const double *p, wide_mask m) { WIDE_EACH(wide, m.lane[lane] ? p[lane] : 0.0); }

static inline wide wide_mantissa(wide a, wide *exponent) {
    for (int lane = 0; lane < 4; lane++) {
        exponent->lane[lane] = (double)(int64_t)(wide_bits_of_double(a.lane[lane]) >> 52) - 1023;
    }
    WIDE_EACH(wide, wide_double_of_bits((wide_bits_of_double(a.lane[lane]) & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000));
}

#undef WIDE_EACH

#endif

/* Four rows of four numbers, turned into columns: column[c] has the c-th number of each row. */
static inline void wide_load_columns(const double *const row[4], wide column[4]) {
#if defined(__AVX2__)
    __m256d a = _mm256_loadu_pd(row[0]), b = _mm256_loadu_pd(row[1]);
    __m256d c = _mm256_loadu_pd(row[2]), d = _mm256_loadu_pd(row[3]);
    __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
    __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
    column[0] = _mm256_permute2f128_pd(ab_even, cd_even, 0x20);
    column[1] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
    column[2] = _mm256_permute2f128_pd(ab_even, cd_even, 0x31);
    column[3] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
#else
    for (int c = 0; c < 4; c++) column[c] = wide_of(row[0][c], row[1][c], row[2][c], row[3][c]);
#endif
}

/* The other way round. */
static inline void wide_store_columns(double *const row[4], const wide column[4]) {
#if defined(__AVX2__)
    __m256d ab_even = _mm256_unpacklo_pd(column[0], column[1]), ab_odd = _mm256_unpackhi_pd(column[0], column[1]);
    __m256d cd_even = _mm256_unpacklo_pd(column[2], column[3]), cd_odd = _mm256_unpackhi_pd(column[2], column[3]);
    _mm256_storeu_pd(row[0], _mm256_permute2f128_pd(ab_even, cd_even, 0x20));
    _mm256_storeu_pd(row[1], _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20));
    _mm256_storeu_pd(row[2], _mm256_permute2f128_pd(ab_even, cd_even, 0x31));
    _mm256_storeu_pd(row[3], _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31));
#else
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) row[r][c] = column[c].lane[r];
    }
#endif
}

/* Four pairs of numbers, turned into columns. */
static inline void wide_load_pairs(const double *const pair[4], wide column[2]) {
#if defined(__AVX2__)
    __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(pair[0])), _mm_loadu_pd(pair[2]), 1);
    __m256d odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(pair[1])), _mm_loadu_pd(pair[3]), 1);
    column[0] = _mm256_unpacklo_pd(even, odd);
    column[1] = _mm256_unpackhi_pd(even, odd);
#else
    for (int c = 0; c < 2; c++) column[c] = wide_of(pair[0][c], pair[1][c], pair[2][c], pair[3][c]);
#endif
}

/* The other way round. */
static inline void wide_store_pairs(double *const pair[4], wide a, wide b) {
#if defined(__AVX2__)
    __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    _mm_storeu_pd(pair[0], _mm256_castpd256_pd128(even));
    _mm_storeu_pd(pair[1], _mm256_castpd256_pd128(odd));
    _mm_storeu_pd(pair[2], _mm256_extractf128_pd(even, 1));
    _mm_storeu_pd(pair[3], _mm256_extractf128_pd(odd, 1));
#else
    for (int lane = 0; lane < 4; lane++) pair[lane][0] = a.lane[lane], pair[lane][1] = b.lane[lane];
#endif
}

/* The items of a column that four indices name. */
static inline wide wide_gather(const double *column, const uint32_t *index) {
    return wide_of(column[index[0]], column[index[1]], column[index[2]], column[index[3]]);
}

/* Writes the numbers of the true lanes, counted from `first`, one after the other, and their values
 * rounded to float. Four items are always written, so the arrays need room for them; `values` may
 * be NULL. Returns how many count. */
static inline unsigned wide_pack(float *values, uint32_t *numbers, wide_mask m, wide a, uint32_t first) {
    unsigned bits = wide_bits(m);
#if defined(__AVX2__)
    static const int32_t lanes[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)lanes[bits]);
    if (values) _mm_storeu_ps(values, _mm_permutevar_ps(_mm256_cvtpd_ps(a), lane));
    _mm_storeu_si128((__m128i *)(void *)numbers, _mm_add_epi32(lane, _mm_set1_epi32((int)first)));
#elif defined(__wasm_simd128__)
    static const uint8_t lanes[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    v128_t lane = wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(lanes[bits])));
    v128_t four = wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(a.half[0]), wasm_f32x4_demote_f64x2_zero(a.half[1]),
                                     0, 1, 4, 5);
    /* a lane's four bytes, 4 n to 4 n + 3 */
    v128_t byte = wasm_i32x4_add(wasm_i32x4_mul(lane, wasm_i32x4_splat(0x04040404)), wasm_i32x4_splat(0x03020100));
    if (values) wasm_v128_store(values, wasm_i8x16_swizzle(four, byte));
    wasm_v128_store(numbers, wasm_i32x4_add(lane, wasm_i32x4_splat((int)first)));
#else
    unsigned at = 0;
    for (unsigned lane = 0; lane < 4 && at < 4; lane++) {
        if (values) values[at] = (float)a.lane[lane];
        numbers[at] = first + lane;
        at += bits >> lane & 1;
    }
#endif
    return (unsigned)__builtin_popcount(bits);
}

/* Writes the four values rounded to float. */
static inline void wide_store_float(float *out, wide a) {
#if defined(__AVX2__)
    _mm_storeu_ps(out, _mm256_cvtpd_ps(a));
#else
    for (int lane = 0; lane < 4; lane++) out[lane] = (float)a.lane[lane];
#endif
}

/* Writes the true lanes (bits) of a value one after the other. Four items are always written. */
static inline void wide_squeeze(double *out, unsigned bits, wide a) {
#if defined(__AVX2__)
    static const int32_t halves[16][8] = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 0, 1, 0, 1, 0, 1}, {0, 1, 2, 3, 0, 1, 0, 1},
        {4, 5, 0, 1, 0, 1, 0, 1}, {0, 1, 4, 5, 0, 1, 0, 1}, {2, 3, 4, 5, 0, 1, 0, 1}, {0, 1, 2, 3, 4, 5, 0, 1},
        {6, 7, 0, 1, 0, 1, 0, 1}, {0, 1, 6, 7, 0, 1, 0, 1}, {2, 3, 6, 7, 0, 1, 0, 1}, {0, 1, 2, 3, 6, 7, 0, 1},
        {4, 5, 6, 7, 0, 1, 0, 1}, {0, 1, 4, 5, 6, 7, 0, 1}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
    __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)halves[bits]);
    _mm256_storeu_pd(out, _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(a), order)));
#else
    unsigned at = 0;
    for (unsigned lane = 0; lane < 4 && at < 4; lane++) {
        out[at] = a.lane[lane];
        at += bits >> lane & 1;
    }
#endif
}

/* For each value, how many are less. The arrays have room for the next multiple of 24; what lies
 * beyond the values does not matter. */
static inline void wide_rank(const float *values, int32_t *ranks, size_t count) {
#if defined(__AVX2__)
    for (size_t i = 0; i < count; i += 24) {
        __m256 a = _mm256_loadu_ps(values + i), b = _mm256_loadu_ps(values + i + 8);
        __m256 c = _mm256_loadu_ps(values + i + 16);
        __m256i less_a = _mm256_setzero_si256(), less_b = less_a, less_c = less_a;
        for (size_t j = 0; j < count; j++) {
            __m256 other = _mm256_broadcast_ss(values + j);
            less_a = _mm256_sub_epi32(less_a, _mm256_castps_si256(_mm256_cmp_ps(other, a, _CMP_LT_OQ)));
            less_b = _mm256_sub_epi32(less_b, _mm256_castps_si256(_mm256_cmp_ps(other, b, _CMP_LT_OQ)));
            less_c = _mm256_sub_epi32(less_c, _mm256_castps_si256(_mm256_cmp_ps(other, c, _CMP_LT_OQ)));
        }
        _mm256_storeu_si256((__m256i *)(void *)(ranks + i), less_a);
        _mm256_storeu_si256((__m256i *)(void *)(ranks + i + 8), less_b);
        _mm256_storeu_si256((__m256i *)(void *)(ranks + i + 16), less_c);
    }
#elif defined(__wasm_simd128__)
    for (size_t i = 0; i < count; i += 8) {
        v128_t a = wasm_v128_load(values + i), b = wasm_v128_load(values + i + 4);
        v128_t less_a = wasm_i32x4_splat(0), less_b = less_a;
        for (size_t j = 0; j < count; j++) {
            v128_t other = wasm_v128_load32_splat(values + j);
            less_a = wasm_i32x4_sub(less_a, wasm_f32x4_lt(other, a));
            less_b = wasm_i32x4_sub(less_b, wasm_f32x4_lt(other, b));
        }
        wasm_v128_store(ranks + i, less_a);
        wasm_v128_store(ranks + i + 4, less_b);
    }
#else
    for (size_t i = 0; i < count; i++) ranks[i] = 0;
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < count; i++) ranks[i] += values[j] < values[i];
    }
#endif
}

#endif
