/* Any bytes as a .throng recording: as they are but for the checksums, which would keep everything out; or,
 * after a first byte 'c', as the columns of a chunk in a file that is right otherwise. */

#include <string.h>
#include <zstd.h>

#include "one_file.h"
#include "record/compact.h"

static void mend_checksums(uint8_t *file, size_t size) {
    for (size_t at = THRONG_COMPACT_START; at + THRONG_SECTION_HEAD <= size;) {
        uint64_t body = throng_get(file + at + 8, 8);
        if (body > size - at - THRONG_SECTION_HEAD) return;
        throng_put(file + at + 4, throng_checksum(file + at + 8, 8 + (size_t)body), 4);
        at += THRONG_SECTION_HEAD + (size_t)body;
    }
}

/* Adds a section with this body; the new size of the file. */
static size_t add_section(uint8_t *file, size_t size, const char *tag, const uint8_t *body, size_t count) {
    memcpy(file + size, tag, 4);
    throng_put(file + size + 8, count, 8);
    memcpy(file + size + THRONG_SECTION_HEAD, body, count);
    return size + THRONG_SECTION_HEAD + count;
}

/* Two chunks of as many frames as the first bytes say, each with half of the rest as its columns. */
static size_t add_chunks(uint8_t *file, size_t size, const uint8_t *data, size_t count) {
    if (count < 2) return size;
    uint8_t *body = malloc(THRONG_CHUNK_HEAD + ZSTD_compressBound(count));
    throng_chunk chunk = {.frame_count = data[0] % 60 + 1u, .key = true, .low_x = 1};
    size_t half = (count - 2) / 2;
    for (int k = 0; k < 2; k++) {
        throng_put_chunk(body, &chunk);
        size_t packed =
            ZSTD_compress(body + THRONG_CHUNK_HEAD, ZSTD_compressBound(count), data + 2 + k * half, half, 1);
        demand(!ZSTD_isError(packed));
        size = add_section(file, size, "FRAM", body, THRONG_CHUNK_HEAD + packed);
        chunk.first_frame += chunk.frame_count;
        chunk.frame_count = data[1] % 60 + 1u;
        chunk.key = data[1] >= 128;
    }
    free(body);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *file = calloc(1, 2 * size + 4096);
    size_t length = size;
    if (size > 0 && data[0] == 'c') {
        uint8_t head[40] = {0};
        memcpy(file, throng_compact_magic, 8);
        throng_put(file + 8, THRONG_COMPACT_VERSION, 4);
        throng_put_real(head, 10);
        throng_put_real(head + 8, 1000);
        length = add_section(file, THRONG_COMPACT_START, "HEAD", head, sizeof head);
        length = add_chunks(file, length, data + 1, size - 1);
    } else if (size > 0)
        memcpy(file, data, size);
    mend_checksums(file, length);
    read_recording(one_file(file, length), "throng", true);
    free(file);
    return 0;
}
