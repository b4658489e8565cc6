/* h5_source.c: superblock, object headers, links; see h5_source.h. */

#include "record/h5_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { MESSAGE_LINK_INFO = 2, MESSAGE_LINK = 6, MESSAGE_CONTINUED = 16, MESSAGE_SYMBOLS = 17 };
enum { blocks_most = 200, depth_most = 20, nodes_most = 10000 };
static const uint64_t block_most = (uint64_t)64 << 20;

bool throng_h5_fail(throng_h5_source *source, const char *reason) {
    if (!source->reason[0]) snprintf(source->reason, sizeof source->reason, "%s", reason);
    return false;
}

bool throng_h5_get(throng_h5_source *source, uint64_t at, void *bytes, size_t count) {
    if (at > source->size || source->base > source->size - at || count > source->size - at - source->base)
        return throng_h5_fail(source, "it refers to something beyond its end");
    if (throng_read_at(source->file, bytes, count, at + source->base)) return true;
    return throng_h5_fail(source, errno ? strerror(errno) : "it ends too early");
}

/* The signature stands at the start, or at 512, 1024, 2048 ... after something of a user's. */
static bool find_signature(throng_h5_source *source) {
    for (uint64_t at = 0; at < source->size; at = at ? 2 * at : 512) {
        char magic[8];
        source->base = at;
        if (!throng_h5_get(source, 0, magic, sizeof magic)) break;
        if (memcmp(magic, throng_h5_magic, sizeof magic) == 0) return true;
    }
    source->reason[0] = 0;
    return throng_h5_fail(source, "it is not an HDF5 file");
}

bool throng_h5_source_open(throng_h5_source *source, const char *path) {
    *source = (throng_h5_source){.file = open(path, O_RDONLY | O_CLOEXEC)};
    off_t size = source->file >= 0 ? lseek(source->file, 0, SEEK_END) : -1;
    if (size < 0) return throng_h5_fail(source, strerror(errno));
    source->size = (uint64_t)size;
    if (!find_signature(source)) return false;
    unsigned char head[96] = {0};
    if (!throng_h5_get(source, 0, head, 48)) return false;
    int version = head[8];
    const unsigned char *sizes = version < 2 ? head + 13 : head + 9;
    if (version > 3) return throng_h5_fail(source, "it has a later version of HDF5 than is known");
    if (sizes[0] != 8 || sizes[1] != 8) return throng_h5_fail(source, "its addresses are not of 8 bytes");
    if (version >= 2) {
        source->root = throng_get(head + 36, 8);
        return true;
    }
    int at = version == 0 ? 64 : 68;
    if (!throng_h5_get(source, 0, head, (size_t)at + 8)) return false;
    source->root = throng_get(head + at, 8);
    return true;
}

void throng_h5_source_close(throng_h5_source *source) {
    if (source->file >= 0) close(source->file);
    source->file = -1;
}

/* A block of the file in the object's memory; NULL when it is not there. */
static unsigned char *take_block(throng_h5_source *source, throng_h5_object *object, uint64_t at, uint64_t size) {
    if (size > block_most || object->block_count >= blocks_most || size > source->size) {
        throng_h5_fail(source, "an object header in it is too large");
        return NULL;
    }
    unsigned char *block = throng_allocate((size_t)size + 1);
    THRONG_GROW(object->blocks, object->block_capacity, object->block_count + 1);
    object->blocks[object->block_count++] = block;
    return throng_h5_get(source, at, block, (size_t)size) ? block : NULL;
}

static bool damaged_header(throng_h5_source *source) {
    return throng_h5_fail(source, "an object header in it is damaged");
}

/* Keeps the messages of a block, and goes on where one says that the header continues. Before each stand `head` bytes:
 * 8 in old headers, 4 or 6 in new ones, whose further blocks have 4 bytes before all messages and after. */
static bool read_block(throng_h5_source *source, throng_h5_object *object, uint64_t at, uint64_t size, size_t head,
                       bool further) {
    const unsigned char *block = take_block(source, object, at, size);
    if (!block) return false;
    bool old = head == 8;
    if (further && !old) {
        if (size < 8 || memcmp(block, "OCHK", 4) != 0) return damaged_header(source);
        block += 4;
        size -= 8;
    }
    /* What is left at the end is too short for a message. */
    for (size_t here = 0; here + head <= size;) {
        const unsigned char *in = block + here;
        throng_h5_message message = {.type = (int)throng_get(in, old ? 2 : 1),
                                     .size = (size_t)throng_get(in + (old ? 2 : 1), 2),
                                     .shared = in[old ? 4 : 3] & 2,
                                     .body = in + head};
        if (message.size > size - here - head) return damaged_header(source);
        here += head + message.size;
        if (message.type != MESSAGE_CONTINUED) {
            THRONG_GROW(object->messages, object->capacity, object->count + 1);
            object->messages[object->count++] = message;
            continue;
        }
        if (message.size < 16) return damaged_header(source);
        if (!read_block(source, object, throng_get(message.body, 8), throng_get(message.body + 8, 8), head, true))
            return false;
    }
    return true;
}

bool throng_h5_object_read(throng_h5_source *source, uint64_t at, throng_h5_object *object) {
    unsigned char head[32] = {0};
    if (!throng_h5_get(source, at, head, 16)) return false;
    if (memcmp(head, "OHDR", 4) != 0) {
        if (head[0] != 1) return damaged_header(source);
        return read_block(source, object, at + 16, throng_get(head + 8, 4), 8, false);
    }
    int flags = head[5], width = 1 << (flags & 3);
    uint64_t start = 6 + (flags & 0x20 ? 16u : 0u) + (flags & 0x10 ? 4u : 0u);
    if (head[4] != 2 || !throng_h5_get(source, at + start, head, (size_t)width)) return damaged_header(source);
    return read_block(source, object, at + start + (uint64_t)width, throng_get(head, width), flags & 4 ? 6 : 4, false);
}

void throng_h5_object_release(throng_h5_object *object) {
    for (size_t i = 0; i < object->block_count; i++) throng_release(object->blocks[i]);
    THRONG_RELEASE(object->blocks, object->messages);
    *object = (throng_h5_object){0};
}

const throng_h5_message *throng_h5_find(const throng_h5_object *object, int type) {
    for (size_t i = 0; i < object->count; i++)
        if (object->messages[i].type == type && !object->messages[i].shared) return &object->messages[i];
    return NULL;
}

/* Looking for a name in an old group. */
typedef struct search {
    const char *name;
    uint64_t names, names_size; /* where they are */
    uint64_t found;
    int nodes_left; /* so that a tree which bites its tail comes to an end */
} search;

static bool look_in_list(throng_h5_source *source, uint64_t at, search *wanted) {
    unsigned char head[8], entry[16];
    if (!throng_h5_get(source, at, head, sizeof head)) return false;
    if (memcmp(head, "SNOD", 4) != 0) return throng_h5_fail(source, "a group in it is damaged");
    size_t length = strlen(wanted->name) + 1;
    for (uint64_t i = 0; i < throng_get(head + 6, 2); i++) {
        char name[THRONG_H5_NAME];
        if (!throng_h5_get(source, at + 8 + 40 * i, entry, sizeof entry)) return false;
        uint64_t offset = throng_get(entry, 8);
        if (length > sizeof name || offset > wanted->names_size || wanted->names_size - offset < length) continue;
        if (!throng_h5_get(source, wanted->names + offset, name, length)) return false;
        if (memcmp(name, wanted->name, length) == 0) wanted->found = throng_get(entry + 8, 8);
    }
    return true;
}

static bool look_in_tree(throng_h5_source *source, uint64_t at, int depth, search *wanted) {
    unsigned char head[8], child[8];
    if (depth > depth_most || wanted->nodes_left-- <= 0) return throng_h5_fail(source, "a group in it is damaged");
    if (!throng_h5_get(source, at, head, sizeof head)) return false;
    if (memcmp(head, "TREE", 4) != 0 || head[4] != 0) return throng_h5_fail(source, "a group in it is damaged");
    for (uint64_t i = 0; i < throng_get(head + 6, 2) && wanted->found == THRONG_H5_NOWHERE; i++) {
        if (!throng_h5_get(source, at + 24 + 16 * i + 8, child, sizeof child)) return false;
        uint64_t below = throng_get(child, 8);
        if (head[5] > 0 ? !look_in_tree(source, below, depth + 1, wanted) : !look_in_list(source, below, wanted))
            return false;
    }
    return true;
}

/* A link that stands in the header of a new group: the address, if it is the one of this name. */
static uint64_t address_in_link(const throng_h5_message *message, const char *name) {
    const unsigned char *at = message->body, *end = at + message->size;
    if (message->size < 4 || *at != 1) return THRONG_H5_NOWHERE;
    int flags = at[1], width = 1 << (flags & 3);
    at += 2;
    if (flags & 8 && *at++ != 0) return THRONG_H5_NOWHERE; /* not a hard link */
    if (flags & 4) at += 8;
    if (flags & 16) at++;
    if (end - at < width) return THRONG_H5_NOWHERE;
    uint64_t length = throng_get(at, width);
    at += width;
    if (length != strlen(name) || (uint64_t)(end - at) < length + 8) return THRONG_H5_NOWHERE;
    return memcmp(at, name, (size_t)length) == 0 ? throng_get(at + length, 8) : THRONG_H5_NOWHERE;
}

/* Whether a new group keeps its links elsewhere than in its header. */
static bool is_dense(const throng_h5_message *info) {
    if (!info || info->size < 18) return false;
    size_t at = 2 + (info->body[1] & 1 ? 8u : 0u);
    return at + 8 <= info->size && throng_get(info->body + at, 8) != THRONG_H5_NOWHERE;
}

uint64_t throng_h5_child(throng_h5_source *source, const throng_h5_object *group, const char *name) {
    const throng_h5_message *symbols = throng_h5_find(group, MESSAGE_SYMBOLS);
    if (symbols && symbols->size >= 16) {
        unsigned char heap[32];
        if (!throng_h5_get(source, throng_get(symbols->body + 8, 8), heap, sizeof heap)) return THRONG_H5_NOWHERE;
        search wanted = {.name = name, .found = THRONG_H5_NOWHERE, .nodes_left = nodes_most};
        wanted.names_size = throng_get(heap + 8, 8);
        wanted.names = throng_get(heap + 24, 8);
        bool good = memcmp(heap, "HEAP", 4) == 0 || throng_h5_fail(source, "a group in it is damaged");
        if (good) look_in_tree(source, throng_get(symbols->body, 8), 0, &wanted);
        return wanted.found;
    }
    for (size_t i = 0; i < group->count; i++) {
        if (group->messages[i].type != MESSAGE_LINK) continue;
        uint64_t found = address_in_link(&group->messages[i], name);
        if (found != THRONG_H5_NOWHERE) return found;
    }
    if (is_dense(throng_h5_find(group, MESSAGE_LINK_INFO)))
        throng_h5_fail(source,
                       "it keeps links in a way of the latest version of HDF5; h5repack -l CONTI, or h5py without "
                       "libver='latest', makes it readable");
    return THRONG_H5_NOWHERE;
}
