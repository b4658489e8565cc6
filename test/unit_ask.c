/* Questions to a world: each answer is compared with a slow oracle that looks at everybody and every wall, in open
 * places, among walls, across seams and in crowds large enough for rows to be out of order; and what makes no sense
 * finds nothing. */

#include "testing.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <throng/throng.h>

#include "changes_scene.h"
#include "dice.h"

static void run(throng_world *world, int steps) {
    for (int i = 0; i < steps; i++) throng_world_step(world);
}

enum { PEOPLE = 400, BLOCKS = 6, QUESTIONS = 300 };

typedef struct town {
    throng_world *world;
    throng_point corners[BLOCKS][4];
    throng_obstacle blocks[BLOCKS];
} town;

/* A square of 40 m with a few blocks in it, and people of several sizes between them. */
static town *make_town(bool wraps, bool walls) {
    town *t = throng_allocate(sizeof *t);
    dice d = {7};
    for (size_t i = 0; i < BLOCKS; i++) {
        double x = 4 + 12 * (double)(i % 3), y = 6 + 16 * (double)(i / 3);
        t->blocks[i] = box_obstacle(t->corners[i], "", x, y, x + dice_between(&d, 2, 7), y + dice_between(&d, 3, 9));
    }
    const throng_point area[] = {{0, 0}, {40, 0}, {40, 40}, {0, 40}};
    throng_place_def place_def = throng_default_place_def();
    if (walls && !wraps) place_def.walkable = (throng_ring){area, 4};
    place_def.obstacles = t->blocks;
    place_def.obstacle_count = walls ? BLOCKS : 0;
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.threads = 2;
    if (wraps) def.period = (throng_period){true, true, {0, 0}, {40, 40}};
    t->world = throng_world_create(&def, NULL);
    assert_non_null(t->world);
    throng_place_destroy(place);
    for (size_t added = 0; added < PEOPLE;) {
        throng_agent_def who = throng_default_agent_def();
        who.at = (throng_point){dice_between(&d, 0, 40), dice_between(&d, 0, 40)};
        who.radius = dice_between(&d, 0.1, 0.4);
        added += throng_world_add_agent(t->world, &who) != 0;
    }
    return t;
}

static void end(town *t) {
    throng_world_destroy(t->world);
    throng_release(t);
}

static throng_point apart(const town *t, throng_point a, throng_point b) {
    return throng_period_apart(&t->world->period, b.x - a.x, b.y - a.y);
}

/* ------------------------------------------------------------------ oracles */

static throng_agent slow_nearest(const town *t, throng_point at, double reach, throng_agent except) {
    throng_view v = throng_world_view(t->world);
    throng_agent found = 0;
    for (size_t i = 0; i < v.count; i++) {
        throng_point d = apart(t, at, (throng_point){v.x[i], v.y[i]});
        double far = hypot(d.x, d.y);
        if (v.id[i] == except || far > reach || (found && far >= reach)) continue;
        reach = far;
        found = v.id[i];
    }
    return found;
}

static bool slow_is_free(const town *t, throng_point at, double radius, throng_agent except) {
    throng_view v = throng_world_view(t->world);
    for (size_t i = 0; i < v.count; i++) {
        throng_point d = apart(t, at, (throng_point){v.x[i], v.y[i]});
        if (v.id[i] != except && hypot(d.x, d.y) < radius + v.radius[i]) return false;
    }
    throng_point in = throng_period_wrap(&t->world->period, at);
    return throng_walls_depth(t->world->walls, in.x, in.y, radius) >= radius;
}

/* Walks along a ray in steps of a centimetre. */
static double slow_ray(const town *t, throng_point from, throng_point to, int against, throng_agent except) {
    throng_view v = throng_world_view(t->world);
    double length = hypot(to.x - from.x, to.y - from.y), step = 0.01;
    throng_point last = from;
    for (double s = 0; s <= length; s += step) {
        throng_point at = {from.x + (to.x - from.x) * s / length, from.y + (to.y - from.y) * s / length};
        for (size_t i = 0; i < v.count && against & THRONG_HIT_PERSON; i++) {
            throng_point d = apart(t, at, (throng_point){v.x[i], v.y[i]});
            if (v.id[i] != except && hypot(d.x, d.y) < v.radius[i]) return s;
        }
        if (against & THRONG_HIT_WALL && s > 0 && throng_walls_block(t->world->walls, last, at, 0)) return s;
        last = at;
    }
    return INFINITY;
}

/* ------------------------------------------------------------------ people */

static void ask_of_people(town *t, dice *d) {
    const throng_ask *ask = throng_world_ask(t->world);
    throng_view v = throng_world_view(t->world);
    for (int q = 0; q < QUESTIONS; q++) {
        throng_point at = {dice_between(d, -5, 45), dice_between(d, -5, 45)};
        if (q % 10 == 0) at = (throng_point){dice_between(d, -900, 900), dice_between(d, -900, 900)};
        double reach = q % 3 == 0 ? INFINITY : dice_between(d, 0, 12), distance = -1;
        throng_agent except = q % 2 ? v.id[(size_t)dice_between(d, 0, (double)v.count)] : 0;
        if (except && q % 4 == 1) at = (throng_point){v.x[throng_world_row(t->world, except)], at.y};
        throng_agent found = throng_ask_nearest(ask, at, reach, except, &distance);
        if (found != slow_nearest(t, at, reach, except)) fail_msg("question %d: %d is not nearest", q, (int)found);
        if (found) assert_true(distance >= 0 && distance <= reach);

        throng_agent here[PEOPLE];
        size_t count = throng_ask_disc(ask, at, reach, here, PEOPLE), next = 0;
        for (size_t i = 0; i < v.count; i++) {
            throng_point far = apart(t, at, (throng_point){v.x[i], v.y[i]});
            if (hypot(far.x, far.y) > reach) continue;
            assert_true(next < count && here[next++] == v.id[i]);
        }
        assert_int_equal(next, count);
        double radius = dice_between(d, 0, 1);
        assert_int_equal(throng_ask_is_free(ask, at, radius, except), slow_is_free(t, at, radius, except));
    }
}

static void those_near_are_found(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        dice d = {11};
        town *t = make_town(kind & 1, kind & 2);
        ask_of_people(t, &d);
        run(t->world, 5); /* the same question after people have moved */
        ask_of_people(t, &d);
        end(t);
    }
}

static void those_in_a_polygon_are_found(void **state) {
    (void)state;
    town *t = make_town(false, true);
    throng_view v = throng_world_view(t->world);
    const throng_ask *ask = throng_world_ask(t->world);
    const throng_point star[] = {{5, 5}, {35, 8}, {20, 15}, {30, 38}, {12, 20}};
    throng_agent found[PEOPLE];
    size_t count = throng_ask_polygon(ask, (throng_ring){star, 5}, found, PEOPLE), next = 0;
    for (size_t i = 0; i < v.count; i++) {
        if (!throng_ring_contains((throng_ring){star, 5}, v.x[i], v.y[i])) continue;
        assert_true(next < count && found[next++] == v.id[i]);
    }
    assert_true(next == count && count > 20);
    throng_agent few[3];
    assert_int_equal(throng_ask_polygon(ask, (throng_ring){star, 5}, few, 3), count);
    assert_true(few[0] < few[1] && few[1] < few[2]);
    end(t);
}

/* From 8192 people on rows are in another order than ids. */
static void rows_of_large_crowds_do_not_matter(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.model = "none";
    def.check = false;
    town t = {.world = throng_world_create(&def, NULL)};
    dice d = {3};
    for (size_t i = 0; i < 9000; i++) {
        throng_agent_def who = throng_default_agent_def();
        who.at = (throng_point){dice_between(&d, 0, 100), dice_between(&d, 0, 100)};
        throng_world_add_agent(t.world, &who);
    }
    run(t.world, 1);
    assert_true(t.world->agents.shuffled);
    const throng_ask *ask = throng_world_ask(t.world);
    for (int q = 0; q < 50; q++) {
        throng_point at = {dice_between(&d, 0, 100), dice_between(&d, 0, 100)};
        assert_true(throng_ask_nearest(ask, at, INFINITY, 0, NULL) == slow_nearest(&t, at, INFINITY, 0));
    }
    throng_world_destroy(t.world);
}

/* ------------------------------------------------------------------ rays */

static void rays_meet_what_is_first(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        dice d = {5};
        town *t = make_town(kind & 1, kind & 2);
        const throng_ask *ask = throng_world_ask(t->world);
        int met[3] = {0};
        for (int q = 0; q < 120; q++) {
            throng_point from = {dice_between(&d, 0, 40), dice_between(&d, 0, 40)},
                         to = {dice_between(&d, 0, 40), dice_between(&d, 0, 40)};
            int against = q % 3 + 1;
            throng_agent except = q % 4 ? 0 : throng_ask_nearest(ask, from, INFINITY, 0, NULL);
            throng_hit hit = throng_ask_ray(ask, from, to, against, except);
            double slow = slow_ray(t, from, to, against, except);
            met[hit.kind]++;
            if (hit.kind == THRONG_HIT_NOTHING) assert_true(isinf(slow) && hit.at.x == to.x && hit.agent == 0);
            if (hit.kind == THRONG_HIT_NOTHING) continue;
            /* who is only grazed falls between two steps of the oracle */
            if (!(hit.distance <= slow && (slow - hit.distance < 0.02 || hit.kind == THRONG_HIT_PERSON)))
                fail_msg("ray %d: met after %g m, and by the oracle after %g", q, hit.distance, slow);
            assert_near(hypot(hit.at.x - from.x, hit.at.y - from.y), hit.distance, 1e-9);
            assert_true((hit.agent != 0) == (hit.kind == THRONG_HIT_PERSON));
            if (hit.distance > 0) assert_near(hypot(hit.normal.x, hit.normal.y), 1, 1e-9);
            throng_point along = {to.x - from.x, to.y - from.y};
            assert_true(hit.distance == 0 || hit.normal.x * along.x + hit.normal.y * along.y <= 1e-9);
        }
        assert_true(met[THRONG_HIT_PERSON] > 20 && (met[THRONG_HIT_WALL] > 10 || !(kind & 2)));
        end(t);
    }
}

/* A ray of 200 km costs no more than the part of it where anything is. */
static void rays_may_be_long(void **state) {
    (void)state;
    town *t = make_town(false, true);
    const throng_ask *ask = throng_world_ask(t->world);
    throng_hit hit = throng_ask_ray(ask, (throng_point){-1e5, 20}, (throng_point){1e5, 20}, THRONG_HIT_WALL, 0);
    assert_int_equal(hit.kind, THRONG_HIT_WALL);
    assert_near(hit.at.x, 0, 1e-6);
    assert_near(hit.normal.x, -1, 1e-12);
    hit = throng_ask_ray(ask, (throng_point){-1e5, 70}, (throng_point){1e5, 70}, 3, 0);
    assert_int_equal(hit.kind, THRONG_HIT_NOTHING);
    assert_near(hit.distance, 2e5, 0);
    end(t);
}

/* ------------------------------------------------------------------ density */

static void density_counts_the_floor_alone(void **state) {
    (void)state;
    throng_world *world = make_room(20, 20, NULL, 0, 1);
    add_people(world, 0.5, 0.5, 20, 20, 1, 0);
    const throng_ask *ask = throng_world_ask(world);
    assert_near(throng_ask_density(ask, (throng_point){10, 10}, 5), 1, 0.03);
    assert_near(throng_ask_density(ask, (throng_point){10, 0.001}, 5), 1, 0.06); /* half of the disc is floor */
    assert_near(throng_ask_density(ask, (throng_point){0.001, 0.001}, 5), 1, 0.06);
    assert_true(isnan(throng_ask_density(ask, (throng_point){50, 50}, 5)));
    assert_true(isnan(throng_ask_density(ask, (throng_point){10, 10}, 0)));
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ ways */

static double length_of(const throng_point *p, size_t count) {
    double length = 0;
    for (size_t i = 1; i < count; i++) length += hypot(p[i].x - p[i - 1].x, p[i].y - p[i - 1].y);
    return length;
}

/* The shortest way of a point among the blocks, over their corners: every pair that sees each other (Floyd). */
static double slow_way(const town *t, throng_point from, throng_point to) {
    enum { NODES = 4 * BLOCKS + 2 };
    throng_point at[NODES];
    double way[NODES][NODES];
    for (size_t i = 0; i < 4 * BLOCKS; i++) {
        throng_point corner = t->corners[i / 4][i % 4], low = t->corners[i / 4][0], high = t->corners[i / 4][2];
        const double off = 1e-3; /* m, so that sight is clear */
        at[i] = (throng_point){corner.x + (corner.x > (low.x + high.x) / 2 ? off : -off),
                               corner.y + (corner.y > (low.y + high.y) / 2 ? off : -off)};
    }
    at[NODES - 2] = from;
    at[NODES - 1] = to;
    for (size_t i = 0; i < NODES; i++)
        for (size_t k = 0; k < NODES; k++)
            way[i][k] = throng_walls_block(t->world->walls, at[i], at[k], 0)
                            ? INFINITY
                            : hypot(at[i].x - at[k].x, at[i].y - at[k].y);
    for (size_t m = 0; m < NODES; m++)
        for (size_t i = 0; i < NODES; i++)
            for (size_t k = 0; k < NODES; k++) way[i][k] = fmin(way[i][k], way[i][m] + way[m][k]);
    return way[NODES - 2][NODES - 1];
}

static void ways_are_the_shortest(void **state) {
    (void)state;
    town *t = make_town(false, true);
    const throng_ask *ask = throng_world_ask(t->world);
    uint64_t digest = throng_world_digest(t->world);
    dice d = {9};
    size_t bent = 0;
    for (int q = 0; q < 60; q++) {
        throng_point from = {dice_between(&d, 1, 39), dice_between(&d, 1, 39)},
                     to = {dice_between(&d, 1, 39), dice_between(&d, 1, 39)}, way[100];
        double radius = q % 2 ? 0.01 : 0.3;
        size_t count = throng_ask_path(ask, from, to, radius, way, 100);
        if (throng_walls_depth(t->world->walls, from.x, from.y, 1) < radius ||
            throng_walls_depth(t->world->walls, to.x, to.y, 1) < radius)
            continue;
        assert_true(count >= 2 && count <= 100);
        assert_true(way[0].x == from.x && way[0].y == from.y && way[count - 1].x == to.x && way[count - 1].y == to.y);
        for (size_t i = 1; i < count; i++)
            assert_false(throng_walls_block(t->world->walls, way[i - 1], way[i], 0.95 * radius));
        double length = length_of(way, count), least = slow_way(t, from, to);
        if (!(length >= least - 0.01 && length <= least + (q % 2 ? 0.05 : 0.7)))
            fail_msg("question %d: a way of %g m, the shortest of a point has %g", q, length, least);
        bent += count > 2;
    }
    assert_true(bent > 20);
    assert_true(throng_world_digest(t->world) == digest);
    end(t);
}

static void ways_to_goals(void **state) {
    (void)state;
    const throng_point wall[] = {{10, 0}, {10, 8}};
    const throng_obstacle thin = {.kind = THRONG_LINE, .ring = {wall, 2}, .id = "wall"};
    throng_world *world = make_room(20, 10, &thin, 1, 1);
    throng_goal east = add_area(world, "east", 18, 0, 20, 2, true), west = add_area(world, "west", 0, 0, 1, 1, true);
    throng_goal_def any = {.kind = THRONG_GOAL_ANY, .name = "any", .any = (throng_goal[]){east, west}, .any_count = 2};
    throng_goal both = throng_world_add_goal(world, &any);
    throng_goal_def direction = {.kind = THRONG_GOAL_DIRECTION, .name = "on", .point = {1, 0}};
    throng_goal on = throng_world_add_goal(world, &direction);
    throng_point from = {9, 1}, way[50];
    const throng_ask *ask = throng_world_ask(world);
    double around = hypot(1, 7) + hypot(8, 6);
    assert_near(throng_ask_distance(ask, from, east, 0.2), around, 0.6);
    assert_near(throng_ask_distance(ask, from, both, 0.2), 8, 0.01);
    assert_near(throng_ask_distance(ask, (throng_point){19, 1}, east, 0.2), 0, 0);
    size_t count = throng_ask_path_to_goal(ask, from, east, 0.2, way, 50);
    assert_true(count > 2 && way[count - 1].x >= 18 - 1e-6 && way[count - 1].y <= 2.2);
    assert_near(length_of(way, count), around, 0.6);
    assert_true(isnan(throng_ask_distance(ask, from, on, 0.2)));
    assert_int_equal(throng_ask_path_to_goal(ask, from, on, 0.2, way, 50), 0);
    assert_int_equal(throng_ask_path_to_goal(ask, (throng_point){19, 1}, east, 0.2, way, 50), 1);

    /* around the end of the wall as a disc of 0.8 m goes: two tangents and an arc of 77.7 degrees */
    count = throng_ask_path(ask, (throng_point){5, 5}, (throng_point){15, 5}, 0.8, way, 50);
    double shortest = 2 * sqrt(34 - 0.64) + 0.8 * 1.3561;
    assert_in_range(count, 4, 20);
    assert_near(length_of(way, count), shortest, 0.3);

    /* what is 3 m wide does not fit through the gap of 2 m */
    assert_true(isinf(throng_ask_distance(ask, (throng_point){5, 5}, east, 1.5)));
    assert_int_equal(throng_ask_path(ask, (throng_point){5, 5}, (throng_point){15, 5}, 1.5, way, 50), 0);

    /* closed, opened again, and without the wall */
    assert_true(throng_world_close_goal(world, west));
    ask = throng_world_ask(world);
    assert_near(throng_ask_distance(ask, from, both, 0.2), around, 0.6);
    assert_true(isinf(throng_ask_distance(ask, from, west, 0.2)));
    assert_true(throng_world_open_goal(world, west));
    assert_true(throng_world_remove_obstacle(world, "wall"));
    ask = throng_world_ask(world);
    assert_near(throng_ask_distance(ask, from, east, 0.2), 9, 0.01);
    assert_near(throng_ask_distance(ask, from, west, 0.2), 8, 0.01);
    throng_world_destroy(world);
}

static void ways_lead_across_seams(void **state) {
    (void)state;
    town *t = make_town(true, false);
    throng_point way[20];
    size_t count =
        throng_ask_path(throng_world_ask(t->world), (throng_point){1, 20}, (throng_point){39, 20}, 0.2, way, 20);
    assert_int_equal(count, 2);
    assert_near(way[0].x, 1, 0);
    assert_near(way[1].x, -1, 1e-9);
    end(t);
}

/* ------------------------------------------------------------------ bad input */

static void nonsense_finds_nothing(void **state) {
    (void)state;
    town *t = make_town(false, true);
    throng_goal east = add_area(t->world, "east", 38, 0, 40, 2, true);
    const throng_ask *ask = throng_world_ask(t->world);
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e9};
    throng_agent who[4];
    throng_point out[4], good = {20, 2};
    for (size_t i = 0; i < 8; i++) {
        throng_point at = i < 4 ? (throng_point){bad[i], 5} : (throng_point){5, bad[i - 4]};
        const throng_point ring[] = {{0, 0}, {40, 0}, at};
        assert_true(throng_ask_nearest(ask, at, INFINITY, 0, NULL) == 0);
        assert_int_equal(throng_ask_disc(ask, at, 5, who, 4), 0);
        assert_int_equal(throng_ask_polygon(ask, (throng_ring){ring, 3}, who, 4), 0);
        assert_int_equal(throng_ask_ray(ask, at, good, 3, 0).kind, THRONG_HIT_NOTHING);
        assert_int_equal(throng_ask_ray(ask, good, at, 3, 0).kind, THRONG_HIT_NOTHING);
        assert_false(throng_ask_is_free(ask, at, 0.1, 0));
        assert_true(isnan(throng_ask_density(ask, at, 1)));
        assert_int_equal(throng_ask_path(ask, at, good, 0.2, out, 4), 0);
        assert_int_equal(throng_ask_path(ask, good, at, 0.2, out, 4), 0);
        assert_true(isnan(throng_ask_distance(ask, at, east, 0.2)));
    }
    const double no_reach[] = {NAN, -1};
    for (size_t i = 0; i < 2; i++) {
        assert_true(throng_ask_nearest(ask, good, no_reach[i], 0, NULL) == 0);
        assert_int_equal(throng_ask_disc(ask, good, no_reach[i], who, 4), 0);
        assert_false(throng_ask_is_free(ask, good, no_reach[i], 0));
        assert_true(isnan(throng_ask_density(ask, good, no_reach[i])));
        assert_true(isnan(throng_ask_distance(ask, good, east, no_reach[i])));
    }
    throng_point in_block = {5, 7}, outside = {-3, 5};
    assert_int_equal(throng_ask_path(ask, good, in_block, 0.2, out, 4), 0);
    assert_int_equal(throng_ask_path(ask, outside, good, 0.2, out, 4), 0);
    assert_true(isnan(throng_ask_distance(ask, good, 0, 0.2)) && isnan(throng_ask_distance(ask, good, 99, 0.2)));
    assert_true(isnan(throng_ask_distance(ask, in_block, east, 0.2)));
    assert_int_equal(throng_ask_polygon(ask, (throng_ring){NULL, 3}, who, 4), 0);
    assert_int_equal(throng_ask_polygon(ask, (throng_ring){out, 2}, who, 4), 0);
    throng_hit still = throng_ask_ray(ask, good, good, THRONG_HIT_WALL, 0); /* a ray without length */
    assert_true(still.kind == THRONG_HIT_NOTHING && still.distance == 0);
    end(t);
}

static void an_empty_world_has_answers(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    throng_world *world = throng_world_create(&def, NULL);
    const throng_ask *ask = throng_world_ask(world);
    throng_point at = {3, 4}, to = {6, 8}, way[3];
    assert_true(throng_ask_nearest(ask, at, INFINITY, 0, NULL) == 0);
    assert_true(throng_ask_is_free(ask, at, 1, 0));
    assert_int_equal(throng_ask_ray(ask, at, to, 3, 0).kind, THRONG_HIT_NOTHING);
    assert_near(throng_ask_density(ask, at, 1), 0, 0);
    assert_int_equal(throng_ask_path(ask, at, to, 0.2, way, 3), 2);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ threads */

enum { THREADS = 4, EACH = 40 };

typedef struct asker {
    const throng_ask *ask;
    uint64_t sum;
} asker;

static void *ask_much(void *context) {
    asker *a = context;
    dice d = {21};
    for (int q = 0; q < EACH; q++) {
        throng_point from = {dice_between(&d, 1, 39), dice_between(&d, 1, 39)},
                     to = {dice_between(&d, 1, 39), dice_between(&d, 1, 39)}, way[100];
        a->sum = throng_mix(a->sum + throng_ask_nearest(a->ask, from, INFINITY, 0, NULL));
        a->sum = throng_mix(a->sum + throng_ask_ray(a->ask, from, to, 3, 0).agent);
        a->sum = throng_mix(a->sum + throng_ask_disc(a->ask, from, 4, NULL, 0));
        a->sum = throng_mix(a->sum + throng_ask_path(a->ask, from, to, 0.2, way, 100));
    }
    return NULL;
}

static void threads_may_ask(void **state) {
    (void)state;
    town *t = make_town(false, true);
    asker alone = {.ask = throng_world_ask(t->world)}, many[THREADS];
    pthread_t threads[THREADS];
    ask_much(&alone);
    for (int i = 0; i < THREADS; i++) {
        many[i] = (asker){.ask = alone.ask};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_much, &many[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(many[i].sum == alone.sum);
    }
    end(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_near_are_found),
        cmocka_unit_test(those_in_a_polygon_are_found),
        cmocka_unit_test(rows_of_large_crowds_do_not_matter),
        cmocka_unit_test(rays_meet_what_is_first),
        cmocka_unit_test(rays_may_be_long),
        cmocka_unit_test(density_counts_the_floor_alone),
        cmocka_unit_test(ways_are_the_shortest),
        cmocka_unit_test(ways_to_goals),
        cmocka_unit_test(ways_lead_across_seams),
        cmocka_unit_test(nonsense_finds_nothing),
        cmocka_unit_test(an_empty_world_has_answers),
        cmocka_unit_test(threads_may_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
