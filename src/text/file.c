/* file.c: see file.h. */

#include "text/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "world/memory.h"
#include "world/report.h"

char *throng_read_file(const char *path, size_t *length, throng_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        throng_refuse(error, 0, 0, "cannot open %s: %s", path, strerror(errno));
        return NULL;
    }
    size_t capacity = 1 << 16, count = 0, got;
    char *bytes = throng_reallocate(NULL, capacity);
    while ((got = fread(bytes + count, 1, capacity - count - 1, file)) > 0) {
        count += got;
        if (count > THRONG_JSON_BYTES) break;
        if (capacity - count < 2) bytes = throng_reallocate(bytes, capacity *= 2);
    }
    int failure = ferror(file) ? errno : 0;
    fclose(file);
    if (failure || count > THRONG_JSON_BYTES) {
        throng_release(bytes);
        if (failure) {
            throng_refuse(error, 0, 0, "cannot read %s: %s", path, strerror(failure));
        } else {
            throng_refuse(error, 0, 0, "%s is larger than %d bytes", path, THRONG_JSON_BYTES);
        }
        return NULL;
    }
    bytes[count] = 0;
    *length = count;
    return bytes;
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
