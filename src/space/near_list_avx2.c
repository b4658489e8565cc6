/* near_list_avx2.c: lists of those within a reach, for AVX2; the same lists as near_list.c. */

#include "space/near_list_kernel.h"

const throng_work throng_near_list_fill_avx2 = fill_lists;
