/* crew.h: the worker threads of a world (thread pool). Besides the recorder's writer, nothing else in the tree
 * knows about threads. */

#ifndef THRONG_CREW_H
#define THRONG_CREW_H

#include <throng/model.h>

/* `size` workers in all, the caller of throng_parallel_for included; 0: one per core. */
throng_crew *throng_crew_create(int size);
void throng_crew_destroy(throng_crew *crew);

/* The door of what the crew works for, where several threads ask for it: one is in at a time. */
void throng_crew_enter(throng_crew *crew);
void throng_crew_leave(throng_crew *crew);

#endif
