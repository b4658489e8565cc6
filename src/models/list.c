/* list.c: the models there are. Adding one is adding its line here, in the order of stepping: a
 * later model sees what the earlier ones have decided and keeps clear of them. */

#include "models/models.h"

const throng_model *const throng_models[] = {&throng_model_none,
                                             &throng_model_uic,
                                             &throng_model_cpd,
                                             &throng_model_pbd,
                                             &throng_model_collision_free_speed,
                                             &throng_model_social_force,
                                             &throng_model_powerlaw,
                                             &throng_model_orca,
                                             &throng_model_orca_forces,
                                             &throng_model_implicit,
                                             NULL};
