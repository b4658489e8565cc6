/* models.h: the models and their parameters as JSON. */

#ifndef CLI_MODELS_H
#define CLI_MODELS_H

#include <stdio.h>
#include <throng/throng.h>

/* All models, or one. */
void models_write(FILE *file, const throng_model *only);

#endif
