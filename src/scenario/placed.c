/* placed.c: see placed.h. */

#include "scenario/placed.h"

#include <math.h>
#include <throng/model.h>

#include "base/memory.h"

throng_placed *throng_placed_create(size_t capacity, double reach) {
    throng_placed *crowd = throng_allocate(sizeof *crowd);
    crowd->inverse_cell = 1 / reach;
    crowd->cell_count = 64;
    while (crowd->cell_count < 2 * capacity) crowd->cell_count *= 2;
    crowd->cells = throng_allocate(crowd->cell_count * sizeof *crowd->cells);
    crowd->people = throng_allocate(capacity * sizeof *crowd->people);
    return crowd;
}

void throng_placed_destroy(throng_placed *crowd) {
    throng_release(crowd->cells);
    throng_release(crowd->people);
    throng_release(crowd);
}

/* Cells side by side in a row are side by side in the table. */
static uint32_t *cell_of(const throng_placed *crowd, double column, double row) {
    uint64_t hash = (uint64_t)(int64_t)column + (uint64_t)(int64_t)row * 0x9E3779B97F4A7C15u;
    return &crowd->cells[hash & (crowd->cell_count - 1)];
}

static uint32_t *cell_at(const throng_placed *crowd, throng_point at) {
    return cell_of(crowd, floor(at.x * crowd->inverse_cell), floor(at.y * crowd->inverse_cell));
}

void throng_placed_add(throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double radius) {
    uint32_t *cell = cell_at(crowd, at);
    crowd->people[person] = (throng_placed_person){at, radius, entry, *cell};
    *cell = (uint32_t)person + 1;
}

void throng_placed_remove(throng_placed *crowd, size_t person) {
    uint32_t *link = cell_at(crowd, crowd->people[person].at);
    while (*link != person + 1) link = &crowd->people[*link - 1].next;
    *link = crowd->people[person].next;
}

void throng_placed_move(throng_placed *crowd, size_t person, throng_point to) {
    throng_placed_person who = crowd->people[person];
    throng_placed_remove(crowd, person);
    throng_placed_add(crowd, person, who.entry, to, who.radius);
}

/* Somebody other than `person` who keeps a disc out of all places within `reach` of a point. */
static size_t find_near(const throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double reach,
                        double radius, double gap) {
    double column = floor(at.x * crowd->inverse_cell), row = floor(at.y * crowd->inverse_cell);
    for (int n = 0; n < 9; n++) {
        uint32_t link = *cell_of(crowd, column + n % 3 - 1, row + n / 3 - 1);
        for (const throng_placed_person *o; link; link = o->next) {
            o = &crowd->people[link - 1];
            double dx = o->at.x - at.x, dy = o->at.y - at.y;
            double kept = o->radius + radius + (o->entry == entry ? gap : 0) - THRONG_ROUNDING - reach;
            if (kept > 0 && dx * dx + dy * dy < kept * kept && link - 1 != person) return link - 1;
        }
    }
    return THRONG_NOBODY;
}

size_t throng_placed_conflict(const throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double radius,
                              double gap) {
    const throng_period *p = &crowd->period;
    double across = p->x ? p->high.x - p->low.x : 0, up = p->y ? p->high.y - p->low.y : 0;
    size_t found = find_near(crowd, person, entry, at, 0, radius, gap);
    for (int j = p->y ? -1 : 0; j <= (p->y ? 1 : 0); j++) {
        for (int i = p->x ? -1 : 0; i <= (p->x ? 1 : 0) && found == THRONG_NOBODY; i++) {
            throng_point image = {at.x + i * across, at.y + j * up};
            if (i != 0 || j != 0) found = find_near(crowd, person, entry, image, 0, radius, gap);
        }
    }
    return found;
}

bool throng_placed_covers(const throng_placed *crowd, uint32_t entry, throng_point at, double reach, double radius,
                          double gap) {
    return find_near(crowd, THRONG_NOBODY, entry, at, reach, radius, gap) != THRONG_NOBODY;
}
