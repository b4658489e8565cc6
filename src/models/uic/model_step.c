/* model_step.c: a step of the world as sub-steps of the model. */

#include "models/uic/uic.h"

static void take_substep(throng_uic *s) {
    throng_uic_place_people(s);
    throng_part_done(&s->parts, THRONG_UIC_SORT);
    throng_uic_shape(s);
    throng_part_done(&s->parts, THRONG_UIC_SHAPE);
    throng_uic_splat(s);
    throng_part_done(&s->parts, THRONG_UIC_SPLAT);
    if (s->law.incompressible != 0) throng_uic_project(s);
    throng_part_done(&s->parts, THRONG_UIC_SOLVE);
    throng_uic_advect(s);
    throng_part_done(&s->parts, THRONG_UIC_ADVECT);
    if (s->law.separation != 0) throng_uic_separate(s);
    throng_uic_arrive(s);
    throng_part_done(&s->parts, THRONG_UIC_SEPARATE);
    s->counts.substeps++;
    s->counts.tiles += s->tile_count;
}

void throng_uic_step(void *model, const throng_step *now) {
    throng_uic *s = model;
    throng_parts_begin(&s->parts);
    throng_uic_begin(s, now);
    throng_part_done(&s->parts, THRONG_UIC_TAKE);
    s->t = now->dt / s->substeps;
    for (int k = 0; k < s->substeps; k++) {
        s->t_end = now->dt * (k + 1) / s->substeps;
        s->first_substep = k == 0;
        s->last = k + 1 == s->substeps;
        take_substep(s);
    }
    for (size_t w = 0; w < s->workers; w++) {
        s->counts.guarded += s->tallies[w].guarded;
        s->tallies[w].guarded = 0;
    }
    s->counts.steps++;
}
