/* started.c: see cluster.h. */

#include <stdlib.h>

#include "cluster/cluster.h"

size_t throng_started_with(size_t *rank) {
    /* Open MPI, and those who follow PMI: MPICH, Intel MPI, and Slurm for both. */
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}};
    *rank = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *size = getenv(names[i][0]), *number = getenv(names[i][1]);
        if (!size || !number) continue;
        *rank = strtoul(number, NULL, 10);
        return strtoul(size, NULL, 10);
    }
    return 0;
}
