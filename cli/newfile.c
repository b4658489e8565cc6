/* newfile.c: see newfile.h. */

#include "newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"
#include "text.h"

static void forget(newfile *new) {
    free(new->path);
    free(new->temporary);
    *new = (newfile){0};
}

/* A file that was not there: what stands at the name, a link as a rule, is removed. */
static FILE *create(const char *path) {
    if (unlink(path) != 0 && errno != ENOENT) return NULL;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file >= 0 ? fdopen(file, "wb") : NULL;
}

bool newfile_open(newfile *new, const char *path) {
    *new = (newfile){0};
    if (!strcmp(path, "-")) {
        new->file = stdout;
        return true;
    }
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        complain("cannot write %s: it is a directory", path);
        return false;
    }
    /* A link is replaced; a pipe or a device, and what /dev leads to, cannot be replaced by a file. */
    bool in_place = (exists && !S_ISREG(there.st_mode)) || !strncmp(path, "/dev/", 5);
    new->path = text_format("%s", path);
    if (!in_place) new->temporary = text_format("%s.new-%ld", path, (long)getpid());
    bool writable = !exists || access(path, W_OK) == 0;
    new->file = !writable ? NULL : in_place ? fopen(path, "wb") : create(new->temporary);
    if (new->file) return true;
    complain("cannot write %s: %s", path, strerror(errno));
    forget(new);
    return false;
}

bool newfile_open_growing(newfile *new, const char *path) {
    if (!newfile_open(new, path)) return false;
    if (!new->temporary) return true;
    if (rename(new->temporary, path) != 0) {
        complain("cannot write %s: %s", path, strerror(errno));
        newfile_discard(new);
        return false;
    }
    free(new->temporary);
    new->temporary = NULL;
    return true;
}

bool newfile_finish(newfile *new) {
    if (new->file == stdout) {
        new->file = NULL;
        return true; /* main looks at what became of standard output */
    }
    bool whole = !ferror(new->file) && fflush(new->file) == 0;
    whole = fclose(new->file) == 0 && whole;
    if (whole && new->temporary) whole = rename(new->temporary, new->path) == 0;
    if (!whole) {
        complain("cannot write %s: %s", new->path, strerror(errno));
        if (new->temporary) unlink(new->temporary);
    }
    forget(new);
    return whole;
}

void newfile_discard(newfile *new) {
    if (new->file &&new->file != stdout) fclose(new->file);
    if (new->temporary) unlink(new->temporary);
    forget(new);
}

bool newfile_possible(const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    newfile_discard(&new);
    return true;
}
