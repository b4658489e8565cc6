/* wide_records.h: more for four numbers at once (wide.h): records of 32 bytes read and written as columns, and lists of
 * the true lanes. */

#ifndef THRONG_WIDE_RECORDS_H
#define THRONG_WIDE_RECORDS_H

#include <string.h>

#include "base/wide.h"

/* Four records that begin with three numbers, a whole number `low` and another, `high`, both of 32 bits. */
typedef struct wide_records {
    wide number[3], low, high;
} wide_records;

/* The first 32 bytes of each of four records that lie `stride` bytes apart. */
static inline wide_records wide_load_records(const void *first, size_t stride) {
    wide_records r;
    const char *at = first;
#if defined(__AVX2__)
    const double *const rows[4] = {(const void *)at, (const void *)(at + stride), (const void *)(at + 2 * stride),
                                   (const void *)(at + 3 * stride)};
    wide column[4];
    wide_load_columns(rows, column);
    for (int i = 0; i < 3; i++) r.number[i] = column[i];
    /* a whole number below 2^32 becomes the last bits of 2^52 and that number */
    const __m256i power = _mm256_set1_epi64x(0x4330000000000000);
    __m256i both = _mm256_castpd_si256(column[3]), low = _mm256_blend_epi32(both, power, 0xAA);
    __m256i high = _mm256_or_si256(_mm256_srli_epi64(both, 32), power);
    r.low = _mm256_sub_pd(_mm256_castsi256_pd(low), _mm256_set1_pd(0x1p52));
    r.high = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(0x1p52));
#else
    for (int lane = 0; lane < 4; lane++, at += stride) {
        double numbers[3];
        uint32_t whole[2];
        memcpy(numbers, at, sizeof numbers);
        memcpy(whole, at + sizeof numbers, sizeof whole);
        for (int i = 0; i < 3; i++) r.number[i].lane[lane] = numbers[i];
        r.low.lane[lane] = whole[0];
        r.high.lane[lane] = whole[1];
    }
#endif
    return r;
}

/* Writes four records of 32 bytes, one after the other: three numbers and eight bytes of 0 each. */
static inline void wide_store_records(void *first, wide a, wide b, wide c) {
#if defined(__AVX2__)
    double *out = first;
    __m256d zero = _mm256_setzero_pd();
    __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
    __m256d c_even = _mm256_unpacklo_pd(c, zero), c_odd = _mm256_unpackhi_pd(c, zero);
    _mm256_storeu_pd(out, _mm256_permute2f128_pd(ab_even, c_even, 0x20));
    _mm256_storeu_pd(out + 4, _mm256_permute2f128_pd(ab_odd, c_odd, 0x20));
    _mm256_storeu_pd(out + 8, _mm256_permute2f128_pd(ab_even, c_even, 0x31));
    _mm256_storeu_pd(out + 12, _mm256_permute2f128_pd(ab_odd, c_odd, 0x31));
#else
    char *out = first;
    for (int lane = 0; lane < 4; lane++, out += 32) {
        const double numbers[4] = {a.lane[lane], b.lane[lane], c.lane[lane], 0};
        memcpy(out, numbers, sizeof numbers);
    }
#endif
}

/* Which of four bytes are equal to one, as bits. */
static inline unsigned wide_bytes_equal(const uint8_t *bytes, uint8_t value) {
#if defined(__AVX2__)
    int four;
    memcpy(&four, bytes, sizeof four);
    return 15 & (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_cvtsi32_si128(four), _mm_set1_epi8((char)value)));
#else
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 4; lane++) bits |= (unsigned)(bytes[lane] == value) << lane;
    return bits;
#endif
}

/* Writes the numbers of the true lanes (bits), counted from `first`, one after the other. Four items are always
 * written. Returns how many count. */
static inline unsigned wide_list(uint16_t *out, unsigned bits, uint16_t first) {
#if defined(__AVX2__)
    static const uint16_t lanes[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    __m128i lane = _mm_loadl_epi64((const __m128i *)(const void *)lanes[bits]);
    _mm_storel_epi64((__m128i *)(void *)out, _mm_add_epi16(lane, _mm_set1_epi16((short)first)));
#else
    unsigned at = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        out[at] = (uint16_t)(first + lane);
        at += bits >> lane & 1;
    }
#endif
    return (unsigned)__builtin_popcount(bits);
}

/* Writes those of four numbers whose bits are set, one after the other. Four items are always written. Returns how many
 * count. */
static inline unsigned wide_choose(uint32_t *out, unsigned bits, const uint32_t *from) {
#if defined(__AVX2__)
    static const int32_t lanes[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    __m128 four = _mm_loadu_ps((const float *)(const void *)from);
    __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)lanes[bits]);
    _mm_storeu_ps((float *)(void *)out, _mm_permutevar_ps(four, lane));
#else
    const uint32_t four[4] = {from[0], from[1], from[2], from[3]};
    unsigned at = 0;
    for (unsigned lane = 0; lane < 4 && at < 4; lane++) {
        out[at] = four[lane];
        at += bits >> lane & 1;
    }
#endif
    return (unsigned)__builtin_popcount(bits);
}

#endif
