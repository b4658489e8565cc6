/* newfile.h: a file that appears under its name only when it is whole. */

#ifndef CLI_NEWFILE_H
#define CLI_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct newfile {
    FILE *file;      /* write here */
    char *path;      /* what it will be called */
    char *temporary; /* what it is called meanwhile; NULL when it is written in place (a pipe, a device) */
} newfile;

/* Complains and returns false when the file cannot be written there. "-" is standard output. */
bool newfile_open(newfile *new, const char *path);
/* The same, under its name at once: for what can be read while it grows. */
bool newfile_open_growing(newfile *new, const char *path);
/* Gives the file its name. False, after a complaint and with nothing left behind, when not all could be written. */
bool newfile_finish(newfile *new);
void newfile_discard(newfile *new);
/* Whether the file could be written there, found out before the work; complains when not. */
bool newfile_possible(const char *path);

#endif
