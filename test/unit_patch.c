/* unit_patch.c: obstacles put upon a finished place make the same place as one made with them. */

#include "testing.h"

#include "base/memory.h"
#include "space/line_sweep.h"
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

static void assert_same_rings(const throng_ring *a, const throng_ring *b, size_t count) {
    for (size_t r = 0; r < count; r++) {
        assert_int_equal(a[r].count, b[r].count);
        assert_memory_equal(a[r].points, b[r].points, a[r].count * sizeof *a[r].points);
    }
}

static size_t swept_in_part; /* places, so far */

/* Sweeping only what lies above and below the obstacles leaves every corner as it would be otherwise. */
static throng_place *patch_both_ways(const throng_place *base, const throng_patch *patches, size_t count) {
    throng_ring_contact contact;
    throng_place *whole = throng_place_patch(base, false, patches, count);
    if (!throng_rings_apart(base->rings, base->ring_count, NULL, &contact)) return whole;
    throng_place *part = throng_place_patch(base, true, patches, count);
    assert_int_equal(whole->ring_count, part->ring_count);
    assert_int_equal(whole->line_count, part->line_count);
    assert_same_rings(whole->rings, part->rings, whole->ring_count);
    assert_same_rings(whole->lines, part->lines, whole->line_count);
    throng_place_destroy(part);
    swept_in_part++;
    return whole;
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
    throng_place *patched = patch_both_ways(base, patches, count - fixed);
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

/* A border with many corners, among them some right above each other, around holes with some and with courtyards. */
static throng_place *intricate_place(uint64_t *state, bool open) {
    enum { CORNERS = 60, HOLES = 12, SIDES = 9 };
    throng_point border[CORNERS], corners[2 * HOLES][SIDES];
    throng_obstacle holes[2 * HOLES];
    double mesh = draw(state) < 0.5 ? 0 : 0.25;
    for (size_t i = 0; i < CORNERS; i++) {
        double far = 16 + on_lattice(state, 5, mesh), turn = 6.283185307179586 * (double)i / CORNERS;
        border[i] = (throng_point){far * cos(turn), far * sin(turn)};
    }
    for (size_t h = 0; h < 2 * HOLES; h++) {
        throng_point at = {on_lattice(state, 24, mesh) - 12, on_lattice(state, 24, mesh) - 12};
        for (size_t i = 0; i < SIDES; i++) {
            double far = 0.3 + draw(state), turn = 6.283185307179586 * (double)i / SIDES;
            corners[h][i] = (throng_point){at.x + far * cos(turn), at.y + far * sin(turn)};
        }
        holes[h] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {corners[h], SIDES}};
    }
    throng_place_def def = throng_default_place_def();
    if (!open) def.walkable = (throng_ring){border, CORNERS};
    def.obstacles = holes;
    def.obstacle_count = (size_t)(draw(state) * 2 * HOLES);
    return throng_place_create(&def, NULL);
}

/* Gates of all sizes, some of them thin, some of them large enough to part the place, on their way. */
static void test_swept_in_part(void **context) {
    (void)context;
    uint64_t state = 1000000;
    swept_in_part = 0;
    for (int i = 0; i < 300; i++) {
        throng_place *base = intricate_place(&state, i % 4 == 0);
        for (int move = 0; base && move < 8; move++) {
            enum { MOST = 6 };
            throng_point corners[MOST][4];
            throng_patch gates[MOST];
            size_t count = 1 + (size_t)(draw(&state) * MOST);
            double scale = draw(&state) < 0.3 ? 4 : 1;
            for (size_t g = 0; g < count; g++) {
                throng_obstacle gate = random_obstacle(&state, g % 2 ? 0.25 : 0, corners[g], g % 3 == 0);
                gates[g] = (throng_patch){throng_obstacle_outline(&gate), gate.kind == THRONG_LINE, {0, 0}};
                gates[g].offset = (throng_point){on_lattice(&state, 40, 0.25) - 25, on_lattice(&state, 40, 0.25) - 25};
                for (size_t k = 0; k < gates[g].ring.count; k++) {
                    throng_point *p = (throng_point *)&gates[g].ring.points[k];
                    *p = (throng_point){scale * p->x, p->y};
                }
            }
            throng_place_destroy(patch_both_ways(base, gates, count));
            for (size_t g = 0; g < count; g++) throng_release((void *)gates[g].ring.points);
        }
        throng_place_destroy(base);
    }
    assert_true(swept_in_part > 1500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_made_with_them),
                                       cmocka_unit_test(test_swept_in_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
