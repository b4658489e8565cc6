/* names.h: numbering things by name (string interning), quickly also when a program wrote a hundred thousand of them.
 */

#ifndef THRONG_NAMES_H
#define THRONG_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Names numbered from 0 in the order they were added; start from {0}. */
typedef struct throng_names {
    char **names;
    size_t count, capacity;
    uint32_t *table; /* number + 1, by hash */
    size_t table_size;
} throng_names;

#define THRONG_NO_NAME SIZE_MAX

size_t throng_names_find(const throng_names *names, const char *name);
/* The number of a name, added when it is new. */
size_t throng_names_add(throng_names *names, const char *name);
void throng_names_clear(throng_names *names);

#endif
