/* The roadmap: bends, sight, and shortest ways against formulas and brute force. */

#include "route/roadmap.h"

#include "route/planner.h"

#include "base/memory.h"
#include "counting.h"
#include "route_scene.h"

static const double pi = 3.14159265358979323846;

#define map(s) finish_with(s, "roadmap", 1)

static throng_way way_of(scene *s, throng_walker w) {
    assert_true(is_reachable(s, &w));
    return throng_route_way(s->route, s->goals, &w);
}

/* The distance that roads keep for a body where there is room. */
static const double kept_20 = 0.25;

/* --- bends */

static void angles(void **state) {
    (void)state;
    for (int i = 0; i <= 2000; i++) {
        double a = 0.37 * i, b = a - pi * i / 2000;
        assert_near(throng_angle_between((throng_point){cos(a), sin(a)}, (throng_point){cos(b), sin(b)}), pi * i / 2000,
                    1e-13 * (1 + fabs(a)));
    }
}

static void bends_of_a_block(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 10, 0, 10, 10, 0, 10);
    block(s, 4, 4, 6, 4, 6, 6, 4, 6);
    map(s);
    size_t count;
    throng_bend *bends = throng_bends_find(s->walls, 0.25, 0.25 * (1 - 1e-9), &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_near(bends[i].last - bends[i].first, pi / 2, 1e-12);
        throng_point out = {bends[i].at.x - 5, bends[i].at.y - 5}; /* the diagonal */
        assert_true(throng_bend_has(&bends[i], (throng_point){out.x / sqrt(2), out.y / sqrt(2)}));
        assert_false(throng_bend_has(&bends[i], (throng_point){-out.x / sqrt(2), -out.y / sqrt(2)}));
    }
    throng_release(bends);
    take_down(s);
    free(s);
}

/* The end of a thin wall is gone around by half; in front of another wall a part of that is left. */
static void bends_of_thin_walls(void **state) {
    (void)state;
    const struct {
        double gap;
        size_t bends; /* at the end in front of the border */
        double arc;   /* of each */
    } cases[] = {{3, 1, pi}, {0.5, 1, pi}, {0.4, 2, asin(0.6)}, {0.3, 2, asin(0.2)}, {0.2, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene *s = calloc(1, sizeof *s);
        s->turn = 0.4;
        walkable(s, 0, 0, 10, 0, 10, 10, 0, 10);
        thin_wall(s, 5, 10 - cases[i].gap, 5, 5);
        map(s);
        size_t count;
        throng_bend *bends = throng_bends_find(s->walls, 0.25, 0.25 * (1 - 1e-9), &count);
        assert_int_equal(count, 1 + cases[i].bends);
        throng_point end = turned(s, 5, 10 - cases[i].gap);
        for (size_t k = 0; k < count; k++) {
            if (hypot(bends[k].at.x - end.x, bends[k].at.y - end.y) > 1e-9) continue;
            assert_near(bends[k].last - bends[k].first, cases[i].arc, 1e-6);
        }
        throng_release(bends);
        take_down(s);
        free(s);
    }
}

/* --- shortest ways with a formula */

static void straight_where_it_can_be(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 10, 0, 10, 10, 0, 10);
    block(s, 4, 4, 6, 4, 6, 6, 4, 6);
    throng_goal there = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {9, 3.75}, .radius = 0.3});
    map(s);
    throng_way way = way_of(s, walker_at(s, 1, 3.75, there, 0.2));
    assert_near(way.distance, 8, 1e-12);
    assert_near(way.direction.x, 1, 1e-12);
    take_down(s);
    free(s);
}

/* From a point to another around a circle at the origin, to the left: two tangents and an arc. */
static double around(double ax, double ay, double bx, double by, double r) {
    double a = hypot(ax, ay), b = hypot(bx, by);
    double between = fmod(atan2(by, bx) - atan2(ay, ax) + 4 * pi, 2 * pi);
    return sqrt(a * a - r * r) + sqrt(b * b - r * r) + r * (between - acos(r / a) - acos(r / b));
}

static void around_the_corner(void **state) {
    (void)state;
    for (int angle = 0; angle < 360; angle += 15) {
        scene *s = calloc(1, sizeof *s);
        s->turn = angle * pi / 180;
        walkable(s, 0, 0, 12, 0, 12, 13, 10, 13, 10, 2, 0, 2);
        throng_goal there =
            add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = turned(s, 11, 12), .radius = 0.2});
        map(s);
        throng_way way = way_of(s, walker_at(s, 1, 1, there, 0.2));
        assert_near(way.distance, around(-9, -1, 1, 10, kept_20), 1e-9);
        take_down(s);
        free(s);
    }
}

/* Whoever stands free beside a desk gets away from it, wherever it stands; there is one way only around the desk. */
static void away_from_a_desk(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 5.9, 0, 5.9, 10, 0, 10);
    block(s, 4.3, 2.2, 6, 2.2, 6, 3, 4.3, 3);
    throng_goal there = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {1, 9}, .radius = 0.3});
    map(s);
    for (double x = 3.9; x < 5.7; x += 0.013) {
        for (double y = 1.7; y < 3.5; y += 0.007) {
            if (throng_walls_depth(s->walls, x, y, 1) < 0.2) continue;
            throng_walker w = walker_at(s, x, y, there, 0.2);
            if (!is_reachable(s, &w)) fail_msg("no way from (%g, %g)", x, y);
        }
    }
    take_down(s);
    free(s);
}

/* To an area: the last leg meets its border at a right angle. */
static void around_the_corner_to_an_area(void **state) {
    (void)state;
    for (int angle = 0; angle < 360; angle += 40) {
        scene *s = calloc(1, sizeof *s);
        s->turn = angle * pi / 180;
        walkable(s, 0, 0, 12, 0, 12, 13, 10, 13, 10, 2, 0, 2);
        throng_goal exit = area(s, 10, 12, 12, 12, 12, 13, 10, 13);
        map(s);
        double r = kept_20, a = hypot(9, 1), in = acos(r / a) + atan2(1, 9); /* from the wall before the corner */
        throng_way way = way_of(s, walker_at(s, 1, 1, exit, 0.2));
        assert_near(way.distance, sqrt(a * a - r * r) + r * (pi - in) + 10 + 0.01, 1e-9);
        take_down(s);
        free(s);
    }
}

static void around_a_thin_wall(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    s->turn = 1.1;
    walkable(s, 0, 0, 10, 0, 10, 10, 0, 10);
    thin_wall(s, 5, 0, 5, 5);
    throng_goal there =
        add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = turned(s, 5.3, 2), .radius = 0.2});
    map(s);
    throng_way way = way_of(s, walker_at(s, 4.7, 1, there, 0.2));
    assert_near(way.distance, around(0.3, -3, -0.3, -4, kept_20), 1e-9);
    take_down(s);
    free(s);
}

/* Around a disc of many corners: longer than around a circle inscribed, shorter than around one about. */
static void around_a_disc(void **state) {
    (void)state;
    for (int corners = 8; corners <= 40; corners += 8) {
        scene *s = calloc(1, sizeof *s);
        double xy[80], big = 2;
        for (int i = 0; i < corners; i++) {
            xy[2 * i] = big * cos(2 * pi * i / corners);
            xy[2 * i + 1] = big * sin(2 * pi * i / corners);
        }
        add_shape(s, THRONG_POLYGON, xy, 2 * (size_t)corners);
        throng_goal there =
            add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {6, -0.1}, .radius = 0.3});
        map(s);
        throng_way way = way_of(s, walker_at(s, -5, -0.2, there, 0.2));
        double least = around(-5, -0.2, 6, -0.1, big * cos(pi / corners) + kept_20);
        double most = around(-5, -0.2, 6, -0.1, big + kept_20);
        assert_true(way.distance > least && way.distance <= most + 1e-9);
        take_down(s);
        free(s);
    }
}

/* --- shortest ways by brute force
 *
 * A graph of the start, the goal, and points around every corner; joined when the line between two of them
 * keeps the distance from all walls, each of which is asked. */

enum { AROUND = 24, POINTS_MOST = 20000 };

static double far_from_wall(const throng_walls *w, size_t k, throng_point a, throng_point b) {
    /* Distance between two straight lines, by their ends and whether they cross. */
    throng_point p[4] = {a, b, {w->x[k], w->y[k]}, {w->x[w->next[k]], w->y[w->next[k]]}};
    double least = INFINITY, turns[4];
    for (int i = 0; i < 4; i++) {
        throng_point from = p[i < 2 ? 2 : 0], to = p[i < 2 ? 3 : 1], q = p[i];
        double dx = to.x - from.x, dy = to.y - from.y, length2 = dx * dx + dy * dy;
        double t = length2 > 0 ? fmin(fmax(((q.x - from.x) * dx + (q.y - from.y) * dy) / length2, 0), 1) : 0;
        least = fmin(least, hypot(from.x + t * dx - q.x, from.y + t * dy - q.y));
        turns[i] = dx * (q.y - from.y) - dy * (q.x - from.x);
    }
    return turns[0] * turns[1] < 0 && turns[2] * turns[3] < 0 ? 0 : least;
}

static bool keeps_clear(const throng_walls *w, throng_point a, throng_point b, double margin) {
    for (size_t k = 0; k < w->count; k++) {
        if (far_from_wall(w, k, a, b) < margin) return false;
    }
    return true;
}

static size_t oracle_points(const scene *s, double margin, throng_point *points, size_t count) {
    double far = margin * (1 + 1e-9) / cos(pi / AROUND);
    for (size_t k = 0; k < s->walls->count; k++) {
        for (int i = 0; i < AROUND && s->walls->convex[k]; i++) {
            double angle = 2 * pi * (i + 0.5) / AROUND;
            throng_point p = {s->walls->x[k] + far * cos(angle), s->walls->y[k] + far * sin(angle)};
            if (!throng_walls_inside(s->walls, p.x, p.y) || !keeps_clear(s->walls, p, p, margin)) continue;
            assert_true(count < POINTS_MOST);
            points[count++] = p;
        }
    }
    return count;
}

static double shortest(const scene *s, throng_point from, throng_point to, double margin) {
    static throng_point points[POINTS_MOST];
    static double length[POINTS_MOST];
    static bool done[POINTS_MOST];
    points[0] = from, points[1] = to;
    size_t count = oracle_points(s, margin, points, 2);
    for (size_t i = 0; i < count; i++) length[i] = INFINITY, done[i] = false;
    length[0] = 0;
    for (;;) {
        size_t next = count;
        for (size_t i = 0; i < count; i++) {
            if (!done[i] && length[i] < INFINITY && (next == count || length[i] < length[next])) next = i;
        }
        if (next == count) return INFINITY;
        if (next == 1) return length[1];
        done[next] = true;
        for (size_t i = 0; i < count; i++) {
            double through = length[next] + hypot(points[i].x - points[next].x, points[i].y - points[next].y);
            if (done[i] || through >= length[i]) continue;
            if (keeps_clear(s->walls, points[next], points[i], margin)) length[i] = through;
        }
    }
}

static double draw(uint64_t seed, uint64_t *n, double low, double high) {
    return low + (high - low) * throng_random(seed, ++*n, 0, 0);
}

/* Polygons and thin walls strewn about, which may meet. */
static void strew(scene *s, uint64_t seed, int shapes) {
    uint64_t n = 0;
    s->turn = draw(seed, &n, 0, 6.28);
    walkable(s, 0, 0, 12, 0, 12, 9, 0, 9);
    for (int k = 0; k < shapes; k++) {
        double x = draw(seed, &n, 1, 11), y = draw(seed, &n, 0, 9), size = draw(seed, &n, 0.2, 1.2);
        double angle = draw(seed, &n, 0, 6.28), xy[16];
        size_t corners = 2 + (size_t)draw(seed, &n, 0, 5);
        if (corners == 2) {
            thin_wall(s, x - size * cos(angle), y - size * sin(angle), x + size * cos(angle), y + size * sin(angle));
            continue;
        }
        for (size_t i = 0; i < corners; i++) {
            double a = angle + 2 * pi * (double)i / (double)corners;
            xy[2 * i] = x + size * cos(a), xy[2 * i + 1] = y + size * sin(a);
        }
        add_shape(s, THRONG_POLYGON, xy, 2 * corners);
    }
}

static throng_walker somebody(const scene *s, throng_goal goal, double radius, uint64_t seed, uint64_t *n) {
    throng_walker w = walker_at(s, draw(seed, n, 0.5, 11.5), draw(seed, n, 0.5, 8.5), goal, radius);
    w.target = turned(s, draw(seed, n, 0.5, 11.5), draw(seed, n, 0.5, 8.5));
    return w;
}

static void as_by_brute_force(void **state) {
    (void)state;
    int ways = 0, bent = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        scene *s = calloc(1, sizeof *s);
        strew(s, seed, 8);
        throng_goal own = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.1});
        map(s);
        uint64_t n = 1000;
        for (int i = 0; i < 4; i++) {
            double radius = draw(seed, &n, 0.15, 0.4);
            throng_walker w = somebody(s, own, radius, seed, &n);
            if (clearance(s, w.at) < 1.5 * radius || clearance(s, w.target) < 1.5 * radius) continue;
            if (!is_reachable(s, &w)) continue;
            throng_way way = throng_route_way(s->route, s->goals, &w);
            /* Roads keep between 1 and 1.375 radii away. */
            double low = shortest(s, w.at, w.target, radius), high = shortest(s, w.at, w.target, 1.375 * radius);
            if (way.distance < low * (1 - 6e-3) || way.distance > high + 1e-9)
                fail_msg("seed %d, from %g %g to %g %g, radius %g: %.9g m, not in %.9g .. %.9g", (int)seed, w.at.x,
                         w.at.y, w.target.x, w.target.y, radius, way.distance, low, high);
            ways++;
            bent += low > hypot(w.at.x - w.target.x, w.at.y - w.target.y) + 1e-6;
        }
        take_down(s);
        free(s);
    }
    if (ways < 40 || bent < 20) fail_msg("only %d ways, %d of them bent", ways, bent);
}

/* The same people get there as along flow fields, and on shorter ways. */
static void as_along_flow_fields(void **state) {
    (void)state;
    int ways = 0, cut_off = 0, longer = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        scene *s = calloc(1, sizeof *s);
        strew(s, seed, 10 + (int)(seed % 5) * 8);
        throng_goal exit = area(s, 11, 3, 12, 3, 12, 6, 11, 6);
        map(s);
        throng_route *fields = throng_route_create(
            &(throng_route_def){.planner = "flow-field", .place = s->place, .walls = s->walls, .crew = s->crew});
        uint64_t n = 1000;
        for (int k = 0; k < 3; k++) {
            double radius = draw(seed, &n, 0.15, 0.35);
            for (int i = 0; i < 10; i++) {
                throng_walker w = somebody(s, exit, radius, seed, &n);
                if (clearance(s, w.at) < radius) continue;
                bool reachable = is_reachable(s, &w);
                bool flows = throng_route_prepare(fields, s->goals, &w, 1) == SIZE_MAX;
                if (reachable != flows)
                    fail_msg("seed %d, from %g %g, radius %g: %s", (int)seed, w.at.x, w.at.y, radius,
                             reachable ? "the flow field knows no way" : "only the flow field knows a way");
                cut_off += !reachable;
                if (!reachable) continue;
                double ours = throng_route_way(s->route, s->goals, &w).distance;
                double theirs = throng_route_way(fields, s->goals, &w).distance;
                ways++;
                double straight = throng_straight_way(s->goals, &w).distance;
                if (ours > 1.03 * theirs + 0.05 || ours < straight - 1e-9)
                    fail_msg("seed %d, from %g %g, radius %g: %g m, %g m along the flow field, %g m straight",
                             (int)seed, w.at.x, w.at.y, radius, ours, theirs, straight);
                /* The flow field avoids narrow passages that are no detour. */
                longer += theirs > 1.05 * ours + 0.1;
            }
        }
        throng_route_destroy(fields);
        take_down(s);
        free(s);
    }
    if (ways < 1000 || cut_off < 100 || longer > ways / 40)
        fail_msg("of %d ways %d are much longer along flow fields; %d cut off", ways, longer, cut_off);
}

/* --- following */

/* Steps a walker along its trail, as a world would. Returns the length of the way, or infinity. */
static double follow(scene *s, throng_walker w, double most) {
    throng_trail trail = {0};
    double length = 0;
    w.trail = &trail;
    for (uint64_t step = 0; length < most; step++) {
        throng_route_update(s->route, s->goals,
                            &(throng_route_crowd){.people.step = step, .people.time = 0.1 * (double)step, .dt = 0.1});
        if (throng_goal_reached(s->route, s->goals, &w)) return length;
        throng_way way = throng_route_way(s->route, s->goals, &w);
        w.at.x += 0.13 * way.direction.x;
        w.at.y += 0.13 * way.direction.y;
        length += 0.13;
        if (way.distance > 0.5 && clearance(s, w.at) < 0.7 * w.radius) fail_msg("%g m from a wall", clearance(s, w.at));
    }
    return INFINITY;
}

/* Doors down to the width of the body, turned: the way on foot is as long as it was said to be. */
static void on_foot_through_doors(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        double width = 0.5 + 0.05 * (i % 9);
        scene *s = calloc(1, sizeof *s);
        s->turn = 0.17 * i;
        walkable(s, 0, 0, 12, 0, 12, 8, 0, 8);
        block(s, 6, -1, 6.2, -1, 6.2, 3 - width / 2, 6, 3 - width / 2);
        block(s, 6, 3 + width / 2, 6.2, 3 + width / 2, 6.2, 9, 6, 9);
        throng_goal exit = area(s, 11, 5, 12, 5, 12, 8, 11, 8);
        map(s);
        for (double y = 0.5; y < 7.6; y += 0.7) {
            throng_walker w = walker_at(s, 0.5, y, exit, 0.25);
            double said = way_of(s, w).distance, walked = follow(s, w, 100);
            if (fabs(walked - said) > 0.02 * said + 0.15)
                fail_msg("door of %g m, turned by %g, from %g: %g m instead of %g", width, s->turn, y, walked, said);
        }
        take_down(s);
        free(s);
    }
}

static void on_foot_in_random_places(void **state) {
    (void)state;
    int walks = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        scene *s = calloc(1, sizeof *s);
        strew(s, seed, 25);
        throng_goal exit = area(s, 11, 3, 12, 3, 12, 6, 11, 6);
        map(s);
        uint64_t n = 5000;
        for (int i = 0; i < 15; i++) {
            throng_walker w = somebody(s, exit, 0.2, seed, &n);
            if (clearance(s, w.at) < 0.2 || !is_reachable(s, &w)) continue;
            double said = throng_route_way(s->route, s->goals, &w).distance, walked = follow(s, w, 200);
            if (walked > 1.05 * said + 0.3)
                fail_msg("seed %d, from %g %g: %g m instead of %g", (int)seed, w.at.x, w.at.y, walked, said);
            walks++;
        }
        take_down(s);
        free(s);
    }
    if (walks < 200) fail_msg("only %d walks", walks);
}

/* Somebody whom a stream carries to the side as it comes to a pillar does not turn back to the corner it has passed,
 * nor go around all of the pillar because the place to leave it was missed. */
static void carried_past_a_pillar(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 6, 0, 6, 12, 0, 12);
    block(s, -1, 10, 2.4, 10, 2.4, 10.2, -1, 10.2);
    block(s, 3.6, 10, 7, 10, 7, 10.2, 3.6, 10.2);
    block(s, 2.8, 4, 3.2, 4, 3.2, 4.4, 2.8, 4.4);
    throng_goal exit = area(s, 5, 11, 6, 11, 6, 12, 5, 12);
    map(s);
    for (double drift = -0.1; drift <= 0.1; drift += 0.005) {
        for (double x = 2.6; x < 3.5; x += 0.07) {
            throng_trail trail = {0};
            throng_walker w = walker_at(s, x, 1, exit, 0.2);
            assert_true(is_reachable(s, &w));
            w.trail = &trail;
            for (uint64_t step = 0; w.at.y < 8; step++) {
                throng_route_update(
                    s->route, s->goals,
                    &(throng_route_crowd){.people.step = step, .people.time = 0.1 * (double)step, .dt = 0.1});
                throng_walker anew = w;
                anew.trail = NULL;
                throng_way way = throng_route_way(s->route, s->goals, &w);
                double least = throng_route_way(s->route, s->goals, &anew).distance;
                if (way.distance > least + 1 || way.direction.y < -0.5 || step > 200)
                    fail_msg("drift %g, from %g: at (%g, %g) towards (%g, %g), %g m instead of %g", drift, x, w.at.x,
                             w.at.y, way.direction.x, way.direction.y, way.distance, least);
                if (step == 0 && (trail.next.x - 3) * drift < 0) break; /* who is carried across to the other side */
                bool carried = w.at.y > 2.5 && w.at.y < 5 && clearance(s, w.at) > 0.3;
                double own = carried ? 0.03 : 0.1;
                w.at.x += own * way.direction.x + (carried ? drift : 0);
                w.at.y += own * way.direction.y + (carried ? 0.1 : 0);
            }
        }
    }
    take_down(s);
    free(s);
}

/* --- changes */

static void new_walls(scene *s, throng_box where) {
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){s->border, s->border_count};
    def.obstacles = s->obstacles;
    def.obstacle_count = s->obstacle_count;
    throng_place *place = throng_place_create(&def, NULL);
    throng_walls *walls = throng_walls_create(place);
    throng_route_change(s->route, place, walls, where);
    throng_walls_destroy(s->walls);
    throng_place_destroy(s->place);
    s->place = place, s->walls = walls;
}

/* Two doors, one of which is shut and opened again: ways are those of a place that was always so. */
static void a_door_that_shuts(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 20, 0, 20, 10, 0, 10);
    block(s, 10, 0, 10.2, 0, 10.2, 2, 10, 2);
    block(s, 10, 3, 10.2, 3, 10.2, 8, 10, 8);
    block(s, 10, 9, 10.2, 9, 10.2, 10, 10, 10);
    throng_goal exit = area(s, 19, 0, 20, 0, 20, 4, 19, 4);
    map(s);
    throng_trail trail = {0};
    throng_walker w = walker_at(s, 8, 4, exit, 0.2);
    w.trail = &trail;
    throng_route_crowd crowd = {.people.step = 5, .people.time = 0.5, .dt = 0.1};
    throng_route_update(s->route, s->goals, &crowd);
    double open = way_of(s, w).distance;
    throng_box door = {{10, 2}, {10.2, 3}};
    for (int i = 0; i < 3; i++) {
        block(s, 10, 2, 10.2, 2, 10.2, 3, 10, 3);
        new_walls(s, door);
        crowd.people.step += 20;
        throng_route_update(s->route, s->goals, &crowd);
        throng_way way = way_of(s, w);
        if (way.distance < open + 3 || way.direction.y < 0.5)
            fail_msg("through a door that is shut: %g m", way.distance);
        s->obstacle_count--;
        new_walls(s, door);
        crowd.people.step += 20;
        throng_route_update(s->route, s->goals, &crowd);
        assert_near(way_of(s, w).distance, open, 1e-9);
    }
    take_down(s);
    free(s);
}

static void a_goal_that_closes(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 20, 0, 20, 10, 0, 10);
    thin_wall(s, 10, 3, 10, 7);
    throng_goal members[] = {area(s, 0, 0, 1, 0, 1, 10, 0, 10), area(s, 19, 0, 20, 0, 20, 10, 19, 10)};
    throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
    map(s);
    throng_walker w = walker_at(s, 5, 5, any, 0.2);
    assert_near(way_of(s, w).direction.x, -1, 1e-9);
    s->goals[members[0]].closed = true;
    throng_route_change(s->route, s->place, s->walls, (throng_box){{1, 1}, {0, 0}});
    assert_true(way_of(s, w).direction.x > 0.5);
    s->goals[members[0]].closed = false;
    throng_route_change(s->route, s->place, s->walls, (throng_box){{1, 1}, {0, 0}});
    assert_near(way_of(s, w).direction.x, -1, 1e-9);
    take_down(s);
    free(s);
}

/* --- same bytes */

static void threads_and_archives_change_nothing(void **state) {
    (void)state;
    enum { PEOPLE = 500 };
    static throng_way first[PEOPLE];
    throng_archive kept = throng_archive_writing();
    for (int run = 0; run < 6; run++) {
        scene *s = calloc(1, sizeof *s);
        strew(s, 7, 30);
        throng_goal goals[2] = {area(s, 11, 3, 12, 3, 12, 6, 11, 6)};
        goals[1] = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.3});
        finish_with(s, "roadmap", run < 5 ? run + 1 : 2);
        static throng_walker w[PEOPLE];
        uint64_t n = 1;
        for (size_t i = 0; i < PEOPLE; i++) w[i] = somebody(s, goals[i % 2], 0.15 + 0.05 * (double)(i % 3), 3, &n);
        throng_archive brought = throng_archive_reading(kept.data, kept.size);
        kept.goal_count = brought.goal_count = (uint32_t)s->goal_count + 1;
        if (run < 5)
            throng_route_prepare(s->route, s->goals, w, PEOPLE);
        else
            throng_route_archive(s->route, s->goals, &brought);
        assert_false(brought.bad);
        for (size_t i = 0; i < PEOPLE; i++) {
            throng_way way = throng_route_way(s->route, s->goals, &w[i]);
            if (run == 0)
                first[i] = way;
            else if (memcmp(&way, &first[i], sizeof way) != 0)
                fail_msg("walker %zu in run %d", i, run);
        }
        if (run == 0) throng_route_archive(s->route, s->goals, &kept);
        take_down(s);
        free(s);
    }
    throng_archive_clear(&kept);
}

/* --- crowds */

/* Two rooms with a door, people in one and an exit in the other, a block between. */
static throng_world *crowd(double door, double angle, double radius, int threads) {
    scene s = {.turn = angle};
    walkable(&s, 0, 0, 14, 0, 14, 8, 0, 8);
    block(&s, 7, -1, 7.2, -1, 7.2, 3 - door / 2, 7, 3 - door / 2);
    block(&s, 7, 3 + door / 2, 7.2, 3 + door / 2, 7.2, 9, 7, 9);
    block(&s, 3, 3, 4, 3, 4, 5, 3, 5);
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){s.border, s.border_count};
    place_def.obstacles = s.obstacles;
    place_def.obstacle_count = s.obstacle_count;
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place, def.planner = "roadmap", def.threads = threads;
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal_def goal_def = throng_default_goal_def();
    throng_point corners[4];
    turn_all(&s, NUMBERS(13, 4, 14, 4, 14, 8, 13, 8), corners);
    goal_def.kind = THRONG_GOAL_AREA, goal_def.ring = (throng_ring){corners, 4}, goal_def.exit = true;
    throng_goal exit = throng_world_add_goal(world, &goal_def);
    for (int i = 0; i < 30; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = turned(&s, 0.5 + 0.8 * (i % 3), 0.5 + 0.75 * (i / 3)), agent.radius = radius;
        agent.journey = &exit, agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    throng_place_destroy(place);
    return world;
}

/* With orca, through doors hardly wider than they are: all leave, nobody is in a wall. */
static void crowds_get_through_doors(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        double door = 0.5 + 0.1 * i;
        throng_world *world = crowd(door, 0.7 * i, 0.2, 1);
        for (int step = 0; step < 2000 && throng_world_stats(world).active > 0; step++) throng_world_step(world);
        throng_stats stats = throng_world_stats(world);
        if (stats.active > 0) fail_msg("door of %g m: %d are still there", door, (int)stats.active);
        assert_true(stats.agent_wall_max_m < 0.01);
        throng_world_destroy(world);
    }
}

static void steps_are_the_same_and_allocate_nothing(void **state) {
    (void)state;
    throng_set_allocator(counting);
    uint64_t digest = 0;
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        throng_world *world = crowd(0.8, 0.3, 0.2, threads);
        for (int step = 0; step < 5; step++) throng_world_step(world);
        size_t before = allocations;
        for (int step = 0; step < 250; step++) throng_world_step(world);
        assert_int_equal(allocations, before);
        assert_true(throng_world_stats(world).arrived > 0);
        if (threads == 1) digest = throng_world_digest(world);
        assert_true(throng_world_digest(world) == digest);
        throng_world_destroy(world);
    }
    throng_set_allocator(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles),
        cmocka_unit_test(bends_of_a_block),
        cmocka_unit_test(bends_of_thin_walls),
        cmocka_unit_test(straight_where_it_can_be),
        cmocka_unit_test(around_the_corner),
        cmocka_unit_test(away_from_a_desk),
        cmocka_unit_test(around_the_corner_to_an_area),
        cmocka_unit_test(around_a_thin_wall),
        cmocka_unit_test(around_a_disc),
        cmocka_unit_test(as_by_brute_force),
        cmocka_unit_test(as_along_flow_fields),
        cmocka_unit_test(on_foot_through_doors),
        cmocka_unit_test(on_foot_in_random_places),
        cmocka_unit_test(carried_past_a_pillar),
        cmocka_unit_test(a_door_that_shuts),
        cmocka_unit_test(a_goal_that_closes),
        cmocka_unit_test(threads_and_archives_change_nothing),
        cmocka_unit_test(crowds_get_through_doors),
        cmocka_unit_test(steps_are_the_same_and_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
