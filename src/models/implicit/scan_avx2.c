/* scan_avx2.c: scan_kernel.h built for AVX2. */

#include "models/implicit/scan_kernel.h"

const throng_work throng_implicit_scan_avx2 = scan_blocks;
