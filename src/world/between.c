/* between.c: people of different models, after all have decided.
 *
 * A model keeps its own people apart as it promises (`solid`), and knows of others at most where they are or will be.
 * So at the seam of two models some would end up in each other: they are held back (space/hold.h), and with them those
 * of their own who would then come too near. Where there is one model nothing is done. */

#include <math.h>

#include "base/memory.h"
#include "space/hold.h"
#include "world/world.h"

enum { GRAIN = 256 };

typedef struct between {
    throng_hold hold;
    throng_world *world;
    const throng_between *b;
} between;

static double apart_of(const void *context, uint32_t me, uint32_t other) {
    const between *b = context;
    const throng_near *near = b->hold.near;
    bool own = b->b->model[me] == b->b->model[other];
    const double *part = own ? b->b->own_solid : b->b->solid;
    double solid = fmax(part[me], part[other]);
    return b->b->model[other] ? solid * (near->radius[me] + near->radius[other]) : 0;
}

static bool is_clear(const void *context, uint32_t me, throng_point way) {
    const between *b = context;
    const throng_near *near = b->hold.near;
    return throng_hold_is_clear_of_walls(b->world->walls, (throng_point){near->x[me], near->y[me]}, way,
                                         near->radius[me]);
}

/* What each slot is and where it will be. */
static void look_up(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const between *b = context;
    const throng_near *near = b->hold.near;
    const throng_columns *a = &b->world->agents;
    for (size_t slot = begin; slot < end; slot++) {
        uint32_t row = near->row[slot];
        bool person = row < a->count;
        const throng_profile_entry *profile = person ? &b->world->profiles[a->profile[row]] : NULL;
        b->b->model[slot] = person ? profile->model : NULL;
        b->b->solid[slot] = b->b->own_solid[slot] = 0;
        if (person && profile->model->solid) {
            b->b->solid[slot] = profile->model->solid(profile->params, false);
            b->b->own_solid[slot] = profile->model->solid(profile->params, true);
        }
        b->hold.to[slot] =
            (throng_point){a->next_x[row] + (near->x[slot] - a->x[row]), a->next_y[row] + (near->y[slot] - a->y[row])};
        b->hold.is_held[slot] = false;
    }
}

static void find_too_near(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const between *b = context;
    const throng_near_lists *lists = b->hold.lists;
    for (uint32_t me = (uint32_t)begin; me < end; me++) {
        if (!b->b->model[me] || throng_near_is_image(b->hold.near, me)) continue;
        const uint32_t *list = lists->slot + lists->start[me];
        uint32_t i = 0;
        while (i < lists->length[me] && !throng_hold_is_too_near(&b->hold, me, list[i])) i++;
        b->hold.is_held[me] = i < lists->length[me];
    }
}

static void make_room(throng_between *b, size_t count) {
    if (!b->lists) b->lists = throng_near_lists_create();
    if (count <= b->capacity) return;
    b->capacity = count + count / 4;
    b->to = throng_reallocate(b->to, b->capacity * sizeof *b->to);
    b->own_solid = throng_reallocate(b->own_solid, b->capacity * sizeof *b->own_solid);
    b->solid = throng_reallocate(b->solid, b->capacity * sizeof *b->solid);
    b->model = throng_reallocate(b->model, b->capacity * sizeof *b->model);
    b->is_held = throng_reallocate(b->is_held, b->capacity * sizeof *b->is_held);
    b->held = throng_reallocate(b->held, b->capacity * sizeof *b->held);
}

void throng_between_clear(throng_between *b) {
    void *arrays[] = {b->to, b->solid, b->own_solid, b->model, b->is_held, b->held};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) throng_release(arrays[i]);
    if (b->lists) throng_near_lists_destroy(b->lists);
}

/* Whether there are several models, and one of them promises something. */
static bool is_needed(const throng_world *world) {
    size_t teams = 0;
    bool solid = false;
    for (size_t t = 0; t < world->team_count; t++) {
        if (world->teams[t].mine_count == 0) continue;
        teams++;
        solid = solid || world->teams[t].model->solid;
    }
    return teams > 1 && solid;
}

void throng_world_part_models(throng_world *world) {
    const throng_near *near = world->near;
    throng_columns *a = &world->agents;
    throng_between *mine = &world->between;
    if (!near || !is_needed(world)) return;
    make_room(mine, near->count);
    between b = {{.crew = world->crew,
                  .near = near,
                  .lists = mine->lists,
                  .to = mine->to,
                  .apart = apart_of,
                  .is_clear = is_clear,
                  .is_held = mine->is_held,
                  .held = mine->held},
                 world,
                 mine};
    b.hold.context = &b;
    double reach = 2 * near->radius_max + 2 * throng_columns_longest_way(a);
    throng_near_lists_build(mine->lists, near, world->crew, reach, world->simd);
    throng_parallel_for(world->crew, near->count, GRAIN, look_up, &b);
    throng_parallel_for(world->crew, near->count, GRAIN, find_too_near, &b);
    for (uint32_t slot = 0; slot < near->count; slot++) {
        if (mine->is_held[slot]) mine->held[b.hold.count++] = slot;
    }
    throng_hold_back(&b.hold);
    for (size_t k = 0; k < b.hold.count; k++) {
        uint32_t row = near->row[mine->held[k]];
        throng_point to = mine->to[mine->held[k]];
        a->next_x[row] = to.x;
        a->next_y[row] = to.y;
        a->next_vx[row] = (to.x - a->x[row]) / world->dt;
        a->next_vy[row] = (to.y - a->y[row]) / world->dt;
    }
}
