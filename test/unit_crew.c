/* Every item of a parallel loop is done exactly once, whatever the number of workers. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "testing.h"

typedef struct tally {
    atomic_int *done;
    int workers;
    atomic_bool bad_worker;
} tally;

static void count_items(void *context, size_t begin, size_t end, int worker) {
    tally *t = context;
    if (worker < 0 || worker >= t->workers) atomic_store(&t->bad_worker, true);
    for (size_t i = begin; i < end; i++) atomic_fetch_add(&t->done[i], 1);
}

static void each_item_is_done_once(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 8};
    static const size_t counts[] = {0, 1, 7, 64, 1000, 4097};
    for (size_t s = 0; s < 5; s++) {
        throng_crew *crew = throng_crew_create(sizes[s]);
        assert_int_equal(throng_crew_size(crew), sizes[s]);
        for (int repeat = 0; repeat < 50; repeat++) {
            size_t count = counts[repeat % 6];
            tally t = {calloc(count + 1, sizeof(atomic_int)), sizes[s], false};
            throng_parallel_for(crew, count, 64, count_items, &t);
            for (size_t i = 0; i < count; i++) assert_int_equal(t.done[i], 1);
            assert_int_equal(t.done[count], 0);
            assert_false(t.bad_worker);
            free(t.done);
        }
        throng_crew_destroy(crew);
    }
}

static void count_pieces(void *context, size_t begin, size_t end, int worker) {
    (void)begin, (void)end, (void)worker;
    atomic_fetch_add((atomic_int *)context, 1);
}

/* A crew that is sent home right after a job goes home, also who was about to join that job. (Who
 * does not hear the call sleeps for ever, and so does this test.) */
static void the_last_call_reaches_everybody(void **state) {
    (void)state;
    for (int size = 3; size <= 6; size++) {
        for (int repeat = 0; repeat < 10000; repeat++) {
            throng_crew *crew = throng_crew_create(size);
            atomic_int done = 0;
            for (int job = 0; job < 3; job++) throng_parallel_for(crew, 2, 1, count_pieces, &done);
            throng_crew_destroy(crew);
            assert_int_equal(done, 6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_item_is_done_once),
                                       cmocka_unit_test(the_last_call_reaches_everybody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
