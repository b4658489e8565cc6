/* field.c: makes a flow field (navigation field): a wave of distances that starts at the goal and spreads to wherever
 * people of some size can come from (march.c). Nodes next to the goal, and those from which it is in plain sight, know
 * the exact distance and direction; the others learn theirs from the wave. */

#include "route/field.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "route/planner.h"
#include "space/walls.h"

/* --- where the wave starts */

static const double exact_cells = 3;    /* nodes this many cells around the goal start with their exact distance */
static const double sample_cells = 0.5; /* spacing of the points of a goal's border that are tried */
static const double sight_cells = 60;   /* farther away the wave is as good as sight, and cheaper */
static const double own_radius = 0.5;   /* m: a target of somebody's own counts as reached from so far, as a rule */
static const size_t corners_most = 64;  /* of a goal whose nearest point is asked for from everywhere */

typedef struct making {
    throng_field_maker *maker;
    const throng_ground *ground;
    const throng_goal_entry *goals;
    const throng_field *field;
    const throng_lattice *lattice;
    const uint8_t *open;
    double radius;    /* m, of the bodies */
    size_t gap_count; /* closed for them */
    bool started;     /* some node knows the goal */
    bool roomy;       /* the parts of the goal where a body does not fit do not count */
} making;

/* --- the goal, seen from a node */

/* A field for a target of somebody's own has no goal. */
static const throng_goal_def *goal_of(const making *m) {
    return m->field->def.goal ? &m->goals[m->field->def.goal].def : NULL;
}

static size_t member_count(const making *m) {
    const throng_goal_def *def = goal_of(m);
    return def && def->kind == THRONG_GOAL_ANY ? def->any_count : 1;
}

/* NULL for a target of somebody's own. */
static const throng_goal_entry *member_of(const making *m, size_t member) {
    const throng_goal_def *def = goal_of(m);
    if (!def) return NULL;
    return &m->goals[def->kind == THRONG_GOAL_ANY ? def->any[member] : m->field->def.goal];
}

static throng_way way_from(const making *m, throng_point at, size_t member) {
    const throng_goal_entry *goal = member_of(m, member);
    if (!goal) return throng_straight_to(at, m->field->def.target);
    return throng_straight_way(m->goals, &(throng_walker){.at = at, .goal = (throng_goal)(goal - m->goals)});
}

static throng_ring area_of(const making *m, size_t member) {
    const throng_goal_entry *goal = member_of(m, member);
    return goal && goal->def.kind == THRONG_GOAL_AREA ? goal->def.ring : (throng_ring){0};
}

/* Whether there is room for a body at a point, as far as that matters. */
static bool has_room(const making *m, throng_point at) {
    double radius = 0.99 * m->radius;
    return !m->roomy || throng_walls_depth(m->ground->walls, at.x, at.y, radius) >= radius;
}

/* Whether a body at a node could walk straight to the goal; only the last bit may be narrow. */
static bool in_sight(const making *m, size_t node, throng_way way) {
    double radius = m->radius, far = way.distance - radius;
    const throng_walls *walls = m->ground->walls;
    if (m->lattice->clear[node] < radius) return false;
    if (m->lattice->clear[node] > way.distance + radius) return true;
    throng_point at = throng_lattice_node(m->lattice, node), near = far > 0 ? throng_ahead(at, way.direction, far) : at;
    throng_point end = throng_ahead(at, way.direction, way.distance);
    if (!has_room(m, end) || (far > 0 && throng_walls_block(walls, at, near, 0.98 * radius))) return false;
    return !throng_walls_block(walls, near, end, 0);
}

/* --- where the wave starts */

static bool crosses_closed_gap(const making *m, throng_point from, throng_point to) {
    return throng_ground_parts(m->ground, m->gap_count, from, to);
}

/* What a node knows for sure; of several such things the cheapest. */
static void add_source(making *m, size_t node, throng_way way, uint8_t sees) {
    throng_field_maker *k = m->maker;
    double slow = m->ground->slow ? m->ground->slow[node] : 1;
    throng_field_origin s = {.node = (uint32_t)node,
                             .cost = (float)(slow * way.distance),
                             .length = (float)way.distance,
                             .x = (int8_t)lrint(127 * way.direction.x),
                             .y = (int8_t)lrint(127 * way.direction.y),
                             .sees = sees};
    uint32_t before = k->source_at[node];
    if (before) {
        const throng_field_origin *other = &k->sources[before - 1];
        if (s.cost < other->cost || (s.cost == other->cost && other->sees == 0)) k->sources[before - 1] = s;
        return;
    }
    THRONG_GROW(k->sources, k->source_capacity, k->source_count + 1);
    k->sources[k->source_count++] = s;
    k->source_at[node] = (uint32_t)k->source_count;
}

static void start_at(making *m, size_t node, throng_way way, uint8_t sees) {
    m->started = true;
    add_source(m, node, way, sees);
}

static throng_box bounds_of(const making *m, size_t member) {
    const throng_goal_entry *goal = member_of(m, member);
    return goal ? goal->bounds : (throng_box){m->field->def.target, m->field->def.target};
}

static int32_t clamp_to(double value, int32_t low, int32_t high) {
    return value > low ? value < high ? (int32_t)value : high : low;
}

/* Nodes in and around a goal start with their exact distance, if nothing stands between. */
static void start_around(making *m, size_t member) {
    const throng_lattice *l = m->lattice;
    const throng_goal_entry *goal = member_of(m, member);
    double free_within = !goal ? own_radius : goal->def.kind == THRONG_GOAL_AREA ? 0 : goal->def.radius;
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
            throng_point end = throng_ahead(at, way.direction, way.distance);
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
        uint32_t known = m->maker->source_at[corners[i]];
        if (distance == 0 || (known && distance >= m->maker->sources[known - 1].length)) continue;
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
    throng_ring ring = area_of(m, member);
    bool area = ring.count > 0;
    m->started = false;
    m->roomy = area;
    for (int i = 0; i < 2 && !m->started; i++) {
        start_around(m, member);
        if (area) start_along_border(m, ring);
        bool beyond = box.low.x < l->origin_x || box.low.y < l->origin_y || box.high.x > last.x || box.high.y > last.y;
        if (m->ground->walls->open && beyond) start_towards_outside(m, member);
        m->roomy = m->roomy && m->started;
    }
}

/* --- nodes in sight of the goal */

/* Whether nothing is slower or faster on a straight way. */
static bool is_even(const making *m, throng_point from, throng_way way) {
    const throng_lattice *l = m->lattice;
    if (!m->ground->slow) return true;
    for (double done = 0; done < way.distance; done += 0.5 * l->cell) {
        size_t node;
        double u, v;
        if (!throng_lattice_square(l, throng_ahead(from, way.direction, done), &node, &u, &v)) continue;
        if (u > 0.5) node++;
        if (v > 0.5) node += (size_t)l->columns;
        if (m->ground->slow[node] != 1) return false;
    }
    return true;
}

static void look_later(making *m, size_t node, uint8_t stamp) {
    throng_field_maker *k = m->maker;
    if (k->tried[node] == stamp) return;
    k->tried[node] = stamp;
    THRONG_GROW(k->looking, k->looking_capacity, k->looking_count + 1);
    k->looking[k->looking_count++] = (uint32_t)node;
}

/* From the nodes next to a member as far as it is in sight without a break. */
static void look_around(making *m, size_t member) {
    throng_field_maker *k = m->maker;
    const throng_lattice *l = m->lattice;
    const uint8_t stamp = (uint8_t)(member + 1);
    while (k->looking_count > 0) {
        size_t node = k->looking[--k->looking_count];
        throng_point at = throng_lattice_node(l, node);
        throng_way way = way_from(m, at, member);
        if (way.distance >= sight_cells * l->cell || !in_sight(m, node, way) || !is_even(m, at, way)) continue;
        add_source(m, node, way, stamp);
        for (int d = 0; d < 8; d++) {
            if (m->open[node] >> d & 1) {
                size_t other =
                    (size_t)((ptrdiff_t)node + throng_step_row[d] * (ptrdiff_t)l->columns + throng_step_column[d]);
                look_later(m, other, stamp);
            }
        }
    }
}

/* Sight was promised to the nodes next to the goal; here the promise is kept or not. */
static void find_sight(making *m, size_t member) {
    throng_field_maker *k = m->maker;
    bool simple = area_of(m, member).count <= corners_most;
    uint8_t stamp = (uint8_t)(member + 1);
    for (size_t i = 0; i < k->source_count; i++) {
        if (k->sources[i].sees != stamp) continue;
        k->sources[i].sees = 0;
        if (simple) look_later(m, k->sources[i].node, stamp);
    }
    look_around(m, member);
}

static void make_room(throng_field_maker *k, size_t count) {
    if (count > k->node_capacity) {
        k->source_at = throng_reallocate(k->source_at, count * sizeof *k->source_at);
        k->tried = throng_reallocate(k->tried, count);
        k->node_capacity = count;
    }
    memset(k->source_at, 0, count * sizeof *k->source_at);
    memset(k->tried, 0, count);
    k->source_count = 0;
}

static void find_origins(throng_field_maker *maker, const throng_ground *ground, const throng_goal_entry *goals,
                         const throng_field *field, const uint8_t *open) {
    const throng_size *size = &ground->sizes[field->def.size];
    making m = {.maker = maker,
                .ground = ground,
                .goals = goals,
                .field = field,
                .lattice = ground->lattice,
                .open = open,
                .radius = size->radius,
                .gap_count = size->gap_count};
    make_room(maker, ground->lattice->count);

    /* Where no body fits into any part of some member, its narrow parts count for all. */
    bool roomy = true;
    size_t members = member_count(&m);
    for (size_t member = 0; member < members; member++) {
        if (field->def.goal && throng_goal_is_shut(goals, &goals[field->def.goal].def, member)) continue;
        start_from(&m, member);
        roomy = roomy && m.roomy;
    }
    m.roomy = roomy;
    for (size_t member = 0; member < members && member < UINT8_MAX; member++) find_sight(&m, member);
}

static const double breadth = 0.05; /* m that walls are kept away beyond the body */

void throng_field_maker_destroy(throng_field_maker *maker) {
    throng_march_destroy(&maker->march);
    THRONG_RELEASE(maker->sources, maker->source_at, maker->tried, maker->looking);
}

void throng_field_create(throng_field *field, size_t node_count) {
    field->wave = (throng_wave){.nodes = throng_allocate(node_count * sizeof *field->wave.nodes),
                                .cost = throng_allocate(node_count * sizeof *field->wave.cost),
                                .through = throng_allocate(node_count)};
}

void throng_field_destroy(throng_field *field) {
    THRONG_RELEASE(field->wave.nodes, field->wave.cost, field->wave.through);
    field->wave = (throng_wave){0};
}

size_t throng_field_bytes(size_t node_count) { return node_count * (sizeof(throng_field_node) + sizeof(float) + 1); }

/* --- making */

static void set_out(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                    throng_field *field) {
    const uint8_t *open = throng_ground_open(ground, field->def.size);
    find_origins(maker, ground, goals, field, open);
    throng_terrain terrain = {.lattice = ground->lattice,
                              .open = open,
                              .slow = ground->slow,
                              .slow_least = ground->slow_least,
                              .keep = ground->sizes[field->def.size].radius + breadth};
    throng_march_set(&maker->march, terrain, field->wave);
    field->members = field->def.goal ? throng_goal_open_members(goals, field->def.goal) : 0;
}

void throng_field_make(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field) {
    set_out(maker, ground, goals, field);
    throng_march_spread(&maker->march, maker->sources, maker->source_count);
}

void throng_field_mend(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field, const uint32_t *changed, size_t changed_count) {
    set_out(maker, ground, goals, field);
    if (throng_march_mend(&maker->march, maker->sources, maker->source_count, changed, changed_count)) return;
    throng_march_set(&maker->march, maker->march.terrain, field->wave);
    throng_march_spread(&maker->march, maker->sources, maker->source_count);
}
