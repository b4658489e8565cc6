/* packing.c: bytes made fewer by zstd. */

#include <zstd.h>

#include "checkpoint/checkpoint.h"

enum { LEVEL = 1 };

const uint32_t throng_packing = 0;

size_t throng_packing_room(size_t size) { return ZSTD_compressBound(size); }

size_t throng_packing_pack(void *to, size_t room, const void *from, size_t size) {
    return ZSTD_compress(to, room, from, size, LEVEL);
}

bool throng_packing_holds(const void *packed, size_t packed_size, uint64_t size) {
    return ZSTD_getFrameContentSize(packed, packed_size) == size;
}

bool throng_packing_unpack(void *to, size_t size, const void *packed, size_t packed_size) {
    return ZSTD_decompress(to, size, packed, packed_size) == size;
}
