/* digest.c: a hash of everything that decides how the run goes on. */

#include <string.h>

#include "world/world.h"

static uint64_t add_word(uint64_t hash, uint64_t word) { return throng_mix(hash ^ word) + 0x9E3779B97F4A7C15u; }

static uint64_t add_bytes(uint64_t hash, const void *data, size_t size) {
    const char *bytes = data;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = add_word(hash, word);
    }
    uint64_t rest = 0;
    if (size) memcpy(&rest, bytes, size);
    return size ? add_word(hash, rest) : hash;
}

static uint64_t add_team(uint64_t hash, const throng_team *team, size_t rows) {
    if (rows > team->column_capacity) rows = team->column_capacity; /* newcomers have nothing there yet */
    for (size_t c = 0; c < team->model->column_count; c++) {
        hash = add_bytes(hash, team->columns[c], rows * team->model->columns[c].item_size);
    }
    if (!team->model->archive) return hash;
    throng_archive kept = throng_archive_writing();
    team->model->archive(team->state, &kept);
    hash = add_bytes(hash, kept.data, kept.size);
    throng_archive_clear(&kept);
    return hash;
}

uint64_t throng_world_digest(const throng_world *world) {
    const throng_columns *a = &world->agents;
    uint64_t hash = add_word(add_word(0, world->step), a->count);
    hash = add_bytes(hash, a->id, a->count * sizeof *a->id);
    const double *reals[] = {a->x, a->y, a->vx, a->vy, a->target_x, a->target_y};
    for (size_t c = 0; c < sizeof reals / sizeof *reals; c++)
        hash = add_bytes(hash, reals[c], a->count * sizeof(double));
    hash = add_bytes(hash, a->stage, a->count * sizeof *a->stage);
    hash = add_bytes(hash, a->state, a->count);
    for (size_t i = 0; i < world->source_count; i++) {
        const throng_source_entry *source = &world->sources[i];
        hash = add_word(add_word(hash, source->due), source->come);
        hash = add_bytes(hash, &source->next, sizeof source->next);
    }
    for (size_t t = 0; t < world->team_count; t++) hash = add_team(hash, &world->teams[t], a->count);
    return throng_mix(hash);
}
