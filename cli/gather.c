/* gather.c: see gather.h. */

#include "gather.h"

#include <math.h>
#include <stdlib.h>

#include "messages.h"
#include "text.h"

static const double gathered_fps = 10;

size_t gather_every(double dt) { return (size_t)fmax(1, floor(1 / (gathered_fps * dt) + 0.5)); }

/* Holes of an open plane are obstacles; of a bounded one they are in its text. */
throng_place *gather_copy_place(const throng_place *place) {
    throng_place_def def = throng_default_place_def();
    bool open = throng_place_is_open(place);
    size_t rings = open ? throng_place_ring_count(place) : 0, lines = throng_place_line_count(place);
    throng_obstacle *walls = resize(NULL, (rings + lines + 1) * sizeof *walls);
    for (size_t i = 0; i < rings; i++)
        walls[i] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = throng_place_ring(place, i)};
    for (size_t i = 0; i < lines; i++)
        walls[rings + i] = (throng_obstacle){.kind = THRONG_LINE, .ring = throng_place_line(place, i)};
    def.obstacles = walls;
    def.obstacle_count = rings + lines;
    def.walkable_wkt = open ? NULL : throng_place_wkt(place);
    throng_place *copy = throng_place_create(&def, NULL);
    free(walls);
    return copy;
}

bool gather_begin(gathered *g, double fps, const throng_place *place, throng_period period, int threads) {
    throng_tracks_def def = throng_default_tracks_def();
    throng_error error = {0};
    *g = (gathered){0};
    def.fps = fps;
    def.place = place;
    def.period = period;
    def.threads = threads;
    g->tracks = throng_tracks_create(&def, &error);
    if (!g->tracks) complain("%s", error.text);
    return g->tracks != NULL;
}

void gather_frame(gathered *g, const throng_world *world) {
    throng_view view = throng_world_view(world);
    throng_agent *id = resize(NULL, (view.count + 1) * sizeof *id);
    double *x = resize(NULL, (view.count + 1) * sizeof *x), *y = resize(NULL, (view.count + 1) * sizeof *y);
    if (g->force_count + view.count > g->force_capacity) {
        g->force_capacity = 2 * (g->force_count + view.count);
        g->force = resize(g->force, g->force_capacity * sizeof *g->force);
    }
    for (size_t k = 0; k < view.count; k++) {
        size_t row = view.by_id ? view.by_id[k] : k, who = (size_t)view.id[row];
        id[k] = view.id[row];
        x[k] = view.x[row];
        y[k] = view.y[row];
        if (who >= g->radius_count) {
            g->radius = resize(g->radius, 2 * (who + 1) * sizeof *g->radius);
            g->radius_count = 2 * (who + 1);
        }
        g->radius[who] = view.radius[row];
        g->force[g->force_count++] = view.force ? view.force[row] : 0;
    }
    throng_tracks_add(g->tracks, view.count, id, x, y);
    free(id);
    free(x);
    free(y);
}

/* Radii were kept by id until now. */
void gather_finish(gathered *g, const throng_world *world) {
    g->view = throng_tracks_look(g->tracks);
    double *radius = resize(NULL, (g->view.person_count + 1) * sizeof *radius);
    for (size_t p = 0; p < g->view.person_count; p++) radius[p] = g->radius[g->view.people[p]];
    free(g->radius);
    g->radius = radius;
    if (throng_world_force_stats(world).measured && g->force_count == g->view.row_count) return;
    free(g->force);
    g->force = NULL;
}

void gather_free(gathered *g) {
    throng_tracks_destroy(g->tracks);
    free(g->radius);
    free(g->force);
    *g = (gathered){0};
}
