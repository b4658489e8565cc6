/* people.c: who takes part in a step, and with what shape of personal space. */

#include <math.h>

#include "models/cpd/cpd.h"
#include "space/wide.h"
#include "world/memory.h"

enum { GRAIN = 512 };

static const double slowest = 0.1; /* m/s: who wants to be slower than this yields and brakes like it */

static const double noise_every = 0.1; /* s that a push of noise lasts */

static void make_room(throng_cpd *s, size_t count) {
    if (count <= s->capacity) return;
    s->capacity = count + count / 8 + 16;
    double **twice[] = {&s->x, &s->y, &s->vx, &s->vy, &s->to_x, &s->to_y, &s->force_x, &s->force_y};
    for (size_t k = 0; k < sizeof twice / sizeof *twice; k++)
        *twice[k] = throng_reallocate(*twice[k], s->capacity * sizeof(double));
    float **single[] = {&s->area, &s->density, &s->smooth};
    for (size_t k = 0; k < 3; k++) *single[k] = throng_reallocate(*single[k], (s->capacity + 8) * sizeof(float));
    s->body = throng_reallocate(s->body, s->capacity * sizeof *s->body);
    s->line = throng_reallocate(s->line, s->capacity * sizeof *s->line);
    s->key = throng_reallocate(s->key, s->capacity * sizeof *s->key);
    s->home = throng_reallocate(s->home, s->capacity * sizeof *s->home);
    s->taps = throng_reallocate(s->taps, s->capacity * THRONG_CPD_TAPS * sizeof *s->taps);
}

/* Somebody as it is at the start of a step. */
static void take_one(throng_cpd *s, size_t i) {
    uint32_t row = s->near->row[i];
    bool own = s->now->params[s->now->profile[row]] != NULL;
    s->x[i] = s->near->x[i];
    s->y[i] = s->near->y[i];
    s->vx[i] = own ? s->now->vx[row] : s->near->vx[i];
    s->vy[i] = own ? s->now->vy[row] : s->near->vy[i];
}

static void find_images(throng_cpd *s) {
    s->image_count = 0;
    if (s->near->image_count == 0) return;
    THRONG_GROW(s->images, s->image_capacity, s->near->image_count);
    for (uint32_t k = 0; k < s->count; k++) {
        if (throng_near_is_image(s->near, k)) s->images[s->image_count++] = k;
    }
}

void throng_cpd_begin(throng_cpd *s, const throng_step *now) {
    s->now = now;
    s->near = now->near;
    s->count = now->near->count;
    make_room(s, s->count + 8);
    s->law = *(const throng_cpd_params *)throng_step_first_params(now);
    if (s->pixel == 0) s->pixel = s->law.pixel;
    s->per_pixel = 1 / s->pixel;
    double taps = floor(s->law.smoothing / s->pixel + 0.5);
    s->tap_step = taps < 30 ? (int)taps : 30;
    s->kernel = now->simd && throng_wide_supported() ? &throng_cpd_avx2 : &throng_cpd_plain;
    double count = ceil(fmin(now->dt / s->law.substep, 1e6) - 1e-6);
    s->substep_count = count < 1 ? 1 : (int)count;
    s->t = now->dt / s->substep_count;
    s->noise_scale = sqrt(noise_every / s->t);
    find_images(s);
}

/* --- shapes */

/* What is to be drawn of somebody, before it is known where. m, m/s */
typedef struct outline {
    double radius, front, along_x, along_y, weight, active, blind, keep_right;
} outline;

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double limit(double a, double most) { return a < most ? a : most; }

/* The way it faces: where it wants to go, turned a little to where it goes. */
static void face(outline *o, double gx, double gy, double vx, double vy, double speed, double front) {
    double turned = 0.5 / speed, hx = gx + turned * vx, hy = gy + turned * vy, length = sqrt(hx * hx + hy * hy);
    bool known = length > 1e-9;
    double scale = known ? 1 / length : 0;
    o->along_x = known ? hx * scale : 1;
    o->along_y = hy * scale;
    if (!known) o->active = 1, o->blind = o->keep_right = 0;
    o->front = o->radius + front * fabs(vx * o->along_x + vy * o->along_y);
}

static outline outline_of_own(const throng_cpd *s, uint32_t slot, uint32_t row, const throng_cpd_params *p) {
    double more = p->space_variety;
    if (more > 0) more *= 2 * throng_random(s->now->seed, s->now->id[row], 1, THRONG_RANDOM_CPD) - 1;
    outline o = {.radius = p->space * (1 + more),
                 .weight = p->weight,
                 .active = p->active,
                 .blind = p->blind,
                 .keep_right = p->keep_right};
    double wx = s->wish_x[row], wy = s->wish_y[row], wish = sqrt(wx * wx + wy * wy);
    double scale = wish > 1e-9 ? 1 / wish : 0, speed = larger(s->now->desired_speed[row], slowest);
    face(&o, wx * scale, wy * scale, s->vx[slot], s->vy[slot], speed, p->front);
    return o;
}

static outline outline_of_foreign(const throng_cpd *s, uint32_t slot) {
    outline o = {.radius = s->law.space, .active = 1};
    face(&o, 0, 0, s->vx[slot], s->vy[slot], 1, s->law.front);
    return o;
}

/* Down to a whole number; for places that can be. */
static double whole_below(double a) {
    double whole = (double)(int64_t)a;
    return a < whole ? whole - 1 : whole;
}

/* The place of a coordinate: its tile, pixel in it, and where in that. */
static int32_t split(double a, double per_pixel, int side, int16_t *pixel, float *within) {
    double at = a * per_pixel, whole = whole_below(at),
           tile = whole_below(whole * (1.0 / side)); /* exact: powers of two */
    *pixel = (int16_t)(whole - tile * side);
    *within = (float)(at - whole);
    return (int32_t)tile;
}

/* The pixels a shape may touch, and those that are looked at around it. */
static void box_of(const throng_cpd *s, throng_cpd_body *b, float r, float a) {
    float hx = b->along_x, hy = b->along_y, across2 = hx * hx, up2 = hy * hy, a2 = a * a, r2 = b->radius2;
    float across = sqrtf(a2 * across2 + r2 * up2), up = sqrtf(a2 * up2 + r2 * across2);
    float taps = (float)(2 * s->tap_step), least = r > taps ? r : taps;
    int side = (int)(least + 1.01F), ahead = (int)((across > least ? across : least) + 1.01F);
    int upward = (int)((up > least ? up : least) + 1.01F);
    int more_x = ahead - side, more_y = upward - side; /* no branches: people face anywhere */
    b->left = (int16_t)(b->column - side - more_x * (hx < 0));
    b->right = (int16_t)(b->column + side + more_x * (hx > 0));
    b->low = (int16_t)(b->row - side - more_y * (hy < 0));
    b->high = (int16_t)(b->row + side + more_y * (hy > 0));
}

static void shape_one(throng_cpd *s, uint32_t slot, throng_cpd_tally *tally) {
    uint32_t row = s->near->row[slot], self = s->near->slot[row];
    const throng_cpd_params *p = s->now->params[s->now->profile[row]];
    outline o = p ? outline_of_own(s, slot, row, p) : outline_of_foreign(s, slot);
    double per_pixel = s->per_pixel, x = s->x[slot], y = s->y[slot];
    throng_cpd_body *b = &s->body[slot];
    double r = limit(o.radius * per_pixel, THRONG_CPD_REACH), a = limit(o.front * per_pixel, THRONG_CPD_REACH);
    b->along_x = (float)o.along_x;
    b->along_y = (float)o.along_y;
    b->radius2 = (float)(r * r);
    b->squeeze = b->radius2 / (float)(a * a);
    b->reach2 = (float)(a * a);
    b->lift = (float)((s->weight_most - o.weight) * per_pixel);
    b->behind = o.active < 1 ? (float)(-o.active * r) : -INFINITY;
    b->spared = (int8_t)((int)(o.keep_right * THRONG_CPD_LOSS + THRONG_CPD_LOSS + 0.5) - THRONG_CPD_LOSS);
    b->beyond = o.blind > 0 ? (float)((1 - o.blind) * a) : INFINITY;
    int32_t tile_column = split(x - s->origin_x, per_pixel, THRONG_CPD_WIDTH, &b->column, &b->x);
    int32_t tile_row = split(y - s->origin_y, per_pixel, THRONG_CPD_HEIGHT, &b->row, &b->y);
    s->key[slot] = throng_cpd_key(tile_column, tile_row);
    box_of(s, b, (float)r, (float)a);
    b->reach = throng_cpd_reach_of(b);
    b->slot = self;
    b->kind = self != slot ? THRONG_CPD_IMAGE : p ? THRONG_CPD_OWN : THRONG_CPD_FOREIGN;
    tally->reach |= b->reach;
}

static void shape_people(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    for (size_t i = begin; i < end; i++) {
        if (s->substep == 0) take_one(s, i);
        shape_one(s, (uint32_t)i, &s->tallies[worker]);
    }
}

/* Images go with those they are images of. */
static void follow_images(throng_cpd *s) {
    for (size_t k = 0; k < s->image_count; k++) {
        uint32_t image = s->images[k], self = s->near->slot[s->near->row[image]];
        s->x[image] = s->near->x[image] + (s->x[self] - s->near->x[self]);
        s->y[image] = s->near->y[image] + (s->y[self] - s->near->y[self]);
        s->vx[image] = s->vx[self];
        s->vy[image] = s->vy[self];
    }
}

static void follow_foreign(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t i = begin; i < end; i++) {
        if (s->now->params[s->now->profile[s->near->row[i]]]) continue;
        s->x[i] = s->near->x[i] + s->t_begin * s->near->vx[i];
        s->y[i] = s->near->y[i] + s->t_begin * s->near->vy[i];
    }
}

void throng_cpd_shape_people(throng_cpd *s) {
    if (s->substep > 0) {
        throng_parallel_for(s->now->crew, s->count, GRAIN, follow_foreign, s);
        follow_images(s);
    }
    throng_parallel_for(s->now->crew, s->count, GRAIN, shape_people, s);
    unsigned reach = 0;
    for (size_t w = 0; w < s->workers; w++) {
        reach |= s->tallies[w].reach;
        s->tallies[w].reach = 0;
    }
    unsigned rows = (reach >> 2 | reach >> 4) & 3;
    s->far_column = (reach & 3) > 0;
    s->far_row = rows > 1 ? 2 : (int32_t)rows;
}
