/* narrow.c: tells users of passages that are too narrow for their people, and of a planner's cell that
 * could not be as fine as they asked for. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "world/start.h"
#include "world/world.h"

enum { PASSAGES_MOST = 5 };  /* told of */
enum { PEOPLE_TRIED = 100 }; /* of a source */

/* The smallest and the largest of a group's people who go anywhere, m. */
typedef struct girth {
    double low, high;
} girth;

static void tell_passage(throng_world *world, throng_group group, girth people, throng_passage passage) {
    bool all = passage.width < 2 * people.low;
    throng_world_notice(world, THRONG_WARNING,
                        "a passage of %.3g m at (%.2f, %.2f) is narrower than %s people of group '%s' (%s%.3g m wide)",
                        passage.width, passage.at.x, passage.at.y, all ? "the" : "some", world->groups.names[group],
                        all ? "" : "up to ", 2 * people.high);
}

static void find_girths(const throng_world *world, girth *girths) {
    const throng_columns *a = &world->agents;
    for (size_t g = 0; g < world->groups.count; g++) girths[g] = (girth){INFINITY, 0};
    for (size_t i = 0; i < a->count; i++) {
        girth *g = &girths[a->group[i]];
        if (!a->goal[i]) continue;
        g->low = fmin(g->low, a->radius[i]);
        g->high = fmax(g->high, a->radius[i]);
    }
    /* Those who will come: the first of each source stand for all. */
    for (size_t s = 0; s < world->source_count; s++) {
        for (uint64_t number = 0; number < PEOPLE_TRIED; number++) {
            throng_agent_def person = throng_source_person(&world->sources[s], number);
            if (person.group >= world->groups.count || person.journey_count == 0) break;
            girth *g = &girths[person.group];
            g->low = fmin(g->low, person.radius);
            g->high = fmax(g->high, person.radius);
        }
    }
}

static bool is_told(const throng_passage *told, size_t count, throng_passage passage) {
    for (size_t i = 0; i < count; i++) {
        if (told[i].at.x == passage.at.x && told[i].at.y == passage.at.y) return true;
    }
    return false;
}

void throng_world_tell_narrow(throng_world *world) {
    if (world->narrow_told || (world->agents.count == 0 && world->source_count == 0)) return;
    world->narrow_told = true;
    double cell;
    size_t corners = throng_route_corners_too_many(world->route);
    if (corners > 0) {
        throng_world_notice(world, THRONG_WARNING,
                            "%zu corners are too many for the planner 'roadmap': 'flow-field' is used instead",
                            corners);
    }
    if (throng_route_is_coarse(world->route, &cell)) {
        throng_world_notice(
            world, THRONG_WARNING,
            "the planner's cell is %.3g m: with smaller ones this place and its goals would need too much memory",
            cell);
    }
    if (strcmp(throng_route_planner(world->route), "straight") == 0) return;
    girth *girths = throng_allocate(world->groups.count * sizeof *girths);
    throng_passage told[PASSAGES_MOST], found[PASSAGES_MOST];
    size_t count = 0;
    find_girths(world, girths);
    for (size_t g = 0; g < world->groups.count && count < PASSAGES_MOST; g++) {
        size_t passages =
            girths[g].high > 0 ? throng_route_passages(world->route, girths[g].high, found, PASSAGES_MOST) : 0;
        for (size_t i = 0; i < passages && count < PASSAGES_MOST; i++) {
            if (is_told(told, count, found[i])) continue;
            told[count++] = found[i];
            tell_passage(world, (throng_group)g, girths[g], found[i]);
        }
    }
    throng_release(girths);
}

void throng_world_describe_lost(throng_world *world, throng_lost lost, char *out, size_t size) {
    throng_walker walker = {.at = lost.at, .goal = lost.goal, .target = lost.target, .radius = lost.radius};
    throng_passage passage;
    if (lost.radius > 0 && throng_route_obstruction(world->route, world->goals, &walker, &passage)) {
        snprintf(out, size, "the widest way there is %.3g m at (%.2f, %.2f), for somebody %.3g m wide", passage.width,
                 passage.at.x, passage.at.y, 2 * lost.radius);
    } else {
        snprintf(out, size, "no way leads there");
    }
}
