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
extern const throng_model throng_model_collision_free_speed;
extern const throng_model throng_model_social_force;
extern const throng_model throng_model_orca_forces;
extern const throng_model throng_model_implicit;

#define THRONG_SHOWN_MOST 64 /* lines that one model shows */

/* The place of a model in the stepping order. */
size_t throng_model_rank(const throng_model *model);

/* Why its people cannot have the habit `pace`; NULL: they can. */
static inline const char *throng_model_no_pace(const throng_model *model) {
    return model->sees_nobody ? "see nobody" : model->own_headway ? "keep a headway of their own" : NULL;
}

/* Writes a value. False and an error when it is outside the range, or a word that is not one of the choice. */
bool throng_param_set(const throng_param *param, double *at, const throng_setting *setting, throng_error *error);

#endif
