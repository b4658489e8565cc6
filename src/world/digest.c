/* digest.c: a hash of everything that decides how the run goes on (state hash). */

#include <string.h>

#include "base/hash.h"
#include "world/world.h"

static uint64_t add_team(uint64_t hash, const throng_team *team, size_t rows) {
    if (rows > team->column_capacity) rows = team->column_capacity; /* newcomers have nothing there yet */
    for (size_t c = 0; c < team->model->column_count; c++) {
        if (strcmp(team->model->columns[c].name, THRONG_SPACE_COLUMN) == 0) continue; /* decides nothing */
        hash = throng_hash_bytes(hash, team->columns[c], rows * team->model->columns[c].item_size);
    }
    if (!team->model->archive) return hash;
    throng_archive kept = throng_archive_writing();
    team->model->archive(team->state, &kept);
    hash = throng_hash_bytes(hash, kept.data, kept.size);
    throng_archive_clear(&kept);
    return hash;
}

/* Obstacles where they are and are going, closed goals, events that have happened. */
static uint64_t add_changes(uint64_t hash, const throng_world *world) {
    const throng_changes *c = &world->changes;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *m = &c->movables[i];
        const throng_point where[] = {m->offset, m->bound, m->velocity, m->planned};
        hash = throng_hash_bytes(throng_hash_word(hash, m->item), where, sizeof where);
        hash = throng_hash_word(hash, m->present + 2u * m->awaited + 4u * m->planned_present);
    }
    for (size_t i = 1; i < world->goal_count; i++) hash = world->goals[i].closed ? throng_hash_word(hash, i) : hash;
    return c->event_count ? throng_hash_word(hash, c->event_next) : hash;
}

/* Has an impulse that no model has seen yet. */
static bool is_anybody_hit(const throng_columns *a) {
    for (size_t i = 0; i < a->count; i++) {
        if (a->impulse_x[i] != 0 || a->impulse_y[i] != 0) return true;
    }
    return false;
}

uint64_t throng_world_digest(const throng_world *world) {
    const throng_columns *a = &world->agents;
    uint64_t hash = throng_hash_word(throng_hash_word(0, world->step), a->count);
    hash = throng_hash_bytes(hash, a->id, a->count * sizeof *a->id);
    const double *reals[] = {a->x, a->y, a->vx, a->vy, a->target_x, a->target_y};
    for (size_t c = 0; c < sizeof reals / sizeof *reals; c++)
        hash = throng_hash_bytes(hash, reals[c], a->count * sizeof(double));
    hash = throng_hash_bytes(hash, a->stage, a->count * sizeof *a->stage);
    hash = throng_hash_bytes(hash, a->state, a->count);
    if (world->waiting_goal_count) {
        const double *waits[] = {a->spot_x, a->spot_y, a->pause_until};
        for (size_t c = 0; c < 3; c++) hash = throng_hash_bytes(hash, waits[c], a->count * sizeof(double));
        hash = throng_hash_bytes(hash, a->queue, a->count * sizeof *a->queue);
        hash = throng_hash_bytes(hash, a->goal, a->count * sizeof *a->goal);
    }
    for (size_t i = 0; i < world->queue_count; i++) {
        const throng_queue *queue = &world->queues[i];
        hash = throng_hash_bytes(hash, queue->members, queue->member_count * sizeof *queue->members);
        hash = throng_hash_bytes(hash, queue->slots, queue->slot_count * sizeof *queue->slots);
        hash = throng_hash_bytes(hash, queue->spots, queue->spot_count * sizeof *queue->spots);
    }
    for (size_t i = 0; i < world->source_count; i++) {
        const throng_source_entry *source = &world->sources[i];
        hash = throng_hash_word(throng_hash_word(hash, source->due), source->come);
        hash = throng_hash_bytes(hash, &source->next, sizeof source->next);
    }
    for (size_t t = 0; t < world->team_count; t++) hash = add_team(hash, &world->teams[t], a->count);
    if (is_anybody_hit(a)) {
        hash = throng_hash_bytes(hash, a->impulse_x, a->count * sizeof *a->impulse_x);
        hash = throng_hash_bytes(hash, a->impulse_y, a->count * sizeof *a->impulse_y);
    }
    if (world->things.bodies) {
        /* who was pushed back from a thing leans on it */
        hash = throng_hash_bytes(hash, a->force_x, a->count * sizeof *a->force_x);
        hash = throng_hash_bytes(hash, a->force_y, a->count * sizeof *a->force_y);
        hash = throng_bodies_hash(world->things.bodies, hash);
    }
    return throng_mix(add_changes(hash, world));
}
