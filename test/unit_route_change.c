/* Flow fields after changes: a ground and a wave that are mended are the same, bit for bit, as new ones. */

#include "base/memory.h"
#include "route/field.h"
#include "route_scene.h"

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

/* Whether the nodes of two grounds lie at the same places. */
static bool is_like(const throng_ground *a, const throng_ground *b) {
    const throng_lattice *p = a->lattice, *q = b->lattice;
    return p && q && p->columns == q->columns && p->rows == q->rows && p->origin_x == q->origin_x &&
           p->origin_y == q->origin_y && p->cell == q->cell;
}

static const uint8_t *open_of(const throng_ground *ground, size_t size) {
    return ground->sizes[size].open ? ground->sizes[size].open : ground->lattice->open;
}

/* The nodes that a wave for a size finds changed from one ground to another of the same nodes; returns how many. */
static size_t differences(const throng_ground *before, size_t size_before, const throng_ground *after,
                          size_t size_after, uint32_t **nodes, size_t *capacity) {
    const throng_lattice *p = before->lattice, *q = after->lattice;
    const uint8_t *open_p = open_of(before, size_before), *open_q = open_of(after, size_after);
    size_t count = 0;
    for (size_t i = 0; i < q->count; i++) {
        float slow_p = before->slow ? before->slow[i] : 1, slow_q = after->slow ? after->slow[i] : 1;
        if (open_p[i] == open_q[i] && p->clear[i] == q->clear[i] && p->room[i] == q->room[i] && slow_p == slow_q)
            continue;
        THRONG_GROW(*nodes, *capacity, count + 1);
        (*nodes)[count++] = (uint32_t)i;
    }
    return count;
}

static size_t mended, made;

static void change_once(scene *s, uint64_t seed, uint64_t *n, throng_goal goal, double radius) {
    throng_field_maker maker = {0}, other = {0};
    throng_walls *before_walls = walls_of(s);
    throng_ground before = {.walls = before_walls, .nodes_wanted = 6e5}, after = before;
    throng_ground_lay(&before, 0.1, 0.35);
    throng_field field = {.def = {.goal = goal, .size = throng_ground_size(&before, radius)}}, fresh = {0};
    throng_field_create(&field, before.lattice->count);
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
    if (size < SIZE_MAX && is_like(&before, &after)) {
        uint32_t *nodes = NULL;
        size_t capacity = 0;
        throng_ground_open(&after, size);
        size_t count = differences(&before, field.def.size, &after, size, &nodes, &capacity);
        field.def.size = size;
        throng_field_mend(&maker, &after, s->goals, &field, nodes, count);
        fresh.def = field.def;
        throng_field_create(&fresh, after.lattice->count);
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

/* --- how much is mended */

/* What it takes to mend the field of a goal at the right end of a hall after a bar before it has moved: nodes
 * that forget their way and times that one gets it, as parts of all. */
static void move_bar(double x, double low, double high, double *redone, double *settled) {
    scene *s = calloc(1, sizeof *s);
    throng_node_list changes[THRONG_SIZES_MOST] = {{0}};
    bool wanted[THRONG_SIZES_MOST];
    memset(wanted, true, sizeof wanted);
    walkable(s, 0, 0, 60, 0, 60, 30, 0, 30);
    block(s, x, low, x + 0.5, low, x + 0.5, high, x, high);
    throng_goal goal = area(s, 59, 14, 60, 14, 60, 16, 59, 16);
    throng_walls *walls = walls_of(s);
    throng_ground ground = {.walls = walls, .nodes_wanted = 6e5};
    throng_ground_lay(&ground, 0.2, 0.3);
    throng_field_maker maker = {0};
    throng_field field = {.def = {.goal = goal, .size = throng_ground_size(&ground, 0.25)}};
    throng_field_create(&field, ground.lattice->count);
    throng_field_make(&maker, &ground, s->goals, &field);
    for (int i = 0; i < 4; i++) s->corners[0][i].x += 0.2, s->corners[0][i].y += 0.03;
    throng_walls *after = walls_of(s);
    assert_true(throng_ground_mend(&ground, after, wanted, changes));
    throng_node_list *list = &changes[field.def.size];
    throng_field_mend(&maker, &ground, s->goals, &field, list->nodes, list->count);
    *redone = (double)maker.march.redone_count / (double)ground.lattice->count;
    *settled = (double)maker.march.settled / (double)ground.lattice->count;
    for (size_t i = 0; i < THRONG_SIZES_MOST; i++) throng_release(changes[i].nodes);
    throng_field_destroy(&field);
    throng_field_maker_destroy(&maker);
    throng_ground_clear(&ground);
    throng_walls_destroy(walls);
    throng_walls_destroy(after);
    free(s);
}

/* A bar moves in the midst of a hall: those behind it get a new way, once each, and nobody else. */
static void only_ways_around_a_bar_are_found_again(void **state) {
    (void)state;
    double redone, settled;
    move_bar(30, 12, 18, &redone, &settled);
    if (redone < 0.25 || redone > 0.45 || settled > 1.02 * redone)
        fail_msg("redone %g, settled %g of all", redone, settled);
    /* Before most people's goal: that is made anew, before more than half have forgotten their way. */
    move_bar(55, 2, 28, &redone, &settled);
    if (redone < 0.5 || redone > 0.51 || settled < 0.9 || settled > 1.05)
        fail_msg("redone %g, settled %g of all", redone, settled);
}

/* --- the ground */

/* A hall in which also large blocks and crossing walls come and go. */
static void alter_more(scene *s, uint64_t seed, uint64_t *n, int how) {
    double x = draw(seed, n, 0, 14), y = draw(seed, n, 0, 10), w = draw(seed, n, 2, 6), h = draw(seed, n, 2, 5);
    if (how % 7 == 3)
        block(s, x, y, x + w, y, x + w, y + h, x, y + h);
    else if (how % 7 == 5)
        thin_wall(s, x - 3, y, x + w, y + draw(seed, n, -6, 6));
    else
        alter(s, seed, n, how);
}

static void assert_same_lattice(const throng_lattice *a, const throng_lattice *b, uint64_t seed) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        if (a->open[i] == b->open[i] && memcmp(&a->clear[i], &b->clear[i], sizeof a->clear[i]) == 0 &&
            a->room[i] == b->room[i] && a->tight[i] == b->tight[i] && a->side[i] == b->side[i])
            continue;
        throng_point at = throng_lattice_node(a, i);
        fail_msg(
            "seed %d, node (%g, %g): open %02x and %02x, clear %.9g and %.9g, room %d and %d, tight %d and %d, side "
            "%d and %d",
            (int)seed, at.x, at.y, a->open[i], b->open[i], a->clear[i], b->clear[i], a->room[i], b->room[i],
            a->tight[i], b->tight[i], a->side[i], b->side[i]);
    }
}

static void assert_same_ground(throng_ground *ground, throng_ground *fresh, uint64_t seed) {
    assert_same_lattice(ground->lattice, fresh->lattice, seed);
    assert_int_equal(ground->gap_count, fresh->gap_count);
    if (fresh->gap_count > 0) assert_memory_equal(ground->gaps, fresh->gaps, fresh->gap_count * sizeof *fresh->gaps);
    assert_int_equal(ground->size_count, fresh->size_count);
    for (size_t i = 0; i < fresh->size_count; i++) {
        assert_true(ground->sizes[i].radius == fresh->sizes[i].radius);
        assert_int_equal(ground->sizes[i].gap_count, fresh->sizes[i].gap_count);
        assert_memory_equal(throng_ground_open(ground, i), throng_ground_open(fresh, i), fresh->lattice->count);
    }
}

static int by_number(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The nodes listed as changed are those in which the grounds differ. */
static void assert_same_changes(const throng_ground *before, throng_ground *fresh, throng_node_list *changes) {
    uint32_t *nodes = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < before->size_count; i++) {
        size_t size = throng_ground_size_of(fresh, before->sizes[i].radius);
        if (size == SIZE_MAX) continue;
        size_t count = differences(before, i, fresh, size, &nodes, &capacity);
        throng_node_list *list = &changes[size];
        assert_int_equal(list->count, count);
        if (count > 0) qsort(list->nodes, count, sizeof *list->nodes, by_number);
        if (count > 0) assert_memory_equal(list->nodes, nodes, count * sizeof *nodes);
        throng_release(list->nodes);
        *list = (throng_node_list){0};
    }
    throng_release(nodes);
}

static size_t grounds_mended, grounds_laid;

/* One ground goes through all changes; others are laid for each. */
static void change_ground_often(scene *s, uint64_t seed, uint64_t *n, double cell) {
    throng_walls *walls = walls_of(s);
    throng_ground ground = {.walls = walls, .cell_wanted = cell, .nodes_wanted = 6e5}, blank = ground;
    throng_node_list changes[THRONG_SIZES_MOST] = {{0}};
    bool wanted[THRONG_SIZES_MOST];
    memset(wanted, true, sizeof wanted);
    throng_ground_lay(&ground, 0.1, 0.35);
    for (int i = 0; i < 5; i++) {
        throng_ground before = blank, fresh = blank;
        before.walls = walls;
        throng_ground_lay(&before, 0.1, 0.35);
        alter_more(s, seed, n, (int)seed + i);
        throng_walls *after = walls_of(s);
        if (!after) break;
        fresh.walls = after;
        throng_ground_lay(&fresh, 0.1, 0.35);
        for (size_t k = 0; k < ground.size_count; k++) throng_ground_open(&ground, k);
        for (size_t k = 0; k < before.size_count; k++) throng_ground_open(&before, k);
        grounds_laid++;
        if (throng_ground_mend(&ground, after, wanted, changes)) {
            assert_same_ground(&ground, &fresh, seed);
            assert_same_changes(&before, &fresh, changes);
            grounds_mended++;
        } else {
            ground.walls = after;
            throng_ground_lay(&ground, 0.1, 0.35);
        }
        throng_ground_clear(&before);
        throng_ground_clear(&fresh);
        throng_walls_destroy(walls);
        walls = after;
    }
    throng_ground_clear(&ground);
    throng_walls_destroy(walls);
}

static void a_mended_ground_is_a_new_ground(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        scene *s = calloc(1, sizeof *s);
        uint64_t n = 0;
        s->turn = seed % 3 == 0 ? 0.1 * (double)seed : 0;
        furnish(s, seed, &n);
        if (seed % 5 == 0) s->border_count = 0; /* an open plane */
        change_ground_often(s, seed, &n, seed % 4 == 0 ? 0.13 : 0.3);
        free(s);
    }
    if (grounds_mended < 130) fail_msg("only %zu mended of %zu", grounds_mended, grounds_laid);
}

/* --- the planner */

/* Ways of a planner that has seen all changes are those of one that begins with the walls of now. */
static void changes_lead_nobody_elsewhere(void **state) {
    (void)state;
    throng_crew *crew = throng_crew_create(1);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        scene *s = calloc(1, sizeof *s);
        uint64_t n = 0;
        furnish(s, seed, &n);
        area(s, 15, 5, 16, 5, 16, 7, 15, 7);
        add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {draw(seed, &n, 1, 8), 6}, .radius = 0.5});
        throng_walker walkers[60];
        for (size_t i = 0; i < 60; i++)
            walkers[i] = (throng_walker){.at = {draw(seed, &n, 0.2, 15.8), draw(seed, &n, 0.2, 11.8)},
                                         .goal = (throng_goal)(1 + i % 2),
                                         .radius = draw(seed, &n, 0.1, 0.3)};
        throng_walls *walls = walls_of(s);
        throng_route_def def = {.planner = "flow-field", .walls = walls, .crew = crew};
        throng_route *route = throng_route_create(&def);
        throng_route_prepare(route, s->goals, walkers, 60);
        for (int k = 0; k < 4; k++) {
            alter_more(s, seed, &n, (int)seed + k);
            throng_walls *after = walls_of(s);
            if (!after) break;
            throng_route_change(route, NULL, after, (throng_box){{0, 0}, {16, 12}});
            throng_walls_destroy(walls);
            def.walls = walls = after;
            throng_route *fresh = throng_route_create(&def);
            throng_route_prepare(route, s->goals, walkers, 60);
            throng_route_prepare(fresh, s->goals, walkers, 60);
            for (size_t i = 0; i < 60; i++) {
                throng_way a = throng_route_way(route, s->goals, &walkers[i]);
                throng_way b = throng_route_way(fresh, s->goals, &walkers[i]);
                assert_true(a.direction.x == b.direction.x && a.direction.y == b.direction.y &&
                            a.distance == b.distance);
            }
            throng_route_destroy(fresh);
        }
        throng_route_destroy(route);
        throng_walls_destroy(walls);
        free(s);
    }
    throng_crew_destroy(crew);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mended_wave_is_a_new_wave),
        cmocka_unit_test(only_ways_around_a_bar_are_found_again),
        cmocka_unit_test(a_mended_ground_is_a_new_ground),
        cmocka_unit_test(changes_lead_nobody_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
