/* gunzip.c: see gunzip.h; the members of a file one after the other, by zlib. */

#include "text/gunzip.h"

#include <stdint.h>
#include <zlib.h>

#include "base/memory.h"

/* One member, from the stream's place on; false: damaged, cut off, or more than `most` bytes in all. */
static bool unpack_member(z_stream *stream, size_t most, char **bytes, size_t *count, size_t *capacity) {
    if (inflateInit2(stream, 15 + 16) != Z_OK) return false;
    int state = Z_OK;
    while (state == Z_OK && *count <= most) {
        if (*capacity - *count < 2) *bytes = throng_reallocate(*bytes, *capacity *= 2);
        size_t room = *capacity - *count - 1 < 1 << 30 ? *capacity - *count - 1 : 1 << 30;
        stream->next_out = (Bytef *)*bytes + *count;
        stream->avail_out = (uInt)room;
        state = inflate(stream, Z_NO_FLUSH);
        *count += room - stream->avail_out;
    }
    inflateEnd(stream);
    return state == Z_STREAM_END && *count <= most;
}

char *throng_gunzip(const char *packed, size_t length, size_t most, size_t *count, bool *whole) {
    size_t capacity = 1 << 16;
    char *bytes = throng_reallocate(NULL, capacity);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)length};
    *count = 0;
    *whole = length <= UINT32_MAX;
    while (*whole && stream.avail_in > 0) *whole = unpack_member(&stream, most, &bytes, count, &capacity);
    bytes[*count] = 0;
    return bytes;
}

bool throng_inflate(const void *packed, size_t packed_size, void *to, size_t size) {
    z_stream stream = {
        .next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)packed_size, .next_out = to, .avail_out = (uInt)size};
    if (inflateInit2(&stream, -15) != Z_OK) return false;
    bool good = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    return good;
}
