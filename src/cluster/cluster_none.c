/* cluster_none.c: what stands in the place of cluster_mpi.c without MPI: a program that is alone. */

#include "base/report.h"
#include "cluster/cluster.h"

static void swap(void *context, const throng_packet *out, throng_packet *in) {
    (void)context;
    (void)out;
    in[0] = (throng_packet){0};
}

static void share(void *context, throng_packet own, throng_packet *all) {
    (void)context;
    all[0] = own;
}

bool throng_cluster_begin(throng_cluster *cluster, throng_error *error) {
    *cluster = (throng_cluster){.transport = {.part_count = 1, .swap = swap, .share = share}, .beside = 1};
    size_t rank, count = throng_started_with(&rank);
    cluster->transport.part = rank;
    if (count < 2) return true;
    return throng_refuse(error, 0, 0,
                         "it was started %zu times at once, but this throng was built without MPI and would make %zu "
                         "runs of one: build it with -D THRONG_MPI=ON",
                         count, count);
}

int throng_cluster_most(int number) { return number; }

void throng_cluster_abort(int status) { (void)status; }

void throng_cluster_end(void) {}
