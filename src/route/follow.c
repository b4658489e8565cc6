/* follow.c: the way (path) of one walker along a flow field (navigation field). Reads only, so any thread may ask.
 *
 * In a square of four nodes the directions of the nodes are interpolated, so that they change
 * smoothly from place to place; where the goal is in sight, the way is straight and exact. In a
 * square with walls only the nodes on the walker's side count. */

#include <math.h>

#include "base/vector.h"
#include "route/field.h"
#include "route/planner.h"
#include "space/walls.h"

/* Several nodes' directions, weighed. */
typedef struct blend {
    double weight;
    double value;
    double x, y; /* m: where to go, the directions of the nodes times one cell */
} blend;

/* A walker beside the nodes that count, not among them, is drawn this part of the way towards them;
 * less than all, because a node may lie behind. */
static const double drawn = 0.5;

static void add(blend *b, const throng_lattice *l, const throng_field_node *node, double weight, double dx, double dy) {
    double reach = l->cell / 127;
    b->weight += weight;
    b->value += weight * node->value;
    b->x += weight * (drawn * dx + node->x * reach);
    b->y += weight * (drawn * dy + node->y * reach);
}

static bool sees_whole(const throng_field_node *n, size_t up) {
    return n[0].sees != 0 && n[0].sees == n[1].sees && n[0].sees == n[up].sees && n[0].sees == n[up + 1].sees;
}

/* The value at the border of the lattice nearest to a point beyond it. */
static float value_at_border(const throng_field *field, const throng_lattice *l, throng_point at) {
    double c = fmin(fmax((at.x - l->origin_x) * l->inverse_cell, 0), l->columns - 1);
    double r = fmin(fmax((at.y - l->origin_y) * l->inverse_cell, 0), l->rows - 1);
    return field->wave.nodes[(size_t)r * (size_t)l->columns + (size_t)c].value;
}

bool throng_field_knows(const throng_field *field, const throng_ground *ground, throng_point at) {
    const throng_lattice *l = ground->lattice;
    size_t node, up = (size_t)l->columns;
    double u, v;
    if (!throng_lattice_square(l, at, &node, &u, &v)) {
        return ground->walls->open && !isinf(value_at_border(field, l, at));
    }
    const throng_field_node *n = &field->wave.nodes[node];
    return fminf(fminf(n[0].value, n[1].value), fminf(n[up].value, n[up + 1].value)) < INFINITY;
}

double throng_field_length(const throng_field *field, const throng_ground *ground, throng_point at) {
    const throng_lattice *l = ground->lattice;
    size_t node, up = (size_t)l->columns;
    double u, v;
    if (!throng_lattice_square(l, at, &node, &u, &v)) {
        return ground->walls->open ? value_at_border(field, l, at) : INFINITY;
    }
    const throng_field_node *n = &field->wave.nodes[node];
    double low = (1 - u) * n[0].value + u * n[1].value, high = (1 - u) * n[up].value + u * n[up + 1].value;
    double mean = (1 - v) * low + v * high;
    if (mean < INFINITY) return mean;
    return fminf(fminf(n[0].value, n[1].value), fminf(n[up].value, n[up + 1].value)) + l->cell;
}

/* The nodes of a square without walls; they are all on the walker's side. */
static blend blend_square(const throng_lattice *l, const throng_field_node *n, double u, double v) {
    size_t up = (size_t)l->columns;
    blend b = {0};
    double reach = l->cell / 127, w00 = (1 - u) * (1 - v), w10 = u * (1 - v), w01 = (1 - u) * v, w11 = u * v;
    const throng_field_node *a = &n[0], *c = &n[1], *d = &n[up], *e = &n[up + 1];
    b.weight = 1;
    b.value = w00 * a->value + w10 * c->value + w01 * d->value + w11 * e->value;
    b.x = (w00 * a->x + w10 * c->x + w01 * d->x + w11 * e->x) * reach;
    b.y = (w00 * a->y + w10 * c->y + w01 * d->y + w11 * e->y) * reach;
    return b;
}

/* Whether somebody can walk straight to a node close by. */
static bool is_in_reach(const throng_field *field, const throng_ground *ground, throng_point at, throng_point node,
                        bool gaps) {
    if (throng_walls_block(ground->walls, at, node, 0)) return false;
    return !gaps || !throng_ground_parts(ground, ground->sizes[field->def.size].gap_count, at, node);
}

/* The nodes around that can be walked to straight: first those of the walker's own square, then, if
 * there are none, one of those farther out. */
static blend blend_in_reach(const throng_field *field, const throng_ground *ground, throng_point at, bool gaps) {
    const throng_lattice *l = ground->lattice;
    double c = (at.x - l->origin_x) * l->inverse_cell, r = (at.y - l->origin_y) * l->inverse_cell;
    int32_t column = (int32_t)floor(c), row = (int32_t)floor(r);
    blend near = {0}, best = {.value = INFINITY};
    for (int32_t ring = 0; ring <= 2 && best.weight == 0; ring++) {
        for (int32_t j = row - ring; j <= row + 1 + ring; j++) {
            bool whole = j == row - ring || j == row + 1 + ring;
            for (int32_t i = column - ring; i <= column + 1 + ring; i += whole ? 1 : 1 + 2 * ring) {
                if (i < 0 || j < 0 || i >= l->columns || j >= l->rows) continue;
                const throng_field_node *node = &field->wave.nodes[(size_t)j * (size_t)l->columns + (size_t)i];
                double dx = (i - c) * l->cell, dy = (j - r) * l->cell;
                if (isinf(node->value)) continue;
                if (!is_in_reach(field, ground, at, (throng_point){at.x + dx, at.y + dy}, gaps)) continue;
                if (ring == 0) add(&near, l, node, (1 - fabs(i - c)) * (1 - fabs(j - r)) + 1e-6, dx, dy);
                double value = node->value + sqrt(dx * dx + dy * dy);
                if (value >= best.value) continue;
                best = (blend){1, value, dx, dy};
                if (ring > 0) continue;
                best.x = drawn * dx + node->x * l->cell / 127;
                best.y = drawn * dy + node->y * l->cell / 127;
            }
        }
    }
    if (near.weight == 0) return best;
    near.value /= near.weight, near.x /= near.weight, near.y /= near.weight;
    /* Nodes that disagree lie on two ways around something: take one of them. */
    return near.x * near.x + near.y * near.y > 0.25 * l->cell * l->cell ? near : best;
}

/* Straight to the goal of a field, or to one of several goals. */
static throng_way straight_to(const throng_field *field, throng_goal goal, const throng_goal_entry *goals,
                              throng_point at) {
    if (goal == 0) return throng_straight_to(at, field->def.target);
    return throng_straight_way(goals, &(throng_walker){.at = at, .goal = goal});
}

static throng_goal member_of(const throng_field *field, const throng_goal_entry *goals, size_t member) {
    if (field->def.goal == 0) return 0;
    const throng_goal_def *def = &goals[field->def.goal].def;
    return def->kind == THRONG_GOAL_ANY ? def->any[member] : field->def.goal;
}

/* Beyond the lattice, on an open plane, one walks straight until one meets it. */
static bool follow_outside(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                           throng_point at, throng_way *way) {
    if (!ground->walls->open) return false;
    *way = straight_to(field, field->def.goal, goals, at);
    return !isinf(value_at_border(field, ground->lattice, at));
}

/* The last few steps: straight, if that is about what the field says as well. */
static bool arrive(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                   throng_point at, throng_way *way) {
    double cell = ground->lattice->cell;
    if (way->distance > THRONG_STRAIGHT_FROM * cell) return false;
    throng_way straight = straight_to(field, field->def.goal, goals, at);
    throng_point end = throng_ahead(at, straight.direction, straight.distance);
    if (straight.distance > way->distance + cell || !is_in_reach(field, ground, at, end, true)) return false;
    *way = straight;
    return true;
}

/* The distance to keep from walls. In a gap hardly wider than the body nobody could keep a whole
 * radius to both sides and still find the way in. */
static double distance_to_keep(const throng_ground *ground, size_t node, double radius) {
    double half = 0.01 * (ground->lattice->tight[node] & THRONG_TIGHT_HALF);
    return half > 0 ? fmin(radius, 0.85 * half) : radius;
}

/* The same for who arrives at a goal, which may be nearer to a wall than that. */
static double distance_to_keep_at_goal(const throng_ground *ground, size_t node, const throng_walker *walker,
                                       throng_way way) {
    double keep = distance_to_keep(ground, node, walker->radius);
    if (way.distance > keep + THRONG_LOOK_AHEAD) return keep;
    double x = walker->at.x + way.direction.x * way.distance, y = walker->at.y + way.direction.y * way.distance;
    return fmax(throng_walls_depth(ground->walls, x, y, keep), 0);
}

throng_point throng_field_avoid(const throng_ground *ground, size_t node, throng_point at, double radius,
                                throng_point direction) {
    return throng_avoid_walls(ground->walls, at, distance_to_keep(ground, node, radius), direction);
}

bool throng_field_follow(const throng_field *field, const throng_ground *ground, const throng_goal_entry *goals,
                         const throng_walker *walker, throng_way *way) {
    const throng_lattice *l = ground->lattice;
    size_t node;
    double u, v;
    if (!throng_lattice_square(l, walker->at, &node, &u, &v)) {
        return follow_outside(field, ground, goals, walker->at, way);
    }
    const throng_field_node *n = &field->wave.nodes[node];
    bool arriving = true;
    if (n->room > 0 && sees_whole(n, (size_t)l->columns)) {
        *way = straight_to(field, member_of(field, goals, n->sees - 1u), goals, walker->at);
    } else {
        blend b = {0};
        if (n->room > 0) b = blend_square(l, n, u, v);
        bool agree = b.x * b.x + b.y * b.y > 0.25 * l->cell * l->cell;
        if (n->room == 0 || !agree || !(b.value < INFINITY))
            b = blend_in_reach(field, ground, walker->at, l->tight[node] & THRONG_TIGHT_CLOSED);
        if (b.weight == 0) return false;
        *way = (throng_way){.direction = throng_unit((throng_point){b.x, b.y}), .distance = b.value};
        arriving = arrive(field, ground, goals, walker->at, way);
    }
    if ((n->room - 1) * THRONG_ROOM_UNIT < walker->radius + THRONG_LOOK_AHEAD) {
        double keep = arriving ? distance_to_keep_at_goal(ground, node, walker, *way)
                               : distance_to_keep(ground, node, walker->radius);
        way->direction = throng_avoid_walls(ground->walls, walker->at, keep, way->direction);
    }
    return true;
}
