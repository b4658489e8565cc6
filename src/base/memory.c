/* memory.c: the one allocator. */

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

static void *resize_default(void *pointer, size_t size) {
    if (size == 0) {
        free(pointer);
        return NULL;
    }
    return realloc(pointer, size);
}

static throng_resize_function resize = resize_default;

void throng_set_allocator(throng_resize_function function) { resize = function ? function : resize_default; }

void *throng_reallocate(void *pointer, size_t size) {
    void *moved = resize(pointer, size);
    if (!moved && size > 0) {
        fprintf(stderr, "throng: out of memory (%zu bytes wanted)\n", size);
        abort();
    }
    return moved;
}

void *throng_allocate(size_t size) {
    void *fresh = size ? throng_reallocate(NULL, size) : NULL;
    if (fresh) memset(fresh, 0, size);
    return fresh;
}

void throng_release(void *pointer) {
    if (pointer) resize(pointer, 0);
}

void throng_release_all(void *const *pointers, size_t count) {
    for (size_t i = 0; i < count; i++) throng_release(pointers[i]);
}

void *throng_copy_bytes(const void *bytes, size_t size) {
    void *copy = throng_allocate(size);
    if (copy) memcpy(copy, bytes, size);
    return copy;
}

char *throng_copy_text(const char *text) { return throng_copy_bytes(text ? text : "", text ? strlen(text) + 1 : 1); }

void throng_string_add(throng_string *string, const char *text) {
    size_t length = strlen(text);
    THRONG_GROW(string->text, string->capacity, string->length + length + 1);
    memcpy(string->text + string->length, text, length + 1);
    string->length += length;
}

void throng_string_print(throng_string *string, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    THRONG_GROW(string->text, string->capacity, string->length + length + 1);
    vsnprintf(string->text + string->length, length + 1, format, again);
    string->length += length;
    va_end(again);
    va_end(arguments);
}
