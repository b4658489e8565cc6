/* target.c: the file that a recording goes to, until it is fit to stand at its path. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/record.h"

bool throng_refuse_write(throng_error *error, const char *path, const char *reason) {
    return throng_refuse(error, 0, 0, "cannot write '%s': %s", path, reason);
}

bool throng_target_is_possible(const char *path, throng_error *error) {
    struct stat there;
    if (stat(path, &there) != 0) return true;
    const char *reason = S_ISDIR(there.st_mode)    ? "it is a directory"
                         : !S_ISREG(there.st_mode) ? "it is not a regular file"
                         : access(path, W_OK) != 0 ? strerror(errno)
                                                   : NULL;
    return !reason || throng_refuse_write(error, path, reason);
}

int throng_target_create(throng_target *target, const char *path, throng_error *error) {
    /* A protected file or a directory at the path would be found out only after the run's start. */
    if (!throng_target_is_possible(path, error)) return -1;
    size_t size = strlen(path) + 40;
    target->path = throng_copy_text(path);
    target->part = throng_allocate(size);
    snprintf(target->part, size, "%s.part-%ld", path, (long)getpid());
    int file = open(target->part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        throng_refuse_write(error, path, strerror(errno));
        throng_release(target->part);
        target->part = NULL;
        throng_target_release(target);
    }
    return file;
}

bool throng_target_replace(throng_target *target, throng_error *error) {
    if (rename(target->part, target->path) != 0) return throng_refuse_write(error, target->path, strerror(errno));
    throng_release(target->part);
    target->part = NULL;
    return true;
}

void throng_target_release(throng_target *target) {
    if (target->part) unlink(target->part);
    throng_release(target->part);
    throng_release(target->path);
    *target = (throng_target){0};
}
