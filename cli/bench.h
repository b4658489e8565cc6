/* bench.h: the tables of `throng bench`: scenes with what others have published or were measured to need. */

#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_row {
    const char *scene, *label; /* built in; label NULL: the scene's name */
    const char *set[2];        /* overrides; NULL: none */
    double theirs;             /* in the table's unit */
    int skipped, timed;        /* steps: until what the scene is about happens, and then */
    size_t people;             /* about; --quick leaves out the large ones */
} bench_row;

typedef enum bench_unit { BENCH_MS, BENCH_FPS, BENCH_US } bench_unit; /* of a frame; per second; per person and step */

typedef struct bench_table {
    const char *name, *title, *theirs; /* who they are: program or paper, and their machine */
    bench_unit unit;
    bool one_thread; /* theirs are of one thread, and so is ours beside them; else ours has all */
    bool core;       /* only what theirs time: neighbours, decisions, moving */
    const bench_row *rows;
    size_t row_count;
} bench_table;

extern const bench_table bench_tables[];
extern const size_t bench_table_count;

#endif
