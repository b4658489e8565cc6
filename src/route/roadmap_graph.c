/* roadmap_graph.c: joins bends by the straight legs (edges of the visibility graph) that touch both and keep clear of
 * walls. Each pair is looked at once; a leg serves both ways, as the reverse of a way around the same corners. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "route/roadmap.h"
#include "space/walls.h"

/* A leg while the graph is made. */
typedef struct link {
    uint32_t from; /* node */
    throng_roadmap_leg leg;
} link;

/* The legs found from one bend to those after it. */
typedef struct links {
    link *items;
    size_t count, capacity;
} links;

typedef struct making {
    const throng_walls *walls;
    throng_tangents *tangents;
    links *links;    /* [bend] */
    uint32_t *first; /* [wall] the first bend at where it begins, if there is any */
} making;

static void try_pair(making *m, links *found, uint32_t from, uint32_t to) {
    throng_tangents *t = m->tangents;
    const throng_bend *a = &t->bends[from / 2], *b = &t->bends[to / 2];
    throng_tangent line;
    if (!throng_tangent_of(a->at, throng_node_side(from), b->at, throng_node_side(to), t->margin, &line)) return;
    if (!throng_bend_has(a, line.touch[0]) || !throng_bend_has(b, line.touch[1])) return;
    throng_point begin = throng_ahead(a->at, line.touch[0], t->margin);
    throng_point end = throng_ahead(b->at, line.touch[1], t->margin);
    if (!throng_sight_is_clear(m->walls, begin, end, t->keep)) return;
    throng_roadmap_leg leg = {
        .to = to, .leave = throng_node_angle(t, from, line.touch[0]), .reach = throng_node_angle(t, to, line.touch[1])};
    leg.cost = line.length + t->margin * (leg.leave - leg.reach);
    THRONG_GROW(found->items, found->capacity, found->count + 1);
    found->items[found->count++] = (link){from, leg};
}

/* Tries the bends after one that may be seen from it, in order. */
static void look_from_bend(making *m, const throng_outlook *outlook, const uint64_t *looked, size_t i) {
    throng_tangents *t = m->tangents;
    for (size_t word = t->bends[i].wall / 64; word < (m->walls->count + 63) / 64; word++) {
        for (uint64_t left = looked[word]; left; left &= left - 1) {
            size_t wall = 64 * word + (size_t)__builtin_ctzll(left), j = m->first[wall];
            for (; j < t->bend_count && t->bends[j].wall == wall; j++) {
                if (j <= i || !throng_outlook_may_see(outlook, t->bends[j].at)) continue;
                for (uint32_t sides = 0; sides < 4; sides++) {
                    try_pair(m, &m->links[i], (uint32_t)(2 * i) + (sides & 1), (uint32_t)(2 * j) + sides / 2);
                }
            }
        }
    }
}

static void look_from(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    making *m = context;
    throng_tangents *t = m->tangents;
    throng_outlook outlook;
    uint64_t *looked = throng_allocate((m->walls->count + 63) / 64 * sizeof *looked);
    for (size_t i = begin; i < end; i++) {
        throng_outlook_make(&outlook, m->walls, t->bends[i].at, false, t->margin, looked);
        look_from_bend(m, &outlook, looked, i);
    }
    throng_release(looked);
}

/* Sorts the legs, and their reverses, by the node they leave. */
static void sort_links(throng_tangents *t, const links *found) {
    size_t nodes = 2 * t->bend_count;
    t->first = throng_allocate((nodes + 2) * sizeof *t->first);
    size_t *at = t->first + 1;
    for (size_t i = 0; i < t->bend_count; i++) {
        for (size_t l = 0; l < found[i].count; l++) {
            at[found[i].items[l].from + 1]++;
            at[(found[i].items[l].leg.to ^ 1) + 1]++;
        }
    }
    for (size_t n = 0; n < nodes; n++) at[n + 1] += at[n];
    t->legs = throng_allocate(at[nodes] * sizeof *t->legs);
    for (size_t i = 0; i < t->bend_count; i++) {
        for (size_t l = 0; l < found[i].count; l++) {
            link k = found[i].items[l];
            t->legs[at[k.from]++] = k.leg;
            t->legs[at[k.leg.to ^ 1]++] = (throng_roadmap_leg){k.from ^ 1, -k.leg.reach, -k.leg.leave, k.leg.cost};
        }
    }
    /* Every start has moved on to that of the next node. */
    t->first[0] = 0;
}

/* The bend that a leg leads to; none after the last. */
static uint32_t bend_after(const throng_tangents *t, size_t leg, size_t end) {
    return leg < end ? t->legs[leg].to / 2 : UINT32_MAX;
}

/* Lists each bend that legs lead to from either node of a bend once: the legs of a node are in order of bends. */
static void list_beside(throng_tangents *t) {
    t->beside_first = throng_allocate((t->bend_count + 1) * sizeof *t->beside_first);
    t->beside = throng_allocate(t->first[2 * t->bend_count] * sizeof *t->beside);
    size_t count = 0;
    for (size_t i = 0; i < t->bend_count; i++) {
        size_t left = t->first[2 * i], middle = t->first[2 * i + 1], right = middle, end = t->first[2 * i + 2];
        while (left < middle || right < end) {
            uint32_t a = bend_after(t, left, middle), b = bend_after(t, right, end), next = a < b ? a : b;
            t->beside[count++] = next;
            while (bend_after(t, left, middle) == next) left++;
            while (bend_after(t, right, end) == next) right++;
        }
        t->beside_first[i + 1] = count;
    }
    t->beside = throng_reallocate(t->beside, count * sizeof *t->beside);
}

/* Sorts names, those that are the same as they come: merge sort. */
static void sort_names(throng_bend_name *names, throng_bend_name *scratch, size_t count) {
    if (count < 2) return;
    size_t half = count / 2;
    sort_names(names, scratch, half);
    sort_names(names + half, scratch, count - half);
    memcpy(scratch, names, half * sizeof *scratch);
    for (size_t i = 0, left = 0, right = half; left < half; i++) {
        bool take_right = right < count && names[right].name < scratch[left].name;
        names[i] = take_right ? names[right++] : scratch[left++];
    }
}

/* Which bucket of names one is in: names are spread evenly over 30 bits. */
static size_t drawer_of(const throng_tangents *t, uint32_t name) {
    return (size_t)((uint64_t)name * t->bend_count >> 30);
}

static void index_names(throng_tangents *t) {
    t->by_name = throng_allocate(t->bend_count * sizeof *t->by_name);
    throng_bend_name *scratch = throng_allocate(t->bend_count * sizeof *scratch);
    for (size_t i = 0; i < t->bend_count; i++) t->by_name[i] = (throng_bend_name){t->bends[i].name, (uint32_t)i};
    sort_names(t->by_name, scratch, t->bend_count);
    throng_release(scratch);
    t->buckets = throng_allocate((t->bend_count + 1) * sizeof *t->buckets);
    for (size_t i = 0; i < t->bend_count; i++) t->buckets[drawer_of(t, t->by_name[i].name) + 1]++;
    for (size_t i = 0; i < t->bend_count; i++) t->buckets[i + 1] += t->buckets[i];
}

uint32_t throng_tangents_find(const throng_tangents *t, uint32_t corner) {
    if (t->bend_count == 0) return UINT32_MAX;
    size_t bucket = drawer_of(t, corner / 2 & 0x3fffffff);
    for (uint32_t i = t->buckets[bucket]; i < t->buckets[bucket + 1]; i++) {
        if (t->by_name[i].name == corner / 2) return 2 * t->by_name[i].bend + (corner & 1);
    }
    return UINT32_MAX;
}

throng_tangents *throng_tangents_create(const throng_walls *walls, double margin, double body, throng_crew *crew) {
    throng_tangents *t = throng_allocate(sizeof *t);
    t->margin = margin;
    t->body = body;
    t->keep = throng_margin_kept(walls, margin);
    t->bends = throng_bends_find(walls, margin, t->keep, &t->bend_count);
    t->corners = throng_allocate(t->bend_count * sizeof *t->corners);
    for (size_t i = 0; i < t->bend_count; i++) t->corners[i] = t->bends[i].at;
    index_names(t);
    making m = {.walls = walls, .tangents = t, .links = throng_allocate(t->bend_count * sizeof *m.links)};
    m.first = throng_allocate((walls->count + 64) * sizeof *m.first);
    for (size_t i = t->bend_count; i-- > 0;) m.first[t->bends[i].wall] = (uint32_t)i;
    throng_parallel_for(crew, t->bend_count, 8, look_from, &m);
    sort_links(t, m.links);
    list_beside(t);
    throng_views_lay(&t->views, walls, t->bend_count);
    for (size_t i = 0; i < t->bend_count; i++) throng_release(m.links[i].items);
    throng_release(m.links);
    throng_release(m.first);
    return t;
}

void throng_tangents_destroy(throng_tangents *tangents) {
    if (!tangents) return;
    throng_release(tangents->bends);
    throng_release(tangents->corners);
    throng_release(tangents->by_name);
    throng_release(tangents->buckets);
    throng_release(tangents->first);
    throng_release(tangents->legs);
    throng_release(tangents->beside_first);
    throng_release(tangents->beside);
    throng_views_clear(&tangents->views);
    throng_release(tangents);
}
