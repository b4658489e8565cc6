/* cluster.h: the processes that mpirun has started (ranks) as parts of one crowd (halo.h). Without THRONG_MPI=ON there
 * is never more than one.
 *
 *     throng_cluster cluster;
 *     if (!throng_cluster_begin(&cluster, &error)) ...
 *     if (cluster.transport.part_count > 1) throng_world_join(world, &cluster.transport, &error);
 *     ...
 *     throng_cluster_end();  */

#ifndef THRONG_CLUSTER_H
#define THRONG_CLUSTER_H

#include <throng/halo.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_cluster {
    throng_transport transport; /* one part when the program was started by itself */
    size_t beside;              /* how many of the parts are on this machine */
} throng_cluster;

/* Called once, before anything else is done. False and an error when the program was started by mpirun as one of
 * several, and cannot speak to the others; the first of them is to say so (transport.part is 0). */
THRONG_API bool throng_cluster_begin(throng_cluster *cluster, throng_error *error);
/* The largest of everybody's numbers. */
THRONG_API int throng_cluster_most(int number);
/* Ends the programs of all ranks at once. */
THRONG_API void throng_cluster_abort(int status);
/* Waits for the others. */
THRONG_API void throng_cluster_end(void);

#ifdef __cplusplus
}
#endif

#endif
