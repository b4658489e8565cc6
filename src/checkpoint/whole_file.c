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

static bool refuse(throng_error *error, const char *verb, const char *path, const char *reason) {
    return throng_refuse(error, 0, 0, "cannot %s %s: %s", verb, path, reason);
}

static bool write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
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

/* Only what may stand there is replaced; a link is. */
static bool is_possible(const char *path, throng_error *error) {
    struct stat there;
    if (lstat(path, &there) != 0) return errno == ENOENT || refuse(error, "write", path, strerror(errno));
    if (S_ISLNK(there.st_mode)) return true;
    if (S_ISDIR(there.st_mode)) return refuse(error, "write", path, "it is a directory");
    if (!S_ISREG(there.st_mode)) return refuse(error, "write", path, "it is not a regular file");
    return access(path, W_OK) == 0 || refuse(error, "write", path, strerror(errno));
}

bool throng_file_replace(const char *path, const void *bytes, size_t size, throng_error *error) {
    char part[PATH_MAX];
    if (!is_possible(path, error)) return false;
    if (strlen(path) >= PATH_MAX - 8) return refuse(error, "write", path, strerror(ENAMETOOLONG));
    snprintf(part, sizeof part, "%s.part", path);
    int file = throng_target_claim(part, true);
    if (file < 0) return refuse(error, "write", path, strerror(errno));
    bool good = write_all(file, bytes, size) && fsync(file) == 0 && rename(part, path) == 0;
    int reason = errno;
    if (!good) unlink(part);
    close(file);
    if (good) sync_directory(path);
    return good || refuse(error, "write", path, strerror(reason));
}

unsigned char *throng_file_read(const char *path, size_t *size, throng_error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat there = {0};
    if (file < 0 || fstat(file, &there) != 0 || S_ISDIR(there.st_mode)) {
        refuse(error, "read", path, strerror(file >= 0 && S_ISDIR(there.st_mode) ? EISDIR : errno));
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
        refuse(error, "read", path, strerror(errno));
        throng_release(bytes);
        bytes = NULL;
    }
    close(file);
    return bytes;
}
