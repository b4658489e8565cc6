/* kernel_avx2.c: the kernels of `pbd` for AVX2; the same bits as kernel.c. */

#include "models/pbd/kernel.h"

const throng_pbd_kernel throng_pbd_avx2 = THRONG_PBD_KERNEL;
