/* scan_avx2.c: scan_kernel.h built for AVX2. */

#include "models/implicit/scan_kernel.h"

const throng_implicit_scans throng_implicit_scans_avx2 = {find_blocks, judge_blocks};
