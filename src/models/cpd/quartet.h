/* quartet.h: the parameters of four people at once; for kernels. */

#ifndef THRONG_CPD_QUARTET_H
#define THRONG_CPD_QUARTET_H

#include "base/wide.h"
#include "models/cpd/cpd.h"

static const double throng_cpd_slowest = 0.1; /* m/s: who wants to be slower than this yields and brakes like it */

typedef struct throng_cpd_quartet {
    const throng_cpd_params *p[4];
    uint32_t row[4];
    bool alike; /* of one profile */
} throng_cpd_quartet;

static inline void throng_cpd_compare_profiles(throng_cpd_quartet *f) {
    f->alike = f->p[0] == f->p[1] && f->p[0] == f->p[2] && f->p[0] == f->p[3];
}

#define OF_PROFILE(f, field)                 \
    ((f)->alike ? wide_all((f)->p[0]->field) \
                : wide_of((f)->p[0]->field, (f)->p[1]->field, (f)->p[2]->field, (f)->p[3]->field))

#endif
