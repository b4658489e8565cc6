/* wide_sort.h: more for numbers in order (wide.h): keys that are sorted many at once. */

#ifndef THRONG_WIDE_SORT_H
#define THRONG_WIDE_SORT_H

#include <string.h>

#include "base/wide.h"

/* Keys are values, not negative and rounded to float, with the last eight bits replaced by a number. They are in the
 * order of values unless they differ in nothing else. */
enum { WIDE_KEY_NUMBERS = 256 };

/* Writes a key for each of the true lanes, one after the other; numbers[] are the lanes' numbers. Four keys are always
 * written. Returns how many count. */
static inline unsigned wide_pack_keys(uint32_t *keys, wide_mask m, wide a, const uint32_t *numbers) {
    unsigned bits = wide_bits(m);
#if defined(__AVX2__)
    static const int32_t lanes[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    __m128i number = _mm_loadu_si128((const __m128i *)(const void *)numbers);
    __m128i value = _mm_andnot_si128(_mm_set1_epi32(255), _mm_castps_si128(_mm256_cvtpd_ps(a)));
    __m128 key = _mm_castsi128_ps(_mm_or_si128(value, number));
    __m128i lane = _mm_loadu_si128((const __m128i *)(const void *)lanes[bits]);
    _mm_storeu_ps((float *)(void *)keys, _mm_permutevar_ps(key, lane));
#else
    unsigned at = 0;
    for (unsigned lane = 0; lane < 4 && at < 4; lane++) {
        float value = (float)a.lane[lane];
        uint32_t key;
        memcpy(&key, &value, sizeof key);
        keys[at] = (key & ~255u) | numbers[lane];
        at += bits >> lane & 1;
    }
#endif
    return (unsigned)__builtin_popcount(bits);
}

#if defined(__AVX2__)
/* Of eight numbers and the same in another order: the greater ones where the mask says so, else the less. */
#define WIDE_EXCHANGE(a, b, mask) _mm256_blend_epi32(_mm256_min_epi32(a, b), _mm256_max_epi32(a, b), mask)

static inline __m256i wide_reverse8(__m256i a) {
    return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

/* The last two steps of sorting eight numbers. */
static inline __m256i wide_sort_near(__m256i a) {
    a = WIDE_EXCHANGE(a, _mm256_shuffle_epi32(a, 0x4E), 0xCC);
    return WIDE_EXCHANGE(a, _mm256_shuffle_epi32(a, 0xB1), 0xAA);
}

static inline __m256i wide_sort8(__m256i a) {
    a = WIDE_EXCHANGE(a, _mm256_shuffle_epi32(a, 0xB1), 0xAA);
    a = WIDE_EXCHANGE(a, _mm256_shuffle_epi32(a, 0x1B), 0xCC);
    a = WIDE_EXCHANGE(a, _mm256_shuffle_epi32(a, 0xB1), 0xAA);
    a = WIDE_EXCHANGE(a, wide_reverse8(a), 0xF0);
    return wide_sort_near(a);
}

static inline unsigned wide_bits16(__m256i low, __m256i high) {
    unsigned first = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(low));
    return first | (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
}

static inline __m256i wide_merge8(__m256i a) {
    return wide_sort_near(WIDE_EXCHANGE(a, _mm256_permute2x128_si256(a, a, 1), 0xF0));
}

/* Sixteen numbers that first rise and then fall, or the other way round. */
static inline void wide_merge16(__m256i a, __m256i b, __m256i *first, __m256i *second) {
    *first = wide_merge8(_mm256_min_epi32(a, b));
    *second = wide_merge8(_mm256_max_epi32(a, b));
}

static inline void wide_sort16(const uint32_t numbers[16], __m256i *first, __m256i *second) {
    const __m256i *p = (const __m256i *)(const void *)numbers;
    __m256i a = wide_sort8(_mm256_loadu_si256(p)), b = wide_reverse8(wide_sort8(_mm256_loadu_si256(p + 1)));
    wide_merge16(a, b, first, second);
}
#endif

#if !defined(__AVX2__)
static inline void wide_insert_keys(uint32_t *keys, int count) {
    for (int i = 1; i < count; i++) {
        uint32_t key = keys[i];
        int at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}
#endif

/* Of sorted keys: how many are less than a limit without a number, and whether they differ in more than numbers, from
 * each other and from the limit. */
static inline bool wide_are_distinct(const uint32_t *keys, unsigned count, uint32_t low, unsigned *less) {
    bool distinct = true;
    *less = 0;
    for (unsigned i = 0; i < count; i++) {
        *less += keys[i] < low;
        distinct &= (keys[i] ^ low) > 255;
        distinct &= i == 0 || (keys[i] ^ keys[i - 1]) > 255;
    }
    return distinct;
}

/* Sorts sixteen keys, of which those after the first `count` are INT32_MAX (Batcher 1968), and counts those less than a
 * limit. False when some differ in their numbers only, from each other or from the limit. */
static inline bool wide_sort_keys(uint32_t keys[16], unsigned count, uint32_t limit, unsigned *less) {
    uint32_t low = limit & ~255u;
#if defined(__AVX2__)
    __m256i *p = (__m256i *)(void *)keys, first, second;
    wide_sort16(keys, &first, &second);
    _mm256_storeu_si256(p, first);
    _mm256_storeu_si256(p + 1, second);
    __m256i least = _mm256_set1_epi32((int)low), most = _mm256_set1_epi32((int)(low | 255u));
    unsigned below = wide_bits16(_mm256_cmpgt_epi32(least, first), _mm256_cmpgt_epi32(least, second));
    unsigned beyond = wide_bits16(_mm256_cmpgt_epi32(first, most), _mm256_cmpgt_epi32(second, most));
    /* each beside the next one */
    __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    __m256i turned = _mm256_permutevar8x32_epi32(second, turn);
    __m256i after = _mm256_blend_epi32(_mm256_permutevar8x32_epi32(first, turn),
                                       _mm256_permutevar8x32_epi32(second, _mm256_setzero_si256()), 0x80);
    __m256i differ = _mm256_set1_epi32(255), one = _mm256_xor_si256(first, after),
            other = _mm256_xor_si256(second, turned);
    unsigned apart = wide_bits16(_mm256_cmpgt_epi32(one, differ), _mm256_cmpgt_epi32(other, differ));
    *less = (unsigned)__builtin_popcount(below);
    unsigned all = count > 1 ? (1u << (count - 1)) - 1 : 0;
    return (below | beyond) == 0xFFFF && (apart & all) == all;
#else
    wide_insert_keys(keys, 16);
    return wide_are_distinct(keys, count, low, less);
#endif
}

/* The same for thirty-two keys. */
static inline bool wide_sort_more_keys(uint32_t keys[32], unsigned count, uint32_t limit, unsigned *less) {
#if defined(__AVX2__)
    __m256i *p = (__m256i *)(void *)keys, a, b, c, d;
    wide_sort16(keys, &a, &b);
    wide_sort16(keys + 16, &c, &d);
    c = wide_reverse8(c);
    d = wide_reverse8(d);
    __m256i low_a = _mm256_min_epi32(a, d), low_b = _mm256_min_epi32(b, c);
    __m256i high_a = _mm256_max_epi32(a, d), high_b = _mm256_max_epi32(b, c);
    wide_merge16(low_a, low_b, &a, &b);
    wide_merge16(high_a, high_b, &c, &d);
    _mm256_storeu_si256(p, a);
    _mm256_storeu_si256(p + 1, b);
    _mm256_storeu_si256(p + 2, c);
    _mm256_storeu_si256(p + 3, d);
#else
    wide_insert_keys(keys, 32);
#endif
    return wide_are_distinct(keys, count, limit & ~255u, less);
}

#endif
