/* One crowd in several worlds: the digest of all parts is that of one world after every step, whoever crosses a border,
 * arrives, appears or sees somebody of another part. */

#include "checkpoint_common.h"
#include "halo_parts.h"
#include "world/parts.h"
#include "world/world.h"

typedef struct scene {
    const char *name, *text; /* of a built-in one, or the file */
    const char *model;       /* as --set has it; NULL: its own */
    const char *dt;          /* the same */
    size_t steps;
} scene;

typedef struct outcome {
    uint64_t digest;
    throng_stats stats;
} outcome;

static throng_world *make_world(const scene *s, int threads) {
    throng_scenario_def def = throng_default_scenario_def();
    def.path = s->name;
    def.text = s->text;
    const char *overrides[] = {s->model, s->dt};
    def.overrides = overrides;
    def.override_count = s->dt ? 2 : s->model ? 1 : 0;
    return world_from(&def, threads);
}

static outcome outcome_of(const throng_world *world) {
    return (outcome){throng_world_digest(world), throng_world_stats(world)};
}

/* ------------------------------------------------------------------ parts */

typedef struct part {
    const scene *scene;
    throng_transport transport;
    throng_world *world;
    outcome *outcomes; /* [step] */
    uint64_t handed_over, ghosts, empty;
    throng_error error;
    bool joined;
} part;

static void run_part(void *context) {
    part *p = context;
    p->joined = throng_world_join(p->world, &p->transport, &p->error);
    for (size_t step = 0; step < p->scene->steps && p->joined; step++) {
        throng_world_step(p->world);
        p->outcomes[step] = outcome_of(p->world);
        throng_part_stats stats = throng_world_part_stats(p->world);
        p->handed_over += stats.handed_over;
        p->ghosts += stats.ghosts;
        p->empty += stats.people == 0;
        p->joined = throng_world_is_joined(p->world, &p->error);
    }
    if (p->joined) throng_world_gather(p->world);
}

static void run_parts(part *parts, mail *office, const scene *s, int threads) {
    void *all[PARTS_MOST];
    for (size_t p = 0; p < office->part_count; p++) {
        parts[p] = (part){.scene = s, .transport = mail_transport(office, p), .world = make_world(s, threads)};
        parts[p].outcomes = calloc(s->steps, sizeof *parts[p].outcomes);
        all[p] = &parts[p];
    }
    run_mail(office, run_part, all);
}

static void end_parts(part *parts, mail *office) {
    for (size_t p = 0; p < office->part_count; p++) {
        throng_world_destroy(parts[p].world);
        free(parts[p].outcomes);
    }
    close_mail(office);
}

/* ------------------------------------------------------------------ the same as one */

#define SAME(field)                                                           \
    if (memcmp(&a->stats.field, &b->stats.field, sizeof a->stats.field) != 0) \
    fail_msg("%s, %zu parts, step %zu: " #field " differs", s->name, parts, step + 1)

static void compare(const scene *s, size_t parts, size_t step, const outcome *a, const outcome *b) {
    if (a->digest != b->digest) fail_msg("%s, %zu parts: step %zu differs", s->name, parts, step + 1);
    SAME(initial);
    SAME(spawned);
    SAME(arrived);
    SAME(active);
    SAME(due);
    SAME(oddities);
    SAME(pairs_max);
    SAME(pairs_over_5pct_max);
    SAME(swept_pairs_max);
    SAME(deepest_fraction);
    SAME(agent_wall_max_m);
    SAME(swept_wall_max_m);
    SAME(nearest_gap_m);
    SAME(last_arrival_s);
}

static void run_whole(const scene *s, outcome *outcomes) {
    throng_world *world = make_world(s, 1);
    for (size_t step = 0; step < s->steps; step++) {
        throng_world_step(world);
        outcomes[step] = outcome_of(world);
    }
    throng_world_destroy(world);
}

static void compare_parts(const scene *s, const outcome *whole, mail *office, int threads) {
    part parts[PARTS_MOST];
    run_parts(parts, office, s, threads);
    uint64_t ghosts = 0;
    for (size_t p = 0; p < office->part_count; p++) {
        if (!parts[p].joined) fail_msg("%s: %s", s->name, parts[p].error.text);
        for (size_t step = 0; step < s->steps; step++)
            compare(s, office->part_count, step, &whole[step], &parts[p].outcomes[step]);
        ghosts += parts[p].ghosts;
        assert_int_equal(throng_world_raw_view(parts[p].world).count > 0,
                         p == 0 && whole[s->steps - 1].stats.active > 0);
    }
    assert_true(ghosts > 0 || office->part_count == 1);
    assert_true(throng_world_digest(parts[0].world) == whole[s->steps - 1].digest);
    end_parts(parts, office);
}

static void same_as_one(const scene *s, const size_t *part_counts, size_t count) {
    outcome *whole = calloc(s->steps, sizeof *whole);
    run_whole(s, whole);
    for (size_t i = 0; i < count; i++) {
        mail office = {.part_count = part_counts[i], .draws = i};
        compare_parts(s, whole, &office, i % 2 ? 2 : 1);
    }
    free(whole);
}

static void steps_like_one_world(void **unused) {
    (void)unused;
    static const size_t all[] = {1, 2, 3, 4, 7}, few[] = {2, 7}, two[] = {2};
    const scene scenes[] = {
        {.name = "orca/blocks", .steps = 150},
        {.name = "orca/random-1k", .steps = 20},
        {.name = "demo/bottleneck", .model = "model.name=orca", .steps = 120},
        {.name = "rimea/04-fundamental-diagram-periodic", .model = "model.name=orca", .steps = 60},
        {.name = "people/plaza", .model = "model.name=orca", .steps = 150},
        {.name = "demo/two-exits", .model = "model.name=powerlaw", .steps = 25},
        {.name = "demo/two-exits", .model = "model.name=collision-free-speed", .steps = 25},
        /* in a step people come nearer by more than they are large */
        {.name = "implicit/hallway", .model = "model.name=powerlaw", .dt = "dt=1", .steps = 6},
        {.name = "demo/corner", .model = "model.name=collision-free-speed", .steps = 40},
        {.name = "demo/two-exits", .model = "model.name=social-force", .steps = 25},
        {.name = "people/t-junction", .model = "model.name=powerlaw", .steps = 40},
        {.name = "rimea/07-demographics", .model = "model.name=none", .steps = 200},
    };
    same_as_one(&scenes[0], all, 5);
    for (size_t i = 1; i < sizeof scenes / sizeof *scenes; i++) same_as_one(&scenes[i], few, 2);
    /* in each part so many that rows are put in order of place */
    same_as_one(&(scene){.name = "cpd/table1-20000", .model = "model.name=orca", .steps = 2}, two, 1);
}

/* ------------------------------------------------------------------ what is said */

static void share_alone(void *context, throng_packet own, throng_packet *all) {
    (void)context;
    all[0] = own;
}

static void refuses_what_cannot_be_divided(void **unused) {
    (void)unused;
    static const struct {
        scene scene;
        const char *why;
    } cases[] = {
        {{.name = "demo/bottleneck", .model = "model.name=uic"}, "model 'uic'"},
        {{.name = "uic/mixed-with-orca"}, "several models"},
        {{.name = "forces/wall-holding"}, "objects"},
        {{.name = "demo/evacuation", .model = "model.name=orca"}, "events"},
        {{.name = "rimea/11-exit-choice", .model = "model.name=orca"}, "congestion"},
        {{.name = "implicit/blocks", .model = "model.name=orca"}, "roam"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        throng_world *world = make_world(&cases[i].scene, 1);
        throng_error error = {0};
        assert_false(throng_world_join(world, &(throng_transport){.part_count = 1, .share = share_alone}, &error));
        if (!strstr(error.text, cases[i].why)) fail_msg("%s: %s", cases[i].scene.name, error.text);
        throng_world_step(world); /* it still is a world of its own */
        throng_world_destroy(world);
    }
}

static void join_only(void *context) {
    part *p = context;
    p->joined = throng_world_join(p->world, &p->transport, &p->error);
}

static void refuses_parts_made_otherwise(void **unused) {
    (void)unused;
    static const scene one = {.name = "orca/circle-250"}, other = {.name = "orca/circle-250", .model = "seed=7"};
    static const scene events = {.name = "demo/evacuation", .model = "model.name=orca"};
    const struct {
        const scene *scenes[2];
        const char *why[2];
    } cases[] = {{{&one, &other}, {"another seed", "another seed"}}, {{&one, &events}, {"refused", "events"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mail office = {.part_count = 2};
        part parts[2];
        void *all[] = {&parts[0], &parts[1]};
        for (size_t p = 0; p < 2; p++)
            parts[p] = (part){.transport = mail_transport(&office, p), .world = make_world(cases[i].scenes[p], 1)};
        run_mail(&office, join_only, all);
        for (size_t p = 0; p < 2; p++) {
            assert_false(parts[p].joined);
            if (!strstr(parts[p].error.text, cases[i].why[p])) fail_msg("%s", parts[p].error.text);
        }
        end_parts(parts, &office);
    }
}

/* A part in which somebody was added goes another way than the others. */
static void run_astray(void *context) {
    part *p = context;
    assert_true(throng_world_join(p->world, &p->transport, &p->error));
    for (size_t step = 0; step < p->scene->steps; step++) {
        throng_agent_def one = throng_default_agent_def();
        if (step == 2 && p->transport.part == 1) assert_true(throng_world_add_agent(p->world, &one) > 0);
        throng_world_step(p->world);
        p->joined = throng_world_is_joined(p->world, &p->error);
        assert_int_equal(p->joined, step < 2);
        if (!p->joined) return;
    }
}

static void notices_parts_that_go_astray(void **unused) {
    (void)unused;
    const scene s = {.name = "orca/circle-250", .steps = 5};
    mail office = {.part_count = 3};
    part parts[3];
    void *all[] = {&parts[0], &parts[1], &parts[2]};
    for (size_t p = 0; p < 3; p++)
        parts[p] = (part){.scene = &s, .transport = mail_transport(&office, p), .world = make_world(&s, 1)};
    run_mail(&office, run_astray, all);
    for (size_t p = 0; p < 3; p++) assert_non_null(strstr(parts[p].error.text, "different ways"));
    end_parts(parts, &office);
}

/* Boxes hold the whole plane, each point once, and about as many people each. */
static void cuts_the_plane(void **unused) {
    (void)unused;
    enum { SIDE = 40, PARTS = 7 };
    throng_parts_square squares[SIDE * SIDE];
    const throng_box plane = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    throng_box boxes[PARTS];
    uint64_t people[PARTS] = {0}, sum = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        squares[i] = (throng_parts_square){i % SIDE - 11, i / SIDE - 30, (uint32_t)(i * i % 97)};
    throng_parts_cut(squares, SIDE * SIDE, 8, plane, boxes, PARTS);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        size_t holders = 0;
        for (size_t p = 0; p < PARTS; p++) {
            if (!throng_part_holds(boxes[p], 8 * squares[i].column + 4, 8 * squares[i].row + 4)) continue;
            people[p] += squares[i].people;
            holders++;
        }
        assert_int_equal(holders, 1);
        sum += squares[i].people;
    }
    for (size_t p = 0; p < PARTS; p++) assert_near((double)people[p] * PARTS / (double)sum, 1, 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_like_one_world),
        cmocka_unit_test(refuses_what_cannot_be_divided),
        cmocka_unit_test(refuses_parts_made_otherwise),
        cmocka_unit_test(notices_parts_that_go_astray),
        cmocka_unit_test(cuts_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
