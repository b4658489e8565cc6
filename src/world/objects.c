/* objects.c: things are added, thrown, dragged, taken away, shown and kept. */

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/report.h"
#include "space/place.h"
#include "space/walls.h"
#include "world/things.h"
#include "world/world.h"

static const double into_wall = 0.005;  /* m that a thing may stand in a wall */
static const double into_floor = 0.005; /* m */
enum { BLOCKS_MOST = 4096, ITERATIONS = 20 };

bool throng_has_objects(void) { return throng_the_engine() != NULL; }

throng_object_def throng_default_object_def(void) { return (throng_object_def){.id = "", .mass = 10, .friction = 0.6}; }

throng_block_wall_def throng_default_block_wall_def(void) {
    return (throng_block_wall_def){.id = "", .thickness = 0.2, .block_mass = 8, .break_force = 1500};
}

/* ------------------------------------------------------------------ room for a thing */

/* Whether walls leave room for a part: its outline crosses none and has none inside. */
static bool part_clears_walls(const throng_world *world, size_t part) {
    const throng_bodies *b = world->things.bodies;
    const throng_walls *walls = world->walls;
    throng_point3 at = throng_part_at(b, part);
    /* Upon something fixed, whose outline is a wall to people. */
    double top = throng_bodies_fixed_top(b, (throng_point){at.x, at.y});
    if (top > 0 && b->part_low[part].z >= top - into_floor) return true;
    if (!throng_walls_inside(walls, at.x, at.y)) return false;
    if (b->parts[part].kind == THRONG_PART_BALL) {
        double radius = b->parts[part].radius;
        return throng_walls_depth(walls, at.x, at.y, radius) >= radius - into_wall;
    }
    throng_outline outline = throng_part_outline(b, part, (throng_point3){0, 0, -at.z}); /* all of it */
    for (size_t i = 0; i < outline.count; i++) {
        /* A little smaller, so that it may stand against a wall. */
        throng_point from = outline.points[i], to = outline.points[(i + 1) % outline.count];
        double length = sqrt((from.x - at.x) * (from.x - at.x) + (from.y - at.y) * (from.y - at.y));
        double scale = fmax(0, 1 - into_wall / fmax(length, into_wall));
        from = (throng_point){at.x + scale * (from.x - at.x), at.y + scale * (from.y - at.y)};
        to = (throng_point){at.x + scale * (to.x - at.x), at.y + scale * (to.y - at.y)};
        if (throng_walls_block(walls, from, to, 0) || throng_walls_block(walls, (throng_point){at.x, at.y}, from, 0))
            return false;
    }
    return true;
}

static size_t person_in_part(const throng_world *world, size_t part) {
    const throng_columns *a = &world->agents;
    throng_meeting m;
    for (size_t i = 0; i < a->count; i++) {
        throng_point at = {a->x[i], a->y[i]};
        bool meets = throng_part_meets(world->things.bodies, part, (throng_point3){0, 0, 0}, at, a->radius[i], 0, &m);
        if (meets && m.depth > into_wall) return i;
    }
    return SIZE_MAX;
}

/* What is fixed is itself a wall of the place. */
static bool check_room(throng_world *world, size_t index) {
    throng_bodies *b = world->things.bodies;
    const throng_object_state *o = &b->objects[index];
    throng_error *error = &world->error;
    if (b->bodies[index].low.z < -into_floor)
        return throng_refuse(error, 0, 0, "it reaches %.4g m below the floor", -b->bodies[index].low.z);
    size_t other = throng_bodies_overlapping(b, index);
    if (other != SIZE_MAX) {
        throng_point3 at = b->objects[other].at;
        const char *name = b->objects[other].name;
        return throng_refuse(error, 0, 0, "it stands in another object%s%s%s at (%.9g, %.9g, %.9g)", *name ? " '" : "",
                             name, *name ? "'" : "", at.x, at.y, at.z);
    }
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count && !o->fixed; p++) {
        throng_point3 at = throng_part_at(b, p);
        if (!part_clears_walls(world, p))
            return throng_refuse(error, 0, 0, "at (%.9g, %.9g) it reaches into a wall", at.x, at.y);
        size_t row = person_in_part(world, p);
        if (row != SIZE_MAX)
            return throng_refuse(error, 0, 0, "at (%.9g, %.9g) it stands in somebody at (%.9g, %.9g)", at.x, at.y,
                                 world->agents.x[row], world->agents.y[row]);
    }
    return true;
}

/* ------------------------------------------------------------------ adding */

static bool make_bodies(throng_world *world) {
    throng_things *t = &world->things;
    if (throng_period_is_on(&world->period)) return THRONG_REFUSE(world, "there are no objects where an axis wraps");
    if (!t->bodies) t->bodies = throng_bodies_create(t->iterations > 0 ? t->iterations : ITERATIONS);
    return t->bodies || THRONG_REFUSE(world, "this build has no rigid bodies, which objects need (THRONG_BODIES)");
}

static bool check_name(throng_world *world, const char *id) {
    if (!id || !*id || !throng_world_object_named(world, id)) return true;
    return THRONG_REFUSE(world, "there is an object '%s' already", id);
}

/* The index of a new thing, or SIZE_MAX. */
static size_t add(throng_world *world, const throng_object_def *def) {
    throng_bodies *b = world->things.bodies;
    if (!throng_bodies_check(b, def, &world->error)) return SIZE_MAX;
    size_t index = throng_bodies_add(b, def);
    world->changed = true;
    if (check_room(world, index)) return index;
    throng_bodies_remove(b, index);
    b->last_id--;
    return SIZE_MAX;
}

throng_object throng_world_add_object(throng_world *world, const throng_object_def *def) {
    if (!make_bodies(world) || !check_name(world, def->id)) return 0;
    size_t index = add(world, def);
    return index == SIZE_MAX ? 0 : world->things.bodies->objects[index].id;
}

/* ------------------------------------------------------------------ walls of blocks */

static bool check_wall(throng_world *world, const throng_block_wall_def *def) {
    throng_error *error = &world->error;
    if (def->columns < 1 || def->rows < 1 || def->columns > BLOCKS_MOST || def->rows > BLOCKS_MOST ||
        def->columns * def->rows > BLOCKS_MOST)
        return throng_refuse(error, 0, 0, "a wall has 1 to %d blocks, not %zu x %zu", BLOCKS_MOST, def->columns,
                             def->rows);
    double dx = def->to.x - def->from.x, dy = def->to.y - def->from.y;
    if (!(sqrt(dx * dx + dy * dy) > 0.01)) return throng_refuse(error, 0, 0, "a wall must be longer than 1 cm");
    if (!(def->break_force > 0))
        return throng_refuse(error, 0, 0, "the force that breaks a bond must be above 0 N, not %g", def->break_force);
    return true;
}

static void drop_from(throng_world *world, size_t first) {
    throng_bodies *b = world->things.bodies;
    while (b->count > first) {
        throng_bodies_remove(b, b->count - 1);
        b->last_id--;
    }
}

throng_object throng_world_add_block_wall(throng_world *world, const throng_block_wall_def *def) {
    if (!make_bodies(world) || !check_name(world, def->id) || !check_wall(world, def)) return 0;
    throng_bodies *b = world->things.bodies;
    double dx = def->to.x - def->from.x, dy = def->to.y - def->from.y, length = sqrt(dx * dx + dy * dy);
    double wide = length / (double)def->columns, high = def->height / (double)def->rows;
    double c = sqrt(0.5 * (1 + dx / length)), s = c > 1e-9 ? 0.5 * dy / (length * c) : 1;
    throng_part part = {.kind = THRONG_PART_BOX, .size = {wide, def->thickness, high}, .turn = {c, 0, 0, s}};
    double unit = sqrt(throng_orientation_square(part.turn));
    part.turn.w /= unit, part.turn.z /= unit;
    throng_object_def block = throng_default_object_def();
    block.id = def->id;
    block.parts = &part;
    block.part_count = 1;
    block.mass = def->block_mass;
    size_t first = b->count;
    for (size_t k = 0; k < def->columns * def->rows; k++) {
        double along = ((double)(k % def->columns) + 0.5) / (double)def->columns;
        block.at = (throng_point3){def->from.x + along * dx, def->from.y + along * dy,
                                   ((double)(k / def->columns) + 0.5) * high};
        if (add(world, &block) != SIZE_MAX) continue;
        drop_from(world, first);
        return 0;
    }
    for (size_t k = 0; k < def->columns * def->rows; k++) {
        size_t column = k % def->columns;
        if (column > 0) throng_bodies_glue(b, first + k - 1, first + k, def->break_force);
        throng_bodies_glue(b, first + k, k < def->columns ? SIZE_MAX : first + k - def->columns, def->break_force);
    }
    return b->objects[first].id;
}

/* ------------------------------------------------------------------ while it runs */

/* The index of a thing, or SIZE_MAX and an error. */
static size_t find(throng_world *world, throng_object object) {
    const throng_bodies *b = world->things.bodies;
    size_t index = b ? throng_bodies_index(b, object) : SIZE_MAX;
    if (index == SIZE_MAX) THRONG_REFUSE(world, "object %llu is not in the world", (unsigned long long)object);
    return index;
}

static bool check_finite(throng_world *world, throng_point3 v, const char *what) {
    if (throng_is_finite3(v)) return true;
    return THRONG_REFUSE(world, "the %s must be finite, not (%g, %g, %g)", what, v.x, v.y, v.z);
}

bool throng_world_remove_object(throng_world *world, throng_object object) {
    size_t index = find(world, object);
    if (index == SIZE_MAX) return false;
    throng_bodies_remove(world->things.bodies, index);
    return true;
}

bool throng_world_throw_object(throng_world *world, throng_object object, throng_point3 velocity, throng_point3 spin) {
    size_t index = find(world, object);
    if (index == SIZE_MAX || !check_finite(world, velocity, "velocity") || !check_finite(world, spin, "spin"))
        return false;
    throng_bodies *b = world->things.bodies;
    if (b->objects[index].fixed) return true;
    b->objects[index].velocity = velocity;
    b->objects[index].spin = spin;
    throng_body_bound(b, index);
    throng_body_wake(b, index);
    return true;
}

bool throng_world_push_object(throng_world *world, throng_object object, throng_point3 impulse, throng_point3 at) {
    size_t index = find(world, object);
    if (index == SIZE_MAX || !check_finite(world, impulse, "impulse") || !check_finite(world, at, "point"))
        return false;
    throng_body_hit(world->things.bodies, index, impulse, at);
    return true;
}

bool throng_world_drag_object(throng_world *world, throng_object object, throng_point3 to) {
    size_t index = find(world, object);
    if (index == SIZE_MAX) return false;
    if (!(fabs(to.x) <= THRONG_FARTHEST && fabs(to.y) <= THRONG_FARTHEST && fabs(to.z) <= THRONG_FARTHEST))
        return THRONG_REFUSE(world, "objects are dragged to within 100000 km of the origin, not (%g, %g, %g)", to.x,
                             to.y, to.z);
    if (world->things.bodies->objects[index].fixed) return true;
    throng_body *body = &world->things.bodies->bodies[index];
    body->dragged = true;
    body->drag_to = to;
    throng_body_wake(world->things.bodies, index);
    return true;
}

bool throng_world_release_object(throng_world *world, throng_object object) {
    size_t index = find(world, object);
    if (index == SIZE_MAX) return false;
    world->things.bodies->bodies[index].dragged = false;
    return true;
}

bool throng_world_check_throw(throng_world *world, const char *id, throng_point3 velocity, throng_point3 spin) {
    if (!id || !*id) return THRONG_REFUSE(world, "what is to be thrown has no name");
    return check_finite(world, velocity, "velocity") && check_finite(world, spin, "spin");
}

throng_object throng_world_object_named(const throng_world *world, const char *id) {
    const throng_bodies *b = world->things.bodies;
    for (size_t i = 0; b && i < b->count; i++) {
        if (strcmp(b->objects[i].name, id) == 0) return b->objects[i].id;
    }
    return 0;
}

throng_objects throng_world_objects(const throng_world *world) {
    const throng_bodies *b = world->things.bodies;
    if (!b) return (throng_objects){0};
    return (throng_objects){.count = b->count, .objects = b->objects, .parts = b->parts, .bond_count = b->bond_count};
}

/* ------------------------------------------------------------------ keeping */

void throng_world_archive_things(throng_world *world, throng_archive *archive) {
    throng_things *t = &world->things;
    uint8_t any = t->bodies != NULL;
    THRONG_ARCHIVE(archive, any);
    if (archive->reading && !archive->bad) {
        if (any && !make_bodies(world)) throng_archive_spoil(archive, world->error.text);
        if (!any) {
            throng_bodies_destroy(t->bodies);
            t->bodies = NULL;
        }
    }
    if (any && !archive->bad) throng_bodies_archive(t->bodies, archive);
}

void throng_things_clear(throng_things *t) {
    throng_bodies_destroy(t->bodies);
    THRONG_RELEASE(t->shove_x, t->shove_y, t->marks, t->near_parts, t->was, t->stirred);
}
