/* pthread.h: in the place of the system's where there are no threads: locks lock nothing, and what would be a thread is
 * given turns instead (web.c). */

#ifndef WEB_PTHREAD_H
#define WEB_PTHREAD_H

#include <time.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t, pthread_condattr_t;

static inline int pthread_create(pthread_t *t, const void *how, void *(*work)(void *), void *context) {
    return (void)t, (void)how, (void)work, (void)context, 0;
}
static inline int pthread_join(pthread_t t, void **result) { return (void)t, (void)result, 0; }

static inline int pthread_mutex_init(pthread_mutex_t *m, const void *how) { return (void)m, (void)how, 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *m) { return (void)m, 0; }

static inline int pthread_condattr_init(pthread_condattr_t *a) { return (void)a, 0; }
static inline int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) { return (void)a, (void)clock, 0; }
static inline int pthread_condattr_destroy(pthread_condattr_t *a) { return (void)a, 0; }
static inline int pthread_cond_init(pthread_cond_t *c, const void *how) { return (void)c, (void)how, 0; }
static inline int pthread_cond_destroy(pthread_cond_t *c) { return (void)c, 0; }
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return (void)c, (void)m, 0; }
static inline int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) {
    return (void)c, (void)m, (void)t, 0;
}
static inline int pthread_cond_signal(pthread_cond_t *c) { return (void)c, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *c) { return (void)c, 0; }

#endif
