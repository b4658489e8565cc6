/* walkers.c: who takes part in a step, with what wish and what limits; and what is written in the end. */

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "models/pbd/pbd.h"

static inline bool is_own(const throng_pbd *s, uint32_t slot) { return s->own[slot / 8] >> slot % 8 & 1; }

/* --- room and laws */

/* A part of the block for some items. Parts of the same length begin in different lines of the processor's cache, or
 * they would push each other out. */
typedef struct parts {
    char *begin; /* NULL: only measured */
    size_t used;
} parts;

static void *carve(parts *at, size_t bytes) {
    char *part = at->begin ? at->begin + at->used : NULL;
    at->used += (bytes + 63) / 64 * 64 + 5 * 64;
    return part;
}

/* Gives the columns their parts; returns how many bytes they take. */
static size_t lay_out(throng_pbd *s, char *begin) {
    parts at = {begin, 0};
    size_t slots = s->capacity, groups = slots / 8;
    s->quads = carve(&at, slots * sizeof *s->quads);
    s->quads_next = carve(&at, slots * sizeof *s->quads);
    s->traits = carve(&at, slots * sizeof *s->traits);
    float **single[] = {&s->vx,        &s->vy,      &s->new_vx, &s->new_vy, &s->wish_x,       &s->wish_y,
                        &s->shift_x,   &s->shift_y, &s->gone_x, &s->gone_y, &s->radius,       &s->inverse_mass,
                        &s->top_speed, &s->clock,   &s->pad,    &s->room,   &s->desired_speed};
    for (size_t k = 0; k < sizeof single / sizeof *single; k++) *single[k] = carve(&at, slots * sizeof(float));
    int32_t **whole[] = {&s->at_x, &s->at_y, &s->half_x, &s->half_y};
    for (size_t k = 0; k < 4; k++) *whole[k] = carve(&at, slots * sizeof(int32_t));
    uint32_t **numbers[] = {&s->law, &s->group, &s->wall_begin};
    for (size_t k = 0; k < 3; k++) *numbers[k] = carve(&at, slots * sizeof(uint32_t));
    s->wall_count = carve(&at, slots * sizeof *s->wall_count);
    uint8_t **bytes[] = {&s->own, &s->near_wall, &s->shifted};
    for (size_t k = 0; k < 3; k++) *bytes[k] = carve(&at, groups);
    throng_pbd_lists *lists[] = {&s->contacts, &s->ahead};
    for (size_t k = 0; k < 2; k++) {
        lists[k]->begin = carve(&at, groups * sizeof(uint32_t));
        lists[k]->length = carve(&at, groups * sizeof(uint16_t));
    }
    return at.used;
}

static void make_room(throng_pbd *s, size_t count) {
    if (count <= s->capacity) return;
    s->capacity = (count + count / 8 + 15) / 8 * 8;
    throng_release(s->block);
    s->block = throng_allocate(lay_out(s, NULL) + 64);
    lay_out(s, s->block + (64 - (uintptr_t)s->block % 64));
}

/* The stiffness is meant for six iterations. With more of them each does less: corrections of what is far ahead feed on
 * each other, and there must not be more of them in all. */
static float stiffness_of(const throng_pbd_params *p, double stiffness) {
    if (p->iterations == 6 || stiffness >= 1) return (float)stiffness;
    return (float)(1 - throng_exp(6 / p->iterations * throng_log(1 - stiffness)));
}

/* exp(-t^2 / tau0) = FEEBLE */
double throng_pbd_horizon(const throng_pbd_params *p) {
    return fmin(p->tau0, sqrt(-throng_log(THRONG_PBD_FEEBLE) * p->tau0));
}

static throng_pbd_law law_of(const throng_pbd_params *p) {
    int mode = (int)p->anticipation;
    bool keeps = mode == THRONG_PBD_NORMAL || mode == THRONG_PBD_FULL, slides = mode >= THRONG_PBD_FULL;
    float normal = keeps ? stiffness_of(p, p->stiffness) : 0,
          tangential = slides ? stiffness_of(p, p->avoidance_stiffness) : 0;
    return (throng_pbd_law){
        .metric = p->units == THRONG_PBD_METRIC,
        .expansion = (float)p->expansion,
        .averaging = (float)p->averaging,
        .friction = (float)p->friction,
        .contact_averaging = (float)(p->averaging * p->contact_stiffness),
        .normal = normal,
        .tangential = tangential,
        .hurry = p->hurry == THRONG_PBD_ANYWAY || (p->hurry == THRONG_PBD_BY_UNITS && p->units == THRONG_PBD_PAPER),
        .astray = mode == THRONG_PBD_NONE ? 0.4F : 1,
        .tau0 = (float)p->tau0,
        .horizon = (float)throng_pbd_horizon(p),
        .reach = normal > 0 || tangential > 0 ? (float)p->reach : 0,
        .relaxation_time = (float)p->relaxation_time,
        .cohesion = (int)p->cohesion,
        .cohesion_time = (float)p->cohesion_time,
        .cohesion_weight =
            (float)(p->cohesion_c * THRONG_PBD_POLY6 / (p->cohesion_reach * p->cohesion_reach * p->cohesion_reach)),
        .cohesion_reach = (float)p->cohesion_reach,
        .max_acceleration = (float)p->max_acceleration,
        .max_speed_factor = (float)p->max_speed_factor,
        .pushed = p->clamp == THRONG_PBD_BEFORE_CONTACT,
        .turning_rate = (float)p->turning_rate,
        .backward_speed = (float)p->backward_speed,
        .formation = (float)p->formation,
    };
}

static void make_laws(throng_pbd *s, const throng_step *now) {
    for (size_t p = 0; p < s->law_count; p++) {
        if (now->params[p]) s->laws[p] = law_of(now->params[p]);
    }
    memset(s->law_used, 0, s->workers * s->law_count);
}

/* --- everybody's columns */

/* Each of these passes reads few columns; more at a time would be too many for the processor's cache. */

static void take_bodies(throng_pbd *s, uint32_t first, uint32_t last) {
    const throng_near *near = s->near;
    for (uint32_t i = first; i < last; i++) {
        s->gone_x[i] = s->gone_y[i] = 0;
        throng_pbd_put_quanta(s, i);
    }
    for (uint32_t i = first; i < last; i++) s->vx[i] = (float)near->vx[i], s->vy[i] = (float)near->vy[i];
    for (uint32_t i = first; i < last; i++) s->radius[i] = (float)near->radius[i];
}

/* Who decides here, by which law and in which group. */
static void take_roles(throng_pbd *s, uint32_t first, uint32_t last, uint8_t *used) {
    const throng_step *now = s->now;
    memset(s->own + first / 8, 0, (last - first + 7) / 8);
    for (uint32_t i = first; i < last; i++) {
        uint32_t row = s->near->row[i];
        throng_profile profile = now->people.profile[row];
        bool ours = now->params[profile], own = ours && s->near->slot[row] == i;
        s->law[i] = ours ? profile : s->foreign_law;
        s->group[i] = ours ? now->people.group[row] : UINT32_MAX;
        s->own[i / 8] |= (uint8_t)((unsigned)own << i % 8);
        used[s->law[i]] = 1;
    }
}

static void take_limits(throng_pbd *s, uint32_t first, uint32_t last) {
    const throng_step *now = s->now;
    for (uint32_t i = first; i < last; i++) {
        uint32_t row = s->near->row[i];
        const throng_pbd_law *law = &s->laws[s->law[i]];
        double r = now->people.radius[row], speed = now->people.desired_speed[row],
               most = (double)law->max_speed_factor * speed;
        bool ours = s->group[i] != UINT32_MAX;
        s->inverse_mass[i] = ours ? (float)(1 / now->people.mass[row]) : 0;
        /* who hardly wants to move has a slow clock, but one that goes */
        s->clock[i] = law->metric > 0 ? (float)(1.4 * r / (speed > 0.1 ? speed : 0.1)) : 1;
        s->desired_speed[i] = (float)speed;
        s->top_speed[i] = (float)(most < now->people.max_speed[row] ? most : now->people.max_speed[row]);
    }
}

/* The wish, with the outside force, which acts as a stronger wish. Those of other models wish to go on as they do. */
static void take_wishes(throng_pbd *s, uint32_t first, uint32_t last) {
    const throng_step *now = s->now;
    for (uint32_t i = first; i < last; i++) {
        uint32_t row = s->near->row[i];
        const throng_pbd_law *law = &s->laws[s->law[i]];
        bool ours = s->group[i] != UINT32_MAX;
        double xi = (double)law->relaxation_time;
        s->wish_x[i] = ours ? (float)(now->people.wish_x[row] + xi * now->people.push_x[row]) : s->vx[i];
        s->wish_y[i] = ours ? (float)(now->people.wish_y[row] + xi * now->people.push_y[row]) : s->vy[i];
    }
    for (uint32_t i = first; i < last; i++) {
        float length2 = s->wish_x[i] * s->wish_x[i] + s->wish_y[i] * s->wish_y[i];
        float scale = length2 > 1e-12F ? 1 / sqrtf(length2) : 0;
        s->traits[i] = (throng_four){s->radius[i], s->inverse_mass[i], scale * s->wish_x[i], scale * s->wish_y[i]};
    }
}

static void take_groups(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    uint32_t first = (uint32_t)begin * 8, last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    take_bodies(s, first, last);
    take_roles(s, first, last, s->law_used + (size_t)worker * s->law_count);
    take_limits(s, first, last);
    take_wishes(s, first, last);
    bool mixed_laws = false, mixed_bodies = false, mixed_groups = false;
    for (uint32_t i = first; i < last; i++) {
        mixed_laws |= s->law[i] != s->first_law;
        mixed_groups |= s->group[i] != s->first_group;
        mixed_bodies |= (s->radius[i] != s->first_radius) | (s->inverse_mass[i] != s->first_inverse_mass);
    }
    tally->mixed_laws |= mixed_laws;
    tally->mixed_groups |= mixed_groups;
    tally->mixed_bodies |= mixed_bodies;
}

/* --- the begin of a step */

/* What somebody is asked for by the laws in use. */
static void join_laws(throng_pbd *s) {
    s->looks_ahead = s->coheres = s->printed = s->controls = s->formations = false;
    for (size_t p = 0; p < s->law_count; p++) {
        const throng_pbd_law *law = &s->laws[p];
        bool used = false;
        for (size_t w = 0; w < s->workers; w++) used |= s->law_used[w * s->law_count + p] != 0;
        if (!used) continue;
        s->looks_ahead |= law->reach > 0;
        s->coheres |= law->cohesion != THRONG_PBD_NO_COHESION;
        s->printed |= law->cohesion == THRONG_PBD_PRINTED;
        s->formations |= law->formation > 0;
        s->controls |= law->formation > 0 || law->turning_rate > 0 || law->backward_speed < THRONG_PBD_ANY_SPEED;
    }
}

static void sum_up(throng_pbd *s) {
    s->one_law = s->one_body = s->one_group = true;
    for (size_t w = 0; w < s->workers; w++) {
        throng_pbd_tally *t = &s->tallies[w];
        if (t->mixed_laws) s->one_law = false;
        if (t->mixed_bodies) s->one_body = false;
        if (t->mixed_groups) s->one_group = false;
        t->mixed_laws = t->mixed_bodies = t->mixed_groups = false;
    }
}

/* Nobody stands in the slots that fill up the last group, and in the one after. */
static void clear_beyond(throng_pbd *s) {
    for (size_t k = s->count; k < s->capacity && k < s->count + 16; k++) {
        s->quads[k] = s->quads_next[k] = (throng_quad){0};
        s->radius[k] = s->inverse_mass[k] = s->clock[k] = 1;
        s->law[k] = s->first_law;
        s->group[k] = UINT32_MAX;
        s->gone_x[k] = s->gone_y[k] = s->desired_speed[k] = s->top_speed[k] = 0;
        s->traits[k] = (throng_four){1, 1, 0, 0};
        s->vx[k] = s->vy[k] = s->new_vx[k] = s->new_vy[k] = s->wish_x[k] = s->wish_y[k] = s->pad[k] = s->room[k] = 0;
        s->at_x[k] = s->at_y[k] = s->half_x[k] = s->half_y[k] = 0;
    }
    s->quads[s->nobody] = s->quads_next[s->nobody] = (throng_quad){0, 0, NAN, NAN};
}

/* What concerns all alike follows from the model's first profile and from the scale of people, whoever is there. */
static int count_substeps(throng_pbd *s) {
    const throng_pbd_params *common = s->now->common;
    double step = THRONG_PBD_COURANT * s->now->ordinary_radius / THRONG_PBD_ORDINARY_SPEED;
    s->iterations = (int)common->iterations;
    s->stability_iterations = (int)common->stability_iterations;
    s->foreign_law = 0;
    while (s->now->params[s->foreign_law] != common) s->foreign_law++;
    int count = (int)ceil(s->now->dt / fmin(step, common->substep) - 0.01);
    return count < 1 ? 1 : count;
}

int throng_pbd_begin(throng_pbd *s, const throng_step *now) {
    const throng_near *near = now->near;
    s->now = now;
    s->near = near;
    s->count = near->count;
    s->group_count = (s->count + 7) / 8;
    s->nobody = (uint32_t)(8 * s->group_count);
    s->chunk_count = (s->group_count + THRONG_PBD_CHUNK - 1) / THRONG_PBD_CHUNK;
    make_room(s, s->count + 16);
    make_laws(s, now);
    uint32_t first = near->row[now->mine[0]];
    s->first_law = now->people.profile[first];
    s->first_group = now->people.group[first];
    s->first_radius = (float)now->people.radius[first];
    s->first_inverse_mass = (float)(1 / now->people.mass[first]);
    s->quantum = near->cell / THRONG_PBD_QUANTA;
    s->inverse_quantum = THRONG_PBD_QUANTA * near->inverse_cell;
    int count = count_substeps(s);
    clear_beyond(s);
    throng_pbd_share_out(s, THRONG_PBD_MANY, take_groups);
    throng_images_find(&s->images, s->near);
    sum_up(s);
    join_laws(s);
    s->drift = 0;
    throng_pbd_join_formations(s);
    return count;
}

void throng_pbd_set_frame(throng_pbd *s, int substeps) {
    s->frame_time = (float)(s->h * substeps);
    for (size_t p = 0; p < s->law_count; p++) {
        throng_pbd_law *law = &s->laws[p];
        if (!s->now->params[p]) continue;
        law->cohesion_rate = 1 - (float)throng_exp(-(double)s->frame_time / (double)law->cohesion_time);
        double cosine, sine;
        throng_cos_sin(fmin((double)law->turning_rate * s->h * (180 / 3.14159265358979323846), 90), &cosine, &sine);
        law->turn_cosine = (float)cosine;
        law->turn_sine = (float)sine;
    }
}

static void write_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    const throng_step *now = s->now;
    uint32_t last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        if (!is_own(s, i)) continue;
        uint32_t row = s->near->row[i];
        now->next_x[row] = throng_pbd_x(s, i);
        now->next_y[row] = throng_pbd_y(s, i);
        now->next_vx[row] = (double)s->vx[i];
        now->next_vy[row] = (double)s->vy[i];
    }
}

void throng_pbd_write(throng_pbd *s) { throng_pbd_share_out(s, THRONG_PBD_MANY, write_groups); }
