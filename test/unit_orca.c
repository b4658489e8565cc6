/* The model `orca` as a whole: against the golden file and the oracle, in all ways to compute it,
 * and by what people do. */

#include "golden.h"
#include "oracle_orca.h"
#include "orca_scene.h"

/* ---- the golden file */

enum { GOLDEN_PEOPLE = 16, GOLDEN_NUMBERS = 32 };

static size_t read_numbers(const char *text, double *numbers) {
    size_t count = 0;
    for (char *end; count < GOLDEN_NUMBERS; text = end) {
        numbers[count] = strtod(text, &end);
        if (end == text) break;
        count++;
    }
    return count;
}

static void golden_param(orca_scene *s, const char *word, double value) {
    for (size_t p = 0; p < throng_model_orca.param_count; p++) {
        const throng_param *param = &throng_model_orca.params[p];
        if (strcmp(param->name, word) == 0) memcpy((char *)&s->params + param->offset, &value, sizeof value);
    }
}

/* Reads the scene and what everybody is expected to do. */
static orca_scene *read_golden(pt *expected) {
    FILE *file = fopen("test/golden/orca.txt", "r");
    assert_non_null(file);
    orca_scene *s = scene_create(GOLDEN_PEOPLE, 1);
    size_t people = 0, answers = 0, settled = 0;
    s->place.open = false;
    for (char row[512]; fgets(row, sizeof row, file);) {
        char word[32];
        double n[GOLDEN_NUMBERS];
        int used = 0;
        if (row[0] == '#' || sscanf(row, "%31s%n", word, &used) != 1) continue;
        size_t count = read_numbers(row + used, n);
        throng_point points[GOLDEN_NUMBERS / 2];
        for (size_t i = 0; i < count / 2; i++) points[i] = (throng_point){n[2 * i], n[2 * i + 1]};
        if (strcmp(word, "dt") == 0) s->step.dt = n[0];
        if (strcmp(word, "ring") == 0) scene_add_ring(s, points, count / 2);
        if (strcmp(word, "wall") == 0) scene_add_line(s, points, count / 2);
        if (strcmp(word, "next") == 0) expected[people - 1] = (pt){n[0], n[1]}, answers++;
        golden_param(s, word, n[0]);
        if (strcmp(word, "person") != 0) continue;
        assert_int_equal(count, 9);
        s->x[people] = n[0], s->y[people] = n[1], s->vx[people] = n[2], s->vy[people] = n[3];
        s->wish_x[people] = n[4], s->wish_y[people] = n[5], s->radius[people] = n[6], s->max_speed[people] = n[7];
        s->foreign[people] = n[8] != 0;
        settled += s->foreign[people++];
    }
    fclose(file);
    s->count = people;
    assert_true(people >= 12);
    assert_int_equal(answers + settled, people);
    return s;
}

static void golden(void **unused) {
    (void)unused;
    pt expected[GOLDEN_PEOPLE];
    orca_scene *s = read_golden(expected);
    scene_ready(s);
    size_t hindered = 0, answers = 0;
    throng_point next[GOLDEN_PEOPLE];
    for (size_t i = 0; i < s->count; i++) {
        if (s->foreign[i]) continue;
        pt v = oracle_decide(&s->step, &s->params, i);
        next[answers++] = (throng_point){v.x, v.y};
        if (golden_is_kept) continue;
        assert_near(v.x, expected[i].x, 1e-9);
        assert_near(v.y, expected[i].y, 1e-9);
        hindered += pt_length(pt_sub(v, (pt){s->wish_x[i], s->wish_y[i]})) > 1e-3;
    }
    if (golden_is_kept) golden_write("test/golden/orca.txt", next, answers);
    for (int simd = 0; simd < 2 && !golden_is_kept; simd++) {
        s->step.simd = simd;
        scene_decide(s);
        for (size_t i = 0; i < s->count; i++) {
            if (s->foreign[i]) continue;
            assert_near(s->next_vx[i], expected[i].x, 1e-9);
            assert_near(s->next_vy[i], expected[i].y, 1e-9);
            assert_near(s->next_x[i], s->x[i] + expected[i].x * s->step.dt, 1e-9);
            assert_near(s->next_y[i], s->y[i] + expected[i].y * s->step.dt, 1e-9);
        }
    }
    assert_true(golden_is_kept || hindered >= 8);
    scene_destroy(s);
}

/* ---- a crowd on the move */

/* A room with a pillar, a thin wall and a door to a second room, and people all over the first. */
static orca_scene *make_room(size_t people, int threads) {
    orca_scene *s = scene_create(people, threads);
    s->place.open = false;
    const throng_point outline[] = {{-8, -5}, {0, -5}, {0, -0.6}, {1, -0.6}, {1, -4}, {6, -3},
                                    {6, 4},   {1, 4},  {1, 0.6},  {0, 0.6},  {0, 5},  {-8, 5}};
    scene_add_ring(s, outline, 12);
    scene_add_ring(s, (throng_point[]){{-1.5, -0.3}, {-2, 0.1}, {-1.4, 0.4}}, 3);
    scene_add_line(s, (throng_point[]){{3, -1}, {4, 1}}, 2);
    dice d = {people};
    for (size_t i = 0; i < people; i++) {
        for (bool free_place = false; !free_place;) {
            s->x[i] = dice_between(&d, -7.7, -2.4);
            s->y[i] = dice_between(&d, -4.7, 4.7);
            free_place = true;
            for (size_t j = 0; j < i; j++) free_place &= hypot(s->x[i] - s->x[j], s->y[i] - s->y[j]) > 0.41;
        }
        s->radius[i] = 0.2;
    }
    return s;
}

static void aim_through_door(orca_scene *s) {
    for (size_t i = 0; i < s->count; i++) {
        bool out = s->x[i] > 0.9;
        scene_aim(s, i, out ? 5 : 1.2, out ? 3 - 0.02 * (double)i : 0, 1.3);
    }
}

static double deepest_in_wall(const orca_scene *s) {
    double deepest = -INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        deepest = fmax(deepest, s->radius[i] - throng_walls_depth(s->walls, s->x[i], s->y[i], 1));
    }
    return deepest;
}

static void like_the_oracle_on_the_move(void **unused) {
    (void)unused;
    orca_scene *s = make_room(60, 1);
    size_t decisions = 0, different = 0;
    for (size_t k = 0; k < 120; k++) {
        aim_through_door(s);
        s->step.simd = k % 2;
        scene_decide(s);
        for (size_t i = k % 7; i < s->count; i += 7) {
            pt v = oracle_decide(&s->step, &s->params, i);
            decisions++;
            different += pt_length(pt_sub(v, (pt){s->next_vx[i], s->next_vy[i]})) > 1e-7;
        }
        scene_step(s);
    }
    print_message("%zu of %zu different\n", different, decisions);
    /* few may differ: when one velocity is as good as another, or somebody just touches somebody */
    assert_true(decisions > 900);
    assert_true(different <= decisions / 500);
    scene_destroy(s);
}

static void same_bits_any_way(void **unused) {
    (void)unused;
    enum { PEOPLE = 163, STEPS = 60 };
    static double x[PEOPLE], y[PEOPLE];
    for (int threads = 1; threads <= 5; threads += 2) {
        for (int simd = 0; simd < 2; simd++) {
            orca_scene *s = make_room(PEOPLE, threads);
            s->step.simd = simd;
            for (size_t k = 0; k < STEPS; k++) {
                aim_through_door(s);
                scene_step(s);
            }
            if (threads == 1 && simd == 0) {
                memcpy(x, s->x, sizeof x);
                memcpy(y, s->y, sizeof y);
            }
            assert_memory_equal(x, s->x, sizeof x);
            assert_memory_equal(y, s->y, sizeof y);
            scene_destroy(s);
        }
    }
}

static void nobody_walks_through_walls(void **unused) {
    (void)unused;
    orca_scene *s = make_room(150, 2);
    size_t out = 0;
    for (size_t k = 0; k < 900; k++) {
        aim_through_door(s);
        scene_decide(s);
        for (size_t i = 0; i < s->count; i++) {
            throng_point from = {s->x[i], s->y[i]}, to = {s->next_x[i], s->next_y[i]};
            assert_false(throng_walls_block(s->walls, from, to, 0));
        }
        scene_step(s);
        assert_true(deepest_in_wall(s) < 1e-6);
    }
    for (size_t i = 0; i < s->count; i++) out += s->x[i] > 1;
    print_message("%zu of 150 through the door in 90 s\n", out);
    assert_true(out >= 100);
    scene_destroy(s);
}

/* Anything at all: crowded, overlapping, in the middle of a wall's thickness, with long steps. */
static void nobody_jumps_over_walls(void **unused) {
    (void)unused;
    dice d = {31};
    for (size_t k = 0; k < 300; k++) {
        orca_scene *s = make_room(40, 1);
        s->step.dt = dice_between(&d, 0.05, 2);
        s->step.simd = k % 2;
        s->params.time_horizon_obst = dice_between(&d, 0.01, 1);
        s->params.time_horizon = dice_between(&d, 0.01, 3);
        for (size_t i = 0; i < s->count; i++) {
            s->x[i] = dice_between(&d, -8, 6);
            s->y[i] = dice_between(&d, -5, 5);
            s->vx[i] = dice_between(&d, -3, 3);
            s->vy[i] = dice_between(&d, -3, 3);
            s->wish_x[i] = dice_between(&d, -3, 3);
            s->wish_y[i] = dice_between(&d, -3, 3);
        }
        scene_decide(s);
        for (size_t i = 0; i < s->count; i++) {
            if (!throng_walls_inside(s->walls, s->x[i], s->y[i])) continue;
            throng_point from = {s->x[i], s->y[i]}, to = {s->next_x[i], s->next_y[i]};
            assert_false(throng_walls_block(s->walls, from, to, 0));
            assert_true(hypot(s->next_vx[i], s->next_vy[i]) < s->max_speed[i] + 1e-9);
        }
        scene_destroy(s);
    }
}

/* Walls in pieces so short that nobody can look at all of them. */
static void nobody_jumps_over_fine_walls(void **unused) {
    (void)unused;
    enum { PIECES = 16000 };
    static throng_point corners[PIECES];
    for (size_t i = 0; i < PIECES; i++) { /* a square of 4 m, in pieces of 1 mm */
        double along = 4.0 * (double)(i % (PIECES / 4)) / (PIECES / 4);
        corners[i] = (throng_point[]){{along, 0}, {4, along}, {4 - along, 4}, {0, 4 - along}}[i / (PIECES / 4)];
    }
    dice d = {61};
    orca_scene *s = scene_create(30, 1);
    s->place.open = false;
    scene_add_ring(s, corners, PIECES);
    for (size_t i = 0; i < s->count; i++) s->x[i] = dice_between(&d, 0.3, 3.7), s->y[i] = dice_between(&d, 0.3, 3.7);
    for (size_t k = 0; k < 200; k++) {
        s->step.dt = k % 2 ? 0.1 : 1;
        for (size_t i = 0; i < s->count; i++) {
            s->wish_x[i] = dice_between(&d, -2, 2);
            s->wish_y[i] = dice_between(&d, -2, 2);
        }
        scene_step(s);
        for (size_t i = 0; i < s->count; i++) {
            assert_true(s->x[i] > 0 && s->x[i] < 4);
            assert_true(s->y[i] > 0 && s->y[i] < 4);
        }
    }
    scene_destroy(s);
}

/* ---- who is near */

static void nearest_like_sorting(void **unused) {
    (void)unused;
    dice d = {41};
    for (size_t k = 0; k < 60; k++) {
        size_t count = 2 + (size_t)dice_between(&d, 0, 600);
        orca_scene *s = scene_create(count, 1);
        for (size_t i = 0; i < count; i++) {
            s->x[i] = dice_between(&d, -8, 8);
            s->y[i] = dice_between(&d, -8, 8);
            if (k % 3 == 1) s->x[i] = round(s->x[i]) / 2, s->y[i] = round(s->y[i]) / 2; /* many ties */
            if (k % 3 == 2 && i > 20) s->x[i] = s->y[i] = 3;                            /* hundreds in one place */
        }
        scene_ready(s);
        const throng_near *near = s->step.near;
        oracle_neighbour *all = malloc(count * sizeof *all);
        for (size_t i = 0; i < count; i += 1 + count / 40) {
            size_t limit = (size_t)dice_between(&d, 0, k % 2 ? 100 : 12), found = 0;
            double reach = dice_between(&d, 0.1, k % 4 ? 6 : 40);
            if (k % 7 == 0) reach = i % 2 ? 0 : 1e-30; /* of no use, but allowed */
            for (size_t j = 0; j < count; j++) {
                double dx = s->x[j] - s->x[i], dy = s->y[j] - s->y[i];
                if (j != i && dx * dx + dy * dy < reach * reach)
                    all[found++] = (oracle_neighbour){dx * dx + dy * dy, near->slot[j]};
            }
            qsort(all, found, sizeof *all, oracle_by_distance);
            found = found < limit ? found : limit;
            for (int way = 0; way < 4; way++) {
                double spread = way & 1 ? dice_between(&d, 0, 3) : 0;
                throng_orca_neighbours got;
                const throng_orca_kernel *kernel =
                    way & 2 && throng_wide_supported() ? &throng_orca_avx2 : &throng_orca_plain;
                kernel->nearest(near, near->slot[i], limit, reach, &spread, &got);
                assert_int_equal(got.count, found);
                for (size_t n = 0; n < found; n++) assert_int_equal(got.slot[n], all[n].row);
            }
        }
        free(all);
        scene_destroy(s);
    }
}

/* Looks around, again when there was too little room for lists. */
static void look_until_there_is_room(const throng_orca_kernel *kernel, throng_orca_look *look, size_t count) {
    for (size_t longest = look->list_room; longest > 0;) {
        look->list_room = (longest + 3) / 4 * 4;
        throng_near_lists_make_room(look->lists, count, look->list_room);
        kernel->look_around(look, 0, count, 0);
        longest = 0;
        for (size_t i = 0; i < count; i++) {
            size_t length = look->lists->length[i];
            if (length > look->list_room && length > longest) longest = length;
        }
    }
}

/* Neighbours and lists found in one go are those found one by one. */
static void look_around_like_asking(void **unused) {
    (void)unused;
    dice d = {43};
    throng_near_lists *lists = throng_near_lists_create();
    for (size_t k = 0; k < 60; k++) {
        size_t count = 2 + (size_t)dice_between(&d, 0, 400);
        orca_scene *s = scene_create(count, 1);
        for (size_t i = 0; i < count; i++) {
            s->x[i] = dice_between(&d, -6, 6);
            s->y[i] = dice_between(&d, -6, 6);
            if (k % 3 == 1) s->x[i] = round(s->x[i]) / 2, s->y[i] = round(s->y[i]) / 2; /* many ties */
            if (k % 5 == 2 && i > 20) s->x[i] = s->y[i] = 3;                            /* hundreds in one place */
        }
        s->params.max_neighbours = floor(dice_between(&d, 0, k % 2 ? 100 : 12));
        s->params.neighbour_dist = dice_between(&d, 0.1, 5);
        scene_ready(s);
        const throng_near *near = s->step.near;
        uint32_t *nearest = calloc(count * 100, sizeof *nearest), *found = calloc(count, sizeof *found);
        float *hint = calloc(count, sizeof *hint);
        throng_orca_look look = {.step = &s->step,
                                 .reach = dice_between(&d, 0.2, 1.2),
                                 .lists = lists,
                                 .list_room = 4,
                                 .nearest = nearest,
                                 .count = found,
                                 .room = 100,
                                 .hint = hint};
        for (int way = 0; way < 4; way++) { /* plain and wide, without a hint and with what was found before */
            const throng_orca_kernel *kernel =
                way % 2 && throng_wide_supported() ? &throng_orca_avx2 : &throng_orca_plain;
            if (way == 2) look.list_room = 4;
            look_until_there_is_room(kernel, &look, count);
            for (uint32_t slot = 0; slot < count; slot++) {
                double spread = 0;
                throng_orca_neighbours one;
                kernel->nearest(near, slot, (size_t)s->params.max_neighbours, s->params.neighbour_dist, &spread, &one);
                assert_int_equal(found[slot], one.count);
                assert_memory_equal(nearest + slot * 100, one.slot, one.count * sizeof *one.slot);
                size_t within = 0;
                for (uint32_t j = 0; j < count; j++) {
                    double dx = near->x[j] - near->x[slot], dy = near->y[j] - near->y[slot];
                    within += j != slot && dx * dx + dy * dy < look.reach * look.reach;
                }
                assert_int_equal(lists->length[slot], within);
                const uint32_t *list = lists->slot + lists->start[slot];
                double last2 = -1;
                for (size_t i = 0; i < within; i++) { /* in the order of neighbours */
                    double dx = near->x[list[i]] - near->x[slot], dy = near->y[list[i]] - near->y[slot];
                    double d2 = dx * dx + dy * dy;
                    assert_true(list[i] != slot && d2 < look.reach * look.reach);
                    bool after = d2 > last2 || (d2 == last2 && list[i] > list[i - 1]);
                    assert_true(after || s->params.max_neighbours == 0); /* then in any, but always the same */
                    last2 = d2;
                }
                for (size_t i = within; i % 4; i++) assert_true(list[i] < count);
            }
        }
        free(nearest);
        free(found);
        free(hint);
        scene_destroy(s);
    }
    throng_near_lists_destroy(lists);
}

/* ---- what people do */

/* Walks everybody towards goals until all are there or the time is over; returns the time and the
 * least distance between two centres on the way. */
static double walk(orca_scene *s, const pt *goals, double speed, double seconds, double *least) {
    *least = INFINITY;
    for (double t = 0; t < seconds; t += s->step.dt) {
        bool there = true;
        for (size_t i = 0; i < s->count; i++) {
            if (!s->foreign[i]) scene_aim(s, i, goals[i].x, goals[i].y, speed);
            there = there && (s->foreign[i] || hypot(goals[i].x - s->x[i], goals[i].y - s->y[i]) < 0.1);
            for (size_t j = 0; j < i; j++) *least = fmin(*least, hypot(s->x[i] - s->x[j], s->y[i] - s->y[j]));
        }
        if (there) return t;
        scene_step(s);
    }
    return INFINITY;
}

static void two_pass_each_other(void **unused) {
    (void)unused;
    orca_scene *s = scene_create(2, 1);
    s->x[0] = -5, s->x[1] = 5, s->y[1] = 0.1;
    double least, time = walk(s, (pt[]){{5, 0}, {-5, 0}}, 1.3, 30, &least);
    print_message("passed in %.1f s, %.4f m apart\n", time, least);
    assert_true(time < 9);
    assert_true(least > 0.5 - 1e-6);
    scene_destroy(s);
}

static void around_a_pillar(void **unused) {
    (void)unused;
    orca_scene *s = scene_create(1, 1);
    throng_point corners[16];
    for (size_t c = 0; c < 16; c++) {
        corners[c] = (throng_point){0.4 * cos(-PI / 8 * (double)c), 0.05 + 0.4 * sin(-PI / 8 * (double)c)};
    }
    scene_add_ring(s, corners, 16);
    s->x[0] = -5;
    double nearest = INFINITY, time = 0;
    for (; time < 20 && s->x[0] < 4.9; time += s->step.dt) {
        scene_aim(s, 0, 5, 0, 1.3);
        scene_step(s);
        nearest = fmin(nearest, throng_walls_depth(s->walls, s->x[0], s->y[0], 1));
    }
    print_message("around in %.1f s, %.4f m from the pillar\n", time, nearest);
    assert_true(time < 10);
    assert_true(nearest > 0.25 - 1e-6);
    assert_true(nearest < 0.6);
    scene_destroy(s);
}

/* Claim I7: one against two abreast is held up for seconds. */
static void one_against_two(void **unused) {
    (void)unused;
    orca_scene *s = scene_create(3, 1);
    const double start[3][2] = {{-9, -1}, {-9, 1}, {0, 0}};
    const pt goals[3] = {{9, -1}, {9, 1}, {-10, 0}};
    for (size_t i = 0; i < 3; i++) s->x[i] = start[i][0], s->y[i] = start[i][1], s->radius[i] = 0.75;
    double slow = 0;
    for (size_t k = 0; k < 300; k++) {
        for (size_t i = 0; i < 3; i++) scene_aim(s, i, goals[i].x, goals[i].y, 1.3);
        scene_step(s);
        if (hypot(s->x[2] - goals[2].x, s->y[2] - goals[2].y) > 1 && hypot(s->vx[2], s->vy[2]) < 0.3)
            slow += s->step.dt;
    }
    print_message("slower than 0.3 m/s for %.1f s\n", slow);
    assert_true(slow >= 2);
    assert_true(hypot(s->x[2] + 10, s->y[2]) < 0.2);
    scene_destroy(s);
}

/* Who is settled does not yield, so the other takes all of the way out. */
static void settled_people_are_avoided_wholly(void **unused) {
    (void)unused;
    double aside[2];
    for (int settled = 0; settled < 2; settled++) {
        orca_scene *s = scene_create(2, 1);
        s->x[0] = -4, s->y[0] = 0.1, s->x[1] = 4;
        s->vx[1] = -1.3;
        s->foreign[1] = settled != 0;
        double least;
        aside[settled] = 0;
        for (size_t k = 0; k < 70; k++) {
            scene_aim(s, 0, 8, 0.1, 1.3);
            scene_aim(s, 1, -8, 0, 1.3);
            scene_step(s);
            least = hypot(s->x[0] - s->x[1], s->y[0] - s->y[1]);
            assert_true(least > 0.5 - 1e-6);
            aside[settled] = fmax(aside[settled], s->y[0] - 0.1);
        }
        scene_destroy(s);
    }
    print_message("aside by %.3f m, by %.3f m of one who is settled\n", aside[0], aside[1]);
    assert_true(aside[1] > 1.7 * aside[0]);
    assert_true(aside[1] > 0.35);
}

/* The same scene turned over gives the same velocities turned over, but for who already stands in a
 * corner's way: of the two walls that meet there, the right one takes it. */
static void no_side_is_special(void **unused) {
    (void)unused;
    dice d = {51};
    for (size_t k = 0; k < 200; k++) {
        orca_scene *s[2] = {scene_create(8, 1), scene_create(8, 1)};
        for (size_t i = 0; i < 8; i++) {
            double n[6];
            for (size_t j = 0; j < 6; j++) n[j] = dice_between(&d, -1.5, 1.5);
            for (size_t m = 0; m < 2; m++) {
                double turn = m ? -1 : 1;
                s[m]->x[i] = n[0], s[m]->vx[i] = n[2], s[m]->wish_x[i] = n[4];
                s[m]->y[i] = turn * n[1], s[m]->vy[i] = turn * n[3], s[m]->wish_y[i] = turn * n[5];
            }
        }
        scene_add_ring(s[0], (throng_point[]){{2, -1}, {1.8, 1}, {3, 1.5}, {2.5, 0.2}}, 4);
        scene_add_ring(s[1], (throng_point[]){{2.5, -0.2}, {3, -1.5}, {1.8, -1}, {2, 1}}, 4);
        scene_add_line(s[0], (throng_point[]){{-2, -2}, {-1, -1.5}, {1, -2}}, 3);
        scene_add_line(s[1], (throng_point[]){{-2, 2}, {-1, 1.5}, {1, 2}}, 3);
        for (size_t m = 0; m < 2; m++) scene_decide(s[m]);
        for (size_t i = 0; i < 8; i++) {
            if (throng_walls_depth(s[0]->walls, s[0]->x[i], s[0]->y[i], 1) < s[0]->radius[i]) continue;
            assert_near(s[0]->next_vx[i], s[1]->next_vx[i], 1e-9);
            assert_near(s[0]->next_vy[i], -s[1]->next_vy[i], 1e-9);
        }
        for (size_t m = 0; m < 2; m++) scene_destroy(s[m]);
    }
}

static void fifty_across_a_circle(void **unused) {
    (void)unused;
    enum { PEOPLE = 50 };
    orca_scene *s = scene_create(PEOPLE, 1);
    fill_params(&throng_model_orca, &s->params, NULL, 0);
    pt goals[PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++) {
        pt at = pt_turn((pt){PEOPLE * 0.8 / (2 * PI), 0}, 2 * PI * (double)i / PEOPLE);
        s->x[i] = at.x, s->y[i] = at.y;
        goals[i] = pt_scale(-1, at);
    }
    double least, time = walk(s, goals, 1.3, 120, &least);
    print_message("across in %.1f s, centres at least %.3f m apart\n", time, least);
    assert_true(time < 60);
    assert_true(least > 0.3);
    scene_destroy(s);
}

/* Alone, everybody walks exactly the wish, however slow and however far from the origin. */
static void alone(void **unused) {
    (void)unused;
    orca_scene *s = scene_create(1, 1);
    s->step.dt = 0.01;
    s->x[0] = 5000, s->y[0] = -5000;
    s->wish_x[0] = 0.001;
    for (size_t k = 0; k < 100; k++) scene_step(s);
    assert_near(s->x[0], 5000.001, 1e-9);
    assert_near(s->y[0], -5000, 0);
    s->wish_x[0] = 3, s->wish_y[0] = 4; /* faster than it can */
    scene_step(s);
    assert_near(s->vx[0], 1.2, 1e-12);
    assert_near(s->vy[0], 1.6, 1e-12);
    s->wish_x[0] = s->wish_y[0] = 0;
    s->push_x[0] = 5; /* m/s^2 during 0.01 s */
    scene_step(s);
    assert_near(s->vx[0], 0.05, 1e-12);
    scene_destroy(s);
}

static void piled_up_people_part(void **unused) {
    (void)unused;
    enum { PEOPLE = 30 };
    orca_scene *s = scene_create(PEOPLE, 1); /* all at the origin */
    double least = 0;
    for (size_t k = 0; k < 100; k++) scene_step(s);
    least = INFINITY;
    for (size_t i = 0; i < PEOPLE; i++) {
        for (size_t j = 0; j < i; j++) least = fmin(least, hypot(s->x[i] - s->x[j], s->y[i] - s->y[j]));
    }
    print_message("%.3f m apart\n", least);
    assert_true(least > 0.5 - 1e-3);
    scene_destroy(s);
}

static void those_who_see_nobody_or_cannot_move(void **unused) {
    (void)unused;
    orca_scene *s = scene_create(2, 1);
    s->x[1] = 0.6;
    s->wish_x[0] = 1.3;
    s->max_speed[1] = 0;
    s->wish_x[1] = -1;
    s->params.max_neighbours = 0;
    scene_decide(s);
    assert_true(s->next_vx[0] == 1.3 && s->next_vy[0] == 0);
    assert_true(s->next_vx[1] == 0 && s->next_vy[1] == 0);
    s->params.max_neighbours = 10;
    scene_decide(s);
    assert_true(s->next_vx[0] < 0.5);
    assert_true(s->next_vx[1] == 0 && s->next_vy[1] == 0);
    scene_destroy(s);
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(like_the_oracle_on_the_move),
        cmocka_unit_test(same_bits_any_way),
        cmocka_unit_test(nobody_walks_through_walls),
        cmocka_unit_test(nobody_jumps_over_walls),
        cmocka_unit_test(nobody_jumps_over_fine_walls),
        cmocka_unit_test(nearest_like_sorting),
        cmocka_unit_test(look_around_like_asking),
        cmocka_unit_test(two_pass_each_other),
        cmocka_unit_test(around_a_pillar),
        cmocka_unit_test(one_against_two),
        cmocka_unit_test(settled_people_are_avoided_wholly),
        cmocka_unit_test(no_side_is_special),
        cmocka_unit_test(fifty_across_a_circle),
        cmocka_unit_test(alone),
        cmocka_unit_test(piled_up_people_part),
        cmocka_unit_test(those_who_see_nobody_or_cannot_move),
    };
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
