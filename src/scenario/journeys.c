/* journeys.c: each person's own journey (waypoint list), and the point of its own it may walk to. */

#include <math.h>

#include "base/memory.h"
#include "scenario/scenario.h"

enum { DRAW_OPTION, DRAW_PERMUTATION }; /* throng_draws.what */

/* Who starts where the k-th person is sent to: a random permutation (Fisher and Yates). */
static uint32_t *deal_out(const throng_loading *loading, const throng_entry *entry) {
    size_t count = entry->shape.count;
    uint32_t *order = throng_allocate(count * sizeof *order);
    for (size_t k = 0; k < count; k++) order[k] = (uint32_t)k;
    for (size_t k = count - 1; k > 0; k--) {
        throng_draws draws =
            throng_entry_draws(loading->scenario->seed, entry->stream, k, DRAW_PERMUTATION, THRONG_RANDOM_GOAL);
        size_t other = (size_t)(throng_draw_uniform(&draws) * (double)(k + 1));
        uint32_t swapped = order[k];
        order[k] = order[other];
        order[other] = swapped;
    }
    return order;
}

throng_point throng_leg_target(const throng_journey_leg *leg, throng_point at, throng_point centre) {
    switch (leg->kind) {
        case THRONG_LEG_X:
            return (throng_point){leg->vector.x, at.y};
        case THRONG_LEG_Y:
            return (throng_point){at.x, leg->vector.y};
        case THRONG_LEG_ANTIPODE:
            return (throng_point){2 * centre.x - at.x, 2 * centre.y - at.y};
        default:
            return (throng_point){at.x + leg->vector.x, at.y + leg->vector.y};
    }
}

static throng_point target_of(const throng_loading *loading, const throng_entry *entry, const throng_journey_leg *leg,
                              size_t k, const uint32_t *order) {
    if (leg->kind == THRONG_LEG_POINTS) return leg->points.points[k];
    const throng_person *people = loading->scenario->people + entry->first;
    throng_point at = people[leg->kind == THRONG_LEG_PERMUTE ? order[k] : k].def.at;
    return throng_leg_target(leg, at, entry->shape.centre);
}

const throng_journey_leg *throng_choose_leg(const throng_journey_leg *legs, size_t index, uint64_t seed,
                                            uint32_t stream, uint64_t k) {
    const throng_journey_leg *leg = &legs[index];
    if (leg->kind != THRONG_LEG_CHOICE) return leg;
    throng_draws draws = throng_entry_draws(seed, stream, k, DRAW_OPTION, THRONG_RANDOM_GOAL);
    draws.next = (uint32_t)index;
    double u = throng_draw_uniform(&draws) * leg->weights[leg->option_count - 1];
    size_t i = 0;
    while (i + 1 < leg->option_count && u >= leg->weights[i]) i++;
    return &leg->options[i];
}

static bool needs_order(const throng_journey_leg *legs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (legs[i].kind == THRONG_LEG_PERMUTE || needs_order(legs[i].options, legs[i].option_count)) return true;
    }
    return false;
}

/* Appends the goals of one person, and finds the point of its own; counts those outside the place. */
static void append_journey(throng_loading *loading, const throng_entry *entry, size_t k, const uint32_t *order,
                           size_t *outside) {
    throng_scenario *s = loading->scenario;
    throng_person *person = &s->people[entry->first + k];
    THRONG_GROW(s->journey_goals, s->journey_goal_capacity, s->journey_goal_count + entry->leg_count);
    person->journey = (uint32_t)s->journey_goal_count;
    person->journey_count = (uint32_t)entry->leg_count;
    for (size_t i = 0; i < entry->leg_count; i++) {
        const throng_journey_leg *leg = throng_choose_leg(entry->legs, i, s->seed, entry->stream, k);
        s->journey_goals[s->journey_goal_count++] = leg->goal;
        if (leg->kind <= THRONG_LEG_CHOICE) continue;
        person->def.target = target_of(loading, entry, leg, k, order);
        if (throng_is_walkable(loading, person->def.target) || (*outside)++ > 0) continue;
        throng_wrong(&loading->reader, leg->node,
                     "the goal (%.9g, %.9g) of the person at (%.9g, %.9g) lies outside the "
                     "walkable area",
                     person->def.target.x, person->def.target.y, person->def.at.x, person->def.at.y);
    }
}

static bool is_same_for_all(const throng_entry *entry) {
    for (size_t i = 0; i < entry->leg_count; i++) {
        if (entry->legs[i].kind == THRONG_LEG_CHOICE) return false;
    }
    return true;
}

void throng_send_people(throng_loading *loading, const throng_entry *entry) {
    throng_scenario *s = loading->scenario;
    if (entry->leg_count == 0) return;
    uint32_t *order = needs_order(entry->legs, entry->leg_count) ? deal_out(loading, entry) : NULL;
    bool shared = is_same_for_all(entry);
    size_t before = s->journey_goal_count, outside = 0;
    for (size_t k = 0; k < entry->shape.count; k++) {
        append_journey(loading, entry, k, order, &outside);
        if (!shared || k == 0) continue;
        /* The goals are those of the entry's first person; only the target is one's own. */
        s->journey_goal_count -= entry->leg_count;
        s->people[entry->first + k].journey = (uint32_t)before;
    }
    if (outside > 1) {
        throng_wrong(&loading->reader, entry->legs[0].node, "%zu more people have goals outside the walkable area",
                     outside - 1);
    }
    throng_release(order);
}
