/* gunzip.h: bytes packed by gzip (RFC 1952). */

#ifndef THRONG_GUNZIP_H
#define THRONG_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool throng_is_gzip(const char *bytes, size_t length) {
    return length > 2 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

/* What they hold, followed by a 0, to be released; NULL in a build that cannot unpack. `whole` is false when they are
 * damaged or cut off, or hold more than `most`: then it is what was unpacked up to there. */
char *throng_gunzip(const char *packed, size_t length, size_t most, size_t *count, bool *whole);

/* Unpacks what deflate has packed (RFC 1951) and is to be `size` bytes; false: it is not, or this build cannot. */
bool throng_inflate(const void *packed, size_t packed_size, void *to, size_t size);

#endif
