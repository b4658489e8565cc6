/* pair_assembly_avx2.c: pair_assembly_kernel.h built for AVX2. */

#include "models/implicit/pair_assembly_kernel.h"

const throng_implicit_assembly throng_implicit_assembly_avx2 = {evaluate_chunks, multiply_chunks};
