/* How good the ways along flow fields are: against shortest ways of a disc found by brute force, and
 * in places made at random. */

#include "route_scene.h"

/* --- the shortest way of a disc, by brute force
 *
 * A graph of the start, points of the goal's border, and points around every corner, a body's radius
 * away; joined when the line between two of them keeps that distance from all walls. */

enum { AROUND = 24, POINTS_MOST = 4000 };

static size_t oracle_points(const scene *s, const throng_walker *w, throng_point *points) {
    size_t count = 0;
    points[count++] = w->at;
    throng_ring ring = s->goals[w->goal].def.ring;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        double pieces = ceil(hypot(b.x - a.x, b.y - a.y) / 0.05);
        for (double k = 0; k < pieces; k++) {
            points[count++] = (throng_point){a.x + (b.x - a.x) * k / pieces, a.y + (b.y - a.y) * k / pieces};
        }
    }
    double far = w->radius * 1.0001 / cos(3.14159265358979 / AROUND);
    for (size_t k = 0; k < s->walls->count; k++) {
        for (int i = 0; i < AROUND && s->walls->convex[k]; i++) {
            double angle = 6.28318530717959 * i / AROUND;
            throng_point p = {s->walls->x[k] + far * cos(angle), s->walls->y[k] + far * sin(angle)};
            if (clearance(s, p) < 0.9999 * w->radius) continue;
            assert_true(count < POINTS_MOST);
            points[count++] = p;
        }
    }
    return count;
}

static double shortest(const scene *s, const throng_walker *w) {
    static throng_point points[POINTS_MOST];
    static double length[POINTS_MOST];
    static bool done[POINTS_MOST];
    size_t count = oracle_points(s, w, points);
    throng_ring ring = s->goals[w->goal].def.ring;
    for (size_t i = 0; i < count; i++) length[i] = INFINITY, done[i] = false;
    length[0] = 0;
    for (;;) {
        size_t next = count;
        for (size_t i = 0; i < count; i++) {
            if (!done[i] && (next == count || length[i] < length[next])) next = i;
        }
        if (next == count || isinf(length[next])) return INFINITY;
        throng_point at = points[next], nearest = throng_ring_nearest(ring, at.x, at.y);
        if (hypot(nearest.x - at.x, nearest.y - at.y) < 1e-9) return length[next];
        done[next] = true;
        for (size_t i = 0; i < count; i++) {
            double through = length[next] + hypot(points[i].x - at.x, points[i].y - at.y);
            if (done[i] || through >= length[i]) continue;
            if (!throng_walls_block(s->walls, at, points[i], 0.9995 * w->radius)) length[i] = through;
        }
    }
}

/* Within 3 % of the shortest way; the last step goes beyond the border. */
static void assert_good(const scene *s, throng_walker w, double clear_least, const char *what) {
    walk went = walk_along(s, w);
    double least = shortest(s, &w);
    if (!went.arrived) fail_msg("%s, from %g %g: does not arrive", what, w.at.x, w.at.y);
    if (went.length > 1.03 * least + 0.13)
        fail_msg("%s, from %g %g: %g m instead of %g", what, w.at.x, w.at.y, went.length, least);
    if (went.clearance < clear_least)
        fail_msg("%s, from %g %g: %g m from a wall", what, w.at.x, w.at.y, went.clearance);
    /* A disc of 0.2 m around a corner turns by 37 degrees in a step at best. */
    if (went.turn > 55) fail_msg("%s, from %g %g: turns by %g degrees", what, w.at.x, w.at.y, went.turn);
    if (went.rise > 0.02) fail_msg("%s, from %g %g: %g m farther than before", what, w.at.x, w.at.y, went.rise);
    double claimed = throng_route_way(s->route, s->goals, &w).distance;
    if (fabs(claimed - least) > 0.05 * least + 0.05)
        fail_msg("%s, from %g %g: said to be %g m, is %g", what, w.at.x, w.at.y, claimed, least);
}

static void around_a_corner(void **state) {
    (void)state;
    for (int angle = 0; angle < 90; angle += 15) {
        scene *s = calloc(1, sizeof *s);
        s->turn = angle * 0.017453292519943295;
        walkable(s, 0, 0, 12, 0, 12, 13, 10, 13, 10, 2, 0, 2);
        throng_goal exit = area(s, 10, 12, 12, 12, 12, 13, 10, 13);
        finish(s);
        for (double radius = 0.2; radius < 0.45; radius += 0.1) {
            for (double y = 0.5; y < 1.6; y += 0.35) {
                throng_walker w = walker_at(s, 0.5, y, exit, radius);
                assert_true(is_reachable(s, &w));
                assert_good(s, w, radius, "corner");
            }
        }
        take_down(s);
        free(s);
    }
}

static void through_a_slalom(void **state) {
    (void)state;
    for (int angle = 0; angle < 90; angle += 30) {
        scene *s = calloc(1, sizeof *s);
        s->turn = angle * 0.017453292519943295;
        walkable(s, 0, 0, 16, 0, 16, 6, 0, 6);
        block(s, 3, 1.8, 3.3, 1.8, 3.3, 6, 3, 6);
        block(s, 6, 0, 6.3, 0, 6.3, 4.2, 6, 4.2);
        thin_wall(s, 9, 1.8, 9, 6.1);
        block(s, 12, 0, 12.3, 0, 12.3, 4.2, 12, 4.2);
        throng_goal exit = area(s, 15, 0, 16, 0, 16, 6, 15, 6);
        finish(s);
        for (double y = 0.5; y < 5.6; y += 0.85) {
            throng_walker w = walker_at(s, 0.5, y, exit, 0.22);
            assert_true(is_reachable(s, &w));
            assert_good(s, w, 0.22, "slalom");
        }
        take_down(s);
        free(s);
    }
}

static void through_doors(void **state) {
    (void)state;
    for (int i = 0; i < 36; i++) {
        double width = 0.6 + 0.1 * (i % 4), x = 6 + 0.017 * i, y = 4 + 0.023 * i;
        scene *s = calloc(1, sizeof *s);
        s->turn = 0.17 * i;
        walkable(s, 0, 0, 12, 0, 12, 8, 0, 8);
        block(s, x, -1, x + 0.2, -1, x + 0.2, y - width / 2, x, y - width / 2);
        block(s, x, y + width / 2, x + 0.2, y + width / 2, x + 0.2, 9, x, 9);
        throng_goal exit = area(s, 11, 1, 12, 1, 12, 7, 11, 7);
        finish(s);
        for (double from = 0.5; from < 7.6; from += 1.75) {
            throng_walker w = walker_at(s, 0.5, from, exit, 0.25);
            assert_true(is_reachable(s, &w));
            /* In the narrowest one nobody can keep the whole radius to both sides. */
            assert_good(s, w, width < 0.65 ? 0.2 : 0.249, "door");
        }
        take_down(s);
        free(s);
    }
}

/* A hall so large that its lattice is coarse by default still has its one door of 0.9 m. */
static void a_door_in_a_large_place(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 700, 0, 700, 500, 0, 500);
    block(s, 350, -1, 350.3, -1, 350.3, 123.4, 350, 123.4);
    block(s, 350, 124.3, 350.3, 124.3, 350.3, 501, 350, 501);
    throng_goal exit = area(s, 690, 200, 700, 200, 700, 300, 690, 300);
    finish(s);
    throng_walker w = walker_at(s, 10, 400, exit, 0.25);
    assert_true(is_reachable(s, &w));
    walk went = walk_along(s, w);
    assert_true(went.arrived);
    assert_near(went.length, hypot(340, 276) + hypot(340, 76), 10);
    take_down(s);
    free(s);
}

/* --- places made at random */

static double draw(uint64_t seed, uint64_t *n, double low, double high) {
    return low + (high - low) * throng_random(seed, ++*n, 0, 0);
}

/* Polygons, stars and thin walls about a grid, which may meet, in a rectangle; an exit at the far end. */
static throng_goal random_place(scene *s, uint64_t seed, double *width, double *height) {
    uint64_t n = 0;
    double step = draw(seed, &n, 1.5, 3.5);
    *width = draw(seed, &n, 8, 20), *height = draw(seed, &n, 6, 14);
    s->turn = draw(seed, &n, 0, 6.28);
    double w = *width, h = *height;
    walkable(s, 0, 0, w, 0, w, h, 0, h);
    for (double x = step; x < w - 1.5; x += step) {
        for (double y = 0.6 * step; y < h - 0.4 * step; y += step) {
            double cx = x + draw(seed, &n, -0.1, 0.1) * step, cy = y + draw(seed, &n, -0.1, 0.1) * step;
            double size = step * draw(seed, &n, 0.1, 0.5), angle = draw(seed, &n, 0, 6.28), kind = draw(seed, &n, 0, 1);
            size_t corners = 3 + (size_t)draw(seed, &n, 0, 6);
            double xy[20];
            if (kind < 0.2) {
                thin_wall(s, cx - size * cos(angle), cy - size * sin(angle), cx + size * cos(angle),
                          cy + size * sin(angle));
                continue;
            }
            if (kind < 0.35) continue;
            bool star = kind > 0.8;
            if (star) corners = 8;
            for (size_t i = 0; i < corners; i++) {
                double a = angle + 6.28318530717959 * (double)i / (double)corners, far = star && i % 2 ? 0.35 : 1;
                xy[2 * i] = cx + far * size * cos(a);
                xy[2 * i + 1] = cy + far * size * sin(a);
            }
            add_shape(s, THRONG_POLYGON, xy, 2 * corners);
        }
    }
    return area(s, w - 1, 0.3 * h, w, 0.3 * h, w, 0.7 * h, w - 1, 0.7 * h);
}

/* Nobody is led into a wall, and everybody who is led anywhere gets there, in time and upright. */
static void random_places(void **state) {
    (void)state;
    enum { PLACES = 150, PEOPLE = 1000 };
    size_t led = 0, into = 0;
    for (uint64_t seed = 1; seed <= PLACES; seed++) {
        scene *s = calloc(1, sizeof *s);
        uint64_t n = 1000000;
        double width, height, radius = draw(seed, &n, 0.15, 0.3);
        throng_goal exit = random_place(s, seed, &width, &height);
        finish(s);
        for (int i = 0; i < PEOPLE; i++) {
            throng_walker w = walker_at(s, draw(seed, &n, 0, width), draw(seed, &n, 0, height), exit, radius);
            double clear = clearance(s, w.at);
            if (clear < (i % 4 ? radius : 0.01)) continue;
            if (!is_reachable(s, &w)) continue;
            led++;
            throng_way way = throng_route_way(s->route, s->goals, &w);
            assert_near(hypot(way.direction.x, way.direction.y), throng_goal_reached(s->route, s->goals, &w) ? 0.5 : 1,
                        throng_goal_reached(s->route, s->goals, &w) ? 0.51 : 1e-9);
            throng_point ahead = {w.at.x + 0.1 * way.direction.x, w.at.y + 0.1 * way.direction.y};
            if (throng_walls_block(s->walls, w.at, ahead, 0)) fail_msg("seed %d: into a wall", (int)seed);
            double then = clearance(s, ahead);
            if (way.distance > 1 && then < clear - 1e-6 && then < 0.8 * radius && then < 0.9 * clear) into++;
            if (clear < radius || i % 3) continue;
            walk went = walk_along(s, w);
            if (!went.arrived) fail_msg("seed %d, from %g %g: stuck", (int)seed, w.at.x, w.at.y);
            if (went.clearance < 0.7 * radius)
                fail_msg("seed %d, from %g %g: %g m from a wall", (int)seed, w.at.x, w.at.y, went.clearance);
        }
        take_down(s);
        free(s);
    }
    assert_true(led > PLACES * PEOPLE / 3);
    /* Of those who already stand too near to walls, a few cannot but come nearer. */
    assert_true(into < led / 20000 + 1);
}

/* --- who gets through, against a flood of discs on a fine grid */

typedef struct flood {
    double origin_x, origin_y, cell;
    int columns, rows;
    uint8_t *wet;
    int *stack;
} flood;

static void pour(flood *f, const scene *s, throng_ring goal, double radius) {
    size_t depth = 0, count = (size_t)f->columns * (size_t)f->rows;
    memset(f->wet, 0, count);
    for (size_t i = 0; i < count; i++) {
        double x = f->origin_x + (double)(i % (size_t)f->columns) * f->cell;
        double y = f->origin_y + (double)(i / (size_t)f->columns) * f->cell;
        if (throng_walls_depth(s->walls, x, y, radius) < radius)
            f->wet[i] = 2;
        else if (throng_ring_contains(goal, x, y))
            f->wet[i] = 1, f->stack[depth++] = (int)i;
    }
    while (depth > 0) {
        int at = f->stack[--depth], next[4] = {at - 1, at + 1, at - f->columns, at + f->columns};
        for (int i = 0; i < 4; i++) {
            if (next[i] < 0 || (size_t)next[i] >= count || f->wet[next[i]]) continue;
            f->wet[next[i]] = 1;
            f->stack[depth++] = next[i];
        }
    }
}

static bool is_wet(const flood *f, throng_point at) {
    int column = (int)lround((at.x - f->origin_x) / f->cell), row = (int)lround((at.y - f->origin_y) / f->cell);
    return f->wet[row * f->columns + column] == 1;
}

/* Two walls across a place, each with two doors about as wide as a person. */
static void divide(scene *s, uint64_t seed, uint64_t *n, double width, double height) {
    for (int i = 0; i < 2; i++) {
        double x = width * (0.3 + 0.35 * i), thick = draw(seed, n, 0.05, 0.4), y = -1;
        for (int door = 0; door < 2; door++) {
            double low = height * (0.2 + 0.4 * door + draw(seed, n, 0, 0.1));
            block(s, x, y, x + thick, y, x + thick, low, x, low);
            y = low + draw(seed, n, 0.3, 0.8);
        }
        block(s, x, y, x + thick, y, x + thick, height + 1, x, height + 1);
    }
}

static void only_who_fits_gets_through(void **state) {
    (void)state;
    enum { PLACES = 40, PEOPLE = 300 };
    const double cell = 0.02, doubt = 0.015;
    size_t sure = 0, cut_off = 0;
    for (uint64_t seed = 1; seed <= PLACES; seed++) {
        scene *s = calloc(1, sizeof *s);
        uint64_t n = 2000000;
        double width, height, radius = draw(seed, &n, 0.16, 0.4);
        throng_goal exit = random_place(s, seed + 500, &width, &height);
        divide(s, seed, &n, width, height);
        finish(s);
        throng_box box = box_around(s->border, s->border_count);
        flood f = {box.low.x - cell,
                   box.low.y - cell,
                   cell,
                   (int)((box.high.x - box.low.x) / cell) + 4,
                   (int)((box.high.y - box.low.y) / cell) + 4,
                   NULL,
                   NULL};
        size_t count = (size_t)f.columns * (size_t)f.rows;
        flood wide = f;
        f.wet = malloc(count), wide.wet = malloc(count), f.stack = wide.stack = malloc(count * sizeof *f.stack);
        pour(&f, s, s->goals[exit].def.ring, radius + doubt);
        pour(&wide, s, s->goals[exit].def.ring, radius - doubt);
        for (int i = 0; i < PEOPLE; i++) {
            throng_walker w = walker_at(s, draw(seed, &n, 0, width), draw(seed, &n, 0, height), exit, radius);
            if (clearance(s, w.at) < radius + 2 * doubt) continue;
            bool surely = is_wet(&f, w.at), never = !is_wet(&wide, w.at);
            if (!surely && !never) continue;
            sure++;
            cut_off += never;
            if (is_reachable(s, &w) != surely)
                fail_msg("seed %d, radius %g, from %g %g: %s", (int)seed, radius, w.at.x, w.at.y,
                         surely ? "a way was missed" : "no body fits through");
        }
        free(f.wet), free(wide.wet), free(f.stack);
        take_down(s);
        free(s);
    }
    if (sure < 3000 || cut_off < 100) fail_msg("only %zu cases, %zu of them cut off", sure, cut_off);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(around_a_corner), cmocka_unit_test(through_a_slalom),
        cmocka_unit_test(through_doors),   cmocka_unit_test(a_door_in_a_large_place),
        cmocka_unit_test(random_places),   cmocka_unit_test(only_who_fits_gets_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
