/* decide.c: the kernels of `orca` in plain C, for any machine. */

#include "models/orca/decide_kernel.h"

const throng_orca_kernel throng_orca_plain = {nearest, people_lines, choose, decide};
