/* kernel_avx2.c: the kernels of `uic` for AVX2; the same bits as kernel.c. */

#include "models/uic/kernel.h"

const throng_uic_kernel throng_uic_avx2 = THRONG_UIC_KERNEL;
