/* builtin.h: the scenarios compiled into the library; cmake/embed.cmake writes the table. */

#ifndef THRONG_BUILTIN_H
#define THRONG_BUILTIN_H

typedef struct throng_builtin {
    const char *name; /* "demo/bottleneck"; NULL ends the table */
    const char *text;
} throng_builtin;

extern const throng_builtin throng_builtins[];
extern const char *const throng_builtin_schema;

#endif
