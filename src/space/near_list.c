/* near_list.c: lists of those within a reach. Room is made for everybody in the cells that the reach
 * touches, about twice as many as there will be; so each list can be written where it belongs by
 * whoever comes to it, in one go. */

#include "space/near_list.h"

#include <assert.h>

#include "base/memory.h"
#include "space/near_list_kernel.h"

enum { GRAIN = 512 };

const throng_work throng_near_list_fill_plain = fill_lists;

throng_near_lists *throng_near_lists_create(void) { return throng_allocate(sizeof(throng_near_lists)); }

void throng_near_lists_destroy(throng_near_lists *lists) {
    if (!lists) return;
    THRONG_RELEASE(lists->start, lists->length, lists->slot, lists);
}

static void measure_room(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_near_list_job *job = context;
    for (size_t me = begin; me < end; me++) {
        job->lists->length[me] = near_list_most(job->near, (uint32_t)me, job->reach);
    }
}

static void make_lists(throng_near_lists *lists, size_t count) {
    if (count + 1 > lists->list_capacity) {
        lists->list_capacity = count + 1 + count / 4;
        lists->start = throng_reallocate(lists->start, lists->list_capacity * sizeof *lists->start);
        lists->length = throng_reallocate(lists->length, lists->list_capacity * sizeof *lists->length);
    }
    lists->count = count;
}

static void make_room(throng_near_lists *lists, const throng_near *near, throng_crew *crew, double reach) {
    make_lists(lists, near->count);
    throng_near_list_job job = {near, reach, lists};
    throng_parallel_for(crew, near->count, GRAIN, measure_room, &job);
    size_t room = 0;
    for (size_t s = 0; s < near->count; s++) {
        lists->start[s] = (uint32_t)room;
        room += lists->length[s];
    }
    assert(room <= UINT32_MAX);
    lists->start[near->count] = (uint32_t)room;
    THRONG_GROW(lists->slot, lists->slot_capacity, room);
}

void throng_near_lists_make_room(throng_near_lists *lists, size_t count, size_t each) {
    assert(count * each <= UINT32_MAX);
    make_lists(lists, count);
    for (size_t s = 0; s <= count; s++) lists->start[s] = (uint32_t)(s * each);
    THRONG_GROW(lists->slot, lists->slot_capacity, count * each);
}

void throng_near_lists_build(throng_near_lists *lists, const throng_near *near, throng_crew *crew, double reach,
                             bool simd) {
    make_room(lists, near, crew, reach > 0 ? reach : 0);
    if (!(reach > 0)) {
        for (size_t s = 0; s < near->count; s++) lists->length[s] = 0;
        return;
    }
    throng_near_list_job job = {near, reach, lists};
    bool fast = simd && throng_wide_supported();
    throng_parallel_for(crew, near->count, GRAIN, fast ? throng_near_list_fill_avx2 : throng_near_list_fill_plain,
                        &job);
}
