/* decide_avx2.c: the kernels of orca.h for AVX2; the same bits as decide.c. */

#include "models/orca/decide_kernel.h"

const throng_orca_kernel throng_orca_avx2 = {nearest, look_around, people_lines, choose, decide};
