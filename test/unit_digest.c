/* The digest: a sum over people, whatever row they stand in, that misses nothing which is theirs. */

#include "checkpoint_common.h"
#include "world/world.h"

/* Two models, one with private columns; a kiosk where people wait, and an impulse under way. */
static const char kiosk[] =
    "{\"throng\": 1, \"name\": \"kiosk\", \"dt\": 0.05, \"duration\": 100, \"planner\": \"roadmap\", \"seed\": 3,\n"
    " \"walkable_area\": [[0, 0], [20, 0], [20, 10], [0, 10]], \"model\": {\"name\": \"pbd\"},\n"
    " \"profiles\": {\"other\": {\"model\": \"orca\"}},\n"
    " \"goals\": {\"kiosk\": {\"polygon\": [[9, 4], [11, 4], [11, 6], [9, 6]], \"wait\": 4},\n"
    "   \"out\": {\"polygon\": [[19, 0], [20, 0], [20, 10], [19, 10]], \"exit\": true}},\n"
    " \"agents\": [{\"group\": \"a\", \"in\": [[1, 1], [8, 1], [8, 9], [1, 9]], \"count\": 12,\n"
    "     \"journey\": [\"kiosk\", \"out\"]},\n"
    "   {\"group\": \"b\", \"in\": [[12, 1], [18, 1], [18, 9], [12, 9]], \"count\": 8, \"profile\": \"other\",\n"
    "     \"journey\": [\"kiosk\", \"out\"]}]}";

static throng_world *make_kiosk(void) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = kiosk;
    throng_world *world = world_from(&def, 1);
    run(world, 100);
    throng_world_push_agent(world, 3, (throng_point){5, 2});
    return world;
}

/* Everybody goes to the row `by` further on, with all that is its own. */
static void turn_rows(throng_world *world, size_t by) {
    throng_columns *a = &world->agents;
    uint32_t first[64];
    throng_columns_reserve_moves(a);
    size_t rings = 0;
    for (size_t row = 0; row < a->count; row++) a->from[row] = (uint32_t)((row + by) % a->count);
    while (rings == 0 || (rings < by && a->count % by == 0)) {
        first[rings] = (uint32_t)rings;
        rings++;
    }
    throng_columns_move(a, first, rings, 0, throng_columns_count());
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++) {
        for (size_t c = 0; c < kept->column_count; c++)
            throng_column_move(kept->items[c], kept->columns[c].item_size, a->from, first, rings);
    }
    throng_columns_renumber(a);
}

static void is_the_same_in_any_order_of_rows(void **unused) {
    (void)unused;
    throng_world *world = make_kiosk();
    throng_agent first = world->agents.id[0];
    uint64_t whole = throng_world_digest(world), people = throng_world_digest_of_people(world);
    assert_int_equal(world->agents.count, 20);
    for (size_t by = 1; by < 10; by += 3) {
        turn_rows(world, by);
        assert_true(world->agents.id[0] != first && world->agents.shuffled);
        assert_true(throng_world_digest(world) == whole);
        assert_true(throng_world_digest_of_people(world) == people);
    }
    throng_world_destroy(world);
}

/* Whether another bit in an item makes another digest. */
static bool is_noticed(const throng_world *world, void *item) {
    unsigned char *byte = item;
    uint64_t before = throng_world_digest(world);
    *byte ^= 1;
    bool noticed = throng_world_digest(world) != before;
    *byte ^= 1;
    assert_true(throng_world_digest(world) == before);
    return noticed;
}

static void knows_every_column(void **unused) {
    (void)unused;
    static const char out[] =
        " wish_x wish_y force force_x force_y routed next_x next_y next_vx next_vy way likes_speed "
        "limit_speed acting mark region home " /* the last two count where there are regions */;
    throng_world *world = make_kiosk();
    throng_columns *a = &world->agents;
    const struct {
        const char *name;
        void *item;
    } columns[] = {
#define ITEM(type, name) {#name, a->name + 7},
        THRONG_SHOWN_COLUMNS(ITEM) THRONG_OWN_COLUMNS(ITEM)
#undef ITEM
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char word[40];
        if (strcmp(columns[i].name, "journey") == 0) continue; /* an index */
        snprintf(word, sizeof word, " %s ", columns[i].name);
        bool is_out = strstr(out, word) != NULL;
        if (is_noticed(world, columns[i].item) == is_out) fail_msg("%s is missed, or too much", columns[i].name);
    }
    throng_world_destroy(world);
}

static void knows_journeys_and_private_columns(void **unused) {
    (void)unused;
    throng_world *world = make_kiosk();
    throng_columns *a = &world->agents;
    uint64_t before = throng_world_digest(world);
    world->journey_goals[world->journeys[a->journey[7]].first + 1] ^= 1;
    assert_true(throng_world_digest(world) != before);
    world->journey_goals[world->journeys[a->journey[7]].first + 1] ^= 1;
    assert_true(throng_world_digest(world) == before);
    size_t seen = 0;
    for (size_t t = 0; t < world->team_count; t++) {
        const throng_team *team = &world->teams[t];
        for (size_t c = 0; c < team->model->column_count; c++, seen++) {
            char *items = team->kept.items[c];
            size_t size = team->model->columns[c].item_size;
            assert_true(is_noticed(world, items + 7 * size));   /* of the model */
            assert_false(is_noticed(world, items + 15 * size)); /* of the other one */
        }
    }
    assert_true(seen >= 1);
    throng_world_destroy(world);
}

static void tells_who_has_what(void **unused) {
    (void)unused;
    throng_world *world = make_kiosk();
    throng_columns *a = &world->agents;
    uint64_t before = throng_world_digest(world);
    double *columns[] = {a->x, a->vy, a->radius, a->pause_until, a->impulse_x};
    a->pause_until[2] += 1;
    a->radius[2] *= 1.5;
    uint64_t changed = throng_world_digest(world);
    assert_true(changed != before);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        double kept = columns[c][2];
        columns[c][2] = columns[c][5];
        columns[c][5] = kept;
        assert_true(throng_world_digest(world) != changed);
        columns[c][5] = columns[c][2];
        columns[c][2] = kept;
        assert_true(throng_world_digest(world) == changed);
    }
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_in_any_order_of_rows),
        cmocka_unit_test(knows_every_column),
        cmocka_unit_test(knows_journeys_and_private_columns),
        cmocka_unit_test(tells_who_has_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
