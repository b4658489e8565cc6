/* names.c: see names.h. */

#include "base/names.h"

#include <string.h>
#include <throng/model.h>

#include "base/memory.h"

static uint64_t hash_name(const char *name) {
    uint64_t hash = 0;
    for (; *name; name++) hash = throng_mix(hash ^ (unsigned char)*name);
    return hash;
}

/* The slot of a name, or the free slot where it belongs. */
static size_t slot_of(const throng_names *names, const char *name) {
    size_t mask = names->table_size - 1, slot = hash_name(name) & mask;
    while (names->table[slot] && strcmp(names->names[names->table[slot] - 1], name) != 0) slot = (slot + 1) & mask;
    return slot;
}

size_t throng_names_find(const throng_names *names, const char *name) {
    if (names->count == 0) return THRONG_NO_NAME;
    uint32_t found = names->table[slot_of(names, name)];
    return found ? found - 1 : THRONG_NO_NAME;
}

static void grow_table(throng_names *names) {
    names->table_size = names->table_size ? 2 * names->table_size : 16;
    throng_release(names->table);
    names->table = throng_allocate(names->table_size * sizeof *names->table);
    for (size_t i = 0; i < names->count; i++) names->table[slot_of(names, names->names[i])] = (uint32_t)i + 1;
}

size_t throng_names_add(throng_names *names, const char *name) {
    size_t known = throng_names_find(names, name);
    if (known != THRONG_NO_NAME) return known;
    if (2 * (names->count + 1) > names->table_size) grow_table(names);
    THRONG_GROW(names->names, names->capacity, names->count + 1);
    names->table[slot_of(names, name)] = (uint32_t)names->count + 1;
    names->names[names->count] = throng_copy_text(name);
    return names->count++;
}

void throng_names_clear(throng_names *names) {
    for (size_t i = 0; i < names->count; i++) throng_release(names->names[i]);
    THRONG_RELEASE(names->names, names->table);
    *names = (throng_names){0};
}
