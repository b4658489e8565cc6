/* checkpoint_common.h: what the tests of checkpoints share. */

#ifndef CHECKPOINT_COMMON_H
#define CHECKPOINT_COMMON_H

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "base/memory.h"
#include "checkpoint/checkpoint.h"
#include "testing.h"
#include "world/state.h"

#ifndef MAYBE
#define MAYBE __attribute__((unused))
#endif

/* The world of a built-in scenario or of a text. */
MAYBE static throng_world *world_from(const throng_scenario_def *def, int threads) {
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(def, report);
    throng_run_def run_def = throng_default_run_def();
    run_def.threads = threads;
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run_def, report) : NULL;
    for (size_t i = 0; !world && i < throng_report_count(report); i++)
        print_message("%s\n", throng_report_message(report, i).text);
    assert_non_null(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return world;
}

MAYBE static throng_world *world_of(const char *name, int threads) {
    throng_scenario_def def = throng_default_scenario_def();
    def.path = name;
    return world_from(&def, threads);
}

MAYBE static void run(throng_world *world, int steps) {
    for (int i = 0; i < steps; i++) throng_world_step(world);
}

MAYBE static void load(throng_world *world, const throng_checkpoint *checkpoint) {
    throng_error error = {0};
    if (!throng_world_load(world, checkpoint, &error)) fail_msg("%s", error.text);
}

/* Whether two worlds are in the same state: their digests, and all that is kept of them, byte by byte. */
MAYBE static void expect_same(throng_world *a, throng_world *b, const char *what) {
    if (throng_world_digest(a) != throng_world_digest(b)) fail_msg("%s: the digests differ", what);
    throng_archive p = throng_archive_writing(), q = throng_archive_writing();
    throng_world_archive(a, &p);
    throng_world_archive(b, &q);
    size_t at = 0;
    while (at < p.size && at < q.size && p.data[at] == q.data[at]) at++;
    if (p.size != q.size || at < p.size)
        fail_msg("%s: the states differ at byte %zu of %zu (%zu)", what, at, p.size, q.size);
    throng_archive_clear(&p);
    throng_archive_clear(&q);
}

#endif
