/* roadmap_graph.c: bends, the arcs that bodies walk around corners, and the straight legs (edges of the visibility
 * graph) that join them, touch both and keep clear of walls.
 *
 * Around a corner that sticks out a body's centre can move on the arc between the normals of its two
 * walls, as far as no other wall is too near. Where the arc meets what other walls keep clear it is cut,
 * and each piece is tried in its middle.
 *
 * Each pair of bends is looked at once; a leg serves both ways, as the reverse of a way around the same corners. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "route/roadmap.h"
#include "space/walls.h"

/* --- bends */

static const double pi = 3.14159265358979323846;
static const double straight_on = 1e-12; /* sine of the turn of a corner that is none */
static const double on_arc = 1e-7;       /* sine of the angle by which a direction may miss an arc; sight decides */

typedef struct cut {
    double key; /* grows with the angle */
    throng_point direction;
} cut;

typedef struct search {
    const throng_walls *walls;
    double margin, keep;
    throng_wall_near *near;
    size_t near_capacity;
    cut *cuts;
    size_t cut_count, cut_capacity;
    throng_bend *bends;
    size_t count, capacity;
} search;

double throng_margin_kept(const throng_walls *walls, double margin) {
    double farthest = fmax(fabs(walls->origin_x), fabs(walls->origin_y)) +
                      walls->cell * (walls->columns > walls->rows ? walls->columns : walls->rows);
    return margin * (1 - 1e-9) - 1e-14 * farthest;
}

/* atan for 0 <= t <= 0.415 by its series, in four parts that do not wait for each other; no two machines differ in it.
 */
static double arc_tangent(double t) {
    static const double terms[20] = {1,         -1.0 / 3,  1.0 / 5,   -1.0 / 7,  1.0 / 9,   -1.0 / 11, 1.0 / 13,
                                     -1.0 / 15, 1.0 / 17,  -1.0 / 19, 1.0 / 21,  -1.0 / 23, 1.0 / 25,  -1.0 / 27,
                                     1.0 / 29,  -1.0 / 31, 1.0 / 33,  -1.0 / 35, 1.0 / 37,  -1.0 / 39};
    double z = t * t, z2 = z * z, z4 = z2 * z2, a = 0, b = 0, c = 0, d = 0;
    for (int i = 16; i >= 0; i -= 4) {
        a = a * z4 + terms[i];
        b = b * z4 + terms[i + 1];
        c = c * z4 + terms[i + 2];
        d = d * z4 + terms[i + 3];
    }
    return t * (a + b * z + (c + d * z) * z2);
}

/* Up to a right angle, with the tangent of half of it, and from that of a quarter. */
double throng_angle_between(throng_point a, throng_point b) {
    double cosine = throng_dot(a, b), half = fabs(throng_cross(a, b)) / (1 + fabs(cosine));
    double angle = 4 * arc_tangent(half / (1 + sqrt(1 + half * half)));
    return cosine < 0 ? pi - angle : angle;
}

double throng_node_angle(const throng_tangents *tangents, uint32_t node, throng_point direction) {
    throng_point zero = tangents->bends[node / 2].zero;
    double angle = throng_angle_between(zero, direction);
    /* A little beside the arc, which is at most half around. */
    if (throng_cross(zero, direction) > 0) angle = throng_dot(zero, direction) > 0 ? -angle : 2 * pi - angle;
    return throng_node_side(node) * angle;
}

bool throng_bend_has(const throng_bend *bend, throng_point direction) {
    if (throng_cross(bend->from, direction) > on_arc || throng_cross(direction, bend->to) > on_arc) return false;
    /* Of a short arc the opposite directions would pass as well. */
    return throng_dot(direction, (throng_point){bend->from.x + bend->to.x, bend->from.y + bend->to.y}) > -on_arc;
}

/* Midway along an arc, clockwise. */
static throng_point middle_of(throng_point from, throng_point to) {
    throng_point sum = {from.x + to.x, from.y + to.y}, right = {from.y, -from.x};
    if (throng_dot(sum, sum) < 1e-6) {
        /* Half around. */
        throng_point across = {from.x - to.x, from.y - to.y};
        right = (throng_point){across.y, -across.x};
        return throng_unit(right);
    }
    return throng_unit(sum);
}

static void add_cut(search *s, const throng_bend *arc, double x, double y) {
    throng_point u = {x, y};
    if (!throng_bend_has(arc, u)) return;
    THRONG_GROW(s->cuts, s->cut_capacity, s->cut_count + 1);
    s->cuts[s->cut_count++] = (cut){-throng_dot(arc->from, u), u};
}

/* Where the circle around a corner is as far from a line as its walls are kept: u . n = part. */
static void cut_along(search *s, const throng_bend *arc, throng_point n, double part) {
    if (!(fabs(part) < 1)) return;
    double across = sqrt(1 - part * part);
    add_cut(s, arc, part * n.x - across * n.y, part * n.y + across * n.x);
    add_cut(s, arc, part * n.x + across * n.y, part * n.y - across * n.x);
}

static void cut_by_end(search *s, const throng_bend *arc, throng_point end) {
    throng_point v = {end.x - arc->at.x, end.y - arc->at.y};
    double far2 = throng_dot(v, v), far = sqrt(far2);
    if (far < 1e-9) return;
    double part = (far2 + s->margin * s->margin - s->keep * s->keep) / (2 * s->margin * far);
    cut_along(s, arc, (throng_point){v.x / far, v.y / far}, part);
}

static void cut_by_wall(search *s, const throng_bend *arc, uint32_t wall) {
    const throng_walls *w = s->walls;
    throng_point a = {w->x[wall], w->y[wall]}, n = {-w->along_y[wall], w->along_x[wall]};
    double left = (arc->at.x - a.x) * n.x + (arc->at.y - a.y) * n.y;
    cut_along(s, arc, n, (s->keep - left) / s->margin);
    cut_along(s, arc, n, (-s->keep - left) / s->margin);
    cut_by_end(s, arc, a);
    cut_by_end(s, arc, (throng_point){w->x[w->next[wall]], w->y[w->next[wall]]});
}

static int by_angle(const void *a, const void *b) {
    const cut *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key;
}

static bool has_room(const search *s, throng_point at, throng_point direction) {
    throng_point p = throng_ahead(at, direction, s->margin);
    return throng_walls_depth(s->walls, p.x, p.y, s->margin) >= s->keep;
}

/* The pieces of an arc between its cuts where a body fits; neighbouring ones are joined. */
static void add_pieces(search *s, const throng_bend *arc) {
    if (s->cut_count > 1) qsort(s->cuts, s->cut_count, sizeof *s->cuts, by_angle);
    throng_point begin = arc->from;
    bool joined = false;
    for (size_t i = 0; i <= s->cut_count; i++) {
        throng_point end = i < s->cut_count ? s->cuts[i].direction : arc->to;
        bool room = has_room(s, arc->at, middle_of(begin, end));
        if (room && joined) {
            s->bends[s->count - 1].to = end;
        } else if (room) {
            THRONG_GROW(s->bends, s->capacity, s->count + 1);
            s->bends[s->count++] =
                (throng_bend){.at = arc->at, .from = begin, .to = end, .zero = arc->zero, .wall = arc->wall};
        }
        joined = room;
        begin = end;
    }
}

static void try_corner(search *s, uint32_t k) {
    const throng_walls *w = s->walls;
    uint32_t before = w->previous[k];
    throng_bend arc = {.at = {w->x[k], w->y[k]},
                       .from = {-w->along_y[before], w->along_x[before]},
                       .to = {-w->along_y[k], w->along_x[k]},
                       .wall = k};
    arc.zero = arc.from;
    if (throng_cross(arc.from, arc.to) > -straight_on && throng_dot(arc.from, arc.to) > 0) return;
    THRONG_GROW(s->near, s->near_capacity, 1);
    size_t count = throng_walls_within(w, arc.at.x, arc.at.y, 2 * s->margin, s->near, s->near_capacity);
    while (count == s->near_capacity) {
        THRONG_GROW(s->near, s->near_capacity, count + 1);
        count = throng_walls_within(w, arc.at.x, arc.at.y, 2 * s->margin, s->near, s->near_capacity);
    }
    s->cut_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (s->near[i].wall != k && s->near[i].wall != before) cut_by_wall(s, &arc, s->near[i].wall);
    }
    add_pieces(s, &arc);
}

/* Of where the bend is and begins. */
static uint32_t name_of(const throng_bend *bend) {
    double numbers[4] = {bend->at.x, bend->at.y, bend->from.x, bend->from.y};
    uint64_t mixed = 0, bits;
    for (int i = 0; i < 4; i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        mixed = throng_mix(mixed ^ bits);
    }
    return (uint32_t)(mixed >> 34);
}

throng_bend *throng_bends_find(const throng_walls *walls, double margin, double keep, size_t *count) {
    search s = {.walls = walls, .margin = margin, .keep = keep};
    for (size_t k = 0; k < walls->count; k++) {
        if (walls->convex[k]) try_corner(&s, (uint32_t)k);
    }
    THRONG_RELEASE(s.near, s.cuts);
    for (size_t i = 0; i < s.count; i++) {
        s.bends[i].name = name_of(&s.bends[i]);
        s.bends[i].first = throng_angle_between(s.bends[i].zero, s.bends[i].from);
        s.bends[i].last = throng_angle_between(s.bends[i].zero, s.bends[i].to);
    }
    *count = s.count;
    return s.bends;
}

/* --- legs */

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
    THRONG_RELEASE(m.links, m.first);
    return t;
}

void throng_tangents_destroy(throng_tangents *tangents) {
    if (!tangents) return;
    THRONG_RELEASE(tangents->bends, tangents->corners, tangents->by_name, tangents->buckets, tangents->first,
                   tangents->legs, tangents->beside_first, tangents->beside);
    throng_views_clear(&tangents->views);
    throng_release(tangents);
}
