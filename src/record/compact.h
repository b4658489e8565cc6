/* compact.h: what writing and reading of .throng recordings share. docs/formats.md has every byte.
 *
 *     magic, version | HEAD | GRND | PEOP | PART | OBJS | FRAM | PEOP | FRAM | CHNG | FRAM | ... | INDX | where that is
 *
 * A section is a tag, a checksum, a size and a body. FRAM holds frames as columns of whole numbers:
 * who left, who came, and by how much everybody else differs from a straight way on. A chunk with the
 * key mark begins with nobody, so that reading can begin there. */

#ifndef THRONG_COMPACT_H
#define THRONG_COMPACT_H

#include "record/bytes.h"
#include "record/record.h"

enum {
    THRONG_COMPACT_VERSION = 1,
    THRONG_COMPACT_START = 16,       /* bytes before the first section: magic, version, 0 */
    THRONG_SECTION_HEAD = 16,        /* bytes before a section's body: tag, checksum, size */
    THRONG_CHUNK_HEAD = 56,          /* bytes of throng_chunk before the packed columns */
    THRONG_INDEX_ENTRY = 72,         /* offset, tag, 0, throng_chunk */
    THRONG_COMPACT_END = 16,         /* bytes after the index: its offset, magic */
    THRONG_KEY_INTERVAL = 50,        /* frames from one chunk with the key mark to the next, as we write ... */
    THRONG_KEY_ROWS = 2500000,       /* ... or fewer, when they have so many rows: seeking decodes them all */
    THRONG_KEY_INTERVAL_MOST = 1000, /* as we read */
    THRONG_VALUES_HEAD = 24,         /* bytes before the quantities of VALS: first frame, frames, quantities, rows */
    THRONG_OBJECTS_HEAD = 12,        /* bytes before the things of OBJS: frame, 1 when they go on */
    THRONG_COLUMN_COUNT = 8
};

extern const char throng_compact_magic[8], throng_compact_end_magic[8];

/* What can be known of a FRAM section without unpacking it. */
typedef struct throng_chunk {
    uint64_t first_frame, row_count;
    uint32_t frame_count;
    bool key;
    int64_t low_x, low_y, high_x, high_y; /* of all positions, in units of the file; low > high for none */
} throng_chunk;

/* The columns of a chunk in their order. Signed ones are folded: 0, -1, 1, -2 ... become 0, 1, 2, 3. */
enum throng_chunk_column {
    THRONG_COLUMN_LEAVERS, /* [frame] how many left */
    THRONG_COLUMN_COMERS,  /* [frame] how many came */
    THRONG_COLUMN_GAPS,    /* [leaver] rows of the frame before between this leaver and the one before */
    THRONG_COLUMN_IDS,     /* [comer] id less that of the comer before in the same frame */
    THRONG_COLUMN_COMER_X, /* [comer] signed, position */
    THRONG_COLUMN_COMER_Y,
    THRONG_COLUMN_X, /* [who stays] signed, position less the one foretold: twice the last less the one before */
    THRONG_COLUMN_Y
};

uint64_t throng_fold(int64_t value);
static inline int64_t throng_unfold(uint64_t value) { return (int64_t)(value >> 1) ^ -(int64_t)(value & 1); }

/* Everybody in a frame as columns of one piece of memory. Positions are in units of the file, velocities in those a
 * frame; all unsigned, so that a broken file cannot overflow them. */
enum throng_crowd_column { THRONG_CROWD_ID, THRONG_CROWD_X, THRONG_CROWD_Y, THRONG_CROWD_VX, THRONG_CROWD_VY };

typedef struct throng_compact_crowd {
    uint64_t *columns[THRONG_CROWD_VY + 1];
    size_t count, capacity;
} throng_compact_crowd;

/* Makes room for so many, and keeps those who are there. */
void throng_compact_crowd_reserve(throng_compact_crowd *crowd, size_t capacity);
void throng_compact_crowd_release(throng_compact_crowd *crowd);

/* CRC-32 (IEEE 802.3), as zlib's crc32. */
uint32_t throng_checksum(const unsigned char *bytes, size_t count);
/* Of many bytes, piece by piece: start with 0. */
uint32_t throng_checksum_more(uint32_t checksum, const unsigned char *bytes, size_t count);

void throng_put_chunk(unsigned char out[THRONG_CHUNK_HEAD], const throng_chunk *chunk);
throng_chunk throng_get_chunk(const unsigned char in[THRONG_CHUNK_HEAD]);

/* A column as bytes: how many bytes its widest value needs, then all lowest bytes, all second bytes and so
 * on. Returns the end; takes at most 1 + 8 * count bytes. */
unsigned char *throng_put_column(unsigned char *out, const uint64_t *values, size_t count);

/* A column in its bytes. Its length is what other columns say, so nothing is unpacked before it is asked for. */
typedef struct throng_column_view {
    const unsigned char *planes; /* [width][count] */
    size_t count;
    int width;
} throng_column_view;

/* Looks at a column; returns its end, or NULL when there are not enough bytes before `end`. */
const unsigned char *throng_view_column(const unsigned char *in, const unsigned char *end, size_t count,
                                        throng_column_view *view);
/* Unpacks the values first .. first + count - 1. */
void throng_get_column(const throng_column_view *view, size_t first, size_t count, uint64_t *values);

#endif
