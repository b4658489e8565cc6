/* ground_mend.c: the ground after walls have come and gone, made anew only around them.
 *
 * Whatever is kept of a node follows from the walls and gaps within a certain distance, and not from the
 * order they are looked at in. So it is enough to find out anew what lies that near to walls that have
 * changed, and to gaps that have changed because of them. */

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "route/ground.h"
#include "space/box.h"
#include "space/zone_map.h"

/* --- which walls have changed */

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

static throng_changed_walls compare_walls(const throng_wall_trace *old, size_t old_count, const throng_wall_trace *now,
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
    THRONG_RELEASE(before.traces, after.traces);
    return c;
}

static const double mend_most = 0.3; /* of all walls: who has to redo more had better begin anew */

/* What was before. */
typedef struct past {
    throng_gap *gaps;
    size_t gap_count;
    throng_size sizes[THRONG_SIZES_MOST];
    size_t size_count;
    throng_node_set set;        /* the nodes that changed walls concern, and more for a while */
    size_t count;               /* without those */
    throng_node_before *before; /* [count] */
} past;

/* Adds the nodes around gaps that are in one of two lists, but not in both. */
static void add_changed_gaps(throng_node_set *set, const throng_lattice *l, double pad, const throng_gap *a,
                             size_t a_count, const throng_gap *b, size_t b_count) {
    size_t i = 0, j = 0;
    while (i < a_count || j < b_count) {
        int order = i == a_count ? 1 : j == b_count ? -1 : throng_gap_order(&a[i], &b[j]);
        const throng_gap *gap = order <= 0 ? &a[i] : &b[j];
        if (order != 0) throng_node_set_add_line(set, l, gap->a, gap->b, pad);
        i += order <= 0;
        j += order >= 0;
    }
}

/* Takes the nodes around gaps out of the set again. */
static void leave_walls_only(past *p) {
    for (size_t i = p->count; i < p->set.count; i++) p->set.mark[p->set.nodes[i]] = 0;
    for (size_t i = 0; i < p->count; i++) p->set.mark[p->set.nodes[i]] = p->before[i].mark;
    p->set.count = p->count;
}

static void mark_gaps_anew(throng_ground *g, past *p) {
    throng_lattice *l = g->lattice;
    add_changed_gaps(&p->set, l, throng_lattice_mark_pad(l), p->gaps, p->gap_count, g->gaps, g->gap_count);
    for (size_t i = 0; i < p->set.count; i++) {
        if (p->set.mark[p->set.nodes[i]] == THRONG_NODE_ANEW) l->tight[p->set.nodes[i]] = 0;
    }
    for (size_t i = 0; i < g->gap_count; i++) throng_ground_mark_gap(g, &g->gaps[i], &p->set);
    leave_walls_only(p);
}

/* --- sizes */

/* Closes gaps anew for a size, given how its nodes were joined. */
static void cut_anew(const throng_ground *g, const past *p, const throng_size *size) {
    for (size_t i = 0; i < p->set.count; i++) {
        size_t node = p->set.nodes[i];
        if (p->set.mark[node] == THRONG_NODE_ANEW) size->open[node] = g->lattice->open[node];
    }
    for (size_t i = 0; i < size->gap_count; i++) {
        throng_lattice_cut(g->lattice, size->open, g->gaps[i].a, g->gaps[i].b, &p->set);
    }
}

/* How the nodes are joined for a size, given how they were, and a list of the nodes that have changed. */
static void mend_size(throng_ground *g, past *p, throng_size *then, size_t size, throng_node_list *list) {
    const throng_lattice *l = g->lattice;
    throng_size *now = &g->sizes[size];
    add_changed_gaps(&p->set, l, throng_lattice_cut_pad(l), p->gaps, then->gap_count, g->gaps, now->gap_count);
    uint8_t *was = throng_allocate(p->set.count);
    for (size_t i = 0; i < p->set.count; i++) {
        size_t node = p->set.nodes[i];
        was[i] = then->open ? then->open[node] : i < p->count ? p->before[i].open : l->open[node];
    }
    if (now->gap_count > 0 && then->open) {
        now->open = then->open;
        then->open = NULL;
        cut_anew(g, p, now);
    }
    const uint8_t *open = throng_ground_open(g, size);
    for (size_t i = 0; i < p->set.count; i++) {
        size_t node = p->set.nodes[i];
        bool same = i >= p->count || (l->clear[node] == p->before[i].clear && l->room[node] == p->before[i].room);
        if (same && open[node] == was[i]) continue;
        THRONG_GROW(list->nodes, list->capacity, list->count + 1);
        list->nodes[list->count++] = (uint32_t)node;
    }
    throng_release(was);
    leave_walls_only(p);
}

static void mend_sizes(throng_ground *g, past *p, const bool *wanted, throng_node_list *changes) {
    for (size_t i = 0; i < p->size_count; i++) {
        size_t size = wanted[i] ? throng_ground_size_of(g, p->sizes[i].radius) : SIZE_MAX;
        if (size != SIZE_MAX) mend_size(g, p, &p->sizes[i], size, &changes[size]);
        throng_release(p->sizes[i].open);
    }
}

/* --- all of it */

/* The walls have changed in this way, and the gaps have become these. */
static void mend(throng_ground *g, const throng_changed_walls *changed, throng_gap *gaps, size_t gap_count,
                 const bool *wanted, throng_node_list *changes) {
    past *p = throng_allocate(sizeof *p);
    p->gaps = g->gaps;
    p->gap_count = g->gap_count;
    memcpy(p->sizes, g->sizes, sizeof p->sizes);
    p->size_count = g->size_count;
    g->gaps = gaps;
    g->gap_count = gap_count;
    p->before = throng_lattice_mend(g->lattice, g->walls, changed, &p->set);
    p->count = p->set.count;
    mark_gaps_anew(g, p);
    throng_ground_list_sizes(g);
    mend_sizes(g, p, wanted, changes);
    THRONG_RELEASE(p->gaps, p->before);
    throng_node_set_clear(&p->set);
    throng_release(p);
}

static bool is_same_box(throng_box a, throng_box b) {
    return a.low.x == b.low.x && a.low.y == b.low.y && a.high.x == b.high.x && a.high.y == b.high.y;
}

bool throng_ground_mend(throng_ground *g, const throng_walls *walls, const bool *wanted, throng_node_list *changes) {
    if (!g->lattice || walls->count == 0 || !is_same_box(g->box, throng_ground_box(walls))) return false;
    if (g->zone_count != (g->zones ? g->zones->count : 0)) return false;
    throng_wall_trace *traces = throng_walls_trace(walls);
    throng_changed_walls changed = compare_walls(g->laid, g->laid_count, traces, walls->count);
    size_t gap_count = 0;
    throng_gap *gaps = NULL;
    bool few = (double)changed.count <= mend_most * (double)walls->count + 16;
    if (few) gaps = throng_gaps_mend(walls, g->gap_limit, g->gaps, g->gap_count, &changed, &gap_count);
    bool can = few && throng_ground_cell(g, gaps, gap_count) == g->lattice->cell;
    if (can) {
        throng_release(g->laid);
        g->laid = traces;
        g->laid_count = walls->count;
        g->walls = walls;
        mend(g, &changed, gaps, gap_count, wanted, changes);
    } else {
        THRONG_RELEASE(gaps, traces);
    }
    throng_release(changed.walls);
    return can;
}
