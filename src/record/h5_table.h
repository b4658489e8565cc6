/* h5_table.h: a table in an HDF5 file that grows while others may read it, and stays whole when we are killed.
 *
 *     header (number of rows, root) --> tree of chunks --> chunks of rows
 *
 * Rows are written behind the end of all that is shown; the tree grows at its right edge only, each node within one
 * page; last, the number of rows and the root are written over together. So whatever was written at any moment, the
 * header shows rows that are there. */

#ifndef THRONG_H5_TABLE_H
#define THRONG_H5_TABLE_H

#include "record/h5_bytes.h"

enum { THRONG_H5_PAGE = 4096, THRONG_H5_LEVELS = 8, THRONG_H5_FAN = 64 };

/* The file and its end. */
typedef struct throng_h5_file {
    throng_target *target;
    uint64_t end; /* of all that was made room for */
} throng_h5_file;

/* Room at the end of the file, beginning at a multiple of `align`. */
uint64_t throng_h5_room(throng_h5_file *file, size_t size, size_t align);

typedef struct throng_h5_table {
    uint64_t header; /* where the object header is */
    size_t row_size;
    uint32_t chunk_rows;
    uint64_t row_count; /* written */
    uint64_t chunk;     /* where the last one is */
    int levels;         /* of the tree */
    struct throng_h5_node {
        uint64_t at;
        int count;
        unsigned char bytes[THRONG_H5_PAGE];
    } nodes[THRONG_H5_LEVELS]; /* the right edge: leaf first */
    unsigned char head[THRONG_H5_HEAD];
} throng_h5_table;

/* The header of an empty table, after bytes that begin at `base` in the file, within one page as far as it changes.
 * Attributes may be added before it ends. */
void throng_h5_table_begin(throng_h5_table *table, throng_bytes *bytes, uint64_t base, const throng_h5_field *fields,
                           size_t count, uint32_t chunk_rows);
void throng_h5_table_end(throng_h5_table *table, throng_bytes *bytes, uint64_t base);
bool throng_h5_table_add(throng_h5_table *table, throng_h5_file *file, const void *rows, size_t count,
                         throng_error *error);
/* Shows the rows added; the end of the file was written before. */
bool throng_h5_table_show(throng_h5_table *table, throng_h5_file *file, throng_error *error);

#endif
