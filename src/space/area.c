/* area.c: the walkable area when no ring meets another, which is how most plans are drawn. Going
 * inwards, each ring adds a polygon of the walkable area, takes one away (a hole), or adds an
 * obstacle; people can walk where there is a polygon and no obstacle. */

#include "space/area.h"

#include "base/memory.h"

void throng_area_clear(throng_area *area) {
    THRONG_RELEASE(area->points, area->first);
    *area = (throng_area){0};
}

void throng_area_add(throng_area *area, throng_ring ring) {
    THRONG_GROW(area->first, area->ring_capacity, area->ring_count + 1);
    THRONG_GROW(area->points, area->point_capacity, area->point_count + ring.count);
    area->first[area->ring_count++] = area->point_count;
    for (size_t i = 0; i < ring.count; i++) area->points[area->point_count++] = ring.points[i];
}

void throng_area_turn(throng_area *area, throng_ring ring, bool counter_clockwise) {
    throng_area_add(area, ring);
    if ((throng_ring_area(ring) > 0) == counter_clockwise) return;
    throng_point *points = area->points + area->point_count - ring.count;
    for (size_t i = 0; i < ring.count; i++) points[i] = ring.points[ring.count - 1 - i];
}

throng_ring throng_area_ring(const throng_area *area, size_t r) {
    size_t end = r + 1 < area->ring_count ? area->first[r + 1] : area->point_count;
    return (throng_ring){area->points + area->first[r], end - area->first[r]};
}

/* What there is just inside a ring. */
typedef struct inside {
    long polygons, obstacles; /* how many cover it */
    bool known;
    bool stray;   /* a hole that lies outside its polygon or in another hole: as if it were not there */
    bool border;  /* people can walk on one side of the ring and not on the other */
    size_t owner; /* the border ring this one, being a border too, lies in; SIZE_MAX */
} inside;

static bool is_walkable(const throng_plan *plan, const inside *where) {
    return (plan->open || where->polygons > 0) && where->obstacles == 0;
}

/* Works out a ring from the one around it. */
static void look_inside(const throng_plan *plan, const size_t *inside_of, inside *state, size_t r) {
    size_t around = inside_of[r];
    inside outside = around == SIZE_MAX ? (inside){.owner = SIZE_MAX} : state[around];
    inside here = outside;
    throng_plan_role role = plan->shapes[r].role;
    here.stray = state[r].stray;
    here.polygons += (role == THRONG_PLAN_BORDER) - (role == THRONG_PLAN_HOLE && !here.stray);
    here.obstacles += (role == THRONG_PLAN_OBSTACLE) - (role == THRONG_PLAN_COURTYARD);
    here.known = true;
    here.border = is_walkable(plan, &here) != is_walkable(plan, &outside);
    here.owner = around == SIZE_MAX ? SIZE_MAX : outside.border ? around : outside.owner;
    state[r] = here;
}

/* Rings are worked out from the outside inwards, whatever their order. */
static void look_inside_all(const throng_plan *plan, const size_t *inside_of, inside *state) {
    size_t *chain = throng_allocate(plan->ring_count * sizeof *chain);
    for (size_t r = 0; r < plan->ring_count; r++) {
        size_t length = 0;
        for (size_t a = r; a != SIZE_MAX && !state[a].known; a = inside_of[a]) chain[length++] = a;
        while (length > 0) look_inside(plan, inside_of, state, chain[--length]);
    }
    throng_release(chain);
}

/* A hole should lie in its own polygon, and not within another of its holes. */
static void find_strays(const throng_plan *plan, const size_t *inside_of, inside *state, throng_place_notes *notes) {
    for (size_t r = 0; r < plan->ring_count; r++) {
        const throng_plan_ring *shape = &plan->shapes[r];
        if (shape->role != THRONG_PLAN_HOLE) continue;
        size_t a = inside_of[r];
        while (a != SIZE_MAX &&
               (plan->shapes[a].item != THRONG_WALKABLE_AREA || plan->shapes[a].polygon != shape->polygon)) {
            a = inside_of[a];
        }
        if (a != SIZE_MAX && plan->shapes[a].role == THRONG_PLAN_BORDER) continue;
        throng_point at = plan->rings[r].points[0];
        throng_plan_tell(plan, shape, notes, THRONG_WARNING, at, "%s at (%.9g, %.9g): left out",
                         a == SIZE_MAX ? "lies outside" : "lies in another hole", at.x, at.y);
        state[r].stray = true;
    }
}

void throng_area_nest(throng_area *area, const throng_plan *plan, const size_t *inside_of, throng_place_notes *notes) {
    size_t count = plan->ring_count;
    inside *state = throng_allocate(count * sizeof *state);
    size_t *first_in = throng_allocate(count * sizeof *first_in), *next_in = throng_allocate(count * sizeof *next_in);
    find_strays(plan, inside_of, state, notes);
    look_inside_all(plan, inside_of, state);

    for (size_t r = 0; r < count; r++) first_in[r] = next_in[r] = SIZE_MAX;
    for (size_t r = count; r-- > 0;) {
        if (!state[r].border || state[r].owner == SIZE_MAX) continue;
        next_in[r] = first_in[state[r].owner];
        first_in[state[r].owner] = r;
    }
    /* Borders of the walkable area, on an open plane the outermost obstacles, and in the order of the plan what lies
     * directly within them. */
    for (size_t r = 0; r < count; r++) {
        if (!state[r].border || is_walkable(plan, &state[r]) == plan->open) continue;
        throng_area_turn(area, plan->rings[r], is_walkable(plan, &state[r]));
        for (size_t h = first_in[r]; h != SIZE_MAX; h = next_in[h])
            throng_area_turn(area, plan->rings[h], is_walkable(plan, &state[h]));
    }
    THRONG_RELEASE(next_in, first_in, state);
}
