/* compact.c: numbers, checksums and columns of .throng recordings. */

#include "record/compact.h"

#include <pthread.h>

#include "base/memory.h"

/* Like PNG's: the first byte is no letter, and a transfer that changes line ends is noticed. */
const char throng_compact_magic[8] = "\x89THRONG\n", throng_compact_end_magic[8] = "throngIX";

uint64_t throng_fold(int64_t value) { return ((uint64_t)value << 1) ^ (value < 0 ? ~(uint64_t)0 : 0); }

void throng_compact_crowd_reserve(throng_compact_crowd *crowd, size_t capacity) {
    if (capacity <= crowd->capacity) return;
    for (int k = 0; k <= THRONG_CROWD_VY; k++)
        crowd->columns[k] = throng_reallocate(crowd->columns[k], capacity * sizeof *crowd->columns[k]);
    crowd->capacity = capacity;
}

void throng_compact_crowd_release(throng_compact_crowd *crowd) {
    for (int k = 0; k <= THRONG_CROWD_VY; k++) throng_release(crowd->columns[k]);
}

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
        checksum ^= (uint32_t)throng_get(bytes, 4);
        checksum = checksums[3][checksum & 255] ^ checksums[2][checksum >> 8 & 255] ^
                   checksums[1][checksum >> 16 & 255] ^ checksums[0][checksum >> 24];
    }
    for (; count > 0; count--) checksum = checksum >> 8 ^ checksums[0][(checksum ^ *bytes++) & 255];
    return ~checksum;
}

uint32_t throng_checksum(const unsigned char *bytes, size_t count) { return throng_checksum_more(0, bytes, count); }

void throng_put_chunk(unsigned char out[THRONG_CHUNK_HEAD], const throng_chunk *chunk) {
    throng_put(out, chunk->first_frame, 8);
    throng_put(out + 8, chunk->frame_count, 4);
    throng_put(out + 12, chunk->key ? 1 : 0, 4);
    throng_put(out + 16, chunk->row_count, 8);
    throng_put(out + 24, (uint64_t)chunk->low_x, 8);
    throng_put(out + 32, (uint64_t)chunk->low_y, 8);
    throng_put(out + 40, (uint64_t)chunk->high_x, 8);
    throng_put(out + 48, (uint64_t)chunk->high_y, 8);
}

throng_chunk throng_get_chunk(const unsigned char in[THRONG_CHUNK_HEAD]) {
    return (throng_chunk){.first_frame = throng_get(in, 8),
                          .frame_count = (uint32_t)throng_get(in + 8, 4),
                          .key = (uint32_t)throng_get(in + 12, 4) & 1,
                          .row_count = throng_get(in + 16, 8),
                          .low_x = (int64_t)throng_get(in + 24, 8),
                          .low_y = (int64_t)throng_get(in + 32, 8),
                          .high_x = (int64_t)throng_get(in + 40, 8),
                          .high_y = (int64_t)throng_get(in + 48, 8)};
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
