/* clip.c: cuts thin walls where they meet other walls and keeps the pieces people can walk around. */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "space/area.h"
#include "space/orient.h"
#include "space/walls.h"

/* Pieces shorter than this, and pieces that run along a wall this closely, are left out. m */
static const double shortest = 1e-9;

/* Where a straight piece meets walls, as fractions of its length. */
typedef struct cuts {
    const throng_walls *walls;
    throng_point from, to;
    double *at;
    size_t count, capacity;
} cuts;

static void add_cut(cuts *c, double t) {
    if (!(t > 0 && t < 1)) return;
    THRONG_GROW(c->at, c->capacity, c->count + 1);
    c->at[c->count++] = t;
}

static double fraction_of(const cuts *c, throng_point p) {
    double dx = c->to.x - c->from.x, dy = c->to.y - c->from.y;
    return ((p.x - c->from.x) * dx + (p.y - c->from.y) * dy) / (dx * dx + dy * dy);
}

static bool cut_at_wall(void *context, uint32_t k) {
    cuts *c = context;
    const throng_walls *walls = c->walls;
    throng_point a = {walls->x[k], walls->y[k]}, b = {walls->x[walls->next[k]], walls->y[walls->next[k]]};
    int from_side = throng_turn(a, b, c->from), to_side = throng_turn(a, b, c->to);
    int a_side = throng_turn(c->from, c->to, a), b_side = throng_turn(c->from, c->to, b);
    if (from_side * to_side > 0 || a_side * b_side > 0) return false;
    if (a_side == 0) add_cut(c, fraction_of(c, a));
    if (b_side == 0) add_cut(c, fraction_of(c, b));
    if (a_side * b_side < 0) {
        double from_off = (b.x - a.x) * (c->from.y - a.y) - (b.y - a.y) * (c->from.x - a.x);
        double to_off = (b.x - a.x) * (c->to.y - a.y) - (b.y - a.y) * (c->to.x - a.x);
        add_cut(c, from_off / (from_off - to_off));
    }
    return false;
}

static throng_point point_at(const cuts *c, double t) {
    if (t <= 0) return c->from;
    if (t >= 1) return c->to;
    return (throng_point){c->from.x + t * (c->to.x - c->from.x), c->from.y + t * (c->to.y - c->from.y)};
}

/* A chain that is being written: it ends where a piece is left out. */
typedef struct chain {
    throng_area *lines;
    bool running;
} chain;

/* Far from the origin, cuts may fall upon corners. */
static void add_point(throng_area *lines, throng_point p) {
    bool first = lines->first[lines->ring_count - 1] == lines->point_count;
    throng_point before = first ? p : lines->points[lines->point_count - 1];
    if (!first && p.x == before.x && p.y == before.y) return;
    THRONG_GROW(lines->points, lines->point_capacity, lines->point_count + 1);
    lines->points[lines->point_count++] = p;
}

static void drop_single_point(throng_area *lines) {
    if (lines->ring_count > 0 && lines->first[lines->ring_count - 1] + 1 == lines->point_count) {
        lines->ring_count--;
        lines->point_count--;
    }
}

static void begin_chain(chain *line, throng_point p) {
    throng_area *lines = line->lines;
    drop_single_point(lines);
    THRONG_GROW(lines->first, lines->ring_capacity, lines->ring_count + 1);
    lines->first[lines->ring_count++] = lines->point_count;
    add_point(lines, p);
    line->running = true;
}

/* Adds the pieces of one straight part to the chain. Pieces that follow each other become one. */
static void clip_part(cuts *c, chain *line) {
    c->count = 0;
    throng_walls_along(c->walls, c->from, c->to, cut_at_wall, c);
    if (c->count > 0) qsort(c->at, c->count, sizeof *c->at, throng_compare_numbers);
    double dx = c->to.x - c->from.x, dy = c->to.y - c->from.y, length = sqrt(dx * dx + dy * dy);
    double begin = 0;
    bool kept = false; /* the piece before, in this part */
    for (size_t i = 0; i <= c->count; i++) {
        double end = i < c->count ? c->at[i] : 1;
        if ((end - begin) * length < shortest) continue;
        throng_point middle = point_at(c, (begin + end) / 2);
        bool keep = throng_walls_depth(c->walls, middle.x, middle.y, 2 * shortest) > shortest;
        if (kept && !keep) add_point(line->lines, point_at(c, begin));
        if (!keep) line->running = false;
        if (keep && !line->running) begin_chain(line, point_at(c, begin));
        kept = keep;
        begin = end;
    }
    if (kept) add_point(line->lines, c->to);
}

void throng_area_clip_lines(throng_area *lines, const throng_ring *thin, size_t count, const throng_walls *walls) {
    cuts c = {.walls = walls};
    for (size_t l = 0; l < count; l++) {
        chain line = {lines, false};
        for (size_t i = 0; i + 1 < thin[l].count; i++) {
            c.from = thin[l].points[i];
            c.to = thin[l].points[i + 1];
            clip_part(&c, &line);
        }
    }
    drop_single_point(lines);
    throng_release(c.at);
}
