/* roadmap_sift_avx2.c: those of a crowd who go straight on, for AVX2; the same ways as roadmap_sift.c. */

#include "route/roadmap_sift_kernel.h"

const throng_sift throng_sift_avx2 = sift;
