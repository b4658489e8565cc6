/* unit_patch.c: obstacles put upon a finished place make the same place as one made with them. */

#include "testing.h"

#include "base/memory.h"
#include "space/patch.h"
#include "space/walls.h"

static double draw(uint64_t *state) { return throng_random(7, 1, (*state)++, 1); }

/* Coordinates on a coarse lattice, so that outlines touch, coincide and meet in corners all the time. */
static double on_lattice(uint64_t *state, double high, double mesh) {
    double v = draw(state) * high;
    return mesh > 0 ? floor(v / mesh + 0.5) * mesh : v;
}

static throng_obstacle random_obstacle(uint64_t *state, double mesh, throng_point *points, bool turned) {
    double x = on_lattice(state, 10, mesh), y = on_lattice(state, 10, mesh);
    double w = 0.5 + on_lattice(state, 4, mesh), h = 0.5 + on_lattice(state, 4, mesh);
    double tilt = turned ? on_lattice(state, 1, mesh) : 0;
    double kind = draw(state);
    if (kind < 0.15)
        return (throng_obstacle){
            .kind = THRONG_DISC, .centre = {x, y}, .radius = w / 4.3}; /* not flush but for rounding */
    points[0] = (throng_point){x, y};
    points[1] = (throng_point){x + w, y + tilt};
    points[2] = (throng_point){x + w - tilt, y + h + tilt};
    points[3] = (throng_point){x - tilt, y + h};
    if (kind < 0.3) return (throng_obstacle){.kind = THRONG_LINE, .ring = {points, 3}};
    return (throng_obstacle){.kind = THRONG_POLYGON, .ring = {points, 4}};
}

static double area_of(const throng_place *place) {
    double area = 0;
    for (size_t r = 0; r < place->ring_count; r++) area += throng_ring_area(place->rings[r]);
    return area;
}

static double length_of(const throng_place *place) {
    double length = 0;
    for (size_t l = 0; l < place->line_count; l++) {
        for (size_t i = 0; i + 1 < place->lines[l].count; i++) {
            throng_point a = place->lines[l].points[i], b = place->lines[l].points[i + 1];
            length += sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
        }
    }
    return length;
}

/* Whether two places mean the same, as far as walls tell. */
static void compare(const throng_place *a, const throng_place *b, uint64_t *state) {
    /* Gaps of less than 1 mm are closed where a place is made as a whole. */
    if (!a->open) assert_near(area_of(a), area_of(b), 0.01);
    assert_near(length_of(a), length_of(b), 0.01);
    throng_walls *wa = throng_walls_create(a), *wb = throng_walls_create(b);
    for (int i = 0; i < 200; i++) {
        double x = draw(state) * 14 - 2, y = draw(state) * 14 - 2;
        double da = throng_walls_depth(wa, x, y, 3), db = throng_walls_depth(wb, x, y, 3);
        if ((da < 0 && db < 0) || fmax(fabs(da), fabs(db)) < 0.002) continue; /* how deep in walls nobody asks */
        assert_near(da, db, 0.002);
    }
    throng_walls_destroy(wa);
    throng_walls_destroy(wb);
}

/* Some obstacles are part of the base, the others are put upon it. */
static void try_once(uint64_t *state, double mesh, bool open, bool turned) {
    enum { MOST = 8 };
    throng_point corners[MOST][4];
    throng_obstacle obstacles[MOST];
    size_t count = 2 + (size_t)(draw(state) * (MOST - 2)), fixed = (size_t)(draw(state) * (double)count);
    for (size_t i = 0; i < count; i++) obstacles[i] = random_obstacle(state, mesh, corners[i], turned);
    const throng_point area[] = {{0, 0}, {10, 0}, {10, 10}, {6, 10}, {6, 9}, {5, 9}, {5, 10}, {0, 10}};
    throng_place_def def = throng_default_place_def();
    if (!open) def.walkable = (throng_ring){area, 8};
    def.obstacles = obstacles;
    def.obstacle_count = count;
    throng_place *whole = throng_place_create(&def, NULL);
    def.obstacle_count = fixed;
    throng_place *base = throng_place_create(&def, NULL);
    if (!whole || !base) {
        throng_place_destroy(whole);
        throng_place_destroy(base);
        return;
    }
    throng_patch patches[MOST];
    for (size_t i = fixed; i < count; i++) {
        patches[i - fixed] =
            (throng_patch){throng_obstacle_outline(&obstacles[i]), obstacles[i].kind == THRONG_LINE, {0, 0}};
    }
    throng_place *patched = throng_place_patch(base, patches, count - fixed);
    compare(whole, patched, state);
    for (size_t i = fixed; i < count; i++) throng_release((void *)patches[i - fixed].ring.points);
    throng_place_destroy(base);
    throng_place_destroy(whole);
    throng_place_destroy(patched);
}

static void test_same_as_made_with_them(void **context) {
    (void)context;
    const double meshes[] = {0, 0.5, 1};
    uint64_t state = 1;
    for (int i = 0; i < 3000; i++) try_once(&state, meshes[i % 3], i % 5 == 0, i % 2 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_made_with_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
