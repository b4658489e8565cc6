/* params.h: the parameters of a profile: those of its model, then those of the habits, which are the same for all
 * models. They lie in one block: the model's struct, then the habits' structs in the order of their list. */

#ifndef THRONG_PROFILE_PARAMS_H
#define THRONG_PROFILE_PARAMS_H

#include "models/models.h"
#include "wish/wish.h"

size_t throng_profile_size(const throng_model *model); /* of the block, bytes */
size_t throng_profile_param_count(const throng_model *model);
const throng_param *throng_profile_param(const throng_model *model, size_t index);
double throng_profile_default(const throng_model *model, size_t index);
/* The index of a parameter, or SIZE_MAX. Old names are still known, and `told` then is the new one, else NULL. */
size_t throng_profile_find(const throng_model *model, const char *name, const char **told);

/* Where the value of a parameter lies in a block. */
double *throng_profile_value(const throng_model *model, void *params, size_t index);
/* Where the struct of a habit does. */
const void *throng_profile_habit(const throng_model *model, const void *params, size_t habit);

/* Fills a block with the defaults, then with the settings. False and an error on an unknown name, a value outside the
 * range, or a word that is not one of the choice. */
bool throng_profile_fill(const throng_model *model, void *params, const throng_setting *settings, size_t count,
                         throng_error *error);

#endif
