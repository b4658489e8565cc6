/* builtin.c: asking for the scenarios and the schema that are part of the library. */

#include "scenario/builtin.h"

#include <throng/throng.h>

size_t throng_builtin_count(void) {
    size_t count = 0;
    while (throng_builtins[count].name) count++;
    return count;
}

const char *throng_builtin_name(size_t index) {
    return index < throng_builtin_count() ? throng_builtins[index].name : NULL;
}

const char *throng_builtin_text(size_t index) {
    return index < throng_builtin_count() ? throng_builtins[index].text : NULL;
}

const char *throng_schema_text(void) { return throng_builtin_schema; }
