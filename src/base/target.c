/* target.c: see target.h. Everybody who is to write a path claims PATH.part first, by flock; renamed to its path, the
 * file is still locked. A lock ends with its process, so nothing is left to clear up. */

#define _DEFAULT_SOURCE /* flock */

#include "base/target.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include "base/memory.h"
#include "base/report.h"

static const char busy[] = "another run writes it";

static throng_target *first; /* of those that this process writes */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

bool throng_refuse_write(throng_error *error, const char *path, const char *reason) {
    return throng_refuse(error, 0, 0, "cannot write '%s': %s", path, reason);
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* False when somebody else has the lock. Network disks have none for us: there it would keep SQLite out as well. */
static bool lock(int file, bool wait) {
#ifdef __linux__
    struct statfs disk;
    if (fstatfs(file, &disk) == 0 && disk.f_type == 0x6969) return true;
#endif
    int result;
    do result = flock(file, LOCK_EX | (wait ? 0 : LOCK_NB));
    while (result != 0 && errno == EINTR);
    return result == 0 || errno != EWOULDBLOCK;
}

/* What this process writes is known without opening it: closing the descriptor would give up SQLite's locks. */
static bool is_ours(const char *path) {
    struct stat there, own;
    if (lstat(path, &there) != 0) return false;
    for (const throng_target *t = first; t; t = t->next)
        if (fstat(t->file, &own) == 0 && is_same(&own, &there)) return true;
    return false;
}

static bool is_written(const char *path) {
    if (is_ours(path)) return true;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    bool free = lock(file, false);
    close(file);
    return !free;
}

static bool is_possible(const char *path, throng_error *error) {
    struct stat there;
    if (lstat(path, &there) != 0 || S_ISLNK(there.st_mode)) return true;
    const char *reason = S_ISDIR(there.st_mode)    ? "it is a directory"
                         : !S_ISREG(there.st_mode) ? "it is not a regular file"
                         : access(path, W_OK) != 0 ? strerror(errno)
                         : is_written(path)        ? busy
                                                   : NULL;
    return !reason || throng_refuse_write(error, path, reason);
}

bool throng_target_is_possible(const char *path, throng_error *error) {
    pthread_mutex_lock(&guard);
    bool possible = is_possible(path, error);
    pthread_mutex_unlock(&guard);
    return possible;
}

int throng_target_claim(const char *part, bool wait) {
    for (int tries = 0; tries < 100; tries++) {
        int file = open(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (file < 0 && (errno != ELOOP || unlink(part) != 0)) return -1;
        if (file < 0) continue;
        if (!lock(file, wait)) {
            close(file);
            errno = EWOULDBLOCK;
            return -1;
        }
        struct stat opened, there;
        bool ours = fstat(file, &opened) == 0 && lstat(part, &there) == 0 && is_same(&opened, &there);
        bool plain = ours && S_ISREG(opened.st_mode) && opened.st_nlink == 1;
        if (plain && ftruncate(file, 0) == 0) return file;
        if (ours) unlink(part);
        close(file);
    }
    return -1;
}

bool throng_target_create(throng_target *target, const char *path, throng_error *error) {
    throng_string part = {0};
    throng_string_print(&part, "%s.part", path);
    pthread_mutex_lock(&guard);
    int file = -1;
    /* A protected file or a directory at the path would be found out only after the run's start. */
    if (is_possible(path, error)) {
        errno = EWOULDBLOCK;
        file = is_ours(part.text) ? -1 : throng_target_claim(part.text, false);
        if (file < 0) throng_refuse_write(error, path, errno == EWOULDBLOCK ? busy : strerror(errno));
    }
    /* It may have come to its path before the name of the part was free again. */
    if (file >= 0 && !is_possible(path, error)) {
        unlink(part.text);
        close(file);
        file = -1;
    }
    if (file >= 0) {
        *target = (throng_target){throng_copy_text(path), part.text, file, first};
        first = target;
    } else {
        throng_release(part.text);
    }
    pthread_mutex_unlock(&guard);
    return file >= 0;
}

bool throng_target_write(throng_target *target, const void *bytes, size_t count, uint64_t at, throng_error *error) {
    const char *from = bytes;
    while (count > 0) {
        ssize_t done = pwrite(target->file, from, count, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return throng_refuse_write(error, target->path, strerror(done < 0 ? errno : ENOSPC));
        from += done;
        count -= (size_t)done;
        at += (uint64_t)done;
    }
    return true;
}

bool throng_target_replace(throng_target *target, throng_error *error) {
    if (rename(target->part, target->path) != 0) return throng_refuse_write(error, target->path, strerror(errno));
    throng_release(target->part);
    target->part = NULL;
    return true;
}

bool throng_target_release(throng_target *target) {
    if (!target->path) return true;
    pthread_mutex_lock(&guard);
    throng_target **link = &first;
    while (*link != target) link = &(*link)->next;
    *link = target->next;
    if (target->part) unlink(target->part);
    bool closed = close(target->file) == 0;
    pthread_mutex_unlock(&guard);
    THRONG_RELEASE(target->part, target->path);
    *target = (throng_target){0};
    return closed;
}
