/* crew.c: a pool of threads that share out the pieces of one job at a time.
 *
 * The caller publishes a job by raising `generation` and works along. Every worker has a share of the
 * pieces, the same part of the whole in every job, so that it finds in its cache what it wrote in the
 * last one; who is done with its own takes from the ends of others' shares. Which worker does which
 * piece is left to chance in the end and must not matter: every piece
 * writes only its own items. When no piece is left, the caller shuts the gate and waits only for
 * those who came through it: a worker that woke up late, on a busy machine, holds up nobody.
 * Workers spin for a moment before they sleep, because the next job of a step is usually a few
 * microseconds away. */

#include "base/crew.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "base/memory.h"

enum { SPINS = 2000, SIZE_LIMIT = 256 };
enum { SHUT = 1 << 30 }; /* the gate: this bit, plus the number of members inside */

typedef struct member {
    throng_crew *crew;
    pthread_t thread;
    int number;
} member;

/* The pieces of a worker that nobody has taken: first << 32 | end. In a cache line of its own. */
typedef struct portion {
    _Alignas(64) atomic_uint_least64_t pieces;
} portion;

struct throng_crew {
    int size;
    member *members; /* 1 .. size - 1; the caller is 0 */
    pthread_mutex_t lock, door;
    pthread_cond_t wake, done;
    atomic_ulong generation; /* of the job; raised under the lock */
    atomic_bool quit;

    /* The job. */
    throng_work work;
    void *context;
    size_t count, grain;
    portion *portions; /* [size], in `portion_room` */
    void *portion_room;
    atomic_int gate;
};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void share_out(throng_crew *crew) {
    uint64_t pieces = (crew->count + crew->grain - 1) / crew->grain, size = (uint64_t)crew->size;
    assert(pieces <= UINT32_MAX);
    for (uint64_t w = 0; w < size; w++) {
        atomic_store(&crew->portions[w].pieces, pieces * w / size << 32 | pieces * (w + 1) / size);
    }
}

/* Takes a piece from a portion, from its end if it is another's. False: there is none. */
static bool take_piece(portion *from, bool own, size_t *piece) {
    uint64_t left = atomic_load(&from->pieces);
    for (;;) {
        uint64_t first = left >> 32, end = left & UINT32_MAX;
        if (first >= end) return false;
        *piece = (size_t)(own ? first : end - 1);
        uint64_t then = own ? (first + 1) << 32 | end : first << 32 | (end - 1);
        if (atomic_compare_exchange_weak(&from->pieces, &left, then)) return true;
    }
}

static void take_pieces(throng_crew *crew, int number) {
    for (int k = 0; k < crew->size; k++) {
        int whose = (number + k) % crew->size;
        size_t piece;
        while (take_piece(&crew->portions[whose], k == 0, &piece)) {
            size_t begin = piece * crew->grain;
            size_t end = crew->count - begin < crew->grain ? crew->count : begin + crew->grain;
            crew->work(crew->context, begin, end, number);
        }
    }
}

/* Waits for another job than the one seen last and returns its number. */
static unsigned long await_job(throng_crew *crew, unsigned long seen) {
    unsigned long now = seen;
    for (int i = 0; i < SPINS; i++) {
        now = atomic_load(&crew->generation);
        if (now != seen) return now;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    while ((now = atomic_load(&crew->generation)) == seen) pthread_cond_wait(&crew->wake, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    return now;
}

/* Through the gate and back; the last one out after it was shut tells the caller. */
static void join_in(throng_crew *crew, int number) {
    bool open = !(atomic_fetch_add(&crew->gate, 1) & SHUT);
    if (open) take_pieces(crew, number);
    if (atomic_fetch_sub(&crew->gate, 1) != (SHUT | 1)) return;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->done);
    pthread_mutex_unlock(&crew->lock);
}

static void *member_main(void *argument) {
    member *self = argument;
    throng_crew *crew = self->crew;
    for (unsigned long seen = 0;;) {
        seen = await_job(crew, seen);
        /* Asked after the number is known: who has seen the number of the last call has seen `quit`. */
        if (atomic_load(&crew->quit)) return NULL;
        join_in(crew, self->number);
    }
}

static void publish(throng_crew *crew) {
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->generation, 1);
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
}

throng_crew *throng_crew_create(int size) {
    if (size <= 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        size = cores > 0 ? (int)cores : 1;
    }
    throng_crew *crew = throng_allocate(sizeof *crew);
    atomic_store(&crew->gate, SHUT);
    crew->members = throng_allocate(SIZE_LIMIT * sizeof *crew->members);
    crew->portion_room = throng_allocate((SIZE_LIMIT + 1) * sizeof(portion));
    crew->portions = (portion *)(((uintptr_t)crew->portion_room + 63) & ~(uintptr_t)63);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_mutex_init(&crew->door, NULL);
    pthread_cond_init(&crew->wake, NULL);
    pthread_cond_init(&crew->done, NULL);

    /* A thread that cannot be had is done without: the results are the same. */
    crew->size = 1;
    while (crew->size < size && crew->size < SIZE_LIMIT) {
        member *m = &crew->members[crew->size];
        *m = (member){.crew = crew, .number = crew->size};
        if (pthread_create(&m->thread, NULL, member_main, m) != 0) break;
        crew->size++;
    }
    return crew;
}

void throng_crew_destroy(throng_crew *crew) {
    if (!crew) return;
    atomic_store(&crew->quit, true);
    publish(crew);
    for (int i = 1; i < crew->size; i++) pthread_join(crew->members[i].thread, NULL);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->wake);
    pthread_mutex_destroy(&crew->lock);
    pthread_mutex_destroy(&crew->door);
    THRONG_RELEASE(crew->members, crew->portion_room, crew);
}

int throng_crew_size(const throng_crew *crew) { return crew->size; }

void throng_crew_enter(throng_crew *crew) { pthread_mutex_lock(&crew->door); }
void throng_crew_leave(throng_crew *crew) { pthread_mutex_unlock(&crew->door); }

void throng_parallel_for(throng_crew *crew, size_t count, size_t grain, throng_work work, void *context) {
    if (count == 0) return;
    if (grain == 0) grain = 1;
    if (crew->size == 1 || count <= grain) {
        work(context, 0, count, 0);
        return;
    }

    crew->work = work;
    crew->context = context;
    crew->count = count;
    crew->grain = grain;
    share_out(crew);
    atomic_fetch_and(&crew->gate, ~SHUT);
    publish(crew);
    take_pieces(crew, 0);

    atomic_fetch_or(&crew->gate, SHUT);
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&crew->gate) == SHUT) return;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    while (atomic_load(&crew->gate) != SHUT) pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}
