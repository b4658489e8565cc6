/* 03_scenario.c: run a scenario file or a built-in scenario and count who has arrived.
 *
 *     03_scenario [SCENARIO [KEY=VALUE]...] */

#include <stdio.h>
#include <throng/throng.h>

static void print_report(const throng_report *report) {
    for (size_t i = 0; i < throng_report_count(report); i++) {
        throng_message message = throng_report_message(report, i);
        const char *kind[] = {"note", "warning", "error"};
        fprintf(stderr, "%d:%d: %s: %s\n", message.line, message.column, kind[message.severity], message.text);
    }
}

int main(int argc, char **argv) {
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = argc > 1 ? argv[1] : "demo/corner";
    def.overrides = argc > 2 ? (const char *const *)&argv[2] : NULL;
    def.override_count = argc > 2 ? (size_t)(argc - 2) : 0;

    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    print_report(report);
    throng_report_destroy(report);
    if (!world) return 2;

    while (!throng_world_is_done(world) && throng_world_time(world) < throng_scenario_duration(scenario)) {
        throng_world_step(world);
    }

    throng_stats stats = throng_world_stats(world);
    printf("%s: %d of %d people arrived, the last after %.1f s; %d steps, digest %016llx\n",
           throng_scenario_name(scenario), (int)stats.arrived, (int)stats.initial, stats.last_arrival_s,
           (int)stats.steps, (unsigned long long)throng_world_digest(world));
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    return 0;
}
