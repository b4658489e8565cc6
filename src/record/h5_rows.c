/* h5_rows.c: the rows of tables in HDF5 files; see h5_source.h. */

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "record/h5_source.h"

enum { MESSAGE_SPACE = 1, MESSAGE_TYPE = 3, MESSAGE_LAYOUT = 8, MESSAGE_FILTERS = 11 };
enum { LAYOUT_COMPACT, LAYOUT_CONTIGUOUS, LAYOUT_CHUNKED };
enum { FILTER_DEFLATE = 1, FILTER_SHUFFLE = 2, FILTER_CHECKSUM = 3 };
enum { depth_most = 20, width_most = 1 << 16, deflate_most = 1100 /* deflate can make no more of a byte */ };
static const uint64_t chunk_most = (uint64_t)1 << 30, chunks_most = 50000000;

static bool read_space(throng_h5_source *source, const throng_h5_object *object, uint64_t *count) {
    const throng_h5_message *space = throng_h5_find(object, MESSAGE_SPACE);
    size_t at = space && space->size && space->body[0] == 1 ? 8 : 4;
    if (!space || space->size < at + 8 || space->body[1] != 1)
        return throng_h5_fail(source, "expected a table of one dimension");
    *count = throng_get(space->body + at, 8);
    return true;
}

static bool read_filters(throng_h5_source *source, const throng_h5_object *object, throng_h5_rows *rows) {
    const throng_h5_message *filters = throng_h5_find(object, MESSAGE_FILTERS);
    if (!filters) return true;
    const unsigned char *at = filters->body, *end = at + filters->size;
    if (filters->size < 2 || at[0] < 1 || at[0] > 2) return throng_h5_fail(source, "its list of filters is damaged");
    int version = at[0];
    size_t count = at[1];
    at += version == 1 ? 8 : 2;
    for (size_t i = 0; i < count; i++) {
        if (end - at < 8) return throng_h5_fail(source, "its list of filters is damaged");
        unsigned id = (unsigned)throng_get(at, 2);
        bool named = version == 1 || id >= 256;
        size_t name = named ? (size_t)throng_get(at + 2, 2) : 0;
        if (version == 1) name = (name + 7) / 8 * 8;
        size_t values = (size_t)throng_get(at + (named ? 6 : 4), 2), head = named ? 8 : 6;
        size_t length = head + name + 4 * (values + (version == 1 ? values % 2 : 0));
        if ((size_t)(end - at) < length) return throng_h5_fail(source, "its list of filters is damaged");
        if (id < FILTER_DEFLATE || id > FILTER_CHECKSUM || i >= sizeof rows->filters / sizeof *rows->filters)
            return throng_h5_fail(source,
                                  "its rows are packed in a way that is not known; h5repack -f GZIP=4 makes it "
                                  "readable");
        rows->filters[i].id = id;
        rows->filters[i].width = values ? (size_t)throng_get(at + head + name, 4) : 1;
        rows->filter_count++;
        at += length;
    }
    return true;
}

/* The tree of chunks (III.A): lists those that the table needs. `level` is the one that the node must be of, -1 for
 * any; `nodes_left` sees that a tree which bites its tail comes to an end. */
static bool list_chunks(throng_h5_rows *rows, uint64_t at, int level, uint64_t *nodes_left) {
    throng_h5_source *source = rows->source;
    unsigned char head[8], entry[32];
    if (!throng_h5_get(source, at, head, sizeof head)) return false;
    bool good = memcmp(head, "TREE", 4) == 0 && head[4] == 1 && head[5]<depth_most && * nodes_left> 0;
    if (!good || (level >= 0 && head[5] != level)) return throng_h5_fail(source, "its tree of chunks is damaged");
    level = head[5];
    (*nodes_left)--;
    for (uint64_t i = 0; i < throng_get(head + 6, 2); i++) {
        if (!throng_h5_get(source, at + 24 + 32 * i, entry, sizeof entry)) return false;
        uint64_t first = throng_get(entry + 8, 8), child = throng_get(entry + 24, 8);
        if (level > 0) {
            if (!list_chunks(rows, child, level - 1, nodes_left)) return false;
            continue;
        }
        if (first >= rows->count || first % rows->chunk_rows != 0) continue;
        if (rows->chunk_count >= chunks_most || rows->chunk_count > source->size / 32)
            return throng_h5_fail(source, "its tree of chunks is damaged");
        THRONG_GROW(rows->chunks, rows->chunk_capacity, rows->chunk_count + 1);
        rows->chunks[rows->chunk_count++] =
            (struct throng_h5_chunk){first, child, (uint32_t)throng_get(entry, 4), (uint32_t)throng_get(entry + 4, 4)};
    }
    return true;
}

static int compare_chunks(const void *a, const void *b) {
    uint64_t first = ((const struct throng_h5_chunk *)a)->first, second = ((const struct throng_h5_chunk *)b)->first;
    return first < second ? -1 : first > second;
}

static bool read_chunked(throng_h5_rows *rows, uint64_t tree, uint64_t chunk_rows, uint64_t row_size) {
    throng_h5_source *source = rows->source;
    if (chunk_rows == 0 || row_size != rows->type.whole.size || chunk_rows > chunk_most / row_size)
        return throng_h5_fail(source, "its chunks are damaged");
    rows->chunk_rows = chunk_rows;
    if (tree == THRONG_H5_NOWHERE) return rows->count == 0 || throng_h5_fail(source, "it has no chunks");
    uint64_t nodes_left = source->size / 100 + 1; /* the smallest node takes more bytes */
    if (!list_chunks(rows, tree, -1, &nodes_left)) return false;
    if (rows->chunk_count) qsort(rows->chunks, rows->chunk_count, sizeof *rows->chunks, compare_chunks);
    uint64_t needed = rows->count / chunk_rows + (rows->count % chunk_rows != 0);
    if (rows->chunk_count < needed) return throng_h5_fail(source, "some of its chunks are missing");
    for (size_t i = 0; i < rows->chunk_count; i++)
        if (rows->chunks[i].first != i * chunk_rows) return throng_h5_fail(source, "its tree of chunks is damaged");
    return true;
}

static bool read_layout(const throng_h5_object *object, throng_h5_rows *rows) {
    throng_h5_source *source = rows->source;
    const throng_h5_message *layout = throng_h5_find(object, MESSAGE_LAYOUT);
    if (!layout || layout->size < 4) return throng_h5_fail(source, "it does not say where its rows are");
    const unsigned char *body = layout->body;
    rows->layout = body[1];
    if (body[0] < 3) return throng_h5_fail(source, "it keeps rows in a way that is no longer known");
    if (body[0] > 4 || (body[0] == 4 && rows->layout == LAYOUT_CHUNKED))
        return throng_h5_fail(source,
                              "it keeps rows in a way of the latest version of HDF5; written by h5py without "
                              "libver='latest' it can be read");
    uint64_t bytes;
    if (__builtin_mul_overflow(rows->count, rows->type.whole.size, &bytes) || bytes > SIZE_MAX / 2)
        return throng_h5_fail(source, "it says that it has more rows than there can be");
    if (rows->layout == LAYOUT_COMPACT) {
        size_t size = (size_t)throng_get(body + 2, 2);
        if (size > layout->size - 4 || bytes > size) return throng_h5_fail(source, "rows are missing in it");
        rows->compact = throng_copy_bytes(body + 4, size);
        return true;
    }
    if (rows->layout == LAYOUT_CONTIGUOUS && layout->size >= 18) {
        rows->at = throng_get(body + 2, 8);
        bool inside = rows->count == 0 || (rows->at <= source->size && bytes <= source->size - rows->at);
        return inside || throng_h5_fail(source, "rows are missing in it");
    }
    if (rows->layout == LAYOUT_CHUNKED && layout->size >= 19 && body[2] == 2)
        return read_chunked(rows, throng_get(body + 3, 8), throng_get(body + 11, 4), throng_get(body + 15, 4));
    return throng_h5_fail(source, "it does not say where its rows are");
}

bool throng_h5_rows_open(throng_h5_source *source, const throng_h5_object *object, throng_h5_rows *rows) {
    *rows = (throng_h5_rows){.source = source, .cached_first = UINT64_MAX};
    const throng_h5_message *type = throng_h5_find(object, MESSAGE_TYPE);
    if (!type || !throng_h5_type_read(type->body, type->size, &rows->type) || rows->type.whole.size == 0)
        return throng_h5_fail(source, "the type of its rows is not one that is known");
    return read_space(source, object, &rows->count) && read_filters(source, object, rows) && read_layout(object, rows);
}

void throng_h5_rows_release(throng_h5_rows *rows) {
    THRONG_RELEASE(rows->compact, rows->chunks, rows->cached, rows->packed, rows->row);
    *rows = (throng_h5_rows){0};
}

/* Puts the bytes of values together again that stand apart: all first bytes, all second ones ... */
static void unshuffle(const unsigned char *in, size_t size, size_t width, unsigned char *out) {
    size_t count = width ? size / width : 0;
    for (size_t k = 0; k < width; k++)
        for (size_t i = 0; i < count; i++) out[i * width + k] = in[k * count + i];
    memcpy(out + count * width, in + count * width, size - count * width);
}

static void swap(throng_h5_rows *rows) {
    unsigned char *other = rows->cached;
    rows->cached = rows->packed;
    rows->packed = other;
}

/* Undoes one filter on the `size` bytes in `packed`; the result is in `packed` again. */
static bool undo(throng_h5_rows *rows, const struct throng_h5_filter *filter, size_t *size, size_t full) {
    if (filter->id == FILTER_CHECKSUM) {
        if (*size < 4) return false;
        *size -= 4;
        return true;
    }
    if (filter->id == FILTER_SHUFFLE) {
        if (*size > full) return false;
        unshuffle(rows->packed, *size, filter->width, rows->cached);
    } else {
        uLongf made = full + 4;
        if (*size < full / deflate_most) return false;
        if (uncompress(rows->cached, &made, rows->packed, *size) != Z_OK) return false;
        *size = made;
    }
    swap(rows);
    return true;
}

static bool load_chunk(throng_h5_rows *rows, const struct throng_h5_chunk *chunk) {
    size_t full = (size_t)rows->chunk_rows * rows->type.whole.size, size = chunk->size;
    if (rows->filter_count == 0 && size != full) return throng_h5_fail(rows->source, "a chunk in it is damaged");
    if (size > rows->source->size || (rows->filter_count == 0 && full > rows->source->size) ||
        full / deflate_most > rows->source->size)
        return throng_h5_fail(rows->source, "a chunk in it is damaged");
    size_t room = (size > full ? size : full) + 16;
    if (room > rows->cached_capacity) {
        rows->cached = throng_reallocate(rows->cached, room);
        rows->packed = throng_reallocate(rows->packed, room);
        rows->cached_capacity = room;
    }
    rows->cached_first = UINT64_MAX;
    if (!throng_h5_get(rows->source, chunk->at, rows->packed, size)) return false;
    for (size_t i = rows->filter_count; i-- > 0;) {
        if (chunk->mask >> i & 1) continue;
        if (!undo(rows, &rows->filters[i], &size, full))
            return throng_h5_fail(rows->source, "a chunk in it cannot be unpacked");
    }
    if (size < full) return throng_h5_fail(rows->source, "a chunk in it is damaged");
    swap(rows);
    rows->cached_first = chunk->first;
    return true;
}

bool throng_h5_rows_get(throng_h5_rows *rows, uint64_t first, size_t count, unsigned char *out) {
    size_t width = rows->type.whole.size;
    if (first > rows->count || count > rows->count - first)
        return throng_h5_fail(rows->source, "rows are missing in it");
    if (count == 0) return true;
    if (rows->layout == LAYOUT_COMPACT) memcpy(out, rows->compact + first * width, count * width);
    if (rows->layout == LAYOUT_CONTIGUOUS)
        return throng_h5_get(rows->source, rows->at + first * width, out, count * width);
    while (rows->layout == LAYOUT_CHUNKED && count > 0) {
        const struct throng_h5_chunk *chunk = &rows->chunks[first / rows->chunk_rows];
        if (rows->cached_first != chunk->first && !load_chunk(rows, chunk)) return false;
        size_t skip = (size_t)(first - chunk->first), piece = (size_t)rows->chunk_rows - skip;
        if (piece > count) piece = count;
        memcpy(out, rows->cached + skip * width, piece * width);
        out += piece * width;
        first += piece;
        count -= piece;
    }
    return true;
}

const unsigned char *throng_h5_row(throng_h5_rows *rows, uint64_t number) {
    if (!rows->row && rows->type.whole.size < width_most) rows->row = throng_allocate(rows->type.whole.size);
    return rows->row && throng_h5_rows_get(rows, number, 1, rows->row) ? rows->row : NULL;
}
