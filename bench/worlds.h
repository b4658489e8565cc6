/* worlds.h: worlds of scenarios, for benchmarks. */

#ifndef BENCH_WORLDS_H
#define BENCH_WORLDS_H

#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>

/* Ends the program, with what is wrong, when the scenario is refused. */
static inline throng_world *bench_world(const throng_scenario_def *def, throng_simd simd, int threads) {
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(def, report);
    throng_run_def run = throng_default_run_def();
    run.threads = threads;
    run.simd = simd;
    run.check = false;
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    for (size_t k = 0; !world && k < throng_report_count(report); k++)
        fprintf(stderr, "%s\n", throng_report_message(report, k).text);
    if (!world) exit(1);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return world;
}

#endif
