/* crew_one.c: in the place of crew.c where there are no threads (WebAssembly): the caller does everything. */

#include "base/crew.h"

#include "base/memory.h"

struct throng_crew {
    int size;
};

throng_crew *throng_crew_create(int size) {
    (void)size;
    throng_crew *crew = throng_allocate(sizeof *crew);
    crew->size = 1;
    return crew;
}

void throng_crew_destroy(throng_crew *crew) { throng_release(crew); }

int throng_crew_size(const throng_crew *crew) { return crew->size; }

void throng_crew_enter(throng_crew *crew) { (void)crew; }
void throng_crew_leave(throng_crew *crew) { (void)crew; }

void throng_parallel_for(throng_crew *crew, size_t count, size_t grain, throng_work work, void *context) {
    (void)crew, (void)grain;
    if (count > 0) work(context, 0, count, 0);
}
