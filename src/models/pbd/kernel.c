/* kernel.c: the kernels of `pbd` in plain C, for any machine. */

#include "models/pbd/kernel.h"

const throng_pbd_kernel throng_pbd_plain = THRONG_PBD_KERNEL;
