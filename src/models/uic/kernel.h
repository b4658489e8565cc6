/* kernel.h: all that is built both plain and wide. */

#include "models/uic/line_kernel.h"
#include "models/uic/pairs_kernel.h"
#include "models/uic/relax_kernel.h"
#include "models/uic/splat_kernel.h"
#include "models/uic/walk_kernel.h"

#define THRONG_UIC_KERNEL \
    { count_people, line_up_people, sort_people, push_tile, walk_tile, splat_tile, sweep_sheet, rest_of_sheet }
