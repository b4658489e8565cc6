/* archive.h: state that is kept and brought back (serialisation). One function describes what a thing remembers, and
 * serves both ways: run on an archive that is written it stores the values, run on one that is read it
 * brings them back.
 *
 *     void throng_gate_archive(throng_gate *gate, throng_archive *archive) {
 *         throng_archive_mark(archive, "gate");
 *         THRONG_ARCHIVE(archive, gate->open_since);
 *         THRONG_ARCHIVE_LIST(archive, gate->queue, gate->queue_count, gate->queue_capacity);
 *     }
 *
 * What is read may be anybody's bytes. An archive that runs out or finds another mark than the one
 * expected turns bad, gives zeros from then on, and says why; whoever reads checks what numbers
 * point to and calls throng_archive_spoil when they point nowhere. Bytes are those of a little-endian
 * machine. */

#ifndef THRONG_ARCHIVE_H
#define THRONG_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <throng/model.h>

struct throng_archive {
    bool reading;
    bool bad;            /* reading went wrong, as `error` tells */
    unsigned char *data; /* written: grows, owned; read: the caller's */
    size_t size;         /* bytes written, or there to be read */
    size_t capacity;     /* of what is written */
    size_t at;           /* bytes read so far */
    bool moves;          /* counts go along: those written begin anew, those read are added to those there are */
    size_t goal_count;   /* of the world, [0] among them: no number of a goal that is read may be beyond */
    throng_error error;
};

throng_archive throng_archive_writing(void);
throng_archive throng_archive_reading(const void *data, size_t size);
void throng_archive_clear(throng_archive *archive); /* releases what was written */

/* <throng/model.h> has what models use of it. */
/* Whole numbers that count what has happened, so that those of several parts of a world add up. */
void throng_archive_counts(throng_archive *archive, uint64_t *counts, size_t count);
/* A growing array: when read, the old items are replaced and room is made. Returns the array. */
void *throng_archive_list(throng_archive *archive, void *items, size_t *count, size_t *capacity, size_t item_size);
/* A text of the library's memory: when read, the old one is released. Returns the text. */
char *throng_archive_text(throng_archive *archive, char *text);

#define THRONG_ARCHIVE(archive, value) throng_archive_bytes((archive), &(value), sizeof(value))
#define THRONG_ARCHIVE_LIST(archive, items, count, capacity) \
    ((items) = throng_archive_list((archive), (items), &(count), &(capacity), sizeof *(items)))

#endif
