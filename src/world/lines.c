/* lines.c: the shape of a line: where people stand while they wait, and while they are served. */

#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/box.h"
#include "world/world.h"

static const double usual_radius = 0.25; /* m; the slots are meant for such people */
static const double gap = 0.2;           /* m between those who stand in line */
static const double way_out = 0.3;       /* m more between the head of the line and who is served */
static const double wall_reach = 1.5;    /* m: walls nearer than this turn a line away from them */
static const double kept_clear = 1.2;    /* m around other goals with lines */
static const double close_enough = 0.95; /* of the spacing, between two that are not neighbours */

static throng_point unit_or(throng_point v, throng_point fallback) {
    double length = sqrt(v.x * v.x + v.y * v.y);
    return length > 1e-9 ? (throng_point){v.x / length, v.y / length} : fallback;
}

double throng_line_spacing(const throng_queue *queue) { return 2 * queue->radius + gap; }

/* --- the beginning */

/* Away from the walls around a point, the nearest ones counting most; zero far from all, and halfway
 * between two. */
static throng_point away_from_walls(const throng_world *world, throng_point at) {
    throng_wall_near near[8];
    size_t count = throng_walls_within(world->walls, at.x, at.y, wall_reach, near, 8);
    throng_point sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        throng_point wall = throng_wall_nearest_point(world->walls, near[i].wall, at.x, at.y);
        double apart = throng_distance(at, wall);
        throng_point away = unit_or((throng_point){at.x - wall.x, at.y - wall.y}, (throng_point){0, 0});
        sum.x += away.x * (wall_reach - apart);
        sum.y += away.y * (wall_reach - apart);
    }
    return sum;
}

void throng_line_lay(const throng_world *world, throng_queue *queue, throng_point from) {
    const throng_goal_def *def = &world->goals[queue->goal].def;
    bool area = def->kind == THRONG_GOAL_AREA;
    queue->anchor = area ? throng_ring_nearest(def->ring, from.x, from.y) : def->point;
    throng_point to = {from.x - queue->anchor.x, from.y - queue->anchor.y};
    if (def->queue.count)
        to = (throng_point){def->queue.points[0].x - queue->anchor.x, def->queue.points[0].y - queue->anchor.y};
    to = unit_or(to, (throng_point){1, 0});
    if (!def->queue.count && !area) {
        throng_point away = away_from_walls(world, queue->anchor);
        to = unit_or((throng_point){0.25 * to.x + away.x, 0.25 * to.y + away.y}, to);
    }
    queue->along = to;
    queue->slot_count = 0;
    queue->spot_count = 0;
    queue->laid = 1;
}

/* --- slots */

static bool is_taken(const throng_queue *queue, throng_point at, double apart) {
    for (size_t i = 0; i < queue->slot_count; i++) {
        if (throng_distance(queue->slots[i].at, at) < apart) return true;
    }
    return false;
}

/* At a point: the point itself, then to both sides of it, then in rows further out. */
static throng_point find_slot(const throng_world *world, const throng_queue *queue) {
    enum { ACROSS = 9, ROWS = 40 };
    double apart = throng_line_spacing(queue);
    throng_point along = queue->along, at = queue->anchor;
    for (int k = 0; k < ACROSS * ROWS; k++) {
        int column = k % ACROSS, row = (int)(k / ACROSS);
        double side = (column % 2 ? 1 : -1) * ((column + 1) / 2) * apart, out = 2 * row * apart;
        at = (throng_point){queue->anchor.x + along.x * out - along.y * side,
                            queue->anchor.y + along.y * out + along.x * side};
        if (k == 0 && queue->slot_count == 0) return at;
        double room = fmax(queue->radius, usual_radius) + 0.05; /* larger people may come */
        if (throng_walls_depth(world->walls, at.x, at.y, room) < room) continue;
        if (throng_walls_block(world->walls, queue->anchor, at, 0)) continue;
        if (!is_taken(queue, at, close_enough * apart)) return at;
    }
    return queue->anchor;
}

void throng_line_add_slot(const throng_world *world, throng_queue *queue) {
    bool point = world->goals[queue->goal].def.kind == THRONG_GOAL_POINT;
    throng_point at = point ? find_slot(world, queue) : queue->anchor; /* in an area each has a spot of its own */
    THRONG_GROW(queue->slots, queue->slot_capacity, queue->slot_count + 1);
    queue->slots[queue->slot_count++] = (throng_queue_slot){.at = at, .left = -1};
}

/* --- spots */

/* Whether a place is in the way of another goal's line. */
static bool is_others(const throng_world *world, const throng_queue *queue, throng_point at) {
    for (size_t i = 0; i < world->queue_count; i++) {
        const throng_queue *other = &world->queues[i];
        if (other == queue) continue;
        const throng_goal_def *def = &world->goals[other->goal].def;
        throng_point there = def->kind == THRONG_GOAL_AREA ? throng_ring_nearest(def->ring, at.x, at.y) : def->point;
        if (throng_distance(there, at) < kept_clear) return true;
        for (size_t k = 0; k < other->spot_count; k++) {
            if (throng_distance(other->spots[k], at) < throng_line_spacing(queue)) return true;
        }
    }
    return false;
}

/* How much is asked of a spot, the most first. */
enum { ROOM_TO_PASS, ROOM_TO_STAND, ANY_ROOM, DEMANDS };

static bool fits(const throng_world *world, const throng_queue *queue, throng_point before, throng_point at,
                 int demand) {
    const throng_goal_def *def = &world->goals[queue->goal].def;
    double radius = queue->radius, apart = close_enough * throng_line_spacing(queue);
    double room = demand == ROOM_TO_PASS ? 3 * radius + 0.1 : radius + (demand == ROOM_TO_STAND ? 0.1 : 0.02);
    if (throng_walls_depth(world->walls, at.x, at.y, room) < room) return false;
    if (throng_walls_block(world->walls, before, at, 0.9 * radius)) return false;
    if (def->kind == THRONG_GOAL_AREA && throng_ring_contains(def->ring, at.x, at.y)) return false;
    if (is_taken(queue, at, apart)) return false;
    for (size_t i = 0; i + 1 < queue->spot_count; i++) {
        if (throng_distance(queue->spots[i], at) < apart) return false;
    }
    return demand == ANY_ROOM || !is_others(world, queue, at);
}

/* The next spot, straight on if that can be, else with the least turn, and rather towards who comes. */
static throng_point next_spot(const throng_world *world, const throng_queue *queue, throng_point from) {
    /* Cosine and sine of 0, 15, ... 135 degrees. */
    static const double turns[][2] = {{1, 0},
                                      {0.9659258262890683, 0.2588190451025207},
                                      {0.8660254037844387, 0.5},
                                      {0.7071067811865476, 0.7071067811865476},
                                      {0.5, 0.8660254037844387},
                                      {0.2588190451025207, 0.9659258262890683},
                                      {0, 1},
                                      {-0.2588190451025207, 0.9659258262890683},
                                      {-0.5, 0.8660254037844387},
                                      {-0.7071067811865476, 0.7071067811865476}};
    size_t n = queue->spot_count;
    throng_point last = n ? queue->spots[n - 1] : queue->anchor, on = queue->along;
    if (n > 1) on = unit_or((throng_point){last.x - queue->spots[n - 2].x, last.y - queue->spots[n - 2].y}, on);
    double step = throng_line_spacing(queue) + (n ? 0 : way_out);
    double left = on.x * (from.y - last.y) - on.y * (from.x - last.x) >= 0 ? 1 : -1;
    for (int demand = ROOM_TO_PASS; demand < DEMANDS; demand++) {
        for (size_t k = 0; k < 2 * sizeof turns / sizeof *turns; k++) {
            double c = turns[k / 2][0], s = turns[k / 2][1] * (k % 2 ? -left : left);
            throng_point at = {last.x + step * (c * on.x - s * on.y), last.y + step * (s * on.x + c * on.y)};
            if (fits(world, queue, last, at, demand)) return at;
        }
    }
    return last; /* a dead end: the rest crowds there */
}

/* A spot of the line that was given; false beyond its end. */
static bool given_spot(const throng_queue *queue, throng_ring line, throng_point *out) {
    double along = (double)queue->spot_count * throng_line_spacing(queue);
    for (size_t i = 0; i + 1 < line.count; i++) {
        throng_point a = line.points[i], b = line.points[i + 1];
        double length = throng_distance(a, b);
        if (along <= length && length > 0) {
            *out = (throng_point){a.x + (b.x - a.x) * along / length, a.y + (b.y - a.y) * along / length};
            return true;
        }
        along -= length;
    }
    *out = line.count ? line.points[0] : (throng_point){0, 0};
    return line.count == 1 && queue->spot_count == 0;
}

void throng_line_extend(const throng_world *world, throng_queue *queue, size_t count, throng_point from) {
    throng_ring line = world->goals[queue->goal].def.queue;
    while (queue->spot_count < count) {
        throng_point at;
        if (!given_spot(queue, line, &at)) at = next_spot(world, queue, from);
        THRONG_GROW(queue->spots, queue->spot_capacity, queue->spot_count + 1);
        queue->spots[queue->spot_count++] = at;
    }
}
