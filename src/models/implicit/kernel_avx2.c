/* kernel_avx2.c: the kernels of `implicit` for AVX2; the same bits as kernel.c. */

#include "models/implicit/energy_walls_kernel.h"
#include "models/implicit/neighbour_lists_kernel.h"
#include "models/implicit/pair_assembly_kernel.h"
#include "models/implicit/step_limits_kernel.h"
#include "models/implicit/wall_lists_kernel.h"

const throng_implicit_kernel throng_implicit_avx2 = {find_blocks,    judge_blocks,    front_blocks,
                                                     glance_blocks,  evaluate_chunks, multiply_chunks,
                                                     shorten_blocks, pair_term,       wall_terms};
