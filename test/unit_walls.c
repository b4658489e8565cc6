/* Walls: their columns, and every question compared with a slow answer that looks at all of them. */

#include <stdlib.h>
#include <string.h>

#include "space/orient.h"
#include "space/place.h"
#include "space/walls.h"
#include "testing.h"

/* ---- places made by hand, already oriented */

typedef struct scene {
    throng_place place;
    throng_ring rings[64], lines[16];
    throng_point points[8192];
} scene;

static scene *scene_create(bool open) {
    scene *s = calloc(1, sizeof *s);
    s->place.open = open;
    s->place.rings = s->rings;
    s->place.lines = s->lines;
    s->place.points = s->points;
    return s;
}

static throng_ring store(scene *s, const throng_point *points, size_t count) {
    throng_point *copy = s->points + s->place.point_count;
    memcpy(copy, points, count * sizeof *points);
    s->place.point_count += count;
    return (throng_ring){copy, count};
}

static void add_ring(scene *s, const throng_point *points, size_t count) {
    s->rings[s->place.ring_count++] = store(s, points, count);
}

static void add_line(scene *s, const throng_point *points, size_t count) {
    s->lines[s->place.line_count++] = store(s, points, count);
}

static void add_room(scene *s, double low, double high) {
    add_ring(s, (throng_point[]){{low, low}, {high, low}, {high, high}, {low, high}}, 4);
}

static void add_block(scene *s, double x, double y, double size) {
    add_ring(s, (throng_point[]){{x, y}, {x, y + size}, {x + size, y + size}, {x + size, y}}, 4);
}

/* ---- random places */

static uint64_t dice = 1;

static double draw(double low, double high) { return low + (high - low) * throng_random(7, dice++, 0, 0); }

/* A jagged ring around a centre; clockwise ones are obstacles. */
static void add_jagged(scene *s, throng_point centre, double radius, size_t count, bool clockwise) {
    throng_point points[512];
    double turn = draw(0, 6);
    for (size_t i = 0; i < count; i++) {
        double angle = turn + (clockwise ? -1 : 1) * 6.283185307179586 * (double)i / (double)count;
        double r = radius * draw(0.5, 1);
        points[i] = (throng_point){centre.x + r * cos(angle), centre.y + r * sin(angle)};
    }
    add_ring(s, points, count);
}

static scene *random_scene(double offset, bool open) {
    scene *s = scene_create(open);
    throng_point middle = {offset, -offset};
    if (!open) add_jagged(s, middle, 20, 10 + (size_t)draw(0, 300), false);
    /* Obstacles on a lattice within the room, so that they never meet. */
    for (int i = -1; i <= 1; i++) {
        for (int j = -1; j <= 1; j++) {
            throng_point at = {middle.x + 3.5 * i, middle.y + 3.5 * j};
            if (draw(0, 1) < 0.7) add_jagged(s, at, draw(0.2, 1.7), 3 + (size_t)draw(0, 30), true);
        }
    }
    for (int i = 0; i < 3; i++) {
        throng_point chain[6];
        size_t count = 2 + (size_t)draw(0, 4);
        for (size_t p = 0; p < count; p++) {
            chain[p] = (throng_point){middle.x + 1.75 + draw(-0.05, 0.05), middle.y + draw(-5, 5)};
        }
        add_line(s, chain, count);
    }
    return s;
}

/* ---- slow answers */

static double distance_to(const throng_walls *w, uint32_t k, double x, double y) {
    double ax = w->x[k], ay = w->y[k], bx = w->x[w->next[k]], by = w->y[w->next[k]];
    double dx = bx - ax, dy = by - ay, t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - (ax + t * dx), y - (ay + t * dy));
}

static bool inside_slowly(const throng_place *place, double x, double y) {
    bool inside = place->open;
    for (size_t r = 0; r < place->ring_count; r++) {
        throng_ring ring = place->rings[r];
        for (size_t i = 0, j = ring.count - 1; i < ring.count; j = i++) {
            throng_point a = ring.points[i], b = ring.points[j];
            if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) inside = !inside;
        }
    }
    return inside;
}

static double depth_slowly(const throng_walls *w, const throng_place *place, double x, double y, double reach) {
    double distance = reach;
    for (uint32_t k = 0; k < w->count; k++) distance = fmin(distance, distance_to(w, k, x, y));
    return inside_slowly(place, x, y) ? distance : -distance;
}

/* Distance between two straight pieces, by the ends and by whether they cross. */
static double gap_slowly(const throng_walls *w, uint32_t k, throng_point from, throng_point to) {
    throng_point a = {w->x[k], w->y[k]}, b = {w->x[w->next[k]], w->y[w->next[k]]};
    if (throng_turn(a, b, from) * throng_turn(a, b, to) < 0 &&
        throng_turn(from, to, a) * throng_turn(from, to, b) < 0) {
        return 0;
    }
    double gap = fmin(distance_to(w, k, from.x, from.y), distance_to(w, k, to.x, to.y));
    for (int end = 0; end < 2; end++) {
        throng_point p = end ? b : a;
        double dx = to.x - from.x, dy = to.y - from.y;
        double t = ((p.x - from.x) * dx + (p.y - from.y) * dy) / (dx * dx + dy * dy);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        gap = fmin(gap, hypot(p.x - (from.x + t * dx), p.y - (from.y + t * dy)));
    }
    return gap;
}

/* ---- tests */

static void columns_of_a_room_with_a_block_and_a_thin_wall(void **state) {
    (void)state;
    scene *s = scene_create(false);
    add_room(s, 0, 10);
    add_block(s, 4, 4, 2);
    add_line(s, (throng_point[]){{1, 1}, {2, 1}, {2, 2}}, 3);
    throng_walls *w = throng_walls_create(&s->place);
    assert_int_equal(w->count, 4 + 4 + 4);
    for (uint32_t k = 0; k < w->count; k++) {
        assert_int_equal(w->previous[w->next[k]], k);
        assert_int_equal(w->thin[k], k >= 8);
        assert_near(w->x[k] + w->along_x[k] * w->length[k], w->x[w->next[k]], 1e-12);
        assert_near(w->y[k] + w->along_y[k] * w->length[k], w->y[w->next[k]], 1e-12);
    }
    /* Corners of the room do not stick out, those of the block do. */
    for (int k = 0; k < 4; k++) assert_false(w->convex[k]);
    for (int k = 4; k < 8; k++) assert_true(w->convex[k]);
    /* The thin wall goes there, turning left inside its angle, and comes back around the outside. */
    assert_true(w->convex[8]);
    assert_false(w->convex[9]);
    assert_true(w->convex[10]);
    assert_true(w->convex[11]);
    assert_int_equal(w->next[11], 8);
    throng_walls_destroy(w);
    free(s);
}

static void straight_corners_count_as_convex(void **state) {
    (void)state;
    scene *s = scene_create(false);
    add_ring(s, (throng_point[]){{0, 0}, {0.1, 0.3}, {0.2, 0.6}, {-5, 8}, {-5, 0}}, 5);
    throng_walls *w = throng_walls_create(&s->place);
    assert_true(w->convex[1]);
    assert_false(w->convex[3]);
    throng_walls_destroy(w);
    free(s);
}

static void a_closed_thin_wall_has_two_rings(void **state) {
    (void)state;
    scene *s = scene_create(true);
    add_line(s, (throng_point[]){{0, 0}, {4, 0}, {0, 3}, {0, 0}}, 4);
    throng_walls *w = throng_walls_create(&s->place);
    assert_int_equal(w->count, 6);
    assert_int_equal(w->next[2], 0);
    assert_int_equal(w->next[5], 3);
    int convex = 0;
    for (int k = 0; k < 6; k++) convex += w->convex[k];
    assert_int_equal(convex, 3);
    /* Nobody is on the wrong side of a thin wall. */
    assert_near(throng_walls_depth(w, 1, 0.5, 9), 0.5, 1e-15);
    assert_near(throng_walls_depth(w, 1, -0.5, 9), 0.5, 1e-15);
    throng_walls_destroy(w);
    free(s);
}

static void an_open_plane_has_no_walls(void **state) {
    (void)state;
    scene *s = scene_create(true);
    throng_walls *w = throng_walls_create(&s->place);
    throng_wall_near near[4];
    assert_int_equal(w->count, 0);
    assert_int_equal(throng_walls_within(w, 1e4, -3, 100, near, 4), 0);
    assert_false(throng_walls_block(w, (throng_point){-1e4, 0}, (throng_point){1e4, 1}, 5));
    assert_near(throng_walls_depth(w, 2, 2, 0.7), 0.7, 0);
    assert_true(throng_walls_inside(w, 2, 2));
    assert_true(isinf(w->clear[throng_walls_cell(w, 55, -1e9)]));
    throng_walls_destroy(w);
    free(s);
}

static void walls_within_reach_are_all_found_nearest_first(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        double offset = round % 2 ? 5000 : 0;
        scene *s = random_scene(offset, round % 3 == 0);
        throng_walls *w = throng_walls_create(&s->place);
        throng_wall_near *near = calloc(w->count, sizeof *near);
        for (int q = 0; q < 300; q++) {
            double x = offset + draw(-26, 26), y = -offset + draw(-26, 26), reach = draw(0, 1) * draw(0, 12);
            size_t expected = 0;
            for (uint32_t k = 0; k < w->count; k++) expected += distance_to(w, k, x, y) <= reach;
            size_t count = throng_walls_within(w, x, y, reach, near, w->count);
            assert_int_equal(count, expected);
            for (size_t i = 0; i < count; i++) {
                assert_near(sqrt(near[i].distance2), distance_to(w, near[i].wall, x, y), 1e-11);
                throng_point p = throng_wall_nearest_point(w, near[i].wall, x, y);
                assert_near(hypot(p.x - x, p.y - y), distance_to(w, near[i].wall, x, y), 1e-11);
                if (i == 0) continue;
                assert_true(near[i - 1].distance2 < near[i].distance2 ||
                            (near[i - 1].distance2 == near[i].distance2 && near[i - 1].wall < near[i].wall));
            }
            /* Fewer asked for: the same beginning. */
            throng_wall_near few[3];
            size_t some = throng_walls_within(w, x, y, reach, few, 3);
            assert_int_equal(some, count < 3 ? count : 3);
            for (size_t i = 0; i < some; i++) assert_int_equal(few[i].wall, near[i].wall);
        }
        free(near);
        throng_walls_destroy(w);
        free(s);
    }
}

/* Whether the point is on a wall's walkable side or not far beyond; of the two sides of a thin wall one will do. */
static bool faces(const throng_walls *w, uint32_t k, double x, double y, double slack) {
    uint32_t n = w->next[k];
    if (w->thin[k]) return w->x[k] < w->x[n] || (w->x[k] == w->x[n] && w->y[k] < w->y[n]);
    return w->along_x[k] * (y - w->y[k]) - w->along_y[k] * (x - w->x[k]) >= -slack;
}

static void facing_walls_are_the_nearest_that_face(void **state) {
    (void)state;
    size_t cut = 0, beyond = 0;
    for (int round = 0; round < 60; round++) {
        double offset = round % 2 ? 5000 : 0;
        scene *s = random_scene(offset, round % 3 == 0);
        throng_walls *w = throng_walls_create(&s->place);
        throng_wall_near *all = calloc(w->count, sizeof *all), *near = calloc(w->count, sizeof *near);
        for (int q = 0; q < 300; q++) {
            throng_facing ask = {.x = offset + draw(-26, 26),
                                 .y = -offset + draw(-26, 26),
                                 .slack = draw(0, 1),
                                 .reach = draw(0, 12),
                                 .enough = (size_t)draw(1, 30)};
            ask.sure = draw(0, 1) * ask.reach;
            size_t count = throng_walls_within(w, ask.x, ask.y, ask.reach, all, w->count), expected = 0;
            for (size_t i = 0; i < count; i++) {
                if (!faces(w, all[i].wall, ask.x, ask.y, ask.slack)) continue;
                if (expected >= ask.enough && all[i].distance2 > ask.sure * ask.sure) break;
                all[expected++] = all[i];
            }
            assert_int_equal(throng_walls_facing(w, &ask, near, w->count), expected);
            for (size_t i = 0; i < expected; i++) assert_int_equal(near[i].wall, all[i].wall);
            cut += expected == ask.enough;
            beyond += expected > ask.enough;
            /* with less room, the same beginning */
            size_t few = throng_walls_facing(w, &ask, near, 5);
            assert_int_equal(few, expected < 5 ? expected : 5);
            for (size_t i = 0; i < few; i++) assert_int_equal(near[i].wall, all[i].wall);
        }
        free(near);
        free(all);
        throng_walls_destroy(w);
        free(s);
    }
    assert_true(cut > 500 && beyond > 500);
}

static void depth_agrees_with_looking_at_all_walls(void **state) {
    (void)state;
    for (int round = 0; round < 120; round++) {
        double offset = round % 2 ? 5000 : 0;
        scene *s = random_scene(offset, round % 3 == 0);
        throng_walls *w = throng_walls_create(&s->place);
        for (int q = 0; q < 300; q++) {
            double x = offset + draw(-30, 30), y = -offset + draw(-30, 30), reach = draw(0, 1) * draw(0, 8);
            if (q % 10 == 0) x += draw(-500, 500), reach = 1e6;
            assert_near(throng_walls_depth(w, x, y, reach), depth_slowly(w, &s->place, x, y, reach), 1e-11);
            assert_int_equal(throng_walls_inside(w, x, y), inside_slowly(&s->place, x, y));
        }
        /* Right beside corners, where two walls are equally near. */
        for (uint32_t k = 0; k < w->count; k++) {
            double x = w->x[k] + draw(-1e-3, 1e-3), y = w->y[k] + draw(-1e-3, 1e-3);
            assert_near(throng_walls_depth(w, x, y, 0.3), depth_slowly(w, &s->place, x, y, 0.3), 1e-11);
        }
        throng_walls_destroy(w);
        free(s);
    }
}

static void depth_is_signed_right_at_corners(void **state) {
    (void)state;
    scene *s = scene_create(false);
    add_room(s, 0, 10);
    add_block(s, 4, 4, 2);
    throng_walls *w = throng_walls_create(&s->place);
    double d = sqrt(0.02);
    assert_near(throng_walls_depth(w, 3.9, 3.9, 5), d, 1e-15);    /* off a corner of the block */
    assert_near(throng_walls_depth(w, 4.1, 4.1, 5), -0.1, 1e-14); /* in the block */
    assert_near(throng_walls_depth(w, 0.1, 0.1, 5), 0.1, 1e-15);  /* in a corner of the room */
    assert_near(throng_walls_depth(w, -0.1, -0.1, 5), -d, 1e-15); /* outside the room */
    assert_near(throng_walls_depth(w, 3.9, 4, 5), 0.1, 1e-14);    /* level with a corner */
    assert_near(throng_walls_depth(w, -0.1, 0, 5), -0.1, 1e-15);
    /* Far from all walls the side is still known. */
    assert_near(throng_walls_depth(w, 2, 2, 0.3), 0.3, 0);
    assert_near(throng_walls_depth(w, 5, 5, 0.3), -0.3, 0);
    assert_near(throng_walls_depth(w, 500, 5, 0.3), -0.3, 0);
    throng_walls_destroy(w);
    free(s);
}

/* Square off the end of a wall, rounding may find the corner nearer than the wall. */
static void depth_is_signed_right_square_off_a_corner(void **state) {
    (void)state;
    for (int round = 0; round < 20000; round++) {
        double turn = draw(0, 6.283), angle = draw(0.01, 1.5), far = round % 2 ? 5000 : 0, d = draw(0.01, 0.5);
        throng_point tip = {far + draw(-1, 1), far + draw(-1, 1)}, u = {cos(turn), sin(turn)};
        throng_point v = {cos(turn + angle), sin(turn + angle)};
        /* A wedge that turns clockwise: its sharp corner in the middle, the solid between u and v. */
        const throng_point wedge[] = {{tip.x + u.x, tip.y + u.y}, tip, {tip.x + v.x, tip.y + v.y}};
        scene *s = scene_create(true);
        add_ring(s, wedge, 3);
        throng_walls *w = throng_walls_create(&s->place);
        assert_near(throng_walls_depth(w, tip.x + u.y * d, tip.y - u.x * d, 1), d, 1e-11);
        assert_near(throng_walls_depth(w, tip.x - v.y * d, tip.y + v.x * d, 1), d, 1e-11);
        throng_walls_destroy(w);
        free(s);
    }
}

/* Two blocks that touch in one corner: whoever stands in the gap between them is in the clear. */
static void depth_is_signed_right_where_blocks_touch(void **state) {
    (void)state;
    scene *s = scene_create(true);
    add_block(s, 0, 0, 1);
    add_block(s, 1, 1, 1);
    throng_walls *w = throng_walls_create(&s->place);
    for (double t = 0.001; t < 0.01; t += 0.001) {
        assert_near(throng_walls_depth(w, 1 + t, 1 - t, 1), t, 1e-12);
        assert_near(throng_walls_depth(w, 1 - t, 1 + t, 1), t, 1e-12);
        assert_near(throng_walls_depth(w, 1 + t, 1 + t, 1), -t, 1e-12);
        assert_near(throng_walls_depth(w, 1 - t, 1 - t, 1), -t, 1e-12);
    }
    throng_walls_destroy(w);
    free(s);
}

static void cells_keep_their_promises(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        scene *s = random_scene(round % 2 ? 5000 : 0, round % 4 == 0);
        throng_walls *w = throng_walls_create(&s->place);
        for (int32_t row = 0; row < w->rows; row++) {
            for (int32_t column = 0; column < w->columns; column++) {
                size_t c = (size_t)row * (size_t)w->columns + (size_t)column;
                for (uint32_t i = w->start[c] + 1; i < w->start[c + 1]; i++) assert_true(w->wall[i - 1] < w->wall[i]);
                for (int q = 0; q < 4; q++) {
                    double x = w->origin_x + (column + draw(0.001, 0.999)) * w->cell;
                    double y = w->origin_y + (row + draw(0.001, 0.999)) * w->cell;
                    assert_int_equal(throng_walls_cell(w, x, y), c);
                    double depth = depth_slowly(w, &s->place, x, y, 1e9);
                    assert_true(w->clear[c] <= fabs(depth));
                    if (w->side[c] != 0) assert_int_equal(w->side[c], depth > 0 ? 1 : -1);
                }
            }
        }
        throng_walls_destroy(w);
        free(s);
    }
}

static void ways_near_walls_are_blocked(void **state) {
    (void)state;
    int blocked = 0, total = 0;
    for (int round = 0; round < 80; round++) {
        double offset = round % 2 ? 5000 : 0;
        scene *s = random_scene(offset, round % 3 == 0);
        throng_walls *w = throng_walls_create(&s->place);
        for (int q = 0; q < 300; q++) {
            throng_point from = {offset + draw(-22, 22), -offset + draw(-22, 22)};
            double length = draw(0, 1) * draw(0, 1) * 40;
            throng_point to = {from.x + draw(-1, 1) * length, from.y + draw(-1, 1) * length};
            if (q % 10 == 0) to.y = from.y;
            if (q % 10 == 1) to.x = from.x;
            double margin = q % 3 == 0 ? 0 : draw(0, 0.5);
            double gap = INFINITY;
            for (uint32_t k = 0; k < w->count; k++) gap = fmin(gap, gap_slowly(w, k, from, to));
            if (margin > 0 && fabs(gap - margin) < 1e-9) continue;
            bool expected = margin > 0 ? gap < margin : gap == 0;
            assert_int_equal(throng_walls_block(w, from, to, margin), expected);
            assert_int_equal(throng_walls_block(w, to, from, margin), expected);
            blocked += expected;
            total++;
        }
        throng_walls_destroy(w);
        free(s);
    }
    assert_in_range(blocked, total / 10, 9 * total / 10);
}

typedef struct touch {
    throng_point from, to;
    bool blocked;
} touch;

/* A room of 10 m with a block from 4 to 6, a thin wall from (1, 8) over (2, 8) to (2, 9). */
static const touch touches[] = {
    {{4, 1}, {4, 9}, false},               /* along a side of the block, past both its corners */
    {{3, 5}, {5, 3}, false},               /* past one corner of it */
    {{3, 3}, {5, 5}, true},                /* through that corner into it */
    {{3, 3}, {4, 4}, false},               /* up to that corner */
    {{3, 5}, {4, 5}, false},               /* up to a side */
    {{4, 5}, {3, 5}, false},               /* away from it */
    {{4, 5}, {5, 5}, true},                /* from a side into the block */
    {{4, 4}, {6, 6}, true},                /* from corner to corner through the block */
    {{4, 4}, {6, 4}, false},               /* from corner to corner along it */
    {{0, 0}, {10, 0}, false},              /* along a border of the room */
    {{0, 0}, {10, 0.000001}, false},       /* nearly along */
    {{5, 1}, {5, 0}, false},               /* up to the border */
    {{5, 1}, {5, -0.0000001}, true},       /* just beyond it */
    {{0, 5}, {-1, 5}, true},               /* out of the room */
    {{1, 1}, {0, 0}, false},               /* into a corner of it */
    {{1, 1}, {-1, -1}, true},              /* through that corner */
    {{-1, 1}, {1, -1}, true},              /* past that corner on the wrong side */
    {{1, 7}, {1, 9}, true},                /* past the very end of the thin wall */
    {{0.999999, 7}, {0.999999, 9}, false}, /* just clear of it */
    {{1, 7}, {1, 8}, false},               /* up to it */
    {{1.5, 7}, {1.5, 9}, true},            /* through it */
    {{1.5, 7}, {1.5, 8}, false},           /* up to it */
    {{1.5, 8}, {1.5, 9}, false},           /* away from it, to either side */
    {{1.5, 8}, {1.5, 7}, false},
    {{1.5, 8}, {3, 8}, false}, /* along it, past its bend on the outside */
    {{1, 9}, {3, 7}, true},    /* through its bend */
    {{1, 7}, {3, 9}, false},   /* past its bend */
    {{1, 9}, {2, 8}, false},   /* into its bend */
};

static void ways_that_touch_walls_are_judged_exactly(void **state) {
    (void)state;
    scene *s = scene_create(false);
    add_room(s, 0, 10);
    add_block(s, 4, 4, 2);
    add_line(s, (throng_point[]){{1, 8}, {2, 8}, {2, 9}}, 3);
    throng_walls *w = throng_walls_create(&s->place);
    for (size_t i = 0; i < sizeof touches / sizeof touches[0]; i++) {
        touch t = touches[i];
        if (throng_walls_block(w, t.from, t.to, 0) != t.blocked ||
            throng_walls_block(w, t.to, t.from, 0) != t.blocked) {
            fail_msg("(%g, %g) to (%g, %g): expected %s", t.from.x, t.from.y, t.to.x, t.to.y,
                     t.blocked ? "blocked" : "free");
        }
    }
    throng_walls_destroy(w);
    free(s);
}

/* Two thin walls that begin in one point leave no way between them. */
static void ways_through_a_joint_of_thin_walls_are_blocked(void **state) {
    (void)state;
    scene *s = scene_create(true);
    add_line(s, (throng_point[]){{7, 6}, {7, 7}}, 2);
    add_line(s, (throng_point[]){{6, 7}, {7, 7}}, 2);
    throng_walls *w = throng_walls_create(&s->place);
    assert_true(throng_walls_block(w, (throng_point){6.5, 6.5}, (throng_point){7.5, 7.5}, 0));
    assert_true(throng_walls_block(w, (throng_point){7.5, 7.5}, (throng_point){6.5, 6.5}, 0));
    assert_false(throng_walls_block(w, (throng_point){6.5, 6.5}, (throng_point){7, 7}, 0));
    throng_walls_destroy(w);
    free(s);
}

static void a_wide_place_has_a_bounded_number_of_cells(void **state) {
    (void)state;
    scene *s = scene_create(false);
    add_room(s, -10000, 10000);
    add_block(s, 5000, 5000, 1);
    throng_walls *w = throng_walls_create(&s->place);
    assert_true((int64_t)w->columns * w->rows <= 65536);
    assert_near(throng_walls_depth(w, 4999.9999, 5000.5, 1), 1e-4, 1e-11);
    assert_near(throng_walls_depth(w, 0, 0, 20), 20, 0);
    assert_near(throng_walls_depth(w, 5000.5, 5000.5, 20), -0.5, 1e-11);
    throng_walls_destroy(w);
    free(s);
}

/* Where walls crowd, cells are smaller: who asks for the walls at a point meets few. Also when all of them are in one
 * corner of a wide place. */
static void crowded_walls_have_small_cells(void **state) {
    (void)state;
    enum { POINTS = 8000, ROW = 60 };
    throng_point line[POINTS];
    for (int k = 0; k < POINTS; k++) {
        int row = k / ROW, column = row % 2 ? ROW - 1 - k % ROW : k % ROW;
        line[k] = (throng_point){0.05 * column, 0.05 * row};
    }
    for (double far = 10; far < 200; far += 140) {
        scene *s = scene_create(false);
        add_room(s, -1, far);
        add_line(s, line, POINTS);
        throng_walls *walls = throng_walls_create(&s->place);
        double work = throng_walls_work(walls);
        if (!(work < 128.0 * (double)walls->count)) fail_msg("%g walls for each", work / (double)walls->count);
        throng_walls_destroy(walls);
        free(s);
    }
}

static void turns_are_exact(void **state) {
    (void)state;
    /* One unit in the last place decides, 5 km away from the origin. */
    throng_point a = {5000.1, 5000.1}, b = {5000.3, 5000.3}, c = {5000.7, 5000.7};
    assert_int_equal(throng_turn(a, b, c), 0);
    c.y = nextafter(c.y, 1e9);
    assert_int_equal(throng_turn(a, b, c), 1);
    assert_int_equal(throng_turn(b, a, c), -1);
    assert_int_equal(throng_turn(c, a, b), 1);
    /* A case in which plain arithmetic gives the wrong sign (Kettner et al. 2008). */
    throng_point p = {0.5, 0.5}, q = {12, 12}, r = {24, 24};
    p.x += ldexp(1, -53) * 12;
    int turn = throng_turn(p, q, r);
    assert_int_equal(turn, throng_turn(q, r, p));
    assert_int_equal(turn, throng_turn(r, p, q));
    assert_int_equal(turn, -throng_turn(q, p, r));
    assert_int_equal(turn, -1 * throng_turn((throng_point){p.y, p.x}, q, r));
    assert_true(turn != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_exact),
        cmocka_unit_test(crowded_walls_have_small_cells),
        cmocka_unit_test(columns_of_a_room_with_a_block_and_a_thin_wall),
        cmocka_unit_test(straight_corners_count_as_convex),
        cmocka_unit_test(a_closed_thin_wall_has_two_rings),
        cmocka_unit_test(an_open_plane_has_no_walls),
        cmocka_unit_test(walls_within_reach_are_all_found_nearest_first),
        cmocka_unit_test(facing_walls_are_the_nearest_that_face),
        cmocka_unit_test(depth_agrees_with_looking_at_all_walls),
        cmocka_unit_test(depth_is_signed_right_at_corners),
        cmocka_unit_test(depth_is_signed_right_square_off_a_corner),
        cmocka_unit_test(depth_is_signed_right_where_blocks_touch),
        cmocka_unit_test(cells_keep_their_promises),
        cmocka_unit_test(ways_near_walls_are_blocked),
        cmocka_unit_test(ways_that_touch_walls_are_judged_exactly),
        cmocka_unit_test(ways_through_a_joint_of_thin_walls_are_blocked),
        cmocka_unit_test(a_wide_place_has_a_bounded_number_of_cells),
    };
    return cmocka_run_group_tests_name("walls", tests, NULL, NULL);
}
