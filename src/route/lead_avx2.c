/* lead_avx2.c: the ways of many along flow fields, for AVX2; the same ways as lead.c. */

#include "route/lead_kernel.h"

const throng_lead throng_lead_avx2 = lead_some;
