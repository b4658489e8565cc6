/* field.c: makes a flow field by fast marching (Sethian 1996): the distance to the goal, from which
 * the way there follows.
 *
 * Distances spread from the goal like a wave, the nearest node next. A new node sees the front as a
 * straight piece between two of its neighbours that follow each other around it, a beside it and b
 * at the corner; with h the lattice's cell, s the slowness and t the place on the piece,
 *
 *     b                value = min over t in [0, 1] of  a + t (b - a) + s h sqrt(1 + t^2)
 *     |  .
 *     a --- node       (the interpolation of Ferguson & Stentz 2005, eq. 3-7)
 *
 * which is exact for a plane wave. Next to walls slowness rises, so that the way keeps the distance
 * of a body where there is room. Nodes from which the goal is in plain sight know the exact value. */

#include "route/field.h"

#include <math.h>
#include <string.h>

#include "route/planner.h"
#include "space/walls.h"
#include "world/memory.h"

static const double breadth = 0.05;    /* m that walls are kept away beyond the body */
static const double slowness_most = 4; /* right at a wall */
static const double root_two = 1.4142135623730951;
static const double exact_cells = 3;    /* nodes this many cells around the goal start with their exact distance */
static const double sample_cells = 0.5; /* spacing of the points of a goal's border that are tried */
static const size_t corners_most = 64;  /* of a goal whose nearest point is asked for from everywhere */

typedef struct making {
    throng_field_maker *maker;
    const throng_ground *ground;
    const throng_goal_entry *goals;
    throng_field *field;
    const throng_lattice *lattice;
    const uint8_t *open;
    double keep;  /* m, walls are kept at this distance */
    bool started; /* some node knows the goal */
    bool roomy;   /* the parts of the goal where a body does not fit do not count */
} making;

void throng_field_maker_create(throng_field_maker *maker, const throng_lattice *lattice) {
    throng_heap_create(&maker->heap, lattice->count);
    maker->open = throng_allocate(lattice->count);
}

void throng_field_maker_destroy(throng_field_maker *maker) {
    throng_heap_destroy(&maker->heap);
    throng_release(maker->open);
}

/* --- the goal, seen from a node */

static size_t member_count(const making *m) {
    const throng_goal_def *def = &m->goals[m->field->def.goal].def;
    return def->kind == THRONG_GOAL_ANY ? def->any_count : 1;
}

static throng_goal member_goal(const making *m, size_t member) {
    const throng_goal_def *def = &m->goals[m->field->def.goal].def;
    return def->kind == THRONG_GOAL_ANY ? def->any[member] : m->field->def.goal;
}

static throng_way way_from(const making *m, throng_point at, size_t member) {
    throng_walker walker = {.at = at, .goal = member_goal(m, member), .target = m->field->def.target};
    return throng_straight_way(m->goals, &walker);
}

static throng_point along(throng_point at, throng_point direction, double length) {
    return (throng_point){at.x + direction.x * length, at.y + direction.y * length};
}

/* Whether there is room for a body at a point, as far as that matters. */
static bool has_room(const making *m, throng_point at) {
    double radius = 0.99 * m->field->def.radius;
    return !m->roomy || throng_walls_depth(m->ground->walls, at.x, at.y, radius) >= radius;
}

/* Whether a body at a node could walk straight to the goal; only the last bit may be narrow. */
static bool in_sight(const making *m, size_t node, throng_way way) {
    double radius = m->field->def.radius, far = way.distance - radius;
    const throng_walls *walls = m->ground->walls;
    if (m->lattice->clear[node] < radius) return false;
    if (m->lattice->clear[node] > way.distance + radius) return true;
    throng_point at = throng_lattice_node(m->lattice, node), near = far > 0 ? along(at, way.direction, far) : at;
    throng_point end = along(at, way.direction, way.distance);
    if (!has_room(m, end) || (far > 0 && throng_walls_block(walls, at, near, 0.98 * radius))) return false;
    return !throng_walls_block(walls, near, end, 0);
}

/* --- where the wave starts */

static bool crosses_closed_gap(const making *m, throng_point from, throng_point to) {
    return throng_ground_parts(m->ground, m->field->def.gap_count, from, to);
}

static void set_direction(throng_node *node, double x, double y) {
    node->x = (int8_t)lrint(127 * x);
    node->y = (int8_t)lrint(127 * y);
}

static void start_at(making *m, size_t node, throng_way way, uint8_t sees) {
    throng_node *n = &m->field->nodes[node];
    m->started = true;
    if ((float)way.distance >= n->value) return;
    n->value = (float)way.distance;
    n->sees = sees;
    set_direction(n, way.direction.x, way.direction.y);
    throng_heap_lower(&m->maker->heap, (uint32_t)node, n->value);
}

static throng_box bounds_of(const making *m, size_t member) {
    const throng_goal_entry *goal = &m->goals[member_goal(m, member)];
    if (goal->def.kind == THRONG_GOAL_AREA) return goal->bounds;
    throng_point at = goal->def.kind == THRONG_GOAL_POINT ? goal->def.point : m->field->def.target;
    return (throng_box){at, at};
}

static int32_t clamp_to(double value, int32_t low, int32_t high) {
    return value > low ? value < high ? (int32_t)value : high : low;
}

/* Nodes in and around a goal start with their exact distance, if nothing stands between. */
static void start_around(making *m, size_t member) {
    const throng_lattice *l = m->lattice;
    const throng_goal_def *def = &m->goals[member_goal(m, member)].def;
    double free_within = def->kind == THRONG_GOAL_AREA ? 0 : def->radius;
    double band = fmax(exact_cells * l->cell, free_within);
    throng_box box = bounds_of(m, member);
    int32_t left = clamp_to(ceil((box.low.x - band - l->origin_x) * l->inverse_cell), 0, l->columns);
    int32_t right = clamp_to(floor((box.high.x + band - l->origin_x) * l->inverse_cell), -1, l->columns - 1);
    int32_t low = clamp_to(ceil((box.low.y - band - l->origin_y) * l->inverse_cell), 0, l->rows);
    int32_t high = clamp_to(floor((box.high.y + band - l->origin_y) * l->inverse_cell), -1, l->rows - 1);
    for (int32_t row = low; row <= high; row++) {
        for (int32_t column = left; column <= right; column++) {
            size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
            if (m->open[node] == 0) continue;
            throng_point at = throng_lattice_node(l, node);
            throng_way way = way_from(m, at, member);
            if (way.distance > band) continue;
            throng_point end = along(at, way.direction, way.distance);
            if (!has_room(m, end)) continue;
            if (way.distance >= l->clear[node] && throng_walls_block(m->ground->walls, at, end, 0)) continue;
            if (way.distance > free_within && crosses_closed_gap(m, at, end)) continue;
            start_at(m, node, way, (uint8_t)(member < UINT8_MAX ? member + 1 : 0));
        }
    }
}

/* Of a goal half in a wall the nearest point may be in the wall: points along its border help. */
static void start_at_border_point(making *m, throng_point at) {
    const throng_lattice *l = m->lattice;
    size_t node;
    double u, v;
    if (!throng_lattice_square(l, at, &node, &u, &v) || !throng_walls_inside(m->ground->walls, at.x, at.y) ||
        !has_room(m, at))
        return;
    size_t corners[4] = {node, node + 1, node + (size_t)l->columns, node + (size_t)l->columns + 1};
    for (int i = 0; i < 4; i++) {
        if (m->open[corners[i]] == 0) continue;
        throng_point from = throng_lattice_node(l, corners[i]);
        double dx = at.x - from.x, dy = at.y - from.y, distance = sqrt(dx * dx + dy * dy);
        if (distance == 0 || distance >= m->field->nodes[corners[i]].value) continue;
        if (throng_walls_block(m->ground->walls, from, at, 0) || crosses_closed_gap(m, from, at)) continue;
        start_at(m, corners[i], (throng_way){.direction = {dx / distance, dy / distance}, .distance = distance}, 0);
    }
}

static void start_along_border(making *m, throng_ring ring) {
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
        double pieces = ceil(length / (sample_cells * m->lattice->cell));
        for (double k = 0; k < pieces; k++) {
            start_at_border_point(m, (throng_point){a.x + dx * (k + 0.5) / pieces, a.y + dy * (k + 0.5) / pieces});
        }
    }
}

/* A goal beyond the lattice, on an open plane, is reached straight from the border that faces it:
 * there is no wall outside. */
static void start_towards_outside(making *m, size_t member) {
    const throng_lattice *l = m->lattice;
    for (int32_t row = 0; row < l->rows; row++) {
        bool whole = row == 0 || row == l->rows - 1;
        for (int32_t column = 0; column < l->columns;
             column += whole || column == l->columns - 1 ? 1 : l->columns - 1) {
            size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
            throng_way way = way_from(m, throng_lattice_node(l, node), member);
            bool out = (column == 0 && way.direction.x < 0) || (column == l->columns - 1 && way.direction.x > 0) ||
                       (row == 0 && way.direction.y < 0) || (row == l->rows - 1 && way.direction.y > 0);
            if (out) start_at(m, node, way, (uint8_t)(member < UINT8_MAX ? member + 1 : 0));
        }
    }
}

/* From the parts of a goal where a body fits; if there are none, from all of it. */
static void start_from(making *m, size_t member) {
    const throng_lattice *l = m->lattice;
    throng_point last = throng_lattice_node(l, l->count - 1);
    throng_box box = bounds_of(m, member);
    const throng_goal_def *def = &m->goals[member_goal(m, member)].def;
    bool area = def->kind == THRONG_GOAL_AREA;
    m->started = false;
    m->roomy = area;
    for (int i = 0; i < 2 && !m->started; i++) {
        start_around(m, member);
        if (area) start_along_border(m, def->ring);
        bool beyond = box.low.x < l->origin_x || box.low.y < l->origin_y || box.high.x > last.x || box.high.y > last.y;
        if (m->ground->walls->open && beyond) start_towards_outside(m, member);
        m->roomy = m->roomy && m->started;
    }
}

/* --- the wave */

/* h times the slowness at a node. */
static double cost_at(const making *m, size_t node) {
    double clear = m->lattice->clear[node];
    if (clear >= m->keep) return m->lattice->cell;
    return m->lattice->cell * (1 + (slowness_most - 1) * (1 - clear / m->keep));
}

/* The way of a node through a place between two neighbours. */
typedef struct offer {
    double value;
    double t; /* 0: through the one beside it, 1: through the one at the corner */
} offer;

static offer between(double beside, double corner, double cost) {
    double drop = (beside - corner) / cost;
    if (drop <= 0) return (offer){beside + cost, 0};
    if (drop >= 0.5 * root_two) return (offer){corner + cost * root_two, 1};
    double flat = sqrt(1 - drop * drop);
    return (offer){beside + cost * flat, drop / flat};
}

static size_t neighbour(const throng_lattice *l, size_t node, int d) {
    return (size_t)((ptrdiff_t)node + throng_step_row[d] * (ptrdiff_t)l->columns + throng_step_column[d]);
}

static bool is_taken(const making *m, size_t node) { return m->maker->heap.place[node] == THRONG_HEAP_TAKEN; }

static bool joined(const making *m, size_t node, int d) { return m->open[node] >> d & 1; }

static void take_offer(making *m, size_t node, offer o, int beside, int corner, uint8_t sees) {
    throng_node *n = &m->field->nodes[node];
    if ((float)o.value >= n->value) return;
    n->value = (float)o.value;
    n->sees = sees;
    double x = throng_step_column[beside] + o.t * (throng_step_column[corner] - throng_step_column[beside]);
    double y = throng_step_row[beside] + o.t * (throng_step_row[corner] - throng_step_row[beside]);
    double scale = 1 / sqrt(1 + o.t * o.t);
    set_direction(n, x * scale, y * scale);
    throng_heap_lower(&m->maker->heap, (uint32_t)node, n->value);
}

/* Offers a node the ways through its neighbour in direction d, alone and with those next to it. */
static void offer_ways(making *m, size_t node, int d) {
    const throng_node *nodes = m->field->nodes;
    size_t through = neighbour(m->lattice, node, d);
    double cost = cost_at(m, node), value = nodes[through].value;
    bool beside = d % 2 == 0;
    if (value >= nodes[node].value) return;
    take_offer(m, node, (offer){value + cost * (beside ? 1 : root_two), beside ? 0 : 1}, beside ? d : d - 1,
               beside ? d + 1 : d, nodes[through].sees);
    for (int turn = -1; turn <= 1; turn += 2) {
        int e = (d + turn) & 7;
        if (!joined(m, node, e)) continue;
        size_t other = neighbour(m->lattice, node, e);
        /* From one to the other is a quarter turn more or less than halfway between. */
        int across = beside ? (d + 2 * turn) & 7 : (d + 3 * turn) & 7;
        if (!is_taken(m, other) || !joined(m, through, across)) continue;
        double a = beside ? value : nodes[other].value, b = beside ? nodes[other].value : value;
        uint8_t sees = nodes[other].value < value ? nodes[other].sees : nodes[through].sees;
        if (!sees) sees = nodes[other].value < value ? nodes[through].sees : nodes[other].sees;
        take_offer(m, node, between(a, b, cost), beside ? d : e, beside ? e : d, sees);
    }
}

/* What a node inherits from its neighbours is only a promise of sight; here it is kept or not. */
static void look_for_goal(making *m, size_t node) {
    throng_node *n = &m->field->nodes[node];
    if (n->sees == 0) return;
    size_t member = n->sees - 1u;
    const throng_goal_def *def = &m->goals[member_goal(m, member)].def;
    throng_way way = {0};
    bool sees = def->kind != THRONG_GOAL_AREA || def->ring.count <= corners_most;
    if (sees) way = way_from(m, throng_lattice_node(m->lattice, node), member);
    if (!sees || !in_sight(m, node, way)) {
        n->sees = 0;
        return;
    }
    if (way.distance >= n->value) return;
    n->value = (float)way.distance;
    set_direction(n, way.direction.x, way.direction.y);
}

static void spread(making *m) {
    throng_heap *heap = &m->maker->heap;
    while (heap->count > 0) {
        size_t node = throng_heap_take(heap);
        look_for_goal(m, node);
        for (int d = 0; d < 8; d++) {
            if (!joined(m, node, d)) continue;
            size_t other = neighbour(m->lattice, node, d);
            if (!is_taken(m, other)) offer_ways(m, other, (d + 4) & 7);
        }
    }
}

void throng_field_make(throng_field_maker *maker, const throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field) {
    const throng_lattice *l = ground->lattice;
    making m = {.maker = maker,
                .ground = ground,
                .goals = goals,
                .field = field,
                .lattice = l,
                .open = l->open,
                .keep = field->def.radius + breadth};
    if (field->def.gap_count > 0) {
        memcpy(maker->open, l->open, l->count);
        for (size_t i = 0; i < field->def.gap_count; i++) {
            throng_lattice_cut(l, maker->open, ground->gaps[i].a, ground->gaps[i].b);
        }
        m.open = maker->open;
    }
    throng_heap_clear(&maker->heap, l->count);
    for (size_t i = 0; i < l->count; i++) field->nodes[i] = (throng_node){INFINITY, 0, 0, 0, l->room[i]};
    /* Where no body fits into any part of some member, its narrow parts count for all. */
    bool roomy = true;
    for (size_t member = 0; member < member_count(&m); member++) {
        start_from(&m, member);
        roomy = roomy && m.roomy;
    }
    m.roomy = roomy;
    spread(&m);
}
