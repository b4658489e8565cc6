/* packing_none.c: in the place of packing.c in a build without zstd: bytes as they are. */

#include <string.h>

#include "checkpoint/checkpoint.h"

const uint32_t throng_packing = 1;

size_t throng_packing_room(size_t size) { return size; }

size_t throng_packing_pack(void *to, size_t room, const void *from, size_t size) {
    (void)room;
    memcpy(to, from, size);
    return size;
}

bool throng_packing_holds(const void *packed, size_t packed_size, uint64_t size) {
    (void)packed;
    return packed_size == size;
}

bool throng_packing_unpack(void *to, size_t size, const void *packed, size_t packed_size) {
    if (packed_size == size) memcpy(to, packed, size);
    return packed_size == size;
}
