/* The parameters of a model alone, without habits: the defaults, then some settings. */

#ifndef MODEL_PARAMS_H
#define MODEL_PARAMS_H

#include <string.h>

#include "world/params.h"

static inline bool fill_params(const throng_model *model, void *params, const throng_setting *settings, size_t count) {
    double block[256];
    throng_error error;
    bool filled =
        throng_profile_size(model) <= sizeof block && throng_profile_fill(model, block, settings, count, &error);
    if (filled) memcpy(params, block, model->params_size);
    return filled;
}

#endif
