/* kernel.h: all that is built both plain and wide. */

#include "models/pbd/cohesion_kernel.h"
#include "models/pbd/lists_kernel.h"
#include "models/pbd/substeps_kernel.h"
#include "models/pbd/sweeps_kernel.h"

#define THRONG_PBD_KERNEL                                                                                 \
    {                                                                                                     \
        list_chunks, plan_groups, stabilise_groups, long_range_groups, short_range_groups, arrive_groups, \
            cohere_groups, clamp_groups                                                                   \
    }
