/* model_step.c: a step of the world as sub-steps of the model. */

#include "models/pbd/pbd.h"

static void sweep(throng_pbd *s, size_t grain, throng_work work) {
    throng_pbd_share_out(s, grain, work);
    throng_quad *before = s->quads;
    s->quads = s->quads_next;
    s->quads_next = before;
    throng_pbd_follow_images(s, s->quads);
}

static void take_substep(throng_pbd *s, bool first, bool last) {
    throng_pbd_plan(s);
    throng_part_done(&s->parts, THRONG_PBD_PLAN);
    if (first) throng_pbd_make_lists(s);
    throng_part_done(&s->parts, THRONG_PBD_LIST);
    for (int k = 0; k < s->stability_iterations; k++) {
        throng_pbd_share_out(s, THRONG_PBD_MANY, s->kernel->stabilise);
        throng_pbd_move_shifted(s);
    }
    throng_pbd_draw_to_formations(s);
    throng_part_done(&s->parts, THRONG_PBD_STABILITY);
    for (int k = 0; k < s->iterations; k++) {
        if (s->looks_ahead) sweep(s, THRONG_PBD_FEW, s->kernel->long_range);
        throng_pbd_control(s);
        throng_part_done(&s->parts, THRONG_PBD_LONG_RANGE);
        s->settled = k > 0 && !s->looks_ahead && !s->controls;
        sweep(s, THRONG_PBD_MANY, s->kernel->short_range);
        throng_part_done(&s->parts, THRONG_PBD_SHORT_RANGE);
    }
    throng_pbd_finish(s, last);
    throng_part_done(&s->parts, THRONG_PBD_FINISH);
    s->substep_count++;
}

/* Lists serve a few sub-steps; of many, as many each time as nearly as can be. */
void throng_pbd_step(void *model, const throng_step *now) {
    throng_pbd *s = model;
    s->kernel = now->simd && throng_wide_supported() ? &throng_pbd_avx2 : &throng_pbd_plain;
    throng_parts_begin(&s->parts);
    int count = throng_pbd_begin(s, now), frames = (count + THRONG_PBD_FRAME - 1) / THRONG_PBD_FRAME;
    s->h = now->dt / count;
    throng_part_done(&s->parts, THRONG_PBD_TAKE);
    for (int frame = 0, done = 0; frame < frames; frame++) {
        int substeps = (count - done + frames - frame - 1) / (frames - frame);
        throng_pbd_set_frame(s, substeps);
        for (int k = 0; k < substeps; k++, done++) take_substep(s, k == 0, k == substeps - 1);
    }
    throng_pbd_write(s);
    throng_part_done(&s->parts, THRONG_PBD_TAKE);
    s->step_count++;
}
