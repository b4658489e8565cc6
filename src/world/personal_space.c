/* personal_space.c: the personal spaces that models found, in order of id. */

#include <string.h>

#include "world/world.h"

/* The column of a team that holds them, or NULL. */
static const throng_space *spaces_of(const throng_team *team) {
    for (size_t c = 0; c < team->kept.column_count; c++) {
        if (strcmp(team->kept.columns[c].name, THRONG_SPACE_COLUMN) == 0) return team->kept.items[c];
    }
    return NULL;
}

static void tell_team(const throng_world *world, const throng_team *team, double *area, double *density) {
    const throng_columns *a = &world->agents;
    const throng_space *spaces = spaces_of(team);
    for (size_t k = 0; spaces && k < a->count; k++) {
        uint32_t row = a->by_id[k];
        bool known = row < team->kept.capacity && world->profiles[a->profile[row]].model == team->model;
        if (!known) continue;
        area[k] = (double)spaces[row].area;
        density[k] = (double)spaces[row].density;
    }
}

void throng_world_personal_space(const throng_world *world, double *area, double *density) {
    for (size_t k = 0; k < world->agents.count; k++) area[k] = density[k] = 0;
    for (size_t t = 0; t < world->team_count; t++) tell_team(world, &world->teams[t], area, density);
}
