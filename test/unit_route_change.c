/* Flow fields after changes: a wave that is mended is the same, bit for bit, as a new one. */

#include "route/field.h"
#include "route_scene.h"
#include "world/memory.h"

static double draw(uint64_t seed, uint64_t *n, double low, double high) {
    return low + (high - low) * throng_random(seed, (*n)++, 0, 0);
}

/* A hall of 16 m x 12 m with blocks and thin walls in it. */
static void furnish(scene *s, uint64_t seed, uint64_t *n) {
    walkable(s, 0, 0, 16, 0, 16, 12, 0, 12);
    for (int i = 0; i < 14; i++) {
        double x = draw(seed, n, 0, 15), y = draw(seed, n, 0, 11);
        double w = draw(seed, n, 0.2, 3), h = draw(seed, n, 0.2, 1.5);
        if (i % 3 == 0)
            thin_wall(s, x, y, x + w, y + draw(seed, n, -3, 3));
        else
            block(s, x, y, x + w, y, x + w, y + h, x, y + h);
    }
}

static throng_walls *walls_of(const scene *s) {
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){s->border, s->border_count};
    def.obstacles = s->obstacles;
    def.obstacle_count = s->obstacle_count;
    throng_error error;
    throng_place *place = throng_place_create(&def, &error);
    if (!place) return NULL;
    throng_walls *walls = throng_walls_create(place);
    throng_place_destroy(place);
    return walls;
}

/* Something else about the hall; what it is depends on `how`. */
static void alter(scene *s, uint64_t seed, uint64_t *n, int how) {
    size_t k = (size_t)draw(seed, n, 0, (double)s->obstacle_count - 0.5);
    throng_point *corners = s->corners[k], by = {draw(seed, n, -1, 1), draw(seed, n, -1, 1)};
    switch (how % 3) {
        case 0: /* one goes */
            s->obstacles[k] = s->obstacles[--s->obstacle_count];
            break;
        case 1: /* one moves */
            for (size_t i = 0; i < s->obstacles[k].ring.count; i++) corners[i].x += by.x, corners[i].y += by.y;
            break;
        default: { /* one comes */
            double x = draw(seed, n, 0, 15), y = draw(seed, n, 0, 11);
            block(s, x, y, x + 1, y, x + 1, y + 0.3, x, y + 0.3);
        }
    }
}

static void assert_same_wave(const throng_wave *a, const throng_wave *b, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&a->cost[i], &b->cost[i], sizeof *a->cost) != 0 || a->through[i] != b->through[i] ||
            memcmp(&a->nodes[i], &b->nodes[i], sizeof *a->nodes) != 0)
            fail_msg("seed %d, node %zu: cost %.9g and %.9g, length %.9g and %.9g, through %d and %d, room %d and %d",
                     (int)seed, i, a->cost[i], b->cost[i], a->nodes[i].value, b->nodes[i].value, a->through[i],
                     b->through[i], a->nodes[i].room, b->nodes[i].room);
    }
}

static size_t mended, made;

static void change_once(scene *s, uint64_t seed, uint64_t *n, throng_goal goal, double radius) {
    throng_field_maker maker = {0}, other = {0};
    throng_walls *before_walls = walls_of(s);
    throng_ground before = {.walls = before_walls, .nodes_wanted = 6e5}, after = before;
    throng_ground_lay(&before, 0.1, 0.35);
    throng_field field = {.def = {.goal = goal, .size = throng_ground_size(&before, radius)}}, fresh = {0};
    throng_field_create(&field, before.lattice->count, false);
    throng_field_make(&maker, &before, s->goals, &field);

    alter(s, seed, n, (int)seed);
    if (seed % 4 == 0) s->goals[1].closed = !s->goals[1].closed;
    throng_walls *after_walls = walls_of(s);
    after.walls = after_walls;
    throng_ground_lay(&after, 0.1, 0.35);
    size_t size = SIZE_MAX;
    for (size_t i = 0; i < after.size_count; i++) {
        if (after.sizes[i].radius == before.sizes[field.def.size].radius) size = i;
    }
    if (size < SIZE_MAX && throng_ground_is_like(&before, &after)) {
        uint32_t *nodes = NULL;
        size_t capacity = 0;
        throng_ground_open(&after, size);
        size_t count = throng_ground_differences(&before, field.def.size, &after, size, &nodes, &capacity);
        field.def.size = size;
        throng_field_mend(&maker, &after, s->goals, &field, nodes, count);
        fresh.def = field.def;
        throng_field_create(&fresh, after.lattice->count, false);
        throng_field_make(&other, &after, s->goals, &fresh);
        assert_same_wave(&field.wave, &fresh.wave, after.lattice->count, seed);
        assert_true(field.members == fresh.members);
        mended += maker.march.redone_count > 0 && (double)maker.march.redone_count < 0.2 * (double)after.lattice->count;
        made++;
        throng_field_destroy(&fresh);
        throng_release(nodes);
    }
    throng_field_destroy(&field);
    throng_ground_clear(&before);
    throng_ground_clear(&after);
    throng_field_maker_destroy(&maker);
    throng_field_maker_destroy(&other);
    throng_walls_destroy(before_walls);
    throng_walls_destroy(after_walls);
}

static void a_mended_wave_is_a_new_wave(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        scene *s = calloc(1, sizeof *s);
        uint64_t n = 0;
        furnish(s, seed, &n);
        area(s, 15, 5, 16, 5, 16, 7, 15, 7);
        throng_goal far = add_goal(
            s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {draw(seed, &n, 1, 8), 6}, .radius = 0.5});
        throng_goal members[] = {1, far};
        throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
        double radius = draw(seed, &n, 0.12, 0.3);
        for (int i = 0; i < 3; i++) change_once(s, seed, &n, i == 0 ? 1 : any, radius);
        free(s);
    }
    if (mended < 100 || made < 350) fail_msg("only %zu mended of %zu", mended, made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mended_wave_is_a_new_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
