/* file.c: see file.h. */

#include "text/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/report.h"
#include "text/gunzip.h"
#include "text/json.h"

/* What a gzip file holds, in place of its own bytes, which are released. */
static char *unpack(char *packed, size_t most, size_t *length) {
    bool whole = false;
    size_t count = 0;
    char *bytes = throng_gunzip(packed, *length, most, &count, &whole);
    throng_release(packed);
    *length = count;
    if (bytes && whole) return bytes;
    errno = !bytes ? ENOTSUP : count > most ? EFBIG : EBADMSG;
    throng_release(bytes);
    return NULL;
}

char *throng_file_bytes(const char *path, size_t most, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t capacity = 1 << 16, count = 0, got;
    char *bytes = throng_reallocate(NULL, capacity);
    while ((got = fread(bytes + count, 1, capacity - count - 1, file)) > 0) {
        count += got;
        if (count > most) break;
        if (capacity - count < 2) bytes = throng_reallocate(bytes, capacity *= 2);
    }
    int failure = ferror(file) ? errno : count > most ? EFBIG : 0;
    fclose(file);
    bytes[count] = 0;
    *length = count;
    if (!failure) return throng_is_gzip(bytes, count) ? unpack(bytes, most, length) : bytes;
    throng_release(bytes);
    errno = failure;
    return NULL;
}

char *throng_read_file(const char *path, size_t *length, throng_error *error) {
    char *bytes = throng_file_bytes(path, THRONG_JSON_BYTES, length);
    if (bytes) return bytes;
    if (errno == EFBIG)
        throng_refuse(error, 0, 0, "%s is larger than %d bytes", path, THRONG_JSON_BYTES);
    else if (errno == EBADMSG)
        throng_refuse(error, 0, 0, "%s is packed (gzip), and damaged or cut off", path);
    else
        throng_refuse(error, 0, 0, "cannot %s %s: %s", errno == ENOENT ? "open" : "read", path, strerror(errno));
    return NULL;
}

bool throng_path_ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length > 3 && strcasecmp(path + length - 3, ".gz") == 0) length -= 3;
    return length > tail && strncasecmp(path + length - tail, ending, tail) == 0;
}

char *throng_path_beside(const char *file, const char *name) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!slash || name[0] == '/') return throng_copy_text(name);
    size_t directory = (size_t)(slash + 1 - file);
    char *path = throng_allocate(directory + strlen(name) + 1);
    memcpy(path, file, directory);
    strcpy(path + directory, name);
    return path;
}
