/* recording_agents.c: who there is in a recording. */

#include <stdlib.h>

#include "base/memory.h"
#include "record/record.h"

static size_t free_slot(const throng_id_set *set, throng_agent id) {
    uint64_t hash = id * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 20) & (set->capacity - 1);
    while (set->slots[slot] && set->slots[slot] != id) slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

void throng_id_set_add(throng_id_set *set, throng_agent id) {
    if (id == 0) {
        set->has_zero = true;
        return;
    }
    if (2 * (set->count + 1) > set->capacity) {
        throng_id_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024, .has_zero = set->has_zero};
        larger.slots = throng_allocate(larger.capacity * sizeof *larger.slots);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->slots[i]) throng_id_set_add(&larger, set->slots[i]);
        throng_release(set->slots);
        *set = larger;
    }
    size_t slot = free_slot(set, id);
    if (!set->slots[slot]) set->count++;
    set->slots[slot] = id;
}

static int compare_agents(const void *a, const void *b) {
    throng_agent first = ((const throng_recording_agent *)a)->id, second = ((const throng_recording_agent *)b)->id;
    return first < second ? -1 : first > second;
}

void throng_recording_set_agents(throng_recording *recording, throng_id_set *set) {
    size_t count = 0;
    throng_agent_def fallback = throng_default_agent_def();
    recording->agents = throng_allocate((set->count + set->has_zero) * sizeof *recording->agents);
    for (size_t i = 0; i < set->capacity + set->has_zero; i++) {
        throng_agent id = i < set->capacity ? set->slots[i] : 0;
        if (i < set->capacity && !id) continue;
        recording->agents[count++] = (throng_recording_agent){.id = id,
                                                              .radius = fallback.radius,
                                                              .desired_speed = fallback.desired_speed,
                                                              .mass = fallback.mass,
                                                              .group = "",
                                                              .model = "",
                                                              .name = ""};
    }
    if (count) qsort(recording->agents, count, sizeof *recording->agents, compare_agents);
    recording->info.agent_count = count;
    throng_release(set->slots);
    *set = (throng_id_set){0};
}

throng_recording_agent *throng_recording_find_agent(const throng_recording *recording, throng_agent id) {
    throng_recording_agent key = {.id = id};
    return recording->info.agent_count ? bsearch(&key, recording->agents, recording->info.agent_count,
                                                 sizeof *recording->agents, compare_agents)
                                       : NULL;
}
