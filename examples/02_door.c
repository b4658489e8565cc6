/* 02_door.c: thirty people leave a room through a door; the run is written to a file that PedPy and
 * JuPedSim open.
 *
 *     10 +-----------+----------+
 *        | o  o  o   |          |
 *        | o  o  o        goal  |    the door: 4.4 < y < 5.6
 *        | o  o  o   |          |
 *      0 +-----------+----------+
 *        0          10         14      */

#include <stdio.h>
#include <throng/throng.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static throng_place *make_place(throng_error *error) {
    static const throng_point floor[] = {{0, 0}, {14, 0}, {14, 10}, {0, 10}};
    static const throng_point below[] = {{10, 0}, {10.2, 0}, {10.2, 4.4}, {10, 4.4}};
    static const throng_point above[] = {{10, 5.6}, {10.2, 5.6}, {10.2, 10}, {10, 10}};
    const throng_obstacle walls[] = {{.kind = THRONG_POLYGON, .ring = {below, COUNT(below)}},
                                     {.kind = THRONG_POLYGON, .ring = {above, COUNT(above)}}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){floor, COUNT(floor)};
    def.obstacles = walls;
    def.obstacle_count = COUNT(walls);
    return throng_place_create(&def, error);
}

static throng_world *make_world(const throng_place *place, throng_error *error) {
    static const throng_point outside[] = {{13, 0}, {14, 0}, {14, 10}, {13, 10}};
    throng_world_def def = throng_default_world_def();
    def.place = place;
    throng_world *world = throng_world_create(&def, error);
    if (!world) return NULL;

    throng_goal_def there = throng_default_goal_def();
    there.kind = THRONG_GOAL_AREA;
    there.ring = (throng_ring){outside, COUNT(outside)};
    there.exit = true;
    throng_goal goal = throng_world_add_goal(world, &there);
    for (int i = 0; i < 30; i++) {
        throng_agent_def person = throng_default_agent_def();
        person.at = (throng_point){1 + i % 5, 2 + i / 5};
        person.journey = &goal;
        person.journey_count = 1;
        throng_world_add_agent(world, &person);
    }
    return world;
}

int main(int argc, char **argv) {
    throng_error error;
    throng_place *place = make_place(&error);
    throng_world *world = place ? make_world(place, &error) : NULL;
    if (!world || !throng_world_prepare(world, &error)) return fprintf(stderr, "%s\n", error.text), 1;

    throng_recorder_def def = throng_default_recorder_def();
    def.path = argc > 1 ? argv[1] : "door.sqlite";
    def.fps = 1 / throng_world_dt(world);
    throng_recorder *recorder = throng_recorder_create(&def, world, &error);
    bool written = recorder && throng_recorder_frame(recorder, world, &error);
    while (written && !throng_world_is_done(world) && throng_world_time(world) < 120) {
        throng_world_step(world);
        written = throng_recorder_frame(recorder, world, &error);
    }
    if (!recorder || !throng_recorder_close(recorder, &error)) return fprintf(stderr, "%s\n", error.text), 1;

    throng_stats stats = throng_world_stats(world);
    printf("%d people were out after %.1f s: %s\n", (int)stats.arrived, stats.last_arrival_s, def.path);
    throng_world_destroy(world);
    throng_place_destroy(place);
    return 0;
}
