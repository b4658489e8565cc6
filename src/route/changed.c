/* changed.c: compares the walls of now with those of before; changed.h says what for. */

#include "route/changed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"

throng_wall_trace *throng_walls_trace(const throng_walls *w) {
    throng_wall_trace *traces = throng_allocate(w->count * sizeof *traces);
    for (size_t k = 0; k < w->count; k++) {
        uint32_t n = w->next[k], p = w->previous[k];
        traces[k] = (throng_wall_trace){{w->x[k], w->y[k]}, {w->x[n], w->y[n]}, w->thin[k], {w->x[p], w->y[p]}};
    }
    return traces;
}

/* In the order of the first numbers of a trace: those of the wall, or those of the corner as well. */
static int order(const throng_wall_trace *a, const throng_wall_trace *b, size_t numbers) {
    const double left[] = {a->from.x, a->from.y, a->to.x, a->to.y, a->thin, a->before.x, a->before.y};
    const double right[] = {b->from.x, b->from.y, b->to.x, b->to.y, b->thin, b->before.x, b->before.y};
    for (size_t i = 0; i < numbers; i++) {
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    }
    return 0;
}

enum { WALL = 5, CORNER = 7 };

static int by_place(const void *a, const void *b) { return order(a, b, CORNER); }

/* Sorted traces that still have to be compared. */
typedef struct pile {
    throng_wall_trace *traces;
    size_t count;
} pile;

static pile sorted(const throng_wall_trace *traces, size_t count) {
    pile p = {throng_copy_bytes(traces, count * sizeof *traces), count};
    if (count > 1) qsort(p.traces, count, sizeof *p.traces, by_place);
    return p;
}

/* Adds and counts what is in one pile and not in the other, as many times as it is. */
static void add_missing(throng_changed_walls *c, pile from, pile other, size_t numbers, size_t *counted) {
    size_t j = 0;
    for (size_t i = 0; i < from.count; i++) {
        while (j < other.count && order(&other.traces[j], &from.traces[i], numbers) < 0) j++;
        if (j < other.count && order(&other.traces[j], &from.traces[i], numbers) == 0) {
            j++;
            continue;
        }
        throng_point a = from.traces[i].from, b = numbers == WALL ? from.traces[i].to : a;
        c->box = throng_box_with(throng_box_with(c->box, a.x, a.y), b.x, b.y);
        c->walls[c->gone + c->count + c->corners] = from.traces[i];
        ++*counted;
    }
}

throng_changed_walls throng_walls_changed(const throng_wall_trace *old, size_t old_count, const throng_wall_trace *now,
                                          size_t now_count) {
    /* Mostly some stretch in the list of walls is another. */
    while (old_count > 0 && now_count > 0 && order(old, now, CORNER) == 0) old++, now++, old_count--, now_count--;
    while (old_count > 0 && now_count > 0 && order(&old[old_count - 1], &now[now_count - 1], CORNER) == 0) {
        old_count--, now_count--;
    }
    throng_changed_walls c = {.walls = throng_allocate(2 * (old_count + now_count) * sizeof *c.walls),
                              .box = throng_box_empty()};
    pile before = sorted(old, old_count), after = sorted(now, now_count);
    add_missing(&c, before, after, WALL, &c.gone);
    add_missing(&c, after, before, WALL, &c.count);
    add_missing(&c, before, after, CORNER, &c.corners);
    add_missing(&c, after, before, CORNER, &c.corners);
    c.count += c.gone;
    throng_release(before.traces);
    throng_release(after.traces);
    return c;
}

void throng_changed_walls_clear(throng_changed_walls *changed) {
    throng_release(changed->walls);
    changed->walls = NULL;
}
