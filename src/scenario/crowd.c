/* crowd.c: see crowd.h. */

#include "scenario/crowd.h"

#include <math.h>
#include <throng/model.h>

#include "world/memory.h"

throng_crowd *throng_crowd_create(size_t capacity, double reach) {
    throng_crowd *crowd = throng_allocate(sizeof *crowd);
    crowd->inverse_cell = 1 / reach;
    crowd->cell_count = 64;
    while (crowd->cell_count < 2 * capacity) crowd->cell_count *= 2;
    crowd->cells = throng_allocate(crowd->cell_count * sizeof *crowd->cells);
    crowd->next = throng_allocate(capacity * sizeof *crowd->next);
    crowd->at = throng_allocate(capacity * sizeof *crowd->at);
    crowd->radius = throng_allocate(capacity * sizeof *crowd->radius);
    crowd->entry = throng_allocate(capacity * sizeof *crowd->entry);
    return crowd;
}

void throng_crowd_destroy(throng_crowd *crowd) {
    throng_release(crowd->cells);
    throng_release(crowd->next);
    throng_release(crowd->at);
    throng_release(crowd->radius);
    throng_release(crowd->entry);
    throng_release(crowd);
}

static uint32_t *cell_of(const throng_crowd *crowd, double column, double row) {
    uint64_t hash = (uint64_t)(int64_t)column * 0x9E3779B97F4A7C15u ^ (uint64_t)(int64_t)row * 0xC2B2AE3D27D4EB4Fu;
    return &crowd->cells[(hash ^ hash >> 29) & (crowd->cell_count - 1)];
}

static uint32_t *cell_at(const throng_crowd *crowd, throng_point at) {
    return cell_of(crowd, floor(at.x * crowd->inverse_cell), floor(at.y * crowd->inverse_cell));
}

void throng_crowd_add(throng_crowd *crowd, size_t person, uint32_t entry, throng_point at, double radius) {
    uint32_t *cell = cell_at(crowd, at);
    crowd->at[person] = at;
    crowd->radius[person] = radius;
    crowd->entry[person] = entry;
    crowd->next[person] = *cell;
    *cell = (uint32_t)person + 1;
}

void throng_crowd_remove(throng_crowd *crowd, size_t person) {
    uint32_t *link = cell_at(crowd, crowd->at[person]);
    while (*link != person + 1) link = &crowd->next[*link - 1];
    *link = crowd->next[person];
}

void throng_crowd_move(throng_crowd *crowd, size_t person, throng_point to) {
    throng_crowd_remove(crowd, person);
    throng_crowd_add(crowd, person, crowd->entry[person], to, crowd->radius[person]);
}

size_t throng_crowd_conflict(const throng_crowd *crowd, size_t person, uint32_t entry, throng_point at, double radius,
                             double gap) {
    double column = floor(at.x * crowd->inverse_cell), row = floor(at.y * crowd->inverse_cell);
    for (int n = 0; n < 9; n++) {
        uint32_t other = *cell_of(crowd, column + n % 3 - 1, row + n / 3 - 1);
        for (; other; other = crowd->next[other - 1]) {
            size_t o = other - 1;
            double dx = crowd->at[o].x - at.x, dy = crowd->at[o].y - at.y;
            double apart = crowd->radius[o] + radius + (crowd->entry[o] == entry ? gap : 0) - THRONG_ROUNDING;
            if (dx * dx + dy * dy < apart * apart && o != person) return o;
        }
    }
    return THRONG_NOBODY;
}

bool throng_crowd_covers(const throng_crowd *crowd, uint32_t entry, throng_point at, double reach, double radius,
                         double gap) {
    double column = floor(at.x * crowd->inverse_cell), row = floor(at.y * crowd->inverse_cell);
    for (int n = 0; n < 9; n++) {
        uint32_t other = *cell_of(crowd, column + n % 3 - 1, row + n / 3 - 1);
        for (; other; other = crowd->next[other - 1]) {
            size_t o = other - 1;
            double dx = crowd->at[o].x - at.x, dy = crowd->at[o].y - at.y;
            double kept = crowd->radius[o] + radius + (crowd->entry[o] == entry ? gap : 0) - THRONG_ROUNDING - reach;
            if (kept > 0 && dx * dx + dy * dy < kept * kept) return true;
        }
    }
    return false;
}
