/* gunzip_none.c: in place of gunzip.c where there is no zlib. */

#include "text/gunzip.h"

char *throng_gunzip(const char *packed, size_t length, size_t most, size_t *count, bool *whole) {
    (void)packed, (void)length, (void)most;
    *count = 0;
    *whole = false;
    return NULL;
}

bool throng_inflate(const void *packed, size_t packed_size, void *to, size_t size) {
    (void)packed, (void)packed_size, (void)to, (void)size;
    return false;
}
