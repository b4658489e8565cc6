/* unit_checkpoint.c: a world that was saved and brought back goes on as the one that was not. */

#include <stdlib.h>
#include <string.h>
#include <throng/model.h>
#include <time.h>

#include "checkpoint_common.h"

/* ------------------------------------------------------------------ the matrix: run 80 = run 40, save, load, run 40 */

/* Scenes that show nothing the small ones do not, only slower. */
static bool is_large(const char *name) {
    static const char *const large[] = {"100k",
                                        "80k",
                                        "25k",
                                        "disc-1m",
                                        "10k",
                                        "stadium",
                                        "-full",
                                        "circle-1000",
                                        "large-space-4",
                                        "large-corner",
                                        "random-250",
                                        "random-500",
                                        "random-1000",
                                        "random-2000",
                                        "implicit/hallway",
                                        "implicit/crossing",
                                        "implicit/evacuation",
                                        "implicit/blocks",
                                        "-passing",
                                        "comparison",
                                        "pbd/ellipsoid",
                                        "-3600",
                                        "cpd/bidirectional",
                                        "cpd/marathon",
                                        "cpd/overcrowded",
                                        "cpd/table1-1000",
                                        "cpd/table1-15",
                                        "cpd/table1-2",
                                        "cpd/table1-5000",
                                        "cpd/million"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        if (strstr(name, large[i])) return true;
    }
    return false;
}

static void every_scene_goes_on_as_before(void **state) {
    (void)state;
    static const int splits[] = {0, 1, 17, 40};
    for (size_t s = 0; s < throng_builtin_count(); s++) {
        const char *name = throng_builtin_name(s);
        if (is_large(name)) continue;
        throng_world *whole = world_of(name, 1);
        run(whole, 80);
        for (size_t k = 0; k < sizeof splits / sizeof *splits; k++) {
            throng_world *first = world_of(name, 2), *second = world_of(name, k % 2 ? 3 : 1);
            run(first, splits[k]);
            throng_checkpoint *saved = throng_world_save(first, NULL);
            load(second, saved);
            expect_same(first, second, name);
            run(second, 80 - splits[k]);
            expect_same(whole, second, name);
            /* Saving was no disturbance. */
            run(first, 80 - splits[k]);
            expect_same(whole, first, name);
            throng_checkpoint_destroy(saved);
            throng_world_destroy(first);
            throng_world_destroy(second);
        }
        throng_world_destroy(whole);
    }
}

/* What was in the world before must not matter: a later state is as good as none. */
static void a_world_can_be_set_back(void **state) {
    (void)state;
    for (size_t s = 0; s < throng_builtin_count(); s++) {
        const char *name = throng_builtin_name(s);
        if (is_large(name)) continue;
        throng_world *world = world_of(name, 2), *fresh = world_of(name, 2);
        run(world, 30);
        throng_checkpoint *saved = throng_world_save(world, NULL);
        run(world, 60);
        load(world, saved);
        load(fresh, saved);
        expect_same(world, fresh, name);
        run(world, 50);
        run(fresh, 50);
        expect_same(world, fresh, name);
        throng_checkpoint_destroy(saved);
        throng_world_destroy(world);
        throng_world_destroy(fresh);
    }
}

/* ------------------------------------------------------------------ scenes in which much happens */

static const char *const scenes[] = {"test/soak/busy.json", "test/soak/field.json", "test/soak/roadmap.json",
                                     "test/soak/periodic.json"};

/* At random steps, other ones every time; a failure tells which. */
static void random_moments(void **state) {
    (void)state;
    uint64_t seed = (uint64_t)time(NULL);
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        throng_world *world = world_of(scenes[s], 2), *second = world_of(scenes[s], 3);
        throng_checkpoint *saved[4];
        int at[4], steps = 0;
        for (int k = 0; k < 4; k++) {
            at[k] = (int)(throng_random(seed, s, (uint64_t)k, 1) * 300);
            for (int other = k; other > 0 && at[other] < at[other - 1]; other--) {
                int swapped = at[other];
                at[other] = at[other - 1];
                at[other - 1] = swapped;
            }
        }
        for (int k = 0; k < 4; k++) {
            run(world, at[k] - steps);
            steps = at[k];
            saved[k] = throng_world_save(world, NULL);
        }
        run(world, 320 - steps);
        /* Back from later ones to earlier ones, in the same world. */
        for (int k = 3; k >= 0; k--) {
            char what[100];
            snprintf(what, sizeof what, "%s saved after %d steps", scenes[s], at[k]);
            load(second, saved[k]);
            run(second, 320 - at[k]);
            expect_same(world, second, what);
            throng_checkpoint_destroy(saved[k]);
        }
        throng_world_destroy(world);
        throng_world_destroy(second);
    }
}

/* ------------------------------------------------------------------ worlds without a scenario */

typedef struct recipe {
    double dt;
    uint64_t seed;
    double width;  /* m, of the room */
    double goal_x; /* m */
    double time_horizon;
    const char *group;
    const char *planner;
} recipe;

static const recipe plain = {0.1, 3, 10, 9, 2, "guests", NULL};

static throng_world *make(recipe r) {
    throng_point corners[] = {{0, 0}, {r.width, 0}, {r.width, 5}, {0, 5}};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){corners, 4};
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.dt = r.dt;
    def.seed = r.seed;
    def.threads = 2;
    def.planner = r.planner;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    throng_setting setting = {.name = "time_horizon", .number = r.time_horizon};
    throng_world_add_profile(world, "orca", &setting, 1);
    throng_world_add_group(world, r.group);
    throng_goal_def goal = throng_default_goal_def();
    goal.name = "there";
    goal.point = (throng_point){r.goal_x, 2.5};
    throng_world_add_goal(world, &goal);
    goal.name = "anywhere";
    goal.kind = THRONG_GOAL_ROAM;
    goal.ring = (throng_ring){corners, 4};
    goal.repeat = true;
    throng_world_add_goal(world, &goal);
    return world;
}

static void add_people(throng_world *world, int count) {
    static const throng_goal journey[] = {1, 2};
    for (int i = 0; i < count; i++) {
        throng_agent_def def = throng_default_agent_def();
        def.at = (throng_point){0.5 + 0.5 * (i % 10), 0.5 + 0.5 * (i / 10)};
        def.profile = (throng_profile)(i % 2);
        def.group = (throng_group)(i % 2);
        def.journey = journey + i % 2;
        def.journey_count = i % 3 ? (size_t)(2 - i % 2) : 0;
        def.start_after = i % 5;
        assert_true(throng_world_add_agent(world, &def) > 0);
    }
}

/* People who were added but not yet prepared for, removed, sent elsewhere: all of it survives. */
static void a_world_in_the_middle_of_changes(void **state) {
    (void)state;
    throng_world *whole = make(plain), *copy = make(plain);
    add_people(whole, 30);
    run(whole, 20);
    add_people(whole, 5);
    assert_true(throng_world_remove_agent(whole, 7));
    assert_true(throng_world_retarget_agent(whole, 3, (throng_goal[]){2}, 1, (throng_point){0, 0}));
    throng_checkpoint *saved = throng_world_save(whole, NULL);
    load(copy, saved);
    expect_same(whole, copy, "changes");
    run(whole, 40);
    run(copy, 40);
    expect_same(whole, copy, "changes");
    /* Both number newcomers alike. */
    add_people(whole, 2);
    add_people(copy, 2);
    run(whole, 5);
    run(copy, 5);
    expect_same(whole, copy, "newcomers");
    throng_checkpoint_destroy(saved);
    throng_world_destroy(whole);
    throng_world_destroy(copy);
}

/* Nobody at all, and a world that was never prepared. */
static void empty_worlds(void **state) {
    (void)state;
    throng_world *empty = make(plain), *full = make(plain), *young = make(plain);
    throng_checkpoint *nobody = throng_world_save(empty, NULL);
    add_people(full, 10);
    run(full, 10);
    load(full, nobody);
    assert_int_equal(throng_world_view(full).count, 0);
    run(full, 3);
    run(empty, 3);
    expect_same(empty, full, "empty");

    add_people(young, 10);
    throng_checkpoint *unprepared = throng_world_save(young, NULL);
    load(full, unprepared);
    run(full, 20);
    run(young, 20);
    expect_same(young, full, "unprepared");
    throng_checkpoint_destroy(nobody);
    throng_checkpoint_destroy(unprepared);
    throng_world_destroy(empty);
    throng_world_destroy(full);
    throng_world_destroy(young);
}

static void another_world_is_refused(void **state) {
    (void)state;
    recipe others[] = {plain, plain, plain, plain, plain, plain, plain};
    static const char *const words[] = {"dt", "seed", "place", "goals", "profiles", "groups", "planner"};
    others[0].dt = 0.05;
    others[1].seed = 4;
    others[2].width = 11;
    others[3].goal_x = 8;
    others[4].time_horizon = 3;
    others[5].group = "staff";
    others[6].planner = "flow-field";
    throng_world *world = make(plain);
    add_people(world, 10);
    run(world, 10);
    throng_checkpoint *saved = throng_world_save(world, NULL);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        throng_world *other = make(others[i]);
        add_people(other, 3);
        uint64_t before = throng_world_digest(other);
        throng_error error = {0};
        assert_false(throng_world_load(other, saved, &error));
        if (!strstr(error.text, words[i])) fail_msg("no word of '%s': %s", words[i], error.text);
        assert_true(throng_world_digest(other) == before);
        throng_world_destroy(other);
    }
    throng_checkpoint_destroy(saved);
    throng_world_destroy(world);
}

/* A state that makes no sense is refused, and the world goes on as if nothing had been. */
static void nonsense_changes_nothing(void **state) {
    (void)state;
    throng_world *world = make(plain), *twin = make(plain);
    add_people(world, 10);
    add_people(twin, 10);
    run(world, 10);
    run(twin, 10);
    throng_checkpoint *saved = throng_world_save(world, NULL);
    size_t size, refused = 0;
    unsigned char *body = throng_checkpoint_body(saved, &size);
    for (size_t at = 0; at < size; at++) {
        body[at] ^= 0xF1;
        throng_error error = {0};
        throng_checkpoint *broken = throng_checkpoint_from_body(body, size, &error);
        bool loaded = broken && throng_world_load(world, broken, &error);
        if (loaded) {
            run(world, 2); /* whatever it is, it can be run */
            load(world, saved);
        } else {
            refused++;
            assert_true(error.text[0]);
        }
        expect_same(world, twin, "nonsense");
        throng_checkpoint_destroy(broken);
        body[at] ^= 0xF1;
    }
    assert_true(refused > size / 4);
    run(world, 10);
    run(twin, 10);
    expect_same(world, twin, "nonsense");
    throng_release(body);
    throng_checkpoint_destroy(saved);
    throng_world_destroy(world);
    throng_world_destroy(twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_goes_on_as_before),
        cmocka_unit_test(a_world_can_be_set_back),
        cmocka_unit_test(random_moments),
        cmocka_unit_test(a_world_in_the_middle_of_changes),
        cmocka_unit_test(empty_worlds),
        cmocka_unit_test(another_world_is_refused),
        cmocka_unit_test(nonsense_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
