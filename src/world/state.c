/* state.c: see state.h. The parts are listed at the end, in the order they are kept in; a part may rely on
 * those before it. What an archive says is believed only where nothing can go wrong with it: every
 * number that leads somewhere is looked at. */

#include "world/state.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "world/world.h"

/* Raised when a part's archive says something else than before. */
enum { STATE_VERSION = 15 };

static const double fastest = 1e6;     /* m/s, of anybody in an archive: far above what a run brings about */
static const double number_most = 1e9; /* of what models and habits keep of people, in any unit */
static const uint64_t steps_most = (uint64_t)1 << 53; /* beyond it the clock would stand still */

/* ------------------------------------------------------------------ the clock and what was counted */

static void archive_clock(throng_world *world, throng_archive *archive) {
    THRONG_ARCHIVE(archive, world->step);
    THRONG_ARCHIVE(archive, world->dt);
    THRONG_ARCHIVE(archive, world->clock_base);
    THRONG_ARCHIVE(archive, world->clock_since);
    bool goes = throng_dt_fits(world->dt) && world->clock_base >= 0 && world->clock_base <= (double)steps_most;
    if (!goes || world->clock_since > world->step) throng_archive_spoil(archive, "the clock stands");
    THRONG_ARCHIVE(archive, world->last_id);
    THRONG_ARCHIVE(archive, world->ordinary_radius);
    uint8_t changed = world->changed;
    THRONG_ARCHIVE(archive, changed);
    world->changed = changed != 0;
    if (world->step > steps_most) throng_archive_spoil(archive, "the clock is beyond all time");
    double scale = world->ordinary_radius;
    if (world->last_id > 0 && !(scale >= THRONG_RADIUS_LEAST && scale <= THRONG_RADIUS_MOST))
        throng_archive_spoil(archive, "the scale of people is none");
}

/* How long things took is this machine's, not the world's: times start anew. */
static void archive_stats(throng_world *world, throng_archive *archive) {
    throng_stats *s = &world->stats;
    uint64_t *counts[] = {&s->initial,
                          &s->spawned,
                          &s->arrived,
                          &s->active,
                          &s->steps,
                          &s->pairs_max,
                          &s->pairs_over_5pct_max,
                          &s->swept_pairs_max,
                          &s->oddities,
                          &s->due,
                          &s->impulses_bounded,
                          &s->objects_bounded,
                          &s->bonds_broken};
    double *measures[] = {&s->deepest_fraction, &s->agent_wall_max_m, &s->nearest_gap_m, &s->last_arrival_s,
                          &s->swept_wall_max_m};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) THRONG_ARCHIVE(archive, *counts[i]);
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        THRONG_ARCHIVE(archive, *measures[i]);
        if (isnan(*measures[i])) throng_archive_spoil(archive, "a figure is not a number");
    }
    if (!archive->reading) return;
    s->step_ms = s->engine_ms = 0;
    for (int i = 0; i < THRONG_STAGE_COUNT; i++) s->stage_ms[i] = 0;
}

/* ------------------------------------------------------------------ where people go */

static void archive_goals(throng_world *world, throng_archive *archive) {
    for (size_t i = 1; i < world->goal_count; i++) {
        uint8_t closed = world->goals[i].closed;
        THRONG_ARCHIVE(archive, closed);
        world->goals[i].closed = closed != 0;
    }
}

static bool are_journeys_good(const throng_world *world) {
    for (size_t i = 0; i < world->journey_count; i++) {
        const throng_journey *j = &world->journeys[i];
        if (j->first > world->journey_goal_count || j->count > world->journey_goal_count - j->first) return false;
        if (j->repeat > 1) return false;
    }
    for (size_t i = 0; i < world->journey_goal_count; i++) {
        if (world->journey_goals[i] == 0 || world->journey_goals[i] >= world->goal_count) return false;
    }
    return true;
}

static void archive_journeys(throng_world *world, throng_archive *archive) {
    THRONG_ARCHIVE_LIST(archive, world->journeys, world->journey_count, world->journey_capacity);
    THRONG_ARCHIVE_LIST(archive, world->journey_goals, world->journey_goal_count, world->journey_goal_capacity);
    if (!archive->reading) return;
    if (!are_journeys_good(world)) throng_archive_spoil(archive, "a journey leads to no goal");
    if (archive->bad) world->journey_count = world->journey_goal_count = 0;
    throng_world_index_journeys(world);
}

/* ------------------------------------------------------------------ profiles */

/* Takes the derived profiles away; those given stay, in their order. */
static void drop_derived(throng_world *world) {
    size_t given = 0;
    for (size_t i = 0; i < world->profile_count; i++) {
        if (world->profiles[i].derived) {
            throng_release(world->profiles[i].params);
        } else {
            world->profiles[given++] = world->profiles[i];
        }
    }
    world->profile_count = given;
}

/* Puts a profile as the index-th. */
static void insert_profile(throng_world *world, size_t index, throng_profile_entry entry) {
    THRONG_GROW(world->profiles, world->profile_capacity, world->profile_count + 1);
    throng_profile_entry *at = &world->profiles[index];
    memmove(at + 1, at, (world->profile_count++ - index) * sizeof *at);
    *at = entry;
}

static bool are_params_good(throng_world *world, const throng_model *model, void *params) {
    for (size_t i = 0; i < throng_profile_param_count(model); i++) {
        const throng_param *param = throng_profile_param(model, i);
        double value = *throng_profile_value(model, params, i);
        if (!(value >= param->low && value <= param->high)) return false;
    }
    return throng_weight_maps_known(world, model, params);
}

static void archive_derived(throng_world *world, uint64_t index, throng_archive *archive) {
    throng_profile_entry entry = {.derived = true};
    if (!archive->reading) entry = world->profiles[index];
    uint32_t rank = archive->reading ? 0 : (uint32_t)throng_model_rank(entry.model);
    THRONG_ARCHIVE(archive, rank);
    if (rank >= throng_model_count()) throng_archive_spoil(archive, "there is no such model");
    if (archive->bad) return;
    if (archive->reading) {
        entry.model = throng_model_at(rank);
        entry.params = throng_allocate(throng_profile_size(entry.model));
    }
    throng_archive_bytes(archive, entry.params, throng_profile_size(entry.model));
    if (!archive->reading) return;
    if (!are_params_good(world, entry.model, entry.params))
        throng_archive_spoil(archive, "a parameter is out of range");
    insert_profile(world, (size_t)index, entry);
}

/* Profiles given are part of what the world was made from; those that events and zones derive from them, and
 * where they stand among them, are kept. */
static void archive_profiles(throng_world *world, throng_archive *archive) {
    if (archive->reading) drop_derived(world);
    uint64_t count = world->profile_count, given = 0, known = world->profile_count;
    THRONG_ARCHIVE(archive, count);
    for (uint64_t i = 0; i < count && !archive->bad; i++) {
        uint8_t derived = !archive->reading && world->profiles[i].derived;
        THRONG_ARCHIVE(archive, derived);
        if (derived) archive_derived(world, i, archive);
        if (!derived && ++given > known) throng_archive_spoil(archive, "it has other profiles");
    }
    if (world->profile_count != count) throng_archive_spoil(archive, "it has other profiles");
}

/* ------------------------------------------------------------------ people */

static bool is_within(double x, double y, double limit) { return fabs(x) <= limit && fabs(y) <= limit; }

static bool is_force_good(const throng_columns *a, size_t i) {
    return a->force[i] >= 0 && isfinite(a->force[i]) && isfinite(a->force_x[i]) && isfinite(a->force_y[i]);
}

static bool is_motion_good(const throng_columns *a, size_t i) {
    return throng_point_fits((throng_point){a->x[i], a->y[i]}) && is_within(a->vx[i], a->vy[i], fastest) &&
           is_within(a->wish_x[i], a->wish_y[i], fastest) && is_within(a->push_x[i], a->push_y[i], fastest) &&
           is_within(a->impulse_x[i], a->impulse_y[i], a->mass[i] * fastest) && is_force_good(a, i) &&
           throng_point_fits((throng_point){a->target_x[i], a->target_y[i]}) &&
           throng_point_fits((throng_point){a->spot_x[i], a->spot_y[i]}) && isfinite(a->pause_until[i]);
}

static bool is_body_good(const throng_columns *a, size_t i) {
    return a->radius[i] >= THRONG_RADIUS_LEAST && a->radius[i] <= a->body[i] && a->body[i] <= THRONG_RADIUS_MOST &&
           a->desired_speed[i] >= 0 && a->desired_speed[i] <= fastest && a->max_speed[i] >= 0 &&
           a->max_speed[i] <= fastest && a->mass[i] > 0 && isfinite(a->mass[i]) && a->start_after[i] >= 0;
}

static bool is_place_in_lists_good(const throng_world *world, size_t i) {
    const throng_columns *a = &world->agents;
    if (a->profile[i] >= world->profile_count || a->group[i] >= world->groups.count) return false;
    if (a->home[i] >= world->profile_count || a->region[i] > world->changes.regions.count) return false;
    if (a->goal[i] >= world->goal_count || a->journey[i] >= world->journey_count) return false;
    uint32_t stages = world->journeys[a->journey[i]].count;
    return (stages ? a->stage[i] < stages : a->stage[i] == 0) && a->state[i] <= THRONG_QUEUEING;
}

static void archive_people(throng_world *world, throng_archive *archive) {
    throng_columns *a = &world->agents;
    throng_columns_archive(a, archive);
    if (!archive->reading || archive->bad) return;
    uint64_t active = 0;
    world->hit = false;
    if (!throng_columns_index(a)) throng_archive_spoil(archive, "somebody is there twice");
    for (size_t i = 0; i < a->count && !archive->bad; i++) {
        if (a->id[i] == 0 || a->id[i] > world->last_id) throng_archive_spoil(archive, "somebody is yet to come");
        if (!is_motion_good(a, i)) throng_archive_spoil(archive, "somebody is nowhere");
        if (!is_body_good(a, i)) throng_archive_spoil(archive, "somebody has no body");
        if (!is_place_in_lists_good(world, i)) throng_archive_spoil(archive, "somebody belongs nowhere");
        if (!archive->bad) world->profiles[a->profile[i]].spare = false;
        world->hit = world->hit || a->impulse_x[i] != 0 || a->impulse_y[i] != 0;
        active += a->state[i] != THRONG_ARRIVED;
    }
    if (active != world->stats.active) throng_archive_spoil(archive, "not everybody is there");
    if (archive->bad) a->count = 0;
}

/* ------------------------------------------------------------------ models and planners */

/* Doubles, and whole numbers among them, which as doubles are next to nothing. */
static bool are_numbers_good(const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= number_most)) return false;
    return true;
}

/* Rows beyond are zero again, for whoever comes. */
static void archive_kept(throng_world *world, const throng_kept *kept, throng_archive *archive) {
    for (size_t c = 0; c < kept->column_count; c++) {
        size_t used = world->agents.count * kept->columns[c].item_size;
        throng_archive_bytes(archive, kept->items[c], used);
        if (!archive->reading || kept->capacity == 0) continue;
        if (kept->columns[c].numbers && !are_numbers_good(kept->items[c], used / sizeof(double)))
            throng_archive_spoil(archive, "what is kept of somebody is no number");
        memset((char *)kept->items[c] + used, 0, kept->capacity * kept->columns[c].item_size - used);
    }
}

static void archive_team(throng_world *world, throng_team *team, throng_archive *archive) {
    throng_archive_mark(archive, team->model->name);
    archive_kept(world, &team->kept, archive);
    if (team->model->archive) team->model->archive(team->state, archive);
}

static void archive_teams(throng_world *world, throng_archive *archive) {
    if (archive->reading) throng_world_drop_idle_teams(world);
    if (archive->reading || world->changed) throng_world_make_room(world);
    for (size_t t = 0; t < world->team_count; t++) archive_team(world, &world->teams[t], archive);
    for (size_t h = 0; h < world->habit_count; h++) archive_kept(world, &world->habits[h].kept, archive);
}

static void archive_route(throng_world *world, throng_archive *archive) {
    archive->goal_count = world->goal_count;
    throng_route_archive(world->route, world->goals, archive);
}

/* ------------------------------------------------------------------ the whole */

static const struct part {
    const char *mark;
    void (*archive)(throng_world *world, throng_archive *archive);
} parts[] = {{"clock", archive_clock},
             {"stats", archive_stats},
             {"goals", archive_goals},
             {"obstacles", throng_world_archive_obstacles},
             {"events", throng_world_archive_events},
             {"profiles", archive_profiles},
             {"zones", throng_world_archive_zones},
             {"regions", throng_world_archive_regions},
             {"journeys", archive_journeys},
             {"people", archive_people},
             {"wishes", throng_world_archive_wishes},
             {"sources", throng_sources_archive},
             {"queues", throng_queues_archive},
             {"things", throng_world_archive_things},
             {"teams", archive_teams},
             {"loads", throng_world_archive_loads},
             {"ways", archive_route}};

void throng_world_archive(throng_world *world, throng_archive *archive) {
    throng_world_touch(world);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        throng_archive_mark(archive, parts[i].mark);
        if (!archive->bad) parts[i].archive(world, archive);
    }
    throng_archive_mark(archive, "end");
}

/* ------------------------------------------------------------------ what a world was made from */

static uint64_t hash_step(const throng_world *world) { return throng_hash_real(0, world->given_dt); }
static uint64_t hash_seed(const throng_world *world) { return throng_hash_word(0, world->seed); }
static uint64_t hash_place(const throng_world *world) { return world->place_hash; }
static uint64_t hash_planner(const throng_world *world) { return world->planner_hash; }

static uint64_t hash_profiles(const throng_world *world) {
    uint64_t hash = 0;
    for (size_t i = 0; i < world->profile_count; i++) {
        const throng_profile_entry *p = &world->profiles[i];
        if (p->derived) continue;
        hash = throng_hash_text(hash, p->model->name);
        hash = throng_hash_bytes(hash, p->params, throng_profile_size(p->model));
    }
    for (size_t i = 0; i < world->map_count; i++) {
        const throng_weight_map *map = &world->maps[i];
        hash = throng_hash_word(throng_hash_word(hash, map->rows), map->columns);
        hash = throng_hash_bytes(hash, map->weights, map->rows * map->columns * sizeof *map->weights);
    }
    return hash;
}

static uint64_t hash_groups(const throng_world *world) {
    uint64_t hash = world->groups.count;
    for (size_t i = 0; i < world->groups.count; i++) hash = throng_hash_text(hash, world->groups.names[i]);
    return hash;
}

static uint64_t hash_goals(const throng_world *world) {
    uint64_t hash = world->goal_count;
    for (size_t i = 1; i < world->goal_count; i++) {
        const throng_goal_def *def = &world->goals[i].def;
        hash = throng_hash_text(throng_hash_word(hash, (uint64_t)def->kind), def->name);
        hash = throng_hash_word(hash, def->ring.count);
        hash = throng_hash_bytes(hash, def->ring.points, def->ring.count * sizeof *def->ring.points);
        hash = throng_hash_real(throng_hash_real(throng_hash_real(hash, def->point.x), def->point.y), def->radius);
        hash = throng_hash_word(hash, (uint64_t)def->exit * 2 + def->repeat);
        hash = throng_hash_word(hash, def->any_count);
        hash = throng_hash_bytes(hash, def->any, def->any_count * sizeof *def->any);
        hash = throng_hash_real(throng_hash_word(throng_hash_word(hash, def->capacity), def->queue.count), def->wait);
        hash = throng_hash_bytes(hash, def->queue.points, def->queue.count * sizeof *def->queue.points);
    }
    return hash;
}

/* Who comes is up to functions, whose work cannot be hashed. */
static uint64_t hash_sources(const throng_world *world) {
    uint64_t hash = world->source_count;
    for (size_t i = 0; i < world->source_count; i++) {
        const throng_source_def *def = &world->sources[i].def;
        hash = throng_hash_text(hash, def->name);
        hash = throng_hash_word(throng_hash_word(hash, def->area.count), def->spots.count);
        hash = throng_hash_bytes(hash, def->area.points, def->area.count * sizeof *def->area.points);
        hash = throng_hash_bytes(hash, def->spots.points, def->spots.count * sizeof *def->spots.points);
        hash = throng_hash_word(hash, def->schedule_count);
        hash = throng_hash_bytes(hash, def->schedule, def->schedule_count * sizeof *def->schedule);
        hash = throng_hash_real(throng_hash_real(throng_hash_real(hash, def->gap), def->from), def->until);
        hash = throng_hash_word(throng_hash_word(hash, def->limit), (uint64_t)def->poisson * 2 + def->moving);
    }
    return hash;
}

static uint64_t hash_zones(const throng_world *world) {
    const throng_zones *zones = &world->changes.zones;
    uint64_t hash = zones->count;
    for (size_t i = 0; i < zones->count; i++) {
        const throng_zone *z = &zones->zones[i];
        hash = throng_hash_word(throng_hash_real(hash, z->speed_factor), z->ring.count);
        hash = throng_hash_bytes(hash, z->ring.points, z->ring.count * sizeof *z->ring.points);
        hash = throng_hash_word(hash, z->setting_count);
        for (size_t k = 0; k < z->setting_count; k++) {
            hash = throng_hash_real(throng_hash_text(hash, z->settings[k].name), z->settings[k].number);
        }
    }
    return hash;
}

static const struct {
    const char *name;
    uint64_t (*hash)(const throng_world *world);
} definitions[] = {{"length of a step (dt)", hash_step},
                   {"seed", hash_seed},
                   {"place", hash_place},
                   {"list of profiles (models and their parameters)", hash_profiles},
                   {"list of groups", hash_groups},
                   {"list of goals", hash_goals},
                   {"list of sources", hash_sources},
                   {"list of zones", hash_zones},
                   {"list of regions", throng_world_hash_regions},
                   {"planner", hash_planner}};

_Static_assert(sizeof definitions / sizeof *definitions == THRONG_DEFINITIONS, "state.h counts them");

throng_definition throng_world_definition(const throng_world *world) {
    throng_definition made_from;
    for (size_t i = 0; i < THRONG_DEFINITIONS; i++) made_from.hash[i] = definitions[i].hash(world);
    return made_from;
}

const char *throng_definition_name(size_t index) { return definitions[index].name; }

/* ------------------------------------------------------------------ what an archive looks like */

static uint64_t hash_layout(uint64_t hash, const throng_column *columns, size_t count) {
    for (size_t c = 0; c < count; c++)
        hash = throng_hash_word(throng_hash_text(hash, columns[c].name), columns[c].item_size);
    return hash;
}

uint64_t throng_state_layout(void) {
    uint64_t hash = throng_hash_word(throng_columns_layout(), STATE_VERSION);
    for (size_t m = 0; m < throng_model_count(); m++) {
        const throng_model *model = throng_model_at(m);
        hash = throng_hash_word(throng_hash_text(hash, model->name), throng_profile_size(model));
        for (size_t p = 0; p < throng_profile_param_count(model); p++) {
            const throng_param *param = throng_profile_param(model, p);
            hash = throng_hash_word(throng_hash_text(hash, param->name), param->offset);
        }
        hash = hash_layout(hash, model->columns, model->column_count);
    }
    for (size_t h = 0; throng_habits[h]; h++)
        hash = hash_layout(hash, throng_habits[h]->columns, throng_habits[h]->column_count);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hash = throng_hash_text(hash, parts[i].mark);
    return hash;
}
