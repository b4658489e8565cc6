/* unit_record_docs.c: what docs/formats.md shows is what is read and written. Runs in the source
 * directory, as all unit tests do. */

#include "record_common.h"

/* The text of the first block in the page that begins with ```language. */
static char *block_of(const char *language) {
    char *page = read_text("docs/formats.md"), fence[40];
    assert_non_null(page);
    snprintf(fence, sizeof fence, "\n```%s\n", language);
    char *start = strstr(page, fence);
    if (!start) fail_msg("no block of %s", language);
    start += strlen(fence);
    char *end = strstr(start, "\n```");
    assert_non_null(end);
    end[1] = 0;
    memmove(page, start, strlen(start) + 1);
    return page;
}

static void the_scenario_is_one(void **state) {
    (void)state;
    throng_scenario_def def = throng_default_scenario_def();
    char *text = block_of("jsonc");
    const char *overrides[] = {"dt=0.05", "model.params.time_horizon=2", "agents[0].count=15"};
    def.text = text;
    def.overrides = overrides;
    def.override_count = 3;
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(&def, report);
    if (!scenario) fail_msg("%s", throng_report_message(report, 0).text);
    throng_run_def run = throng_default_run_def();
    run.threads = 1;
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    if (!world) fail_msg("%s", throng_report_message(report, 0).text);
    assert_int_equal(throng_world_view(world).count, 16);
    assert_near(throng_world_dt(world), 0.05, 0);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    free(text);
}

static void the_tables_are_these(void **state) {
    (void)state;
    char *sql = block_of("sql");
    sqlite3 *shown = connect_to(":memory:", SQLITE_OPEN_READWRITE);
    run_sql(shown, sql);
    throng_record_head head = head_of(path_of("tables.sqlite"), &room);
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, NULL);
    assert_non_null(writer);
    assert_true(throng_writer_close(writer, false, NULL));
    sqlite3 *written = connect_to(path_of("tables.sqlite"), SQLITE_OPEN_READONLY);
    const char *tables =
        "SELECT group_concat(replace(replace(sql, char(10), ''), ' ', '')) FROM"
        " (SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name)";
    char expected[1000];
    snprintf(expected, sizeof expected, "%s", ask(shown, tables));
    assert_string_equal(ask(written, tables), expected);
    sqlite3_close(written);
    sqlite3_close(shown);
    free(sql);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenario_is_one),
        cmocka_unit_test(the_tables_are_these),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
