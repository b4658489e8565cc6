/* container.c: a checkpoint's body in its wrapping: a head with all sizes and checksums, then the body
 * packed (packing.c). Nothing is believed before its checksum is right. */

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/report.h"
#include "checkpoint/checkpoint.h"
#include "world/state.h"

/* Like PNG's: the first byte is no letter, and a transfer that changes line ends is noticed. */
static const char magic[8] = "\x89THRCKP\n";

/* A state shrinks to a half or a tenth. What unpacks to more than this is no state, and could fill the memory. */
enum { MOST_FOLD = 100, ANY_SIZE = 16 << 20 };

typedef struct head {
    char magic[8];
    uint32_t format, packing;
    char version[THRONG_CHECKPOINT_VERSION]; /* of the program, filled up with zeros */
    uint64_t layout;
    uint64_t packed_size, body_size;
    uint64_t packed_hash;
    uint64_t head_hash; /* of all before it */
} head;

_Static_assert(sizeof(head) == THRONG_CHECKPOINT_HEAD, "the head has no gaps");

static uint64_t hash_head(const head *h) { return throng_hash_bytes(0, h, offsetof(head, head_hash)); }

unsigned char *throng_checkpoint_pack(const void *body, size_t body_size, size_t *size) {
    size_t room = throng_packing_room(body_size);
    unsigned char *bytes = throng_reallocate(NULL, sizeof(head) + room);
    size_t packed = throng_packing_pack(bytes + sizeof(head), room, body, body_size);
    head h = {.format = THRONG_CHECKPOINT_FORMAT,
              .packing = throng_packing,
              .layout = throng_state_layout(),
              .packed_size = packed,
              .body_size = body_size,
              .packed_hash = throng_hash_bytes(0, bytes + sizeof(head), packed)};
    memcpy(h.magic, magic, sizeof magic);
    snprintf(h.version, sizeof h.version, "%s", throng_version());
    h.head_hash = hash_head(&h);
    memcpy(bytes, &h, sizeof h);
    *size = sizeof h + packed;
    return bytes;
}

static bool refuse(throng_error *error, const char *reason) { return throng_refuse(error, 0, 0, "%s", reason); }

static bool check_head(const head *h, size_t size, throng_error *error) {
    if (size == 0) return refuse(error, "the file is empty");
    size_t known = size < sizeof magic ? size : sizeof magic;
    if (memcmp(h->magic, magic, known) != 0) return refuse(error, "this is not a checkpoint of throng");
    if (size < sizeof *h) return refuse(error, "the checkpoint is cut short");
    if (hash_head(h) != h->head_hash)
        return refuse(error, "the checkpoint is damaged: the checksum of its head is wrong");
    if (h->format != THRONG_CHECKPOINT_FORMAT) {
        return throng_refuse(error, 0, 0,
                             "the checkpoint has format %u and was made by throng %.15s; throng %s reads format %d",
                             (unsigned)h->format, h->version, throng_version(), THRONG_CHECKPOINT_FORMAT);
    }
    if (strncmp(h->version, throng_version(), sizeof h->version) != 0) {
        return throng_refuse(
            error, 0, 0,
            "the checkpoint was made by throng %.15s, and this is throng %s: the run would not go on as "
            "it would have there",
            h->version, throng_version());
    }
    if (h->packing != throng_packing)
        return refuse(error, h->packing ? "the checkpoint was made by a build of throng without zstd, and this has it"
                                        : "the checkpoint is packed by zstd, which this build of throng is without");
    if (h->layout != throng_state_layout()) {
        return refuse(error,
                      "the checkpoint was made by another build of throng, whose models or agents keep other things");
    }
    if (h->packed_size > size - sizeof *h) {
        return throng_refuse(error, 0, 0, "the checkpoint is cut short: %zu of %llu bytes are there", size,
                             (unsigned long long)h->packed_size + sizeof *h);
    }
    return h->packed_size == size - sizeof *h || refuse(error, "the checkpoint is damaged: something follows its end");
}

size_t throng_checkpoint_size(const void *bytes) {
    head h;
    memcpy(&h, bytes, sizeof h);
    bool ours = memcmp(h.magic, magic, sizeof magic) == 0 && hash_head(&h) == h.head_hash;
    return ours && h.packed_size < SIZE_MAX / 2 ? sizeof h + (size_t)h.packed_size : sizeof h - 1;
}

/* Whether the packed bytes may be unpacked: one frame, whose size is the one told and not beyond all measure. */
static bool is_sound(const head *h, const void *packed, throng_error *error) {
    if (throng_hash_bytes(0, packed, (size_t)h->packed_size) != h->packed_hash)
        return refuse(error, "the checkpoint is damaged: its checksum is wrong");
    if (h->body_size > ANY_SIZE && h->body_size / MOST_FOLD > h->packed_size)
        return throng_refuse(error, 0, 0, "the checkpoint claims to hold %llu bytes, more than %d times its size",
                             (unsigned long long)h->body_size, MOST_FOLD);
    return (h->body_size > 0 && throng_packing_holds(packed, (size_t)h->packed_size, h->body_size)) ||
           refuse(error, "the checkpoint is damaged: it cannot be unpacked");
}

unsigned char *throng_checkpoint_unpack(const void *bytes, size_t size, size_t *body_size, throng_error *error) {
    const unsigned char *packed = (const unsigned char *)bytes + sizeof(head);
    head h = {0};
    memcpy(&h, bytes, size < sizeof h ? size : sizeof h);
    if (!check_head(&h, size, error) || !is_sound(&h, packed, error)) return NULL;
    unsigned char *body = throng_reallocate(NULL, (size_t)h.body_size);
    if (!throng_packing_unpack(body, (size_t)h.body_size, packed, (size_t)h.packed_size)) {
        throng_release(body);
        refuse(error, "the checkpoint is damaged: it cannot be unpacked");
        return NULL;
    }
    *body_size = (size_t)h.body_size;
    return body;
}
