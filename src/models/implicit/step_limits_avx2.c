/* step_limits_avx2.c: how much of their steps people may take, for AVX2; the same bits as step_limits.c. */

#include "models/implicit/step_limits_kernel.h"

const throng_work throng_implicit_shorten_avx2 = shorten_blocks;
