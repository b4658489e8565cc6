/* field.c: makes a flow field: a wave of distances that starts at the goal (origin.c) and spreads to
 * wherever people of some size can come from (march.c). */

#include "route/field.h"

#include "base/memory.h"
#include "route/planner.h"

static const double breadth = 0.05; /* m that walls are kept away beyond the body */

void throng_field_maker_destroy(throng_field_maker *maker) {
    throng_march_destroy(&maker->march);
    throng_release(maker->sources);
    throng_release(maker->source_at);
    throng_release(maker->tried);
    throng_release(maker->looking);
}

void throng_field_create(throng_field *field, size_t node_count) {
    field->wave = (throng_wave){.nodes = throng_allocate(node_count * sizeof *field->wave.nodes),
                                .cost = throng_allocate(node_count * sizeof *field->wave.cost),
                                .through = throng_allocate(node_count)};
}

void throng_field_destroy(throng_field *field) {
    throng_release(field->wave.nodes);
    throng_release(field->wave.cost);
    throng_release(field->wave.through);
    field->wave = (throng_wave){0};
}

size_t throng_field_bytes(size_t node_count) { return node_count * (sizeof(throng_field_node) + sizeof(float) + 1); }

/* --- making */

static void set_out(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                    throng_field *field) {
    const uint8_t *open = throng_ground_open(ground, field->def.size);
    throng_origins_find(maker, ground, goals, field, open);
    throng_terrain terrain = {.lattice = ground->lattice,
                              .open = open,
                              .slow = ground->slow,
                              .slow_least = ground->slow_least,
                              .keep = ground->sizes[field->def.size].radius + breadth};
    throng_march_set(&maker->march, terrain, field->wave);
    field->members = field->def.goal ? throng_goal_open_members(goals, field->def.goal) : 0;
}

void throng_field_make(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field) {
    set_out(maker, ground, goals, field);
    throng_march_spread(&maker->march, maker->sources, maker->source_count);
}

void throng_field_mend(throng_field_maker *maker, throng_ground *ground, const throng_goal_entry *goals,
                       throng_field *field, const uint32_t *changed, size_t changed_count) {
    set_out(maker, ground, goals, field);
    if (throng_march_mend(&maker->march, maker->sources, maker->source_count, changed, changed_count)) return;
    throng_march_set(&maker->march, maker->march.terrain, field->wave);
    throng_march_spread(&maker->march, maker->sources, maker->source_count);
}
