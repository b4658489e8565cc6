/* ranks.c: see ranks.h. */

#include "ranks.h"

#include <stdio.h>
#include <throng/cluster.h>
#include <unistd.h>

#include "messages.h"

static throng_cluster cluster = {.transport = {.part_count = 1}, .beside = 1};
static int complaints = STDERR_FILENO; /* where even those go that every rank has to make */

bool ranks_begin(void) {
    throng_error error = {0};
    bool good = throng_cluster_begin(&cluster, &error);
    complaints = dup(STDERR_FILENO);
    /* One of them speaks for all. */
    if (cluster.transport.part > 0 && !freopen("/dev/null", "w", stderr)) return false;
    if (!good) complain("%s", error.text);
    return good;
}

bool ranks_are_several(void) { return cluster.transport.part_count > 1; }

bool ranks_is_first(void) { return cluster.transport.part == 0; }

bool ranks_agree(bool good) { return ranks_are_several() ? throng_cluster_most(!good) == 0 : good; }

void ranks_share_cores(scenario_options *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN), each = cores / (long)cluster.beside;
    if (!ranks_are_several() || options->threads.given) return;
    options->threads.given = true;
    options->threads.value = each < 1 ? 1 : (uint64_t)each;
}

bool ranks_divide(throng_world *world) {
    throng_error error = {0};
    if (!ranks_are_several()) return true;
    bool good = throng_world_join(world, &cluster.transport, &error);
    if (good) throng_world_gather(world); /* until the first step */
    if (!good) complain("%s", error.text);
    return good;
}

void ranks_hold(const throng_world *world) {
    throng_error error = {0};
    if (!ranks_are_several() || throng_world_is_joined(world, &error)) return;
    dprintf(complaints, "throng: error: %s\n", error.text);
    throng_cluster_abort(STATUS_RUN_FAILED);
}

void ranks_end(void) { throng_cluster_end(); }
