/* follow.c: the way of one walker along a flow field. Reads only, so any thread may ask.
 *
 * In a square of four nodes the directions of the nodes are interpolated, so that they change
 * smoothly from place to place; where the goal is in sight, the way is straight and exact. In a
 * square with walls only the nodes on the walker's side count. */

#include <math.h>

#include "route/field.h"
#include "route/planner.h"
#include "space/walls.h"

static const double yielding = 0.2; /* m around a body within which it turns away from walls */

/* Several nodes' directions, weighed. */
typedef struct blend {
    double weight;
    double value;
    double x, y; /* m from the walker to where the nodes point, one cell ahead of them */
} blend;

static void add(blend *b, const throng_lattice *l, const throng_node *node, double weight, double dx, double dy) {
    double reach = l->cell / 127;
    b->weight += weight;
    b->value += weight * node->value;
    b->x += weight * (dx + node->x * reach);
    b->y += weight * (dy + node->y * reach);
}

static bool sees_whole(const throng_node *n, size_t up) {
    return n[0].sees != 0 && n[0].sees == n[1].sees && n[0].sees == n[up].sees && n[0].sees == n[up + 1].sees;
}

bool throng_field_sees(const throng_field *field, const throng_lattice *lattice, throng_point at) {
    size_t node;
    double u, v;
    if (!throng_lattice_square(lattice, at, &node, &u, &v)) return false;
    return lattice->room[node] > 0 && sees_whole(&field->nodes[node], (size_t)lattice->columns);
}

/* The nodes of a square without walls; they are all on the walker's side. */
static blend blend_square(const throng_lattice *l, const throng_node *n, double u, double v) {
    size_t up = (size_t)l->columns;
    blend b = {0};
    double reach = l->cell / 127, w00 = (1 - u) * (1 - v), w10 = u * (1 - v), w01 = (1 - u) * v, w11 = u * v;
    const throng_node *a = &n[0], *c = &n[1], *d = &n[up], *e = &n[up + 1];
    b.weight = 1;
    b.value = w00 * a->value + w10 * c->value + w01 * d->value + w11 * e->value;
    b.x = (w00 * a->x + w10 * c->x + w01 * d->x + w11 * e->x) * reach;
    b.y = (w00 * a->y + w10 * c->y + w01 * d->y + w11 * e->y) * reach;
    return b;
}

/* The nodes around that can be reached straight from the walker: first those of its own square,
 * then, if there are none, one of those farther out. */
static blend blend_in_sight(const throng_field *field, const throng_ground *ground, throng_point at) {
    const throng_lattice *l = ground->lattice;
    double c = (at.x - l->origin_x) * l->inverse_cell, r = (at.y - l->origin_y) * l->inverse_cell;
    int32_t column = (int32_t)floor(c), row = (int32_t)floor(r);
    blend near = {0}, best = {.value = INFINITY};
    for (int32_t ring = 0; ring <= 2; ring++) {
        for (int32_t j = row - ring; j <= row + 1 + ring; j++) {
            for (int32_t i = column - ring; i <= column + 1 + ring; i++) {
                bool done =
                    ring > 0 && j > row - ring && j < row + 1 + ring && i > column - ring && i < column + 1 + ring;
                if (done || i < 0 || j < 0 || i >= l->columns || j >= l->rows) continue;
                const throng_node *node = &field->nodes[(size_t)j * (size_t)l->columns + (size_t)i];
                if (isinf(node->value)) continue;
                double dx = (i - c) * l->cell, dy = (j - r) * l->cell, distance = sqrt(dx * dx + dy * dy);
                if (throng_walls_block(ground->walls, at, (throng_point){at.x + dx, at.y + dy}, 0)) continue;
                if (ring == 0) add(&near, l, node, (1 - fabs(i - c)) * (1 - fabs(j - r)) + 1e-6, dx, dy);
                if (node->value + distance >= best.value) continue;
                best = (blend){1, node->value + distance, 0, 0};
                if (ring == 0)
                    best.x = node->x * l->cell / 127 + dx, best.y = node->y * l->cell / 127 + dy;
                else
                    best.x = dx, best.y = dy;
            }
        }
        if (near.weight > 0) {
            near.value /= near.weight, near.x /= near.weight, near.y /= near.weight;
            /* Nodes that disagree lie on two ways around something: take one of them. */
            return near.x * near.x + near.y * near.y > 0.25 * l->cell * l->cell ? near : best;
        }
        if (best.weight > 0) return best;
    }
    return (blend){0};
}

static throng_way way_of(blend b) {
    double length = sqrt(b.x * b.x + b.y * b.y);
    if (length == 0) return (throng_way){{0, 0}, b.value};
    return (throng_way){{b.x / length, b.y / length}, b.value};
}

/* Straight to the member of the goal that is in sight. */
static throng_way way_in_sight(const throng_field *field, const throng_goal_entry *goals, const throng_walker *walker,
                               size_t member) {
    throng_walker towards = *walker;
    const throng_goal_def *def = &goals[field->def.goal].def;
    towards.goal = def->kind == THRONG_GOAL_ANY ? def->any[member] : field->def.goal;
    towards.target = field->def.target;
    return throng_straight_way(goals, &towards);
}

/* Beyond the lattice nothing stands in the way until it is met. */
static throng_way way_outside(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                              const throng_walker *walker) {
    throng_walker towards = *walker;
    towards.goal = field->def.goal;
    towards.target = field->def.target;
    throng_way way = throng_straight_way(goals, &towards);
    (void)ground;
    return way;
}

bool throng_field_follow(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                         const throng_walker *walker, throng_way *way) {
    const throng_lattice *l = ground->lattice;
    size_t node;
    double u, v;
    if (!throng_lattice_square(l, walker->at, &node, &u, &v)) {
        *way = way_outside(field, ground, goals, walker);
        return ground->walls->open;
    }
    const throng_node *n = &field->nodes[node];
    double room = (n->room - 1) * THRONG_ROOM_UNIT;
    if (n->room > 0 && sees_whole(n, (size_t)l->columns)) {
        *way = way_in_sight(field, goals, walker, n->sees - 1u);
    } else {
        blend b = {0};
        if (n->room > 0) b = blend_square(l, n, u, v);
        bool agree = b.x * b.x + b.y * b.y > 0.25 * l->cell * l->cell;
        if (n->room == 0 || !agree || isinf(b.value)) b = blend_in_sight(field, ground, walker->at);
        if (b.weight == 0) return false;
        *way = way_of(b);
    }
    if (room < walker->radius + yielding) {
        way->direction = throng_avoid_walls(ground->walls, walker->at, walker->radius, way->direction);
    }
    return true;
}

/* --- walls close by */

/* Allowed directions u have u . (x, y) >= least. */
typedef struct limit {
    double x, y, least;
} limit;

enum { LIMITS_MOST = 16 };

/* Right at a wall one may only walk along it; the farther away, the more straight at it. Within it
 * one turns away. */
static size_t limits_at(const throng_walls *walls, throng_point at, double radius, limit *limits) {
    throng_wall_near near[LIMITS_MOST];
    size_t count = throng_walls_within(walls, at.x, at.y, radius + yielding, near, LIMITS_MOST);
    for (size_t i = 0; i < count; i++) {
        uint32_t k = near[i].wall;
        throng_point q = throng_wall_nearest_point(walls, k, at.x, at.y);
        double dx = at.x - q.x, dy = at.y - q.y, distance = sqrt(dx * dx + dy * dy);
        bool on_it = distance < 1e-9;
        limits[i] = (limit){on_it ? -walls->along_y[k] : dx / distance, on_it ? walls->along_x[k] : dy / distance,
                            fmin((radius - distance) / yielding, 0.5)};
    }
    return count;
}

/* By how much a direction breaks the worst of the limits. */
static double excess(const limit *limits, size_t count, throng_point u, double least_most) {
    double worst = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fmin(limits[i].least, least_most) - (u.x * limits[i].x + u.y * limits[i].y));
    }
    return worst;
}

/* The allowed direction nearest to the wanted one: that one itself, or one on the edge of a limit. */
static bool nearest_allowed(const limit *limits, size_t count, double least_most, throng_point wanted,
                            throng_point *found) {
    const double rounding = 1e-6;
    if (excess(limits, count, wanted, least_most) <= rounding) {
        *found = wanted;
        return true;
    }
    double best = -INFINITY;
    for (size_t i = 0; i < 2 * count; i++) {
        limit edge = limits[i / 2];
        edge.least = fmin(edge.least, least_most);
        double along = sqrt(fmax(1 - edge.least * edge.least, 0)) * (i % 2 ? 1 : -1);
        throng_point u = {edge.least * edge.x - along * edge.y, edge.least * edge.y + along * edge.x};
        double similarity = u.x * wanted.x + u.y * wanted.y;
        if (similarity <= best || excess(limits, count, u, least_most) > rounding) continue;
        best = similarity;
        *found = u;
    }
    return best > -INFINITY;
}

throng_point throng_avoid_walls(const throng_walls *walls, throng_point at, double radius, throng_point wanted) {
    limit limits[LIMITS_MOST];
    throng_point found = wanted;
    if (wanted.x == 0 && wanted.y == 0) return wanted;
    size_t count = limits_at(walls, at, radius, limits);
    if (count == 0) return wanted;
    /* In too narrow a place not all walls can be turned away from; then none is walked into. */
    if (nearest_allowed(limits, count, 0.5, wanted, &found)) return found;
    if (nearest_allowed(limits, count, 0, wanted, &found)) return found;
    /* In a niche narrower than the body, mind the nearest wall only. */
    nearest_allowed(limits, 1, 0, wanted, &found);
    return found;
}

throng_point throng_way_out(const throng_walls *walls, throng_point at) {
    double depth = throng_walls_depth(walls, at.x, at.y, 1e6);
    throng_wall_near nearest;
    if (depth >= 0 || throng_walls_within(walls, at.x, at.y, -depth * (1 + 1e-9) + 1e-9, &nearest, 1) == 0) {
        return (throng_point){0, 0};
    }
    throng_point q = throng_wall_nearest_point(walls, nearest.wall, at.x, at.y);
    double dx = q.x - at.x, dy = q.y - at.y, distance = sqrt(dx * dx + dy * dy);
    if (distance < 1e-9) return (throng_point){-walls->along_y[nearest.wall], walls->along_x[nearest.wall]};
    return (throng_point){dx / distance, dy / distance};
}
