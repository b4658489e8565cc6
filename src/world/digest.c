/* digest.c: a hash of everything that decides how the run goes on (state hash): the sum of a hash of each person, with
 * all that is its own, and of one of the world's own parts. So the order of rows is no part of it, and digests of
 * people kept in several places add up. */

#include "base/hash.h"
#include "world/state.h"
#include "world/world.h"

enum { PEOPLE = 256 /* hashed side by side, column by column */ };

/* Private columns of those who are of the model; newcomers have nothing there yet, which is 0. */
static void add_private(const throng_world *world, const throng_team *team, size_t begin, size_t end,
                        uint64_t *hashes) {
    const throng_kept *kept = &team->kept;
    for (size_t c = 0; c < kept->column_count; c++) {
        size_t size = kept->columns[c].item_size;
        if (throng_model_has_result(team->model, c)) continue;
        for (size_t row = begin; row < end; row++) {
            if (world->profiles[world->agents.profile[row]].model != team->model) continue;
            if (row < kept->capacity)
                throng_column_hash((const char *)kept->items[c] + row * size, size, 1, &hashes[row - begin]);
            for (size_t at = 0; row >= kept->capacity && at < size; at += 8)
                hashes[row - begin] = throng_hash_word(hashes[row - begin], 0);
        }
    }
}

/* Columns of habits: what is 0 as for a newcomer, as where a habit is off, adds nothing. */
static void add_habit(const throng_habit_entry *entry, size_t begin, size_t end, uint64_t *hashes) {
    const throng_kept *kept = &entry->kept;
    for (size_t c = 0; c < kept->column_count && !entry->habit->columns_follow; c++) {
        size_t size = kept->columns[c].item_size;
        for (size_t row = begin; row < end && row < kept->capacity; row++) {
            const char *item = (const char *)kept->items[c] + row * size;
            bool any = item[0] != 0 || memcmp(item, item + 1, size - 1) != 0;
            if (any) throng_column_hash(item, size, 1, &hashes[row - begin]);
        }
    }
}

static void add_journeys(const throng_world *world, size_t begin, size_t end, uint64_t *hashes) {
    for (size_t row = begin; row < end; row++) {
        const throng_journey *j = &world->journeys[world->agents.journey[row]];
        uint64_t hash = throng_hash_word(hashes[row - begin], 2 * (uint64_t)j->count + j->repeat);
        size_t size = j->count * sizeof *world->journey_goals;
        hashes[row - begin] = size ? throng_hash_bytes(hash, world->journey_goals + j->first, size) : hash;
    }
}

uint64_t throng_world_digest_of_people(const throng_world *world) {
    const throng_columns *a = &world->agents;
    uint64_t hashes[PEOPLE], sum = 0;
    for (size_t begin = 0; begin < a->count; begin += PEOPLE) {
        size_t end = a->count - begin < PEOPLE ? a->count : begin + PEOPLE;
        memset(hashes, 0, sizeof hashes);
        throng_columns_hash(a, begin, end, hashes);
        for (size_t row = begin; row < end; row++)
            if (a->body[row] != a->radius[row])
                throng_column_hash(&a->body[row], sizeof *a->body, 1, &hashes[row - begin]);
        add_journeys(world, begin, end, hashes);
        if (world->changes.regions.count > 0) {
            throng_column_hash(a->region + begin, sizeof *a->region, end - begin, hashes);
            throng_column_hash(a->home + begin, sizeof *a->home, end - begin, hashes);
        }
        for (size_t t = 0; t < world->team_count; t++) add_private(world, &world->teams[t], begin, end, hashes);
        for (size_t h = 0; h < world->habit_count; h++) add_habit(&world->habits[h], begin, end, hashes);
        if (world->things.bodies) { /* who was pushed back from a thing leans on it */
            throng_column_hash(a->force_x + begin, sizeof *a->force_x, end - begin, hashes);
            throng_column_hash(a->force_y + begin, sizeof *a->force_y, end - begin, hashes);
        }
        for (size_t k = 0; k < end - begin; k++) sum += throng_mix(hashes[k]);
    }
    return sum;
}

static uint64_t add_state(uint64_t hash, const throng_team *team) {
    if (!team->model->archive) return hash;
    throng_archive kept = throng_archive_writing();
    team->model->archive(team->state, &kept);
    hash = throng_hash_bytes(hash, kept.data, kept.size);
    throng_archive_clear(&kept);
    return hash;
}

/* Obstacles where they are and are going, closed goals, wishes given, events that have happened. */
static uint64_t add_changes(uint64_t hash, const throng_world *world) {
    const throng_changes *c = &world->changes;
    for (size_t i = 0; i < c->movable_count; i++) {
        const throng_movable *m = &c->movables[i];
        const throng_point where[] = {m->offset, m->bound, m->velocity, m->planned};
        hash = throng_hash_bytes(throng_hash_word(hash, m->item), where, sizeof where);
        hash = throng_hash_word(hash, m->present + 2u * m->awaited + 4u * m->planned_present);
    }
    for (size_t i = 1; i < world->goal_count; i++) hash = world->goals[i].closed ? throng_hash_word(hash, i) : hash;
    double clock[] = {world->clock_base, world->dt};
    if (world->clock_since || world->dt != world->given_dt) hash = throng_hash_bytes(hash, clock, sizeof clock);
    const throng_wishes *w = &world->wishes;
    if (w->count) hash = throng_hash_bytes(hash, w->wishes, w->count * sizeof *w->wishes);
    return c->event_count ? throng_hash_word(hash, c->event_next) : hash;
}

uint64_t throng_world_digest_of_rest(const throng_world *world) {
    uint64_t hash = throng_hash_word(0, world->step);
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
    for (size_t t = 0; t < world->team_count; t++) hash = add_state(hash, &world->teams[t]);
    if (world->things.bodies) hash = throng_bodies_hash(world->things.bodies, hash);
    return throng_mix(add_changes(hash, world));
}

uint64_t throng_world_digest(const throng_world *world) {
    if (throng_halo_is_spread(world->halo)) return throng_halo_digest((throng_world *)(uintptr_t)world);
    return throng_world_digest_of_rest(world) + throng_world_digest_of_people(world);
}
