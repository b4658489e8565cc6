/* kernel.c: the kernels of `cpd` in plain C, for any machine. */

#include "models/cpd/motion_kernel.h"
#include "models/cpd/weights_kernel.h"

const throng_cpd_kernel throng_cpd_plain = {shape_four,       draw_body,    own_pixels,    own_around, own_weighted,
                                            share_out_pixels, block_pixels, smooth_people, steer_four};
