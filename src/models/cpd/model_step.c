/* model_step.c: a step of the world as sub-steps of the model. */

#include "models/cpd/cpd.h"

static void take_substep(throng_cpd *s) {
    throng_cpd_shape_people(s);
    throng_part_done(&s->parts, THRONG_CPD_TAKE);
    throng_cpd_place_people(s);
    throng_part_done(&s->parts, THRONG_CPD_SORT);
    throng_cpd_find_obstacles(s);
    throng_part_done(&s->parts, THRONG_CPD_OBSTACLES);
    throng_cpd_map(s);
    throng_part_done(&s->parts, THRONG_CPD_MAP);
    throng_cpd_move(s);
    throng_part_done(&s->parts, THRONG_CPD_FORCE);
    throng_cpd_arrive(s);
    throng_part_done(&s->parts, THRONG_CPD_CORE);
    s->counts.substeps++;
    s->counts.tiles += s->used_count;
    s->counts.people += s->now->mine_count;
}

void throng_cpd_step(void *model, const throng_step *now) {
    throng_cpd *s = model;
    throng_parts_begin(&s->parts);
    throng_cpd_begin(s, now);
    throng_cpd_look_ahead(s);
    if (s->any_hard) throng_cpd_list_bodies(s);
    for (s->substep = 0; s->substep < s->substep_count; s->substep++) {
        s->t_begin = now->dt * s->substep / s->substep_count;
        take_substep(s);
    }
    uint64_t tick = (uint64_t)(s->t * 1e6 + 0.5);
    for (size_t w = 0; w < s->workers; w++) {
        throng_cpd_tally *t = &s->tallies[w];
        s->counts.pixels += t->pixels;
        s->counts.by_pixel += t->by_pixel;
        s->counts.stopped += t->stopped;
        s->counts.area += t->area;
        s->counts.density += t->density;
        for (int k = 0; k < THRONG_CPD_CLASSES; k++) {
            s->counts.in_class[k] += tick * t->in_class[k];
            s->counts.ticks += tick * t->in_class[k];
        }
        *t = (throng_cpd_tally){0};
    }
    s->counts.steps++;
}
