/* convert_plan.h: the part of `throng convert` that is about plans. */

#ifndef CLI_CONVERT_PLAN_H
#define CLI_CONVERT_PLAN_H

#include "options.h"

typedef struct plan_options {
    optional_number metres_per_pixel, threshold;
} plan_options;

/* Returns the exit status. */
int convert_plan(const plan_options *options, const char *from, const char *to, bool quiet);

#endif
