/* whole_file.c: files that are whole or not there. The bytes go to a file beside the path, which is synced to the
 * disk and renamed; then the directory is synced, so that the new name survives a loss of power too. What
 * stood at the path is there until the very moment the new one is. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/target.h"
#include "checkpoint/checkpoint.h"

static void refuse_read(throng_error *error, const char *path, const char *reason) {
    throng_refuse(error, 0, 0, "cannot read %s: %s", path, reason);
}

/* Where a directory cannot be synced (some network disks), the rename is as safe as it gets. */
static void sync_directory(const char *path) {
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(directory, sizeof directory, "%.*s/", (int)(slash - path), path);
    else
        snprintf(directory, sizeof directory, ".");
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

bool throng_file_replace(const char *path, const void *bytes, size_t size, throng_error *error) {
    char part[PATH_MAX];
    if (!throng_target_is_possible(path, error)) return false;
    if (strlen(path) >= PATH_MAX - 8) return throng_refuse_write(error, path, strerror(ENAMETOOLONG));
    snprintf(part, sizeof part, "%s.part", path);
    throng_target target = {.path = (char *)path, .file = throng_target_claim(part, true)};
    if (target.file < 0) return throng_refuse_write(error, path, strerror(errno));
    bool good = throng_target_write(&target, bytes, size, 0, error);
    if (good && (fsync(target.file) != 0 || rename(part, path) != 0))
        good = throng_refuse_write(error, path, strerror(errno));
    if (!good) unlink(part);
    close(target.file);
    if (good) sync_directory(path);
    return good;
}

unsigned char *throng_file_read(const char *path, size_t *size, throng_error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat there = {0};
    if (file < 0 || fstat(file, &there) != 0 || S_ISDIR(there.st_mode)) {
        refuse_read(error, path, strerror(file >= 0 && S_ISDIR(there.st_mode) ? EISDIR : errno));
        if (file >= 0) close(file);
        return NULL;
    }
    unsigned char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    ssize_t got;
    size_t most = THRONG_CHECKPOINT_HEAD; /* the head tells how much follows; one byte more would be too much */
    do {
        size_t piece = most - *size < 1 << 20 ? most - *size : 1 << 20;
        THRONG_GROW(bytes, capacity, *size + piece);
        got = read(file, bytes + *size, piece);
        if (got > 0) *size += (size_t)got;
        if (*size == THRONG_CHECKPOINT_HEAD) most = throng_checkpoint_size(bytes) + 1;
    } while (*size < most && (got > 0 || (got < 0 && errno == EINTR)));
    if (got < 0) {
        refuse_read(error, path, strerror(errno));
        throng_release(bytes);
        bytes = NULL;
    }
    close(file);
    return bytes;
}
