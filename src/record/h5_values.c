/* h5_values.c: types, values, texts and attributes of HDF5 files; see h5_source.h. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/h5_source.h"

enum { MESSAGE_ATTRIBUTE = 12, MESSAGE_ATTRIBUTE_INFO = 21 };
enum { heap_items_most = 65536 };
static const uint64_t text_most = (uint64_t)256 << 20;

/* The members of a compound need to be plain: this says how long the description of such a type is, 0 when it is
 * another or not whole. */
static size_t plain_type(const unsigned char *bytes, size_t size, throng_h5_value_type *type) {
    if (size < 8) return 0;
    int class = bytes[0] & 15;
    *type = (throng_h5_value_type){.class = (throng_h5_class) class,
                                   .size = (size_t)throng_get(bytes + 4, 4),
                                   .big_endian = bytes[1] & 1,
                                   .is_signed = bytes[1] & 8};
    size_t length = 0, inner;
    throng_h5_value_type base;
    switch (class) {
        case THRONG_H5_WHOLE:
            length = 12;
            break;
        case THRONG_H5_FLOAT:
            length = 20;
            /* IEEE's single and double precision are told from others by their size alone. */
            if (type->size != 4 && type->size != 8) type->class = THRONG_H5_OTHER;
            break;
        case THRONG_H5_STRING:
            length = 8;
            break;
        case 4:
            length = 12;
            break; /* bits */
        case THRONG_H5_VARIABLE:
            type->text = (bytes[1] & 15) == 1;
            inner = plain_type(bytes + 8, size - 8, &base);
            length = inner ? 8 + inner : 0;
            if (type->size != THRONG_H5_TEXT_SIZE) return 0;
            break;
        default:
            return 0;
    }
    if (type->class == THRONG_H5_WHOLE && (type->size < 1 || type->size > 8)) type->class = THRONG_H5_OTHER;
    return length <= size ? length : 0;
}

/* One member of a compound of this version; how long its description is, 0 when it cannot be read. */
static size_t read_member(const unsigned char *bytes, size_t size, int version, size_t row_size,
                          struct throng_h5_member *member) {
    const unsigned char *end = memchr(bytes, 0, size);
    if (!end) return 0;
    size_t length = (size_t)(end - bytes), at = length + 1;
    if (version < 3) at = (at + 7) / 8 * 8;
    int width = version < 3 ? 4 : row_size < 256 ? 1 : row_size < 65536 ? 2 : row_size < (1 << 24) ? 3 : 4;
    size_t skipped = version == 1 ? 28 : 0;
    if (at > size || size - at < (size_t)width + skipped) return 0;
    memset(member, 0, sizeof *member);
    if (length < sizeof member->name) memcpy(member->name, bytes, length);
    member->offset = (size_t)throng_get(bytes + at, width);
    at += (size_t)width + skipped;
    size_t type = plain_type(bytes + at, size - at, &member->type);
    if (!type || member->offset > row_size || row_size - member->offset < member->type.size) return 0;
    return at + type;
}

bool throng_h5_type_read(const unsigned char *bytes, size_t size, throng_h5_row_type *type) {
    memset(type, 0, sizeof *type);
    if (size < 8) return false;
    if ((bytes[0] & 15) != THRONG_H5_COMPOUND) return plain_type(bytes, size, &type->whole) > 0;
    size_t members = (size_t)throng_get(bytes + 1, 2), at = 8;
    type->whole = (throng_h5_value_type){.class = THRONG_H5_COMPOUND, .size = (size_t)throng_get(bytes + 4, 4)};
    if (type->whole.size == 0) return false;
    for (size_t i = 0; i < members && i < THRONG_H5_MEMBERS; i++) {
        size_t length = read_member(bytes + at, size - at, bytes[0] >> 4, type->whole.size, &type->members[i]);
        if (length == 0) break; /* what comes before is enough, or will be missed */
        at += length;
        type->count++;
    }
    return type->count > 0;
}

const struct throng_h5_member *throng_h5_member_named(const throng_h5_row_type *type, const char *name) {
    for (size_t i = 0; i < type->count; i++)
        if (strcmp(type->members[i].name, name) == 0) return &type->members[i];
    return NULL;
}

static uint64_t bits_of(const throng_h5_value_type *type, const unsigned char *value) {
    if (!type->big_endian) return throng_get(value, (int)type->size);
    uint64_t bits = 0;
    for (size_t i = 0; i < type->size; i++) bits = bits << 8 | value[i];
    return bits;
}

bool throng_h5_value_whole(const throng_h5_value_type *type, const unsigned char *value, int64_t *number) {
    if (type->class == THRONG_H5_WHOLE) {
        uint64_t bits = bits_of(type, value);
        int unused = 64 - 8 * (int)type->size;
        if (!type->is_signed && bits > INT64_MAX) return false;
        *number = type->is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
        return true;
    }
    double real;
    if (!throng_h5_value_number(type, value, &real) || !(fabs(real) < 9e15) || real != floor(real)) return false;
    *number = (int64_t)real;
    return true;
}

bool throng_h5_value_number(const throng_h5_value_type *type, const unsigned char *value, double *number) {
    if (type->class == THRONG_H5_WHOLE) {
        int64_t whole;
        if (!throng_h5_value_whole(type, value, &whole)) return false;
        *number = (double)whole;
        return true;
    }
    if (type->class != THRONG_H5_FLOAT) return false;
    uint64_t bits = bits_of(type, value);
    if (type->size == 8) {
        memcpy(number, &bits, 8);
    } else {
        uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, 4);
        *number = (double)single;
    }
    return isfinite(*number);
}

/* A text of a heap (III.E). */
static char *text_in_heap(throng_h5_source *source, uint64_t heap, uint32_t number, uint32_t length) {
    unsigned char head[16];
    if (length == 0) return throng_copy_text("");
    if (!throng_h5_get(source, heap, head, sizeof head)) return NULL;
    uint64_t size = throng_get(head + 8, 8), at = 16;
    if (memcmp(head, "GCOL", 4) != 0) {
        throng_h5_fail(source, "a heap of texts in it is damaged");
        return NULL;
    }
    for (int i = 0; i < heap_items_most && at + 16 <= size; i++) {
        if (!throng_h5_get(source, heap + at, head, sizeof head)) return NULL;
        uint64_t bytes = throng_get(head + 8, 8), here = throng_get(head, 2);
        if (here == 0 || bytes > text_most) break;
        if (here != number) {
            at += 16 + (bytes + 7) / 8 * 8;
            continue;
        }
        if (bytes < length || bytes > source->size) break;
        char *text = throng_allocate((size_t)length + 1);
        if (throng_h5_get(source, heap + at + 16, text, length)) return text;
        throng_release(text);
        return NULL;
    }
    throng_h5_fail(source, "a text in it is not where it should be");
    return NULL;
}

char *throng_h5_value_text(throng_h5_source *source, const throng_h5_value_type *type, const unsigned char *value) {
    if (type->class == THRONG_H5_VARIABLE && type->text)
        return text_in_heap(source, throng_get(value + 4, 8), (uint32_t)throng_get(value + 12, 4),
                            (uint32_t)throng_get(value, 4));
    if (type->class != THRONG_H5_STRING) return NULL;
    char *text = throng_allocate(type->size + 1);
    memcpy(text, value, type->size);
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--) text[end - 1] = 0;
    return text;
}

/* Name, type and value of an attribute message (IV.A.2.m); false when it is not whole. */
static bool split_attribute(const throng_h5_message *message, const char **name, throng_h5_row_type *type,
                            const unsigned char **value) {
    const unsigned char *at = message->body, *end = at + message->size;
    if (message->size < 8 || at[0] < 1 || at[0] > 3) return false;
    size_t sizes[3];
    for (int i = 0; i < 3; i++) sizes[i] = (size_t)throng_get(at + 2 + 2 * i, 2);
    bool shared = at[0] > 1 && at[1] & 1;
    size_t multiple = at[0] == 1 ? 8 : 1;
    at += at[0] == 3 ? 9 : 8;
    const unsigned char *parts[4];
    for (int i = 0; i < 3; i++) {
        parts[i] = at;
        size_t padded = (sizes[i] + multiple - 1) / multiple * multiple;
        if ((size_t)(end - at) < padded) return false;
        at += padded;
    }
    if (shared || sizes[0] == 0 || parts[0][sizes[0] - 1] != 0) return false;
    *name = (const char *)parts[0];
    *value = at;
    return throng_h5_type_read(parts[1], sizes[1], type) && (size_t)(end - at) >= type->whole.size;
}

/* The value of an attribute; NULL when there is none of this name. */
static const unsigned char *attribute_named(throng_h5_source *source, const throng_h5_object *object, const char *name,
                                            throng_h5_row_type *type) {
    for (size_t i = 0; i < object->count; i++) {
        const char *found;
        const unsigned char *value;
        if (object->messages[i].type != MESSAGE_ATTRIBUTE || object->messages[i].shared) continue;
        if (split_attribute(&object->messages[i], &found, type, &value) && strcmp(found, name) == 0) return value;
    }
    const throng_h5_message *info = throng_h5_find(object, MESSAGE_ATTRIBUTE_INFO);
    size_t at = info && info->size > 2 && info->body[1] & 1 ? 4 : 2;
    if (info && info->size >= at + 8 && throng_get(info->body + at, 8) != THRONG_H5_NOWHERE)
        throng_h5_fail(source,
                       "it keeps attributes in a way of the latest version of HDF5; written by h5py without "
                       "libver='latest' it can be read");
    return NULL;
}

bool throng_h5_attribute_number(throng_h5_source *source, const throng_h5_object *object, const char *name,
                                double *number) {
    throng_h5_row_type type;
    const unsigned char *value = attribute_named(source, object, name, &type);
    return value && throng_h5_value_number(&type.whole, value, number);
}

char *throng_h5_attribute_text(throng_h5_source *source, const throng_h5_object *object, const char *name) {
    throng_h5_row_type type;
    const unsigned char *value = attribute_named(source, object, name, &type);
    return value ? throng_h5_value_text(source, &type.whole, value) : NULL;
}
