/* h5_bytes.c: see h5_bytes.h. */

#include "record/h5_bytes.h"

#include "base/memory.h"

const char throng_h5_magic[8] = "\x89HDF\r\n\x1a\n";

enum {
    MESSAGE_SPACE = 1,
    MESSAGE_TYPE = 3,
    MESSAGE_FILL = 5,
    MESSAGE_LAYOUT = 8,
    MESSAGE_ATTRIBUTE = 12,
    MESSAGE_LINKS = 17
};

void throng_bytes_add(throng_bytes *bytes, const void *data, size_t count) {
    THRONG_GROW(bytes->data, bytes->capacity, bytes->length + count + 1);
    if (count) memcpy(bytes->data + bytes->length, data, count);
    bytes->length += count;
}

void throng_bytes_whole(throng_bytes *bytes, uint64_t value, int size) {
    unsigned char text[8];
    throng_put(text, value, size);
    throng_bytes_add(bytes, text, (size_t)size);
}

void throng_bytes_pad(throng_bytes *bytes, size_t multiple) {
    while (bytes->length % multiple) throng_bytes_whole(bytes, 0, 1);
}

void throng_bytes_set(throng_bytes *bytes, size_t at, uint64_t value, int size) {
    throng_put(bytes->data + at, value, size);
}

static size_t size_of(throng_h5_type type) { return type == THRONG_H5_TEXT ? THRONG_H5_TEXT_SIZE : 8; }

size_t throng_h5_size(const throng_h5_field *fields, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) size += size_of(fields[i].type);
    return size;
}

/* Class and version, three bytes of flags, size. */
static void add_type_head(throng_bytes *bytes, int class, uint32_t flags, size_t size) {
    throng_bytes_whole(bytes, 0x10u | (unsigned)class, 1);
    throng_bytes_whole(bytes, flags, 3);
    throng_bytes_whole(bytes, size, 4);
}

static void add_type(throng_bytes *bytes, throng_h5_type type) {
    if (type == THRONG_H5_I64) {
        add_type_head(bytes, 0, 0x08, 8);       /* signed, little-endian */
        throng_bytes_whole(bytes, 0x400000, 4); /* from bit 0, 64 bits */
    } else if (type == THRONG_H5_F64) {
        add_type_head(bytes, 1, 0x3F20, 8); /* little-endian, sign in bit 63, a leading 1 that is not stored */
        throng_bytes_whole(bytes, 0x400000, 4);
        throng_bytes_whole(bytes, 0x34000B34, 4); /* exponent: from bit 52, 11 bits; mantissa: from bit 0, 52 bits */
        throng_bytes_whole(bytes, 1023, 4);
    } else {
        add_type_head(bytes, 9, 0x0101, THRONG_H5_TEXT_SIZE); /* of any length, a text, UTF-8 */
        add_type_head(bytes, 0, 0, 1);                        /* of bytes */
        throng_bytes_whole(bytes, 0x080000, 4);
    }
}

static void add_row_type(throng_bytes *bytes, const throng_h5_field *fields, size_t count) {
    if (count == 1 && !*fields->name) {
        add_type(bytes, fields->type);
        return;
    }
    add_type_head(bytes, 6, (uint32_t)count, throng_h5_size(fields, count));
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        throng_bytes_add(bytes, fields[i].name, strlen(fields[i].name) + 1);
        /* Names are padded from where they begin, which is a multiple of 4. */
        size_t length = strlen(fields[i].name) + 1;
        for (; length % 8; length++) throng_bytes_whole(bytes, 0, 1);
        throng_bytes_whole(bytes, offset, 4);
        for (int k = 0; k < 7; k++) throng_bytes_whole(bytes, 0, 4); /* no dimensions */
        add_type(bytes, fields[i].type);
        offset += size_of(fields[i].type);
    }
}

size_t throng_h5_begin_header(throng_bytes *bytes) {
    bytes->header = bytes->length;
    throng_bytes_whole(bytes, 1, 4); /* version, nothing, number of messages to be set */
    throng_bytes_whole(bytes, 1, 4); /* one link to it */
    throng_bytes_whole(bytes, 0, 8); /* size to be set, padding */
    return bytes->header;
}

void throng_h5_end_header(throng_bytes *bytes) {
    throng_bytes_set(bytes, bytes->header + 8, bytes->length - bytes->header - 16, 4);
}

/* Begins a message; returns where its body begins. Headers begin at multiples of 8. */
static size_t begin_message(throng_bytes *bytes, int type) {
    unsigned count = bytes->data[bytes->header + 2] + 1u;
    throng_bytes_set(bytes, bytes->header + 2, count, 2);
    throng_bytes_whole(bytes, (unsigned)type, 2);
    throng_bytes_whole(bytes, 0, 6); /* size to be set, flags */
    return bytes->length;
}

static void end_message(throng_bytes *bytes, size_t body) {
    while ((bytes->length - body) % 8) throng_bytes_whole(bytes, 0, 1);
    throng_bytes_set(bytes, body - 6, bytes->length - body, 2);
}

void throng_h5_add_table(throng_bytes *bytes, const throng_h5_field *fields, size_t count, uint32_t chunk_rows) {
    size_t body = begin_message(bytes, MESSAGE_SPACE);
    throng_bytes_whole(bytes, 0x010101, 8); /* version 1, one dimension, which may grow */
    throng_bytes_whole(bytes, 0, 8);
    throng_bytes_whole(bytes, UINT64_MAX, 8); /* without end */
    end_message(bytes, body);

    body = begin_message(bytes, MESSAGE_LAYOUT);
    throng_bytes_whole(bytes, 0x020203, 3); /* version 3, in chunks, one dimension and the size of a row */
    throng_bytes_whole(bytes, THRONG_H5_NOWHERE, 8);
    throng_bytes_whole(bytes, chunk_rows, 4);
    throng_bytes_whole(bytes, throng_h5_size(fields, count), 4);
    end_message(bytes, body);

    body = begin_message(bytes, MESSAGE_FILL);
    throng_bytes_whole(bytes, 0x00000302, 4); /* version 2, room is made as chunks come, nothing to fill with */
    end_message(bytes, body);

    body = begin_message(bytes, MESSAGE_TYPE);
    add_row_type(bytes, fields, count);
    end_message(bytes, body);
}

void throng_h5_add_links(throng_bytes *bytes, uint64_t tree, uint64_t heap) {
    size_t body = begin_message(bytes, MESSAGE_LINKS);
    throng_bytes_whole(bytes, tree, 8);
    throng_bytes_whole(bytes, heap, 8);
    end_message(bytes, body);
}

/* Name, type and space of an attribute, each padded to 8 bytes; `type` is written by the caller before. */
static size_t begin_attribute(throng_bytes *bytes, const char *name, const throng_bytes *type) {
    size_t body = begin_message(bytes, MESSAGE_ATTRIBUTE), length = strlen(name) + 1;
    throng_bytes_whole(bytes, 1, 2); /* version 1 */
    throng_bytes_whole(bytes, length, 2);
    throng_bytes_whole(bytes, type->length, 2);
    throng_bytes_whole(bytes, 8, 2);
    throng_bytes_add(bytes, name, length);
    for (; length % 8; length++) throng_bytes_whole(bytes, 0, 1);
    throng_bytes_add(bytes, type->data, type->length);
    for (length = type->length; length % 8; length++) throng_bytes_whole(bytes, 0, 1);
    throng_bytes_whole(bytes, 1, 8); /* a space of one value */
    return body;
}

static size_t add_attribute(throng_bytes *bytes, const char *name, throng_h5_type type, const void *value) {
    throng_bytes described = {0};
    add_type(&described, type);
    size_t body = begin_attribute(bytes, name, &described), at = bytes->length;
    throng_release(described.data);
    throng_bytes_add(bytes, value, size_of(type));
    end_message(bytes, body);
    return at;
}

size_t throng_h5_add_number(throng_bytes *bytes, const char *name, double value) {
    unsigned char stored[8];
    throng_put_real(stored, value);
    return add_attribute(bytes, name, THRONG_H5_F64, stored);
}

size_t throng_h5_add_whole(throng_bytes *bytes, const char *name, int64_t value) {
    unsigned char stored[8];
    throng_put(stored, (uint64_t)value, 8);
    return add_attribute(bytes, name, THRONG_H5_I64, stored);
}

void throng_h5_put_text(unsigned char out[THRONG_H5_TEXT_SIZE], size_t length, uint64_t heap, uint32_t number) {
    throng_put(out, length, 4);
    throng_put(out + 4, heap, 8);
    throng_put(out + 12, number, 4);
}

size_t throng_h5_add_text(throng_bytes *bytes, const char *name, size_t length, uint64_t heap, uint32_t number) {
    unsigned char stored[THRONG_H5_TEXT_SIZE];
    throng_h5_put_text(stored, length, heap, number);
    return add_attribute(bytes, name, THRONG_H5_TEXT, stored);
}

size_t throng_h5_add_short_text(throng_bytes *bytes, const char *name, const char *text, size_t size) {
    throng_bytes described = {0};
    add_type_head(&described, 3, 0x10, size); /* ended by a 0, UTF-8 */
    size_t body = begin_attribute(bytes, name, &described), at = bytes->length;
    throng_release(described.data);
    for (size_t i = 0, length = strlen(text); i < size; i++)
        throng_bytes_whole(bytes, i < length && i + 1 < size ? (unsigned char)text[i] : 0, 1);
    end_message(bytes, body);
    return at;
}

static size_t padded(size_t length) { return (length + 7) / 8 * 8; }

size_t throng_h5_heap_size(size_t text_count, size_t text_bytes) {
    size_t least = 4096, size = 2 * THRONG_H5_HEAP_START + text_count * (THRONG_H5_HEAP_ITEM + 8) + text_bytes;
    return size < least ? least : padded(size);
}

void throng_h5_heap_begin(unsigned char *heap, size_t size) {
    memset(heap, 0, size);
    memcpy(heap, "GCOL\1", 5);
    throng_put(heap + 8, size, 8);
}

size_t throng_h5_heap_add(unsigned char *heap, size_t at, uint32_t number, const char *text, size_t length) {
    throng_put(heap + at, number, 2);
    throng_put(heap + at + 2, 1, 2); /* used once */
    throng_put(heap + at + 8, length, 8);
    memcpy(heap + at + THRONG_H5_HEAP_ITEM, text, length);
    return at + THRONG_H5_HEAP_ITEM + padded(length);
}

void throng_h5_heap_end(unsigned char *heap, size_t at, size_t size) {
    if (size - at >= THRONG_H5_HEAP_ITEM) throng_put(heap + at + 8, size - at, 8); /* number 0: what is free */
}

enum { tree_size = 544, names_head = 32, list_head = 8, entry_size = 40, link_most = 8 };

/* Where the name of a link is among the names, which begin with an empty one. */
static size_t name_at(const throng_h5_link *links, size_t index) {
    size_t at = 8;
    for (size_t i = 0; i < index; i++) at += padded(strlen(links[i].name) + 1);
    return at;
}

void throng_h5_put_list(unsigned char out[THRONG_H5_LIST_SIZE], const throng_h5_link *all, size_t count) {
    memset(out, 0, THRONG_H5_LIST_SIZE);
    memcpy(out, "SNOD\1", 5);
    unsigned used = 0;
    for (size_t i = 0; i < count && i < link_most; i++) {
        if (all[i].header == THRONG_H5_NOWHERE) continue;
        throng_put(out + list_head + used * entry_size, name_at(all, i), 8);
        throng_put(out + list_head + used * entry_size + 8, all[i].header, 8);
        used++;
    }
    throng_put(out + 6, used, 2);
}

throng_h5_group throng_h5_add_group(throng_bytes *bytes, uint64_t base, const throng_h5_link *links, size_t count) {
    throng_bytes_pad(bytes, 8);
    throng_h5_group group = {.tree = base + bytes->length};
    group.heap = group.tree + tree_size;
    size_t names = name_at(links, count);
    size_t start = bytes->length;
    unsigned char tree[tree_size] = "TREE";
    throng_put(tree + 6, 1, 2); /* a leaf of a group's tree with one child */
    throng_put(tree + 8, THRONG_H5_NOWHERE, 8);
    throng_put(tree + 16, THRONG_H5_NOWHERE, 8);
    throng_put(tree + 40, name_at(links, count - 1), 8); /* the last name of the child */
    throng_bytes_add(bytes, tree, sizeof tree);

    unsigned char heap[names_head] = "HEAP";
    throng_put(heap + 8, names, 8);
    throng_put(heap + 16, 1, 8); /* nothing is free */
    throng_put(heap + 24, group.heap + names_head, 8);
    throng_bytes_add(bytes, heap, sizeof heap);
    throng_bytes_whole(bytes, 0, 8);
    for (size_t i = 0; i < count; i++) {
        throng_bytes_add(bytes, links[i].name, strlen(links[i].name) + 1);
        throng_bytes_pad(bytes, 8);
    }

    /* The list is written over when a link is added: within a page, so that it is never half done. */
    throng_bytes_pad(bytes, 512);
    group.list = base + bytes->length;
    unsigned char list[THRONG_H5_LIST_SIZE];
    throng_h5_put_list(list, links, count);
    throng_bytes_add(bytes, list, sizeof list);
    throng_bytes_set(bytes, start + 32, group.list, 8);
    return group;
}
