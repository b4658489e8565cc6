/* compact.c: numbers, checksums and columns of .throng recordings. */

#include "record/compact.h"

#include <pthread.h>
#include <string.h>

/* Like PNG's: the first byte is no letter, and a transfer that changes line ends is noticed. */
const char throng_compact_magic[8] = "\x89THRONG\n", throng_compact_end_magic[8] = "throngIX";

uint64_t throng_fold(int64_t value) { return ((uint64_t)value << 1) ^ (value < 0 ? ~(uint64_t)0 : 0); }

int64_t throng_unfold(uint64_t value) { return (int64_t)(value >> 1) ^ -(int64_t)(value & 1); }

static void put(unsigned char *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) out[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *in, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)in[i] << (8 * i);
    return value;
}

void throng_put_u32(unsigned char *out, uint32_t value) { put(out, value, 4); }
void throng_put_u64(unsigned char *out, uint64_t value) { put(out, value, 8); }
uint32_t throng_get_u32(const unsigned char *in) { return (uint32_t)get(in, 4); }
uint64_t throng_get_u64(const unsigned char *in) { return get(in, 8); }

void throng_put_f64(unsigned char *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, 8);
}

double throng_get_f64(const unsigned char *in) {
    uint64_t bits = get(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ------------------------------------------------------------------ checksums */

/* checksums[k][byte]: what a byte adds that k bytes follow; four bytes are done at a time. */
static uint32_t checksums[4][256];

static void fill_checksums(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0xEDB88320 : 0);
        checksums[0][byte] = value;
    }
    for (int k = 1; k < 4; k++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t shorter = checksums[k - 1][byte];
            checksums[k][byte] = shorter >> 8 ^ checksums[0][shorter & 255];
        }
}

uint32_t throng_checksum_more(uint32_t checksum, const unsigned char *bytes, size_t count) {
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill_checksums);
    checksum = ~checksum;
    for (; count >= 4; count -= 4, bytes += 4) {
        checksum ^= throng_get_u32(bytes);
        checksum = checksums[3][checksum & 255] ^ checksums[2][checksum >> 8 & 255] ^
                   checksums[1][checksum >> 16 & 255] ^ checksums[0][checksum >> 24];
    }
    for (; count > 0; count--) checksum = checksum >> 8 ^ checksums[0][(checksum ^ *bytes++) & 255];
    return ~checksum;
}

uint32_t throng_checksum(const unsigned char *bytes, size_t count) { return throng_checksum_more(0, bytes, count); }

/* ------------------------------------------------------------------ chunks and columns */

void throng_put_chunk(unsigned char out[THRONG_CHUNK_HEAD], const throng_chunk *chunk) {
    throng_put_u64(out, chunk->first_frame);
    throng_put_u32(out + 8, chunk->frame_count);
    throng_put_u32(out + 12, chunk->key ? 1 : 0);
    throng_put_u64(out + 16, chunk->row_count);
    throng_put_u64(out + 24, (uint64_t)chunk->low_x);
    throng_put_u64(out + 32, (uint64_t)chunk->low_y);
    throng_put_u64(out + 40, (uint64_t)chunk->high_x);
    throng_put_u64(out + 48, (uint64_t)chunk->high_y);
}

throng_chunk throng_get_chunk(const unsigned char in[THRONG_CHUNK_HEAD]) {
    return (throng_chunk){.first_frame = throng_get_u64(in),
                          .frame_count = throng_get_u32(in + 8),
                          .key = throng_get_u32(in + 12) & 1,
                          .row_count = throng_get_u64(in + 16),
                          .low_x = (int64_t)throng_get_u64(in + 24),
                          .low_y = (int64_t)throng_get_u64(in + 32),
                          .high_x = (int64_t)throng_get_u64(in + 40),
                          .high_y = (int64_t)throng_get_u64(in + 48)};
}

unsigned char *throng_put_column(unsigned char *out, const uint64_t *values, size_t count) {
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) all |= values[i];
    int width = 0;
    while (width < 8 && all >> (8 * width)) width++;
    *out++ = (unsigned char)width;
    for (int k = 0; k < width; k++, out += count)
        for (size_t i = 0; i < count; i++) out[i] = (unsigned char)(values[i] >> (8 * k));
    return out;
}

const unsigned char *throng_view_column(const unsigned char *in, const unsigned char *end, size_t count,
                                        throng_column_view *view) {
    if (in >= end) return NULL;
    *view = (throng_column_view){.width = *in++, .count = count};
    view->planes = in;
    if (view->width > 8) return NULL;
    if (view->width > 0 && (size_t)(end - in) / (size_t)view->width < count) return NULL;
    return view->width ? in + (size_t)view->width * count : in;
}

void throng_get_column(const throng_column_view *view, size_t first, size_t count, uint64_t *values) {
    const unsigned char *plane = view->planes + first;
    for (size_t i = 0; i < count; i++) values[i] = view->width ? plane[i] : 0;
    for (int k = 1; k < view->width; k++) {
        plane += view->count;
        for (size_t i = 0; i < count; i++) values[i] |= (uint64_t)plane[i] << (8 * k);
    }
}
