/* kernel_avx2.c: the kernels of `cpd` for AVX2; the same bits as kernel.c. */

#include "models/cpd/sums_kernel.h"

const throng_cpd_kernel throng_cpd_avx2 = THRONG_CPD_KERNEL;
