/* decide.c: the kernel of `powerlaw` in plain C, for any machine. */

#include "models/powerlaw/decide_kernel.h"

const throng_work throng_powerlaw_decide_plain = decide;
