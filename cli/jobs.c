/* jobs.c: see jobs.h. */

#include "jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "progress.h"
#include "text.h"

typedef struct job_queue {
    size_t count;
    atomic_size_t next, done;
    void (*work)(void *context, size_t job);
    void *context;
} job_queue;

static void *do_jobs(void *context) {
    job_queue *queue = context;
    for (;;) {
        size_t job = atomic_fetch_add(&queue->next, 1);
        if (job >= queue->count || interrupted()) return NULL;
        queue->work(queue->context, job);
        atomic_fetch_add(&queue->done, 1);
    }
}

bool jobs_do(size_t count, int threads, bool quiet, void (*work)(void *context, size_t job), void *context) {
    if (threads <= 0) threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if ((size_t)threads > count) threads = (int)count;
    job_queue queue = {.count = count, .work = work, .context = context};
    pthread_t *crew = resize(NULL, ((size_t)threads + 1) * sizeof *crew);
    int begun = 0;
    while (begun < threads && pthread_create(&crew[begun], NULL, do_jobs, &queue) == 0) begun++;
    if (begun == 0) do_jobs(&queue);
    progress_line progress;
    progress_begin(&progress, !quiet, 0, (double)count);
    while (progress.shown && atomic_load(&queue.done) < count && !interrupted()) {
        progress_count(&progress, atomic_load(&queue.done), "runs");
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    }
    for (int i = 0; i < begun; i++) pthread_join(crew[i], NULL);
    progress_clear(&progress);
    free(crew);
    return atomic_load(&queue.done) == count && !interrupted();
}
