/* checkpoint.h: the insides of checkpoints (restart files).
 *
 *     world --checkpoint.c--> body --container.c: pack, checksum--> bytes --whole_file.c: write, sync, rename--> file
 *
 * The body says what the world was made from and what has become of it; docs/formats.md has every byte. */

#ifndef THRONG_CHECKPOINT_H
#define THRONG_CHECKPOINT_H

#include <throng/throng.h>

#include "base/archive.h"

enum {
    THRONG_CHECKPOINT_FORMAT = 1,
    THRONG_CHECKPOINT_HEAD = 72,   /* bytes before the packed body */
    THRONG_CHECKPOINT_VERSION = 16 /* of them for the version of the program */
};

/* container.c: a body in its wrapping. Both give bytes that the caller releases; unpack gives NULL and a
 * reason when the bytes are damaged, cut short, or not for this library. */
unsigned char *throng_checkpoint_pack(const void *body, size_t body_size, size_t *size);
unsigned char *throng_checkpoint_unpack(const void *bytes, size_t size, size_t *body_size, throng_error *error);

/* packing.c, or packing_none.c: how the body is made smaller; a number that tells one way from the other. */
extern const uint32_t throng_packing;
size_t throng_packing_room(size_t size);
size_t throng_packing_pack(void *to, size_t room, const void *from, size_t size);
/* Whether packed bytes claim to hold as many. */
bool throng_packing_holds(const void *packed, size_t packed_size, uint64_t size);
bool throng_packing_unpack(void *to, size_t size, const void *packed, size_t packed_size);

/* How long a file with this head is; THRONG_CHECKPOINT_HEAD - 1 when it is none of ours. */
size_t throng_checkpoint_size(const void *head);

/* whole_file.c: a file that is replaced as a whole, or not at all, whatever happens meanwhile. */
bool throng_file_replace(const char *path, const void *bytes, size_t size, throng_error *error);
/* The bytes of a checkpoint's file, or the first of what is none, released by the caller; NULL and a reason when it
 * cannot be read. */
unsigned char *throng_file_read(const char *path, size_t *size, throng_error *error);

/* checkpoint.c: the body of a checkpoint, released by the caller, and a checkpoint from one. */
unsigned char *throng_checkpoint_body(const throng_checkpoint *checkpoint, size_t *size);
throng_checkpoint *throng_checkpoint_from_body(const unsigned char *body, size_t size, throng_error *error);

#endif
