/* loads.c: see loads.h. Pressure is force over the circumference of a body. */

#include "world/loads.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "world/world.h"

static const double two_pi = 6.283185307179586;

/* The first five bits of a number behind its exponent tell its bin. */
static size_t bin_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int64_t bin = (int64_t)(bits >> 47) - ((int64_t)(1023 - 10) << 5);
    return bin < 0 ? 0 : bin < THRONG_LOAD_BINS ? (size_t)bin : THRONG_LOAD_BINS - 1;
}

/* The least number beyond a bin. */
static double end_of(size_t bin) {
    uint64_t bits = (uint64_t)(bin + 1 + ((1023 - 10) << 5)) << 47;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What 99 of 100 do not exceed; 0 is in the first bin. */
static double percentile_99(const uint64_t *bins, double most) {
    uint64_t all = 0, sum = 0;
    for (size_t i = 0; i < THRONG_LOAD_BINS; i++) all += bins[i];
    for (size_t i = 0; i < THRONG_LOAD_BINS; i++) {
        sum += bins[i];
        if (100 * (double)sum >= 99 * (double)all) return i == 0 ? 0 : fmin(end_of(i), most);
    }
    return 0;
}

void throng_world_reset_loads(throng_world *world) {
    throng_loads *loads = &world->loads;
    THRONG_GROW(loads->wall, loads->wall_capacity, world->walls->count + 1);
    memset(loads->wall, 0, world->walls->count * sizeof *loads->wall);
}

void throng_world_measure_loads(throng_world *world) {
    const throng_columns *a = &world->agents;
    throng_loads *loads = &world->loads;
    throng_force_stats *stats = &loads->stats;
    stats->measured = true;
    uint64_t above = 0;
    double force_max = stats->force_max, pressure_max = stats->pressure_max;
    for (size_t i = 0; i < a->count; i++) {
        double force = a->force[i], pressure = force / (two_pi * a->radius[i]);
        loads->force[bin_of(force)]++;
        loads->pressure[bin_of(pressure)]++;
        above += pressure > THRONG_PRESSURE_MARK;
        force_max = force > force_max ? force : force_max;
        pressure_max = pressure > pressure_max ? pressure : pressure_max;
    }
    stats->force_max = force_max;
    stats->pressure_max = pressure_max;
    stats->above_s += (double)above * world->dt;
    for (size_t w = 0; w < world->walls->count; w++)
        stats->wall_force_max = fmax(stats->wall_force_max, loads->wall[w]);
}

throng_force_stats throng_world_force_stats(const throng_world *world) {
    const throng_loads *loads = &world->loads;
    throng_force_stats stats = loads->stats;
    stats.force_p99 = percentile_99(loads->force, stats.force_max);
    stats.pressure_p99 = percentile_99(loads->pressure, stats.pressure_max);
    return stats;
}

size_t throng_world_wall_count(const throng_world *world) { return world->walls->count; }

/* Whether the loads are those of the walls there are now: some may have moved since. */
static bool are_walls_known(const throng_world *world) {
    return world->forces_shown && !world->changes.walls_changed && world->walls->count < world->loads.wall_capacity;
}

throng_wall_load throng_world_wall_load(const throng_world *world, size_t wall) {
    const throng_walls *w = world->walls;
    uint32_t end = w->next[wall];
    double force = are_walls_known(world) ? world->loads.wall[wall] : 0;
    return (throng_wall_load){{w->x[wall], w->y[wall]}, {w->x[end], w->y[end]}, force};
}

/* Those of the last step, for a frame that is recorded before the next one. */
static void archive_walls(throng_world *world, throng_archive *archive) {
    uint64_t count = are_walls_known(world) ? world->walls->count : 0;
    THRONG_ARCHIVE(archive, count);
    if (archive->reading) throng_world_reset_loads(world);
    if (count != 0 && count != world->walls->count) throng_archive_spoil(archive, "it has other walls");
    if (archive->bad || count == 0) return;
    throng_archive_bytes(archive, world->loads.wall, (size_t)count * sizeof *world->loads.wall);
    for (size_t w = 0; w < count; w++) {
        if (!(world->loads.wall[w] >= 0)) throng_archive_spoil(archive, "a force is not a number");
    }
}

void throng_world_archive_loads(throng_world *world, throng_archive *archive) {
    throng_loads *loads = &world->loads;
    uint8_t measured = loads->stats.measured, shown = world->forces_shown;
    THRONG_ARCHIVE(archive, measured);
    THRONG_ARCHIVE(archive, shown);
    world->forces_shown = shown != 0;
    if (archive->reading) loads->stats = (throng_force_stats){.measured = measured != 0};
    if (archive->reading)
        memset(loads->force, 0, sizeof loads->force), memset(loads->pressure, 0, sizeof loads->pressure);
    if (!measured) return;
    double *numbers[] = {&loads->stats.force_max, &loads->stats.pressure_max, &loads->stats.above_s,
                         &loads->stats.wall_force_max};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        THRONG_ARCHIVE(archive, *numbers[i]);
        if (!(*numbers[i] >= 0)) throng_archive_spoil(archive, "a force is not a number");
    }
    throng_archive_bytes(archive, loads->force, sizeof loads->force);
    throng_archive_bytes(archive, loads->pressure, sizeof loads->pressure);
    archive_walls(world, archive);
}
