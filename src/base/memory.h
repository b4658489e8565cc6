/* memory.h: all memory of the library comes through here, so that it can be counted or replaced.
 * Running out of memory ends the program with a message: there is nothing sensible left to do. */

#ifndef THRONG_MEMORY_H
#define THRONG_MEMORY_H

#include <stddef.h>

void *throng_allocate(size_t size);                  /* zeroed; size 0 gives NULL */
void *throng_reallocate(void *pointer, size_t size); /* new bytes are not zeroed */
void throng_release(void *pointer);                  /* NULL is fine */
/* Releases all of some pointers. */
#define THRONG_RELEASE(...) \
    throng_release_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void throng_release_all(void *const *pointers, size_t count);
char *throng_copy_text(const char *text);                /* NULL gives a copy of "" */
void *throng_copy_bytes(const void *bytes, size_t size); /* size 0 gives NULL */

/* A text that grows. Start with all zero; release `text` at the end. */
typedef struct throng_string {
    char *text; /* NULL before anything was added */
    size_t length, capacity;
} throng_string;

void throng_string_add(throng_string *string, const char *text);
/* As printf does. */
__attribute__((format(printf, 2, 3))) void throng_string_print(throng_string *string, const char *format, ...);

/* Makes room for `count` items in a growing array. */
#define THRONG_GROW(array, capacity, count)                                 \
    do {                                                                    \
        if ((count) > (capacity)) {                                         \
            size_t grown_ = (capacity) ? (capacity)*2 : 16;                 \
            while (grown_ < (size_t)(count)) grown_ *= 2;                   \
            (array) = throng_reallocate((array), grown_ * sizeof *(array)); \
            (capacity) = grown_;                                            \
        }                                                                   \
    } while (0)

#endif
