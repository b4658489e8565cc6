/* models.h: the models there are, and their parameters. */

#ifndef THRONG_MODELS_H
#define THRONG_MODELS_H

#include <throng/model.h>

/* In stepping order, ended by NULL. */
extern const throng_model *const throng_models[];

extern const throng_model throng_model_none;
extern const throng_model throng_model_uic;
extern const throng_model throng_model_cpd;
extern const throng_model throng_model_pbd;
extern const throng_model throng_model_powerlaw;
extern const throng_model throng_model_orca;
extern const throng_model throng_model_orca_forces;
extern const throng_model throng_model_implicit;

/* The place of a model in the stepping order. */
size_t throng_model_rank(const throng_model *model);

/* Fills a parameter struct with the defaults, then with the settings. False and an error on an
 * unknown name, a value outside the range, or a word that is not one of the choice. */
bool throng_params_fill(const throng_model *model, void *params, const throng_setting *settings, size_t count,
                        throng_error *error);
const throng_param *throng_model_find_param(const throng_model *model, const char *name); /* NULL: none */

#endif
