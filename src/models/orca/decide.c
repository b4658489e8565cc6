/* decide.c: the kernels of orca.h in plain C, for any machine. */

#include "models/orca/decide_kernel.h"

const throng_orca_kernel throng_orca_plain = {nearest, look_around, people_lines, choose, decide};
