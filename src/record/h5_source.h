/* h5_source.h: HDF5 files as they are found: ours, those of the archive, of JuPedSim, of h5py.
 *
 * Read here rather than through the library, which was not made for files that are broken on purpose. Understood is
 * what h5py writes unless it is asked for the latest version of the format: superblocks 0 to 3, object headers 1 and 2,
 * groups and attributes stored in headers, tables contiguous or in chunks, with deflate, shuffle and checksums.
 * Whatever is read may be anybody's bytes. */

#ifndef THRONG_H5_SOURCE_H
#define THRONG_H5_SOURCE_H

#include "record/h5_bytes.h"

typedef struct throng_h5_source {
    int file;
    uint64_t size, base; /* addresses count from base */
    uint64_t root;       /* where the root group's header is */
    char reason[200];    /* why the last function failed */
} throng_h5_source;

/* False and a reason when it is no HDF5 file, or of a kind we do not read. */
bool throng_h5_source_open(throng_h5_source *source, const char *path);
void throng_h5_source_close(throng_h5_source *source);
/* Reads bytes at an address. */
bool throng_h5_get(throng_h5_source *source, uint64_t at, void *bytes, size_t count);
bool throng_h5_fail(throng_h5_source *source, const char *reason); /* keeps the reason; returns false */

/* A message of an object header. */
typedef struct throng_h5_message {
    int type;
    bool shared;
    const unsigned char *body;
    size_t size;
} throng_h5_message;

/* An object header with all its messages. */
typedef struct throng_h5_object {
    throng_h5_message *messages;
    size_t count, capacity;
    unsigned char **blocks; /* memory of the messages */
    size_t block_count, block_capacity;
} throng_h5_object;

bool throng_h5_object_read(throng_h5_source *source, uint64_t at, throng_h5_object *object);
void throng_h5_object_release(throng_h5_object *object);
/* The first message of a type that is not shared, or NULL. */
const throng_h5_message *throng_h5_find(const throng_h5_object *object, int type);
/* Where the object of this name in a group is; THRONG_H5_NOWHERE when there is none. */
uint64_t throng_h5_child(throng_h5_source *source, const throng_h5_object *group, const char *name);

/* A type of values. Of compounds, the members. */
typedef enum throng_h5_class {
    THRONG_H5_WHOLE = 0,
    THRONG_H5_FLOAT = 1,
    THRONG_H5_STRING = 3,
    THRONG_H5_COMPOUND = 6,
    THRONG_H5_ENUM = 8,
    THRONG_H5_VARIABLE = 9,
    THRONG_H5_OTHER = -1
} throng_h5_class;

enum { THRONG_H5_MEMBERS = 40, THRONG_H5_NAME = 64 };

typedef struct throng_h5_value_type {
    throng_h5_class class;
    size_t size;
    bool big_endian, is_signed;
    bool text; /* a variable one is a text */
} throng_h5_value_type;

typedef struct throng_h5_row_type {
    throng_h5_value_type whole; /* of the row itself */
    size_t count;               /* of members; 0 when it is no compound */
    struct throng_h5_member {
        char name[THRONG_H5_NAME];
        size_t offset;
        throng_h5_value_type type;
    } members[THRONG_H5_MEMBERS];
} throng_h5_row_type;

/* False when the bytes describe no type. */
bool throng_h5_type_read(const unsigned char *bytes, size_t size, throng_h5_row_type *type);
/* A number of a value; false when it is not one. */
bool throng_h5_value_number(const throng_h5_value_type *type, const unsigned char *value, double *number);
bool throng_h5_value_whole(const throng_h5_value_type *type, const unsigned char *value, int64_t *number);
/* A text of a value, to be released; NULL when it is not one. */
char *throng_h5_value_text(throng_h5_source *source, const throng_h5_value_type *type, const unsigned char *value);

/* Attributes of one value; false or NULL when there is none of this name that is one. */
bool throng_h5_attribute_number(throng_h5_source *source, const throng_h5_object *object, const char *name,
                                double *number);
char *throng_h5_attribute_text(throng_h5_source *source, const throng_h5_object *object, const char *name);

/* A table or list of one dimension. */
typedef struct throng_h5_rows {
    throng_h5_source *source;
    throng_h5_row_type type;
    uint64_t count;
    int layout;             /* 0: in the header, 1: contiguous, 2: in chunks */
    unsigned char *compact; /* the rows, when they are in the header */
    uint64_t at;            /* contiguous: where */
    uint64_t chunk_rows;
    struct throng_h5_chunk {
        uint64_t first, at; /* row, address */
        uint32_t size, mask;
    } * chunks; /* in order of row */
    size_t chunk_count, chunk_capacity;
    struct throng_h5_filter {
        unsigned id;
        size_t width; /* of shuffled values */
    } filters[8];
    size_t filter_count;
    unsigned char *cached, *packed; /* the chunk read last, and room to unpack it */
    size_t cached_capacity;         /* of both */
    uint64_t cached_first;          /* its first row; UINT64_MAX: none */
    unsigned char *row;             /* room for one */
} throng_h5_rows;

bool throng_h5_rows_open(throng_h5_source *source, const throng_h5_object *object, throng_h5_rows *rows);
/* Copies rows `first` .. `first + count - 1`. */
bool throng_h5_rows_get(throng_h5_rows *rows, uint64_t first, size_t count, unsigned char *out);
/* One row, which is there until the next is asked for; NULL when it cannot be read. */
const unsigned char *throng_h5_row(throng_h5_rows *rows, uint64_t number);
void throng_h5_rows_release(throng_h5_rows *rows);
/* The member of this name, or NULL. */
const struct throng_h5_member *throng_h5_member_named(const throng_h5_row_type *type, const char *name);

#endif
