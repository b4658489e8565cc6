/* weights.c: weight maps, made ready for the kernels (weights_kernel.h). Only how weights compare counts, so the
 * greatest becomes 1. */

#include "base/memory.h"
#include "models/cpd/cpd.h"

static throng_cpd_weights make_weights(const throng_weight_map *map) {
    size_t rows = map->rows, columns = map->columns;
    throng_cpd_weights w = {.rows = (int)rows, .columns = (int)columns};
    w.weight = throng_allocate((rows + 1) * (columns + 1) * sizeof *w.weight);
    double greatest = 0;
    for (size_t i = 0; i < rows * columns; i++) greatest = map->weights[i] > greatest ? map->weights[i] : greatest;
    for (size_t r = 0; r <= rows; r++) {
        for (size_t c = 0; c <= columns; c++) {
            size_t row = r < rows ? r : rows - 1, column = c < columns ? c : columns - 1;
            w.weight[r * (columns + 1) + c] = (float)(map->weights[row * columns + column] / greatest);
        }
    }
    return w;
}

const throng_cpd_weights *throng_cpd_weights_of(const throng_cpd *s, const throng_cpd_body *b) {
    const throng_cpd_params *p = s->now->params[s->now->people.profile[s->near->row[b->slot]]];
    return &s->weights[(size_t)p->weight_map - 1];
}

/* Maps never change: those that are known stay. */
void throng_cpd_prepare_weights(throng_cpd *s, const throng_model_setup *setup) {
    THRONG_GROW(s->weights, s->weights_capacity, setup->map_count);
    for (; s->weights_count < setup->map_count; s->weights_count++)
        s->weights[s->weights_count] = make_weights(&setup->maps[s->weights_count]);
}

void throng_cpd_release_weights(throng_cpd *s) {
    for (size_t k = 0; k < s->weights_count; k++) throng_release(s->weights[k].weight);
    throng_release(s->weights);
}
