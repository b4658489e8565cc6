/* list.c: the habits there are. Adding one is adding its line here, in the order in which wishes change. */

#include "wish/wish.h"

const throng_habit *const throng_habits[] = {&throng_habit_jams, &throng_habit_symmetry, NULL};

enum { GRAIN = 256 /* people that a worker takes at a time */ };

typedef struct pass {
    void (*work)(const throng_wishing *wishing, size_t begin, size_t end);
    const throng_wishing *wishing;
} pass;

static void go_over_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const pass *p = context;
    p->work(p->wishing, begin, end);
}

void throng_habit_look(const throng_habit *habit, const throng_wishing *wishing) {
    pass p = {habit->look, wishing};
    if (habit->look) throng_parallel_for(wishing->crew, wishing->people.count, GRAIN, go_over_some, &p);
}

void throng_habit_change(const throng_habit *habit, const throng_wishing *wishing) {
    pass p = {habit->change, wishing};
    throng_parallel_for(wishing->crew, wishing->people.count, GRAIN, go_over_some, &p);
}
