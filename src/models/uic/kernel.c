/* kernel.c: the kernels of `uic` in plain C, for any machine. */

#include "models/uic/kernel.h"

const throng_uic_kernel throng_uic_plain = THRONG_UIC_KERNEL;
