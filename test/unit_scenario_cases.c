/* unit_scenario_cases.c: scenario files in test/cases/ that say at their top what must come of them:
 *
 *     // error 6:43 agents[0].radius: expected a number from 0.001 to 100 m, found -1
 *     // warning LINE:COLUMN PATH: TEXT, // note LINE:COLUMN PATH: TEXT
 *     // set KEY=VALUE      an override to load it with
 *     // people 40          it loads, and so many people are in its world
 *
 * All messages must be told, and no others come. Files of bad/ must be refused, those of good/ must
 * load. */

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <throng/throng.h>

#include "base/memory.h"
#include "text/file.h"

enum { LINES = 64, SIZE = 600 };

typedef struct expectation {
    char message[LINES][SIZE]; /* "error 6:43 agents[0].radius: ..." */
    bool met[LINES];
    size_t message_count;
    char set[LINES][SIZE];
    const char *overrides[LINES];
    size_t set_count;
    long people; /* -1: not said */
} expectation;

static void read_expectation(const char *text, expectation *out) {
    memset(out, 0, sizeof *out);
    out->people = -1;
    while (strncmp(text, "// ", 3) == 0) {
        const char *end = strchr(text, '\n');
        int length = (int)(end - text - 3);
        assert_true(length < SIZE && out->message_count < LINES);
        if (sscanf(text, "// people %ld", &out->people) == 1) {
        } else if (strncmp(text, "// set ", 7) == 0) {
            snprintf(out->set[out->set_count], SIZE, "%.*s", length - 4, text + 7);
            out->overrides[out->set_count] = out->set[out->set_count];
            out->set_count++;
        } else {
            snprintf(out->message[out->message_count++], SIZE, "%.*s", length, text + 3);
        }
        text = end + 1;
    }
}

/* Ticks off the messages of a report; complains about those nobody expected. */
static int compare(const char *path, const throng_report *report, expectation *expected) {
    static const char *const severities[] = {"note", "warning", "error"};
    int wrong = 0;
    for (size_t i = 0; i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        char line[2 * SIZE];
        snprintf(line, sizeof line, "%s %d:%d %s: %s", severities[m.severity], m.line, m.column, m.path, m.text);
        size_t k = 0;
        while (k < expected->message_count && (expected->met[k] || strcmp(expected->message[k], line) != 0)) k++;
        if (k < expected->message_count) {
            expected->met[k] = true;
        } else {
            print_error("%s: did not expect\n  %s\n", path, line);
            wrong++;
        }
    }
    for (size_t k = 0; k < expected->message_count; k++) {
        if (expected->met[k]) continue;
        print_error("%s: nobody said\n  %s\n", path, expected->message[k]);
        wrong++;
    }
    return wrong;
}

static int check_case(const char *path, bool good) {
    static expectation expected;
    throng_error error;
    size_t length;
    char *text = throng_read_file(path, &length, &error);
    assert_non_null(text);
    read_expectation(text, &expected);
    throng_release(text);

    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.overrides = expected.overrides;
    def.override_count = expected.set_count;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;

    int wrong = compare(path, report, &expected);
    if ((world != NULL) != good) wrong++, print_error("%s: %s\n", path, world ? "it loads" : "it is refused");
    long people = world ? (long)throng_world_view(world).count : -1;
    if (people != expected.people) wrong++, print_error("%s: %ld people, not %ld\n", path, people, expected.people);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return wrong;
}

static void check_folder(const char *folder, bool good, int least) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int cases = 0, wrong = 0;
    for (struct dirent *item; (item = readdir(directory));) {
        size_t length = strlen(item->d_name);
        if (length < 5 || strcmp(item->d_name + length - 5, ".json") != 0) continue;
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        wrong += check_case(path, good);
        cases++;
    }
    closedir(directory);
    assert_int_equal(wrong, 0);
    assert_true(cases >= least);
}

static void test_bad(void **state) {
    (void)state;
    check_folder("test/cases/bad", false, 150);
}

static void test_good(void **state) {
    (void)state;
    check_folder("test/cases/good", true, 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad), cmocka_unit_test(test_good)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
