/* lead.c: the ways of many along flow fields, in plain C. */

#include "route/lead_kernel.h"

const throng_lead throng_lead_plain = lead_some;
