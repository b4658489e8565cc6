/* file.h: whole files as text, and paths. */

#ifndef THRONG_FILE_H
#define THRONG_FILE_H

#include <throng/throng.h>

/* The bytes of a file followed by a 0, to be released; NULL and errno when it cannot be read, EFBIG when it is larger
 * than `most`. A file packed by gzip is unpacked, whatever its name; EBADMSG when it is damaged. */
char *throng_file_bytes(const char *path, size_t most, size_t *length);
/* The same for a text of ours; NULL and a reason when it cannot be read or is too large. */
char *throng_read_file(const char *path, size_t *length, throng_error *error);

/* Whether a path has an ending such as ".wkt", in capitals or not, behind which ".gz" may stand. */
bool throng_path_ends_with(const char *path, const char *ending);

/* The path of a file named in another file: absolute, or in the directory of that file, which may be
 * NULL. The caller releases it. */
char *throng_path_beside(const char *file, const char *name);

#endif
