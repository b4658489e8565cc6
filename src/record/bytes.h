/* bytes.h: little-endian numbers of 1 to 8 bytes, for the binary formats. */

#ifndef THRONG_BYTES_H
#define THRONG_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void throng_put(unsigned char *out, uint64_t value, int size) {
    for (int i = 0; i < size; i++) out[i] = (unsigned char)(value >> (8 * i));
}

static inline uint64_t throng_get(const unsigned char *in, int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)in[i] << (8 * i);
    return value;
}

static inline void throng_put_real(unsigned char *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    throng_put(out, bits, 8);
}

static inline double throng_get_real(const unsigned char *in) {
    uint64_t bits = throng_get(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
