/* rows_avx2.c: rows_kernel.h built for AVX2. */

#include "models/implicit/rows_kernel.h"

const throng_implicit_row_work throng_implicit_rows_avx2 = {evaluate_chunks, multiply_chunks};
