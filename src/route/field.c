/* field.c: makes a flow field: a wave of distances that starts at the goal and spreads to wherever
 * people of some size can come from. Nodes from which the goal is in plain sight know the exact
 * distance and direction; the others learn theirs from the wave (march.c). */

#include "route/field.h"

#include <math.h>
#include <string.h>

#include "route/planner.h"
#include "space/walls.h"
#include "world/memory.h"

static const double breadth = 0.05;     /* m that walls are kept away beyond the body */
static const double exact_cells = 3;    /* nodes this many cells around the goal start with their exact distance */
static const double sample_cells = 0.5; /* spacing of the points of a goal's border that are tried */
static const double sight_cells = 60;   /* farther away the wave is as good as sight, and cheaper */
static const size_t corners_most = 64;  /* of a goal whose nearest point is asked for from everywhere */

typedef struct making {
    throng_march *march;
    const throng_ground *ground;
    const throng_goal_entry *goals;
    throng_field *field;
    const throng_lattice *lattice;
    const uint8_t *open;
    bool started; /* some node knows the goal */
    bool roomy;   /* the parts of the goal where a body does not fit do not count */
} making;

void throng_field_maker_create(throng_field_maker *maker, const throng_lattice *lattice) {
    throng_march_create(&maker->march, lattice);
    maker->open = throng_allocate(lattice->count);
}

void throng_field_maker_destroy(throng_field_maker *maker) {
    throng_march_destroy(&maker->march);
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

static void start_at(making *m, size_t node, throng_way way, uint8_t sees) {
    m->started = true;
    throng_march_start(m->march, node, way.distance, way.direction, sees);
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

/* What a node inherits from its neighbours is only a promise of sight; here it is kept or not. */
static void look_for_goal(void *context, size_t node) {
    making *m = context;
    throng_node *n = &m->field->nodes[node];
    if (n->sees == 0) return;
    size_t member = n->sees - 1u;
    const throng_goal_def *def = &m->goals[member_goal(m, member)].def;
    throng_way way = {0};
    bool sees =
        n->value < sight_cells * m->lattice->cell && (def->kind != THRONG_GOAL_AREA || def->ring.count <= corners_most);
    if (sees) way = way_from(m, throng_lattice_node(m->lattice, node), member);
    if (!sees || !in_sight(m, node, way)) {
        n->sees = 0;
        return;
    }
    if (way.distance < n->value) throng_march_know(m->march, node, way.distance, way.direction);
}

void throng_field_make(throng_field_maker *maker, const throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field) {
    const throng_lattice *l = ground->lattice;
    making m = {
        .march = &maker->march, .ground = ground, .goals = goals, .field = field, .lattice = l, .open = l->open};
    if (field->def.gap_count > 0) {
        memcpy(maker->open, l->open, l->count);
        for (size_t i = 0; i < field->def.gap_count; i++) {
            throng_lattice_cut(l, maker->open, ground->gaps[i].a, ground->gaps[i].b);
        }
        m.open = maker->open;
    }
    maker->march.open = m.open;
    maker->march.keep = field->def.radius + breadth;
    maker->march.nodes = field->nodes;
    maker->march.reached = look_for_goal;
    maker->march.context = &m;
    throng_march_clear(&maker->march);

    /* Where no body fits into any part of some member, its narrow parts count for all. */
    bool roomy = true;
    for (size_t member = 0; member < member_count(&m); member++) {
        start_from(&m, member);
        roomy = roomy && m.roomy;
    }
    m.roomy = roomy;
    throng_march_spread(&maker->march);
}
