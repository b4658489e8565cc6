/* ask.c: who is near a point, what a ray meets, where is room (spatial queries). A cell grid of its own is made once
 * after each change; questions only read, so any number of threads may ask. */

#include "world/ask.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vector.h"
#include "world/world.h"

const throng_ask *throng_world_ask(throng_world *world) {
    if (!world->ask) {
        world->ask = throng_allocate(sizeof *world->ask);
        *world->ask = (throng_ask){.world = world, .grid = throng_near_create(), .crew = throng_crew_create(1)};
    }
    throng_ask *ask = world->ask;
    if (!ask->near) {
        throng_near_reserve(ask->grid, world->agents.count + 1);
        throng_near_input input = {.people = world->agents.view,
                                   .scale = world->ordinary_radius,
                                   .shuffled = world->agents.shuffled ? world->agents.count : 0};
        ask->near = throng_near_build(ask->grid, world->crew, &input);
    }
    throng_ask_check_ways(ask);
    return ask;
}

void throng_ask_destroy(throng_ask *ask) {
    if (!ask) return;
    throng_ask_forget_ways(ask);
    throng_near_destroy(ask->grid);
    throng_crew_destroy(ask->crew);
    throng_release(ask);
}

/* ------------------------------------------------------------------ looking into cells */

/* A look at everybody in a box, of whom `see` is told: their slot, and where they are or, across a seam, seem to be. */
typedef struct look {
    const throng_ask *ask;
    throng_box box;
    void (*see)(struct look *look, uint32_t slot, throng_point at);
    void *context;
} look;

static void look_at(look *l, throng_point shift) {
    const throng_near *near = l->ask->near;
    throng_box box = {throng_minus(l->box.low, shift), throng_minus(l->box.high, shift)};
    int32_t left = throng_near_column(near, box.low.x), right = throng_near_column(near, box.high.x);
    for (int32_t r = throng_near_row(near, box.low.y); r <= throng_near_row(near, box.high.y); r++) {
        const uint32_t *start = near->start + (size_t)r * (size_t)near->columns;
        for (uint32_t slot = start[left]; slot < start[right + 1]; slot++) {
            double x = near->x[slot], y = near->y[slot];
            if (x < box.low.x || x > box.high.x || y < box.low.y || y > box.high.y) continue;
            l->see(l, slot, (throng_point){x + shift.x, y + shift.y});
        }
    }
}

/* The images of a period that meet a stretch: the numbers of the first and the last of them. */
typedef struct images {
    double first, last;
} images;

static images images_of(bool wraps, double low, double high, double from, double to) {
    if (!wraps) return (images){0, 0};
    return (images){floor((from - low) / (high - low)), floor((to - low) / (high - low))};
}

static void look_around(look *l) {
    const throng_period *p = &l->ask->world->period;
    if (l->ask->near->count == 0) return;
    images x = images_of(p->x, p->low.x, p->high.x, l->box.low.x, l->box.high.x);
    images y = images_of(p->y, p->low.y, p->high.y, l->box.low.y, l->box.high.y);
    for (double i = y.first; i <= y.last; i++)
        for (double k = x.first; k <= x.last; k++)
            look_at(l, (throng_point){p->x ? k * (p->high.x - p->low.x) : 0, p->y ? i * (p->high.y - p->low.y) : 0});
}

/* A box around a point, no wider than a period, so that nobody is seen twice but at its ends. */
static throng_box box_around(const throng_ask *ask, throng_point at, double reach) {
    const throng_period *p = &ask->world->period;
    double x = p->x ? fmin(reach, (p->high.x - p->low.x) / 2) : reach;
    double y = p->y ? fmin(reach, (p->high.y - p->low.y) / 2) : reach;
    return (throng_box){{at.x - x, at.y - y}, {at.x + x, at.y + y}};
}

static throng_box box_of_cells(const throng_near *near) {
    double x = (near->first_column - THRONG_NEAR_FAR) * near->cell,
           y = (near->first_row - THRONG_NEAR_FAR) * near->cell;
    return (throng_box){{x, y},
                        {x + near->columns / near->columns_per_square * near->cell, y + near->rows * near->cell}};
}

static throng_agent id_of(const throng_ask *ask, uint32_t slot) { return ask->world->agents.id[ask->near->row[slot]]; }

/* ------------------------------------------------------------------ the nearest */

typedef struct nearest {
    throng_point at;
    throng_agent except, found;
    double distance2;
} nearest;

static void see_nearest(look *l, uint32_t slot, throng_point at) {
    nearest *n = l->context;
    double dx = at.x - n->at.x, dy = at.y - n->at.y, distance2 = dx * dx + dy * dy;
    if (distance2 > n->distance2) return;
    throng_agent id = id_of(l->ask, slot);
    if (id == n->except || (distance2 == n->distance2 && n->found && id > n->found)) return;
    n->distance2 = distance2;
    n->found = id;
}

/* How far the cells with people in them are from a point, and at most how far from each other people are. */
static double distance_to_cells(const throng_near *near, throng_point at, double *across) {
    throng_box box = box_of_cells(near);
    double dx = fmax(fmax(box.low.x - at.x, at.x - box.high.x), 0);
    double dy = fmax(fmax(box.low.y - at.y, at.y - box.high.y), 0);
    *across = box.high.x - box.low.x + box.high.y - box.low.y;
    return sqrt(dx * dx + dy * dy);
}

/* Looks twice as far each time, until whoever is found cannot be beaten by somebody farther out. */
throng_agent throng_ask_nearest(const throng_ask *ask, throng_point at, double reach, throng_agent except,
                                double *distance) {
    const throng_period *p = &ask->world->period;
    nearest n = {.at = throng_period_wrap(p, at), .except = except};
    if (!throng_point_fits(at) || !(reach >= 0)) return 0;
    double across, away = distance_to_cells(ask->near, n.at, &across), most = fmin(reach, away + across);
    if (throng_period_is_on(p)) away = 0; /* an image may be nearer */
    for (double far = fmin(away + 2 * ask->near->cell, most);; far = fmin(2 * far, most)) {
        n.distance2 = far * far;
        n.found = 0;
        look_around(&(look){.ask = ask, .box = box_around(ask, n.at, far), .see = see_nearest, .context = &n});
        if (n.found || !(far < most)) break;
    }
    if (n.found && distance) *distance = sqrt(n.distance2);
    return n.found;
}

/* ------------------------------------------------------------------ lists */

typedef struct list {
    throng_point at;
    double reach2;
    throng_ring ring; /* no points: a disc */
    throng_agent *out;
    size_t capacity, count;
} list;

static void see_one(look *l, uint32_t slot, throng_point at) {
    list *in = l->context;
    double dx = at.x - in->at.x, dy = at.y - in->at.y;
    if (in->ring.count ? !throng_ring_contains(in->ring, at.x, at.y) : !(dx * dx + dy * dy <= in->reach2)) return;
    /* half a period away on both sides is once */
    const throng_period *p = &l->ask->world->period;
    if (!in->ring.count && ((p->x && at.x == l->box.high.x && at.x - l->box.low.x == p->high.x - p->low.x) ||
                            (p->y && at.y == l->box.high.y && at.y - l->box.low.y == p->high.y - p->low.y)))
        return;
    if (in->count < in->capacity) in->out[in->count] = id_of(l->ask, slot);
    in->count++;
}

static int by_id(const void *a, const void *b) {
    throng_agent one = *(const throng_agent *)a, other = *(const throng_agent *)b;
    return (one > other) - (one < other);
}

static size_t sorted(const list *found) {
    size_t stored = found->count < found->capacity ? found->count : found->capacity;
    if (stored > 1) qsort(found->out, stored, sizeof *found->out, by_id);
    return found->count;
}

size_t throng_ask_disc(const throng_ask *ask, throng_point at, double reach, throng_agent *out, size_t capacity) {
    if (!throng_point_fits(at) || !(reach >= 0)) return 0;
    list in = {.at = throng_period_wrap(&ask->world->period, at), .reach2 = reach * reach, .out = out};
    in.capacity = capacity;
    look_around(&(look){.ask = ask, .box = box_around(ask, in.at, reach), .see = see_one, .context = &in});
    return sorted(&in);
}

size_t throng_ask_polygon(const throng_ask *ask, throng_ring ring, throng_agent *out, size_t capacity) {
    if (ring.count < 3 || !ring.points || ask->near->count == 0) return 0;
    for (size_t i = 0; i < ring.count; i++)
        if (!throng_point_fits(ring.points[i])) return 0;
    list in = {.ring = ring, .out = out, .capacity = capacity};
    look l = {.ask = ask, .box = throng_box_of(ring.points, ring.count), .see = see_one, .context = &in};
    look_at(&l, (throng_point){0, 0});
    return sorted(&in);
}

/* ------------------------------------------------------------------ rays */

typedef struct ray {
    const throng_ask *ask;
    throng_point from, along; /* along: unit vector */
    throng_agent except;
    throng_hit hit; /* the first so far; distance: no farther than that is looked */
} ray;

static void meet(ray *r, throng_hit_kind kind, double distance, throng_point normal, throng_agent agent) {
    r->hit = (throng_hit){kind, throng_ahead(r->from, r->along, distance), distance, normal, agent};
}

/* Where the ray crosses a wall, ends included. */
static bool meet_wall(void *context, uint32_t wall) {
    ray *r = context;
    const throng_walls *w = r->ask->world->walls;
    throng_point away = {w->x[wall] - r->from.x, w->y[wall] - r->from.y}, e = {w->along_x[wall], w->along_y[wall]};
    double across = throng_cross(r->along, e);
    if (across == 0) return false;
    double distance = throng_cross(away, e) / across, along = throng_cross(away, r->along) / across;
    const double little = 1e-9; /* m: no ray slips through between two walls that meet */
    if (!(distance >= 0 && distance <= r->hit.distance && along >= -little && along <= w->length[wall] + little))
        return false;
    throng_point normal = across < 0 ? (throng_point){e.y, -e.x} : (throng_point){-e.y, e.x};
    if (r->hit.kind == THRONG_HIT_NOTHING || distance < r->hit.distance) meet(r, THRONG_HIT_WALL, distance, normal, 0);
    return false;
}

static void meet_person(look *l, uint32_t slot, throng_point at) {
    ray *r = l->context;
    throng_agent id = id_of(l->ask, slot);
    throng_point away = throng_minus(at, r->from);
    double radius = l->ask->near->radius[slot], along = throng_dot(away, r->along);
    double beside2 = throng_dot(away, away) - along * along, in2 = radius * radius - beside2;
    bool inside = throng_dot(away, away) <= radius * radius;
    if (id == r->except || in2 < 0 || (along < 0 && !inside)) return;
    double distance = inside ? 0 : along - sqrt(in2);
    bool first = r->hit.kind == THRONG_HIT_NOTHING || distance < r->hit.distance;
    if (distance > r->hit.distance || !(first || (r->hit.agent && id < r->hit.agent))) return;
    throng_point normal = throng_unit(throng_minus(throng_ahead(r->from, r->along, distance), at));
    meet(r, THRONG_HIT_PERSON, distance, normal, id);
}

/* Where people and walls are; across a seam as far as a period, as walls are known there. */
static throng_box sight_of(const throng_ask *ask) {
    const throng_walls *w = ask->world->walls;
    const throng_period *p = &ask->world->period;
    throng_box box = throng_box_empty();
    if (w->count > 0) {
        box.low = (throng_point){w->origin_x, w->origin_y};
        box.high = (throng_point){w->origin_x + w->columns * w->cell, w->origin_y + w->rows * w->cell};
    }
    double most = ask->near->radius_max;
    if (ask->near->count > 0) box = throng_box_join(box, box_of_cells(ask->near));
    if (p->x) box.low.x = 2 * p->low.x - p->high.x, box.high.x = 2 * p->high.x - p->low.x;
    if (p->y) box.low.y = 2 * p->low.y - p->high.y, box.high.y = 2 * p->high.y - p->low.y;
    return (throng_box){{box.low.x - most, box.low.y - most}, {box.high.x + most, box.high.y + most}};
}

/* From where to where a ray is in a stretch along one axis: what is left of begin .. end. */
static void clip(double from, double along, double low, double high, double *begin, double *end) {
    double a = (low - from) / along, b = (high - from) / along;
    if (along == 0) a = from >= low && from <= high ? -INFINITY : INFINITY, b = -a;
    *begin = fmax(*begin, fmin(a, b));
    *end = along == 0 && a > 0 ? -INFINITY : fmin(*end, fmax(a, b));
}

/* In pieces, each of which passes few cells; after the one in which something is met nobody looks. */
static void cast(ray *r, int against) {
    const double piece = 8; /* m */
    double begin = 0, end = r->hit.distance, most = r->ask->near->radius_max;
    throng_box sight = sight_of(r->ask);
    clip(r->from.x, r->along.x, sight.low.x, sight.high.x, &begin, &end);
    clip(r->from.y, r->along.y, sight.low.y, sight.high.y, &begin, &end);
    for (double at = begin; at <= end && (!r->hit.kind || at <= r->hit.distance); at += piece) {
        throng_point a = throng_ahead(r->from, r->along, at),
                     b = throng_ahead(r->from, r->along, fmin(at + piece, end));
        if (against & THRONG_HIT_WALL) throng_walls_along(r->ask->world->walls, a, b, meet_wall, r);
        look people = {.ask = r->ask, .see = meet_person, .context = r};
        people.box.low = (throng_point){fmin(a.x, b.x) - most, fmin(a.y, b.y) - most};
        people.box.high = (throng_point){fmax(a.x, b.x) + most, fmax(a.y, b.y) + most};
        if (against & THRONG_HIT_PERSON) look_around(&people);
    }
}

throng_hit throng_ask_ray(const throng_ask *ask, throng_point from, throng_point to, int against, throng_agent except) {
    if (!throng_point_fits(from) || !throng_point_fits(to)) return (throng_hit){.distance = NAN};
    throng_point start = throng_period_wrap(&ask->world->period, from);
    ray r = {.ask = ask, .from = start, .along = throng_unit(throng_minus(to, from)), .except = except};
    r.hit.distance = throng_distance(from, to);
    cast(&r, against);
    r.hit.at = r.hit.kind ? throng_plus(r.hit.at, throng_minus(from, start)) : to;
    return r.hit;
}

/* ------------------------------------------------------------------ room */

typedef struct room {
    throng_point at;
    double radius;
    throng_agent except;
    bool taken;
} room;

static void see_taken(look *l, uint32_t slot, throng_point at) {
    room *r = l->context;
    double dx = at.x - r->at.x, dy = at.y - r->at.y, least = r->radius + l->ask->near->radius[slot];
    if (dx * dx + dy * dy < least * least && id_of(l->ask, slot) != r->except) r->taken = true;
}

bool throng_ask_is_free(const throng_ask *ask, throng_point at, double radius, throng_agent except) {
    const throng_world *world = ask->world;
    room r = {.at = throng_period_wrap(&world->period, at), .radius = radius, .except = except};
    if (!throng_point_fits(at) || !(radius >= 0 && radius <= THRONG_RADIUS_MOST)) return false;
    if (throng_walls_depth(world->walls, r.at.x, r.at.y, radius) < radius) return false;
    double reach = radius + ask->near->radius_max;
    look_around(&(look){.ask = ask, .box = box_around(ask, r.at, reach), .see = see_taken, .context = &r});
    return !r.taken && !throng_world_is_thing_at(world, r.at, radius);
}

/* Which part of a disc is floor, by points of a lattice. */
static double floor_share(const throng_walls *walls, throng_point at, double reach) {
    enum { SIDE = 16 };
    size_t inside = 0, all = 0;
    if (throng_walls_are_off(walls, at.x, at.y, reach)) return throng_walls_inside(walls, at.x, at.y) ? 1 : 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = (2 * (i % SIDE) + 1 - SIDE) / (double)SIDE, y = (2 * (i / SIDE) + 1 - SIDE) / (double)SIDE;
        if (x * x + y * y > 1) continue;
        all++;
        inside += throng_walls_inside(walls, at.x + reach * x, at.y + reach * y);
    }
    return (double)inside / (double)all;
}

double throng_ask_density(const throng_ask *ask, throng_point at, double reach) {
    const double pi = 3.14159265358979323846;
    if (!throng_point_fits(at) || !(reach > 0 && reach <= THRONG_FARTHEST)) return NAN;
    throng_point here = throng_period_wrap(&ask->world->period, at);
    double share = floor_share(ask->world->walls, here, reach);
    return share > 0 ? (double)throng_ask_disc(ask, at, reach, NULL, 0) / (share * pi * reach * reach) : NAN;
}
