/* list.c: the habits of wish.h as a table, what they share, and going over everybody. */

#include <math.h>

#include "wish/wish.h"

#define THRONG_HABIT(name) &throng_habit_##name,
const throng_habit *const throng_habits[] = {THRONG_HABITS(THRONG_HABIT) NULL};
#undef THRONG_HABIT

void throng_wish_look_around(const throng_wishing *w, uint32_t row, double reach,
                             void (*see)(void *context, throng_seen seen), void *context) {
    const throng_near *near = w->near;
    throng_point at = {w->people.x[row], w->people.y[row]};
    int32_t left = throng_near_column(near, at.x - reach), right = throng_near_column(near, at.x + reach);
    int32_t top = throng_near_row(near, at.y + reach);
    for (int32_t r = throng_near_row(near, at.y - reach); r <= top; r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            double x = near->x[k] - at.x, y = near->y[k] - at.y;
            if (near->row[k] == row || x * x + y * y > reach * reach) continue;
            see(context, (throng_seen){at, x, y, near->radius[k], near->row[k]});
        }
    }
}

bool throng_wish_sees(const throng_wishing *w, throng_seen seen) {
    const throng_walls *walls = w->walls;
    double away = sqrt(seen.x * seen.x + seen.y * seen.y);
    if (walls->count == 0 || (double)walls->clear[throng_walls_cell(walls, seen.from.x, seen.from.y)] >= away)
        return true;
    return !throng_walls_block(walls, seen.from, (throng_point){seen.from.x + seen.x, seen.from.y + seen.y}, 0);
}

enum { GRAIN = 256 /* people that a worker takes at a time */ };

typedef struct going {
    void (*work)(const throng_wishing *wishing, size_t begin, size_t end);
    const throng_wishing *wishing;
} going;

static void go_over_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const going *g = context;
    g->work(g->wishing, begin, end);
}

void throng_habit_go(const throng_habit *habit, throng_wish_pass pass, const throng_wishing *wishing) {
    going g = {pass == THRONG_WISH_MAKE   ? habit->make
               : pass == THRONG_WISH_LOOK ? habit->look
                                          : habit->change,
               wishing};
    if (g.work) throng_parallel_for(wishing->crew, wishing->people.count, GRAIN, go_over_some, &g);
}
