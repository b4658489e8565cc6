/* wall_lists_avx2.c: which walls can matter, for AVX2; the same bits as wall_lists.c. */

#include "models/implicit/wall_lists_kernel.h"

const throng_wall_lists_kernel *const throng_wall_lists_avx2 = &kernel;
