/* zones.c: what holds for those in a zone: slower or faster walking, other parameters of their model. */

#include <math.h>

#include "base/memory.h"
#include "base/report.h"
#include "space/box.h"
#include "world/world.h"

throng_zone_def throng_default_zone_def(void) { return (throng_zone_def){.speed_factor = 1}; }

bool throng_world_add_zone(throng_world *world, const throng_zone_def *def) {
    throng_fault fault;
    if (!throng_ring_is_simple(def->ring.points, def->ring.count, &fault))
        return THRONG_REFUSE(world, "the zone: %s", fault.text);
    for (size_t i = 0; i < def->ring.count; i++) {
        if (throng_point_fits(def->ring.points[i])) continue;
        return THRONG_REFUSE(world, "the zone must be within 100000 km of the origin");
    }
    if (!(def->speed_factor >= 0 && def->speed_factor <= 100))
        return THRONG_REFUSE(world, "the speed factor must be 0 to 100, not %g", def->speed_factor);
    for (size_t i = 0; i < def->setting_count; i++) {
        if (!throng_world_check_setting(world, def->settings[i].name, def->settings[i].number)) return false;
    }
    throng_zones_add(&world->changes.zones, def);
    throng_world_replan(world, throng_box_of(def->ring.points, def->ring.count));
    return true;
}

size_t throng_world_zone_count(const throng_world *world) { return world->changes.zones.count; }

throng_zone_def throng_world_zone(const throng_world *world, size_t index) {
    const throng_zone *z = &world->changes.zones.zones[index];
    return (throng_zone_def){z->ring, z->speed_factor, z->settings, z->setting_count};
}

/* The profile that holds in a zone for those of another one. */
static throng_profile profile_in(throng_world *world, size_t zone, throng_profile profile) {
    const throng_zone *z = &world->changes.zones.zones[zone];
    for (size_t i = 0; i < z->setting_count; i++) {
        profile = throng_world_derive_profile(world, profile, z->settings[i].name, z->settings[i].number);
    }
    return profile;
}

/* From the last zone to the first, which is the last to have a say: who is in several finds what all of
 * them together make of its profile. */
void throng_world_prepare_zones(throng_world *world) {
    throng_zones *zones = &world->changes.zones;
    throng_zones_lay(zones);
    for (size_t i = zones->count; i-- > 0;) {
        throng_zone *z = &zones->zones[i];
        if (z->setting_count == 0) continue;
        size_t count = world->profile_count;
        z->profiles = throng_reallocate(z->profiles, count * sizeof *z->profiles);
        z->profile_count = count;
        for (size_t p = 0; p < count; p++) z->profiles[p] = profile_in(world, i, (throng_profile)p);
    }
}

static void enter_zones(const throng_world *world, size_t row) {
    const throng_zones *zones = &world->changes.zones;
    const throng_columns *a = &world->agents;
    size_t count;
    const throng_zone_cell *cells = throng_zones_at(zones, a->x[row], a->y[row], &count);
    throng_profile profile = a->profile[row];
    double factor = 1;
    for (size_t i = count; i-- > 0;) {
        if (!throng_zone_holds(zones, cells[i], a->x[row], a->y[row])) continue;
        const throng_zone *z = &zones->zones[cells[i].zone];
        if (z->speed_factor != 1) factor = z->speed_factor;
        if (profile < z->profile_count) profile = z->profiles[profile];
    }
    a->likes_speed[row] = a->desired_speed[row] * factor;
    a->limit_speed[row] = a->max_speed[row] * factor;
    a->acting[row] = profile;
}

static void enter_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    for (size_t row = begin; row < end; row++) enter_zones(context, row);
}

void throng_world_enter_zones(throng_world *world) {
    enum { GRAIN = 512 };
    if (world->changes.zones.count > 0) throng_parallel_for(world->crew, world->agents.count, GRAIN, enter_some, world);
}

/* Which profile holds where follows from the zones, but also from which profiles there were when models were
 * last prepared. */
void throng_world_archive_zones(throng_world *world, throng_archive *archive) {
    throng_zones *zones = &world->changes.zones;
    if (archive->reading && !zones->laid) throng_zones_lay(zones);
    for (size_t i = 0; i < zones->count; i++) {
        throng_zone *z = &zones->zones[i];
        size_t capacity = z->profile_count;
        THRONG_ARCHIVE_LIST(archive, z->profiles, z->profile_count, capacity);
        for (size_t p = 0; p < z->profile_count && archive->reading; p++) {
            throng_profile holds = z->profiles[p];
            bool fits = p < world->profile_count && holds < world->profile_count &&
                        world->profiles[holds].model == world->profiles[p].model;
            if (!fits) throng_archive_spoil(archive, "a zone has no such profile");
        }
        if (archive->bad) z->profile_count = 0;
    }
}
