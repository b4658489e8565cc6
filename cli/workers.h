/* workers.h: many tasks by processes of their own, so that one that crashes or never ends costs one task alone. */

#ifndef CLI_WORKERS_H
#define CLI_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct workers_def {
    size_t jobs;           /* processes at a time */
    const uint64_t *tasks; /* in the order they are begun */
    size_t task_count;
    double timeout_s; /* of a task; 0: none */
    void *context;
    /* In a worker: the result of a task, of which `length` bytes are sent; allocated. */
    char *(*work)(void *context, uint64_t task, size_t *length);
    /* Here, as tasks end, in any order. */
    void (*done)(void *context, uint64_t task, const char *bytes, size_t length);
    void (*failed)(void *context, uint64_t task, const char *why);
    bool (*tick)(void *context); /* several times a second; false: go no further */
} workers_def;

typedef enum workers_end { WORKERS_DONE, WORKERS_INTERRUPTED, WORKERS_FAILED } workers_end;

/* Returns when all have ended, or after Ctrl-C (interrupt.h), or when `tick` wants it, or after a complaint that there
 * can be no processes. No thread may run but this one. */
workers_end workers_run(const workers_def *def);
/* How many processors there are for this process. */
size_t workers_usual(void);

#endif
