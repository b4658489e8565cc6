/* whole_file.c: files that are whole or not there. The bytes go to a file beside the path, which is synced to the
 * disk and renamed; then the directory is synced, so that the new name survives a loss of power too. What
 * stood at the path is there until the very moment the new one is. */

#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"
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

/* The file that a link leads to is replaced, not the link. */
static bool find_target(const char *path, char target[PATH_MAX], throng_error *error) {
    struct stat there;
    if (stat(path, &there) != 0) {
        if (errno != ENOENT) return refuse(error, "write", path, strerror(errno));
        if (strlen(path) >= PATH_MAX - 8) return refuse(error, "write", path, strerror(ENAMETOOLONG));
        strcpy(target, path);
        return true;
    }
    if (S_ISDIR(there.st_mode)) return refuse(error, "write", path, "it is a directory");
    if (!S_ISREG(there.st_mode)) return refuse(error, "write", path, "it is not a regular file");
    if (access(path, W_OK) != 0 || !realpath(path, target)) return refuse(error, "write", path, strerror(errno));
    return strlen(target) < PATH_MAX - 8 || refuse(error, "write", path, strerror(ENAMETOOLONG));
}

bool throng_file_replace(const char *path, const void *bytes, size_t size, throng_error *error) {
    char target[PATH_MAX], part[PATH_MAX + 8];
    if (!find_target(path, target, error)) return false;
    /* Always the same name: what a killed run leaves behind, the next one uses up. */
    snprintf(part, sizeof part, "%s.part", target);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return refuse(error, "write", path, strerror(errno));
    bool good = write_all(file, bytes, size) && fsync(file) == 0;
    int reason = good ? 0 : errno;
    if (close(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(part, target) != 0) {
        good = false;
        reason = errno;
    }
    if (good) {
        sync_directory(target);
        return true;
    }
    unlink(part);
    return refuse(error, "write", path, strerror(reason));
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
    do {
        THRONG_GROW(bytes, capacity, *size + (1 << 16));
        got = read(file, bytes + *size, capacity - *size);
        if (got > 0) *size += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got < 0) {
        refuse(error, "read", path, strerror(errno));
        throng_release(bytes);
        bytes = NULL;
    }
    close(file);
    return bytes;
}
