/* pair_assembly.c: pair_assembly_kernel.h in plain C. */

#include "models/implicit/pair_assembly_kernel.h"

const throng_implicit_assembly throng_implicit_assembly_plain = {evaluate_chunks, multiply_chunks};
