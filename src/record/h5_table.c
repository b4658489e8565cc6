/* h5_table.c: see h5_table.h. III.A of the specification describes the tree: a node has keys and children in turn, and
 * one key more at its end; the key of a chunk is its size and the number of its first row. */

#include "record/h5_table.h"

enum {
    node_head = 24,
    key_size = 24,
    entry_size = key_size + 8,
    node_size = node_head + THRONG_H5_FAN * entry_size + key_size
};

uint64_t throng_h5_room(throng_h5_file *file, size_t size, size_t align) {
    uint64_t at = (file->end + align - 1) / align * align;
    file->end = at + size;
    return at;
}

void throng_h5_table_begin(throng_h5_table *table, throng_bytes *bytes, uint64_t base, const throng_h5_field *fields,
                           size_t count, uint32_t chunk_rows) {
    throng_bytes_pad(bytes, 512);
    table->header = base + throng_h5_begin_header(bytes);
    table->row_size = throng_h5_size(fields, count);
    table->chunk_rows = chunk_rows;
    throng_h5_add_table(bytes, fields, count, chunk_rows);
}

void throng_h5_table_end(throng_h5_table *table, throng_bytes *bytes, uint64_t base) {
    throng_h5_end_header(bytes);
    memcpy(table->head, bytes->data + (table->header - base), THRONG_H5_HEAD);
}

static void put_key(unsigned char *out, const throng_h5_table *table, uint64_t row) {
    throng_put(out, (uint64_t)table->chunk_rows * table->row_size, 4);
    throng_put(out + 4, 0, 4); /* every filter is applied: there is none */
    throng_put(out + 8, row, 8);
    throng_put(out + 16, 0, 8);
}

static void begin_node(struct throng_h5_node *node, int level, uint64_t left) {
    memset(node->bytes, 0, sizeof node->bytes);
    memcpy(node->bytes, "TREE\1", 5);
    node->bytes[5] = (unsigned char)level;
    throng_put(node->bytes + 8, left, 8);
    throng_put(node->bytes + 16, THRONG_H5_NOWHERE, 8);
    node->count = 0;
}

static bool write_node(struct throng_h5_node *node, throng_h5_file *file, throng_error *error) {
    throng_put(node->bytes + 6, (uint64_t)node->count, 2);
    return throng_target_write(file->target, node->bytes, node_size, node->at, error);
}

static void add_entry(struct throng_h5_node *node, const throng_h5_table *table, uint64_t row, uint64_t next,
                      uint64_t child) {
    unsigned char *entry = node->bytes + node_head + node->count * entry_size;
    put_key(entry, table, row);
    throng_put(entry + key_size, child, 8);
    put_key(entry + entry_size, table, next);
    node->count++;
}

/* Tells the nodes above a level that what is below them ends later now. */
static bool move_ends(throng_h5_table *table, throng_h5_file *file, int level, uint64_t next, throng_error *error) {
    for (; level < table->levels; level++) {
        struct throng_h5_node *node = &table->nodes[level];
        put_key(node->bytes + node_head + node->count * entry_size, table, next);
        if (!write_node(node, file, error)) return false;
    }
    return true;
}

/* Adds a chunk that holds rows from `row` to `next`. A full node gets a right neighbour, which is then to be added to
 * the node above. */
static bool add_chunk(throng_h5_table *table, throng_h5_file *file, uint64_t row, uint64_t next, uint64_t child,
                      throng_error *error) {
    uint64_t left = THRONG_H5_NOWHERE;
    for (int level = 0; level < THRONG_H5_LEVELS; level++) {
        struct throng_h5_node *node = &table->nodes[level];
        bool missing = level == table->levels, full = !missing && node->count == THRONG_H5_FAN;
        if (!missing && !full) {
            add_entry(node, table, row, next, child);
            return write_node(node, file, error) && move_ends(table, file, level + 1, next, error);
        }
        uint64_t old = full ? node->at : THRONG_H5_NOWHERE, at = throng_h5_room(file, THRONG_H5_PAGE, THRONG_H5_PAGE);
        if (full) {
            throng_put(node->bytes + 16, at, 8);
            if (!write_node(node, file, error)) return false;
        }
        begin_node(node, level, old);
        node->at = at;
        /* A new top is also above what was the top before. */
        if (missing && level > 0) add_entry(node, table, 0, row, left);
        add_entry(node, table, row, next, child);
        if (!write_node(node, file, error)) return false;
        if (missing) {
            table->levels++;
            return true;
        }
        left = old;
        child = at;
    }
    return throng_refuse_write(error, file->target->path, "an .h5 file holds no more rows");
}

bool throng_h5_table_add(throng_h5_table *table, throng_h5_file *file, const void *rows, size_t count,
                         throng_error *error) {
    const unsigned char *from = rows;
    while (count > 0) {
        size_t used = (size_t)(table->row_count % table->chunk_rows), fits = table->chunk_rows - used;
        if (used == 0) {
            table->chunk = throng_h5_room(file, table->chunk_rows * table->row_size, 8);
            if (!add_chunk(table, file, table->row_count, table->row_count + table->chunk_rows, table->chunk, error))
                return false;
        }
        if (fits > count) fits = count;
        if (!throng_target_write(file->target, from, fits * table->row_size, table->chunk + used * table->row_size,
                                 error))
            return false;
        from += fits * table->row_size;
        table->row_count += fits;
        count -= fits;
    }
    return true;
}

bool throng_h5_table_show(throng_h5_table *table, throng_h5_file *file, throng_error *error) {
    throng_put(table->head + THRONG_H5_ROWS, table->row_count, 8);
    if (table->levels > 0) throng_put(table->head + THRONG_H5_CHUNKS, table->nodes[table->levels - 1].at, 8);
    return throng_target_write(file->target, table->head, sizeof table->head, table->header, error);
}
