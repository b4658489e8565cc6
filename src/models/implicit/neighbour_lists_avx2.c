/* neighbour_lists_avx2.c: neighbour_lists_kernel.h built for AVX2. */

#include "models/implicit/neighbour_lists_kernel.h"

const throng_implicit_list_work throng_implicit_list_work_avx2 = {find_blocks, judge_blocks};
