/* decide_avx2.c: the kernel of `powerlaw` for AVX2; the same bits as decide.c. */

#include "models/powerlaw/decide_kernel.h"

const throng_work throng_powerlaw_decide_avx2 = decide;
