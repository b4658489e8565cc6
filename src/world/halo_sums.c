/* halo_sums.c: what all parts of a world have in common: figures, ways made ready, the digest; and what cannot be
 * divided yet. Sums are of whole numbers, or extremes, so that they are those of one world. */

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "space/near.h"
#include "world/halo_state.h"
#include "world/state.h"
#include "world/world.h"

/* ------------------------------------------------------------------ figures */

/* What a part adds to all figures in a step; then as many walkers as are to be made ready. */
typedef struct report {
    uint64_t alike; /* the same for all parts, or they have gone different ways */
    uint64_t arrived, left, oddities, impulses_bounded, people;
    uint64_t scattered; /* squares of its grid are wider than they should be */
    double last_arrival_s;
    throng_box crowd;
} report;

typedef struct asking {
    throng_point at, target;
    double radius, speed;
    throng_goal goal;
} asking;

static uint64_t hash_common(const throng_world *world) {
    uint64_t hash = throng_hash_word(throng_hash_real(world->step, world->dt), world->last_id);
    hash = throng_hash_word(throng_hash_word(hash, world->profile_count), world->journey_count);
    for (size_t i = 0; i < world->source_count; i++)
        hash = throng_hash_word(throng_hash_word(hash, world->sources[i].due), world->sources[i].come);
    return hash;
}

static report report_of(const throng_world *world) {
    const throng_stats *now = &world->stats, *before = &world->halo->before;
    const throng_columns *a = &world->agents;
    return (report){.alike = hash_common(world),
                    .arrived = now->arrived - before->arrived,
                    .left = before->active - now->active,
                    .oddities = now->oddities - before->oddities,
                    .impulses_bounded = now->impulses_bounded - before->impulses_bounded,
                    .people = a->count,
                    .scattered = world->near && world->near->cell != throng_near_square(world->ordinary_radius),
                    .last_arrival_s = now->last_arrival_s,
                    .crowd = a->count ? throng_box_of_columns(a->x, a->y, a->count) : throng_box_empty()};
}

/* Squares of the grid must be as wide here as in one world. */
static bool keeps_squares(const throng_world *world, throng_box crowd, uint64_t people) {
    double margin = throng_period_is_on(&world->period) ? world->image_margin : 0;
    double square = throng_near_square(world->ordinary_radius);
    return throng_box_is_empty(crowd) || throng_near_keeps_square(square, crowd, margin, (size_t)people);
}

static void add_figures(throng_world *world) {
    throng_halo *h = world->halo;
    throng_stats *s = &world->stats;
    throng_box crowd = throng_box_empty();
    uint64_t people = 0, scattered = 0, alike = hash_common(world);
    s->arrived = h->before.arrived;
    s->active = h->before.active;
    s->oddities = h->before.oddities;
    s->impulses_bounded = h->before.impulses_bounded;
    for (size_t p = 0; p < h->transport.part_count; p++) {
        report r;
        memcpy(&r, h->in[p].bytes, sizeof r);
        if (r.alike != alike) throng_halo_part_ways(h, "their clocks, sources or profiles are not the same");
        s->arrived += r.arrived;
        s->active -= r.left;
        s->oddities += r.oddities;
        s->impulses_bounded += r.impulses_bounded;
        s->last_arrival_s = fmax(s->last_arrival_s, r.last_arrival_s);
        people += r.people;
        scattered += r.scattered;
        crowd = throng_box_join(crowd, r.crowd);
    }
    if (scattered || !keeps_squares(world, crowd, people))
        throng_halo_part_ways(h, "a crowd scattered over more than 8 km cannot be divided yet");
}

/* ------------------------------------------------------------------ ways */

/* A planner answers for what it was asked before: so all parts ask for what one of them needs. */
size_t throng_halo_report(throng_world *world, size_t count) {
    throng_halo *h = world->halo;
    size_t size = sizeof(report) + count * sizeof(asking), all = count;
    report own = report_of(world);
    THRONG_GROW(h->bytes, h->byte_capacity, size);
    memcpy(h->bytes, &own, sizeof own);
    for (size_t i = 0; i < count; i++) {
        const throng_walker *w = &world->walkers[i];
        asking ask = {w->at, w->target, w->radius, w->speed, w->goal};
        memcpy(h->bytes + sizeof own + i * sizeof ask, &ask, sizeof ask);
    }
    throng_halo_share(h, h->bytes, size);
    for (size_t p = 0; p < h->transport.part_count; p++) {
        if (h->in[p].size < sizeof own || (h->in[p].size - sizeof own) % sizeof(asking) != 0)
            throng_halo_part_ways(h, "a report makes no sense");
    }
    if (h->apart) return SIZE_MAX;
    add_figures(world);
    THRONG_GROW(h->walkers, h->walker_capacity, count);
    if (count) memcpy(h->walkers, world->walkers, count * sizeof *h->walkers);
    for (size_t p = 0; p < h->transport.part_count; p++) {
        size_t its = p == h->transport.part ? 0 : (h->in[p].size - sizeof own) / sizeof(asking);
        THRONG_GROW(h->walkers, h->walker_capacity, all + its);
        for (size_t i = 0; i < its; i++) {
            asking ask;
            memcpy(&ask, (const char *)h->in[p].bytes + sizeof own + i * sizeof ask, sizeof ask);
            h->walkers[all++] = (throng_walker){
                .at = ask.at, .goal = ask.goal, .target = ask.target, .radius = ask.radius, .speed = ask.speed};
        }
    }
    size_t lost = throng_route_prepare(world->route, world->goals, h->walkers, all);
    return lost < count ? lost : SIZE_MAX;
}

/* ------------------------------------------------------------------ overlap */

void throng_halo_add_overlap(throng_world *world, throng_overlap *found) {
    throng_halo *h = world->halo;
    throng_overlap sum = {.gap_m = INFINITY};
    throng_halo_share(h, found, sizeof *found);
    for (size_t p = 0; p < h->transport.part_count; p++) {
        throng_overlap its;
        if (h->in[p].size != sizeof its) throng_halo_part_ways(h, "a measure makes no sense");
        if (h->apart) return;
        memcpy(&its, h->in[p].bytes, sizeof its);
        sum.pairs += its.pairs;
        sum.pairs_over_5pct += its.pairs_over_5pct;
        sum.swept_pairs += its.swept_pairs;
        sum.deepest_fraction = fmax(sum.deepest_fraction, its.deepest_fraction);
        sum.wall_m = fmax(sum.wall_m, its.wall_m);
        sum.swept_wall_m = fmax(sum.swept_wall_m, its.swept_wall_m);
        sum.gap_m = fmin(sum.gap_m, its.gap_m);
    }
    *found = sum;
}

/* ------------------------------------------------------------------ the digest */

/* What models have counted, in an archive; here they begin anew. */
static throng_archive take_counts(throng_world *world) {
    throng_archive kept = throng_archive_writing();
    kept.moves = true;
    for (size_t t = 0; t < world->team_count; t++) {
        if (world->teams[t].model->archive) world->teams[t].model->archive(world->teams[t].state, &kept);
    }
    return kept;
}

void throng_halo_drop_counts(throng_world *world) {
    throng_archive kept = take_counts(world);
    throng_archive_clear(&kept);
}

void throng_halo_gather_counts(throng_world *world) {
    throng_halo *h = world->halo;
    throng_archive kept = h->transport.part == 0 ? throng_archive_writing() : take_counts(world);
    throng_halo_share(h, kept.data, kept.size);
    throng_archive_clear(&kept);
    for (size_t p = 1; p < h->transport.part_count && h->transport.part == 0; p++) {
        throng_archive its = throng_archive_reading(h->in[p].bytes, h->in[p].size);
        its.moves = true;
        for (size_t t = 0; t < world->team_count; t++) {
            if (world->teams[t].model->archive) world->teams[t].model->archive(world->teams[t].state, &its);
        }
        if (its.bad) throng_halo_part_ways(h, its.error.text);
    }
}

uint64_t throng_halo_digest(throng_world *world) {
    throng_halo *h = world->halo;
    throng_halo_gather_counts(world);
    uint64_t own[] = {throng_world_digest_of_people(world), throng_world_digest_of_rest(world)}, sum = 0;
    throng_halo_share(h, own, sizeof own);
    for (size_t p = 0; p < h->transport.part_count; p++) {
        uint64_t its[2];
        memcpy(its, h->in[p].bytes, sizeof its);
        sum += its[0] + (p == 0 ? its[1] : 0);
    }
    return sum;
}

bool throng_halo_is_spread(const throng_halo *h) { return h && !h->gathered; }

/* ------------------------------------------------------------------ joining */

/* A planner whose ways to own targets hang on who asked before. */
static bool has_shared_targets(const throng_world *world) {
    const char *planner = throng_route_planner(world->route);
    bool flow = strcmp(planner, "flow-field") == 0, roadmap = strcmp(planner, "roadmap") == 0;
    for (size_t i = 1; i < world->goal_count && world->walls->count > 0; i++) {
        throng_goal_kind kind = world->goals[i].def.kind;
        if (kind == THRONG_GOAL_ROAM && (flow || roadmap)) return true;
        if (kind == THRONG_GOAL_OWN && flow) return true;
    }
    return false;
}

static const char *undivided(const throng_world *world) {
    if (world->things.bodies) return "objects that people push";
    if (world->queue_count > 0) return "lines before goals";
    if (world->changes.event_count > 0) return "events";
    if (world->changes.movable_count > 0) return "obstacles that go or move";
    if (world->changes.regions.count > 0) return "regions that pick the model";
    if (world->team_count > 1) return "people of several models";
    if (throng_route_is_crowded(world->route)) return "ways around crowds (congestion)";
    if (has_shared_targets(world)) return "people who roam among walls";
    return NULL;
}

/* All parts have to be made alike, and refuse alike. */
typedef struct maker {
    throng_definition definition;
    uint64_t layout, digest, refuses;
} maker;

static bool are_alike(const throng_transport *transport, const maker *own, throng_error *error) {
    throng_packet *all = throng_allocate(transport->part_count * sizeof *all);
    const char *differs = NULL;
    bool refused = false;
    transport->share(transport->context, (throng_packet){own, sizeof *own}, all);
    for (size_t p = 0; p < transport->part_count; p++) {
        maker its = {0};
        if (all[p].size == sizeof its) memcpy(&its, all[p].bytes, sizeof its);
        refused = refused || its.refuses;
        if (its.digest != own->digest) differs = "state of its people";
        for (size_t i = THRONG_DEFINITIONS; i-- > 0;)
            if (its.definition.hash[i] != own->definition.hash[i]) differs = throng_definition_name(i);
        if (its.layout != own->layout) differs = "version of the library";
    }
    throng_release(all);
    if (refused) return own->refuses ? false : throng_refuse(error, 0, 0, "another part of the world was refused");
    return !differs || throng_refuse(error, 0, 0, "another part of the world has another %s", differs);
}

/* What of a world keeps it from being a part; false and an error. */
static bool can_be_divided(throng_world *world, throng_error *error) {
    if (!throng_world_prepare(world, error)) return false;
    const char *what = undivided(world);
    if (what) return throng_refuse(error, 0, 0, "a world with %s cannot be divided among ranks yet", what);
    for (size_t t = 0; t < world->team_count; t++) {
        const throng_model *model = world->teams[t].model;
        if (!model->divides)
            return throng_refuse(error, 0, 0, "people of model '%s' cannot be divided among ranks yet", model->name);
    }
    return true;
}

bool throng_world_join(throng_world *world, const throng_transport *transport, throng_error *error) {
    if (!world || !transport || transport->part >= transport->part_count || world->halo)
        return throng_refuse(error, 0, 0, "a world joins once, as one of several parts");
    maker own = {throng_world_definition(world), throng_state_layout(), throng_world_digest(world),
                 !can_be_divided(world, error)};
    if (!are_alike(transport, &own, error)) return false;
    throng_world_touch(world);
    throng_halo_begin(world, transport);
    return true;
}

bool throng_world_is_joined(const throng_world *world, throng_error *error) {
    if (world->halo && world->halo->apart && error) *error = world->halo->error;
    return world->halo && !world->halo->apart;
}
