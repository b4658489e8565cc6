/* sketch.c: what could be read of a scenario's shapes, kept as they were given, right or wrong. */

#include "scenario/scenario.h"

#include "base/memory.h"
#include "space/wkt.h"

struct throng_sketch {
    throng_sketch_shape *shapes; /* own their points */
    size_t count, capacity;
};

/* A picture of more people than this shows no more. */
enum { MOST_PEOPLE = 50000 };

void throng_sketch_add(throng_sketch *sketch, throng_sketch_kind kind, throng_ring ring, double radius) {
    if (!sketch || ring.count == 0) return;
    THRONG_GROW(sketch->shapes, sketch->capacity, sketch->count + 1);
    sketch->shapes[sketch->count++] = (throng_sketch_shape){kind, throng_copy_ring(ring), radius};
}

static void add_wkt(throng_sketch *sketch, const char *text) {
    throng_wkt wkt;
    if (!throng_wkt_read(text, &wkt, NULL)) return;
    for (size_t r = 0; r < wkt.ring_count; r++) {
        bool hole = r > 0 && wkt.rings[r].polygon == wkt.rings[r - 1].polygon;
        throng_ring ring = {wkt.points + wkt.rings[r].first, wkt.rings[r].count};
        throng_sketch_add(sketch, hole ? THRONG_SKETCH_HOLE : THRONG_SKETCH_WALKABLE, ring, 0);
    }
    throng_wkt_clear(&wkt);
}

void throng_sketch_place(throng_sketch *sketch, const throng_place_def *def) {
    if (!sketch) return;
    throng_sketch_add(sketch, THRONG_SKETCH_WALKABLE, def->walkable, 0);
    if (def->walkable_wkt) add_wkt(sketch, def->walkable_wkt);
    for (size_t i = 0; i < def->obstacle_count; i++) {
        const throng_obstacle *o = &def->obstacles[i];
        if (o->kind == THRONG_DISC) {
            throng_sketch_add(sketch, THRONG_SKETCH_OBSTACLE, (throng_ring){&o->centre, 1}, o->radius);
        } else {
            bool line = o->kind == THRONG_LINE;
            throng_sketch_add(sketch, line ? THRONG_SKETCH_LINE : THRONG_SKETCH_OBSTACLE, o->ring, 0);
        }
    }
}

void throng_sketch_goals(throng_sketch *sketch, const throng_goal_def *goals, size_t count) {
    for (size_t i = 0; sketch && i < count; i++) {
        const throng_goal_def *goal = &goals[i];
        if (goal->kind == THRONG_GOAL_AREA || goal->kind == THRONG_GOAL_ROAM) {
            throng_sketch_add(sketch, THRONG_SKETCH_GOAL, goal->ring, 0);
        } else if (goal->kind == THRONG_GOAL_POINT) {
            throng_sketch_add(sketch, THRONG_SKETCH_GOAL, (throng_ring){&goal->point, 1}, goal->radius);
        }
    }
}

void throng_sketch_person(throng_sketch *sketch, throng_point at, double radius) {
    if (!sketch || sketch->count > MOST_PEOPLE) return;
    throng_sketch_add(sketch, THRONG_SKETCH_PERSON, (throng_ring){&at, 1}, radius);
}

throng_sketch *throng_sketch_create(const throng_scenario_def *def, throng_report *report) {
    throng_sketch *sketch = throng_allocate(sizeof *sketch);
    throng_scenario_destroy(throng_scenario_load(def, THRONG_PEOPLE_LIMIT, sketch, report));
    return sketch;
}

void throng_sketch_destroy(throng_sketch *sketch) {
    if (!sketch) return;
    for (size_t i = 0; i < sketch->count; i++) throng_release((void *)sketch->shapes[i].ring.points);
    THRONG_RELEASE(sketch->shapes, sketch);
}

size_t throng_sketch_count(const throng_sketch *sketch) { return sketch->count; }
throng_sketch_shape throng_sketch_shape_at(const throng_sketch *sketch, size_t index) { return sketch->shapes[index]; }
