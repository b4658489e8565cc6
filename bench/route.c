/* What routes cost: making flow fields, and asking the way.
 *
 *     bench_route [people]
 *
 * In a hall of 120 m x 80 m with pillars and two rows of rooms with doors of 1 m, and in an open square
 * of 316 m with 20 kiosks; fields of a building of 200 m x 200 m at 0.25 m. CPU time of one thread, the best of several
 * runs. Also what it costs to bring ground and field up to date when a door of that building closes, against
 * making them anew. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/crew.h"
#include "base/memory.h"
#include "blocks.h"
#include "route/field.h"
#include "route/route.h"
#include "space/place.h"
#include "space/walls.h"

enum { RUNS = 7, PLACES = 5 };

/* Rooms of 6 m x 8 m along the lower and upper side, doors 1 m wide. */
static void add_rooms(plan *p, double y, double door_y) {
    for (int i = 1; i < 20; i++) add_block(p, 6 * i - 0.1, y, 0.2, 8);
    for (int i = 0; i < 20; i++) {
        add_block(p, 6 * i, door_y, 2.5, 0.2);
        add_block(p, 6 * i + 3.5, door_y, 2.5, 0.2);
    }
}

static throng_place *make_place(const plan *p, double width, double height) {
    throng_point border[4] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){border, 4};
    def.obstacles = p->obstacles;
    def.obstacle_count = p->count;
    throng_error error;
    throng_place *place = throng_place_create(&def, &error);
    if (!place) fprintf(stderr, "bench_route: %s\n", error.text), exit(1);
    return place;
}

static throng_place *hall(void) {
    static plan p;
    add_rooms(&p, 0, 8);
    add_rooms(&p, 72, 71.8);
    for (int i = 0; i < 14; i++) {
        for (int j = 0; j < 7; j++) add_block(&p, 6 + 8 * i, 13 + 8 * j, 0.8, 0.8);
    }
    return make_place(&p, 120, 80);
}

/* A floor of 200 m x 200 m: corridors between rooms of 16 m that are open to one side and have a door in
 * another, and a few pillars. One of the doors along the diagonal may be closed. */
static throng_place *building(int closed) {
    static plan p;
    p.count = 0;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            double x = 4 + 22 * i, y = 4 + 22 * j;
            add_block(&p, x, y, 16, 0.2), add_block(&p, x, y + 0.2, 0.2, 15.6);
            add_block(&p, x + 0.2, y + 15.8, 7, 0.2), add_block(&p, x + 8.2, y + 15.8, 7.8, 0.2);
        }
    }
    for (int i = 0; i < 8; i++) add_block(&p, 10 + 22 * i, 10 + 22 * i, 0.8, 0.8);
    if (closed >= 0) add_block(&p, 4 + 22 * closed + 7.2, 4 + 22 * closed + 15.8, 1, 0.2);
    return make_place(&p, 200, 200);
}

/* An open square with a few kiosks. */
static throng_place *square(void) {
    static plan p;
    for (int i = 0; i < 20; i++)
        add_block(&p, 20 + 270 * throng_random(1, i, 0, 0), 20 + 270 * throng_random(1, i, 0, 1), 4, 3);
    return make_place(&p, 316, 316);
}

static void fill(const throng_walls *walls, throng_box box, throng_walker *walkers, size_t count, throng_goal goal) {
    double width = box.high.x, height = box.high.y;
    for (size_t i = 0, n = 0; n < count; i++) {
        throng_point at = {throng_random(1, i, 0, 0) * width, throng_random(1, i, 0, 1) * height};
        throng_point target = {throng_random(1, i, 0, 2) * width, throng_random(1, i, 0, 3) * height};
        if (throng_walls_depth(walls, at.x, at.y, 0.2) < 0.2) continue;
        if (throng_walls_depth(walls, target.x, target.y, 0.2) < 0.2) continue;
        walkers[n++] = (throng_walker){at, goal, target, 0.2, NULL, 0};
    }
}

static void time_making(const throng_walls *walls, const throng_goal_entry *goals, double cell) {
    throng_ground ground = {.walls = walls, .cell_wanted = cell, .nodes_wanted = 1e9};
    double begin = cpu_s();
    throng_ground_lay(&ground, 0.2, 0.2);
    double lay_s = cpu_s() - begin, best_s = INFINITY;
    size_t nodes = ground.lattice->count;
    throng_field field = {.def = {.goal = 1, .size = throng_ground_size(&ground, 0.2)}};
    throng_field_create(&field, nodes);
    throng_field_maker maker = {0};
    for (int run = 0; run < RUNS; run++) {
        begin = cpu_s();
        throng_field_make(&maker, &ground, goals, &field);
        best_s = fmin(best_s, cpu_s() - begin);
    }
    printf("cell %.2f m: %7zu nodes, ground %6.1f ms (%5.0f ms per million), field %6.1f ms (%5.0f ms per million)\n",
           cell, nodes, 1e3 * lay_s, 1e9 * lay_s / (double)nodes, 1e3 * best_s, 1e9 * best_s / (double)nodes);
    throng_field_maker_destroy(&maker);
    throng_field_destroy(&field);
    throng_ground_clear(&ground);
}

/* A door of the building closes: the ground and a field made anew, and mended. */
static void time_change(const throng_walls *open, const throng_walls *closed, const throng_goal_entry *goals,
                        const char *which) {
    throng_ground ground = {.walls = open, .cell_wanted = 0.25, .nodes_wanted = 1e9};
    throng_field_maker maker = {0};
    double full_s[2] = {INFINITY, INFINITY}, mended_s[2] = {INFINITY, INFINITY};
    size_t changed = 0, redone = 0;
    for (int run = 0; run < 3 * RUNS; run++) {
        ground.walls = closed;
        double begin = cpu_s();
        throng_ground_lay(&ground, 0.2, 0.2);
        full_s[0] = fmin(full_s[0], cpu_s() - begin);
        throng_field field = {.def = {.goal = 1, .size = throng_ground_size(&ground, 0.2)}};
        throng_field_create(&field, ground.lattice->count);
        begin = cpu_s();
        throng_field_make(&maker, &ground, goals, &field);
        full_s[1] = fmin(full_s[1], cpu_s() - begin);

        ground.walls = open;
        throng_ground_lay(&ground, 0.2, 0.2);
        throng_field_make(&maker, &ground, goals, &field);
        throng_node_list changes[THRONG_SIZES_MOST] = {{0}};
        bool wanted[THRONG_SIZES_MOST] = {false};
        wanted[field.def.size] = true;
        double radius = ground.sizes[field.def.size].radius;
        begin = cpu_s();
        if (!throng_ground_mend(&ground, closed, wanted, changes)) printf("not mended: ");
        mended_s[0] = fmin(mended_s[0], cpu_s() - begin);
        field.def.size = throng_ground_size_of(&ground, radius);
        throng_node_list *list = &changes[field.def.size];
        begin = cpu_s();
        throng_field_mend(&maker, &ground, goals, &field, list->nodes, list->count);
        mended_s[1] = fmin(mended_s[1], cpu_s() - begin);
        changed = list->count, redone = maker.march.redone_count;
        throng_release(list->nodes);
        throng_field_destroy(&field);
    }
    printf(
        "%s closes: ground %.2f ms anew, %.3f ms mended (1/%.0f; %zu nodes differ); field %.2f ms anew, "
        "%.3f ms mended (1/%.1f; %zu nodes had ways there); both 1/%.1f\n",
        which, 1e3 * full_s[0], 1e3 * mended_s[0], full_s[0] / mended_s[0], changed, 1e3 * full_s[1], 1e3 * mended_s[1],
        full_s[1] / mended_s[1], redone, (full_s[0] + full_s[1]) / (mended_s[0] + mended_s[1]));
    throng_field_maker_destroy(&maker);
    throng_ground_clear(&ground);
}

static void time_asking(const throng_place *place, const throng_walls *walls, const throng_goal_entry *goals,
                        throng_goal goal, size_t count, const char *what) {
    throng_crew *crew = throng_crew_create(1);
    throng_walker *walkers = throng_allocate(count * sizeof *walkers);
    fill(walls, throng_place_bounds(place), walkers, count, goal);
    throng_route *route =
        throng_route_create(&(throng_route_def){.planner = "flow-field", .place = place, .walls = walls, .crew = crew});
    double begin = cpu_s(), best_s = INFINITY, sum = 0;
    size_t lost = throng_route_prepare(route, goals, walkers, count);
    double prepare_s = cpu_s() - begin;
    for (int run = 0; run < RUNS; run++) {
        begin = cpu_s();
        for (size_t i = 0; i < count; i++) sum += throng_route_way(route, goals, &walkers[i]).direction.x;
        best_s = fmin(best_s, cpu_s() - begin);
    }
    printf("%-24s prepare %7.1f ms, way %5.0f ns each, %6.2f ms for all%s%s\n", what, 1e3 * prepare_s,
           1e9 * best_s / (double)count, 1e3 * best_s, lost == SIZE_MAX ? "" : ", somebody cannot get there",
           isnan(sum) ? ", not a number" : "");
    throng_route_destroy(route);
    throng_release(walkers);
    throng_crew_destroy(crew);
}

int main(int argc, char **argv) {
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    throng_place *places[PLACES] = {hall(), square(), building(-1), building(4), building(8)};
    throng_walls *walls[PLACES];
    for (int i = 0; i < PLACES; i++) walls[i] = throng_walls_create(places[i]);
    static const throng_point exit_ring[4] = {{119, 38}, {120, 38}, {120, 42}, {119, 42}};
    throng_goal_entry *goals = throng_allocate(3 * sizeof *goals);
    goals[1].def = (throng_goal_def){.kind = THRONG_GOAL_AREA, .name = "exit", .ring = {exit_ring, 4}};
    goals[1].bounds = (throng_box){{119, 38}, {120, 42}};
    goals[2].def = (throng_goal_def){.kind = THRONG_GOAL_OWN, .name = "", .radius = 0.5};

    time_making(walls[0], goals, 0.2);
    time_making(walls[0], goals, 0.1);
    time_making(walls[2], goals, 0.25);
    time_change(walls[2], walls[3], goals, "a door amid the building");
    time_change(walls[2], walls[4], goals, "a door in a corner of it");
    time_asking(places[0], walls[0], goals, 1, count, "hall, one exit");
    time_asking(places[0], walls[0], goals, 2, count, "hall, a target each");
    time_asking(places[1], walls[1], goals, 2, count, "square, a target each");

    throng_release(goals);
    for (int i = 0; i < PLACES; i++) {
        throng_walls_destroy(walls[i]);
        throng_place_destroy(places[i]);
    }
    return 0;
}
