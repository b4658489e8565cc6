/* h5_bytes.h: the pieces that an HDF5 file is made of, as bytes to be written.
 *
 * Only what the oldest version of the format has (superblock 0, object headers 1), which every program reads. The
 * specification is "HDF5 File Format Specification Version 2.0"; its section numbers stand beside the functions. */

#ifndef THRONG_H5_BYTES_H
#define THRONG_H5_BYTES_H

#include "record/bytes.h"
#include "record/record.h"

#define THRONG_H5_NOWHERE UINT64_MAX /* the address of what is not there */

extern const char throng_h5_magic[8];

/* Bytes that grow; release `data` at the end. */
typedef struct throng_bytes {
    unsigned char *data;
    size_t length, capacity;
    size_t header; /* where the object header that messages are added to begins */
} throng_bytes;

void throng_bytes_add(throng_bytes *bytes, const void *data, size_t count);
void throng_bytes_whole(throng_bytes *bytes, uint64_t value, int size); /* little-endian */
void throng_bytes_pad(throng_bytes *bytes, size_t multiple);            /* with zeros */
/* Over bytes that are there already. */
void throng_bytes_set(throng_bytes *bytes, size_t at, uint64_t value, int size);

/* IV.A.2.d: types. */
typedef enum throng_h5_type { THRONG_H5_I64, THRONG_H5_F64, THRONG_H5_TEXT } throng_h5_type;

/* A text as a value: length, where its heap is, its number there. */
enum { THRONG_H5_TEXT_SIZE = 16 };
void throng_h5_put_text(unsigned char out[THRONG_H5_TEXT_SIZE], size_t length, uint64_t heap, uint32_t number);

typedef struct throng_h5_field {
    const char *name;
    throng_h5_type type;
} throng_h5_field;

/* The size of a value, or of a row of fields. */
size_t throng_h5_size(const throng_h5_field *fields, size_t count);

/* IV.A.1: an object header. The table's messages begin with what changes when it grows: the number of rows is
 * THRONG_H5_ROWS bytes after the start of the header, the address of its chunks THRONG_H5_CHUNKS. */
enum { THRONG_H5_ROWS = 32, THRONG_H5_CHUNKS = 59, THRONG_H5_HEAD = 67 };

size_t throng_h5_begin_header(throng_bytes *bytes);
void throng_h5_end_header(throng_bytes *bytes);
/* A table without rows; one field without a name makes a list of plain values. */
void throng_h5_add_table(throng_bytes *bytes, const throng_h5_field *fields, size_t count, uint32_t chunk_rows);
/* Symbol table message of a group. */
void throng_h5_add_links(throng_bytes *bytes, uint64_t tree, uint64_t heap);
/* Attributes of one value. The place of the value in the bytes is returned. */
size_t throng_h5_add_number(throng_bytes *bytes, const char *name, double value);
size_t throng_h5_add_whole(throng_bytes *bytes, const char *name, int64_t value);
/* A text that stands in the attribute itself and takes `size` bytes; one of any length that is in a heap. */
size_t throng_h5_add_short_text(throng_bytes *bytes, const char *name, const char *text, size_t size);
size_t throng_h5_add_text(throng_bytes *bytes, const char *name, size_t length, uint64_t heap, uint32_t number);

/* III.E: a heap of texts. Its size is known from the start; texts are numbered from 1. Begin, add, end. */
size_t throng_h5_heap_size(size_t text_count, size_t text_bytes); /* enough for these */
void throng_h5_heap_begin(unsigned char *heap, size_t size);
/* The place of the next text; `at` is where the last one ended, first THRONG_H5_HEAP_START. */
enum { THRONG_H5_HEAP_START = 16, THRONG_H5_HEAP_ITEM = 16 };
size_t throng_h5_heap_add(unsigned char *heap, size_t at, uint32_t number, const char *text, size_t length);
void throng_h5_heap_end(unsigned char *heap, size_t at, size_t size);

/* III.A, III.B, III.C, III.D: what a group consists of besides its header, for up to 8 names in order: a tree of one
 * node, a list of links, and the names. `base` is where the bytes begin in the file. */
typedef struct throng_h5_link {
    const char *name;
    uint64_t header; /* where the object is */
} throng_h5_link;

typedef struct throng_h5_group {
    uint64_t tree, heap, list; /* addresses */
} throng_h5_group;

throng_h5_group throng_h5_add_group(throng_bytes *bytes, uint64_t base, const throng_h5_link *links, size_t count);
/* The list of links alone, to be written over. `all` are the names as the group was made with them; links whose
 * header is THRONG_H5_NOWHERE are left out. */
enum { THRONG_H5_LIST_SIZE = 328 };
void throng_h5_put_list(unsigned char out[THRONG_H5_LIST_SIZE], const throng_h5_link *all, size_t count);

#endif
