/* roadmap_sift.c: those of a crowd who go straight on, in plain C. */

#include "route/roadmap_sift_kernel.h"

const throng_sift throng_sift_plain = sift;
