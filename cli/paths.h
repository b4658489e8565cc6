/* paths.h: where a file is, whatever it is called by. */

#ifndef CLI_PATHS_H
#define CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* The path with links and directories resolved, so that "x.txt" and "./x.txt" are seen to be the
 * same file; the file itself need not exist. The caller frees it. */
char *full_path(const char *path);
bool same_file(const char *a, const char *b);
/* All of a file, with a 0 behind it, to be freed; NULL: it cannot be read, or is larger than `most` bytes. */
char *file_bytes(const char *path, size_t most, size_t *length);

#endif
