/* obstacles.c: obstacles that go, come back and are sent elsewhere, and the walls that follow from it. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "space/box.h"
#include "space/line_sweep.h"
#include "world/world.h"

/* --- which obstacles there are */

/* The index of an obstacle among those the place was made from, or SIZE_MAX. */
static size_t find_item(const throng_world *world, const char *id) {
    const throng_place_def *source = world->place->source;
    for (size_t i = 0; source && id && *id && i < source->obstacle_count; i++) {
        const char *own = source->obstacles[i].id;
        if (own && strcmp(own, id) == 0) return i;
    }
    return SIZE_MAX;
}

static const char *id_of(const throng_world *world, const throng_movable *movable) {
    return world->place->source->obstacles[movable->item].id;
}

bool throng_world_has_obstacle(throng_world *world, const char *id) {
    if (find_item(world, id) != SIZE_MAX) return true;
    return THRONG_REFUSE(world, "there is no obstacle with the id '%s'", id ? id : "");
}

throng_box throng_movable_box(const throng_movable *m) {
    return (throng_box){{m->box.low.x + m->offset.x, m->box.low.y + m->offset.y},
                        {m->box.high.x + m->offset.x, m->box.high.y + m->offset.y}};
}

/* --- the place as it is */

static bool is_movable(const throng_changes *c, size_t item) {
    for (size_t i = 0; i < c->movable_count; i++) {
        if (c->movables[i].item == item) return true;
    }
    return false;
}

/* The place without the movable obstacles. Never refused: taking away leaves more to walk on. */
static void make_base(throng_world *world) {
    throng_changes *c = &world->changes;
    throng_place_def def = *world->place->source;
    throng_obstacle *left = throng_allocate(def.obstacle_count * sizeof *left);
    size_t count = 0;
    for (size_t i = 0; i < def.obstacle_count; i++) {
        if (!is_movable(c, i)) left[count] = def.obstacles[i], left[count++].id = NULL;
    }
    def.obstacles = left;
    def.obstacle_count = count;
    throng_place_destroy(c->base);
    throng_walls_destroy(c->base_walls);
    c->base = throng_place_create(&def, NULL);
    c->base_walls = throng_walls_create(c->base);
    c->base_clear = throng_rings_apart(c->base->rings, c->base->ring_count, NULL, &(throng_ring_contact){0});
    throng_release(left);
}

/* The base with the movable obstacles upon it, where they are now or where ways were planned for. */
static throng_place *make_place(const throng_world *world, bool planned) {
    const throng_changes *c = &world->changes;
    throng_patch *patches = throng_allocate(c->movable_count * sizeof *patches);
    size_t count = 0;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *m = &c->movables[i];
        if (planned ? !m->planned_present : !m->present) continue;
        patches[count++] =
            (throng_patch){.ring = m->outline, .thin = m->thin, .offset = planned ? m->planned : m->offset};
    }
    throng_place *place = throng_place_patch(c->base, c->base_clear, patches, count);
    throng_release(patches);
    return place;
}

/* Puts a new place and its walls where the old ones are, so that those who know them need not be told. */
static void replace(const throng_world *world, throng_place *place, throng_walls *walls, throng_place *fresh) {
    throng_place_def *source = place->source;
    throng_place old_place = *place;
    *place = *fresh;
    old_place.source = fresh->source; /* what it was made from stays */
    place->source = source;
    *fresh = old_place;
    throng_place_destroy(fresh);

    throng_walls *fresh_walls = throng_period_walls(&world->period, place), old_walls = *walls;
    *walls = *fresh_walls;
    *fresh_walls = old_walls;
    throng_walls_destroy(fresh_walls);
}

void throng_world_renew_walls(throng_world *world) {
    replace(world, world->place, world->walls, make_place(world, false));
    world->changes.place_version++;
    world->changes.walls_changed = true;
}

/* --- planning */

/* Where planners think the walls are. */
static void renew_planned(throng_world *world, throng_place *fresh) {
    throng_changes *c = &world->changes;
    if (c->planned_place) {
        replace(world, c->planned_place, c->planned_walls, fresh);
        return;
    }
    c->planned_place = fresh;
    c->planned_walls = throng_period_walls(&world->period, fresh);
}

/* From where an obstacle was when ways were planned to where it is; empty when that is the same. */
static throng_box swept_box(const throng_movable *m) {
    double dx = m->planned.x - m->offset.x, dy = m->planned.y - m->offset.y;
    throng_box now = throng_movable_box(m);
    if (dx == 0 && dy == 0) return throng_box_empty();
    return throng_box_join(now, (throng_box){{now.low.x + dx, now.low.y + dy}, {now.high.x + dx, now.high.y + dy}});
}

void throng_world_replan(throng_world *world, throng_box where) {
    throng_changes *c = &world->changes;
    throng_columns *a = &world->agents;
    if (!throng_box_is_empty(where) && c->base) {
        for (size_t i = 0; i < c->movable_count; i++) {
            throng_movable *m = &c->movables[i];
            /* Others may have gone a little way since. */
            if (m->present && m->planned_present) where = throng_box_join(where, swept_box(m));
            m->planned = m->offset;
            m->planned_present = m->present;
        }
        renew_planned(world, throng_place_copy(world->place));
    }
    bool movable = c->planned_place != NULL;
    throng_route_change(world->route, movable ? c->planned_place : world->place,
                        movable ? c->planned_walls : world->walls, where);
    if (a->count > 0) memset(a->routed, 0, a->count);
    world->changed = true;
}

/* --- becoming movable */

/* NULL and an error when it is not one simple outline. */
static throng_movable *add_movable(throng_world *world, size_t item) {
    throng_changes *c = &world->changes;
    const throng_obstacle *obstacle = &world->place->source->obstacles[item];
    throng_movable m = {.item = item,
                        .thin = obstacle->kind == THRONG_LINE,
                        .outline = throng_obstacle_outline(obstacle),
                        .present = true,
                        .planned_present = true};
    if (m.outline.count == 0) {
        THRONG_REFUSE(world, "obstacle '%s' touches itself: it cannot go or move", obstacle->id);
        return NULL;
    }
    m.box = throng_box_of(m.outline.points, m.outline.count);
    THRONG_GROW(c->movables, c->movable_capacity, c->movable_count + 1);
    c->movables[c->movable_count++] = m;
    return &c->movables[c->movable_count - 1];
}

throng_movable *throng_world_find_movable(throng_world *world, const char *id) {
    throng_changes *c = &world->changes;
    size_t item = find_item(world, id);
    if (item == SIZE_MAX) {
        throng_world_has_obstacle(world, id);
        return NULL;
    }
    for (size_t i = 0; i < c->movable_count; i++) {
        if (c->movables[i].item == item) return &c->movables[i];
    }
    throng_movable *m = add_movable(world, item);
    if (!m) return NULL;
    make_base(world);
    throng_world_renew_walls(world);
    throng_world_replan(world, m->box);
    c->place_version--; /* the place is the same, made of two parts */
    return m;
}

/* --- going, coming back, being sent */

bool throng_world_remove_obstacle(throng_world *world, const char *id) {
    throng_movable *m = throng_world_find_movable(world, id);
    if (!m) return false;
    m->awaited = m->told = false;
    m->bound = m->offset;
    if (!m->present) return true;
    m->present = false;
    throng_world_renew_walls(world);
    throng_world_replan(world, throng_movable_box(m));
    return true;
}

static void try_return(throng_world *world, throng_movable *m) {
    throng_point who;
    if (throng_movable_is_occupied(world, m, &who)) {
        if (!m->told) {
            throng_world_notice(world, THRONG_WARNING,
                                "at %.6g s: obstacle '%s' cannot come back yet: somebody is there, at (%.2f, %.2f)",
                                throng_world_time(world), id_of(world, m), who.x, who.y);
        }
        m->told = true;
        return;
    }
    m->awaited = m->told = false;
    m->present = true;
    throng_world_renew_walls(world);
    throng_world_replan(world, throng_movable_box(m));
}

bool throng_world_restore_obstacle(throng_world *world, const char *id) {
    throng_movable *m = throng_world_find_movable(world, id);
    if (!m) return false;
    if (m->present) return true;
    m->awaited = true;
    try_return(world, m);
    return true;
}

void throng_world_return_awaited(throng_world *world) {
    throng_changes *c = &world->changes;
    for (size_t i = 0; i < c->movable_count; i++) {
        if (c->movables[i].awaited) try_return(world, &c->movables[i]);
    }
}

static bool check_move(throng_world *world, throng_point by, double during) {
    if (throng_period_is_on(&world->period)) return THRONG_REFUSE(world, "obstacles cannot move where an axis wraps");
    if (!throng_point_fits(by)) return THRONG_REFUSE(world, "an obstacle cannot move farther than 100000 km");
    if (!(during >= 0) || isinf(during)) return THRONG_REFUSE(world, "during must be 0 or more, not %g", during);
    return true;
}

bool throng_world_check_move(throng_world *world, const char *id, throng_point by, double during) {
    return throng_world_has_obstacle(world, id) && check_move(world, by, during);
}

bool throng_world_move_obstacle(throng_world *world, const char *id, throng_point by, double during) {
    if (!check_move(world, by, during)) return false;
    throng_movable *m = throng_world_find_movable(world, id);
    if (!m) return false;
    m->bound.x += by.x;
    m->bound.y += by.y;
    m->told = false;
    if (!m->present) {
        m->offset = m->bound;
        return true;
    }
    double time = fmax(during, world->dt);
    m->velocity = (throng_point){(m->bound.x - m->offset.x) / time, (m->bound.y - m->offset.y) / time};
    return true;
}

/* --- being added */

size_t throng_world_obstacle_count(const throng_world *world) {
    return world->place->source ? world->place->source->obstacle_count : 0;
}

throng_obstacle_state throng_world_obstacle(const throng_world *world, size_t index) {
    const throng_changes *c = &world->changes;
    throng_obstacle_state state = {.shape = world->place->source->obstacles[index], .present = true};
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *m = &c->movables[i];
        if (m->item != index) continue;
        state.moved = m->offset;
        state.present = m->present;
    }
    return state;
}

static bool check_obstacle(throng_world *world, const throng_obstacle *obstacle) {
    if (!world->place->source) return THRONG_REFUSE(world, "this place was not made of obstacles: none can be added");
    if (!obstacle || !obstacle->id || !*obstacle->id)
        return THRONG_REFUSE(world, "an obstacle that is added needs an id");
    if (find_item(world, obstacle->id) != SIZE_MAX)
        return THRONG_REFUSE(world, "there is an obstacle with the id '%s' already", obstacle->id);
    throng_place *alone =
        throng_place_create(&(throng_place_def){.obstacles = obstacle, .obstacle_count = 1}, &world->error);
    throng_place_destroy(alone);
    return alone != NULL;
}

bool throng_world_add_obstacle(throng_world *world, const throng_obstacle *obstacle) {
    if (!check_obstacle(world, obstacle)) return false;
    size_t item = world->place->source->obstacle_count;
    throng_place_def_add(world->place->source, obstacle);
    throng_movable *m = add_movable(world, item);
    if (!m) {
        throng_place_def_cut(world->place->source, item);
        return false;
    }
    m->present = m->planned_present = false;
    make_base(world);
    throng_world_renew_walls(world);
    world->changes.place_version--; /* it is not there yet */
    return throng_world_restore_obstacle(world, obstacle->id);
}

/* --- the end, and keeping */

static void clear_movables(throng_changes *c) {
    for (size_t i = 0; i < c->movable_count; i++) throng_release((void *)c->movables[i].outline.points);
    c->movable_count = 0;
}

static void clear_base(throng_changes *c) {
    throng_place_destroy(c->base);
    throng_walls_destroy(c->base_walls);
    throng_place_destroy(c->planned_place);
    throng_walls_destroy(c->planned_walls);
    c->base = c->planned_place = NULL;
    c->base_walls = c->planned_walls = NULL;
}

void throng_changes_clear(throng_changes *c) {
    clear_movables(c);
    throng_changes_clear_events(c);
    clear_base(c);
    throng_zones_clear(&c->zones);
    throng_regions_clear(&c->regions);
    THRONG_RELEASE(c->movables, c->events, c->standing);
}

/* Makes all walls anew from the obstacles that are movable now. */
static void rebuild(throng_world *world) {
    throng_changes *c = &world->changes;
    if (c->movable_count > 0) {
        make_base(world);
        replace(world, world->place, world->walls, make_place(world, false));
        renew_planned(world, make_place(world, true));
        throng_route_forget(world->route, c->planned_place, c->planned_walls);
    } else if (c->base) {
        replace(world, world->place, world->walls, throng_place_create(world->place->source, NULL));
        throng_route_forget(world->route, world->place, world->walls);
        clear_base(c);
    }
}

static bool is_movable_good(const throng_movable *m) {
    return throng_point_fits(m->offset) && throng_point_fits(m->bound) && throng_point_fits(m->planned) &&
           throng_point_fits(m->velocity);
}

static void archive_movable(throng_world *world, size_t index, throng_archive *archive) {
    throng_changes *c = &world->changes;
    uint64_t item = archive->reading ? 0 : c->movables[index].item;
    THRONG_ARCHIVE(archive, item);
    if (archive->reading) {
        const throng_place_def *source = world->place->source;
        bool fits = source && item < source->obstacle_count && !is_movable(c, (size_t)item);
        if (!fits) throng_archive_spoil(archive, "there is no such obstacle");
        if (!archive->bad && !add_movable(world, (size_t)item)) throng_archive_spoil(archive, world->error.text);
        if (archive->bad) return;
    }
    throng_movable *m = &c->movables[index];
    uint8_t flags = (uint8_t)(m->present | m->awaited << 1 | m->planned_present << 2 | m->told << 3);
    THRONG_ARCHIVE(archive, m->offset);
    THRONG_ARCHIVE(archive, m->bound);
    THRONG_ARCHIVE(archive, m->velocity);
    THRONG_ARCHIVE(archive, m->planned);
    THRONG_ARCHIVE(archive, flags);
    m->present = flags & 1;
    m->awaited = flags & 2;
    m->planned_present = flags & 4;
    m->told = flags & 8;
    if (!is_movable_good(m)) throng_archive_spoil(archive, "an obstacle is nowhere");
}

/* An obstacle that was added by the way. */
static void archive_added(throng_world *world, size_t item, throng_archive *archive) {
    throng_obstacle o = {0};
    if (!archive->reading) o = world->place->source->obstacles[item];
    uint32_t kind = (uint32_t)o.kind;
    throng_point *points = archive->reading ? NULL : (throng_point *)o.ring.points;
    size_t capacity = archive->reading ? 0 : o.ring.count, held = o.ring.count;
    THRONG_ARCHIVE(archive, kind);
    THRONG_ARCHIVE_LIST(archive, points, held, capacity);
    THRONG_ARCHIVE(archive, o.centre);
    THRONG_ARCHIVE(archive, o.radius);
    char *id = throng_archive_text(archive, (char *)o.id);
    if (!archive->reading) return;
    o = (throng_obstacle){(throng_obstacle_kind)kind, {points, held}, o.centre, o.radius, id};
    if (kind > THRONG_DISC) throng_archive_spoil(archive, "there is no such kind of obstacle");
    if (!archive->bad && !check_obstacle(world, &o)) throng_archive_spoil(archive, world->error.text);
    if (!archive->bad) throng_place_def_add(world->place->source, &o);
    THRONG_RELEASE(points, id);
}

void throng_world_archive_obstacles(throng_world *world, throng_archive *archive) {
    throng_changes *c = &world->changes;
    uint64_t added = throng_world_obstacle_count(world) - c->given_count;
    THRONG_ARCHIVE(archive, added);
    if (archive->reading && world->place->source) throng_place_def_cut(world->place->source, c->given_count);
    for (uint64_t i = 0; i < added && !archive->bad; i++) archive_added(world, c->given_count + (size_t)i, archive);
    uint64_t count = c->movable_count;
    uint8_t walls_changed = c->walls_changed;
    THRONG_ARCHIVE(archive, count);
    THRONG_ARCHIVE(archive, c->place_version);
    THRONG_ARCHIVE(archive, walls_changed);
    c->walls_changed = walls_changed != 0;
    if (archive->reading) clear_movables(c);
    for (uint64_t i = 0; i < count && !archive->bad; i++) archive_movable(world, (size_t)i, archive);
    if (!archive->reading) return;
    if (archive->bad) clear_movables(c);
    rebuild(world);
}
