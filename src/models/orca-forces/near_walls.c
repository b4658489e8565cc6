/* near_walls.c: which walls people are near. */

#include <math.h>

#include "models/orca-forces/forces.h"
#include "space/walls.h"

/* Asks for the walls around a point anew. */
static void look_at_vicinity(const throng_walls *walls, double x, double y, double reach, throng_forces_vicinity *v,
                             throng_forces_known *known) {
    throng_wall_near some[THRONG_FORCES_WALLS];
    size_t count = throng_walls_within(walls, x, y, reach, some, THRONG_FORCES_WALLS);
    *v = (throng_forces_vicinity){.x = x, .y = y, .reach = reach, .gap = reach};
    known->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) known->walls[i] = some[i].wall;
    if (count > 0) v->gap = sqrt(some[0].distance2) * (1 - 1e-9);
    if (count == THRONG_FORCES_WALLS) v->reach = 0; /* there may be more */
}

void throng_forces_look_at_walls(const throng_forces_job *job, uint32_t me, double reach, bool known) {
    const double ahead = 0.6; /* m farther than needed, so that one need not ask again soon */
    throng_forces *s = job->s;
    const throng_walls *walls = job->step->walls;
    double x = s->near.x[me], y = s->near.y[me];
    throng_forces_vicinity *v = &s->vicinities[s->near.row[me]];
    throng_forces_known *some = &s->known[s->near.row[me]];
    if (!known) {
        look_at_vicinity(walls, x, y, reach + ahead, v, some);
        s->wall_gap[me] = v->gap;
        s->wall_reach[me] = v->reach > 0 ? reach : 0;
    }
    if (s->wall_gap[me] > reach) return;
    throng_wall_near *near = s->walls + (size_t)me * THRONG_FORCES_WALLS;
    s->wall_count[me] = (uint32_t)throng_walls_among(walls, x, y, reach, some->walls, some->count, near);
    double free = s->wall_count[me] ? sqrt(near[0].distance2) - s->near.radius[me] - 1e-6 : reach;
    s->wall_free2[me] = free > 0 ? free * free : 0;
}
