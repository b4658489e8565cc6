/* target.h: files in the making, under another name beside their path, so that a start that fails leaves alone what was
 * there, and locked, so that two never write one file. Links are replaced, not followed. */

#ifndef THRONG_TARGET_H
#define THRONG_TARGET_H

#include <throng/throng.h>

typedef struct throng_target {
    char *path;                 /* NULL: there is none */
    char *part;                 /* what it is called before it stands at its path */
    int file;                   /* open for writing, and keeps the lock on it */
    struct throng_target *next; /* of this process */
} throng_target;

/* Whether a file may stand at the path and be replaced, and nobody writes it; else false and an error. */
bool throng_target_is_possible(const char *path, throng_error *error);
/* Creates the empty file; false and an error when it cannot. The target stays where it is in memory until released. */
bool throng_target_create(throng_target *target, const char *path, throng_error *error);
/* Moves the file to its path, replacing what was there. */
bool throng_target_replace(throng_target *target, throng_error *error);
/* Writes bytes at a place of the file. */
bool throng_target_write(throng_target *target, const void *bytes, size_t count, uint64_t at, throng_error *error);
/* Closes the file, which is removed if it is still in the making; false and errno when that failed. */
bool throng_target_release(throng_target *target);

/* Opens the empty file of this name for the caller alone until it closes it: a link is removed first, what a killed
 * process has left is used up, and whoever writes it just now is waited for, or -1 and EWOULDBLOCK. */
int throng_target_claim(const char *part, bool wait);

/* Fills the error for a path that cannot be written, and returns false. */
bool throng_refuse_write(throng_error *error, const char *path, const char *reason);

#endif
