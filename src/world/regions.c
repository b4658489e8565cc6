/* regions.c: parts of the floor that pick the model (level of detail): who walks in is handed over to the region's
 * model from where it is and as fast as it is, and back to its own when it has left. */

#include "base/elementary.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/vector.h"
#include "space/box.h"
#include "world/world.h"

static const double margin = 0.5; /* m beyond its border that somebody is still in a region: nobody goes to and fro */
enum { ROUND = 64, GRAIN = 512 }; /* corners of a disc in pictures */

static void free_ring(throng_region *region) { throng_release((void *)region->ring.points); }

/* Where a round region reaches, and its outline for whoever draws it. */
static void lay_disc(throng_region *region, throng_point centre) {
    throng_point out = {region->radius, region->radius};
    region->centre = centre;
    region->box = (throng_box){throng_minus(centre, out), throng_plus(centre, out)};
    throng_point *points = throng_allocate(ROUND * sizeof *points);
    for (int k = 0; k < ROUND; k++) {
        throng_point out_there;
        throng_cos_sin(k * 360.0 / ROUND, &out_there.x, &out_there.y);
        points[k] = throng_ahead(centre, out_there, region->radius);
    }
    region->ring = (throng_ring){points, ROUND};
}

static bool check_def(throng_world *world, const throng_region_def *def) {
    throng_fault fault;
    if (def->profile >= world->profile_count) return THRONG_REFUSE(world, "there is no such profile");
    if (def->ring.count > 0 && !throng_ring_is_simple(def->ring.points, def->ring.count, &fault))
        return THRONG_REFUSE(world, "the region: %s", fault.text);
    if (def->ring.count == 0 && !(def->radius > 0 && def->radius <= THRONG_FARTHEST))
        return THRONG_REFUSE(world, "a region needs a polygon, or a radius above 0");
    bool fits = throng_point_fits(def->centre);
    for (size_t i = 0; i < def->ring.count; i++) fits = fits && throng_point_fits(def->ring.points[i]);
    return fits || THRONG_REFUSE(world, "the region must be within 100000 km of the origin");
}

bool throng_world_add_region(throng_world *world, const throng_region_def *def) {
    throng_regions *r = &world->changes.regions;
    if (!check_def(world, def)) return false;
    throng_world_touch(world);
    throng_region region = {.disc = def->ring.count == 0,
                            .ring = throng_copy_ring(def->ring),
                            .box = throng_box_of(def->ring.points, def->ring.count),
                            .radius = def->radius,
                            .profile = def->profile};
    if (region.disc) lay_disc(&region, def->centre);
    THRONG_GROW(r->regions, r->capacity, r->count + 1);
    r->regions[r->count++] = region;
    world->profiles[def->profile].spare = false;
    world->changed = true;
    return true;
}

bool throng_world_move_region(throng_world *world, size_t index, throng_point centre) {
    throng_regions *r = &world->changes.regions;
    if (index >= r->count || !r->regions[index].disc) return THRONG_REFUSE(world, "there is no such round region");
    if (!throng_point_fits(centre)) return THRONG_REFUSE(world, "the region must be within 100000 km of the origin");
    throng_world_touch(world);
    free_ring(&r->regions[index]);
    lay_disc(&r->regions[index], centre);
    return true;
}

size_t throng_world_region_count(const throng_world *world) { return world->changes.regions.count; }

throng_region_def throng_world_region(const throng_world *world, size_t index) {
    const throng_region *r = &world->changes.regions.regions[index];
    return (throng_region_def){r->disc ? (throng_ring){0} : r->ring, r->centre, r->radius, r->profile};
}

void throng_regions_clear(throng_regions *regions) {
    for (size_t i = 0; i < regions->count; i++) free_ring(&regions->regions[i]);
    throng_release(regions->regions);
}

/* --- handing over */

/* Whether a point is in a region, or no farther from it than `beyond`. */
static bool holds(const throng_region *r, throng_point at, double beyond) {
    if (at.x < r->box.low.x - beyond || at.x > r->box.high.x + beyond) return false;
    if (at.y < r->box.low.y - beyond || at.y > r->box.high.y + beyond) return false;
    if (r->disc) return throng_distance(at, r->centre) <= r->radius + beyond;
    if (throng_ring_contains(r->ring, at.x, at.y)) return true;
    return beyond > 0 && throng_distance(at, throng_ring_border_nearest(r->ring, at.x, at.y)) <= beyond;
}

/* The region somebody belongs to now, from 1 on, or 0: the first it is in, or the one it has been in until now and is
 * close to. */
static uint32_t region_at(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_regions *r = &world->changes.regions;
    throng_point at = {a->x[row], a->y[row]};
    for (uint32_t i = 1; i <= r->count; i++)
        if (holds(&r->regions[i - 1], at, i == a->region[row] ? margin : 0)) return i;
    return 0;
}

static void mark_leavers(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_world *world = context;
    throng_columns *a = &world->agents;
    for (size_t row = begin; row < end; row++) a->mark[row] = region_at(world, row) != a->region[row];
}

void throng_world_hand_over(throng_world *world) {
    throng_columns *a = &world->agents;
    if (world->changes.regions.count == 0 || a->count == 0) return;
    throng_parallel_for(world->crew, a->count, GRAIN, mark_leavers, world);
    for (size_t row = 0; row < a->count; row++) {
        if (!a->mark[row]) continue;
        uint32_t region = region_at(world, row);
        throng_profile own = *throng_world_own_profile(world, row);
        a->region[row] = region;
        a->home[row] = region ? own : 0;
        throng_world_change_profile(world, row, region ? world->changes.regions.regions[region - 1].profile : own);
    }
}

throng_profile *throng_world_own_profile(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    return a->region[row] ? &a->home[row] : &a->profile[row];
}

void throng_world_set_own_profile(throng_world *world, size_t row, throng_profile profile) {
    if (world->agents.region[row] == 0) throng_world_change_profile(world, row, profile);
    world->profiles[profile].spare = false;
    *throng_world_own_profile(world, row) = profile;
}

/* --- what is kept */

uint64_t throng_world_hash_regions(const throng_world *world) {
    const throng_regions *r = &world->changes.regions;
    uint64_t hash = r->count;
    for (size_t i = 0; i < r->count; i++) {
        const throng_region *region = &r->regions[i];
        hash = throng_hash_real(throng_hash_word(hash, region->profile), region->radius);
        if (!region->disc)
            hash = throng_hash_bytes(hash, region->ring.points, region->ring.count * sizeof(throng_point));
    }
    return hash;
}

void throng_world_archive_regions(throng_world *world, throng_archive *archive) {
    for (size_t i = 0; i < world->changes.regions.count; i++) {
        throng_point centre = world->changes.regions.regions[i].centre;
        THRONG_ARCHIVE(archive, centre);
        if (!archive->reading || archive->bad || !world->changes.regions.regions[i].disc) continue;
        if (!throng_world_move_region(world, i, centre)) throng_archive_spoil(archive, "a region is nowhere");
    }
}
