/* events.c: what happens at its time: obstacles change, goals close and open, values are set. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "world/world.h"

static const double speed_most = 1000; /* m/s */

/* --- values */

/* The name of the parameter in "params.NAME", or NULL. */
static const char *param_in(const char *what) { return strncmp(what, "params.", 7) == 0 ? what + 7 : NULL; }

bool throng_world_check_setting(throng_world *world, const char *name, double value) {
    bool known = false;
    for (size_t p = 0; p < world->profile_count; p++) {
        const throng_model *model = world->profiles[p].model;
        if (throng_profile_find(model, name, NULL) == SIZE_MAX) continue;
        known = true;
        throng_setting setting = {.name = name, .number = value};
        void *scratch = throng_allocate(throng_profile_size(model));
        bool fine = throng_profile_fill(model, scratch, &setting, 1, &world->error) &&
                    throng_weight_maps_known(world, model, scratch);
        throng_release(scratch);
        if (!fine) return false;
    }
    return known || THRONG_REFUSE(world, "no model of the world has a parameter '%s'", name);
}

static bool check_set(throng_world *world, const char *what, double value, throng_group group) {
    if (group >= world->groups.count) return THRONG_REFUSE(world, "there is no such group");
    if (what && param_in(what)) return throng_world_check_setting(world, param_in(what), value);
    if (what && strcmp(what, "model") == 0) {
        bool known = value >= 0 && value < (double)throng_model_count() && value == floor(value);
        return known || THRONG_REFUSE(world, "there is no such model");
    }
    if (!what || strcmp(what, "desired_speed") != 0)
        return THRONG_REFUSE(world, "'%s' cannot be set: expected \"params.NAME\" or \"desired_speed\"",
                             what ? what : "");
    if (value >= 0 && value <= speed_most) return true;
    return THRONG_REFUSE(world, "the desired speed must be 0 to 1000 m/s, not %g", value);
}

throng_profile throng_world_derive_profile(throng_world *world, throng_profile profile, const char *param,
                                           double value) {
    const throng_model *model = world->profiles[profile].model;
    size_t index = throng_profile_find(model, param, NULL);
    if (index == SIZE_MAX || throng_world_profile_value(world, profile, param) == value) return profile;
    char *params = throng_copy_bytes(world->profiles[profile].params, throng_profile_size(model));
    *throng_profile_value(model, params, index) = value;
    return throng_world_profile_of(world, model, params);
}

static void apply(throng_world *world, size_t row, const throng_group_setting *s) {
    throng_columns *a = &world->agents;
    if (s->group != 0 && a->group[row] != s->group) return;
    const char *param = param_in(s->what);
    if (param) {
        a->profile[row] = throng_world_derive_profile(world, a->profile[row], param, s->value);
        if (a->region[row]) a->home[row] = throng_world_derive_profile(world, a->home[row], param, s->value);
        return;
    }
    if (strcmp(s->what, "model") == 0) {
        const throng_model *model = throng_model_at((size_t)s->value);
        if (world->profiles[*throng_world_own_profile(world, row)].model != model)
            throng_world_set_own_profile(world, row, throng_world_plain_profile(world, model));
        return;
    }
    throng_world_change_speed(world, row, s->value);
}

bool throng_world_set(throng_world *world, const char *what, double value, throng_group group) {
    throng_changes *c = &world->changes;
    if (!check_set(world, what, value, group)) return false;
    throng_world_touch(world);
    THRONG_GROW(c->standing, c->standing_capacity, c->standing_count + 1);
    c->standing[c->standing_count++] = (throng_group_setting){throng_copy_text(what), value, group};
    for (size_t i = 0; i < world->agents.count; i++) apply(world, i, &c->standing[c->standing_count - 1]);
    return true;
}

void throng_world_apply_standing(throng_world *world, size_t row) {
    const throng_changes *c = &world->changes;
    for (size_t i = 0; i < c->standing_count; i++) apply(world, row, &c->standing[i]);
}

/* --- events */

size_t throng_world_event_count(const throng_world *world) { return world->changes.event_count; }
throng_event_def throng_world_event(const throng_world *world, size_t index) { return world->changes.events[index]; }

throng_event_def throng_default_event_def(void) { return (throng_event_def){0}; }

static bool check_event(throng_world *world, const throng_event_def *def) {
    if (!(def->time >= 0) || isinf(def->time))
        return THRONG_REFUSE(world, "the time of an event must be 0 or more, not %g", def->time);
    switch (def->kind) {
        case THRONG_EVENT_REMOVE:
        case THRONG_EVENT_RESTORE:
            return throng_world_has_obstacle(world, def->obstacle);
        case THRONG_EVENT_MOVE:
            return throng_world_check_move(world, def->obstacle, def->by, def->during);
        case THRONG_EVENT_CLOSE:
        case THRONG_EVENT_OPEN:
            return throng_world_can_close(world, def->goal);
        case THRONG_EVENT_SET:
            return check_set(world, def->set, def->to, def->group);
        case THRONG_EVENT_THROW:
            return throng_world_check_throw(world, def->object, def->velocity, def->spin);
    }
    return THRONG_REFUSE(world, "there is no such kind of event");
}

static bool is_about_obstacle(throng_event_kind kind) {
    return kind == THRONG_EVENT_REMOVE || kind == THRONG_EVENT_RESTORE || kind == THRONG_EVENT_MOVE;
}

bool throng_world_add_event(throng_world *world, const throng_event_def *def) {
    throng_changes *c = &world->changes;
    if (!check_event(world, def)) return false;
    /* Made movable now, so that the step in which it happens need not make the base. */
    if (is_about_obstacle(def->kind) && !throng_world_find_movable(world, def->obstacle)) return false;

    THRONG_GROW(c->events, c->event_capacity, c->event_count + 1);
    size_t at = c->event_count++;
    for (; at > c->event_next && c->events[at - 1].time > def->time; at--) c->events[at] = c->events[at - 1];
    c->events[at] = *def;
    c->events[at].obstacle = is_about_obstacle(def->kind) ? throng_copy_text(def->obstacle) : NULL;
    c->events[at].object = def->kind == THRONG_EVENT_THROW ? throng_copy_text(def->object) : NULL;
    c->events[at].set = def->kind == THRONG_EVENT_SET ? throng_copy_text(def->set) : NULL;
    return true;
}

static void happen(throng_world *world, const throng_event_def *event) {
    switch (event->kind) {
        case THRONG_EVENT_REMOVE:
            throng_world_remove_obstacle(world, event->obstacle);
            break;
        case THRONG_EVENT_RESTORE:
            throng_world_restore_obstacle(world, event->obstacle);
            break;
        case THRONG_EVENT_MOVE:
            throng_world_move_obstacle(world, event->obstacle, event->by, event->during);
            break;
        case THRONG_EVENT_CLOSE:
            throng_world_close_goal(world, event->goal);
            break;
        case THRONG_EVENT_OPEN:
            throng_world_open_goal(world, event->goal);
            break;
        case THRONG_EVENT_SET:
            throng_world_set(world, event->set, event->to, event->group);
            break;
        case THRONG_EVENT_THROW:
            throng_world_throw_object(world, throng_world_object_named(world, event->object), event->velocity,
                                      event->spin);
            break;
    }
}

void throng_world_happen(throng_world *world) {
    throng_changes *c = &world->changes;
    double end = throng_world_time(world) + world->dt - 1e-9; /* of the step */
    throng_world_return_awaited(world);
    while (c->event_next < c->event_count && c->events[c->event_next].time < end) {
        happen(world, &c->events[c->event_next++]);
    }
    if (world->changed || c->walls_changed) throng_world_make_ready(world);
}

bool throng_world_expects_changes(const throng_world *world) {
    const throng_changes *c = &world->changes;
    for (size_t i = c->event_next; i < c->event_count; i++) {
        if (c->events[i].kind == THRONG_EVENT_REMOVE || c->events[i].kind == THRONG_EVENT_MOVE) return true;
    }
    return false;
}

/* --- keeping */

void throng_changes_clear_events(throng_changes *c) {
    for (size_t i = 0; i < c->event_count; i++) {
        THRONG_RELEASE((void *)c->events[i].obstacle, (void *)c->events[i].set, (void *)c->events[i].object);
    }
    for (size_t i = 0; i < c->standing_count; i++) throng_release(c->standing[i].what);
    c->event_count = c->standing_count = 0;
}

static void archive_event(throng_world *world, throng_event_def *e, throng_archive *archive) {
    uint32_t kind = (uint32_t)e->kind;
    THRONG_ARCHIVE(archive, kind);
    THRONG_ARCHIVE(archive, e->time);
    THRONG_ARCHIVE(archive, e->by);
    THRONG_ARCHIVE(archive, e->during);
    THRONG_ARCHIVE(archive, e->goal);
    THRONG_ARCHIVE(archive, e->to);
    THRONG_ARCHIVE(archive, e->group);
    e->obstacle = throng_archive_text(archive, (char *)e->obstacle);
    e->set = throng_archive_text(archive, (char *)e->set);
    THRONG_ARCHIVE(archive, e->velocity);
    THRONG_ARCHIVE(archive, e->spin);
    e->object = throng_archive_text(archive, (char *)e->object);
    e->kind = kind <= THRONG_EVENT_THROW ? (throng_event_kind)kind : THRONG_EVENT_REMOVE;
    if (archive->reading && !archive->bad && !check_event(world, e)) throng_archive_spoil(archive, world->error.text);
}

static void archive_standing(throng_world *world, throng_group_setting *s, throng_archive *archive) {
    s->what = throng_archive_text(archive, s->what);
    THRONG_ARCHIVE(archive, s->value);
    THRONG_ARCHIVE(archive, s->group);
    if (archive->reading && !archive->bad && !check_set(world, s->what, s->value, s->group)) {
        throng_archive_spoil(archive, world->error.text);
    }
}

/* What is to come is kept with what has happened: a program may have added events by the way. */
void throng_world_archive_events(throng_world *world, throng_archive *archive) {
    throng_changes *c = &world->changes;
    uint64_t events = c->event_count, next = c->event_next, standing = c->standing_count;
    THRONG_ARCHIVE(archive, events);
    THRONG_ARCHIVE(archive, next);
    THRONG_ARCHIVE(archive, standing);
    if (next > events) throng_archive_spoil(archive, "more has happened than can");
    if (archive->reading) throng_changes_clear_events(c);
    for (uint64_t i = 0; i < events && !archive->bad; i++) {
        if (archive->reading) {
            THRONG_GROW(c->events, c->event_capacity, i + 1);
            c->events[c->event_count++] = (throng_event_def){0};
        }
        archive_event(world, &c->events[i], archive);
    }
    for (uint64_t i = 0; i < standing && !archive->bad; i++) {
        if (archive->reading) {
            THRONG_GROW(c->standing, c->standing_capacity, i + 1);
            c->standing[c->standing_count++] = (throng_group_setting){0};
        }
        archive_standing(world, &c->standing[i], archive);
    }
    c->event_next = archive->bad ? 0 : (size_t)next;
}
