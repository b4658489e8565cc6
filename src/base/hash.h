/* hash.h: one number for many bytes, the same on every machine. Of two inputs that differ in one word the
 * numbers always differ; of any others, but for one chance in 2^64. */

#ifndef THRONG_HASH_H
#define THRONG_HASH_H

#include <string.h>
#include <throng/model.h>

static inline uint64_t throng_hash_word(uint64_t hash, uint64_t word) {
    return throng_mix(hash ^ word) + 0x9E3779B97F4A7C15u;
}

/* Words of eight bytes, little-endian; zeros fill up the last one. */
static inline uint64_t throng_hash_bytes(uint64_t hash, const void *data, size_t size) {
    const char *bytes = data;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = throng_hash_word(hash, word);
    }
    uint64_t rest = 0;
    if (size) memcpy(&rest, bytes, size);
    return size ? throng_hash_word(hash, rest) : hash;
}

static inline uint64_t throng_hash_real(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return throng_hash_word(hash, bits);
}

/* With its end, so that no two texts in a row are taken for two others. */
static inline uint64_t throng_hash_text(uint64_t hash, const char *text) {
    return throng_hash_word(throng_hash_bytes(hash, text, strlen(text)), strlen(text));
}

#endif
