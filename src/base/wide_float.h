/* wide_float.h: eight floats at once, as wide.h does it with four doubles: AVX2 where the file is built for it, else a
 * twin in plain C that gives the same bits. Minimum and maximum choose the second value when the two compare equal or
 * cannot be compared. */

#ifndef THRONG_WIDE_FLOAT_H
#define THRONG_WIDE_FLOAT_H

#include "base/wide.h"

enum { THRONG_WIDTH8 = 8 };

/* For functions that must not become calls: their wide values would go through memory. */
#define WIDE8_INLINE __attribute__((always_inline)) static inline

/* Two whole numbers and two floats: what one person is to others, in one load. */
typedef struct throng_quad {
    int32_t a, b;
    float c, d;
} throng_quad;

/* Four floats of one person. */
typedef struct throng_four {
    float a, b, c, d;
} throng_four;

#if defined(__AVX2__)

typedef __m256 wide8;
typedef __m256i wide8_whole; /* eight int32_t */
typedef __m256 wide8_mask;   /* all ones where true */

static inline wide8 wide8_all(float a) { return _mm256_set1_ps(a); }
static inline wide8 wide8_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void wide8_store(float *p, wide8 a) { _mm256_storeu_ps(p, a); }
static inline wide8 wide8_add(wide8 a, wide8 b) { return _mm256_add_ps(a, b); }
static inline wide8 wide8_sub(wide8 a, wide8 b) { return _mm256_sub_ps(a, b); }
static inline wide8 wide8_mul(wide8 a, wide8 b) { return _mm256_mul_ps(a, b); }
static inline wide8 wide8_div(wide8 a, wide8 b) { return _mm256_div_ps(a, b); }
static inline wide8 wide8_sqrt(wide8 a) { return _mm256_sqrt_ps(a); }
static inline wide8 wide8_min(wide8 a, wide8 b) { return _mm256_min_ps(a, b); }
static inline wide8 wide8_max(wide8 a, wide8 b) { return _mm256_max_ps(a, b); }
static inline wide8_mask wide8_less(wide8 a, wide8 b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline wide8_mask wide8_and(wide8_mask a, wide8_mask b) { return _mm256_and_ps(a, b); }
static inline wide8_mask wide8_or(wide8_mask a, wide8_mask b) { return _mm256_or_ps(a, b); }
static inline wide8_mask wide8_and_not(wide8_mask a, wide8_mask b) { return _mm256_andnot_ps(b, a); }
static inline wide8 wide8_select(wide8_mask m, wide8 yes, wide8 no) { return _mm256_blendv_ps(no, yes, m); }
static inline wide8 wide8_keep(wide8_mask m, wide8 a) { return _mm256_and_ps(m, a); } /* a where true, else 0 */
static inline unsigned wide8_bits(wide8_mask m) { return (unsigned)_mm256_movemask_ps(m); }

static inline wide8_whole wide8_whole_all(int32_t a) { return _mm256_set1_epi32(a); }
static inline wide8_whole wide8_whole_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void wide8_whole_store(void *p, wide8_whole a) { _mm256_storeu_si256((__m256i *)p, a); }
static inline wide8_whole wide8_whole_add(wide8_whole a, wide8_whole b) { return _mm256_add_epi32(a, b); }
static inline wide8_whole wide8_whole_sub(wide8_whole a, wide8_whole b) { return _mm256_sub_epi32(a, b); }
static inline wide8_mask wide8_whole_equal(wide8_whole a, wide8_whole b) {
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b));
}
static inline wide8_mask wide8_whole_less(wide8_whole a, wide8_whole b) {
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a));
}
static inline wide8 wide8_of_whole(wide8_whole a) { return _mm256_cvtepi32_ps(a); }
/* Towards zero; |a| < 2^31. */
static inline wide8_whole wide8_to_whole(wide8 a) { return _mm256_cvttps_epi32(a); }
/* One more where true. */
static inline wide8_whole wide8_count(wide8_whole a, wide8_mask m) {
    return _mm256_sub_epi32(a, _mm256_castps_si256(m));
}

/* True in the first `count` lanes; count may be negative or more than eight. */
static inline wide8_mask wide8_first(int32_t count) {
    __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(count), lane));
}

/* 2^k for whole numbers k from -126 to 127. */
static inline wide8 wide8_power_of_two(wide8 k) {
    __m256i biased = _mm256_add_epi32(_mm256_cvttps_epi32(k), _mm256_set1_epi32(127));
    return _mm256_castsi256_ps(_mm256_slli_epi32(biased, 23));
}

/* Eight quads, told by twice their numbers (an address is one instruction then), one of their parts to each result. */
static inline void wide8_load_quads(const throng_quad *quads, const uint32_t *twice, wide8_whole *a, wide8_whole *b,
                                    wide8 *c, wide8 *d) {
#define WIDE8_QUAD(n)    _mm_loadu_ps((const float *)(const void *)((const char *)quads + (size_t)twice[n] * 8))
#define WIDE8_PAIR(n, m) _mm256_insertf128_ps(_mm256_castps128_ps256(WIDE8_QUAD(n)), WIDE8_QUAD(m), 1)
    __m256 p = WIDE8_PAIR(0, 4), q = WIDE8_PAIR(1, 5), r = WIDE8_PAIR(2, 6), s = WIDE8_PAIR(3, 7);
#undef WIDE8_PAIR
#undef WIDE8_QUAD
    __m256 low = _mm256_unpacklo_ps(p, q), low2 = _mm256_unpacklo_ps(r, s);
    __m256 high = _mm256_unpackhi_ps(p, q), high2 = _mm256_unpackhi_ps(r, s);
    *a = _mm256_castps_si256(_mm256_shuffle_ps(low, low2, 0x44));
    *b = _mm256_castps_si256(_mm256_shuffle_ps(low, low2, 0xEE));
    *c = _mm256_shuffle_ps(high, high2, 0x44);
    *d = _mm256_shuffle_ps(high, high2, 0xEE);
}

/* The same of fours. */
static inline void wide8_load_fours(const throng_four *fours, const uint32_t *twice, wide8 *a, wide8 *b, wide8 *c,
                                    wide8 *d) {
    wide8_whole first, second;
    wide8_load_quads((const throng_quad *)(const void *)fours, twice, &first, &second, c, d);
    *a = _mm256_castsi256_ps(first);
    *b = _mm256_castsi256_ps(second);
}

/* Eight quads side by side. */
static inline void wide8_load_quad_run(const throng_quad *quads, wide8_whole *a, wide8_whole *b, wide8 *c, wide8 *d) {
    const float *p = (const float *)(const void *)quads;
    __m256 q0 = _mm256_loadu_ps(p), q1 = _mm256_loadu_ps(p + 8), q2 = _mm256_loadu_ps(p + 16);
    __m256 q3 = _mm256_loadu_ps(p + 24);
    __m256 r0 = _mm256_permute2f128_ps(q0, q2, 0x20), r1 = _mm256_permute2f128_ps(q0, q2, 0x31);
    __m256 r2 = _mm256_permute2f128_ps(q1, q3, 0x20), r3 = _mm256_permute2f128_ps(q1, q3, 0x31);
    __m256 low = _mm256_unpacklo_ps(r0, r1), low2 = _mm256_unpacklo_ps(r2, r3);
    __m256 high = _mm256_unpackhi_ps(r0, r1), high2 = _mm256_unpackhi_ps(r2, r3);
    *a = _mm256_castps_si256(_mm256_shuffle_ps(low, low2, 0x44));
    *b = _mm256_castps_si256(_mm256_shuffle_ps(low, low2, 0xEE));
    *c = _mm256_shuffle_ps(high, high2, 0x44);
    *d = _mm256_shuffle_ps(high, high2, 0xEE);
}
static inline void wide8_store_quad_run(throng_quad *quads, wide8_whole a, wide8_whole b, wide8 c, wide8 d) {
    float *p = (float *)(void *)quads;
    __m256 fa = _mm256_castsi256_ps(a), fb = _mm256_castsi256_ps(b);
    __m256 ab = _mm256_unpacklo_ps(fa, fb), ab2 = _mm256_unpackhi_ps(fa, fb);
    __m256 cd = _mm256_unpacklo_ps(c, d), cd2 = _mm256_unpackhi_ps(c, d);
    __m256 r0 = _mm256_shuffle_ps(ab, cd, 0x44), r1 = _mm256_shuffle_ps(ab, cd, 0xEE);
    __m256 r2 = _mm256_shuffle_ps(ab2, cd2, 0x44), r3 = _mm256_shuffle_ps(ab2, cd2, 0xEE);
    _mm256_storeu_ps(p, _mm256_permute2f128_ps(r0, r1, 0x20));
    _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(r2, r3, 0x20));
    _mm256_storeu_ps(p + 16, _mm256_permute2f128_ps(r0, r1, 0x31));
    _mm256_storeu_ps(p + 24, _mm256_permute2f128_ps(r2, r3, 0x31));
}

/* Rows and columns exchanged. */
static inline void wide8_whole_transpose(wide8_whole row[8]) {
    __m256i a[8], b[8];
    for (int k = 0; k < 4; k++) {
        a[2 * k] = _mm256_unpacklo_epi32(row[2 * k], row[2 * k + 1]);
        a[2 * k + 1] = _mm256_unpackhi_epi32(row[2 * k], row[2 * k + 1]);
    }
    for (int k = 0; k < 2; k++) {
        b[4 * k] = _mm256_unpacklo_epi64(a[4 * k], a[4 * k + 2]);
        b[4 * k + 1] = _mm256_unpackhi_epi64(a[4 * k], a[4 * k + 2]);
        b[4 * k + 2] = _mm256_unpacklo_epi64(a[4 * k + 1], a[4 * k + 3]);
        b[4 * k + 3] = _mm256_unpackhi_epi64(a[4 * k + 1], a[4 * k + 3]);
    }
    for (int k = 0; k < 4; k++) {
        row[k] = _mm256_permute2x128_si256(b[k], b[k + 4], 0x20);
        row[k + 4] = _mm256_permute2x128_si256(b[k], b[k + 4], 0x31);
    }
}

/* True in the lanes whose bits are set. */
static inline wide8_mask wide8_of_bits(unsigned bits) {
    __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), bit), bit));
}

#else

typedef union wide8 {
    float lane[8];
#if defined(__wasm_simd128__)
    v128_t half[2];
#endif
} wide8;
typedef union wide8_whole {
    int32_t lane[8];
#if defined(__wasm_simd128__)
    v128_t half[2];
#endif
} wide8_whole;
typedef union wide8_mask {
    int32_t lane[8]; /* -1 where true, else 0 */
#if defined(__wasm_simd128__)
    v128_t half[2];
#endif
} wide8_mask;

#define WIDE8_EACH(type, expression)                                   \
    type r_;                                                           \
    for (int lane = 0; lane < 8; lane++) r_.lane[lane] = (expression); \
    return r_

#if defined(__wasm_simd128__)

static inline wide8 wide8_all(float a) { WIDE_HALVES(wide8, wasm_f32x4_splat(a)); }
static inline wide8 wide8_load(const float *p) { WIDE_HALVES(wide8, wasm_v128_load(p + 4 * half)); }
static inline void wide8_store(float *p, wide8 a) {
    for (int half = 0; half < 2; half++) wasm_v128_store(p + 4 * half, a.half[half]);
}
static inline wide8 wide8_add(wide8 a, wide8 b) { WIDE_HALVES(wide8, wasm_f32x4_add(a.half[half], b.half[half])); }
static inline wide8 wide8_sub(wide8 a, wide8 b) { WIDE_HALVES(wide8, wasm_f32x4_sub(a.half[half], b.half[half])); }
static inline wide8 wide8_mul(wide8 a, wide8 b) { WIDE_HALVES(wide8, wasm_f32x4_mul(a.half[half], b.half[half])); }
static inline wide8 wide8_div(wide8 a, wide8 b) { WIDE_HALVES(wide8, wasm_f32x4_div(a.half[half], b.half[half])); }
static inline wide8 wide8_sqrt(wide8 a) { WIDE_HALVES(wide8, wasm_f32x4_sqrt(a.half[half])); }
static inline wide8 wide8_min(wide8 a, wide8 b) { WIDE_HALVES(wide8, wasm_f32x4_pmin(b.half[half], a.half[half])); }
static inline wide8 wide8_max(wide8 a, wide8 b) { WIDE_HALVES(wide8, wasm_f32x4_pmax(b.half[half], a.half[half])); }
static inline wide8_mask wide8_less(wide8 a, wide8 b) {
    WIDE_HALVES(wide8_mask, wasm_f32x4_lt(a.half[half], b.half[half]));
}
static inline wide8_mask wide8_and(wide8_mask a, wide8_mask b) {
    WIDE_HALVES(wide8_mask, wasm_v128_and(a.half[half], b.half[half]));
}
static inline wide8_mask wide8_or(wide8_mask a, wide8_mask b) {
    WIDE_HALVES(wide8_mask, wasm_v128_or(a.half[half], b.half[half]));
}
static inline wide8_mask wide8_and_not(wide8_mask a, wide8_mask b) {
    WIDE_HALVES(wide8_mask, wasm_v128_andnot(a.half[half], b.half[half]));
}
static inline wide8 wide8_select(wide8_mask m, wide8 yes, wide8 no) {
    WIDE_HALVES(wide8, wasm_v128_bitselect(yes.half[half], no.half[half], m.half[half]));
}
static inline wide8 wide8_keep(wide8_mask m, wide8 a) { WIDE_HALVES(wide8, wasm_v128_and(m.half[half], a.half[half])); }
static inline unsigned wide8_bits(wide8_mask m) {
    return wasm_i32x4_bitmask(m.half[0]) | (unsigned)wasm_i32x4_bitmask(m.half[1]) << 4;
}
static inline wide8_whole wide8_whole_add(wide8_whole a, wide8_whole b) {
    WIDE_HALVES(wide8_whole, wasm_i32x4_add(a.half[half], b.half[half]));
}
static inline wide8_whole wide8_whole_sub(wide8_whole a, wide8_whole b) {
    WIDE_HALVES(wide8_whole, wasm_i32x4_sub(a.half[half], b.half[half]));
}
static inline wide8_mask wide8_whole_equal(wide8_whole a, wide8_whole b) {
    WIDE_HALVES(wide8_mask, wasm_i32x4_eq(a.half[half], b.half[half]));
}
static inline wide8_mask wide8_whole_less(wide8_whole a, wide8_whole b) {
    WIDE_HALVES(wide8_mask, wasm_i32x4_lt(a.half[half], b.half[half]));
}
static inline wide8 wide8_of_whole(wide8_whole a) { WIDE_HALVES(wide8, wasm_f32x4_convert_i32x4(a.half[half])); }
static inline wide8_whole wide8_to_whole(wide8 a) {
    const v128_t most = wasm_f32x4_splat(0x1p31f), other = wasm_i32x4_splat(INT32_MIN);
    /* what is too large, or no number, becomes INT32_MIN; what is too small does by itself */
    WIDE_HALVES(wide8_whole, wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4(a.half[half]), other,
                                                 wasm_f32x4_lt(a.half[half], most)));
}
static inline wide8_whole wide8_count(wide8_whole a, wide8_mask m) {
    WIDE_HALVES(wide8_whole, wasm_i32x4_sub(a.half[half], m.half[half]));
}

#else

static inline wide8 wide8_all(float a) { WIDE8_EACH(wide8, a); }
static inline wide8 wide8_load(const float *p) { WIDE8_EACH(wide8, p[lane]); }
static inline void wide8_store(float *p, wide8 a) {
    for (int lane = 0; lane < 8; lane++) p[lane] = a.lane[lane];
}
static inline wide8 wide8_add(wide8 a, wide8 b) { WIDE8_EACH(wide8, a.lane[lane] + b.lane[lane]); }
static inline wide8 wide8_sub(wide8 a, wide8 b) { WIDE8_EACH(wide8, a.lane[lane] - b.lane[lane]); }
static inline wide8 wide8_mul(wide8 a, wide8 b) { WIDE8_EACH(wide8, a.lane[lane] * b.lane[lane]); }
static inline wide8 wide8_div(wide8 a, wide8 b) { WIDE8_EACH(wide8, a.lane[lane] / b.lane[lane]); }
static inline wide8 wide8_sqrt(wide8 a) { WIDE8_EACH(wide8, sqrtf(a.lane[lane])); }
static inline wide8 wide8_min(wide8 a, wide8 b) {
    WIDE8_EACH(wide8, a.lane[lane] < b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}
static inline wide8 wide8_max(wide8 a, wide8 b) {
    WIDE8_EACH(wide8, a.lane[lane] > b.lane[lane] ? a.lane[lane] : b.lane[lane]);
}
static inline wide8_mask wide8_less(wide8 a, wide8 b) { WIDE8_EACH(wide8_mask, -(a.lane[lane] < b.lane[lane])); }
static inline wide8_mask wide8_and(wide8_mask a, wide8_mask b) { WIDE8_EACH(wide8_mask, a.lane[lane] & b.lane[lane]); }
static inline wide8_mask wide8_or(wide8_mask a, wide8_mask b) { WIDE8_EACH(wide8_mask, a.lane[lane] | b.lane[lane]); }
static inline wide8_mask wide8_and_not(wide8_mask a, wide8_mask b) {
    WIDE8_EACH(wide8_mask, a.lane[lane] & ~b.lane[lane]);
}
static inline wide8 wide8_select(wide8_mask m, wide8 yes, wide8 no) {
    WIDE8_EACH(wide8, m.lane[lane] ? yes.lane[lane] : no.lane[lane]);
}
static inline wide8 wide8_keep(wide8_mask m, wide8 a) { WIDE8_EACH(wide8, m.lane[lane] ? a.lane[lane] : 0.0F); }
static inline unsigned wide8_bits(wide8_mask m) {
    unsigned bits = 0;
    for (int lane = 0; lane < 8; lane++) bits |= (unsigned)m.lane[lane] & (1U << lane);
    return bits;
}
/* These wrap around, as the processor does. */
static inline wide8_whole wide8_whole_add(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, (int32_t)((uint32_t)a.lane[lane] + (uint32_t)b.lane[lane]));
}
static inline wide8_whole wide8_whole_sub(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_whole, (int32_t)((uint32_t)a.lane[lane] - (uint32_t)b.lane[lane]));
}
static inline wide8_mask wide8_whole_equal(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_mask, -(a.lane[lane] == b.lane[lane]));
}
static inline wide8_mask wide8_whole_less(wide8_whole a, wide8_whole b) {
    WIDE8_EACH(wide8_mask, -(a.lane[lane] < b.lane[lane]));
}
static inline wide8 wide8_of_whole(wide8_whole a) { WIDE8_EACH(wide8, (float)a.lane[lane]); }
static inline wide8_whole wide8_to_whole(wide8 a) {
    WIDE8_EACH(wide8_whole, a.lane[lane] >= -0x1p31f && a.lane[lane] < 0x1p31f ? (int32_t)a.lane[lane] : INT32_MIN);
}
static inline wide8_whole wide8_count(wide8_whole a, wide8_mask m) {
    WIDE8_EACH(wide8_whole, a.lane[lane] - m.lane[lane]);
}

#endif

static inline wide8_whole wide8_whole_all(int32_t a) { WIDE8_EACH(wide8_whole, a); }
static inline wide8_whole wide8_whole_load(const void *p) {
    wide8_whole r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline void wide8_whole_store(void *p, wide8_whole a) { memcpy(p, &a, sizeof a); }
static inline wide8_mask wide8_first(int32_t count) { WIDE8_EACH(wide8_mask, -(lane < count)); }
static inline wide8 wide8_power_of_two(wide8 k) {
    wide8 r;
    for (int lane = 0; lane < 8; lane++) {
        uint32_t bits = (uint32_t)((int32_t)k.lane[lane] + 127) << 23;
        memcpy(&r.lane[lane], &bits, sizeof bits);
    }
    return r;
}
static inline void wide8_load_quads(const throng_quad *quads, const uint32_t *twice, wide8_whole *a, wide8_whole *b,
                                    wide8 *c, wide8 *d) {
    for (int lane = 0; lane < 8; lane++) {
        const throng_quad *q = &quads[twice[lane] / 2];
        a->lane[lane] = q->a;
        b->lane[lane] = q->b;
        c->lane[lane] = q->c;
        d->lane[lane] = q->d;
    }
}
static inline void wide8_load_fours(const throng_four *fours, const uint32_t *twice, wide8 *a, wide8 *b, wide8 *c,
                                    wide8 *d) {
    for (int lane = 0; lane < 8; lane++) {
        const throng_four *f = &fours[twice[lane] / 2];
        a->lane[lane] = f->a;
        b->lane[lane] = f->b;
        c->lane[lane] = f->c;
        d->lane[lane] = f->d;
    }
}
static inline void wide8_load_quad_run(const throng_quad *quads, wide8_whole *a, wide8_whole *b, wide8 *c, wide8 *d) {
    static const uint32_t twice[8] = {0, 2, 4, 6, 8, 10, 12, 14};
    wide8_load_quads(quads, twice, a, b, c, d);
}
static inline void wide8_store_quad_run(throng_quad *quads, wide8_whole a, wide8_whole b, wide8 c, wide8 d) {
    for (int lane = 0; lane < 8; lane++)
        quads[lane] = (throng_quad){a.lane[lane], b.lane[lane], c.lane[lane], d.lane[lane]};
}
static inline void wide8_whole_transpose(wide8_whole row[8]) {
    for (int k = 1; k < 8; k++) {
        for (int lane = 0; lane < k; lane++) {
            int32_t kept = row[k].lane[lane];
            row[k].lane[lane] = row[lane].lane[k];
            row[lane].lane[k] = kept;
        }
    }
}
static inline wide8_mask wide8_of_bits(unsigned bits) { WIDE8_EACH(wide8_mask, -(int32_t)(bits >> lane & 1)); }

#endif

/* Writes the numbers of the set bits, counted from `first`, one after the other, and returns how many there are. Eight
 * items are always written. `order` is a table that wide8_fill_order has filled. */
static inline unsigned wide8_squeeze_numbers(uint32_t *out, unsigned bits, uint32_t first, const uint64_t *order) {
#if defined(__AVX2__)
    __m256i lane = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(order + bits)));
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_add_epi32(lane, _mm256_set1_epi32((int)first)));
#else
    for (int k = 0; k < 8; k++) out[k] = first + (uint32_t)(order[bits] >> 8 * k & 7);
#endif
    return (unsigned)__builtin_popcount(bits);
}

/* For every byte: the numbers of its set bits, a byte each, lowest first. */
static inline void wide8_fill_order(uint64_t order[256]) {
    for (unsigned bits = 0; bits < 256; bits++) {
        order[bits] = 0;
        for (unsigned bit = 0, at = 0; bit < 8; bit++) {
            if (bits >> bit & 1) order[bits] |= (uint64_t)bit << 8 * at++;
        }
    }
}

/* exp x for -80 <= x <= 80; beyond, that of the nearer bound. Relative error below 2e-7. x = k ln 2 + r with |r| <=
 * ln(2) / 2, and exp r is a Taylor series. */
static inline wide8 wide8_exp(wide8 x) {
    static const float term[] = {1.0F / 5040, 1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F};
    const wide8 round = wide8_all(0x1.8p23F); /* adding it rounds to a whole number */
    x = wide8_max(wide8_min(x, wide8_all(80.0F)), wide8_all(-80.0F));
    wide8 k = wide8_sub(wide8_add(wide8_mul(x, wide8_all(0x1.715476p+0F)), round), round);
    wide8 r = wide8_sub(x, wide8_mul(k, wide8_all(0x1.62e4p-1F)));
    r = wide8_sub(r, wide8_mul(k, wide8_all(0x1.7f7d1cp-20F)));
    wide8 sum = wide8_all(term[0]);
    for (size_t n = 1; n < sizeof term / sizeof *term; n++) sum = wide8_add(wide8_mul(sum, r), wide8_all(term[n]));
    return wide8_mul(sum, wide8_power_of_two(k));
}

#endif
