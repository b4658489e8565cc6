/* rows.c: rows_kernel.h in plain C. */

#include "models/implicit/rows_kernel.h"

const throng_implicit_row_work throng_implicit_rows_plain = {evaluate_chunks, multiply_chunks};
