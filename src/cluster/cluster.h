/* cluster.h: what both kinds of cluster share. */

#ifndef THRONG_SRC_CLUSTER_H
#define THRONG_SRC_CLUSTER_H

#include <throng/cluster.h>

/* How many processes mpirun has started, as it tells each of them, and which one this is; 0: it was not mpirun. */
size_t throng_started_with(size_t *rank);

#endif
