/* kernel.h: all that is built both plain and wide. */

#include "models/pbd/cohesion_kernel.h"
#include "models/pbd/lists_kernel.h"
#include "models/pbd/sweeps_kernel.h"

#define THRONG_PBD_KERNEL \
    { list_chunks, stabilise_groups, long_range_groups, short_range_groups, cohere_groups }
