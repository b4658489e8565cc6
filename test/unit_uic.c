/* The model `uic`: against the oracle, in all ways to compute it, and by what people do. */

#include "model_params.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "counting.h"
#include "dice.h"
#include "golden.h"
#include "model_world.h"
#include "models/models.h"
#include "models/uic/uic.h"
#include "oracle_uic.h"
#include "world/world.h"

#define GOLDEN_DIGEST 0xd180018f737b919fu /* of the crowd below after 60 steps, on every machine */

/* ---- worlds */

static throng_world *make_world(const options *o, throng_profile *profile) {
    return make_model_world("uic", o, profile);
}

static const throng_uic *state_of(const throng_world *world) { return model_state(world, &throng_model_uic); }

static void add_person(throng_world *world, throng_profile profile, throng_goal goal, throng_point at,
                       throng_point target, double radius) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.radius = radius;
    agent.desired_speed = 1.4;
    agent.journey = &goal;
    agent.journey_count = 1;
    throng_world_add_agent(world, &agent);
}

static throng_place *make_box(double side) {
    const throng_point corners[] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    return make_place(corners, 4, NULL, 0);
}

/* People anywhere in a box who all want to its middle, or beyond it. */
static void add_crowd(throng_world *world, throng_profile profile, dice *d, size_t count, double low, double high,
                      double apart) {
    throng_goal goal = add_own_goal(world, false);
    throng_point *at = malloc(count * sizeof *at);
    size_t placed = 0;
    for (int tries = 0; placed < count && tries < 2000000; tries++) {
        throng_point p = {dice_between(d, low, high), dice_between(d, low, high)};
        bool good = true;
        for (size_t i = 0; i < placed && good; i++) good = hypot(p.x - at[i].x, p.y - at[i].y) > apart;
        if (!good) continue;
        at[placed++] = p;
        add_person(world, profile, goal, p, (throng_point){low + high - p.x, low + high - p.y}, 0.25);
    }
    free(at);
    assert_int_equal(placed, count);
}

static double cell_at(const throng_uic *s, size_t offset, double x, double y) {
    double c = floor((x - s->origin_x) / s->cell), r = floor((y - s->origin_y) / s->cell);
    int32_t column = (int32_t)floor(c / THRONG_UIC_TILE), row = (int32_t)floor(r / THRONG_UIC_TILE);
    for (size_t k = 0; k < s->tile_count; k++) {
        const throng_uic_tile *tile = throng_uic_tile_at(s, k);
        if (tile->column != column || tile->row != row) continue;
        const float *field = (const float *)(const void *)((const char *)tile + offset);
        return (double)field[throng_uic_at((int)r - THRONG_UIC_TILE * row, (int)c - THRONG_UIC_TILE * column)];
    }
    return 0;
}

/* ---- the oracle */

static void fill_oracle(oracle_grid *g, const throng_world *world, const throng_uic_params *law, double side) {
    throng_view v = throng_world_view(world);
    g->people = v.count;
    g->alpha = law->alpha;
    g->d_sep = law->d_sep;
    g->sweeps = (int)law->sweeps;
    g->compliance = law->compliance;
    g->dt = 0.05;
    for (size_t i = 0; i < v.count; i++) {
        g->person[i] = (oracle_person){.x = v.x[i], .y = v.y[i], .d = 2 * v.radius[i], .top_speed = 1.4};
        g->person[i].foreign = world->agents.profile[i] == 0;
    }
    int across = (int)floor(side / g->h + 0.5);
    for (int r = 0; r <= ORACLE_CELLS; r++) {
        for (int c = 0; c <= ORACLE_CELLS; c++) {
            if (r < ORACLE_CELLS && c < ORACLE_CELLS) g->free[r][c] = r < across && c < across;
            g->open_u[r][c] = c > 0 && c < across && r < across;
            g->open_v[r][c] = r > 0 && r < across && c < across;
        }
    }
}

/* A crowd that meets in the middle of a box, and some of another model: every step as by the oracle. */
static void oracle(void **unused) {
    (void)unused;
    const throng_setting settings[] = {
        {.name = "tolerance", .number = 2e-6}, {.name = "cell", .number = 2}, {.name = "alpha", .number = 0.45}};
    throng_uic_params law;
    assert_true(fill_params(&throng_model_uic, &law, settings, 3));
    double worst = 0, pressed = 0;
    for (int variant = 0; variant < 4; variant++) {
        dice d = {(uint64_t)variant + 5};
        double side = 40;
        throng_place *place = make_box(side);
        options o = {place, 0.05, 1, variant % 2 ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 3, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        add_crowd(world, profile, &d, 450, 10.5, 26.5, 0.56);
        throng_goal goal = add_own_goal(world, false);
        for (int k = 0; k < 10; k++)
            add_person(world, 0, goal, (throng_point){28 + k % 2, 12.0 + k}, (throng_point){5, 12.0 + k}, 0.2);
        static oracle_grid g;
        g = (oracle_grid){.h = 2};
        for (int step = 0; step < 8; step++) {
            fill_oracle(&g, world, &law, side);
            throng_world_step(world);
            throng_view v = throng_world_view(world);
            for (size_t i = 0; i < v.count; i++) {
                g.person[i].wish_x = v.wish_x[i];
                g.person[i].wish_y = v.wish_y[i];
            }
            oracle_step(&g);
            for (int r = 0; r < ORACLE_CELLS; r++) {
                for (int c = 0; c < ORACLE_CELLS; c++) pressed += g.p[r][c] > 0;
            }
            for (size_t i = 0; i < v.count; i++) {
                double off = hypot(v.x[i] - g.person[i].x, v.y[i] - g.person[i].y);
                worst = fmax(worst, off);
                if (off > 1e-3) fail_msg("variant %d, step %d: person %zu is off by %g m", variant, step, i, off);
            }
        }
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
    assert_true(pressed > 100);
}

/* ---- the golden file */

static void ask_oracle(const golden_file *file, const throng_world *world, const throng_uic_params *law, double side,
                       throng_point *out) {
    static oracle_grid g;
    throng_view v = throng_world_view(world);
    g = (oracle_grid){.h = law->cell};
    fill_oracle(&g, world, law, side);
    g.dt = file->dt;
    for (size_t i = 0; i < file->people; i++) {
        const double *p = file->in[i];
        g.person[i] = (oracle_person){.x = p[0],
                                      .y = p[1],
                                      .wish_x = v.wish_x[i],
                                      .wish_y = v.wish_y[i],
                                      .d = 2 * p[6],
                                      .top_speed = v.desired_speed[i]};
    }
    oracle_step(&g);
    for (size_t i = 0; i < file->people; i++) out[i] = (throng_point){g.person[i].walk_x, g.person[i].walk_y};
}

/* People who press into a corner. The oracle knows walls along lines of the grid and one sub-step; what keeps single
 * people out of walls is not part of it, so nobody gets that near to one. */
static void golden(void **unused) {
    (void)unused;
    const double side = 20;
    golden_file g = golden_read("uic");
    const throng_setting settings[] = {{.name = "tolerance", .number = 1e-6}, {.name = "cell", .number = 1}};
    throng_uic_params law;
    assert_true(fill_params(&throng_model_uic, &law, settings, 2));
    throng_place *place = make_box(side);
    throng_point oracle[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {place, g.dt, 1, simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 2, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false));
        throng_world_step(world);
        golden_velocities(world, found[simd]);
        ask_oracle(&g, world, &law, side, oracle);
        assert_int_equal(state_of(world)->counts.substeps, 1);
        assert_int_equal(state_of(world)->counts.guarded, 0);
        throng_world_destroy(world);
    }
    golden_judge(&g, oracle, 1e-9, found[0], found[1], 2e-5);
    throng_place_destroy(place);
}

/* ---- the solvers */

static void set_clump(throng_world *world, throng_profile profile) {
    dice d = {3};
    add_crowd(world, profile, &d, 800, 10, 33, 0.5);
}

/* All three come to the same pressures, which fulfil the conditions. */
static void solvers(void **unused) {
    (void)unused;
    double highest = 0, worst = 0;
    throng_place *place = make_box(44);
    static float pressures[3][4096];
    for (int solver = 0; solver < 3; solver++) {
        const throng_setting settings[] = {{.name = "tolerance", .number = 1e-6},
                                           {.name = "solver", .number = solver},
                                           {.name = "cell", .number = 1.1},
                                           {.name = "alpha", .number = 0.45},
                                           {.name = "max_iterations", .number = 20000}};
        options o = {place, 0.05, 2, THRONG_SIMD_AUTO, settings, 5, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        set_clump(world, profile);
        throng_world_step(world);
        const throng_uic *s = state_of(world);
        assert_true(s->counts.residual_most < 1e-5);
        for (int k = 0; k < 1600; k++) {
            double x = 1.1 * (k % 40) + 0.5, y = 1.1 * (k / 40) + 0.5;
            float p = (float)cell_at(s, offsetof(throng_uic_tile, pressure[1]), x, y);
            pressures[solver][k] = p;
            highest = fmax(highest, (double)p);
            worst = fmax(worst, fabs((double)(p - pressures[0][k])));
        }
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
    assert_true(highest > 1);
    if (worst > 1e-4 * highest) fail_msg("pressures differ by %g of %g", worst, highest);
}

/* Four times as many as fit into a closed room: no solver fails, nobody leaves, nothing is no number. */
static void overfull(void **unused) {
    (void)unused;
    throng_place *place = make_box(8);
    for (int solver = 0; solver < 3; solver++) {
        const throng_setting settings[] = {{.name = "solver", .number = solver}};
        options o = {place, 0.05, 1, THRONG_SIMD_AUTO, settings, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        dice d = {9};
        add_crowd(world, profile, &d, 530, 0.3, 7.7, 0);
        for (int k = 0; k < 60; k++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        assert_int_equal(throng_world_stats(world).oddities, 0);
        for (size_t i = 0; i < v.count; i++) {
            assert_true(isfinite(v.x[i] + v.y[i] + v.vx[i] + v.vy[i]));
            assert_true(v.x[i] > 0 && v.y[i] > 0 && v.x[i] < 8 && v.y[i] < 8);
        }
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* ---- the grid */

/* Everybody is on the grid as a whole, whatever walls are near. */
static void splat(void **unused) {
    (void)unused;
    throng_point thin[] = {{7.3, -1}, {5.1, 9}}, block[] = {{2.2, 2.1}, {3.4, 2.6}, {2.9, 4.2}};
    throng_obstacle obstacles[] = {{.kind = THRONG_LINE, .ring = {thin, 2}},
                                   {.kind = THRONG_POLYGON, .ring = {block, 3}}};
    const throng_point corners[] = {{-0.3, -0.2}, {12, 0.9}, {11, 13}, {1, 10}};
    throng_place *place = make_place(corners, 4, obstacles, 2);
    for (int variant = 0; variant < 3; variant++) {
        const throng_setting settings[] = {{.name = "cell", .number = 0.7 + variant}};
        options o = {place, 0.01, 1, THRONG_SIMD_AUTO, settings, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        dice d = {(uint64_t)variant};
        double wanted = 0, found = 0;
        for (int k = 0; k < 200; k++) {
            throng_point p = {dice_between(&d, 0, 11), dice_between(&d, 0, 12)};
            if (throng_walls_depth(world->walls, p.x, p.y, 1) < 0.1) continue;
            double radius = dice_between(&d, 0.1, 0.3);
            add_person(world, profile, goal, p, (throng_point){5, 5}, radius);
            wanted += sqrt(3) * 4 * radius * radius;
        }
        throng_world_step(world);
        const throng_uic *s = state_of(world);
        for (size_t k = 0; k < s->tile_count; k++) {
            const throng_uic_tile *tile = throng_uic_tile_at(s, k);
            for (int r = 0; r < THRONG_UIC_TILE; r++) {
                for (int c = 0; c < THRONG_UIC_TILE; c++)
                    found += (double)tile->density[throng_uic_at(r, c)] * s->cell * s->cell;
            }
        }
        assert_near(found, wanted, 1e-4 * wanted);
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* Free parts add up to the area of the place, to the last digits, however it lies to the cells. */
static void areas(void **unused) {
    (void)unused;
    throng_point block[] = {{2.2, 2.1}, {3.4, 2.6}, {2.9, 4.2}, {2.0, 3.9}}, hall[] = {{6, 4}, {8, 4}, {8, 6}, {6, 6}};
    throng_obstacle obstacles[] = {{.kind = THRONG_POLYGON, .ring = {block, 4}},
                                   {.kind = THRONG_POLYGON, .ring = {hall, 4}}};
    const throng_point corners[] = {{0, 0}, {12, 1}, {11, 13}, {1, 10}};
    throng_place *place = make_place(corners, 4, obstacles, 2);
    double area = throng_ring_area((throng_ring){(throng_point *)(uintptr_t)corners, 4}) - 4 -
                  throng_ring_area((throng_ring){block, 4});
    for (int variant = 0; variant < 5; variant++) {
        const throng_setting settings[] = {{.name = "cell", .number = variant == 0 ? 1 : 0.63 + 0.37 * variant}};
        options o = {place, 0.01, 1, THRONG_SIMD_AUTO, settings, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        double found = 0;
        for (int k = 0; k < 1600; k++) {
            throng_point p = {0.3 * (k % 40) + 0.1, 0.3 * (k / 40) + 0.1};
            if (throng_walls_depth(world->walls, p.x, p.y, 1) > 0.05) add_person(world, profile, goal, p, p, 0.05);
        }
        throng_world_step(world);
        const throng_uic *s = state_of(world);
        for (size_t k = 0; k < s->tile_count; k++) {
            const throng_uic_tile *tile = throng_uic_tile_at(s, k);
            for (int r = 0; r < THRONG_UIC_TILE; r++) {
                for (int c = 0; c < THRONG_UIC_TILE; c++)
                    found += (double)tile->free[throng_uic_at(r, c)] * s->cell * s->cell;
            }
        }
        assert_near(found, area, 1e-4);
        if (variant == 0) { /* cells of 1 m: what is seen at once */
            size_t free_ = offsetof(throng_uic_tile, free), u = offsetof(throng_uic_tile, open_u);
            assert_near(cell_at(s, free_, 6.5, 4.5), 0, 1e-6);
            assert_near(cell_at(s, free_, 5.5, 4.5), 1, 1e-6);
            assert_near(cell_at(s, free_, 5.5, 0.5), 0.5 * (7.0 / 12 + 6.0 / 12), 1e-6);
            assert_near(cell_at(s, u, 6.5, 4.5), 0, 1e-6);
            assert_near(cell_at(s, u, 5.5, 0.5), 7.0 / 12, 1e-6);
            assert_near(cell_at(s, u, 5.5, 4.5), 1, 1e-6);
        }
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* The cells that can be reached from one of them through open faces: a flood over a coarse map. */
enum { MAP = 64 };
static size_t flood(const throng_uic *s, throng_point from, bool reached[MAP][MAP]) {
    int stack[MAP * MAP], depth = 0;
    size_t count = 0, u = offsetof(throng_uic_tile, open_u), v = offsetof(throng_uic_tile, open_v);
    memset(reached, 0, MAP * MAP);
    int c0 = (int)floor((from.x - s->origin_x) / s->cell), r0 = (int)floor((from.y - s->origin_y) / s->cell);
    stack[depth++] = r0 * MAP + c0;
    reached[r0][c0] = true;
    while (depth > 0) {
        int at = stack[--depth], r = at / MAP, c = at % MAP;
        count++;
        for (int n = 0; n < 4; n++) {
            int nr = r + (n == 2) - (n == 3), nc = c + (n == 0) - (n == 1);
            if (nr < 0 || nc < 0 || nr >= MAP || nc >= MAP || reached[nr][nc]) continue;
            double x = s->origin_x + s->cell * ((n == 0 ? nc : c) + 0.5);
            double y = s->origin_y + s->cell * ((n == 2 ? nr : r) + 0.5);
            if (!(cell_at(s, n < 2 ? u : v, x, y) > 0)) continue;
            reached[nr][nc] = true;
            stack[depth++] = nr * MAP + nc;
        }
    }
    return count;
}

/* A wall from side to side lets no flux through, however thin it is and however it lies, also along a line of the grid;
 * with a door in it, it does. */
static void sealed(void **unused) {
    (void)unused;
    dice d = {12};
    for (int variant = 0; variant < 52; variant++) {
        bool thick = variant % 2, door = variant % 4 >= 2;
        double cell = dice_between(&d, 0.8, 2.6), a = dice_between(&d, 4, 16), b = dice_between(&d, 4, 16);
        double at = dice_between(&d, 0.3, 0.6), gap = door ? 0.1 : 0;
        if (variant >= 40) cell = 0.4, a = b = 0.4 * (variant - 20), at = 0.4, gap *= 0.5;
        double width = thick ? dice_between(&d, 0.02, 0.9 * cell) : 0;
        throng_point low = {a, 0}, high = {b, 20}, p = {a + (at - gap) * (b - a), 20 * (at - gap)};
        throng_point q = {a + (at + gap) * (b - a), 20 * (at + gap)};
        if (!door) q = p;
        throng_point parts[2][4] = {{low, p, {p.x + width, p.y}, {low.x + width, 0}},
                                    {q, high, {high.x + width, 20}, {q.x + width, q.y}}};
        throng_obstacle walls[2] = {{.kind = thick ? THRONG_POLYGON : THRONG_LINE, .ring = {parts[0], thick ? 4 : 2}},
                                    {.kind = thick ? THRONG_POLYGON : THRONG_LINE, .ring = {parts[1], thick ? 4 : 2}}};
        const throng_point corners[] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}};
        throng_place *place = make_place(corners, 4, walls, 2);
        const throng_setting settings[] = {{.name = "cell", .number = cell}};
        options o = {place, 0.01, 1, THRONG_SIMD_AUTO, settings, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        for (int k = 0; k < 1600; k++) {
            throng_point s = {0.5 * (k % 40) + 0.25, 0.5 * (k / 40) + 0.25};
            if (throng_walls_depth(world->walls, s.x, s.y, 1) > 0.02) add_person(world, profile, goal, s, s, 0.02);
        }
        throng_world_step(world);
        static bool left[MAP][MAP], right[MAP][MAP];
        const throng_uic *s = state_of(world);
        size_t from_left = flood(s, (throng_point){0.3, 10}, left),
               from_right = flood(s, (throng_point){19.7, 10}, right);
        int both = 0;
        for (int k = 0; k < MAP * MAP; k++) both += left[k / MAP][k % MAP] && right[k / MAP][k % MAP];
        if (door ? both == 0 : both > 0)
            fail_msg("variant %d, cells of %g: %zu and %zu cells, %d in common", variant, cell, from_left, from_right,
                     both);
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

/* People of another model take room from cells. */
static void foreign(void **unused) {
    (void)unused;
    const throng_setting settings[] = {{.name = "cell", .number = 2}};
    options o = {NULL, 0.05, 1, THRONG_SIMD_AUTO, settings, 1, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, profile, goal, (throng_point){0.9, 1}, (throng_point){9, 1}, 0.25);
    add_person(world, 0, goal, (throng_point){3, 1}, (throng_point){3, 1}, 0.3);
    throng_world_step(world);
    double area = sqrt(3) * 0.36 / 4;
    assert_near(cell_at(state_of(world), offsetof(throng_uic_tile, room), 3, 1), 1 - area, 1e-5);
    assert_near(cell_at(state_of(world), offsetof(throng_uic_tile, room), 1, 1), 1, 1e-5);
    for (int k = 0; k < 200; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_true(hypot(v.x[0] - 3, v.y[0] - 1) > 0.5); /* it does not walk through */
    throng_world_destroy(world);
}

/* ---- walls */

/* A crowd presses on walls that lie anyhow, at long steps: nobody gets to the other side, and all keep their radius. */
static void walls(void **unused) {
    (void)unused;
    for (int variant = 0; variant < 4; variant++) {
        throng_point thin[] = {{6, 0}, {9.4, 12}}, door[] = {{12, 0}, {12, 7}}, rest[] = {{12, 8.1}, {12, 12}};
        throng_obstacle lines[] = {{.kind = THRONG_LINE, .ring = {thin, 2}},
                                   {.kind = THRONG_LINE, .ring = {door, 2}},
                                   {.kind = THRONG_LINE, .ring = {rest, 2}}};
        const throng_point corners[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
        throng_place *place = make_place(corners, 4, lines, 3);
        options o = {place, variant % 2 ? 0.2 : 0.05, 1, THRONG_SIMD_AUTO, NULL, 0, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        dice d = {(uint64_t)variant};
        size_t count = 0, left = 0;
        for (int k = 0; k < 900; k++) {
            throng_point p = {dice_between(&d, 0.3, 11.7), dice_between(&d, 0.3, 11.7)};
            if (throng_walls_depth(world->walls, p.x, p.y, 1) < 0.2) continue;
            bool is_left = (9.4 - 6) * p.y - 12 * (p.x - 6) > 0;
            add_person(world, profile, goal, p, (throng_point){is_left ? 18 : 15, 6}, 0.18);
            count++;
            left += is_left;
        }
        for (int k = 0; k < (variant % 2 ? 60 : 240); k++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        size_t still = 0;
        assert_int_equal(v.count, count);
        for (size_t i = 0; i < v.count; i++) {
            still += (9.4 - 6) * v.y[i] - 12 * (v.x[i] - 6) > 0;
            assert_true(v.x[i] > 0 && v.x[i] < 20 && v.y[i] > 0 && v.y[i] < 12);
        }
        assert_int_equal(still, left);
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

/* A crowd turns around the ends of a door, at long steps: nor does the straight line of a step come into a wall. */
static void corners(void **unused) {
    (void)unused;
    for (int variant = 0; variant < 2; variant++) {
        throng_point below[] = {{12, 0}, {12, 5}}, above[] = {{12, 7}, {12, 12}};
        throng_obstacle lines[] = {{.kind = THRONG_LINE, .ring = {below, 2}},
                                   {.kind = THRONG_LINE, .ring = {above, 2}}};
        const throng_point outline[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
        throng_place *place = make_place(outline, 4, lines, 2);
        options o = {place, variant ? 0.2 : 0.05, 1, THRONG_SIMD_AUTO, NULL, 0, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        for (int k = 0; k < 200; k++) {
            throng_point p = {6 + 0.45 * (k % 13), 1 + 0.6 * (k / 13)};
            add_person(world, profile, goal, p, (throng_point){12.6, p.y < 6 ? 1 : 11}, 0.18);
        }
        for (int k = 0; k < (variant ? 60 : 240); k++) throng_world_step(world);
        throng_stats stats = throng_world_stats(world);
        throng_view v = throng_world_view(world);
        size_t through = 0;
        for (size_t i = 0; i < v.count; i++) through += v.x[i] > 12;
        if (through < 20) fail_msg("only %zu people got through", through);
        if (stats.swept_wall_max_m > 1e-9) fail_msg("%g m into a wall", stats.swept_wall_max_m);
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

/* ---- speed */

static void note_fullest(void *context, const char *model, const char *name, double value) {
    (void)model;
    if (strcmp(name, "density_overshoot_max") == 0) *(double *)context = value;
}

/* A ring of people closes in. Those inside are not rushed by those behind, and so those behind have to slow down. */
static void closing_in(void **unused) {
    (void)unused;
    options o = {NULL, 0.05, 2, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    for (int ring = 0; ring < 16; ring++) {
        double radius = 14 + 0.72 * ring, turn = 8 * atan(1), count = floor(turn * radius / 0.72);
        for (int k = 0; k < (int)count; k++) {
            double angle = turn * (k + 0.5 * (ring % 2)) / count, x = radius * cos(angle), y = radius * sin(angle);
            add_person(world, profile, goal, (throng_point){x, y}, (throng_point){-x, -y}, 0.25);
        }
    }
    double fullest = 0;
    for (int k = 0; k < 300; k++) throng_world_step(world);
    throng_world_model_figures(world, note_fullest, &fullest);
    if (fullest < 1 || fullest > 1.08) fail_msg("the fullest cell was at %g", fullest);
    throng_world_destroy(world);
}

/* ---- the same in all ways */

static uint64_t run_crowd(int threads, throng_simd simd, int steps) {
    throng_point thin[] = {{30, 18}, {31, 26}};
    throng_obstacle line = {.kind = THRONG_LINE, .ring = {thin, 2}};
    const throng_point corners[] = {{0, 0}, {60, 0}, {60, 44}, {0, 44}};
    throng_place *place = make_place(corners, 4, &line, 1);
    options o = {place, 0.1, threads, simd, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    dice d = {21};
    add_crowd(world, profile, &d, 700, 12, 32, 0.55);
    throng_goal goal = add_own_goal(world, false);
    for (int k = 0; k < 40; k++)
        add_person(world, k % 4 ? profile : 0, goal, (throng_point){34 + 0.9 * (k % 5), 12 + 0.9 * (k / 5)},
                   (throng_point){10, 20}, 0.15 + 0.005 * k);
    for (int k = 0; k < steps; k++) throng_world_step(world);
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    throng_place_destroy(place);
    return digest;
}

/* Who is larger than the first person there was is kept apart from farther away than the bins beside its own. */
static void large_ones(void **unused) {
    (void)unused;
    options o = {.dt = 0.05, .threads = 1};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    const throng_point at[] = {{30, 0}, {0, 0}, {1.3, 0.1}};
    for (int i = 0; i < 3; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.profile = profile;
        agent.at = at[i];
        agent.radius = i ? 0.6 : 0.25;
        throng_world_add_agent(world, &agent);
    }
    for (int step = 0; step < 5; step++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    double apart = hypot(v.x[2] - v.x[1], v.y[2] - v.y[1]);
    if (!(apart > 1.49 && apart < 1.51)) fail_msg("%g m apart", apart); /* d_sep is 1.5 m, a bin 0.69 m */
    throng_world_destroy(world);
}

static void digests(void **unused) {
    (void)unused;
    const int threads[] = {1, 2, 3, 5, 8};
    uint64_t one = run_crowd(1, THRONG_SIMD_PLAIN, 30);
    for (int k = 0; k < 5; k++) assert_int_equal(run_crowd(threads[k], THRONG_SIMD_AUTO, 30), one);
    if (one != GOLDEN_DIGEST) fail_msg("digest 0x%016llx", (unsigned long long)one);
}

/* A crowd that has found its size asks for no more memory. */
static void memory(void **unused) {
    (void)unused;
    throng_set_allocator(counting);
    throng_place *place = make_box(44);
    options o = {place, 0.05, 2, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    set_clump(world, profile);
    for (int k = 0; k < 20; k++) throng_world_step(world);
    allocations = 0;
    for (int k = 0; k < 100; k++) throng_world_step(world);
    assert_int_equal(allocations, 0);
    throng_world_destroy(world);
    throng_place_destroy(place);
    throng_set_allocator(NULL);
}

/* A world that is set back to an earlier state goes on as it did from there. */
static void restart(void **unused) {
    (void)unused;
    options o = {NULL, 0.05, 2, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    set_clump(world, profile);
    for (int k = 0; k < 40; k++) throng_world_step(world);
    throng_checkpoint *kept = throng_world_save(world, NULL);
    assert_non_null(kept);
    for (int k = 0; k < 40; k++) throng_world_step(world);
    uint64_t digest = throng_world_digest(world);
    for (int k = 0; k < 15; k++) throng_world_step(world);
    assert_true(throng_world_load(world, kept, NULL));
    for (int k = 0; k < 40; k++) throng_world_step(world);
    assert_int_equal(throng_world_digest(world), digest);
    throng_checkpoint_destroy(kept);
    throng_world_destroy(world);
}

/* People kilometres apart, or all at one point, or of all sizes: the grid is only where they are, and nothing breaks.
 */
static void scattered(void **unused) {
    (void)unused;
    const throng_setting settings[] = {{.name = "cell", .number = 1e-3}};
    for (int variant = 0; variant < 3; variant++) {
        options o = {NULL, 0.1, 2, THRONG_SIMD_AUTO, settings, variant == 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        dice d = {(uint64_t)variant};
        for (int k = 0; k < 60; k++) {
            throng_point p = {dice_between(&d, -9e7, 9e7), dice_between(&d, -9e7, 9e7)};
            if (variant == 2) p = (throng_point){k % 2 ? 3 : 3.9, 4};
            add_person(world, profile, goal, p, (throng_point){0, 0}, variant ? dice_between(&d, 0.01, 3) : 0.2);
        }
        for (int k = 0; k < 50; k++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        assert_int_equal(throng_world_stats(world).oddities, 0);
        assert_true(state_of(world)->tile_count <= 240);
        for (size_t i = 0; i < v.count; i++) {
            assert_true(isfinite(v.x[i] + v.y[i]));
            for (size_t j = 0; j < i; j++) assert_true(v.x[i] != v.x[j] || v.y[i] != v.y[j]);
        }
        throng_world_destroy(world);
    }
}

/* ---- what people do */

/* The part of all who are nearer than d_min to somebody, over the last 5 s of a run in which a crowd meets. */
static double too_near(const throng_setting *settings, size_t count, double *nearest) {
    throng_place *place = make_box(60);
    options o = {place, 0.05, 2, THRONG_SIMD_AUTO, settings, count, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    dice d = {4};
    add_crowd(world, profile, &d, 900, 15, 45, 0.55);
    size_t below = 0, seen = 0;
    double sum = 0;
    for (int k = 1; k <= 240; k++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count && k >= 140 && k % 20 == 0; i++) {
            double least = 9;
            for (size_t j = 0; j < v.count; j++) {
                if (j != i) least = fmin(least, hypot(v.x[i] - v.x[j], v.y[i] - v.y[j]));
            }
            below += least < 0.5;
            sum += least;
            seen++;
        }
    }
    *nearest = sum / (double)seen / 0.5;
    throng_world_destroy(world);
    throng_place_destroy(place);
    return (double)below / (double)seen;
}

/* Both parts are needed, as in figure 3: without either one, most are too near to somebody. */
static void ablation(void **unused) {
    (void)unused;
    const throng_setting no_grid = {.name = "incompressible", .number = 0},
                         no_pairs = {.name = "separation", .number = 0};
    double nearest, with = too_near(NULL, 0, &nearest);
    if (with > 0.005 || nearest < 1.2 || nearest > 1.35) fail_msg("%g too near, nearest at %g d_min", with, nearest);
    assert_true(too_near(&no_grid, 1, &nearest) > 0.3);
    assert_true(too_near(&no_pairs, 1, &nearest) > 0.5);
}

/* Opposite streams in a corridor: with the convention, both end up on their right. */
static void right_side(void **unused) {
    (void)unused;
    double side[2];
    for (int on = 0; on < 2; on++) {
        const throng_setting settings[] = {{.name = "keep_right", .number = on ? 0.4 : 0}};
        const throng_point corners[] = {{0, 0}, {60, 0}, {60, 10}, {0, 10}};
        throng_place *place = make_place(corners, 4, NULL, 0);
        options o = {place, 0.05, 2, THRONG_SIMD_AUTO, settings, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        dice d = {8};
        for (int k = 0; k < 400; k++) {
            bool east = k % 2;
            throng_point p = {(east ? 8 : 34) + 0.9 * (k / 20), 0.6 + 0.9 * (k / 2 % 10) + dice_between(&d, 0, 0.2)};
            add_person(world, profile, goal, p, (throng_point){east ? 1000 : -1000, p.y}, 0.2);
        }
        for (int k = 0; k < 300; k++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        side[on] = 0;
        for (size_t i = 0; i < v.count; i++) side[on] += (i % 2 ? 5 - v.y[i] : v.y[i] - 5) / (double)v.count;
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
    if (side[1] < side[0] + 0.5) fail_msg("to the right by %g m, without it %g m", side[1], side[0]);
}

/* Two who meet exactly head-on get past each other, on their right. */
static void head_on(void **unused) {
    (void)unused;
    throng_place *place = make_box(20);
    options o = {place, 0.05, 1, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, profile, goal, (throng_point){7, 10}, (throng_point){1000, 10}, 0.25);
    add_person(world, profile, goal, (throng_point){13, 10}, (throng_point){-1000, 10}, 0.25);
    for (int k = 0; k < 120; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    if (v.x[0] < 11 || v.x[1] > 9 || v.y[0] > 10 || v.y[1] < 10)
        fail_msg("after 6 s at (%g, %g) and (%g, %g)", v.x[0], v.y[0], v.x[1], v.y[1]);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),     cmocka_unit_test(head_on),    cmocka_unit_test(oracle),
        cmocka_unit_test(solvers),    cmocka_unit_test(overfull),   cmocka_unit_test(splat),
        cmocka_unit_test(areas),      cmocka_unit_test(sealed),     cmocka_unit_test(foreign),
        cmocka_unit_test(walls),      cmocka_unit_test(large_ones), cmocka_unit_test(digests),
        cmocka_unit_test(memory),     cmocka_unit_test(restart),    cmocka_unit_test(scattered),
        cmocka_unit_test(ablation),   cmocka_unit_test(right_side), cmocka_unit_test(corners),
        cmocka_unit_test(closing_in),
    };
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
