/* kernel.c: the kernels of `cpd` in plain C, for any machine. */

#include "models/cpd/sums_kernel.h"

const throng_cpd_kernel throng_cpd_plain = THRONG_CPD_KERNEL;
