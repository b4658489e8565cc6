/* params.c: the parameters of a profile, its model's and those of the habits. */

#include "world/params.h"

#include <string.h>

#include "base/report.h"

/* Names of version 0.1, which are read until the next one. */
static const struct {
    const char *old, *now;
} renamed[] = {{"symmetry_noise", "symmetry"}, {"symmetry_angle", "symmetry"}};

size_t throng_habit_count(void) {
    size_t count = 0;
    while (throng_habits[count]) count++;
    return count;
}

const char *throng_habit_name(size_t index) { return throng_habits[index]->name; }
const char *throng_habit_title(size_t index) { return throng_habits[index]->title; }
size_t throng_habit_param_count(size_t index) { return throng_habits[index]->param_count; }

const throng_param *throng_habit_param(size_t habit, size_t index) { return &throng_habits[habit]->params[index]; }

size_t throng_habit_quantity_count(size_t habit) { return throng_habits[habit]->shown_count; }
throng_quantity throng_habit_quantity(size_t habit, size_t index) { return throng_habits[habit]->shown[index].about; }

size_t throng_profile_size(const throng_model *model) {
    size_t size = model->params_size;
    for (size_t h = 0; throng_habits[h]; h++) size += throng_habits[h]->params_size;
    return size;
}

const void *throng_profile_habit(const throng_model *model, const void *params, size_t habit) {
    const char *at = (const char *)params + model->params_size;
    for (size_t h = 0; h < habit; h++) at += throng_habits[h]->params_size;
    return at;
}

size_t throng_profile_param_count(const throng_model *model) {
    size_t count = model->param_count;
    for (size_t h = 0; throng_habits[h]; h++) count += throng_habits[h]->param_count;
    return count;
}

/* A parameter, and where its struct begins in the block. */
static const throng_param *param_at(const throng_model *model, size_t index, size_t *begin) {
    *begin = 0;
    if (index < model->param_count) return &model->params[index];
    index -= model->param_count;
    *begin = model->params_size;
    for (size_t h = 0; throng_habits[h]; h++) {
        if (index < throng_habits[h]->param_count) return &throng_habits[h]->params[index];
        index -= throng_habits[h]->param_count;
        *begin += throng_habits[h]->params_size;
    }
    return NULL;
}

const throng_param *throng_profile_param(const throng_model *model, size_t index) {
    size_t begin;
    return param_at(model, index, &begin);
}

double *throng_profile_value(const throng_model *model, void *params, size_t index) {
    size_t begin;
    const throng_param *param = param_at(model, index, &begin);
    return (double *)(void *)((char *)params + begin + param->offset);
}

/* What a model says of a habit's parameter, or what holds for all. */
static throng_habit_default default_of(const throng_model *model, const throng_param *param) {
    for (size_t i = 0; i < model->habit_count; i++) {
        if (strcmp(model->habits[i].name, param->name) == 0) return model->habits[i];
    }
    return (throng_habit_default){param->name, param->fallback, param->source};
}

double throng_profile_default(const throng_model *model, size_t index) {
    return default_of(model, throng_profile_param(model, index)).number;
}

double throng_model_habit_default(const throng_model *model, size_t habit, size_t index) {
    return default_of(model, throng_habit_param(habit, index)).number;
}

const char *throng_model_habit_source(const throng_model *model, size_t habit, size_t index) {
    return default_of(model, throng_habit_param(habit, index)).source;
}

size_t throng_profile_find(const throng_model *model, const char *name, const char **told) {
    size_t count = throng_profile_param_count(model);
    if (told) *told = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(throng_profile_param(model, i)->name, name) == 0) return i;
    }
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        if (strcmp(renamed[i].old, name) != 0) continue;
        if (told) *told = renamed[i].now;
        return throng_profile_find(model, renamed[i].now, NULL);
    }
    return SIZE_MAX;
}

bool throng_profile_fill(const throng_model *model, void *params, const throng_setting *settings, size_t count,
                         throng_error *error) {
    size_t all = throng_profile_param_count(model);
    for (size_t i = 0; i < all; i++) *throng_profile_value(model, params, i) = throng_profile_default(model, i);
    for (size_t i = 0; i < count; i++) {
        size_t index = throng_profile_find(model, settings[i].name, NULL);
        if (index == SIZE_MAX)
            return throng_refuse(error, 0, 0, "model %s has no parameter '%s'", model->name, settings[i].name);
        double *at = throng_profile_value(model, params, index);
        if (!throng_param_set(throng_profile_param(model, index), at, &settings[i], error)) return false;
    }
    return true;
}
