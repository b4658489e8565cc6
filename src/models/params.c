/* params.c: what can be asked about models, and filling their parameters by name. */

#include <math.h>
#include <string.h>

#include "base/report.h"
#include "models/models.h"

const throng_model *throng_model_named(const char *name) {
    for (size_t i = 0; i < throng_model_count(); i++) {
        if (strcmp(throng_model_at(i)->name, name) == 0) return throng_model_at(i);
    }
    return NULL;
}

size_t throng_model_rank(const throng_model *model) {
    size_t rank = 0;
    while (rank < throng_model_count() && throng_model_at(rank) != model) rank++;
    return rank;
}

const char *throng_model_name(const throng_model *model) { return model->name; }
const char *throng_model_title(const throng_model *model) { return model->title; }
const char *throng_model_citation(const throng_model *model) { return model->citation; }
double throng_model_default_dt(const throng_model *model) { return model->default_dt; }
size_t throng_model_quantity_count(const throng_model *model) { return model->shown_count; }

throng_quantity throng_model_quantity(const throng_model *model, size_t index) { return model->shown[index].about; }

size_t throng_model_param_count(const throng_model *model) { return model->param_count; }

const throng_param *throng_model_param(const throng_model *model, size_t index) {
    return index < model->param_count ? &model->params[index] : NULL;
}

/* The index of a word among the choices, or -1. */
static int word_index(const throng_param *param, const char *word) {
    for (int i = 0; param->words && param->words[i]; i++) {
        if (strcmp(param->words[i], word) == 0) return i;
    }
    return -1;
}

bool throng_param_set(const throng_param *param, double *at, const throng_setting *setting, throng_error *error) {
    double value = setting->number;
    if (setting->word) {
        if (param->kind == THRONG_PARAM_MAP) {
            return throng_refuse(error, 0, 0, "%s takes the number of a map, not '%s'", param->name, setting->word);
        }
        if (param->kind != THRONG_PARAM_CHOICE) {
            return throng_refuse(error, 0, 0, "%s takes a number, not '%s'", param->name, setting->word);
        }
        value = word_index(param, setting->word);
        if (value < 0) return throng_refuse(error, 0, 0, "%s cannot be '%s'", param->name, setting->word);
    }
    if (!(value >= param->low && value <= param->high)) {
        return throng_refuse(error, 0, 0, "%s must be between %g and %g %s, not %g", param->name, param->low,
                             param->high, param->unit, value);
    }
    if (param->kind != THRONG_PARAM_NUMBER && value != floor(value)) {
        return throng_refuse(error, 0, 0, "%s must be a whole number, not %g", param->name, value);
    }
    *at = value;
    return true;
}
